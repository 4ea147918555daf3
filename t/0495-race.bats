#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Fifty processes want the same: exactly one gets it (cases D9).

load lib

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	cat >policy.yaml <<-'END'
	version: 1
	default: deny
	rules:
	  - name: all
	    effect: allow
	    match: {capability: ["org.demo.*"]}
	END
	cat >tools.yaml <<-END
	version: 1
	tools:
	  - capability: org.demo.run
	    source: exec
	    command: [sh, -c, 'echo ran >>$PWD/runs; echo done']
	END
	printf '{"id":"rd-1","choice_cards":[{"id":"c","items":[{"id":"i",' >request.jsonl
	printf '"label":"l","description":"d","capability_id":"org.demo.run"' >>request.jsonl
	printf '}]}],"selected_item_id":"i","selected_card_id":"c",' >>request.jsonl
	printf '"timestamp":"2026-01-01T00:00:00Z"}\n' >>request.jsonl
}

count() {
	wv-trace --count "$@" || [ $? = 1 ]
}

# `make check` takes two rounds, `make check-long` (WV_LONG) a hundred.
rounds() {
	[ -z "$WV_LONG" ] && seq 2 || seq 100
}

# race FILE COMMAND…: fifty at once, which all wait for the same start; what
# they say is in FILE
race() {
	local said=$1 i
	shift
	rm -f gate said-* err-*
	mkfifo gate
	exec 9<>gate
	for i in $(seq 50); do
		{
			read -r _ <&9
			exec "$@" >said-$i 2>err-$i 9>&-
		} 3>&- &
	done
	# as many as can be are there; who comes later is let through too
	sleep 0.2
	printf '%050d' 0 | tr 0 '\n' >&9
	wait
	exec 9>&-
	cat said-* >"$said"
}

@test "a single-use token: one allow, 49 denials" {
	for round in $(rounds); do
		wv-token issue --principal agent-7 --scope org.demo.run \
			--single-use >token.json
		race decisions wv-authorize -p policy.yaml -k token.json \
			request.jsonl
		[ "$(wc -l <decisions)" = 50 ]
		[ "$(grep -c '"decision":"allow"' decisions)" = 1 ]
		[ "$(grep -c '"x_wv_code":"token_spent"' decisions)" = 49 ]
		[ "$(count --event authorized)" = $round ]
		[ "$(count --event denied --code token_spent)" = $((49 * round)) ]
		[ "$(count --event invalidated --code token_spent)" = $round ]
	done
	wv-trace verify
}

# what is spent is the root, whatever it was narrowed to
@test "fifty narrowed from one single-use token: one allow" {
	wv-token issue --principal agent-7 --scope 'org.demo.*' --single-use \
		>root.json
	for i in $(seq 50); do
		wv-token narrow --scope org.demo.run root.json >token-$i.json
	done
	for i in $(seq 50); do
		wv-authorize -p policy.yaml -k token-$i.json request.jsonl \
			>said-$i 2>err-$i 3>&- &
	done
	wait
	cat said-* >decisions
	[ "$(grep -c '"decision":"allow"' decisions)" = 1 ]
	[ "$(grep -c '"x_wv_code":"token_spent"' decisions)" = 49 ]
	wv-trace verify
}

@test "one decision: one execution, 49 refusals" {
	wv-token issue --principal agent-7 --scope org.demo.run --ttl 1h \
		>token.json
	for round in $(rounds); do
		rm -f runs
		wv-authorize -p policy.yaml -k token.json request.jsonl \
			>decision.jsonl
		race frames wv-call -T tools.yaml decision.jsonl
		[ "$(wc -l <runs)" = 1 ]
		[ "$(grep -c '"frame_id"' frames)" = 1 ]
		[ "$(grep -c '"x_wv_code":"decision_consumed"' frames)" = 49 ]
		[ "$(count --event executed)" = $round ]
		[ "$(count --event denied --code decision_consumed)" = $((49 * round)) ]
	done
	wv-trace verify
}

@test "a rate of 7: seven allows, 43 denials" {
	sed 's/"org.demo.\*"\]}/&\n    limit: {count: 7, per: 1h, by: [principal]}/' \
		policy.yaml >rate.yaml
	grep -q 'count: 7' rate.yaml
	for round in $(rounds); do
		wv-token issue --principal agent-$round --scope org.demo.run \
			--ttl 1h >token.json
		race decisions wv-authorize -p rate.yaml -k token.json \
			request.jsonl
		[ "$(grep -c '"decision":"allow"' decisions)" = 7 ]
		[ "$(grep -c '"x_wv_code":"rate_limited"' decisions)" = 43 ]
	done
	[ "$(count --event authorized)" = $((7 * round)) ]
	wv-trace verify
}

@test "issuing, narrowing and revoking at once: nothing is lost" {
	wv-token issue --principal agent-7 --scope 'org.demo.*' --ttl 1h \
		>root.json
	for i in $(seq 17); do
		wv-token issue --principal agent-7 --scope org.demo.run \
			--ttl 1h >issued-$i 2>err-i$i 3>&- &
		wv-token narrow --scope org.demo.run root.json \
			>narrowed-$i 2>err-n$i 3>&- &
		wv-token revoke tok-$i >revoked-$i 2>err-r$i 3>&- &
	done
	wait
	cat err-*
	wv-trace verify
	[ "$(cat issued-* narrowed-* | jq -r .token_id | sort -u | wc -l)" = 34 ]
	[ "$(count --event issued)" = 35 ]
	[ "$(count --event invalidated)" = 17 ]
	# each is known to the store as it was emitted
	cat issued-* narrowed-* >all.jsonl
	[ "$(wv-token verify all.jsonl | wc -l)" = 34 ]
	wv-token revoke "$(jq -r .token_id root.json)"
	run -1 wv-token verify all.jsonl
	[ "${#lines[@]}" -ge 17 ]
}

@test "the first use of a state: fifty make it, one state is made" {
	for i in $(seq 50); do
		wv-token issue --principal agent-7 --scope org.demo.run \
			--ttl 1h >token-$i 2>err-$i 3>&- &
	done
	wait
	cat err-*
	[ "$(cat token-* | wc -l)" = 50 ]
	[ "$(count --event issued)" = 50 ]
	wv-trace verify
}

@test "readers and writers at once: every reader sees a whole log" {
	wv-token issue --principal agent-7 --scope org.demo.run --ttl 1h \
		>token.json
	for i in $(seq 20); do
		wv-token revoke tok-$i 2>err-w$i 3>&- &
		wv-trace verify >seen-$i 2>err-r$i 3>&- &
	done
	wait
	cat err-w*
	[ "$(cat seen-* | grep -c '"faults":0,"notes":0}')" = 20 ]
	[ "$(count --event invalidated)" = 20 ]
}

# seconds that writers write: five, or in `make check-long` sixty
@test "eighty append at once while the log rotates: every event is there once (cases E43)" {
	local seconds=5 i n rotations=0
	[ -z "$WV_LONG" ] || seconds=60
	wv-token init
	mkfifo clock
	exec 8<>clock
	for i in $(seq 80); do
		{
			SECONDS=0
			n=0
			while [ $SECONDS -lt $seconds ]; do
				n=$((n + 1))
				printf '{"event_id":"w%d-%d","event_type":"flow_started","timestamp":"2026-01-01T00:00:00Z"}\n' \
					$i $n
				read -rt 0.1 -u 8 _ || :
			done
			echo $n >wrote-$i
		} 3>&- | wv-trace append --foreign w$i >out-$i 2>err-$i 3>&- 8>&- &
	done
	SECONDS=0
	while [ $SECONDS -lt $seconds ]; do
		read -rt 1 -u 8 _ || :
		wv-trace rotate >rotated 2>err
		rotations=$((rotations + $(wc -l <rotated)))
	done
	wait
	exec 8>&-
	cat err-*
	[ "$rotations" -ge 2 ]
	wv-trace verify >verdict
	cat "$WV_STATE"/audit.jsonl* | grep -o '"event_id":"[^"]*"' | sort >got
	n=$(cat wrote-* | awk '{ n += $1 } END { print n }')
	[ "$(wc -l <got)" = "$n" ]
	[ -z "$(uniq -d got)" ]
	grep -q "\"files\":$((rotations + 1)),.*\"lines\":$n,.*\"faults\":0" verdict
}
