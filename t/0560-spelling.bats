#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# What hostile trials found between wv-authorize, wv-call and the log; each
# test names its cause.

load lib

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	cat >policy.yaml <<-'YAML'
		version: 1
		default: deny
		rules:
		  - {name: all, effect: allow, match: {capability: ["t.**"]}}
	YAML
	cat >tools.yaml <<-'YAML'
		version: 1
		tools:
		  - {capability: t.say, source: exec, command: [printf, "[%s]", --, "{x}"]}
		  - {capability: t.sleep, source: exec, command: [sh, -c, 'echo $$ >pid; exec sleep 60'], dir: DIR}
	YAML
	sed -i "s|DIR|$PWD|" tools.yaml
	wv-token issue --principal agent --scope 't.*' --ttl 1h --out token.json
}

# a dead process that nobody waits for is dead too
alive() {
	grep -q '^State:[[:space:]]*[^Z]' "/proc/$1/status" 2>/dev/null
}

decide() {
	wv-route --pin "$1" --arguments "$2" |
		wv-authorize -p policy.yaml -k token.json
}

# the digest was of values: a tool could be given other text than was judged
@test "a decision whose numbers are respelled, or members moved, is altered" {
	decide t.say '{"x":0}' >zero
	decide t.say '{"x":{"a":1,"b":2}}' >object
	[ -s zero ] && [ -s object ]
	for edit in 's/"x":0/"x":-0/' 's/"x":0/"x":0.0/' 's/"x":0/"x":0e9/'; do
		sed "$edit" zero >altered
		run ! cmp -s zero altered
		run -1 wv-call -T tools.yaml altered
		[[ "$output" == *'"x_wv_code":"decision_altered"'* ]]
	done
	sed 's/{"a":1,"b":2}/{"b":2,"a":1}/' object >altered
	run -1 wv-call -T tools.yaml altered
	[[ "$output" == *'"x_wv_code":"decision_altered"'* ]]
	# white space is nobody's
	sed 's/"x":0/"x" : 0/' zero >spaced
	run -0 wv-call -T tools.yaml spaced
	[[ "$output" == *'[0]'* ]]
}

# a record of 31 MB made a line of the log that no query would read
@test "what comes from outside does not decide how long a log line is" {
	long=$(printf '%05000d' 0)
	wv-route --pin t.say --arguments "{\"x\":1,\"n$long\":2}" |
		sed "s/\"id\":\"rd-[^\"]*\"/\"id\":\"rd-$long\"/" >request
	wv-authorize -p policy.yaml -k token.json request >decision
	sed "s/\"decision_id\":\"/&$long/" decision >forged
	run -1 wv-call -T tools.yaml forged
	[ "$(wv-trace | wc -l)" = 3 ]
	[ "$(wc -L <"$WV_STATE/audit.jsonl")" -lt 8000 ]
	wv-trace verify
}

# the tool outlived its time-out, the stop file and the record of its end
@test "kill -9 of wv-call ends its tool" {
	decide t.sleep '{}' >decision
	wv-call -T tools.yaml decision >/dev/null 3>&- &
	call=$!
	for _ in $(seq 200); do
		[ ! -s pid ] || break
		sleep 0.05
	done
	kill -9 "$call"
	for _ in $(seq 200); do
		alive "$(cat pid)" || break
		sleep 0.05
	done
	run ! alive "$(cat pid)"
	wv-token issue --principal agent --scope t.x --ttl 1h >/dev/null
	run -0 wv-trace --event executed --code interrupted --count
	[ "$output" = 1 ]
}

# wv-answer showed x_ members of a Frame's data, at any depth
@test "no x_ member of a Frame reaches the answer" {
	printf '%s\n' '{"frame_id":"f","capability_id":"t.x","summary":"s","created_at":"2026-01-01T00:00:00Z","structured_data":{"a":1,"x_in":"LEAK","b":[{"x_in":"LEAK","c":2}]},"x_out":"LEAK"}' >frame
	run -0 wv-answer frame
	[[ "$output" != *LEAK* ]]
	[[ "$output" == *'{"a":1,"b":[{"c":2}]}'* ]]
}
