#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The JSON-Schema-Test-Suite: every required test of five drafts, and the
# formats of two.  schema-suite (t/suite/suite.c) runs it; none may fail, and
# none of the folders may be empty.

load lib

setup() {
	need_data json-schema-test-suite
	# shellcheck disable=SC2154 # lib.bash sets it
	suite="$shared_data/json-schema-test-suite"
}

# run_suite COUNT ARG…: at least COUNT tests, and all of them pass.
run_suite() {
	local least="$1" passed
	shift
	run -0 schema-suite "$@"
	printf '%s\n' "$output" >&3
	passed="$(awk '/ passed, 0 failed$/ { n += $(NF - 3) } END { print n }' \
		<<<"$output")"
	[ "$passed" -ge "$least" ]
}

@test "every required test of every draft passes" {
	run_suite 4942 --remotes "$suite/remotes" \
		"$suite"/tests/draft{4,6,7,2019-09,2020-12}
}

@test "every format test of drafts 7 and 2020-12 passes, asserted" {
	run_suite 1440 --assert-format --remotes "$suite/remotes" \
		"$suite"/tests/draft{7,2020-12}/optional/format
}

@test "a failure is told and is no success" {
	mkdir "$BATS_TEST_TMPDIR/draft7" "$BATS_TEST_TMPDIR/draft4"
	cat >"$BATS_TEST_TMPDIR/draft7/wrong.json" <<'END'
[{"description": "g", "schema": {"type": "null"},
  "tests": [{"description": "t", "data": 1, "valid": true}]}]
END
	run -1 schema-suite --remotes . "$BATS_TEST_TMPDIR/draft7"
	[[ "$output" == *"g: t: want 1, got 0"*"0 passed, 1 failed" ]]
	run -1 schema-suite --remotes . "$BATS_TEST_TMPDIR/draft4"
	[[ "$output" == *"0 passed, 0 failed" ]]
}
