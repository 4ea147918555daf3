# SPDX-License-Identifier: Apache-2.0
# Loaded by every .bats file: `load lib`.  Programs are found on PATH, inputs
# beside the test, scratch in $BATS_TEST_TMPDIR; nothing of the caller's
# environment reaches a tool.

bats_require_minimum_version 1.5.0

unset WV_STATE WV_CATALOG WV_POLICY WV_TOOLS WV_TOKEN WV_KEYRING WV_PRINCIPAL
unset WV_IDS TRACEPARENT XDG_STATE_HOME NO_COLOR GITHUB_WORKSPACE
export LC_ALL=C TZ=UTC

# A state of this test's own; not made yet.
use_state() {
	export WV_STATE="$BATS_TEST_TMPDIR/state"
}

# The project's data and examples, wherever the tests run from.
top_srcdir="${top_srcdir:-$BATS_TEST_DIRNAME/..}"

# Shared payloads for tests; absent outside the development tree.
shared_data="${WV_TEST_DATA:-$top_srcdir/../shared/data}"

need_data() {
	[ -d "$shared_data/$1" ] || skip "no test data: $shared_data/$1"
}

# `piped 'a | b' ARG…`: a pipeline under pipefail, with $1… inside it.
piped() {
	local script="$1"
	shift
	bash -o pipefail -c "$script" piped "$@"
}

# fails_with STATUS TEXT COMMAND…: the status, and TEXT on stderr.
fails_with() {
	local want="$1" text="$2"
	shift 2
	run --separate-stderr "-$want" timeout 20 "$@"
	# shellcheck disable=SC2154 # run sets it
	if [[ "$stderr" != *"$text"* ]]; then
		printf 'expected on stderr: %s\ngot: %s\n' "$text" "$stderr"
		return 1
	fi
}

# told TEXT…: each is a part of some message
told() {
	local text
	for text; do
		grep -qF -- "$text" err || {
			echo "not told: $text"
			cat err
			return 1
		}
	done
}
