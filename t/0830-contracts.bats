#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The 33 contracts as wv-validate sees them: samples, negatives, t/data, what
# it prints of them, and the reference page.  t/unit/contract-data.c compares
# their schemas with the specification, t/unit/contract-mutants.c breaks each
# constraint.

load lib

setup() {
	cd "$BATS_TEST_TMPDIR"
	data="$top_srcdir/t/data/contracts"
}

# judge STATUS [OPTION…]: the status; verdicts in out.jsonl, messages in err
judge() {
	local want=$1 status=0
	shift
	timeout 60 wv-validate -f verdicts "$@" >out.jsonl 2>err || status=$?
	[ "$status" = "$want" ] || {
		echo "status $status, not $want: wv-validate $*"
		cat err out.jsonl
		return 1
	}
}

# fails POINTER KEYWORD: an error of the one verdict
fails() {
	[ "$(wc -l <out.jsonl)" = 1 ]
	grep -qF "\"instanceLocation\":\"$1\",\"keywordLocation\":\"$2\"" \
		out.jsonl || {
		cat out.jsonl
		return 1
	}
}

@test "all 33 are listed, by the names of their files" {
	run -0 wv-validate --list-types
	[ "${#lines[@]}" = 33 ]
	printf '%s\n' "${lines[@]}" | sort >listed
	for file in "$top_srcdir"/schemas/core/* \
		"$top_srcdir"/schemas/extended/*; do
		basename "$file" .schema.json
	done | sort | cmp - listed
}

@test "their schemas are printed as they are installed" {
	local folder file type
	for folder in core extended; do
		for file in "$top_srcdir/schemas/$folder"/*; do
			type=$(basename "$file" .schema.json)
			wv-validate --print-schema "$type" | cmp - "$file"
		done
	done
}

@test "their schemas are schemas, with nothing for lint to tell" {
	local uri=https://weaver-spec.dev/contracts/v0
	run -0 --separate-stderr wv-validate \
		--resolve "$uri=$top_srcdir/schemas/core" \
		--resolve "$uri/extended=$top_srcdir/schemas/extended" \
		--lint "$top_srcdir"/schemas/core/* "$top_srcdir"/schemas/extended/*
	[[ "$stderr" != *warning:* ]]
}

@test "the example of each is valid, strictly" {
	for type in $(wv-validate --list-types); do
		wv-validate --print-example "$type" >"$type.json"
		judge 0 --strict --warn-unknown -t "$type" "$type.json"
		grep -qF '"errors":[]' out.jsonl
	done
}

@test "the samples of the specification are valid" {
	need_data weaver/samples
	local file type count=0
	for file in "$shared_data"/weaver/samples/*.json; do
		type=$(basename "$file" .json)
		judge 0 --strict --warn-unknown -t "${type%_with_handles}" \
			"$file"
		grep -qF '"errors":[]' out.jsonl
		count=$((count + 1))
	done
	[ "$count" -ge 22 ]
}

@test "the negatives are invalid for the reason in their names" {
	need_data weaver/negative
	local dir="$shared_data/weaver/negative"
	[ "$(find "$dir" -type f | wc -l)" = 7 ]
	judge 1 "$dir/capability_token/empty_scope.json"
	fails /scope /properties/scope/minItems
	judge 1 "$dir/capability_token/no_expiry_no_single_use.json"
	grep -qF 'needs expires_at, or single_use: true' out.jsonl
	judge 1 "$dir/frame/missing_summary.json"
	fails '' /required
	grep -qF 'needs summary' out.jsonl
	judge 1 "$dir/policy_decision/bad_decision_enum.json"
	fails /decision /properties/decision/enum
	judge 1 "$dir/routing_decision/empty_choice_cards.json"
	fails /choice_cards /properties/choice_cards/minItems
	judge 1 "$dir/trace_bundle/i01_frame_carries_raw_output.json"
	fails /frames/0/raw_output I-01
	judge 0 --schema-only "$dir/trace_bundle/i01_frame_carries_raw_output.json"
	judge 1 "$dir/trace_event/bad_event_type.json"
	fails /event_type /properties/event_type/enum
}

@test "t/data/contracts: what is valid and what is not, of each" {
	for type in $(wv-validate --list-types); do
		judge 0 --strict -t "$type" "$data/$type.jsonl"
		run ! grep -v '"errors":\[\]' out.jsonl
		judge 1 -t "$type" "$data/$type.invalid.jsonl"
		run ! grep '"valid":true' out.jsonl
		[ "$(wc -l <out.jsonl)" = "$(wc -l <"$data/$type.invalid.jsonl")" ]
	done
	[ "$(find "$data" -type f | wc -l)" = 66 ]
}

@test "I-02: a decision that no event names" {
	head -n 1 "$data/trace_bundle.jsonl" |
		sed 's/"decision_id":"d","frame_id"/"decision_id":"other","frame_id"/' \
			>bundle.jsonl
	judge 1 bundle.jsonl
	fails /policy_decisions/0/decision_id I-02
}

@test "an attached Extended object is a warning, strictly an error" {
	sed -n '2s/}$/,"metadata":{"confidence_score":2}}/p' \
		"$data/frame.jsonl" >frame.jsonl
	judge 0 frame.jsonl
	grep -qF /metadata/confidence_score out.jsonl
	wv-validate -t frame frame.jsonl 2>err | cmp - frame.jsonl
	grep -qF 'warning' err
	judge 1 --strict frame.jsonl
	fails /metadata/confidence_score /properties/confidence_score/maximum
}

@test "members that are nearly named right, on request" {
	sed -n '2s/}$/,"expiresAt":null,"x_expires_at":1}/p' \
		"$data/handle.jsonl" >handle.jsonl
	judge 0 handle.jsonl
	run ! grep -qF expires_at out.jsonl
	judge 0 --warn-unknown handle.jsonl
	grep -qF 'unknown member \"expiresAt\" (did you mean \"expires_at\"?)' \
		out.jsonl
	[ "$(grep -o did.you.mean out.jsonl | wc -l)" = 1 ]
}

@test "wv-contracts(5) is what the schemas say" {
	contracts-page >page
	diff "$top_srcdir/doc/wv-contracts.5" page
}
