#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Handles: what is stored is read in parts, cleaned and redacted, by whom it is
# kept for, under the obligations that it was kept under, and no further.

load lib
load call

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	policy
	wv-token issue --principal agent-1 --scope 'org.demo.*' --scope 'wv.*' \
		--ttl 48h >token.json
	tools <<-'END'
	- {capability: org.demo.cat, source: exec, read_only: true, command: [cat, --, "{file}"]}
	- {capability: org.demo.free, source: exec, read_only: true, command: [cat, --, "{file}"]}
	- {capability: wv.handle.resolve, source: builtin}
	- {capability: wv.capability.list, source: builtin}
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
		printf -- '- {name: free, effect: allow, match: {capability: [org.demo.free]}}\n'
		printf -- '- {name: builtin, effect: allow, match: {capability: ["wv.**"]}}\n'
		printf -- '- %s\n' "${@:2}"
	} | grep -v '^- $' >policy.yaml
}

# decided_on [OPTION…] <LINES `CAPABILITY ARGUMENTS`: their PolicyDecisions
decided_on() {
	local capability arguments
	while read -r capability arguments; do
		printf '{"id":"rd-1","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d","capability_id":"%s"}]}],"selected_item_id":"i","timestamp":"2026-01-01T00:00:00Z","metadata":{"x_wv_arguments":%s}}\n' \
			"$capability" "$arguments"
	done | wv-authorize -p policy.yaml -k token.json "$@"
}

# keep FILE [CAPABILITY]: what it holds is behind $handle
keep() {
	decided_on <<<"${2:-org.demo.cat} {\"file\":\"$1\"}" |
		wv-call -T tools.yaml --max-output 2G >kept
	handle=$(jq -r '.handle_refs[0]' kept)
	[[ $handle == handle-* ]]
}

# resolve MEMBERS…: a Frame in `out` for reading $handle with each of these
resolve() {
	local members
	for members; do
		printf 'wv.handle.resolve {"handle_id":"%s"%s}\n' "$handle" \
			"${members:+,$members}"
	done | decided_on >d.jsonl 2>err
	wv-call -T tools.yaml d.jsonl >out 2>>err || true
}

# data: the structured_data of each
data() {
	jq -c .structured_data out
}

# gives <WANTED: that they are these
gives() {
	diff - <(data)
}

# fails CLASS TEXT: that all of them failed so
fails() {
	jq -es --arg class "$1" --arg text "$2" 'length > 0 and
		all(.structured_data.error_class == $class and
		(.structured_data.error_message | contains($text)))' out >/dev/null || {
		echo "want $1: $2"
		cat out err
		return 1
	}
}

@test "text: by head, lines and grep, or its first lines" {
	seq 1000 | sed 's/$/ Word/; 500s/Word/pass-WORD/' >text
	keep text
	resolve '"head":2' '"lines":{"first":999}' '"lines":{"first":3,"last":4}' \
		'"lines":{"first":1001,"last":1002}' '"grep":{"pattern":"99 W","max":2}' \
		'"grep":{"pattern":"pass-word"}' \
		'"grep":{"pattern":"PASS-word","ignore_case":true}'
	gives <<-'END'
	{"lines":["1 Word","2 Word"],"first_line":1,"more":true}
	{"lines":["999 Word","1000 Word"],"first_line":999,"more":false}
	{"lines":["3 Word","4 Word"],"first_line":3,"more":true}
	{"lines":[],"first_line":1001,"more":false}
	{"matches":[{"line":99,"text":"99 Word"},{"line":199,"text":"199 Word"}],"more":true}
	{"matches":[],"more":false}
	{"matches":[{"line":500,"text":"500 pass-WORD"}],"more":false}
	END
	resolve '' '"head":1000'
	jq -es 'length == 2 and all(.structured_data.lines | length == 50
		and .[49] == "50 Word") and all(.structured_data.more)' out
}

@test "a Frame of a reading names the Handle, is in the log, and stores nothing" {
	seq 100 >text
	keep text
	resolve '"head":3'
	wv-validate -t frame --check out
	jq -e --arg h "$handle" '.capability_id == "wv.handle.resolve" and
		.handle_refs == [$h] and .metadata.x_wv_call.principal == "agent-1"' out
	[ "$(events handle_resolved)" = 1 ]
	[ "$(events handle_created)" = 1 ]
	last_event handle_resolved | jq -e --arg h "$handle" '.handle_id == $h and
		.principal == "agent-1" and .capability_id == "wv.handle.resolve"'
}

@test "JSON: by pointer and rows, of an array, of an object that has one, of lines" {
	jq -nc '[range(200) | {id: ., name: "n\(.)", deep: {list: [., .]}}]' >array
	jq . array >pretty
	jq '{total: 200, list: [1], rows: .}' array >object
	jq -c '.[]' array >lines
	for file in array pretty lines; do
		keep $file
		resolve '"pointer":"/7/name"' '"pointer":"/8/deep"' \
			'"rows":{"first":199,"fields":["id","none"]}' \
			'"rows":{"first":11,"count":1}' '"rows":{"first":500}'
		gives <<-'END'
		{"value":"n7"}
		{"value":{"list":[8,8]}}
		{"rows":[{"id":198},{"id":199}],"first_row":199,"total":200,"more":false}
		{"rows":[{"id":10,"name":"n10","deep":{"list":[10,10]}}],"first_row":11,"total":200,"more":true}
		{"rows":[],"first_row":500,"total":200,"more":false}
		END
	done
	keep object
	resolve '"pointer":"/total"' '"rows":{"first":200,"fields":["id"]}' \
		'"pointer":"/rows/3/deep/list"' '"head":3'
	gives <<-'END'
	{"value":200}
	{"rows":[{"id":199}],"first_row":200,"total":200,"more":false}
	{"items":[3,3],"total":2,"more":false}
	{"lines":["{","  \"total\": 200,","  \"list\": ["],"first_line":1,"more":true}
	END
}

@test "what selects nothing, or is none, is an error of its kind" {
	seq 100 >text
	keep text
	resolve '"pointer":"/1"' '"rows":{"first":1}'
	fails execution "the stored output is no JSON"
	resolve '"head":0' '"head":-1' '"head":1.5' '"head":"1"' '"lines":{}' \
		'"lines":{"first":0}' '"lines":{"first":1,"end":2}' '"grep":{}' \
		'"grep":{"pattern":""}' '"rows":{"first":1,"fields":[]}' \
		'"pointer":"x"' '"pointer":"/~2"' '"hed":1' '"head":1,"rows":{"first":1}'
	fails schema_validation argument
	[ "$(wc -l <out)" = 14 ]
	resolve '"head":18446744073709551616' '"lines":{"first":9223372036854775807}'
	jq -es 'length == 2' out
	# what is too large for us was taken for 1
	resolve '"lines":{"first":1e400}' '"lines":{"first":18446744073709551616}' \
		'"lines":{"first":2.0,"last":2e0}'
	jq -es 'map(.structured_data.lines) == [[], [], ["2"]]' out
	echo '{"a":{"b":1}}' >json
	keep json
	resolve '"pointer":"/b"'
	fails execution "nothing at that pointer"
	resolve '"rows":{"first":1}'
	fails execution "has no rows"
	printf '\x89PNG\r\n\x1a\n\0\0\0' >png
	keep png
	resolve '"head":1' '"pointer":"/1"' ''
	fails execution "the stored output is image/png"
}

@test "rows are counted over all reads: the Handle shows so many and no more" {
	seq 100 >text
	policy 'max_rows: 7'
	keep text
	resolve '"head":3' '"lines":{"first":50}' '"head":1' '"grep":{"pattern":"5"}'
	gives <<-'END'
	{"lines":["1","2","3"],"first_line":1,"more":true}
	{"lines":["50","51","52","53"],"first_line":50,"more":true}
	{"status":"error","error_class":"access_denied","error_message":"all has been shown of this Handle that its obligations allow","retriable":false}
	{"status":"error","error_class":"access_denied","error_message":"all has been shown of this Handle that its obligations allow","retriable":false}
	END
	[ "$(events handle_resolved)" = 2 ]
	# to find nothing tells something too
	keep text
	resolve '"grep":{"pattern":"x"}' '"grep":{"pattern":"y"}' '"head":50'
	data | tail -n 1 | grep -F '"lines":["1","2","3","4","5"]'
	# rows are rows wherever they are
	jq -nc '{"a":[range(20)],"b":{"c":[1,2,3],"d":[4]}}' >json
	keep json
	resolve '"pointer":"/b"' '"pointer":"/b"'
	data | head -n 1 | grep -Fx '{"value":{"c":[1,2,3],"d":[4]}}'
	data | tail -n 1 | grep -F 'that holds 4 rows, and its obligations allow 3 more'
	resolve '"pointer":"/a"' '"pointer":"/a/1"'
	data | head -n 1 | grep -Fx '{"items":[0,1,2],"total":20,"more":true}'
	data | tail -n 1 | grep -F access_denied
}

@test "bytes are counted over all reads" {
	seq -f 'line %06g' 1000 >text
	policy 'max_bytes: 400'
	keep text
	resolve $(printf '"lines":{"first":%d,"last":%d}\n' 1 9 10 18 19 27 28 36 37 45)
	data >lines
	[ "$(grep -c access_denied lines)" -ge 1 ]
	[ "$(grep -vc access_denied lines)" -ge 2 ]
	[ "$(grep -v access_denied lines | tr -d '\n' | wc -c)" -le 400 ]
	# a line that is longer than what is left is cut there
	printf '%0600d\n' 7 >text
	keep text
	resolve '"head":1' '"head":1'
	[ "$(data | head -n 1 | wc -c)" -le 401 ]
	data | tail -n 1 | grep -F access_denied
}

@test "what is left is looked at when it is taken: racing readers never exceed it" {
	seq 100 >text
	policy 'max_rows: 7'
	keep text
	for i in 1 2 3 4; do
		printf 'wv.handle.resolve {"handle_id":"%s","head":5}\n' "$handle"
	done | decided_on >d.jsonl
	for i in 1 2 3 4; do
		sed -n ${i}p d.jsonl | wv-call -T tools.yaml >out.$i 2>/dev/null 3>&- &
	done
	wait
	[ "$(cat out.? | jq -s 'map(.structured_data.lines // [] | length) | add')" = 7 ]
	[ "$(cat out.? | grep -c access_denied)" = 2 ]
}

# A line of JSON holds any number of rows and fields: read as text, it was one
# row of them all.
@test "JSON whose rows or fields are limited is not read as text" {
	local limit
	jq -nc '[range(30) | {a: ., b: .}]' >array
	jq -n '{rows: [range(30)]}' >object
	jq -nc 'range(3) | {a: ., b: [range(9)]}' >lines
	jq -nc 'range(30000) | {a: ., b: "0123456789012345678901234567890"}' >long
	for limit in max_rows:array max_fields:object max_depth:lines max_rows:long; do
		policy "${limit%:*}: 2"
		keep "${limit#*:}"
		resolve '' '"head":1' '"grep":{"pattern":"a"}' '"lines":{"first":2}'
		[ "$(wc -l <out)" = 4 ]
		fails execution 'JSON whose rows or fields are limited'
	done
	resolve '"rows":{"first":9}'
	jq -e '.structured_data.rows | map(.a) == [8, 9]' out
	# text is text, and JSON without such limits its lines
	policy 'max_rows: 2'
	sed '1s/^/- /' lines >text
	keep text
	resolve '"head":1'
	jq -e '.structured_data.lines | length == 1' out
	policy 'max_bytes: 1000'
	keep lines
	resolve '"head":1'
	jq -e '.structured_data.lines | length == 1' out
}

@test "both obligations hold for each reading, but for how the output is shown" {
	jq -nc '[range(30) | {a: ., b: ., c: .}]' >json
	policy 'max_fields: 2' \
		'{name: few, effect: allow, match: {capability: [wv.handle.resolve]}, obligations: {max_rows: 3}}'
	keep json
	grep -F '"media_type"' kept
	resolve '"rows":{"first":1}' '"rows":{"first":4,"fields":["a"]}' '"pointer":"/9"'
	jq -es '.[0].structured_data.rows == [{a:0,b:0},{a:1,b:1},{a:2,b:2}] and
		.[1].structured_data.rows == [{a:3},{a:4},{a:5}] and
		.[2].structured_data.value == {a:9,b:9}' out
	# those of the reading are not counted
	resolve '"pointer":"/1"' '"pointer":"/2"' '"pointer":"/3"' '"pointer":"/4"' '"rows":{"first":1}'
	[ "$(data | grep -c error_class)" = 0 ]
	# of today's rules for the output too
	policy 'max_rows: 1'
	resolve '"rows":{"first":1}'
	[ "$(jq '.structured_data.rows | length' out)" = 1 ]
}

# deny_of [OPTION…]: code and reason of the decision to read $handle
deny_of() {
	decided_on "$@" <<<"wv.handle.resolve {\"handle_id\":\"$handle\"}" |
		jq -r '"\(.decision) \(.metadata.x_wv_code) \(.reason)"'
}

@test "unknown, expired and another's: one answer, at both doors" {
	rm -r "$WV_STATE"
	wv-token init --test
	local day1=2026-01-01T00:00:00Z late=2026-01-01T23:59:59Z day2=2026-01-02T00:00:01Z
	wv-token issue --principal agent-1 --scope 'org.demo.*' --scope 'wv.*' \
		--ttl 72h --now $day1 >token.json
	seq 10 >text
	decided_on --now $day1 <<<'org.demo.cat {"file":"text"}' |
		wv-call -T tools.yaml --now $day1 >kept
	handle=$(jq -r '.handle_refs[0]' kept)
	none='deny no_matching_rule there is no such Handle to read'
	[ "$(deny_of --dry-run --now $late)" = "allow allowed rule \"builtin\" allows it" ]
	# between the two it expires
	for _ in 1 2; do
		printf 'wv.handle.resolve {"handle_id":"%s"}\n' "$handle"
	done | decided_on --now $late >d.jsonl
	sed -n 1p d.jsonl | wv-call -T tools.yaml --now $late >out
	grep -F '"lines"' out
	sed -n 2p d.jsonl | wv-call -T tools.yaml --now $day2 >out || true
	fails access_denied "there is no such Handle to read"
	[ "$(deny_of --now $day2)" = "$none" ]
	[ "$(handle=handle-0 deny_of --now $day2)" = "$none" ]
	[ "$(handle='' deny_of --now $day2)" = "$none" ]
	[ "$(decided_on --now $day2 <<<'wv.handle.resolve {}' |
		jq -r '"\(.decision) \(.metadata.x_wv_code) \(.reason)"')" = "$none" ]
	decided_on --now $day2 <<<'org.demo.cat {"file":"text"}' |
		wv-call -T tools.yaml --now $day2 >kept
	handle=$(jq -r '.handle_refs[0]' kept)
	[[ "$(deny_of --now $day2)" == allow* ]]
	wv-token issue --principal agent-2 --scope 'org.demo.*' --scope 'wv.*' \
		--ttl 72h --now $day2 >token.json
	[ "$(deny_of --now $day2)" = "$none" ]
	[ "$(deny_of --now $day2 --dry-run)" = "$none" ]
}

@test "what nobody made it for is nobody's" {
	printf 'some text\n' | wv-firewall --keep >kept
	handle=$(jq -r '.handle_refs[0]' kept)
	[ "$(deny_of)" = 'deny no_matching_rule there is no such Handle to read' ]
}

@test "token and policy allow what is read, as it was called" {
	seq 10 >text
	keep text
	wv-token issue --principal agent-1 --scope 'wv.*' --ttl 1h >narrow.json
	mv token.json wide.json
	cp narrow.json token.json
	[ "$(deny_of)" = "deny scope_mismatch the token's scope does not cover org.demo.cat, whose output the Handle holds" ]
	cp wide.json token.json
	policy '' '{name: never, effect: deny, match: {capability: [org.demo.cat]}}'
	[ "$(deny_of)" = 'deny policy_deny the Handle holds output of org.demo.cat: rule "never" denies it' ]
	policy '' '{name: not-that, effect: deny, match: {capability: [org.demo.cat], arguments: {properties: {file: {const: text}}}}}'
	[ "$(deny_of)" = 'deny policy_deny the Handle holds output of org.demo.cat: rule "not-that" denies it' ]
	policy '' '{name: not-that, effect: deny, match: {capability: [org.demo.cat], arguments: {properties: {file: {const: other}}}}}'
	[[ "$(deny_of)" == allow* ]]
	sed -i '/name: cat,/d' policy.yaml
	[ "$(deny_of)" = 'deny no_matching_rule the Handle holds output of org.demo.cat: no rule of the policy allows it' ]
	# what had to be met to call it need not be met again
	policy '' '{name: asks, effect: allow, match: {capability: [org.demo.cat]}, require: {justification: 99, bound: true}, limit: {count: 1, per: 1h}}'
	[[ "$(deny_of)" == allow* ]]
	[[ "$(deny_of)" == allow* ]]
	# the catalogue too
	echo '{"id":"wv.handle.resolve","name":"n","description":"d","version":"1"}' >cat.jsonl
	[[ "$(deny_of -c cat.jsonl)" == 'deny unknown_capability the Handle holds output of org.demo.cat,'* ]]
	[[ "$(deny_of -c tools.yaml)" == allow* ]]
	decided_on --explain <<<"wv.handle.resolve {\"handle_id\":\"$handle\"}" \
		2>err >d.jsonl
	told ': handle: output of org.demo.cat, as allowed as it was' \
		'rule "cat" (allow): matches'
	handle=handle-0
	deny_of --explain 2>err
	told ': handle: no: no_matching_rule: there is no such Handle to read'
}

@test "arguments that were too long to keep: no rule can tell by them" {
	seq 10 >text
	tools <<-'END'
	- {capability: org.demo.cat, source: exec, command: [cat, text]}
	- {capability: wv.handle.resolve, source: builtin}
	END
	printf 'org.demo.cat {"long":"%070000d"}\n' 0 | decided_on |
		wv-call -T tools.yaml >kept
	handle=$(jq -r '.handle_refs[0]' kept)
	[[ "$(deny_of)" == allow* ]]
	policy '' '{name: some, effect: deny, match: {capability: [org.demo.cat], arguments: {properties: {long: {const: x}}}}}'
	[ "$(deny_of)" = 'deny indeterminate the Handle holds output of org.demo.cat: rule "some" may deny it: that cannot be told' ]
	policy '' '{name: some, effect: deny, match: {capability: [org.demo.cat], paths: {/long: ["/x"]}}}'
	[[ "$(deny_of)" == 'deny indeterminate '* ]]
}

@test "an artifact that was changed is not shown" {
	seq 100000 >text
	keep text
	file=$(echo "$WV_STATE"/artifacts/*)
	printf 'X' | dd of="$file" bs=1 seek=500000 conv=notrunc 2>/dev/null
	resolve '"head":1' '"grep":{"pattern":"7"}'
	fails execution "the stored output was changed"
	truncate -s 5 "$file"
	resolve '"head":1' '"pointer":"/1"'
	fails execution "the stored output was changed"
	rm "$file"
	resolve '"head":1'
	fails execution ""
	: >"$file"
	chmod 600 "$file"
	[ "$(events handle_resolved)" = 0 ]
}

# secrets, put together here so that no scanner takes this file for a leak
ten_secrets() {
	local r=0123456789abcdefghijABCDEFGHIJ456789
	cat <<-END
	ghp_$r
	AKIA2345ABCDEFGH6789
	sk-proj-abcdefghij0123456789
	xoxb-123456789012-abcdefgh
	sk_live_${r:0:20}
	eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N
	bob@mail.example.net
	hunter2-rocks-$r
	correct-horse-battery
	MIIEpAIBAAKCAQEA$r
	END
}

no_secret_in() {
	ten_secrets | grep -oE '^.{12}' >beginnings
	! grep -rqFf beginnings "$@" || {
		grep -rnFf beginnings "$@" | cut -c1-300
		return 1
	}
}

@test "no secret appears, whatever is selected" {
	mapfile -t s < <(ten_secrets)
	# in text, a key over the end of a block of a megabyte, with CRLF and
	# colours between
	{
		printf 'first\n%s\n\e[31m%s\e[0m\r\nx %s y\n%s\n' "${s[@]:0:4}"
		printf 'https://u:%s@h.example/\n%s\nmail %s\n' "${s[7]}" "${s[5]}" "${s[6]}"
		printf 'password = "%s"\n{"token": "%s", "api_key": ["%s"]}\n' \
			"${s[8]}" "${s[7]}" "${s[4]}"
		yes 'filler line of text' | head -c $((1048576 - 700))
		printf '\nkey: "-----BEGIN RSA PRIVATE KEY-----\n'
		for _ in $(seq 20); do printf '%s0123456789abcdef\n' "${s[9]}"; done
		printf -- '-----END RSA PRIVATE KEY-----" after\nlast\n'
	} >text
	keep text org.demo.free
	[ "$(stat -c %s text)" -gt 1048576 ]
	resolve '' '"head":50' '"lines":{"first":9}' '"lines":{"first":52400}' \
		'"grep":{"pattern":"MIIE"}' '"grep":{"pattern":"after"}' \
		"\"grep\":{\"pattern\":\"${s[0]}\"}" '"grep":{"pattern":"REDACTED"}' \
		'"grep":{"pattern":"last"}' '"grep":{"pattern":"i","ignore_case":true}'
	[ "$(data | grep -c error_class)" = 0 ]
	no_secret_in out kept err
	data | sed -n 6p | grep -F '[REDACTED:private-key]\" after'
	data | sed -n 5p | grep -F '"matches":[]'
	data | sed -n 9p | grep -F '"text":"last"'
	# in JSON, where a name tells, on several lines
	jq -n --arg a "${s[0]}" --arg b "${s[8]}" --arg c "${s[7]}" --arg d "${s[6]}" \
		'[range(60) | {password: {old: $b}, secret: [$c], note: $a, mail: $d,
		text: ({token: $b} | tojson)}]' >json
	jq -c '.[]' json >lines
	for file in json lines; do
		keep $file org.demo.free
		resolve '' '"head":50' '"lines":{"first":20}' '"pointer":"/3"' \
			'"pointer":"/3/note"' '"pointer":"/3/password"' \
			'"pointer":"/3/password/old"' '"rows":{"first":5,"fields":["secret","mail"]}' \
			'"grep":{"pattern":"old"}' '"pointer":""'
		no_secret_in out kept err
		data | sed -n 6p | grep -Fx '{"value":"[REDACTED:password]"}'
		data | sed -n 7p | grep -F 'nothing at that pointer'
	done
	# text that is larger than memory is meant to hold
	for _ in $(seq 30); do cat lines text; done >both
	keep both org.demo.free
	resolve '"head":50' '"lines":{"first":54000}' '"grep":{"pattern":"password"}' \
		'"grep":{"pattern":"MIIE"}' '"grep":{"pattern":"note"}'
	[ "$(data | grep -c error_class)" = 0 ]
	no_secret_in out kept err
	no_secret_in "$WV_STATE/audit.jsonl"
}

# in_little_memory COMMAND…: with 64 MB of addresses, which is more than memory
in_little_memory() {
	(ulimit -v 65536 && wv-call --version >/dev/null 2>&1) ||
		skip "this build takes more addresses than memory"
	(ulimit -v 65536 && "$@")
}

# 64 MB in make check, a gigabyte with WV_LONG
@test "a gigabyte: under 64 MB of memory the Handle holds it and is paged through" {
	size=$((64 << 20))
	[ -z "${WV_LONG-}" ] || size=$((1 << 30))
	last=$((size / 32))
	tools <<-END
	- {capability: org.demo.free, source: exec, command: [sh, -c, "yes 'a line of thirty-one characters' | head -c $((size - 32)); echo 'the last line of all, at the end'"], timeout: 5m}
	- {capability: wv.handle.resolve, source: builtin, timeout: 5m}
	END
	decided_on <<<'org.demo.free {}' >d.jsonl
	in_little_memory wv-call -T tools.yaml --max-output 2G d.jsonl >kept
	[ "$(stat -c %s "$WV_STATE"/artifacts/*)" = $((size + 1)) ]
	jq -e --arg note "of $((size + 1)) bytes were looked at" '
		(.structured_data.lines | length) == 50 and
		(.structured_data | tojson | length) <= 16384 and
		(.redaction_notes | contains($note))' kept
	handle=$(jq -r '.handle_refs[0]' kept)
	for members in '"head":1' "\"lines\":{\"first\":$((last - 1))}" \
		'"grep":{"pattern":"of all"}'; do
		printf 'wv.handle.resolve {"handle_id":"%s",%s}\n' "$handle" "$members"
	done | decided_on >d.jsonl
	in_little_memory wv-call -T tools.yaml d.jsonl >out
	gives <<-END
	{"lines":["a line of thirty-one characters"],"first_line":1,"more":true}
	{"lines":["a line of thirty-one characters","the last line of all, at the end"],"first_line":$((last - 1)),"more":false}
	{"matches":[{"line":$last,"text":"the last line of all, at the end"}],"more":false}
	END
}

@test "limits of what is read: a line, and what is read whole" {
	{
		echo one
		head -c 1500000 /dev/zero | tr '\0' x
		printf '\nthree\n'
	} >text
	keep text
	resolve '"head":3' '"grep":{"pattern":"xx"}'
	gives <<-'END'
	{"lines":["one","[WITHHELD:long-line]","three"],"first_line":1,"more":false}
	{"matches":[],"more":false}
	END
	# names that a NUL ends are lines
	seq -f 'the name of a file, %.0f' 100000 | tr '\n' '\0' >text
	keep text
	resolve '"lines":{"first":99999}'
	gives <<<'{"lines":["the name of a file, 99999","the name of a file, 100000"],"first_line":99999,"more":false}'
	yes 'some text' | head -c $((65 << 20)) >text
	keep text
	resolve '"rows":{"first":1}'
	fails execution "the stored output is no JSON"
	resolve '"pointer":"/1"'
	fails execution "longer than 67108864 bytes: it has no pointers"
	{
		printf '['
		yes '"x",' | head -c $((65 << 20))
		printf '"x"]\n'
	} >text
	keep text
	resolve '"head":1' '"rows":{"first":1}' '"pointer":""'
	fails execution "JSON of more than 67108864 bytes"
	# but JSON lines have rows at any size
	yes '{"id":1,"password":{"is":"so-secret-that"}}' | head -n 300000 >text
	printf '\n[%01500000d]\n\n{"id":2}\n' 0 >>text
	keep text
	resolve '"rows":{"first":300000}' '"rows":{"first":1,"count":1,"fields":["id"]}' \
		'"rows":{"first":300003}'
	gives <<-'END'
	{"rows":[{"id":1,"password":"[REDACTED:password]"},"[WITHHELD:long-line]",{"id":2}],"first_row":300000,"more":false}
	{"rows":[{"id":1}],"first_row":1,"more":true}
	{"rows":[],"first_row":300003,"more":false}
	END
	resolve '"pointer":"/1"'
	fails execution "the stored output is no JSON that can be held"
}

@test "a Handle is not read on behalf of another tool" {
	seq 10 >text
	keep text
	tools <<-'END'
	- {capability: wv.handle.resolve, source: builtin}
	- {capability: org.demo.free, source: wrapped, wraps: wv.handle.resolve}
	END
	decided_on <<<"org.demo.free {\"handle_id\":\"$handle\"}" |
		wv-call -T tools.yaml >out || true
	fails access_denied "not read on behalf of another tool"
}

@test "wv.capability.list: the tools of the plan" {
	decided_on <<<'wv.capability.list {}' | wv-call -T tools.yaml >out
	jq -e '[.structured_data.items[].id] == ["org.demo.cat", "org.demo.free",
		"wv.handle.resolve", "wv.capability.list"]' out
	jq -e '.structured_data.items[2].metadata.x_wv_input_schema.required ==
		["handle_id"]' out
	refute grep -F '{file}' out
	decided_on <<<'wv.capability.list {"x":1}' | wv-call -T tools.yaml >out || true
	fails schema_validation "unknown member"
}
