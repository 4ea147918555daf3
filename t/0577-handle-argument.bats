#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# References in arguments: {"x_wv_handle": ID} stands for what is stored behind
# the Handle.  It is judged as its reading is; the tool gets the cleaned and
# redacted whole of it, or does not run.

load lib
load call

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	policy
	token agent-1 'org.demo.*' 'wv.*'
	tools <<-'END'
	- {capability: org.demo.cat, source: exec, read_only: true, command: [cat, --, "{file}"]}
	- {capability: wv.handle.resolve, source: builtin}
	- capability: org.demo.say
	  source: exec
	  command: [sh, -c, 'printf "%s" "$1" >got; printf "%s" "$1" | wc -c', sh, "{text}"]
	  input_schema: {type: object, additionalProperties: false, required: [text], properties: {text: {type: string, pattern: "^[^!]*$"}}}
	- {capability: org.demo.deep, source: exec, command: [sh, -c, 'shift; printf "%s\n" "$@"', sh, --, "{list}"]}
	- {capability: org.demo.wrap, source: wrapped, wraps: org.demo.deep, arguments: {list: [{from: /a}, {x_wv_handle: none}]}}
	END
}

teardown() {
	nothing_left
}

# policy [OBLIGATIONS [RULE…]]: what org.demo.cat is kept under, and more rules
policy() {
	{
		printf 'version: 1\nrules:\n'
		printf -- '- {name: cat, effect: allow, match: {capability: [org.demo.cat]}, obligations: {mode: handle_only%s}}\n' "${1:+, $1}"
		printf -- '- {name: say, effect: allow, match: {capability: [org.demo.say, org.demo.deep, org.demo.wrap]}}\n'
		[[ "${*:2}" == *resolve* ]] ||
			printf -- '- {name: read, effect: allow, match: {capability: [wv.handle.resolve]}}\n'
		printf -- '- %s\n' "${@:2}"
	} | grep -v '^- $' >policy.yaml
}

# token PRINCIPAL SCOPE…
token() {
	wv-token issue --principal "$1" $(printf -- '--scope %s ' "${@:2}") \
		--ttl 48h >token.json
}

# keep FILE: what it holds is behind $handle
keep() {
	decided org.demo.cat "{\"file\":\"$1\"}" | wv-call -T tools.yaml >kept
	handle=$(jq -r '.handle_refs[0]' kept)
	[[ $handle == handle-* ]]
	rm -f got
}

# say [ARGUMENTS [CAPABILITY]]: its Frame is $output
say() {
	decided "${2:-org.demo.say}" "${1:-{\"text\":{\"x_wv_handle\":\"$handle\"\}\}}" >d.json
	run --separate-stderr wv-call -T tools.yaml d.json 3>&-
}

# deny_of [OPTION…]: code and reason of the decision to say what is in $handle
deny_of() {
	decided org.demo.say "{\"text\":{\"x_wv_handle\":\"$handle\"}}" '' "$@" |
		jq -r '"\(.decision) \(.metadata.x_wv_code) \(.reason)"'
}

@test "a tool is given what is stored, whole, and the log says that it was read" {
	{ seq 998 && echo kept-for-a-tool; } >text
	keep text
	say
	[ "$status" = 0 ]
	cmp got text
	jq -e '.capability_id == "org.demo.say" and .handle_refs == []
		and .structured_data.value == 3900' <<<"$output"
	[ "$(events handle_resolved)" = 1 ]
	last_event handle_resolved | jq -e --arg h "$handle" '.handle_id == $h and
		.principal == "agent-1" and .capability_id == "org.demo.say" and
		.decision_id == (input | .decision_id)' - d.json
	# the decision, its digest and the log have what was written
	jq -e --arg h "$handle" '.metadata.x_wv_invocation.arguments ==
		{text: {x_wv_handle: $h}}' d.json
	[ "$(jq -r .metadata.x_wv_invocation.arguments_sha256 d.json)" = \
		"$(printf '{"text":{"x_wv_handle":"%s"}}' "$handle" | sha256sum | cut -d' ' -f1)" ]
	last_event capability_executed | jq -e '.metadata.x_wv_arguments.names == ["text"]'
	refute grep -F kept-for-a-tool "$WV_STATE/audit.jsonl"
	# the schema judges the text, not the reference
	echo 'stop!' >text
	keep text
	say
	fails_as schema_validation 'arguments/text'
	[ ! -e got ]
	# that one begins with a dash; nobody is told otherwise
	echo '-rf' >text
	keep text
	say "{\"list\":{\"x_wv_handle\":\"$handle\"}}" org.demo.deep
	jq -e '.structured_data.lines[0] == "-rf"' <<<"$output"
	sed -i 's/, --, "{list}"/, "{list}"/' tools.yaml
	say "{\"list\":{\"x_wv_handle\":\"$handle\"}}" org.demo.deep
	fails_as schema_validation 'begins with "-"'
}

@test "at any depth, several, and beside what only looks like one" {
	local one two
	echo one >text
	keep text
	one=$handle
	: >text
	keep text
	two=$handle
	say "$(jq -nc --arg one "$one" --arg two "$two" '{list: [
		{a: [{x_wv_handle: $one}, {x_wv_handle: $one}], b: {x_wv_handle: $two}},
		{x_wv_handle: 7}, {x_wv_handle: $one, c: 1}, {value: {d: 1}}]}')" org.demo.deep
	jq -e --arg one "$one" '.structured_data.items == [
		{a: ["one\n", "one\n"], b: ""},
		{x_wv_handle: 7}, {x_wv_handle: $one, c: 1}, {value: {d: 1}}]' <<<"$output"
	[ "$(events handle_resolved)" = 3 ]
	# a wrapped tool is given the text, and what the tools file says
	say "{\"a\":{\"x_wv_handle\":\"$one\"}}" org.demo.wrap
	jq -e '.structured_data.lines == ["one", "", "{\"x_wv_handle\":\"none\"}"]' <<<"$output"
	# what is stored is text, whatever it looks like
	printf '{"x_wv_handle":"%s"}' "$one" >text
	keep text
	say
	[ "$(cat got)" = "{\"x_wv_handle\":\"$one\"}" ]
}

@test "at most sixteen, and not the arguments as a whole" {
	local refs
	echo x >text
	keep text
	refs=$(yes "{\"x_wv_handle\":\"$handle\"}" | head -n 16 | paste -sd,)
	say "{\"list\":[$refs]}" org.demo.deep
	[ "$(jq -r .structured_data.line_count <<<"$output")" = 32 ]
	run -1 --separate-stderr decided org.demo.deep "{\"list\":[$refs],\"more\":{\"x_wv_handle\":\"$handle\"}}"
	[[ $output == *'"x_wv_code":"arguments_invalid"'* ]]
	[[ $output == *'the arguments have more than 16 references to Handles'* ]]
	run -1 --separate-stderr decided org.demo.deep "{\"x_wv_handle\":\"$handle\"}"
	[[ $output == *'metadata.x_wv_arguments as a whole is a reference to a Handle'* ]]
}

@test "unknown, expired and another's: one answer, that of a reading" {
	rm -r "$WV_STATE"
	wv-token init --test
	local day1=2026-01-01T00:00:00Z late=2026-01-01T23:59:59Z day2=2026-01-02T00:00:01Z
	local none='deny no_matching_rule there is no such Handle to read'
	wv-token issue --principal agent-1 --scope 'org.demo.*' --scope 'wv.*' \
		--ttl 72h --now $day1 >token.json
	seq 10 >text
	decided org.demo.cat '{"file":"text"}' '' --now $day1 |
		wv-call -T tools.yaml --now $day1 >kept
	handle=$(jq -r '.handle_refs[0]' kept)
	[[ $(deny_of --dry-run --now $late) == allow* ]]
	# between the two it expires
	decided org.demo.say "{\"text\":{\"x_wv_handle\":\"$handle\"}}" '' --now $late >d.json
	run --separate-stderr wv-call -T tools.yaml --now $day2 d.json 3>&-
	fails_as access_denied "there is no such Handle to read"
	[ ! -e got ]
	[ "$(deny_of --now $day2)" = "$none" ]
	[ "$(handle=handle-0 deny_of --now $day2)" = "$none" ]
	decided org.demo.cat '{"file":"text"}' '' --now $day2 |
		wv-call -T tools.yaml --now $day2 >kept
	handle=$(jq -r '.handle_refs[0]' kept)
	[[ $(deny_of --now $day2) == allow* ]]
	wv-token issue --principal agent-2 --scope 'org.demo.*' --scope 'wv.*' \
		--ttl 72h --now $day2 >token.json
	[ "$(deny_of --now $day2)" = "$none" ]
	[ "$(deny_of --now $day2 --dry-run)" = "$none" ]
	[ "$(events handle_resolved)" = 0 ]
}

@test "token and policy allow to read it, and what it is of" {
	seq 10 >text
	keep text
	cp token.json wide.json
	token agent-1 'org.demo.*'
	[ "$(deny_of)" = "deny scope_mismatch the token's scope does not cover wv.handle.resolve" ]
	token agent-1 org.demo.say 'wv.*'
	[ "$(deny_of)" = "deny scope_mismatch the token's scope does not cover org.demo.cat, whose output the Handle holds" ]
	mv wide.json token.json
	policy '' '{name: never, effect: deny, match: {capability: [org.demo.cat]}}'
	[ "$(deny_of)" = 'deny policy_deny the Handle holds output of org.demo.cat: rule "never" denies it' ]
	policy '' '{name: none, effect: deny, match: {capability: ["wv.handle.resolve"]}}'
	[ "$(deny_of)" = 'deny policy_deny rule "none" denies it' ]
	policy '' "{name: that, effect: allow, match: {capability: [wv.handle.resolve], arguments: {properties: {handle_id: {const: $handle}}}}}"
	[[ $(deny_of) == allow* ]]
	[[ $(handle=handle-0 deny_of) == 'deny arguments_invalid rule "that"'* ]]
	policy '' '{name: why, effect: allow, match: {capability: [wv.handle.resolve]}, require: {justification: 5}}'
	[[ $(deny_of) == 'deny justification_required rule "why"'* ]]
	policy
	echo '{"id":"org.demo.say","name":"n","description":"d","version":"1"}' >cat.jsonl
	[ "$(deny_of -c cat.jsonl)" = 'deny unknown_capability no capability of the catalogue is wv.handle.resolve' ]
	[[ $(deny_of -c tools.yaml) == allow* ]]
	deny_of --explain 2>err
	told ': references: to Handles that may be read: 1' \
		'rule "read" (allow): matches'
	handle=handle-0
	deny_of --explain 2>err
	told ': references: no: no_matching_rule: there is no such Handle to read'
}

@test "each reading counts for the limits of those who may read" {
	local ref
	seq 3 >text
	keep text
	ref="{\"x_wv_handle\":\"$handle\"}"
	policy '' '{name: some, effect: allow, match: {capability: [wv.handle.resolve]}, limit: {count: 3, per: 1h, by: [capability]}}'
	[[ $(deny_of) == allow* ]]
	run -1 --separate-stderr decided org.demo.deep "{\"list\":[$ref,$ref,$ref]}"
	[[ $output == *'"x_wv_code":"rate_limited"'* ]]
	run -0 decided org.demo.deep "{\"list\":[$ref,$ref]}"
	[[ $output == *'"x_wv_code":"allowed"'* ]]
	[[ $(deny_of) == 'deny rate_limited rule "some" allows no more than 3'* ]]
	# a reading by itself is of the same window, the call is not
	[[ $(decided wv.handle.resolve "{\"handle_id\":\"$handle\"}") == *rate_limited* ]]
	[[ $(decided org.demo.say '{"text":"x"}') == *'"allowed"'* ]]
}

# What a rule asks of an argument may hold for the text that nobody has seen.
@test "a rule that does not match the reference is one that cannot be told" {
	seq 3 >text
	keep text
	policy '' '{name: not, effect: deny, match: {capability: [org.demo.say], arguments: {properties: {text: {type: string}}}}}'
	[[ $(deny_of) == 'deny indeterminate rule "not" may deny it'* ]]
	policy '' '{name: not, effect: deny, match: {capability: [org.demo.say], paths: {/text: ["/x"]}}}'
	[[ $(deny_of) == 'deny indeterminate rule "not" may deny it'* ]]
	policy
	sed -i '/name: say/d' policy.yaml
	echo '- {name: short, effect: allow, match: {capability: [org.demo.say], arguments: {properties: {text: {type: string, maxLength: 9}}}}}' >>policy.yaml
	[[ $(deny_of) == 'deny indeterminate rule "short" would have to allow it'* ]]
	sed -i '$d' policy.yaml
	echo '- {name: any, effect: allow, match: {capability: [org.demo.say]}, unless: {arguments: {properties: {text: {const: x}}}}}' >>policy.yaml
	[[ $(deny_of) == 'deny indeterminate '* ]]
	# one that speaks of references allows them
	sed -i '$d' policy.yaml
	echo '- {name: kept, effect: allow, match: {capability: [org.demo.say], arguments: {properties: {text: {type: object}}}}}' >>policy.yaml
	[[ $(deny_of) == allow* ]]
}

@test "a table judges references without Handles" {
	cat >cases <<-'END'
	{"request":{"capability":"org.demo.say","arguments":{"text":{"x_wv_handle":"h"}}},"token":{"scope":["org.demo.*","wv.*"]},"expect":{"decision":"allow"}}
	{"request":{"capability":"org.demo.say","arguments":{"text":{"x_wv_handle":"h"}}},"token":{"scope":["org.demo.*"]},"expect":{"decision":"deny","code":"scope_mismatch"}}
	END
	wv-authorize -p policy.yaml --test cases
	policy '' '{name: none, effect: deny, match: {capability: ["wv.handle.resolve"]}}'
	run -1 wv-authorize -p policy.yaml --test cases
}

@test "an artifact that was changed reaches no tool" {
	seq 1000 >text
	keep text
	printf 'X' | dd of="$(echo "$WV_STATE"/artifacts/*)" bs=1 seek=50 conv=notrunc 2>/dev/null
	say
	fails_as execution "the stored output was changed"
	truncate -s 5 "$WV_STATE"/artifacts/*
	say
	fails_as execution "the stored output was changed"
	[ ! -e got ]
	[ "$(events handle_resolved)" = 0 ]
}

@test "the Handle's obligations are counted, and more than they allow is an error" {
	seq 5 >text
	policy 'max_rows: 12'
	keep text
	say
	cmp got text
	# what was shown of it by itself counts too
	decided wv.handle.resolve "{\"handle_id\":\"$handle\",\"head\":3}" |
		wv-call -T tools.yaml >out
	grep -F '"lines":["1","2","3"]' out
	rm got
	say
	fails_as access_denied 'that holds 5 rows, and its obligations allow 4 more of this Handle'
	# a call that is given it twice, is given it twice
	keep text
	say "{\"list\":[{\"x_wv_handle\":\"$handle\"},{\"x_wv_handle\":\"$handle\"},{\"x_wv_handle\":\"$handle\"}]}" org.demo.deep
	fails_as access_denied 'that holds 5 rows, and its obligations allow 2 more'
	say
	[ "$status" = 0 ]
	policy 'max_bytes: 290'
	seq 100 >text
	keep text
	say
	fails_as access_denied 'that holds 292 bytes, and its obligations allow 290 more'
	# one line of JSON may hold everything
	policy 'max_fields: 1'
	echo '{"a":1,"b":2}' >text
	keep text
	say
	fails_as execution 'JSON whose rows or fields are limited'
	[ ! -e got ]
	# they follow what is made of it
	policy 'max_rows: 2'
	printf 'a\nb' >text
	keep text
	say "{\"list\":[{\"x_wv_handle\":\"$handle\"},\"c\",\"d\"]}" org.demo.deep
	jq -e '.structured_data | .lines + .last_lines == ["a", "d"]' <<<"$output"
	[ "$(events handle_resolved)" = 4 ]
}

@test "a megabyte a call, and no binary data" {
	head -c 1048577 /dev/zero | tr '\0' x >text
	keep text
	say
	fails_as execution 'the references of the call hold more than 1048576 bytes'
	head -c 600000 /dev/zero | tr '\0' x >text
	keep text
	say "{\"list\":[{\"x_wv_handle\":\"$handle\"},{\"x_wv_handle\":\"$handle\"}]}" org.demo.deep
	fails_as execution 'the references of the call hold more than 1048576 bytes'
	# text may grow as it is cleaned
	head -c 600000 /dev/zero | tr '\0' '\300' | sed 's/^/text /' >text
	keep text
	say
	[ "$status" = 1 ]
	printf '\x89PNG\r\n\x1a\n\0\0\0' >text
	keep text
	say
	fails_as execution 'the stored output is image/png'
	[ "$(events handle_resolved)" = 0 ]
}

@test "no secret that is stored reaches a tool or the log" {
	# put together here so that no scanner takes this file for a leak
	local r=0123456789abcdefghijABCDEFGHIJ456789
	printf 'one\nghp_%s\n\e[31mpassword = "correct-horse-battery"\e[0m\nend\n' $r >text
	keep text
	say
	diff got - <<-'END'
	one
	[REDACTED:github-token]
	password = "[REDACTED:password]"
	end
	END
	jq -n --arg t "ghp_$r" '{password: {old: "correct-horse-battery"}, note: $t}' >text
	keep text
	say
	jq -e '.password == "[REDACTED:password]" and .note == "[REDACTED:github-token]"' got
	refute grep -rF -e "$r" -e correct-horse "$WV_STATE/audit.jsonl" got d.json
}
