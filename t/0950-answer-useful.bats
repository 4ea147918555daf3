#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-answer on conversations as they happen (data/answer): the answer to the
# question at their end is still there at a quarter of the size.

load lib

# size_of NAME: of all of it
size_of() {
	wv-answer --history "$data/$1.jsonl" --budget 1000000 --stats \
		</dev/null 2>&1 >/dev/null | sed -n 's/.*; \([0-9]*\) of .*/\1/p'
}

@test "the answer survives at half and at a quarter of the size" {
	data="$BATS_TEST_DIRNAME/data/answer"
	while IFS=$'\t' read -r name answer; do
		size=$(size_of "$name")
		for part in 1 2 4; do
			wv-answer --history "$data/$name.jsonl" \
				--budget $((size / part)) </dev/null >"$BATS_TEST_TMPDIR/out"
			grep -qF -- "$answer" "$BATS_TEST_TMPDIR/out" ||
				{ echo "$name at 1/$part: no $answer"; return 1; }
		done
	done <"$data/QUESTIONS"
}
