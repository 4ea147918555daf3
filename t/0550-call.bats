#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-call: decisions checked and consumed, tools that behave and tools that do
# not, and exactly one record and one event for each.

load lib
load call

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	use_policy
}

teardown() {
	nothing_left
}

@test "a Frame: related to its decision, in the log with its trace record" {
	decided org.demo.x '{"word":"hello"}' >d.jsonl
	calls 0 d.jsonl -- echo '{word}'
	printf '%s\n' "$output" >frame.jsonl
	wv-validate -t frame --check frame.jsonl
	jq -e --slurpfile d d.jsonl '.metadata.x_wv_call == {
		"routing_decision_id": "rd-1",
		"decision_id": $d[0].decision_id,
		"item_id": "i", "principal": "agent-1"}
		and .capability_id == "org.demo.x"
		and .metadata.telemetry.trace_id == $d[0].metadata.telemetry.trace_id' \
		frame.jsonl
	[[ $output == *hello* ]]
	[ "$(events capability_executed)" = 1 ]
	last_event capability_executed >event.jsonl
	jq -e --slurpfile f frame.jsonl --slurpfile d d.jsonl '
		.outcome == "success" and .frame_id == $f[0].frame_id
		and .decision_id == $d[0].decision_id
		and .principal == "agent-1"
		and (.metadata.x_wv_trace | .success == true and .result_size_bytes == 6
			and (.plan | startswith("plan-")) and .duration_ms >= 0
			and .started_at <= .ended_at)
		and .metadata.x_wv_arguments.names == ["word"]' event.jsonl
	refute grep -q hello "$WV_STATE/audit.jsonl"
	[ "$(ls "$WV_STATE/run")" = '' ]
}

@test "a denial passes through byte for byte" {
	printf ' {"decision_id" : "d\\u0031",  "decision":"deny","capability_id":"c","principal":"p","timestamp":"2026-01-01T00:00:00Z","x":1.10 }\r\n' >d.jsonl
	run -1 bash -c 'wv-call d.jsonl -- true >out'
	cmp d.jsonl out
	[ "$(events capability_denied)" = 0 ]
	# and in its place among the others
	{ decided; cat d.jsonl; decided; } >three.jsonl
	run -1 bash -c 'wv-call three.jsonl -- true >out'
	[ "$(wc -l <out)" = 3 ]
	sed -n 2p out | cmp - d.jsonl
}

@test "decision_consumed: once is once, also within one run" {
	decided >d.jsonl
	calls 0 d.jsonl -- touch ran
	rm ran
	calls 1 d.jsonl -- touch ran
	denied_as decision_consumed
	[ ! -e ran ]
	[[ $output == *'"principal":"agent-1"'* ]]
	[[ $output == *'"routing_decision_id":"rd-1"'* ]]
	decided >d.jsonl
	cat d.jsonl d.jsonl >two.jsonl
	calls 1 two.jsonl -- true
	[ "${#lines[@]}" = 2 ]
	[[ ${lines[0]} == *frame_id* ]]
	[[ ${lines[1]} == *decision_consumed* ]]
	[ "$(events capability_executed)" = 2 ]
	[ "$(events capability_denied)" = 2 ]
	last_event capability_denied |
		grep -qF "\"x_wv_presented\":\"$(jq -r .decision_id d.jsonl)\""
}

@test "decision_unknown: forged, or of another state" {
	decided >d.jsonl
	sed 's/"dec-[^"]*"/"dec-forged"/' d.jsonl >forged.jsonl
	calls 1 forged.jsonl -- touch ran
	denied_as decision_unknown
	[[ $output == *'"principal":"wv.unauthenticated"'* ]]
	[[ $output != *'"token_id"'* ]]
	WV_STATE=$BATS_TEST_TMPDIR/other calls 1 d.jsonl -- touch ran
	denied_as decision_unknown
	[ ! -e ran ]
	# nothing of it was consumed
	calls 0 d.jsonl -- true
}

@test "decision_altered: one byte of any member is enough" {
	decided org.demo.x '{"n":9223372036854775993}' >d.jsonl
	altered() {
		sed "$1" d.jsonl >altered.jsonl
		refute cmp -s d.jsonl altered.jsonl
		calls 1 altered.jsonl -- touch ran
		denied_as decision_altered
		[[ $output == *'"principal":"wv.unauthenticated"'* ]]
	}
	altered 's/org.demo.x/org.demo.y/'
	altered 's/5993}/5992}/'
	altered 's/agent-1/agent-2/'
	altered 's/"rd-1"/"rd-2"/'
	altered 's/"x_wv_valid_until":"2/"x_wv_valid_until":"3/'
	altered 's/"reason":"/"reason":" /'
	altered 's/}$/,"more":1}/'
	[ ! -e ran ]
	[ "$(events capability_executed)" = 0 ]
	# another layout is the same decision
	sed 's/,/ ,\n/g' d.jsonl >d.json
	calls 0 d.json -- true
}

# each value of a decision, however deep, in turn: removed, changed, added to,
# doubled, reordered; a line each
alterations() {
	jq -c 'def other:
			if type == "string" then . + "x"
			elif type == "number" then . + 1
			elif type == "boolean" then not
			elif type == "null" then 1
			elif type == "array" then . + [0]
			else . + {"x_more": 1} end;
		. as $whole
		| [paths] as $paths
		| ($paths[] | . as $at | $whole | delpaths([$at])),
		  ($paths[] | . as $at | $whole
			| setpath($at; getpath($at) | other)),
		  ($paths[] | . as $at | $whole | setpath($at; null)),
		  (([[]] + $paths)[] | . as $at | $whole
			| getpath($at) as $value
			| if $value | type == "object" then
				setpath($at; $value | to_entries | reverse
					| from_entries),
				setpath($at; $value + {"x_more": 1})
			  elif $value | type == "array" then
				setpath($at; $value | reverse),
				setpath($at; $value + $value)
			  else empty end)' "$1" |
		grep -vxF -f "$1"
}

@test "a decision altered in any member, at any depth, in any way: nothing runs" {
	tools <<<'- {capability: org.demo.x, source: exec, command: [touch, ran], version: "2"}'
	printf 'version: 1\nrules: [{name: all, effect: allow, match: {capability: ["**"]}, obligations: {max_rows: 5, mode: table}}]\n' >policy.yaml
	decided org.demo.x '{"a":[1,2,{"b":true}],"c":"d","e":null,"f":{}}' \
		',"x_wv_timeout_ms":1000' -c tools.yaml >d.jsonl
	# so that jq changes what it is told to and no more
	jq -c . d.jsonl | cmp - d.jsonl
	alterations d.jsonl >altered.jsonl
	n=$(wc -l <altered.jsonl)
	[ "$n" -gt 100 ]
	status=0
	wv-call -T tools.yaml altered.jsonl >answers.jsonl 2>err || status=$?
	[ ! -e ran ]
	# some are no PolicyDecision any more; the others are denied
	[ $status = 2 ]
	[ $(($(wc -l <answers.jsonl) + $(grep -c '^wv-call: altered.jsonl:' err))) = "$n" ]
	[ "$(wc -l <answers.jsonl)" -gt 90 ]
	refute grep -v '"decision":"deny".*"x_wv_code":"decision_\(altered\|unknown\)"' answers.jsonl
	[ "$(grep -c decision_altered answers.jsonl)" -gt 90 ]
	# a member twice, at the top and below
	for edit in 's/"decision":"allow"/&,&/' 's/"principal":/"principal":"x",&/' \
		's/"x_wv_code":/"x_wv_code":"allowed",&/' 's/"c":"d"/&,&/'; do
		sed "$edit" d.jsonl >twice.jsonl
		refute cmp -s d.jsonl twice.jsonl
		calls 2 -T tools.yaml twice.jsonl
		[ -z "$output" ]
	done
	# an allow that calls itself a denial is none that runs
	sed 's/"decision":"allow"/"decision":"deny"/' d.jsonl >denied.jsonl
	calls 1 -T tools.yaml denied.jsonl
	[ "$(events capability_executed)" = 0 ]
	[ ! -e ran ]
	# and all of that has used up nothing
	calls 0 -T tools.yaml d.jsonl
	[ -e ran ]
	wv-trace verify
}

@test "arguments of 19 digits: exact, and not to be swapped" {
	decided org.demo.x '{"from":9223372036854775992,"to":9223372036854775993}' >d.jsonl
	sed 's/5992,/5990,/; s/5993}/5992}/; s/5990,/5993,/' d.jsonl >swapped.jsonl
	grep -q '"from":9223372036854775993,"to":9223372036854775992' swapped.jsonl
	calls 1 swapped.jsonl -- touch ran
	denied_as decision_altered
	[ ! -e ran ]
	calls 0 d.jsonl -- printf '%s-%s\n' '{from}' '{to}'
	[[ $output == *9223372036854775992-9223372036854775993* ]]
}

@test "revoked between verdict and call: the token, the principal, the key, what it was made from" {
	wv-token keygen --kid k1 --keyring keyring.json
	wv-token keygen --kid k2 --keyring keyring.json
	export WV_KEYRING=$PWD/keyring.json
	issue=(wv-token issue --principal agent-1 --scope 'org.demo.*' --ttl 1h)
	narrow=(wv-token narrow --scope org.demo.x)
	revoked() {
		decided >d.jsonl
		grep -q '"decision":"allow"' d.jsonl
		wv-token revoke "$@"
		calls 1 d.jsonl -- touch ran
		denied_as token_revoked
	}
	"${issue[@]}" >token.json
	revoked "$(jq -r .token_id token.json)"
	# of a signed one
	"${issue[@]}" --sign k1 >token.json
	revoked "$(jq -r .token_id token.json)"
	# what it was made from, two steps away
	"${issue[@]}" >root.json
	"${narrow[@]}" root.json >middle.json
	"${narrow[@]}" middle.json >token.json
	revoked "$(jq -r .token_id root.json)"
	"${issue[@]}" >root.json
	"${narrow[@]}" root.json >middle.json
	"${narrow[@]}" middle.json >token.json
	revoked "$(jq -r .token_id middle.json)"
	# a key that signed it, and one that signed what it was made from
	"${issue[@]}" --sign k1 >token.json
	revoked --kid k1
	"${issue[@]}" --sign k2 >root.json
	"${narrow[@]}" root.json >token.json
	revoked --kid k2
	# its principal last: the cut-off covers all that is older
	"${issue[@]}" >token.json
	sleep 0.01
	revoked --principal agent-1
	[ ! -e ran ]
	[ "$(events capability_executed)" = 0 ]
	[ "$(events capability_denied)" = 7 ]
	# a newer token of the same principal is good
	sleep 0.01
	"${issue[@]}" >token.json
	decided >d.jsonl
	calls 0 d.jsonl -- true
}

@test "stop, whatever it is: nothing runs" {
	for how in ': >' 'mkdir' 'mkfifo' 'ln -s nowhere' 'ln -s stop' \
		'ln -s /'; do
		decided >d.jsonl
		eval "$how \"\$WV_STATE/stop\""
		calls 1 d.jsonl -- touch ran
		denied_as stopped
		rm -rf "$WV_STATE/stop"
	done
	[ ! -e ran ]
	[ "$(events capability_denied)" = 6 ]
	calls 0 d.jsonl -- true
	wv-trace verify
}

@test "a clock that goes backwards brings no decision back" {
	export WV_STATE=$PWD/test WV_IDS=seq:1
	wv-token init --test
	at() { echo --now "2026-06-01T00:$1Z"; }
	wv-token issue $(at 00:00) --principal agent-1 --scope 'org.demo.*' \
		--ttl 1h >token.json
	decided org.demo.x '{}' '' $(at 01:00) --decision-ttl 60s >one.jsonl
	WV_IDS=seq:50 decided org.demo.x '{}' '' $(at 01:00) --decision-ttl 60s >two.jsonl
	WV_IDS=seq:100 calls 0 $(at 01:59.999) one.jsonl -- true
	WV_IDS=seq:200 calls 1 $(at 02:00) two.jsonl -- touch ran
	denied_as decision_expired
	# the kernel's time is what it has seen
	WV_IDS=seq:300 calls 1 $(at 01:01) two.jsonl -- touch ran
	denied_as decision_expired
	[ ! -e ran ]
	last_event capability_denied | grep -qF '"timestamp":"2026-06-01T00:02:00.000Z"'
}

@test "decision_expired, token_revoked, stopped" {
	decided org.demo.x '{}' '' --decision-ttl 1ms >d.jsonl
	calls 1 d.jsonl -- touch ran
	denied_as decision_expired
	decided >d.jsonl
	touch "$WV_STATE/stop"
	calls 1 d.jsonl -- touch ran
	denied_as stopped
	rm "$WV_STATE/stop"
	wv-token revoke "$(jq -r .token_id token.json)"
	calls 1 d.jsonl -- touch ran
	denied_as token_revoked
	[[ $output == *'"principal":"agent-1"'* ]]
	[ ! -e ran ]
	[ "$(events capability_executed)" = 0 ]
	[ "$(events capability_denied)" = 3 ]
}

@test "token_untrusted: a decision that rests on an unsigned token" {
	printf '{"token_id":"tok-x","principal":"agent-1","scope":["org.demo.*"],"issued_at":"2026-01-01T00:00:00Z","expires_at":"2099-01-01T00:00:00Z"}' >token.json
	decided org.demo.x '{}' '' --trust-unsigned >d.jsonl
	calls 1 d.jsonl -- touch ran
	denied_as token_untrusted
	[ ! -e ran ]
	calls 0 --trust-unsigned d.jsonl -- touch ran
	[ -e ran ]
}

@test "x_wv_trust: a signed token is trusted as an issued one is" {
	wv-token keygen --kid k1 --keyring keyring.json
	wv-token issue --principal agent-1 --scope 'org.demo.*' --ttl 1h \
		--sign k1 >token.json
	# of another state, which never saw it
	export WV_STATE=$PWD/other
	decided org.demo.x '{}' '' --keyring keyring.json >d.jsonl
	grep -q '"x_wv_trust":"signed"' d.jsonl
	calls 0 d.jsonl -- true
	wv-token issue --principal agent-1 --scope 'org.demo.*' --ttl 1h >token.json
	decided >d.jsonl
	grep -q '"x_wv_trust":"issued"' d.jsonl
	calls 0 d.jsonl -- true
}

@test "tool_drifted: another descriptor than the decision was made for" {
	tools <<<'- {capability: org.demo.x, source: exec, command: [echo, one]}'
	decided org.demo.x '{}' '' -c tools.yaml >d.jsonl
	cp tools.yaml good.yaml
	sed -i s/one/two/ tools.yaml
	calls 1 -T tools.yaml d.jsonl
	denied_as tool_drifted
	[[ $output == *'"principal":"agent-1"'* ]]
	calls 1 d.jsonl -- echo one
	denied_as tool_drifted
	tools <<<'- {capability: org.demo.y, source: exec, command: [echo, one]}'
	calls 1 -T tools.yaml d.jsonl
	denied_as tool_drifted
	# it was not consumed by that
	calls 0 -T good.yaml d.jsonl
	# a forged digest is an altered decision, not a drifted tool
	decided org.demo.x '{}' '' -c good.yaml |
		sed 's/"x_wv_tool_sha256":"./&0/' >d.jsonl
	calls 1 -T good.yaml d.jsonl
	denied_as decision_altered
}

@test "--lock: what is not as it was pinned does not run (cases B21)" {
	tools <<-'END'
		- {capability: org.demo.x, source: exec, command: [echo, one]}
		- {capability: org.demo.y, source: exec, command: [echo, two]}
	END
	run -0 --separate-stderr wv-call -v -T tools.yaml --lock lock.json --lock-write
	[ -z "$output" ]
	[[ $stderr == *'2 added, 0 approved, 0 changed'* ]]
	[ "$(jq -c '.tools[] | [.schema_id, .schema_version, .hash_algorithm, (.content_hash | length)]' lock.json)" = \
		$'["org.demo.x","1","sha256",64]\n["org.demo.y","1","sha256",64]' ]
	jq -c '.tools[]' lock.json | wv-validate -t schema_fingerprint --check
	decided org.demo.x >d.jsonl
	decided org.demo.y >d2.jsonl
	calls 0 -T tools.yaml --lock lock.json d.jsonl
	# changed, in whatever member
	cp lock.json lock.orig
	sed 's/one/uno/; s/two]/two], read_only: true/' tools.yaml >changed.yaml
	decided org.demo.x >d.jsonl
	calls 1 -T changed.yaml --lock lock.json d.jsonl
	denied_as tool_drifted
	calls 1 -T changed.yaml --lock lock.json d2.jsonl
	denied_as tool_drifted
	[[ $output == *'"reason":"org.demo.y is not as the lock file pins it"'* ]]
	# writing adds; it takes back nothing
	echo '  - {capability: org.demo.z, source: exec, command: [echo, three]}' >>changed.yaml
	run -1 --separate-stderr wv-call -T changed.yaml --lock lock.json --lock-write
	[[ $stderr == *'org.demo.x has changed'*'--lock-approve org.demo.x'*'org.demo.y has changed'* ]]
	[ "$(jq -c .tools[:2] lock.json)" = "$(jq -c .tools lock.orig)" ]
	[ "$(jq -r '.tools[2].schema_id' lock.json)" = org.demo.z ]
	# absent from it; no file; not one; twice
	calls 1 -T tools.yaml --lock <(jq 'del(.tools[0])' lock.json) d.jsonl
	denied_as tool_drifted
	[[ $output == *'"reason":"org.demo.x is not in the lock file"'* ]]
	for text in '' '{}' '{"version":1,"tools":[]}' '{"version":2,"tools":[]}' \
		'{"version":1,"tools":[{"schema_id":"org.demo.x"}]}' \
		"$(jq -c '.tools += .tools' lock.json)" \
		"$(sed 's/"sha256"/"md5"/' lock.json)"; do
		printf '%s' "$text" >bad.json
		calls 1 -T tools.yaml --lock bad.json d.jsonl
		denied_as tool_drifted
	done
	[[ $stderr == *bad.json* && $output == *'the lock file cannot be used'* ]]
	calls 1 -T tools.yaml --lock absent.json d.jsonl
	denied_as tool_drifted
	[[ $stderr == *absent.json* ]]
	# one that cannot be used is not made anew
	run -2 wv-call -T tools.yaml --lock bad.json --lock-write
	[[ $(<bad.json) == *md5* ]]
	fails_with 2 'no COMMAND' wv-call --lock lock.json d.jsonl -- true
	fails_with 2 'needs --lock' wv-call -T tools.yaml --lock-write
	fails_with 2 'reads no records' wv-call -T tools.yaml --lock lock.json --lock-write d.jsonl
	# nothing of all this was consumed
	calls 0 -T tools.yaml --lock lock.json d.jsonl
	calls 0 -T tools.yaml --lock lock.json d2.jsonl
	[ "$(events capability_executed)" = 3 ]
}

@test "arguments reach the command as words, never through a shell" {
	decided org.demo.x '{"a":"$(touch ran); `touch ran`\n|","n":9223372036854775993,"l":["x","y z"],"o":{"k":[1.0]}}' >d.jsonl
	calls 0 d.jsonl -- printf '<%s>\n' '{a}' '{n}' '{l}' '{o}' '{missing}' end
	[ ! -e ran ]
	jq -r '.structured_data.lines[]' <<<"$output" >got
	cat >want <<-'END'
		<$(touch ran); `touch ran`
		|>
		<9223372036854775993>
		<x>
		<y z>
		<{"k":[1.0]}>
		<end>
	END
	diff -u want got
}

@test "an argument that could be an option does not run" {
	decided org.demo.x '{"f":"--output=ran"}' >d.jsonl
	calls 1 d.jsonl -- sort '{f}'
	fails_as schema_validation 'begins with "-"'
	decided org.demo.x '{"f":"a\u0000b"}' >d.jsonl
	calls 1 d.jsonl -- touch -- '{f}'
	fails_as schema_validation 'U+0000'
	tools <<<'- {capability: org.demo.x, source: exec, command: [echo, "{f}"], allow_dash: [f]}'
	decided org.demo.x '{"f":-5}' >d.jsonl
	calls 0 -T tools.yaml d.jsonl
	[[ $output == *-5* ]]
}

@test "hostile arguments: an error at worst, no option, no second command" {
	tools <<-'END'
		- {capability: org.demo.x, source: exec, command: [printf, --, "<%s>", "{a}", "{b}"]}
	END
	long=$(head -c 1000000 /dev/zero | tr '\0' x)
	cat >lines <<-END
		org.demo.x {"a":"-n","b":["--","-e"]}
		org.demo.x {"a":"x\\n; touch ran \\r\\n\`touch ran\`","b":null}
		org.demo.x {"a":"$long"}
		org.demo.x {"a":["ok",["touch ran"],{"-o":"ran"}]}
		org.demo.x {"b":["a\\u0000b"]}
		org.demo.x {}
		org.demo.x {"a":"","b":[]}
		org.demo.x {"a":true,"b":-0.0e-5}
		org.demo.x {"{b}":"{b}","a":"{b}"}
	END
	decisions <lines >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	[ ! -e ran ]
	jq -r '.structured_data | .error_class // (.lines | join("|")) // .value // "?"' \
		<<<"$output" >got
	cat >want <<-'END'
		<-n><--><-e>
		<x|; touch ran |`touch ran`>
		execution
		<ok><["touch ran"]><{"-o":"ran"}>
		schema_validation
		<>
		<>
		<true><-0.0e-5>
		<{b}>
	END
	diff -u want got
}

@test "the input schema keeps a tool from running" {
	tools <<-'END'
		- capability: org.demo.x
		  source: exec
		  command: [touch, ran]
		  input_schema: {type: object, required: [p], properties: {p: {type: string, maxLength: 3}}, additionalProperties: false}
	END
	for arguments in '{}' '{"p":"abcd"}' '{"p":1}' '{"p":"a","q":1}'; do
		decided org.demo.x "$arguments" >d.jsonl
		calls 1 -T tools.yaml d.jsonl
		fails_as schema_validation arguments
		[ ! -e ran ]
	done
	last_event capability_executed | grep -qF '"x_wv_code":"schema_validation"'
	[ "$(events capability_executed)" = 4 ]
	decided org.demo.x '{"p":"abc"}' >d.jsonl
	calls 0 -T tools.yaml d.jsonl
	[ -e ran ]
	# a schema that cannot be used is no schema that everything passes
	tools <<<'- {capability: org.demo.x, source: exec, command: [touch, ran2], input_schema: {type: Strange}}'
	decided >d.jsonl
	calls 2 -T tools.yaml d.jsonl
	[[ $stderr == *tools.yaml:3*input_schema* ]]
	[ ! -e ran2 ]
}

@test "--read-only and --require-checkpoint: what is not declared is refused" {
	tools <<-'END'
		- {capability: org.demo.silent, source: exec, command: [touch, ran]}
		- {capability: org.demo.writes, source: exec, command: [touch, ran], writes: true, checkpointable: false}
		- {capability: org.demo.reads, source: exec, command: ["true"], read_only: true, checkpointable: true}
	END
	for name in silent writes; do
		decided org.demo.$name >d.jsonl
		calls 1 --read-only -T tools.yaml d.jsonl
		fails_as access_denied read_only
		decided org.demo.$name >d.jsonl
		calls 1 --require-checkpoint -T tools.yaml d.jsonl
		fails_as checkpoint_required checkpointable
	done
	[ ! -e ran ]
	decided >d.jsonl
	calls 1 --read-only d.jsonl -- touch ran
	fails_as access_denied read_only
	[ ! -e ran ]
	decided org.demo.reads >d.jsonl
	calls 0 --read-only --require-checkpoint -T tools.yaml d.jsonl
	# consumed, executed exactly once each, and nothing was run
	[ "$(events capability_executed)" = 6 ]
	# flags come before the schema
	tools <<<'- {capability: org.demo.x, source: exec, command: ["true"], input_schema: {required: [p]}}'
	decided >d.jsonl
	calls 1 --read-only -T tools.yaml d.jsonl
	fails_as access_denied read_only
}

@test "no tool serves it; it is of another source; it is not there" {
	tools <<-'END'
		- {capability: org.demo.x, source: exec, command: [no-such-command]}
		- {capability: org.demo.m, source: mcp, server: {command: [x]}, tool: echo}
		- {capability: org.demo.d, source: exec, command: ["true"], dir: /no/such/dir}
	END
	decided org.demo.other >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	fails_as not_activated org.demo.other
	decided org.demo.m >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	fails_as activation "'x'"
	decided org.demo.x >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	fails_as execution no-such-command
	decided org.demo.d >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	fails_as execution /no/such/dir
	[ "$(events capability_executed)" = 4 ]
}

@test "a tool that fails: status, last words, ok_status" {
	decided >d.jsonl
	calls 1 d.jsonl -- sh -c 'echo partial; echo one >&2; echo "no such thing" >&2; exit 3'
	fails_as execution 'exit status 3: no such thing'
	[[ $output != *partial* ]]
	jq -e '.structured_data.retriable == false' <<<"$output"
	last_event capability_executed >event.jsonl
	jq -e '.outcome == "failure" and .metadata.x_wv_code == "execution"
		and .metadata.x_wv_trace.success == false
		and .metadata.x_wv_trace.error == "execution"
		and (.error_message | startswith("exit status 3"))' event.jsonl
	tools <<<'- {capability: org.demo.x, source: exec, command: [sh, -c, "exit 1"], ok_status: [0, 1]}'
	decided >d.jsonl
	calls 0 -T tools.yaml d.jsonl
	tools <<<'- {capability: org.demo.x, source: exec, command: ["true"], ok_status: [1]}'
	decided >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	fails_as execution 'exit status 0'
}

@test "stderr is output too: cleaned, redacted, shown only with -v" {
	script='printf "token ghp_abcdefghijklmnopqrstuvwxyz0123456789 \033[31mred\n" >&2; exit 1'
	decided >d.jsonl
	calls 1 d.jsonl -- sh -c "$script"
	[ -z "$stderr" ]
	[[ $output != *ghp_* ]]
	[[ $output == *'[REDACTED:github-token]'* ]]
	refute grep -q ghp_ "$WV_STATE/audit.jsonl"
	decided >d.jsonl
	calls 1 -v d.jsonl -- sh -c "$script"
	[[ $stderr == *'stderr: token [REDACTED:github-token] red'* ]]
	[[ $stderr != *ghp_* ]]
	[[ $stderr != *$'\e'* ]]
	# also of one that succeeds
	decided >d.jsonl
	calls 0 -v d.jsonl -- sh -c 'echo quietly >&2'
	[[ $stderr == *'stderr: quietly'* ]]
	[[ $output != *quietly* ]]
}

@test "a secret that the limit on stderr cuts is not shown" {
	decided >d.jsonl
	calls 1 -v d.jsonl -- sh -c 'yes 0123456789abcde | head -n 4095 >&2
		printf "last ghp_abcdefghijklmnopqrstuvwxyz0123456789" >&2
		exit 1'
	[[ $stderr == *'0123456789abcde'* ]]
	[[ $stderr != *ghp_* ]]
	[[ $output != *ghp_* ]]
	[[ $stderr == *'the rest is dropped'* ]]
}

@test "a tool that dies by a signal (cases G15)" {
	decided >d.jsonl
	calls 1 d.jsonl -- sh -c 'kill -SEGV $$'
	fails_as execution 'signal 11'
	[[ $output == *139* ]]
}

@test "a tool that hangs: the least of its and the decision's time" {
	tools <<<'- {capability: org.demo.x, source: exec, command: [sleep, "300"], timeout: 200ms}'
	decided >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	fails_as timeout '200 ms'
	jq -e '.structured_data.retriable == true' <<<"$output"
	decided org.demo.x '{}' ',"x_wv_timeout_ms":100' >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	fails_as timeout '100 ms'
	decided org.demo.x '{}' ',"x_wv_timeout_ms":100000' >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	fails_as timeout '200 ms'
	decided org.demo.x '{}' ',"x_wv_timeout_ms":100' >d.jsonl
	calls 1 d.jsonl -- sleep 300
	fails_as timeout '100 ms'
	[ "$(events capability_executed)" = 4 ]
}

@test "a grandchild that holds the pipe, one that ignores TERM (cases G11)" {
	decided org.demo.x '{}' ',"x_wv_timeout_ms":300' >d.jsonl
	SECONDS=0
	calls 1 d.jsonl -- sh -c 'sleep 300 & echo $! >pid; echo hi; wait'
	fails_as timeout '300 ms'
	refute kill -0 "$(cat pid)" 2>/dev/null
	decided org.demo.x '{}' ',"x_wv_timeout_ms":300' >d.jsonl
	calls 1 d.jsonl -- sh -c 'trap "" TERM; echo $$ >pid; while :; do sleep 1; done'
	fails_as timeout '300 ms'
	refute kill -0 "$(cat pid)" 2>/dev/null
	[ "$SECONDS" -lt 20 ]
}

@test "a tool that floods" {
	decided >d.jsonl
	calls 1 --max-output 1M d.jsonl -- yes
	fails_as execution 'more than 1048576 bytes'
	tools <<<'- {capability: org.demo.x, source: exec, command: ["yes"], limits: {output: 1000}}'
	decided >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	fails_as execution 'more than 1000 bytes'
	decided >d.jsonl
	calls 0 d.jsonl -- sh -c 'yes | head -c 200000 >&2; echo fine'
	[[ $output == *fine* ]]
}

@test "a tool's world: no stdin, a small environment, a session of its own" {
	export SECRET=hunter2 WANTED=yes LANG=C
	tools <<-'END'
		- {capability: org.demo.env, source: exec, command: [env]}
		- {capability: org.demo.more, source: exec, command: [env], env: [WANTED, MISSING, HOME, LANG]}
		- {capability: org.demo.cat, source: exec, command: [cat]}
		- {capability: org.demo.dir, source: exec, command: [pwd], dir: /}
		- {capability: org.demo.fds, source: exec, command: [ls, /proc/self/fd]}
		- {capability: org.demo.big, source: exec, command: [sh, -c, "head -c 100000 /dev/zero >big"], limits: {file: 1000}}
	END
	said() {
		decided "org.demo.$1" >d.jsonl
		calls "${2:-0}" -T tools.yaml d.jsonl
		jq -r '.structured_data.lines[]?' <<<"$output" >said
	}
	said env
	refute grep -qE 'SECRET|WANTED|WV_STATE' said
	grep -q "^WV_CANCEL_FILE=$WV_STATE/run/plan-" said
	grep -q '^PATH=/' said
	said more
	grep -q '^WANTED=yes' said
	grep -q '^PATH=/' said
	refute grep -qE 'SECRET|MISSING' said
	# each once: what is named is ours
	[ "$(grep '^LANG=' said)" = LANG=C ]
	[ "$(grep -c '^HOME=' said)" = 1 ]
	said cat
	[ ! -s said ]
	said dir
	[ "$(cat said)" = / ]
	said fds
	[ "$(wc -l <said)" = 4 ]
	said big 1
	[ "$(stat -c %s big)" -le 1000 ]
}

@test "output that the Frame does not hold whole is kept under a Handle" {
	decided >d.jsonl
	calls 0 d.jsonl -- seq 500
	handle=$(jq -r '.handle_refs[0]' <<<"$output")
	[[ $handle == handle-* ]]
	[ "$(ls "$WV_STATE/artifacts" | wc -l)" = 1 ]
	seq 500 | cmp - "$WV_STATE/artifacts"/*
	[ "$(stat -c %a "$WV_STATE/artifacts"/*)" = 600 ]
	[ "$(events firewall_applied)" = 1 ]
	[ "$(events handle_created)" = 1 ]
	last_event handle_created | grep -qF "\"handle_id\":\"$handle\""
	last_event handle_created | grep -qF "\"frame_id\":\"$(jq -r .frame_id <<<"$output")\""
	# what fits is not kept
	decided >d.jsonl
	calls 0 d.jsonl -- seq 5
	[ "$(jq -c '.handle_refs // []' <<<"$output")" = '[]' ]
	[ "$(ls "$WV_STATE/artifacts" | wc -l)" = 1 ]
	[ "$(events firewall_applied)" = 1 ]
}

@test "what is redacted is logged, without a Handle" {
	decided >d.jsonl
	calls 0 d.jsonl -- echo 'key ghp_abcdefghijklmnopqrstuvwxyz0123456789'
	[[ $output == *'[REDACTED:github-token]'* ]]
	[[ $output != *ghp_* ]]
	[ "$(events firewall_applied)" = 1 ]
	[ "$(events handle_created)" = 0 ]
	refute grep -rq ghp_ "$WV_STATE"
}

@test "obligations of the decision bound the Frame" {
	obliged() {
		printf 'version: 1\nrules: [{effect: allow, match: {capability: ["**"]}, obligations: %s}]\n' "$1" >policy.yaml
		decided >d.jsonl
		calls 0 d.jsonl -- seq 20
	}
	obliged '{max_rows: 4}'
	[ "$(jq '.structured_data | [.lines, .last_lines] | add | length' <<<"$output")" -le 4 ]
	[ "$(jq '.handle_refs | length' <<<"$output")" = 1 ]
	obliged '{mode: handle_only}'
	[ "$(jq '.handle_refs | length' <<<"$output")" = 1 ]
	refute jq -e '.structured_data.lines' <<<"$output"
	obliged '{max_rows: 1000000}'
	[ "$(jq '.handle_refs // [] | length' <<<"$output")" = 0 ]
}

@test "output of every kind becomes a Frame" {
	framed() {
		decided >d.jsonl
		calls 0 d.jsonl -- "$@"
		printf '%s\n' "$output" >frame.jsonl
		wv-validate -t frame --check frame.jsonl
	}
	framed true
	framed printf ''
	framed printf '\n'
	framed printf '{"a":1e400,"b":[1.10,9223372036854775993]}'
	grep -q '1e400' frame.jsonl
	grep -q '9223372036854775993' frame.jsonl
	framed printf '\377\000\001\200binary'
	framed head -c 100000 /dev/zero
	framed sh -c "printf '%s' '[' ; printf '%s' '['"
}

@test "a bad record has a message and status 2, the others their answers" {
	{
		decided
		echo '{"decision":"maybe"}'
		echo 'oops'
		decided
	} >d.jsonl
	calls 2 -v d.jsonl -- true
	[ "${#lines[@]}" = 2 ]
	[[ $stderr == *'2 succeeded, 0 failed, 0 denied, 2 malformed'* ]]
	[[ $stderr == *'d.jsonl:2'*'PolicyDecision'* ]]
	[[ $stderr == *'d.jsonl:3:1: '* ]]
	{ echo oops; decided; } >d.jsonl
	calls 2 --fail-fast d.jsonl -- touch ran
	[ ! -e ran ]
	fails_with 2 'no records' wv-call -- true </dev/null
	calls 0 --allow-empty -- true </dev/null
	[ -z "$output" ]
}

@test "a tools file that cannot be used is 2, and nothing is consumed" {
	decided >d.jsonl
	bad() {
		run -2 --separate-stderr wv-call -T bad.yaml d.jsonl
		[ -z "$output" ]
		[[ $stderr == *"bad.yaml$1"* ]]
	}
	bad ''
	echo 'version: 1' >bad.yaml
	bad :1
	printf 'version: 1\ntools:\n  - {capability: a, source: exec, comand: [x]}\n' >bad.yaml
	bad :3
	printf 'version: 1\ntools:\n  - {capability: a, source: exec, command: [x]}\n  - {capability: a, source: exec, command: [y]}\n' >bad.yaml
	bad :4
	# to the system a limit of 0 would be none
	printf 'version: 1\ntools:\n  - {capability: a, source: exec, command: [x], limits: {file: 0}}\n' >bad.yaml
	bad :3
	mkdir folder
	fails_with 2 folder wv-call -T folder d.jsonl
	fails_with 2 'no tools' wv-call d.jsonl
	calls 0 d.jsonl -- true
}

@test "state: foreign, half, missing is 2 and nothing runs" {
	decided >d.jsonl
	chmod 750 "$WV_STATE"
	calls 2 d.jsonl -- touch ran
	[ -z "$output" ]
	chmod 700 "$WV_STATE"
	mv "$WV_STATE/kernel.db" kernel.db
	calls 2 d.jsonl -- touch ran
	mv kernel.db "$WV_STATE/kernel.db"
	: >file
	calls 2 --state file d.jsonl -- touch ran
	[ ! -e ran ]
	calls 0 d.jsonl -- touch ran
}

@test "a log that cannot grow: nothing runs" {
	decided >d.jsonl
	cp "$WV_STATE/audit.jsonl" before
	run -2 --separate-stderr bash -c \
		'sed s/dec-/dec-x/ d.jsonl >forged; ulimit -f 1; wv-call forged -- true'
	[ -z "$output" ]
	cmp before "$WV_STATE/audit.jsonl"
	calls 0 d.jsonl -- true
}

# where even root is held to the bits of its files
bound() {
	local free=()
	[ "$(id -u)" != 0 ] || free=(setpriv --bounding-set=-all --inh-caps=-all)
	"${free[@]}" "$@"
}

@test "a state that cannot be written to: nothing runs" {
	decided >d.jsonl
	cp "$WV_STATE/audit.jsonl" before
	for what in . audit.jsonl kernel.db lock run; do
		chmod -R u-w "$WV_STATE/$what"
		status=0
		bound wv-call d.jsonl -- touch ran >out 2>err || status=$?
		chmod -R u+w "$WV_STATE"
		[ $status = 2 ] || { echo "$what: status $status"; return 1; }
		[ ! -s out ]
		grep -q '^wv-call: ' err
		[ ! -e ran ]
		cmp before "$WV_STATE/audit.jsonl"
	done
	calls 0 d.jsonl -- touch ran
	[ -e ran ]
	wv-trace verify
}

@test "a disk that is full at any step: at most one run, in a log that is whole" {
	command -v "${CC:-cc}" >/dev/null || skip 'no C compiler'
	"${CC:-cc}" -D_GNU_SOURCE -shared -fPIC -O1 -o shim.so \
		"$BATS_TEST_DIRNAME/fault/shim.c" -ldl
	decided >d.jsonl
	cp -a "$WV_STATE" base
	stride=3
	[ -z "$WV_LONG" ] || stride=1
	for how in ENOSPC EIO; do
		ended=0
		for k in $(seq 1 $stride 40); do
			rm -rf "$WV_STATE" ran
			cp -a base "$WV_STATE"
			status=0
			env LD_PRELOAD="$PWD/shim.so" WV_FAULT_DIR="$WV_STATE" \
				ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" \
				WV_FAULT_FAIL=$k WV_FAULT_HOW=$how \
				timeout 20 wv-call d.jsonl -- touch ran \
				>out 2>err || status=$?
			case $status in
			0) [ -e ran ] && [ -s out ] && ended=1 ;;
			*) [ $status = 2 ] && [ ! -s out ] && grep -q '^wv-call: ' err ;;
			esac
			# who comes next: it runs now, or it did then
			had_run=$([ -e ran ] && echo yes || echo no)
			rm -f ran
			wv-call d.jsonl -- touch ran >again 2>err || [ $? = 1 ]
			[ $had_run = no ] || [ ! -e ran ]
			[ "$(events capability_executed)" = 1 ]
			wv-trace verify >/dev/null
		done
		[ $ended = 1 ]
	done
}

@test "the outcome cannot be recorded: nothing is said, and it is not lost" {
	decided >d.jsonl
	# the tool itself makes the log one that others could read
	calls 2 d.jsonl -- chmod 644 "$WV_STATE/audit.jsonl"
	[ -z "$output" ]
	[[ $stderr == *audit.jsonl* ]]
	chmod 600 "$WV_STATE/audit.jsonl"
	# whoever comes next settles it, once
	calls 1 d.jsonl -- touch again
	denied_as decision_consumed
	[ ! -e again ]
	[ "$(events capability_executed)" = 1 ]
	last_event capability_executed | grep -qF '"outcome":"partial"'
	last_event capability_executed | grep -qF '"x_wv_code":"interrupted"'
	wv-trace verify
}

@test "a full disk, for the answer (cases A15)" {
	decided >d.jsonl
	run -2 --separate-stderr bash -c 'wv-call d.jsonl -- true >/dev/full'
	[[ $stderr == *'write error: No space left on device'* ]]
	# it ran, and the log says so
	[ "$(events capability_executed)" = 1 ]
	decided >d.jsonl
	run -0 bash -c 'wv-call d.jsonl -- true 2>/dev/full'
}

@test "TERM, INT, HUP: what runs is ended, recorded, framed; then it dies of it" {
	for signal in TERM INT HUP; do
		rm -f pid
		started "$(decided)" -- sh -c 'echo $$ >pid; sleep 300'
		appears pid
		kill -$signal "$background"
		ends $((128 + $(kill -l $signal)))
		refute kill -0 "$(cat pid)" 2>/dev/null
		output=$(cat out)
		fails_as cancelled signal
		last_event capability_executed | grep -qF '"x_wv_code":"cancelled"'
		last_event capability_executed | grep -qF '"outcome":"failure"'
	done
	[ "$(events capability_executed)" = 3 ]
	[ "$(ls "$WV_STATE/run")" = '' ]
}

@test "a signal while nothing runs ends it at once" {
	d=$(decided)
	started "$d" -- true
	for _ in $(seq 200); do
		[ -s out ] && break
		sleep 0.05
	done
	[ -s out ]
	kill -TERM "$background"
	ends 143
	[ "$(ls "$WV_STATE/run")" = '' ]
}

@test "a signal before anything came is no empty input" {
	mkfifo in
	env --default-signal=INT wv-call -v -- true <in >out 2>err 3>&- &
	background=$!
	exec 8>in
	for _ in $(seq 200); do
		grep -q plan err && break
		sleep 0.05
	done
	sleep 0.1
	kill -INT "$background"
	ends 130
	refute grep -q 'no records' err
	[ ! -s out ]
}

@test "an answer is not held back while the next tool runs" {
	{ decided; decided; } >d.jsonl
	started "$(cat d.jsonl)" -- sh -c '[ -e first ] && exec sleep 300; : >first'
	for _ in $(seq 200); do
		[ -s out ] && break
		sleep 0.05
	done
	[ "$(wc -l <out)" = 1 ]
	kill -TERM "$background"
	ends 143
	[ "$(wc -l <out)" = 2 ]
}

@test "a stop file cancels what runs and refuses what comes" {
	started "$(decided; decided)" -- sh -c ': >running; sleep 300'
	appears running
	touch "$WV_STATE/stop"
	exec 8>&-
	ends 1
	[ "$(wc -l <out)" = 2 ]
	output=$(sed -n 1p out)
	fails_as cancelled stopped
	output=$(sed -n 2p out)
	denied_as stopped
}

@test "a reader that goes away: it dies of SIGPIPE, with all recorded" {
	{ decided; decided; decided; } >d.jsonl
	run -0 bash -c '{ wv-call d.jsonl -- true; echo $? >status; } | head -n 1 >/dev/null
		sleep 0.2' 3>&-
	# head may take everything before it leaves
	[[ $(cat status) =~ ^(141|0)$ ]]
	decided >d.jsonl
	run -0 bash -c '{ sleep 0.5; wv-call d.jsonl -- true 2>err; echo $? >status; } | true; sleep 1' 3>&-
	[ "$(cat status)" = 141 ]
	[ ! -s err ]
	last_event capability_executed |
		grep -qF "\"decision_id\":\"$(jq -r .decision_id d.jsonl)\""
	[ "$(ls "$WV_STATE/run")" = '' ]
}

@test "killed: the next one settles it, once, as interrupted" {
	d=$(decided)
	started "$d" -- sh -c ': >running; exec sleep 5'
	appears running
	kill -KILL "$background"
	wait "$background" || true
	exec 8>&-
	[ "$(events capability_executed)" = 0 ]
	calls 1 -- true <<<"$d"
	denied_as decision_consumed
	[ "$(events capability_executed)" = 1 ]
	last_event capability_executed | grep -qF '"x_wv_code":"interrupted"'
	decided >/dev/null
	[ "$(events capability_executed)" = 1 ]
}

@test "a hundred short tools leave no zombie and no descriptor (cases G13)" {
	for _ in $(seq 100); do decided; done >d.jsonl
	timeout 100 wv-call d.jsonl -- sh -c 'ls /proc/self/fd | wc -l' >out
	[ "$(wc -l <out)" = 100 ]
	[ "$(jq -r '.structured_data.lines[0]' out | sort -u | wc -l)" = 1 ]
	[ "$(events capability_executed)" = 100 ]
}

@test "--unordered, -- after -T, files before --" {
	tools <<<'- {capability: org.demo.x, source: exec, command: [echo, "{w}"]}'
	{ decided org.demo.x '{"w":"a"}'; decided org.demo.x '{"w":"b"}'; } >d.jsonl
	calls 0 --unordered -T tools.yaml -- d.jsonl
	[[ ${lines[0]} == *'"a"'* ]]
	[[ ${lines[1]} == *'"b"'* ]]
	decided >d.jsonl
	WV_TOOLS=tools.yaml calls 0 d.jsonl -- echo from-the-command
	[[ $output == *from-the-command* ]]
	decided org.demo.x '{"w":"a"}' >d.jsonl
	WV_TOOLS=tools.yaml calls 0 d.jsonl
	[[ $output == *'"a"'* ]]
}

@test "options: unknown ones name the nearest, help is data" {
	fails_with 2 "'--read-only'" wv-call --read-onyl
	run -0 --separate-stderr wv-call --help
	[[ $output == *--require-checkpoint* ]]
	[ -z "$stderr" ]
	run -0 wv-call --version
	decided >d.jsonl
	fails_with 2 '--now' wv-call --now 2026-01-01T00:00:00Z d.jsonl -- true
	fails_with 2 'standard input' wv-call -T - d.jsonl
}
