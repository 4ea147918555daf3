#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-flow: flows over the kernel.  "cases" are the reports of what breaks
# elsewhere; data/flow/kernel.bash is a kernel whose answers are known.

load lib
load data/flow/lib

setup() {
	use_kernel
}

# the log's events of flows: TYPE STEP OUTCOME CODE
events() {
	grep -o '"event_type":"flow_[a-z_]*".*' "$WV_STATE/audit.jsonl" |
		awk '{
			line = $0; out = ""
			n = split("event_type step_id outcome x_wv_code", name)
			for (i = 1; i <= n; i++) {
				value = "-"
				if (match(line, "\"" name[i] "\":\"[^\"]*\""))
					value = substr(line, RSTART + length(name[i]) + 4, RLENGTH - length(name[i]) - 5)
				out = out (i > 1 ? " " : "") value
			}
			print out
		}'
}

# the arguments of the requests that the kernel got
sent() {
	grep -o '"x_wv_arguments":.*' "$KERNEL_LOG" |
		sed 's/"x_wv_arguments"://; s/,"telemetry".*//'
}

two_steps='a t.echo arguments: {word: {from: /input/word}}
b t.echo needs: [a], arguments: {text: {from: /steps/a/structured_data/got/word}}'

@test "two steps: one Frame, the data of the step that nothing needs" {
	mapfile -t steps <<<"$two_steps"
	flow "${steps[@]}"
	run_flow --input '{"word":"hello"}' >out
	[ "$(wc -l <out)" = 1 ]
	grep -qE '^\{"frame_id":"frm-[0-9A-Z]{26}","capability_id":"flow.test","summary":"flow test: 2 of 2 steps succeeded\\nb: did t.echo","structured_data":\{"b":\{"got":\{"text":"hello"\}\}\},"handle_refs":\[\],"created_at":"[^"]*Z","metadata":\{"telemetry":\{[^}]*\},"x_wv_flow":\{"run_id":"run-[0-9A-Z]{26}"\}\}\}$' out
	wv-validate -t frame out >/dev/null
	printf '%s\n' '{"word":"hello"}' '{"text":"hello"}' >want
	diff -u want <(sent)
}

@test "each step is a pinned RoutingDecision" {
	flow 'a t.echo arguments: {x: 12345678901234567890.10}, timeout: 1500ms'
	run_flow --input '{}' >out
	wv-validate -t routing_decision "$KERNEL_LOG" >/dev/null
	grep -q '"choice_cards":\[{"id":"card-1","items":\[{"id":"t.echo","label":"a",' "$KERNEL_LOG"
	grep -q '"selected_item_id":"t.echo","selected_card_id":"card-1"' "$KERNEL_LOG"
	grep -qF '"x_wv_arguments":{"x":12345678901234567890.10},"x_wv_timeout_ms":1500,' "$KERNEL_LOG"
	grep -qF '"got":{"x":12345678901234567890.10}' out
}

@test "events: a pair for each step, one end" {
	mapfile -t steps <<<"$two_steps"
	flow "${steps[@]}"
	run_flow --input '{"word":"hello"}' >out
	cat >want <<-'END'
		flow_started - - -
		flow_step_started a - -
		flow_step_completed a success -
		flow_step_started b - -
		flow_step_completed b success -
		flow_completed - success -
	END
	diff -u want <(events)
	run=$(grep -o 'run-[0-9A-Z]*' out | head -n 1)
	[ "$(grep -c "\"x_wv_run\":{\"run_id\":\"$run\",\"leg\":0" "$WV_STATE/audit.jsonl")" = 6 ]
	grep -q '"step_id":"b","step_index":1,"attempt":1' "$WV_STATE/audit.jsonl"
	grep -q '"flow_step_completed".*"capability_id":"t.echo","principal":"tester","decision_id":"dec-1","frame_id":"frm-1","outcome":"success"' "$WV_STATE/audit.jsonl"
	wv-trace verify >/dev/null
	wv-validate -t trace_event "$WV_STATE/audit.jsonl" >/dev/null
	# one request, one trace
	[ "$(grep -o '"trace_id":"[0-9a-f]*"' out "$KERNEL_LOG" "$WV_STATE/audit.jsonl" | cut -d: -f2- | sort -u | wc -l)" = 1 ]
}

@test "a step's start is on disk before the kernel has the step" {
	flow 'a t.echo'
	cat >kernel.bash <<-'END'
		while IFS= read -r line; do
			grep -c flow_step_started "$WV_STATE/audit.jsonl" >seen
			exit 2
		done
	END
	run -2 timeout 30 wv-flow flow.yaml --kernel "bash kernel.bash" --input '{}'
	[ "$(cat seen)" = 1 ]
}

@test "the order is that of needs, then of ids" {
	flow 'last t.echo needs: [second, first]' 'first t.echo' \
		'second t.echo needs: [first]' 'other t.echo'
	run_flow --input '{}' >out
	events | awk '$1 == "flow_step_started" { print $2 }' >got
	printf '%s\n' first other second last >want
	diff -u want got
	grep -q '"structured_data":{"other":{.*},"last":{.*}}' out
}

@test "outputs, literals and references at any depth" {
	cat >flow.yaml <<-'END'
		version: 1
		name: maps
		capability: org.demo.maps
		steps:
		  - id: a
		    capability: t.handle
		    arguments:
		      list: [1, {from: /input/x}, {value: {from: /input/x}}]
		      deep: {from: {from: /input}, value: 1}
		      price: {from: EUR, to: USD}
		outputs:
		  refs: {from: /steps/a/handle_refs}
		  id: {from: /steps/a/frame_id}
		  fixed: {value: {from: me}}
	END
	run_flow --input '{"x":{"y":1.50}}' >out
	[ "$(sent)" = '{"list":[1,{"y":1.50},{"from":"/input/x"}],"deep":{"from":{"x":{"y":1.50}},"value":1},"price":{"from":"EUR","to":"USD"}}' ]
	grep -qF '"capability_id":"org.demo.maps"' out
	grep -qF '"structured_data":{"refs":["handle-1"],"id":"frm-1","fixed":{"from":"me"}},"handle_refs":["handle-1"]' out
}

@test "all: the Frames of the steps come first, marked" {
	mapfile -t steps <<<"$two_steps"
	flow "${steps[@]}"
	run_flow --input '{"word":"x"}' --all >out
	[ "$(wc -l <out)" = 3 ]
	sed -n 1p out | grep -qE '"x_wv_flow":\{"run_id":"run-[^"]*","step_id":"a","attempt":1\}'
	sed -n 2p out | grep -q '"step_id":"b"'
	sed -n 3p out | grep -q '"capability_id":"flow.test"'
	wv-validate -t frame out >/dev/null
}

@test "a step that fails fails the flow; what comes after is not begun" {
	flow 'a t.fail' 'b t.echo needs: [a]'
	run -1 run_flow --input '{}'
	[[ $output == *'"summary":"failed (execution): step \"a\": exit status 1","structured_data":{"status":"error","error_class":"execution","error_message":"step \"a\": exit status 1","retriable":true}'* ]]
	echo "$output" >out
	wv-validate -t frame out >/dev/null
	cat >want <<-'END'
		flow_started - - -
		flow_step_started a - -
		flow_step_completed a failure execution
		flow_step_started b - -
		flow_step_completed b partial skipped
		flow_failed - failure execution
	END
	diff -u want <(events)
	[ "$(wc -l <"$KERNEL_LOG")" = 1 ]
}

@test "a step that may fail is told apart, and can be asked about" {
	flow 'a t.fail on_error: continue' \
		'b t.echo needs: [a], arguments: {was: {from: /steps/a/structured_data/status}}'
	run_flow --input '{}' >out
	grep -q '1 of 2 steps succeeded, 1 failed' out
	grep -qF '{"b":{"got":{"was":"error"}}}' out
	events | grep -qx 'flow_step_completed a partial tolerated'
	events | grep -qx 'flow_completed - success -'
}

@test "a denial fails the step, and says why" {
	flow 'a t.deny' 'b t.echo'
	run -1 run_flow --input '{}' --all
	[ "$(wc -l <<<"$output")" = 2 ]
	[[ ${lines[0]} == '{"decision_id":"dec-1","decision":"deny"'* ]]
	[[ ${lines[1]} == *'"error_class":"access_denied","error_message":"step \"a\": not today"'* ]]
	events | grep -qx 'flow_step_completed a failure access_denied'
	grep -q '"flow_step_completed".*"decision_id":"dec-1"' "$WV_STATE/audit.jsonl"
	[ "$(wc -l <"$KERNEL_LOG")" = 1 ]
}

@test "a denial that is tolerated looks like a failure to what follows" {
	flow 'a t.deny on_error: continue' \
		'b t.echo needs: [a], arguments: {c: {from: /steps/a/structured_data/error_class}, s: {from: /steps/a/summary}}'
	run_flow --input '{}' >out
	grep -qF '"got":{"c":"access_denied","s":"failed (access_denied): not today"}' out
}

@test "a step that timed out is not tried again (cases G21)" {
	flow 'a t.slow' 'b t.echo needs: [a]'
	run -1 run_flow --input '{}'
	[ "$(wc -l <"$KERNEL_LOG")" = 1 ]
	[[ $output == *'"error_class":"timeout"'* ]]
}

@test "a reference that leads nowhere fails its step, which is not sent" {
	flow 'a t.echo' 'b t.echo needs: [a], arguments: {x: {from: /steps/a/structured_data/none}}'
	run -1 run_flow --input '{}'
	[[ $output == *'"error_class":"schema_validation","error_message":"step \"b\": arguments: there is nothing at /steps/a/structured_data/none"'* ]]
	[ "$(wc -l <"$KERNEL_LOG")" = 1 ]
	events | tail -n 3 >got
	cat >want <<-'END'
		flow_step_started b - -
		flow_step_completed b failure schema_validation
		flow_failed - failure schema_validation
	END
	diff -u want got
	flow 'a t.echo arguments: {from: /input/list}'
	run -1 run_flow --input '{"list":[]}'
	[[ $output == *'what /input/list leads to is no object'* ]]
}

@test "an output that leads nowhere fails the flow" {
	flow 'a t.echo'
	echo 'outputs: {x: {from: /steps/a/structured_data/none}}' >>flow.yaml
	run -1 run_flow --input '{}'
	[[ $output == *'outputs: there is nothing at'* ]]
	events | grep -qx 'flow_failed - failure schema_validation'
}

@test "input that its schema refuses: no step begins" {
	flow 'a t.echo'
	echo 'input_schema: {type: object, required: [word], properties: {word: {type: string}}}' >>flow.yaml
	run -1 run_flow --input '{"word":7}'
	[[ $output == *'"error_class":"schema_validation","error_message":"input/word: '* ]]
	printf '%s\n' 'flow_started - - -' 'flow_failed - failure schema_validation' >want
	diff -u want <(events)
	[ ! -e "$KERNEL_LOG" ]
	run_flow --input '{"word":"x"}' >out
}

@test "RoutingDecisions that select the flow run it, in order, by one kernel" {
	flow 'a t.echo arguments: {w: {from: /input/w}}'
	for w in 1 2 3; do
		wv-route --pin flow.test --arguments "{\"w\":$w}" \
			--justification "reason $w"
	done >rds.jsonl
	run_flow rds.jsonl >out
	[ "$(grep -o '"got":{[^}]*}' out | tr -d '\n')" = \
		'"got":{"w":1}"got":{"w":2}"got":{"w":3}' ]
	grep -q '"x_wv_justification":"reason 2"' "$KERNEL_LOG"
	[ "$(grep -o 'run-[0-9A-Z]*' out | sort -u | wc -l)" = 3 ]
	# one kernel: it counted to three
	grep -q '"frm-3"' "$WV_STATE/audit.jsonl"
	# the trace of the RoutingDecision goes on
	trace=$(head -n 1 rds.jsonl | grep -o '"trace_id":"[0-9a-f]*"')
	head -n 1 out | grep -q "$trace"
	head -n 1 "$KERNEL_LOG" | grep -q "$trace"
}

@test "RoutingDecisions that do not select it are told apart" {
	flow 'a t.echo'
	wv-route --pin other.thing >other.jsonl
	echo '{"id":"x","name":"n","version":"1","description":"d"}' >cat.jsonl
	wv-route -c cat.jsonl -e n >none.jsonl
	wv-route -c cat.jsonl -e zebra >no-match.jsonl || true
	fails_with 2 'other.jsonl:1:1: selects other.thing, not flow.test' wv-flow flow.yaml --kernel "$kernel" other.jsonl
	fails_with 2 'no item is selected' wv-flow flow.yaml --kernel "$kernel" none.jsonl
	fails_with 1 'nothing matched' wv-flow flow.yaml --kernel "$kernel" no-match.jsonl
	echo '{"id":"r"}' >bad.jsonl
	fails_with 2 'bad.jsonl:1' wv-flow flow.yaml --kernel "$kernel" bad.jsonl
	run -2 run_flow </dev/null
	run -0 run_flow --allow-empty </dev/null
	[ ! -e "$KERNEL_LOG" ]
	[ ! -e "$WV_STATE" ]
}

@test "the kernel dies in a step: flow_failed, status 2" {
	flow 'a t.echo' 'b t.die'
	run --separate-stderr -2 run_flow --input '{}'
	[[ $stderr == *'step "b": the kernel ended before it answered: bash: status 3'* ]]
	[[ $output == *'"error_class":"execution"'* ]]
	events | tail -n 3 >got
	cat >want <<-'END'
		flow_step_started b - -
		flow_step_completed b failure execution
		flow_failed - failure execution
	END
	diff -u want got
	flow 'b t.kill'
	fails_with 2 'bash: signal 9' wv-flow flow.yaml --kernel "$kernel" --input '{}'
}

@test "a kernel that cannot be started: flow_failed, status 2" {
	flow 'a t.echo'
	fails_with 2 no-such-kernel wv-flow flow.yaml \
		--kernel no-such-kernel --input '{}'
	events | grep -qx 'flow_failed - failure execution'
	fails_with 2 quote wv-flow flow.yaml --kernel "bash 'x" --input '{}'
}

@test "answers that are none break the kernel" {
	for what in other junk noframe allow; do
		flow "a t.$what" 'b t.echo'
		fails_with 2 'the kernel is broken' wv-flow flow.yaml --kernel "$kernel" --input '{}'
	done
	flow 'a t.twice' 'b t.echo needs: [a]'
	fails_with 2 'answered what was not asked' wv-flow flow.yaml --kernel "$kernel" --input '{}'
	flow 'a t.twice'
	fails_with 2 'answered what was not asked' wv-flow flow.yaml --kernel "$kernel" --input '{}'
}

@test "a kernel's bad end after good answers is status 2" {
	flow 'a t.echo'
	KERNEL_STATUS=2 fails_with 2 'did not end well: bash: status 2' wv-flow flow.yaml --kernel "$kernel" --input '{}'
	KERNEL_STATUS=1 run -0 run_flow --input '{}'
}

@test "INT and TERM: the step's kernel is ended, flow_failed, 130 and 143 (cases G9)" {
	flow 'a t.hang' 'b t.echo'
	for pair in INT:130 TERM:143; do
		rm -rf "$WV_STATE" "$KERNEL_LOG"*
		timeout -s KILL 30 wv-flow flow.yaml --kernel "$kernel" \
			--input '{}' >out 2>err 3>&- &
		pid=$!
		for ((i = 0; i < 200; i++)); do
			[ -s "$KERNEL_LOG.pid" ] && break
			sleep 0.05
		done
		pkill_child() { kill -"$1" "$(cat /proc/$pid/task/$pid/children)"; }
		pkill_child "${pair%:*}"
		status=0
		wait $pid || status=$?
		[ "$status" = "${pair#*:}" ]
		[ "$(cat "$KERNEL_LOG.term")" = TERM ]
		! kill -0 "$(cat "$KERNEL_LOG.pid")" 2>/dev/null || false
		cat >want <<-'END'
			flow_started - - -
			flow_step_started a - -
			flow_step_completed a partial cancelled
			flow_failed - failure cancelled
		END
		diff -u want <(events)
		grep -q '"error_class":"cancelled"' out
	done
}

@test "a reader that goes away ends the run without a word" {
	flow 'a t.echo'
	for i in 1 2 3; do wv-route --pin flow.test; done >rds.jsonl
	run --separate-stderr bash -c 'wv-flow flow.yaml --kernel "$1" rds.jsonl 2>err | true; echo "${PIPESTATUS[0]}"' _ "$kernel"
	[[ $output == 141 || $output == 0 ]] # 0: it was faster
	[ ! -s err ]
	fails_with 2 'No space left on device' bash -c \
		'wv-flow flow.yaml --kernel "$1" --input {} >/dev/full' _ "$kernel"
}

@test "many steps leave no processes and no descriptors (cases G13)" {
	steps=('s0 t.echo')
	for i in $(seq 40); do
		steps+=("s$i t.echo needs: [s$((i - 1))]")
	done
	flow "${steps[@]}"
	cat >kernel.bash <<-'END'
		while IFS= read -r line; do
			ls /proc/$PPID/fd | wc -l >>fds
			printf '%s\n' "$line" >one
			bash "$1" <one
		done
	END
	timeout 60 wv-flow flow.yaml --kernel "bash kernel.bash '$BATS_TEST_DIRNAME/data/flow/kernel.bash'" --input '{}' >out
	[ "$(sed 1d fds | sort -u | wc -l)" = 1 ]
	grep -q '41 of 41 steps succeeded' out
}

@test "lint: cycles are printed (cases G1)" {
	flow 'a t.x needs: [b]' 'b t.x needs: [a]'
	fails_with 1 'flow.yaml:5:' wv-flow --lint flow.yaml
	[[ $stderr == *'cycle: a -> b -> a'* ]]
	flow 'a t.x needs: [a]'
	fails_with 1 'cycle: a -> a' wv-flow --lint flow.yaml
	flow 'a t.x' 'b t.x needs: [d]' 'c t.x needs: [a, b]' 'd t.x needs: [c]'
	fails_with 1 'cycle: b -> d -> c -> b' wv-flow --lint flow.yaml
	# (go-task 820) the order of the file makes no cycle
	flow 'c t.x needs: [b]' 'b t.x needs: [a]' 'a t.x'
	run -0 wv-flow --lint flow.yaml
	[ -z "$output" ]
}

@test "lint: unknown needs, duplicate ids, no steps (cases G3)" {
	flow 'task-one t.x' 'b t.x needs: [task-onw]'
	fails_with 1 'step "b" needs "task-onw", which does not exist, did you mean "task-one"?' wv-flow --lint flow.yaml
	[[ $stderr == *'flow.yaml:5:'* ]]
	flow 'a t.x' 'a t.y'
	fails_with 1 'duplicate step "a"' wv-flow --lint flow.yaml
	printf 'version: 1\nname: x\nsteps: []\n' >flow.yaml
	fails_with 1 'flow.yaml:3:' wv-flow --lint flow.yaml
	printf 'version: 1\nname: x\nstepz: []\n' >flow.yaml
	fails_with 1 '"steps"' wv-flow --lint flow.yaml
	printf 'version: 1\nname: [\n' >flow.yaml
	fails_with 2 'flow.yaml:' wv-flow --lint flow.yaml
	fails_with 2 'nowhere' wv-flow --lint nowhere
}

@test "lint: references have to lead to what comes before" {
	flow 'a t.x' 'b t.x arguments: {x: {from: /steps/a/summary}}'
	fails_with 1 'step "a" does not come before "b": it has to be in needs' wv-flow --lint flow.yaml
	flow 'a t.x' 'b t.x needs: [a]' 'c t.x needs: [b], arguments: {x: {from: /steps/a/summary}}'
	run -0 wv-flow --lint flow.yaml
	flow 'a t.x arguments: {x: {from: /steps/a/summary}}'
	fails_with 1 'does not come before' wv-flow --lint flow.yaml
	flow 'abc t.x' 'b t.x needs: [abc], arguments: {x: [{from: /steps/abd/summary}]}'
	fails_with 1 'there is no step "abd", did you mean "abc"?' wv-flow --lint flow.yaml
	flow 'a t.x' 'b t.x needs: [a], arguments: {x: {from: /steps/a/structured_dat}}'
	fails_with 1 'has no member "structured_dat", did you mean "structured_data"?' wv-flow --lint flow.yaml
	for bad in '{from: /imput/x}' '{from: x}' '{from: 7}' '{from: /input/~2}' \
		'{from: /input/x, to: /y}' '{from: ""}'; do
		flow "a t.x arguments: {x: $bad}"
		run -1 wv-flow --lint flow.yaml
	done
	flow 'a t.x arguments: {value: 7}'
	fails_with 1 '{value: {value: …}}' wv-flow --lint flow.yaml
	echo 'outputs: {x: {from: /steps/b/summary}}' >>flow.yaml
	fails_with 1 'there is no step "b"' wv-flow --lint flow.yaml
}

@test "a bad flow runs nothing and touches no state" {
	flow 'a t.x needs: [a]'
	fails_with 2 'cycle' wv-flow flow.yaml --kernel "$kernel" --input '{}'
	[ -z "$output" ]
	[ ! -e "$WV_STATE" ]
	[ ! -e "$KERNEL_LOG" ]
}

@test "misuse" {
	flow 'a t.x'
	fails_with 2 'no flow' wv-flow
	fails_with 2 'must be a JSON object' wv-flow flow.yaml --input '[]'
	fails_with 2 'incomplete' wv-flow flow.yaml --input '{'
	fails_with 2 'exclude' wv-flow flow.yaml --input '{}' file
	fails_with 2 'excludes' wv-flow flow.yaml --kernel x -p y --input '{}'
	fails_with 2 '--kernel' wv-flow flow.yaml --kernle x
}

@test "input from a file; the state folder goes to the kernel too" {
	flow 'a t.echo arguments: {from: /input}'
	printf '{\n"n": 1.10 }\n' >input
	unset WV_STATE
	cat >kernel.bash <<-END
		echo "\$WV_STATE" >seen
		. '$BATS_TEST_DIRNAME/data/flow/kernel.bash'
	END
	HOME=$PWD timeout 30 wv-flow flow.yaml --kernel 'bash kernel.bash' \
		--input @input --state here >out
	grep -qF '"got":{"n":1.10}' out
	[ "$(cat seen)" = here ]
	[ -s here/audit.jsonl ]
	[ ! -e .local ]
}

@test "an argument that does not fit into a pipe arrives whole" {
	flow 'a t.echo arguments: {from: /input}'
	printf '{"x":"%s"}' "$(head -c 300000 /dev/zero | tr '\0' y)" >input
	run_flow --input @input >out
	[ "$(wc -c <out)" -gt 300000 ]
}

@test "through wv-authorize and wv-call: done, denied, failed" {
	cat >tools.yaml <<-'END'
		version: 1
		tools:
		  - capability: t.say
		    source: exec
		    command: [printf, "%s\\n", "{word}"]
		    allow_dash: [word]
		    input_schema: {type: object, required: [word], properties: {word: {type: string}}}
		  - capability: t.fail
		    source: exec
		    command: ["false"]
		  - capability: x.rm
		    source: exec
		    command: [rm, flow.yaml]
	END
	cat >policy.yaml <<-'END'
		version: 1
		rules:
		  - {name: all, effect: allow, match: {capability: ["t.*", "x.*"]}}
		  - {name: no x, effect: deny, match: {capability: ["x.*"]}}
	END
	wv-token issue --principal tester --scope 't.*' --scope 'x.*' --ttl 1h >token.json
	kernel=(-T tools.yaml -p policy.yaml -k token.json)
	flow 'a t.say arguments: {word: {from: /input/w}}' \
		'b t.say needs: [a], arguments: {word: {from: /steps/a/structured_data/lines/0}}'
	timeout 30 wv-flow flow.yaml "${kernel[@]}" --input '{"w":"hello"}' >out
	grep -qF '"structured_data":{"b":{"lines":["hello"]' out
	[ "$(wv-trace --event executed --count)" = 2 ]

	flow 'a x.rm' 'b t.say needs: [a], arguments: {word: x}'
	run -1 timeout 30 wv-flow flow.yaml "${kernel[@]}" --input '{}'
	[[ $output == *'"error_class":"access_denied"'* ]]
	[ -e flow.yaml ]
	flow 'a t.fail'
	run -1 timeout 30 wv-flow flow.yaml "${kernel[@]}" --input '{}'
	[[ $output == *'"error_class":"execution"'* ]]
	flow 'a t.say arguments: {word: 7}'
	run -1 timeout 30 wv-flow flow.yaml "${kernel[@]}" --input '{}'
	[[ $output == *'"error_class":"schema_validation"'* ]]
	wv-trace verify >/dev/null
	# what wv-flow was given to know of: no token, no raw output
	fails_with 2 'wv-authorize: status 2' wv-flow flow.yaml \
		-T tools.yaml -p nowhere -k token.json --input '{}'
	events | tail -n 1 | grep -qx 'flow_failed - failure execution'
}

@test "a tool that is killed by the run's end is recorded once (cases G9)" {
	cat >tools.yaml <<-'END'
		version: 1
		tools:
		  - {capability: t.sleep, source: exec, command: [sleep, "300"]}
	END
	printf 'version: 1\nrules:\n  - {name: all, effect: allow, match: {capability: ["t.*"]}}\n' >policy.yaml
	wv-token issue --principal tester --scope 't.*' --ttl 1h >token.json
	flow 'a t.sleep'
	timeout -s KILL 30 wv-flow flow.yaml -T tools.yaml -p policy.yaml \
		-k token.json --input '{}' >out 2>err 3>&- &
	pid=$!
	for ((i = 0; i < 200; i++)); do
		grep -q capability_authorized "$WV_STATE/audit.jsonl" && break
		sleep 0.05
	done
	sleep 0.3
	kill -TERM "$(cat /proc/$pid/task/$pid/children)"
	status=0
	wait $pid || status=$?
	[ "$status" = 143 ]
	[ "$(grep -c capability_executed "$WV_STATE/audit.jsonl")" = 1 ]
	events | tail -n 1 | grep -qx 'flow_failed - failure cancelled'
	wv-trace verify >/dev/null
}
