#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-flow: journals that were edited, kills between journal and log.

load lib
load data/flow/lib

setup() {
	use_kernel
}

# a run that its kernel kills; its id is in $id
crash() {
	status=0
	run_flow --input '{}' "$@" >out 2>&1 || status=$?
	[ "$status" = 137 ]
	id=$(basename "$WV_STATE"/flows/* .jsonl)
	journal="$WV_STATE/flows/$id.jsonl"
}

@test "for_each: what came back after an item had failed is not forgotten" {
	flow 'a t.rows' \
		'b t.pick needs: [a], on_error: continue, for_each: {from: /steps/a/structured_data/rows}, arguments: {from: /item}' \
		'c t.crash needs: [b], idempotent: true'
	printf 'outputs: {from: /steps/b/structured_data}\n' >>flow.yaml
	crash -j 4
	run_flow --resume "$id" -j 4 >out
	grep -qF '"items":[{"got":{"i":1}},{"status":"error"' out
	grep -qF '{"got":{"i":3}},{"got":{"i":4}}],"count":4,"failed":1' out
	sound
}

@test "the fallback of a flow is not sent twice" {
	flow 'x t.fail'
	mv flow.yaml inner.yaml
	printf 'version: 1\nname: outer\nsteps:\n  - {id: s, flow: inner.yaml, idempotent: true, on_error: {fallback: t.crash}}\n' >flow.yaml
	crash
	run -2 run_flow --resume "$id"
	[[ $output == *'--rerun s or --assume-done s'* ]]
	[ "$(grep -c t.crash "$KERNEL_LOG")" = 1 ]
}

@test "a journal that was edited is refused, or goes on" {
	flow 'a t.echo' 'b t.crash needs: [a], idempotent: true'
	crash
	cp "$journal" before
	for line in '{"step":"a"}' '{"step":"a","end":1}' '{"sent":"b"}' \
		'{"step":"a","end":"failed"}' '{"step":"a","end":"tolerated"}' \
		'{"item":"a","error":{}}' '{"step":"a","end":"failed","error":1}' \
		'{"step":"a","end":"succeeded","answer":[]}' \
		'{"end":"success","frame":1}' '{"frame":{}}' '[' 'x'; do
		cat before >"$journal"
		printf '%s\n' "$line" >>"$journal"
		for how in --resume --replay '--retry-failed --resume'; do
			run -2 run_flow $how "$id"
			[[ $output == *"run $id: "* ]]
		done
	done
}

@test "what is settled at once is told though the log never knew of it" {
	flow 'a t.echo' 'b t.crash needs: [a], idempotent: true' \
		'c t.echo needs: [a], if: {from: /input/no, is: {const: 1}, default: 0}'
	crash
	# as if the next leg was killed between journal and log
	hashes=$(grep -o '"flow_sha256":.*,"input"' "$journal")
	printf '{"leg":1,%s}\n' "${hashes%,*}" >>"$journal"
	printf '{"step":"c","end":"skipped"}\n{"step":"b","end":"assumed","answer":{}}\n' >>"$journal"
	run_flow --resume "$id" >out
	[ "$(legs | tr ' ' '\n' | sort | paste -sd' ')" = \
		'0:a:success 1:b:partial/assumed 1:c:partial/skipped' ]
	[ "$(grep -c t.crash "$KERNEL_LOG")" = 1 ]
	sound
}

@test "rerun and assume-done name what there is" {
	flow 'a t.echo' 'b t.crash needs: [a]'
	crash
	for name in 'b[0]' b/ b/a '' /; do
		run -2 run_flow --resume "$id" --rerun "$name"
		[[ $output == *'there is no such step'* ]]
	done
}

@test "a backoff beyond all time is no backoff at once" {
	flow 'a t.fail deadline: 1h, retry: {max: 3, backoff: 9223372036854775807ms, max_backoff: 9223372036854775807ms}'
	run -1 run_flow --input '{}'
	[ "$(wc -l <"$KERNEL_LOG")" = 1 ]
}

@test "killed before any write, with what was not on disk lost" {
	command -v "${CC:-cc}" >/dev/null || skip 'no C compiler'
	"${CC:-cc}" -D_GNU_SOURCE -shared -fPIC -O1 -o shim.so \
		"$BATS_TEST_DIRNAME/fault/shim.c" -ldl
	flow 'a t.echo idempotent: true' \
		'out t.echo needs: [a], if: {from: /input/no, is: {const: 1}, default: 0}' \
		'bad t.echo needs: [a], on_error: continue, arguments: {x: {from: /steps/a/structured_data/none}}' \
		'z t.echo needs: [bad], idempotent: true'
	stride=5
	[ -z "${WV_LONG:-}" ] || stride=1
	for ((k = 1;; k += stride)); do
		rm -rf "$WV_STATE"
		status=0
		bash -c 'env "$@" >out 2>err; exit' _ LD_PRELOAD="$PWD/shim.so" \
			ASAN_OPTIONS="verify_asan_link_order=0:${ASAN_OPTIONS:-}" \
			WV_FAULT_DIR="$WV_STATE" WV_FAULT_KILL=$k WV_FAULT_UNDO=1 \
			timeout 30 wv-flow flow.yaml --kernel "$kernel" \
			--input '{}' 2>told || status=$?
		[ "$status" != 0 ] || break
		[ "$status" = 137 ] || { cat err; false; }
		for file in "$WV_STATE"/flows/*; do
			[ -s "$file" ] || continue 2 # it never began
			id=$(basename "$file" .jsonl)
		done
		run_flow --resume "$id" >out
		[ "$(ends | tr ' ' '\n' | sort -u | paste -sd' ')" = \
			'a:success bad:partial/tolerated out:partial/skipped z:success' ] ||
			{ echo "$k: $(legs)"; false; }
		[ "$(ends | wc -w)" = 4 ]
		[ "$(grep -c '"flow_completed"' "$WV_STATE/audit.jsonl")" = 1 ]
		sound
	done
	[ "$k" -gt 40 ]
}
