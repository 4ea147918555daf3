#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-flow: runs that go on after their process died, and runs shown again.
# t.crash kills wv-flow when it is first called.

load lib
load data/flow/lib

setup() {
	use_kernel
}

# a run that its kernel kills; its id is in $id
crash() {
	rm -rf "$WV_STATE" "$KERNEL_LOG"*
	status=0
	wv-flow flow.yaml --kernel "$kernel" --input "${1:-{\}}" >out 2>&1 ||
		status=$?
	[ "$status" = 137 ]
	find_run
}

find_run() {
	local file
	for file in "$WV_STATE"/flows/*; do
		id=${file##*/}
		id=${id%.jsonl}
	done
}

# what was sent, by label
sent() {
	grep -o '"label":"[^"]*"' "$KERNEL_LOG" | cut -d'"' -f4 | paste -sd' '
}

@test "a step that was sent and has no answer is unknown: the run stops" {
	flow 'a t.echo arguments: {x: {from: /input/x}}' 'b t.crash needs: [a]' \
		'c t.echo needs: [b], arguments: {x: {from: /steps/a/structured_data/got/x}}'
	crash '{"x":1.50}'
	[ "$(sent)" = 'a b' ]
	before=$(wc -l <"$WV_STATE/audit.jsonl")
	run --separate-stderr -2 run_flow --resume "$id"
	[[ $stderr == *'step "b" was sent, and nobody knows what became of it: --rerun b or --assume-done b'* ]]
	[ "$(sent)" = 'a b' ]
	[ "$before" = "$(wc -l <"$WV_STATE/audit.jsonl")" ]
	run_flow --resume "$id" --rerun b --all >out
	[ "$(sent)" = 'a b b c' ]
	# the whole run's output, what had succeeded from the journal
	[ "$(grep -o '"step_id":"[a-z]*"' out | tr -d '\n')" = '"step_id":"a""step_id":"b""step_id":"c"' ]
	tail -n 1 out | grep -qF '"structured_data":{"c":{"got":{"x":1.50}}}'
	tail -n 1 out | grep -q "\"run_id\":\"$id\""
	[ "$(legs)" = '0:a:success 1:b:success 1:c:success' ]
	[ "$(grep -c flow_started "$WV_STATE/audit.jsonl")" = 1 ]
	sound
}

@test "assume-done: the step counts as done, and the log says so (cases G19)" {
	flow 'a t.crash' 'b t.echo needs: [a], arguments: {x: {from: /steps/a/structured_data/x, default: 1}}'
	crash
	run_flow --resume "$id" --assume-done a >out
	[ "$(sent)" = 'a b' ]
	[ "$(legs)" = '1:a:partial/assumed 1:b:success' ]
	run_flow --resume "$id" >again
	cmp out again
	sound
}

@test "an idempotent step is sent again" {
	flow 'a t.crash idempotent: true'
	crash
	run_flow --resume "$id" >out
	[ "$(sent)" = 'a a' ]
	sound
}

@test "a complete run that is resumed is a no-op" {
	flow 'a t.echo' 'b t.fail needs: [a], on_error: continue'
	run_flow --input '{}' --all >out
	find_run
	cp "$WV_STATE/audit.jsonl" log
	cp "$WV_STATE/flows/$id.jsonl" journal
	run_flow --resume "$id" --all >again
	cmp out again
	cmp log "$WV_STATE/audit.jsonl"
	cmp journal "$WV_STATE/flows/$id.jsonl"
	[ "$(sent)" = 'a b' ]
	[ "$(stat -c %a "$WV_STATE/flows/$id.jsonl")" = 600 ]
}

@test "retry-failed: what failed and what was not begun runs (cases G17)" {
	flow 'a t.echo' 'b t.flaky needs: [a]' 'c t.echo needs: [b]'
	run -1 run_flow --input '{}'
	find_run
	run --separate-stderr -1 run_flow --resume "$id"
	[[ $stderr == *'--retry-failed tries again'* ]]
	[ "$(sent)" = 'a b' ]
	run -1 run_flow --resume "$id" --retry-failed
	[ "$(sent)" = 'a b b' ]
	sed -i s/t.flaky/t.echo/ flow.yaml
	run -2 run_flow --resume "$id" --retry-failed
	[[ $output == *'the flow has changed since; --accept-change goes on nevertheless'* ]]
	run_flow --resume "$id" --retry-failed --accept-change >out
	[ "$(sent)" = 'a b b b c' ]
	[ "$(legs)" = '0:a:success 0:b:failure/execution 0:c:partial/skipped 1:b:failure/execution 1:c:partial/skipped 2:b:success 2:c:success' ]
	run_flow --resume "$id" --retry-failed >again
	cmp out again
	sound
}

@test "another input is refused" {
	flow 'a t.crash idempotent: true'
	crash '{"x":1}'
	run -2 run_flow --resume "$id" --input '{"x":2}'
	[[ $output == *'the input has changed since'* ]]
	run_flow --resume "$id" --input '{"x":1.0}' >out
}

@test "branch, crash, resume: the other arm never runs" {
	flow 'a t.echo arguments: {x: 1}' \
		'b t.crash needs: [a], idempotent: true, if: {from: /steps/a/structured_data/got/x, is: {const: 1}}' \
		'c t.echo needs: [a], if: {from: /steps/a/structured_data/got/x, is: {const: 2}}' \
		'd t.echo needs: [b, c]'
	crash
	run_flow --resume "$id" >out
	[ "$(sent)" = 'a b b d' ]
	sound
}

@test "for_each: the items that are done stay done" {
	flow 'a t.rows' 'b t.crash needs: [a], idempotent: true, for_each: {from: /steps/a/structured_data/rows}, arguments: {from: /item}'
	crash
	[ "$(sent)" = 'a b[0]' ]
	rm "$KERNEL_LOG.crashed"
	sed -i 's/t.crash/t.echo/' flow.yaml
	run_flow --resume "$id" --accept-change >out
	[ "$(sent)" = 'a b[0] b[0] b[1] b[2] b[3]' ]
	grep -qF '"items":[{"got":{"i":1}},{"got":{"i":2}},{"got":{"i":3}},{"got":{"i":4}}]' out
	sound
	# the second of them
	flow 'a t.rows' 'b t.echo needs: [a], for_each: {from: /steps/a/structured_data/rows}, arguments: {from: /item}' \
		'c t.crash needs: [b]'
	crash
	run_flow --resume "$id" --rerun c --rerun 'b[1]' >out
	[ "$(sent)" = 'a b[0] b[1] b[2] b[3] c b[1] c' ]
	sound
}

@test "a flow within a flow goes on where it was" {
	flow 'x t.echo arguments: {from: /input}' 'w t.crash needs: [x]'
	mv flow.yaml inner.yaml
	printf 'version: 1\nname: outer\nsteps:\n  - {id: a, flow: inner.yaml, arguments: {v: 1}}\n' >flow.yaml
	crash
	run --separate-stderr -2 run_flow --resume "$id"
	[[ $stderr == *'--rerun a/w'* ]]
	run_flow --resume "$id" --rerun a/w >out
	[ "$(sent)" = 'a/x a/w a/w' ]
	[ "$(legs)" = '0:a/x:success 1:a/w:success 1:a:success' ]
	run_flow --resume "$id" >again
	cmp out again
	sound
}

@test "attempts that were made count" {
	flow 'a t.flaky retry: {max: 2}' 'b t.crash needs: [a]'
	crash
	run_flow --resume "$id" --rerun b >out
	[ "$(sent)" = 'a a a b b' ]
	# killed between two attempts
	flow 'a t.fail retry: {max: 3, backoff: 1h}'
	rm -rf "$WV_STATE" "$KERNEL_LOG"
	wv-flow flow.yaml --kernel "$kernel" --input '{}' 2>&1 3>&- &
	pid=$!
	for ((i = 0; i < 200; i++)); do
		grep -qs '"again"' "$WV_STATE"/flows/* && break
		sleep 0.02
	done
	kill -9 $pid
	wait $pid || true
	find_run
	sed -i 's/backoff: 1h/backoff: 1ms/' flow.yaml
	run -1 run_flow --resume "$id" --accept-change
	[ "$(sent)" = 'a a a a' ]
	sound
}

@test "a run that is running is not resumed" {
	flow 'a t.hang'
	wv-flow flow.yaml --kernel "$kernel" --input '{}' >out 2>&1 3>&- &
	pid=$!
	for ((i = 0; i < 200; i++)); do
		[ -s "$KERNEL_LOG.pid" ] && break
		sleep 0.02
	done
	find_run
	run -2 run_flow --resume "$id"
	[[ $output == *"run $id: it is being run"* ]]
	kill $pid
	wait $pid || true
}

@test "interrupted: goes on with what was not begun" {
	flow 'a t.echo' 'b t.hang needs: [a]' 'c t.echo needs: [b]'
	wv-flow flow.yaml --kernel "$kernel" --input '{}' >out 2>&1 3>&- &
	pid=$!
	for ((i = 0; i < 200; i++)); do
		[ -s "$KERNEL_LOG.pid" ] && break
		sleep 0.02
	done
	kill $pid
	wait $pid || true
	find_run
	run -2 run_flow --resume "$id"
	run_flow --resume "$id" --assume-done b >out
	[ "$(sent)" = 'a b c' ]
	[ "$(legs)" = '0:a:success 0:b:partial/cancelled 1:b:partial/assumed 1:c:success' ]
	sound
}

@test "a torn last line of the journal is none" {
	flow 'a t.echo' 'b t.crash needs: [a], idempotent: true'
	crash
	printf '{"step":"b","end":"succ' >>"$WV_STATE/flows/$id.jsonl"
	run_flow --resume "$id" >out
	[ "$(sent)" = 'a b b' ]
	run_flow --resume "$id" >again
	cmp out again
	printf 'x\n' >>"$WV_STATE/flows/$id.jsonl"
	run -2 run_flow --resume "$id"
}

@test "what the journal knows and the log does not is made up for" {
	flow 'a t.echo' 'b t.crash needs: [a], idempotent: true'
	crash
	# as if killed between journal and log
	printf '{"step":"b","end":"succeeded","attempt":1,"answer":{"frame_id":"f","structured_data":{"v":2},"summary":"x","handle_refs":[]}}\n' >>"$WV_STATE/flows/$id.jsonl"
	run_flow --resume "$id" >out
	[ "$(sent)" = 'a b' ]
	[ "$(legs)" = '0:a:success 0:b:success' ]
	sound
}

@test "replay: the same Frames, no kernel, nothing written" {
	flow 'a t.echo arguments: {x: 1}' 'b t.deny needs: [a], on_error: continue' \
		'c t.echo needs: [b], if: {from: /steps/a/structured_data/got/x, is: {const: 2}}'
	run_flow --input '{}' --all >out
	find_run
	cp "$WV_STATE/audit.jsonl" log
	wv-flow flow.yaml --kernel false --replay "$id" --all >again
	cmp log "$WV_STATE/audit.jsonl"
	grep -q '"step_id":"a","attempt":1,"replayed":true' again
	tail -n 1 again | grep -qF "\"run_id\":\"$id\",\"replayed\":true"
	strip() { sed 's/,"replayed":true//; s/"frame_id":"frm-[0-9A-Z]\{26\}"//; s/"created_at":"[^"]*"//g; s/"telemetry":{[^}]*}//g' "$1"; }
	diff <(strip out) <(strip again)
	wv-validate -t frame <(grep frame_id again) >/dev/null
	flow 'a t.echo' 'b t.crash needs: [a]'
	crash
	run -1 wv-flow flow.yaml --replay "$id"
	[[ $output == *'the journal has no answer to it'* ]]
}

@test "next: what is ready, of a run" {
	flow 'a t.echo arguments: {x: 1}' 'b t.crash needs: [a]' \
		'c t.echo needs: [a], arguments: {v: {from: /steps/a/structured_data/got/x}}'
	crash
	run --separate-stderr -0 wv-flow flow.yaml --next --kernel false --resume "$id"
	[[ $stderr == *'step "b" was sent, and has no answer yet'* ]]
	[ "${#lines[@]}" = 1 ]
	[[ $output == *'"x_wv_arguments":{"v":1}'* ]]
}

@test "misuse" {
	flow 'a t.echo'
	run_flow --input '{}' >out
	find_run
	fails_with 2 'there is no run run-0' wv-flow flow.yaml --resume run-0
	fails_with 2 'is no id of a run' wv-flow flow.yaml --resume ../kernel
	fails_with 2 'there is no such step' wv-flow flow.yaml --kernel false --resume "$id" --rerun b
	fails_with 2 'go with --resume' wv-flow flow.yaml --rerun a
	fails_with 2 'one of --resume and --replay' wv-flow flow.yaml --resume x --replay y
}

@test "the real kernel: never authorized is sent again, authorized is unknown" {
	cat >tools.yaml <<-'END'
		version: 1
		tools:
		  - {capability: t.kill, source: exec, command: [sh, kill.sh]}
		  - {capability: t.read, source: exec, command: [sh, kill.sh], read_only: true}
		  - {capability: t.say, source: exec, command: [echo, hello]}
	END
	printf 'version: 1\nrules:\n  - {name: all, effect: allow, match: {capability: ["t.*"]}}\n' >policy.yaml
	wv-token issue --principal tester --scope 't.*' --ttl 1h >token.json
	kernel=(-T tools.yaml -p policy.yaml -k token.json)
	flow 'a t.say' 'b t.kill needs: [a]' 'c t.say needs: [b]'
	start() {
		printf '[ -e done ] || { : >done; kill -9 $(cat pid); sleep 5; }\n' >kill.sh
		rm -f done
		bash -c 'echo $$ >pid; exec wv-flow flow.yaml "$@" --input {}' _ "${kernel[@]}" >out 2>&1 3>&- || true
		find_run
	}
	start
	run --separate-stderr -2 timeout 30 wv-flow flow.yaml "${kernel[@]}" --resume "$id"
	[[ $stderr == *'step "b" was sent'* ]]
	timeout 30 wv-flow flow.yaml "${kernel[@]}" --resume "$id" --rerun b >out
	[ "$(legs)" = '0:a:success 1:b:success 1:c:success' ]
	sound
	# read-only tools are idempotent
	rm "$WV_STATE"/flows/*
	flow 'a t.read' 'c t.say needs: [a]'
	start
	timeout 30 wv-flow flow.yaml "${kernel[@]}" --resume "$id" >out
	# sent, says the journal; but no kernel ever saw it
	rm "$WV_STATE"/flows/*
	flow 'a t.say' 'b t.say needs: [a]'
	timeout 30 wv-flow flow.yaml "${kernel[@]}" --input '{}' >out
	find_run
	sed -i -e '/^{"end"/d; /^{"step":"b"/d' -e 's/\("sent":"b".*"id":"\)[^"]*/\1rd-other/' "$WV_STATE/flows/$id.jsonl"
	timeout 30 wv-flow flow.yaml "${kernel[@]}" --resume "$id" >out
	grep -q '2 of 2 steps succeeded' out
	echo '# a change' >>tools.yaml
	fails_with 2 "the tools' file has changed" wv-flow flow.yaml "${kernel[@]}" --resume "$id"
	sound
}

@test "what one leg was told to take again, the next does" {
	flow 'a t.echo' 'b t.crash idempotent: true' 'c t.echo needs: [a, b]'
	crash
	[ "$(sent)" = 'a b' ]
	rm "$KERNEL_LOG.crashed"
	sed -i 's/idempotent: true/idempotent: true, needs: [a]/' flow.yaml
	# a begins again, b kills, and c has not run
	status=0
	run_flow --resume "$id" --accept-change --rerun a >out 2>&1 || status=$?
	[ "$status" = 137 ]
	[ "$(sent)" = 'a b a b' ]
	run_flow --resume "$id" >out
	[ "$(sent)" = 'a b a b b c' ]
	grep -q '"leg":1,.*"rerun":\["a"\]' "$WV_STATE/flows/$id.jsonl"
	sound
}
