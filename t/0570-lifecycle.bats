#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The lifecycle of tools in a plan: activation, the order of the checks,
# deactivation on every way out, cancellation, and calls side by side.

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

# stage WORD: a command of a tool that says that it was there
stage() {
	printf '[sh, -c, "echo %s >>log"]' "$1"
}

# logged WORD…: all that the tools said, in this order
logged() {
	[ "$(tr '\n' ' ' <log)" = "$* " ] || {
		echo "want: $*"
		cat log
		return 1
	}
}

# traces FILTER: of the executions, in order
traces() {
	grep '"event_type":"capability_executed"' "$WV_STATE/audit.jsonl" |
		jq -c ".metadata.x_wv_trace | $1"
}

lines() {
	[ "$(wc -l <"$1")" = "$2" ]
}

@test "activated at first use, once a plan; deactivated at its end, in reverse" {
	tools <<-END
		- {capability: org.demo.a, source: exec, command: $(stage run-a), activate: $(stage on-a), deactivate: $(stage off-a)}
		- {capability: org.demo.b, source: exec, command: $(stage run-b), activate: $(stage on-b), deactivate: $(stage off-b)}
		- {capability: org.demo.c, source: exec, command: $(stage run-c), activate: $(stage on-c), deactivate: $(stage off-c)}
	END
	printf 'org.demo.%s\n' a b a | decisions >d.jsonl
	calls 0 --plan nightly -T tools.yaml d.jsonl
	logged on-a run-a on-b run-b run-a off-b off-a
	[ "$(traces .plan_label | sort -u)" = '"nightly"' ]
	[ "$(traces .plan | sort -u | wc -l)" = 1 ]
	[ "$(traces 'has("activated_ms")' | tr '\n' ' ')" = 'true true false ' ]
	[ "$(traces '.queued_ms == 0' | sort -u)" = true ]
	# another plan activates again; one without calls does nothing
	rm log
	decided org.demo.a >d.jsonl
	calls 0 -T tools.yaml d.jsonl
	logged on-a run-a off-a
	calls 0 --allow-empty -T tools.yaml /dev/null
	logged on-a run-a off-a
}

@test "a call that flags refuse has activated its tool; flags beat the schema" {
	tools <<-END
		- {capability: org.demo.x, source: exec, command: $(stage run), activate: $(stage on), deactivate: $(stage off), input_schema: {required: [p]}}
	END
	decided >d.jsonl
	calls 1 --read-only -T tools.yaml d.jsonl
	fails_as access_denied read_only
	logged on off
	rm log
	decided >d.jsonl
	calls 1 --require-checkpoint -T tools.yaml d.jsonl
	fails_as checkpoint_required checkpointable
	logged on off
	# an invalid call runs nothing, and has activated too
	rm log
	decided >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	fails_as schema_validation 'needs p'
	logged on off
	[ "$(traces .error | tr '\n' ' ')" = '"access_denied" "checkpoint_required" "schema_validation" ' ]
}

@test "an activation that fails is tried again by the next call, owes nothing" {
	tools <<-END
		- {capability: org.demo.x, source: exec, command: $(stage run), activate: [sh, -c, "echo on >>log; [ \$(grep -c on log) = 3 ] || { echo no luck >&2; exit 7; }"], deactivate: $(stage off)}
		- {capability: org.demo.never, source: exec, command: $(stage run), activate: [no-such-command], deactivate: $(stage off)}
		- {capability: org.demo.slow, source: exec, command: $(stage run), activate: [sleep, "300"], timeout: 200ms}
	END
	many 4 >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	logged on on on run run off
	output=${lines[0]}
	fails_as activation 'activate: exit status 7: no luck'
	[ "$(traces .error | tr '\n' ' ')" = '"activation" "activation" null null ' ]
	rm log
	printf 'org.demo.%s\n' never slow | decisions >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	[ ! -e log ]
	output=${lines[1]}
	fails_as activation 'not done within 200 ms'
	output=${lines[0]}
	fails_as activation no-such-command
}

@test "-j 8: one activation while the others wait, also if it fails" {
	tools <<-END
		- {capability: org.demo.x, source: exec, command: $(stage run), activate: [sh, -c, "echo on >>log; sleep 0.3"], deactivate: $(stage off)}
		- {capability: org.demo.bad, source: exec, command: $(stage run), activate: [sh, -c, "echo begin >>log; sleep 0.05; echo end >>log; exit 1"]}
	END
	many 16 >d.jsonl
	calls 0 -j 8 -T tools.yaml d.jsonl
	[ "${#lines[@]}" = 16 ]
	[ "$(head -n 1 log)" = on ]
	[ "$(tail -n 1 log)" = off ]
	[ "$(grep -c run log)" = 16 ]
	lines log 18
	[ "$(traces 'select(.activated_ms >= 300) | .queued_ms')" = 0 ]
	[ "$(traces 'select(.queued_ms > 0)' | wc -l)" = 7 ]
	rm log
	many 4 org.demo.bad >d.jsonl
	calls 1 -j 8 -T tools.yaml d.jsonl
	logged begin end begin end begin end begin end
}

@test "a deactivation that fails is told, bounded, and changes nothing else" {
	tools <<-END
		- {capability: org.demo.a, source: exec, command: $(stage run), deactivate: $(stage off-a)}
		- {capability: org.demo.b, source: exec, command: $(stage run), deactivate: [sh, -c, "echo off-b >>log; exit 1"]}
		- {capability: org.demo.c, source: exec, command: $(stage run), deactivate: [sh, -c, "echo off-c >>log; sleep 300 & setsid sleep 300"], timeout: 300ms}
		- {capability: org.demo.d, source: exec, command: $(stage run), deactivate: [no-such-command]}
	END
	printf 'org.demo.%s\n' a b c d | decisions >d.jsonl
	SECONDS=0
	calls 0 -T tools.yaml d.jsonl
	[ "$SECONDS" -lt 8 ]
	logged run run run run off-c off-b off-a
	[[ $stderr == *'org.demo.d: deactivate: '*no-such-command*'org.demo.c: deactivate: not done within 300 ms'*'org.demo.b: deactivate: exit status 1'* ]]
	[ "$(traces .success | sort -u)" = true ]
}

@test "--require-checkpoint: once, before the first call that may write" {
	tools <<-END
		- {capability: org.demo.x, source: exec, command: $(stage run), activate: $(stage on), checkpoint: [sh, -c, "echo keep >>log; sleep 0.1"], checkpointable: true, input_schema: {properties: {p: {type: string}}}}
		- {capability: org.demo.reads, source: exec, command: $(stage read), checkpointable: true, read_only: true}
		- {capability: org.demo.none, source: exec, command: $(stage none), checkpointable: true}
		- {capability: org.demo.valid, source: exec, command: [echo, '{"passed":true}'], validation: true, read_only: true}
	END
	printf 'org.demo.%s\n' reads x x none valid | decisions >d.jsonl
	calls 0 --require-checkpoint -T tools.yaml d.jsonl
	logged read on keep run run none
	# side by side too, and not at all without the option
	rm log
	many 4 >d.jsonl
	calls 0 -j 4 --require-checkpoint -T tools.yaml d.jsonl
	logged on keep run run run run
	rm log
	decided >d.jsonl
	calls 0 -T tools.yaml d.jsonl
	logged on run
	# not for a call that does not get so far
	rm log
	printf 'org.demo.x {"p":1}\n' | decisions >d.jsonl
	calls 1 --require-checkpoint -T tools.yaml d.jsonl
	fails_as schema_validation arguments/p
	logged on
}

@test "a checkpoint that fails refuses the call; the next one tries again" {
	tools <<-END
		- {capability: org.demo.x, source: exec, command: $(stage run), checkpoint: [sh, -c, "echo keep >>log; [ -e good ] || { : >good; echo no room >&2; exit 1; }"], checkpointable: true, deactivate: $(stage off)}
	END
	many 3 >d.jsonl
	calls 1 --require-checkpoint -T tools.yaml d.jsonl
	output=${lines[0]}
	fails_as checkpoint_required 'checkpoint: exit status 1: no room'
	logged keep keep run run off
}

@test "output that does not fit its schema: a success with a warning" {
	tools <<-'END'
		- {capability: org.demo.x, source: exec, command: [echo, "{o}"], output_schema: {type: object, required: [id]}}
	END
	cat >lines <<-'END'
		org.demo.x {"o":{"id":1}}
		org.demo.x {"o":{"ad":"ghp_abcdefghijklmnopqrstuvwxyz0123456789"}}
		org.demo.x {"o":"text"}
		org.demo.x {"o":""}
	END
	decisions <lines >d.jsonl
	calls 0 -T tools.yaml d.jsonl
	[ "$(jq -c '.metadata.x_wv_warnings | length' <<<"$output" | tr '\n' ' ')" = '0 1 1 1 ' ]
	[[ ${lines[1]} == *'output: needs id'* ]]
	[[ ${lines[2]} == *'not JSON'* ]]
	[[ $output != *ghp_* ]]
	printf '%s\n' "${lines[1]}" | wv-validate -t frame --check
	[ "$(traces '[.success, (.warnings | length)]' | tr '\n' ' ')" = \
		'[true,0] [true,1] [true,1] [true,1] ' ]
	decisions <lines >d.jsonl
	calls 1 --strict-output -T tools.yaml d.jsonl
	[ "$(jq -c '.structured_data.error_class // "none"' <<<"$output" | tr '\n' ' ')" = \
		'"none" "schema_validation" "schema_validation" "schema_validation" ' ]
	refute grep -q ghp_ "$WV_STATE/audit.jsonl"
}

@test "a wrapped tool: all of the chain is checked, what it wraps runs" {
	tools <<-END
		- {capability: org.demo.in, source: exec, command: [echo, "{p}"], activate: $(stage on), deactivate: $(stage off), input_schema: {type: object, properties: {p: {maxLength: 5}}}, read_only: true, timeout: 10s}
		- {capability: org.demo.x, source: wrapped, wraps: org.demo.in, arguments: {p: {from: /q}}, input_schema: {required: [q]}, output_schema: {const: other}, read_only: true}
		- {capability: org.demo.y, source: wrapped, wraps: org.demo.x}
	END
	cat >lines <<-'END'
		org.demo.x {"q":"word"}
		org.demo.x {"p":"word"}
		org.demo.x {"q":"longer"}
		org.demo.in {"p":"plain"}
	END
	decisions <lines >d.jsonl
	calls 1 --read-only -T tools.yaml d.jsonl
	[[ ${lines[0]} == *'"capability_id":"org.demo.x"'*'word'*x_wv_warnings* ]]
	[[ ${lines[1]} == *schema_validation*'needs q'* ]]
	[[ ${lines[2]} == *schema_validation* ]]
	[[ ${lines[3]} == *'"capability_id":"org.demo.in"'*plain* ]]
	logged on off
	decided org.demo.y '{"q":"word"}' >d.jsonl
	calls 1 --read-only -T tools.yaml d.jsonl
	fails_as access_denied read_only
}

@test "a validation: passed or not is its result; one that errors has not" {
	tools <<-'END'
		- {capability: org.demo.x, source: exec, command: [sh, -c, "printf '%s' \"$0\"", "{o}"], validation: true, read_only: true}
	END
	cat >lines <<-'END'
		org.demo.x {"o":"{\"passed\":true,\"message\":\"fine\",\"more\":1}"}
		org.demo.x {"o":"{\"passed\":false}"}
		org.demo.x {"o":"{\"passed\":1}"}
	END
	decisions <lines >d.jsonl
	calls 1 -v -T tools.yaml d.jsonl
	[ "$(jq -c '.structured_data | [.passed, .message, .more, .error_class]' <<<"$output" | tr '\n' ' ')" = \
		'[true,"fine",null,null] [false,null,null,null] [false,null,null,"execution"] ' ]
	[ "$(traces .success | tr '\n' ' ')" = 'true true false ' ]
	[[ $stderr == *'1 succeeded, 2 failed, 0 denied'* ]]
	head -n 1 lines | decisions >d.jsonl
	calls 0 -T tools.yaml d.jsonl
}

# two tools that run until they are ended
endless() {
	tools <<-END
		- {capability: org.demo.a, source: exec, command: [sh, -c, ": >a; exec sleep 300"], deactivate: $(stage off-a)}
		- {capability: org.demo.b, source: exec, command: [sh, -c, ": >b; exec sleep 300"], deactivate: $(stage off-b)}
		- {capability: org.demo.c, source: exec, command: ["true"], activate: $(stage on-c), deactivate: $(stage off-c)}
	END
	rm -f a b log
	printf 'org.demo.%s\n' a b c | decisions >d.jsonl
	started "$(<d.jsonl)" "$@" -j 2 -T tools.yaml
	appears a
	appears b
}

# what endless leaves: two cancelled, the third never begun
both_ended() {
	sort -u log | tr '\n' ' ' | grep -qx 'off-a off-b '
	lines log 2
	[ "$(jq -r .structured_data.error_class out | tr '\n' ' ')" = 'cancelled cancelled ' ]
	grep -qF "$1" out
	[ "$(traces .error | tr '\n' ' ')" = '"cancelled" "cancelled" ' ]
	[ "$(ls "$WV_STATE/run")" = '' ]
}

@test "TERM in the middle: all ends, all is deactivated, the rest stays unread" {
	endless
	kill -TERM "$background"
	ends 143
	both_ended 'by a signal'
	: >log
	# the third is as it was
	sed -n 3p d.jsonl >third.jsonl
	calls 0 -T tools.yaml third.jsonl
	logged on-c off-c
}

@test "--cancel PLAN and --cancel LABEL, from anywhere" {
	endless -v
	eventually grep -q 'plan plan-' err
	id=$(sed -n 's/.*: plan \(plan-[A-Z0-9]*\)$/\1/p' err)
	run -1 --separate-stderr wv-call --cancel nobody
	[[ $stderr == *nobody* ]]
	run -1 wv-call --cancel plan-
	run -0 wv-call --cancel "$id"
	ends 1
	both_ended 'plan was cancelled'
	# it is gone
	run -1 wv-call --cancel "$id"
	# a label stands for all that have it
	endless --plan release/7
	mkfifo in2
	wv-call --plan release/7 -- true <in2 >out2 3>&- &
	second=$!
	exec 9>in2
	both_there() { [ "$(ls "$WV_STATE/run" | wc -l)" = 2 ]; }
	eventually both_there
	run -0 --separate-stderr wv-call -v --cancel release/7
	[[ $stderr == *': 2'* ]]
	ends 1
	status=0
	wait "$second" || status=$?
	exec 9>&-
	[ "$status" = 1 ]
	[ ! -s out2 ]
	run -1 wv-call --cancel release/7
	[ "$(ls "$WV_STATE/run")" = '' ]
}

@test "a plan that is cancelled never activates, and takes nothing more" {
	tools <<<"- {capability: org.demo.x, source: exec, command: $(stage run), activate: $(stage on), deactivate: $(stage off)}"
	d=$(decided)
	mkfifo in
	wv-call --plan idle -T tools.yaml <in >out 2>err 3>&- &
	background=$!
	exec 8>in
	is_there() { grep -rqs "$1" "$WV_STATE/run"; }
	eventually is_there idle
	kill -STOP "$background"
	run -0 wv-call --cancel idle
	printf '%s\n' "$d" >&8
	kill -CONT "$background"
	ends 1
	[ ! -s out ]
	[ "$(<err)" = 'wv-call: the plan was cancelled' ]
	[ ! -e log ]
	calls 0 -T tools.yaml <<<"$d"
	logged on run off
}

@test "calls that wait are cancelled: for an activation, a resource, a checkpoint" {
	mkdir res
	tools <<-END
		- {capability: org.demo.on, source: exec, command: $(stage run), activate: [sh, -c, ": >on; exec sleep 300"], deactivate: $(stage off-on)}
		- {capability: org.demo.res, source: exec, command: [sh, -c, ": >using; exec sleep 300"], resources: [{name: r, dir: res, access: read_write}]}
		- {capability: org.demo.keep, source: exec, command: $(stage run), checkpoint: [sh, -c, ": >keeping; exec sleep 300"], checkpointable: true, deactivate: $(stage off-keep)}
	END
	sed -i 's/command: .sh, -c, ": >using/checkpointable: true, &/; s/command: .*run.*on; exec/checkpointable: true, &/' tools.yaml
	printf 'org.demo.%s\n' on on res res keep keep | decisions >d.jsonl
	started "$(<d.jsonl)" -j 6 --require-checkpoint --plan p -T tools.yaml
	appears on
	appears using
	appears keeping
	wv-call --cancel p
	ends 1
	[ "$(jq -r .structured_data.error_class out | sort | uniq -c | xargs)" = '6 cancelled' ]
	# only what was activated is deactivated
	logged off-keep
}

@test "a tool that ignores TERM sees \$WV_CANCEL_FILE, on a signal and on stop" {
	tools <<-'END'
		- {capability: org.demo.x, source: exec, command: [sh, -c, "trap '' TERM; : >running; until [ -e \"$WV_CANCEL_FILE\" ]; do sleep 0.05; done; echo seen >>log"]}
	END
	started "$(many 2)" -T tools.yaml
	appears running
	rm running
	: >"$WV_STATE/stop"
	eventually [ -s out ]
	logged seen
	# it goes on once stop is gone, and so is the file
	eventually lines out 2
	tail -n 1 out | grep -q stopped
	[ "$(ls "$WV_STATE/run" | grep -c cancel)" = 1 ]
	rm "$WV_STATE/stop"
	no_file() { [ "$(ls "$WV_STATE/run" | grep -c cancel)" = 0 ]; }
	eventually no_file
	decided >&8
	appears running
	kill -TERM "$background"
	ends 143
	logged seen seen
	[ "$(traces .error | sort -u)" = '"cancelled"' ]
	[ "$(ls "$WV_STATE/run")" = '' ]
}

@test "deactivated when nobody reads, when stopped, when the state is lost" {
	tools <<-END
		- {capability: org.demo.x, source: exec, command: $(stage run), deactivate: $(stage off)}
		- {capability: org.demo.lose, source: exec, command: [chmod, "644", "$WV_STATE/audit.jsonl"], deactivate: $(stage off-lose)}
		- {capability: org.demo.wait, source: exec, command: [sh, -c, ": >waiting; exec sleep 300"], deactivate: $(stage off-wait)}
	END
	many 2 >d.jsonl
	mkfifo out
	wv-call -T tools.yaml d.jsonl >out 2>err 3>&- &
	background=$!
	: <out
	ends 141
	[ "$(tail -n 1 log)" = off ]
	[ "$(grep -c off log)" = 1 ]
	rm log out
	# a group that cannot be written, with a call beside it
	printf 'org.demo.%s\n' x wait | decisions >d.jsonl
	decided org.demo.lose >lose.jsonl
	started "$(<d.jsonl)" -j 2 -T tools.yaml
	appears waiting
	cat lose.jsonl >&8
	ends 2
	[ "$(wc -l <out)" = 1 ]
	grep -q audit.jsonl err
	logged run off-lose off-wait off
	chmod 600 "$WV_STATE/audit.jsonl"
	# whoever comes next settles both
	wv-token issue --principal p --scope a --ttl 1s >/dev/null
	[ "$(grep -c '"x_wv_code":"interrupted"' "$WV_STATE/audit.jsonl")" = 2 ]
}

@test "killed: its tools die with it" {
	tools <<<'- {capability: org.demo.x, source: exec, command: [sh, -c, ": >running; exec sleep 300"], activate: ["true"]}'
	started "$(many 2)" -j 2 -T tools.yaml
	appears running
	kill -KILL "$background"
	wait "$background" || true
	exec 8>&-
}

@test "neither a grandchild with the pipe nor one of another session outlives the time-out" {
	decided org.demo.x '{}' ',"x_wv_timeout_ms":300' >d.jsonl
	SECONDS=0
	calls 1 d.jsonl -- sh -c 'sleep 300 & setsid sh -c "trap \"\" TERM; echo \$\$ >pid; while :; do sleep 1; done" & wait'
	fails_as timeout '300 ms'
	[ "$SECONDS" -lt 6 ]
	refute kill -0 "$(cat pid)" 2>/dev/null
	[ "$(traces '.duration_ms < 4500')" = true ]
}

@test "-j: answers in the order of the decisions; --unordered: as they come" {
	tools <<-'END'
		- {capability: org.demo.slow, source: exec, command: [sh, -c, "until [ -e go ]; do sleep 0.02; done"]}
		- {capability: org.demo.x, source: exec, command: ["true"]}
	END
	printf ' {"decision_id":"d","decision":"deny","capability_id":"c","principal":"p","timestamp":"2026-01-01T00:00:00Z","x":1.10 }\n' >deny.jsonl
	{ echo org.demo.slow; seq 20 | sed 's/.*/org.demo.x/'; } | decisions |
		sed "10r deny.jsonl" >d.jsonl
	# quick ones do not wait for the slow one
	started "$(<d.jsonl)" -j 8 --unordered -T tools.yaml
	exec 8>&-
	eventually lines out 21
	refute grep -q '"rd-1"' out
	grep -qxF -f deny.jsonl out
	: >go
	ends 1
	tail -n 1 out | grep -q '"rd-1"'
	# in order, however it ends
	rm go
	{ echo org.demo.slow; seq 20 | sed 's/.*/org.demo.x/'; } | decisions |
		sed "10r deny.jsonl" >d.jsonl
	started "$(<d.jsonl)" -j 8 -T tools.yaml
	exec 8>&-
	all_ran() { [ "$(grep -c '"x_wv_trace"' "$WV_STATE/audit.jsonl")" = 41 ]; }
	eventually all_ran
	[ ! -s out ]
	: >go
	ends 1
	sed 's/.*"routing_decision_id":"\(rd-[0-9]*\)".*/\1/' out >order
	{ seq 10; echo; seq 11 21; } | sed 's/./rd-&/' >want
	sed -n 11p out | cmp - deny.jsonl
	sed -i 11d order want
	diff order want
	# how many may have run and not be said is bounded: 16 for each job
	rm go
	{ echo org.demo.slow; seq 50 | sed 's/.*/org.demo.x/'; } | decisions >d.jsonl
	started "$(<d.jsonl)" -j 2 -T tools.yaml
	exec 8>&-
	ahead() { [ "$(grep -c '"x_wv_trace"' "$WV_STATE/audit.jsonl")" = $((42 + $1)) ]; }
	eventually ahead 31
	sleep 0.3
	ahead 31
	: >go
	ends 0
	ahead 51
}

@test "only one call that is bound to resources runs at a time" {
	mkdir res
	tools <<-END
		- {capability: org.demo.x, source: exec, command: [sh, -c, "echo begin >>log; echo \$\$ >>res/f; sleep 0.05; echo end >>log"], resources: [{name: r, dir: res, access: read_write}]}
		- {capability: org.demo.bad, source: exec, command: [touch, res/g], resources: [{name: r, dir: res, access: read_only}]}
		- {capability: org.demo.no, source: exec, command: [sh, -c, "echo >>res/f; exit 1"], resources: [{name: r, dir: res, access: read_write}]}
	END
	many 3 >d.jsonl
	calls 0 -j 3 -T tools.yaml d.jsonl
	logged begin end begin end begin end
	[ "$(traces '.changes | map([.resource, .path, .change])' | tr '\n' ' ')" = \
		'[["r","f","created"]] [["r","f","modified"]] [["r","f","modified"]] ' ]
	decided org.demo.bad >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	fails_as execution '"r"'
	# what a tool that failed has changed is told all the same
	decided org.demo.no >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	fails_as execution 'exit status 1'
	[ "$(traces '.changes | map(.change)' | tail -n 1)" = '["modified"]' ]
}

@test "many calls: no descriptor and no memory more" {
	tools <<<'- {capability: org.demo.x, source: exec, command: ["true"]}'
	many 400 >d.jsonl
	mkfifo in
	wv-call -j 4 -T tools.yaml <in >out 3>&- &
	background=$!
	exec 8>in
	head -n 100 d.jsonl >&8
	eventually lines out 100
	sleep 0.1
	ls "/proc/$background/fd" | wc -l >fds
	rss() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$background/status"; }
	before=$(rss)
	tail -n +101 d.jsonl >&8
	eventually lines out 400
	sleep 0.1
	[ "$(ls "/proc/$background/fd" | wc -l)" = "$(cat fds)" ]
	# a store has a cache; a sanitizer keeps what was freed
	grep -q asan "/proc/$background/maps" ||
		[ $(($(rss) - before)) -lt 3000 ]
	# and no zombie
	[ "$(cat "/proc/$background/task/$background/children")" = '' ]
	exec 8>&-
	ends 0
}

@test "a tool that is not what was pinned, which only its activation shows" {
	mkdir skill
	printf -- '---\nname: s\ndescription: A skill.\n---\nDo this.\n' >skill/SKILL.md
	tools <<<'- {capability: org.demo.x, source: skill, dir: skill}'
	wv-call -T tools.yaml --lock lock.json --lock-write
	many 2 >d.jsonl
	calls 0 -T tools.yaml --lock lock.json d.jsonl
	sed -i 's/this/that/' skill/SKILL.md
	many 2 >d.jsonl
	calls 1 -v -T tools.yaml --lock lock.json d.jsonl
	[ "$(jq -c '[.decision, .metadata.x_wv_code, .metadata.x_wv_invocation.routing_decision_id]' <<<"$output" | tr '\n' ' ')" = \
		'["deny","tool_drifted","rd-1"] ["deny","tool_drifted","rd-2"] ' ]
	[ "$(grep -c '"reason":"org.demo.x is not as the lock file pins it"' <<<"$output")" = 2 ]
	[[ $stderr == *'0 succeeded, 0 failed, 2 denied'* ]]
	jq -r '.event_type + " " + (.metadata.x_wv_code // "")' "$WV_STATE/audit.jsonl" |
		tail -n 4 >got
	printf '%s\n' 'capability_executed tool_drifted' 'capability_denied tool_drifted' >want
	cat want want | cmp - got
	# it was consumed
	calls 1 -T tools.yaml d.jsonl
	denied_as decision_consumed
	wv-call -T tools.yaml --lock lock.json --lock-approve org.demo.x
	decided >d.jsonl
	calls 0 -T tools.yaml --lock lock.json d.jsonl
}

@test "options: what excludes what" {
	: >d.jsonl
	misuse() { fails_with 2 "$1" wv-call "${@:2}"; }
	misuse 'two things' --discover --lint tools.yaml
	misuse 'two things' --lock-write --cancel p
	misuse 'reads no records' --discover -T tools.yaml d.jsonl
	misuse 'reads no records' --cancel p d.jsonl
	misuse 'reads no records' --lint tools.yaml d.jsonl
	misuse '--refresh is for --discover' --refresh -T tools.yaml d.jsonl
	misuse '--jobs is for calls' -j 2 --discover -T tools.yaml
	misuse '--plan is for calls' --plan p --lint tools.yaml
	misuse '--read-only is for calls' --read-only --cancel p
	misuse '--multi is for calls' -m --cancel p
	misuse '--lock is for calls' --lock l --discover -T tools.yaml
	misuse '--lint takes no --tools' -T tools.yaml --lint tools.yaml
	misuse '--cancel takes no --tools' -T tools.yaml --cancel p
	misuse '--discover needs no --state' --state x --discover -T tools.yaml
	misuse '--lock-approve needs --lock' -T tools.yaml --lock-approve org.demo.x
	misuse 'no tools' --discover
	misuse '1 to 128' -j 0 -T tools.yaml d.jsonl
	misuse '1 to 128' -j 129 -T tools.yaml d.jsonl
	misuse 'is no name' --plan 'a b' d.jsonl -- true
	misuse 'is no name' --plan plan-1 d.jsonl -- true
	misuse 'is no name' --plan '' d.jsonl -- true
	fails_with 2 'no state' wv-call --state none --cancel p
}
