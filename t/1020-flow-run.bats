#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-flow: what runs when, how often, and what is told of it.

load lib
load data/flow/lib

setup() {
	use_kernel
}

run_flow() {
	timeout 30 wv-flow flow.yaml --kernel "$kernel" --input '{}' "$@"
}

@test "j: two at a time, answers in any order, output in the flow's" {
	flow 'b t.pair arguments: {i: 2}' 'a t.pair arguments: {i: 1}' \
		'c t.echo needs: [a, b], arguments: {a: {from: /steps/a/structured_data/got/i}}'
	run_flow -j 2 --all >out
	[ "$(grep -o '"step_id":"[a-z]*"' out | tr -d '\n')" = \
		'"step_id":"a""step_id":"b""step_id":"c"' ]
	grep -q '"structured_data":{"c":{"got":{"a":1}}}' out
	[ "$(ends)" = 'b:success a:success c:success' ]
	sound
}

@test "the order of declarations and -j change nothing of the output" {
	steps=('a t.echo' 'b t.echo needs: [a], arguments: {x: {from: /steps/a/summary}}'
		'c t.fail on_error: continue' 'd t.echo needs: [c, b]' 'e t.echo')
	strip() { sed 's/"frame_id":"[^"]*"//; s/"created_at":"[^"]*"//g; s/"telemetry":{[^}]*}//g; s/run-[0-9A-Z]*//g; s/"\(decision_id\|routing_decision_id\)":"[^"]*"//g' "$1"; }
	flow "${steps[@]}"
	run_flow --all >out
	strip out >want
	flow "${steps[4]}" "${steps[3]}" "${steps[2]}" "${steps[1]}" "${steps[0]}"
	for j in 1 3 8; do
		run_flow --all -j $j >out
		diff want <(strip out)
	done
}

@test "if: taken or skipped; a skip is no failure (cases G5, G25)" {
	flow 'a t.echo arguments: {x: 1}' \
		'b t.echo needs: [a], if: {from: /steps/a/structured_data/got/x, is: {const: 1}}' \
		'c t.echo needs: [a], if: {from: /steps/a/structured_data/got/x, is: {const: 2}}' \
		'd t.echo needs: [c]' \
		'e t.echo needs: [c], arguments: {x: {from: /steps/c/summary}}' \
		'f t.echo needs: [c], arguments: {x: {from: /steps/c/summary, default: none}}'
	run_flow >out
	[ "$(ends)" = 'a:success b:success c:partial/skipped d:success e:partial/skipped f:success' ]
	grep -q '4 of 6 steps succeeded, 2 skipped' out
	grep -q '"e":null,"f":{"got":{"x":"none"}}' out
	sound
	flow 'a t.echo if: {from: /input, is: false}'
	run_flow >out
	grep -q '0 of 1 steps succeeded, 1 skipped' out
}

@test "A skipped, B always, C needs B: C runs (cases G5)" {
	flow 'a t.echo if: {from: /input, is: false}' \
		'b t.echo needs: [a], run_when: always' 'c t.echo needs: [b]'
	run_flow >out
	[ "$(ends)" = 'a:partial/skipped b:success c:success' ]
}

@test "if on what is not there or of another type is a clean error" {
	flow 'a t.echo' 'b t.echo needs: [a], if: {from: /steps/a/structured_data/no, is: {const: 1}}'
	run -1 run_flow
	[[ $output == *'"error_class":"schema_validation","error_message":"step \"b\": if: '* ]]
	[ "$(ends)" = 'a:success b:failure/schema_validation' ]
	sound
}

@test "run_when: each of them" {
	flow 'good t.echo' 'bad t.fail on_error: continue' \
		'none t.echo if: {from: /input, is: false}' \
		'r1 t.echo needs: [good, bad], run_when: none_failed' \
		'r2 t.echo needs: [good, none], run_when: none_failed' \
		'r3 t.echo needs: [bad, none], run_when: any_success' \
		'r4 t.echo needs: [bad, good], run_when: any_success' \
		'r5 t.echo needs: [none, bad], run_when: all_done' \
		'r6 t.echo needs: [good, bad], run_when: all_done' \
		'r7 t.echo needs: [bad, none], run_when: always'
	run_flow >out
	for end in r1:partial/skipped r2:success r3:partial/skipped r4:success \
		r5:success r6:success r7:success; do
		[[ " $(ends) " == *" $end "* ]]
	done
	sound
}

@test "a dependency that fails: both that need it are skipped, always (cases G7)" {
	flow 'a t.fail' 'b t.echo needs: [a]' 'c t.echo needs: [a]' \
		'd t.echo needs: [a], run_when: always' \
		'e t.echo needs: [a], run_when: all_done'
	for j in 1 4; do
		rm -rf "$WV_STATE"
		run -1 run_flow -j $j
		[ "$(ends | tr ' ' '\n' | sort | paste -sd' ')" = 'a:failure/execution b:partial/skipped c:partial/skipped d:success e:partial/skipped' ]
		sound
	done
}

@test "finally: whatever happened, after all else" {
	flow 'z t.echo finally: true' 'a t.fail' 'b t.echo needs: [a]' \
		'w t.echo needs: [z], finally: true, arguments: {was: {from: /steps/z/summary}}'
	run -1 run_flow
	[ "$(ends)" = 'a:failure/execution b:partial/skipped z:success w:success' ]
	sound
	rm -rf "$WV_STATE"
	flow 'a t.echo' 'z t.fail finally: true'
	run -1 run_flow
	[[ $output == *'step \"z\": exit status 1'* ]]
	sound
}

@test "finally runs in a fresh kernel when the first broke" {
	flow 'a t.die' 'b t.echo' 'z t.echo finally: true, arguments: {x: 1}'
	run --separate-stderr -2 run_flow
	[ "$(ends)" = 'a:failure/execution z:success' ]
	sound
	rm -rf "$WV_STATE"
	flow 'a t.die' 'w t.die finally: true' 'z t.die finally: true'
	run -2 run_flow
	[ "$(ends)" = 'a:failure/execution w:failure/execution' ]
	sound
}

@test "TERM: what is under way is cancelled, finally runs, 143 (cases G9)" {
	flow 'a t.hang' 'b t.echo needs: [a]' 'z t.echo finally: true'
	timeout -s KILL 30 wv-flow flow.yaml --kernel "$kernel" --input '{}' \
		>out 2>err 3>&- &
	pid=$!
	for ((i = 0; i < 200; i++)); do
		[ -s "$KERNEL_LOG.pid" ] && break
		sleep 0.05
	done
	kill -TERM "$(cat /proc/$pid/task/$pid/children)"
	status=0
	wait $pid || status=$?
	[ "$status" = 143 ]
	[ "$(ends)" = 'a:partial/cancelled z:success' ]
	grep -q '"error_class":"cancelled"' out
	sound
}

@test "a second TERM ends what runs finally" {
	flow 'a t.hang' 'b t.echo needs: [z], finally: true' 'z t.hang finally: true'
	timeout -s KILL 30 wv-flow flow.yaml --kernel "$kernel" --input '{}' \
		>out 2>err 3>&- &
	pid=$!
	for _ in 1 2; do
		for ((i = 0; i < 200; i++)); do
			[ -s "$KERNEL_LOG.pid" ] && break
			sleep 0.05
		done
		rm "$KERNEL_LOG.pid"
		kill -TERM "$(cat /proc/$pid/task/$pid/children)"
	done
	status=0
	wait $pid || status=$?
	[ "$status" = 143 ]
	[ "$(ends)" = 'a:partial/cancelled z:partial/cancelled' ]
	sound
}

@test "retry: fresh RoutingDecisions until it works" {
	flow 'a t.flaky retry: {max: 2, backoff: 1ms}'
	run_flow --all >out
	grep -q '"tries":3' out
	grep -q '"step_id":"a","attempt":3' out
	[ "$(sed 's/^{"id":"\([^"]*\)".*/\1/' "$KERNEL_LOG" | sort -u | wc -l)" = 3 ]
	[ "$(ends)" = 'a:success' ]
	grep -q '"flow_step_completed".*"attempt":3' "$WV_STATE/audit.jsonl"
	sound
	flow 'a t.flaky retry: {max: 1}'
	run -1 run_flow
	[ "$(wc -l <"$KERNEL_LOG")" = 5 ]
}

@test "retry: never a denial, never what it is not for" {
	flow 'a t.deny retry: {max: 3}'
	run -1 run_flow
	[ "$(wc -l <"$KERNEL_LOG")" = 1 ]
	flow 'a t.flaky retry: {max: 3, errors: [timeout]}'
	run -1 run_flow
	[ "$(wc -l <"$KERNEL_LOG")" = 2 ]
	# (cases G21) it may have done what it was to do
	flow 'a t.slow retry: {max: 3}'
	run -1 run_flow
	[ "$(wc -l <"$KERNEL_LOG")" = 3 ]
	flow 'a t.slow retry: {max: 3}, idempotent: true'
	run -1 run_flow
	[ "$(wc -l <"$KERNEL_LOG")" = 7 ]
}

@test "retry: no backoff sleeps past the deadline" {
	flow 'a t.fail retry: {max: 5, backoff: 1h}, deadline: 30m'
	run -1 run_flow
	[ "$(wc -l <"$KERNEL_LOG")" = 1 ]
	grep -q '"x_wv_timeout_ms":1[78][0-9]*' "$KERNEL_LOG"
	[[ $output == *'"error_class":"execution"'* ]]
}

@test "a kernel that does not answer in time is broken" {
	flow 'a t.never timeout: 50ms' 'b t.echo needs: [a]' 'z t.echo finally: true'
	run --separate-stderr -2 run_flow --grace 50ms
	[[ $stderr == *'no answer to step "a" within its time-out'* ]]
	[ "$(ends)" = 'a:failure/execution z:success' ]
	sound
}

@test "fallback: another capability, with the same arguments" {
	flow 'a t.fail arguments: {x: 1}, on_error: {fallback: t.echo}' \
		'b t.echo needs: [a], arguments: {v: {from: /steps/a/structured_data/got/x}}'
	run_flow >out
	grep -q '"b":{"got":{"v":1}}' out
	[ "$(ends)" = 'a:success b:success' ]
	flow 'a t.deny on_error: {fallback: t.fail}'
	run -1 run_flow
	[[ $output == *'exit status 1'* ]]
	sound
}

@test "for_each: an item at a time, or more; the results in order" {
	flow 'a t.rows' \
		'b t.pair needs: [a], for_each: {from: /steps/a/structured_data/rows}, arguments: {i: {from: /item/i}}' \
		'c t.echo needs: [b], arguments: {k: {from: /steps/b/structured_data/count}, second: {from: /steps/b/structured_data/items/1/got/i}}'
	run_flow -j 2 --all >out
	tail -n 1 out | grep -qF '{"c":{"got":{"k":4,"second":2}}}'
	grep -qF '"step_id":"b","item":3,"attempt":1' out
	[ "$(wc -l <out)" = 7 ]
	[ "$(ends)" = 'a:success b:success c:success' ]
	grep -q '"step_id":"b","step_index":1,"attempt":1,"items":4' "$WV_STATE/audit.jsonl"
	run -1 grep -q '"items":0' "$WV_STATE/audit.jsonl"
	sound
}

@test "for_each: failures, fail_fast, none at all" {
	each='needs: [a], for_each: {from: /steps/a/structured_data/rows, fail_fast: false}, arguments: {from: /item}'
	flow 'a t.rows' "b t.pick $each"
	run -1 run_flow
	[[ $output == *'step \"b\": item 1: no such row'* ]]
	[ "$(wc -l <"$KERNEL_LOG")" = 5 ]
	rm "$KERNEL_LOG"
	flow 'a t.rows' "b t.pick on_error: continue, $each"
	run_flow >out
	grep -qF '"items":[{"got":{"i":1}},{"status":"error"' out
	grep -qF '"count":4,"failed":1' out
	rm "$KERNEL_LOG"
	flow 'a t.rows' "b t.pick needs: [a], for_each: {from: /steps/a/structured_data/rows}, arguments: {from: /item}"
	run -1 run_flow
	[ "$(wc -l <"$KERNEL_LOG")" = 3 ]
	flow 'a t.echo for_each: {from: /input/none, default: []}'
	run_flow >out
	grep -qF '{"a":{"items":[],"count":0,"failed":0}}' out
	flow 'a t.echo for_each: {from: /input}'
	run -1 run_flow
	[[ $output == *'for_each: what it leads to is no array'* ]]
	sound
}

@test "a flow within a flow" {
	flow 'x t.echo arguments: {from: /input}' 'w t.echo needs: [x]'
	printf 'outputs: {twice: {from: /steps/x/structured_data/got/i}}\n' >>flow.yaml
	mv flow.yaml inner.yaml
	cat >flow.yaml <<-'END'
		version: 1
		name: outer
		steps:
		  - {id: a, capability: t.rows}
		  - id: b
		    flow: inner.yaml
		    needs: [a]
		    for_each: {from: /steps/a/structured_data/rows}
		    arguments: {from: /item}
		  - id: c
		    flow: inner.yaml
		    arguments: {i: 7}
	END
	run_flow -j 3 --all >out
	tail -n 1 out | grep -qF '"b":{"items":[{"twice":1},{"twice":2},{"twice":3},{"twice":4}]'
	tail -n 1 out | grep -qF '"c":{"twice":7}'
	[[ " $(ends) " == *' b[2]/x:success '* ]]
	[[ " $(ends) " == *' c/w:success c:success '* ]]
	sound
	sed -i 's/t.echo, needs/t.fail, needs/' inner.yaml
	run -1 run_flow
	[[ $output == *'step \"c\": step \"w\": exit status 1'* ]]
	sound
}

@test "dry-run: the RoutingDecisions that only need the input" {
	flow 'a t.echo arguments: {w: {from: /input/w}}, timeout: 2s' \
		'b t.echo needs: [a], arguments: {x: {from: /steps/a/summary, default: 1}}' \
		'c t.echo for_each: {from: /input/l}, arguments: {x: {from: /item}}' \
		'd t.echo if: {from: /input/w, is: {const: 2}}'
	run --separate-stderr -0 wv-flow flow.yaml --kernel false --dry-run --input '{"w":1,"l":[5,6]}'
	printf '%s\n' "${lines[@]}" >out
	wv-validate -t routing_decision out >/dev/null
	[ "${#lines[@]}" = 3 ]
	grep -qF '"x_wv_arguments":{"w":1},"x_wv_timeout_ms":2000' out
	grep -qF '"label":"c[1]"' out
	[[ $stderr == *'step "b": its arguments come out of /steps/a/summary'* ]]
	[ ! -e "$WV_STATE" ]
}

@test "next: what is ready, of a new run" {
	flow 'a t.echo' 'b t.echo needs: [a]' 'c t.echo'
	run -0 wv-flow flow.yaml --kernel false --next --input '{}'
	[ "$(grep -o '"label":"[a-z]*"' <<<"$output" | tr -d '\n')" = '"label":"a""label":"c"' ]
	[ ! -e "$WV_STATE" ]
}

@test "deadlines of a flow bound what is within it" {
	printf 'version: 1\nname: test\ndeadline: 20m\nsteps:\n  - {id: a, capability: t.fail, timeout: 1h, retry: {max: 2, backoff: 30m}}\n' >flow.yaml
	run -1 run_flow
	grep -qE '"x_wv_timeout_ms":1[12][0-9]{5},' "$KERNEL_LOG"
	[ "$(wc -l <"$KERNEL_LOG")" = 1 ]
	printf 'version: 1\nname: test\ndeadline: 1ms\nsteps:\n  - {id: a, capability: t.fail, retry: {max: 2, backoff: 30m}}\n  - {id: b, capability: t.echo}\n' >flow.yaml
	run run_flow
	[[ $output == *'"flow.test"'* ]]
}

@test "progress, on a terminal, of what takes long" {
	script -qec true /dev/null >/dev/null 2>&1 || skip 'no pseudo-terminal'
	flow 'a t.lazy' 'b t.echo needs: [a]'
	timeout 30 script -qec "wv-flow flow.yaml --kernel \"$kernel\" --input '{}' >out" /dev/null >seen
	grep -q 'wv-flow: 0 of 2 steps, under way: a' seen
	[ "$(wc -l <out)" = 1 ]
	run --separate-stderr -0 run_flow
	[ -z "$stderr" ]
}

@test "10,000 steps in a chain: in time, and each is told" {
	awk 'BEGIN {
		printf "{\"version\":1,\"name\":\"long\",\"outputs\":{\"v\":1},\"steps\":["
		for (i = 0; i < 10000; i++)
			printf "%s{\"id\":\"s%d\",\"capability\":\"t.x\",\"if\":{\"from\":\"/input\",\"is\":false}%s}", i ? "," : "", i, i ? ",\"needs\":[\"s" i - 1 "\"]" : ""
		print "]}"
	}' >long.json
	timeout 20 wv-flow long.json --kernel false --input '{}' >out
	grep -q '0 of 10000 steps succeeded, 10000 skipped' out
	[ "$(grep -c '"x_wv_code":"skipped"' "$WV_STATE/audit.jsonl")" = 10000 ]
	fails_with 1 'more than 9999 steps' wv-flow --lint --max-steps 9999 long.json
}

@test "a journal that cannot be made: status 2, nothing runs" {
	flow 'a t.echo'
	run_flow >out
	rm -r "$WV_STATE/flows" "$KERNEL_LOG"
	: >"$WV_STATE/flows"
	run -2 run_flow
	[[ $output == *'flows'* ]]
	[ ! -e "$KERNEL_LOG" ]
}

@test "handle: what a step stored goes to a tool, and not through here" {
	cat >tools.yaml <<-'END'
	version: 1
	tools:
	  - {capability: t.lines, source: exec, command: [seq, -f, "%05g", "{most}"]}
	  - {capability: t.count, source: exec, command: [sh, -c, 'printf %s "$1" | tee got | wc -l', sh, "{text}"]}
	  - {capability: wv.handle.resolve, source: builtin}
	END
	printf 'version: 1\nrules:\n- {name: all, effect: allow, match: {capability: ["t.**", wv.handle.resolve]}}\n' >policy.yaml
	wv-token issue --principal p --scope 't.*' --scope wv.handle.resolve --ttl 1h >token.json
	flow 'a t.lines arguments: {most: 20000}' \
		'b t.count needs: [a], arguments: {text: {handle: /steps/a/handle_refs/0}}'
	wv-flow flow.yaml -T tools.yaml -p policy.yaml -k token.json --input '{}' >out
	seq -f %05g 20000 | cmp - got
	grep -qF '"structured_data":{"b":{"value":20000}}' out
	grep -c '"event_type":"handle_resolved"' "$WV_STATE/audit.jsonl" | grep -x 1
	run -1 grep -rlF 12345 "$WV_STATE/flows" "$WV_STATE/audit.jsonl" out
	sound
	# the token's scope has to cover the reading too
	wv-token issue --principal p --scope 't.*' --ttl 1h >token.json
	run -1 wv-flow flow.yaml -T tools.yaml -p policy.yaml -k token.json --input '{}'
	[[ $output == *"the token's scope does not cover wv.handle.resolve"* ]]
}

@test "what this version cannot run is refused" {
	flow 'a t.echo'
	mv flow.yaml inner.yaml
	printf 'version: 1\nname: outer\nsteps:\n  - {id: a, flow: inner.yaml, retry: {max: 1}}\n' >flow.yaml
	run -2 run_flow
	[[ $output == *'retry: a step that is a flow is not tried again; its steps can be'* ]]
	[ ! -e "$KERNEL_LOG" ]
}
