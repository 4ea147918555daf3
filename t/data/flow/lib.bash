# SPDX-License-Identifier: Apache-2.0
# What the tests of wv-flow share; kernel.bash is a kernel whose answers are
# known.
# shellcheck shell=bash

# a state of its own, and $kernel, which logs to $KERNEL_LOG
use_kernel() {
	cd "$BATS_TEST_TMPDIR" || return
	use_state
	export KERNEL_LOG="$BATS_TEST_TMPDIR/kernel.log"
	kernel="bash '$BATS_TEST_DIRNAME/data/flow/kernel.bash'"
}

run_flow() {
	timeout 30 wv-flow flow.yaml --kernel "$kernel" "$@"
}

# flow LINE…: a flow file of these steps, each `id capability [MEMBERS]`
flow() {
	printf 'version: 1\nname: test\nsteps:\n' >flow.yaml
	local step id capability more
	for step; do
		read -r id capability more <<<"$step"
		printf '  - {id: %s, capability: %s%s}\n' "$id" "$capability" \
			"${more:+, $more}" >>flow.yaml
	done
}

# LEG:STEP:OUTCOME/CODE of each step that ended, in the order of the log
legs() {
	awk '/"flow_step_completed"/ {
		match($0, /"leg":[0-9]*/)
		leg = substr($0, RSTART + 6, RLENGTH - 6)
		match($0, /"step_id":"[^"]*"/)
		step = substr($0, RSTART + 11, RLENGTH - 12)
		match($0, /"outcome":"[^"]*"/)
		out = substr($0, RSTART + 11, RLENGTH - 12)
		code = match($0, /"x_wv_code":"[^"]*"/) ? substr($0, RSTART + 13, RLENGTH - 14) : ""
		printf "%s%s:%s:%s%s", n++ ? " " : "", leg, step, out, code == "" ? "" : "/" code
	} END { print "" }' "$WV_STATE/audit.jsonl"
}

# the same without the legs
ends() {
	legs | sed -E 's/(^| )[0-9]+:/\1/g'
}

# the log is sound, and each leg that was not killed pairs what it began
sound() {
	wv-trace verify --lifecycle >told 2>&1 || { cat told; false; }
}
