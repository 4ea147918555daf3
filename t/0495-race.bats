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

@test "a single-use token: one allow, 49 denials" {
	wv-token issue --principal agent-7 --scope org.demo.run --single-use \
		>token.json
	for i in $(seq 50); do
		wv-authorize -p policy.yaml -k token.json request.jsonl \
			>decision-$i 2>err-$i 3>&- &
	done
	wait
	cat decision-* >decisions
	[ "$(wc -l <decisions)" = 50 ]
	[ "$(grep -c '"decision":"allow"' decisions)" = 1 ]
	[ "$(grep -c '"x_wv_code":"token_spent"' decisions)" = 49 ]
	[ "$(count --event authorized)" = 1 ]
	[ "$(count --event denied --code token_spent)" = 49 ]
	[ "$(count --event invalidated --code token_spent)" = 1 ]
	wv-trace verify
}

@test "one decision: one execution, 49 refusals" {
	wv-token issue --principal agent-7 --scope org.demo.run --ttl 1h \
		>token.json
	wv-authorize -p policy.yaml -k token.json request.jsonl >decision.jsonl
	for i in $(seq 50); do
		wv-call -T tools.yaml decision.jsonl >frame-$i 2>err-$i 3>&- &
	done
	wait
	[ "$(wc -l <runs)" = 1 ]
	[ "$(cat frame-* | grep -c '"frame_id"')" = 1 ]
	[ "$(cat frame-* | grep -c '"x_wv_code":"decision_consumed"')" = 49 ]
	[ "$(count --event executed)" = 1 ]
	[ "$(count --event denied --code decision_consumed)" = 49 ]
	wv-trace verify
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
