#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Limits that every tool shares: each has an option and its own message.

load lib

setup() {
	use_state
	# the sources of `make distcheck` are read-only
	cp "$top_srcdir"/share/examples/*.yaml "$BATS_TEST_TMPDIR"
	chmod u+w "$BATS_TEST_TMPDIR"/*.yaml
	cd "$BATS_TEST_TMPDIR"
	printf '# %0100000d\n' 0 >>tools.yaml
	printf '# %0100000d\n' 0 >>policy.yaml
	printf '# %0100000d\n' 0 >>flow.yaml
}

@test "--max-yaml bounds every YAML file that a tool reads" {
	run -0 wv-route -c tools.yaml -e 'count lines' </dev/null
	fails_with 2 'YAML longer than 65536 bytes (--max-yaml)' \
		wv-route --max-yaml 64K -c tools.yaml -e 'count lines'
	fails_with 2 'YAML longer than 65536 bytes (--max-yaml)' \
		wv-authorize --max-yaml 64K -p policy.yaml --lint policy.yaml
	fails_with 2 'YAML longer than 65536 bytes (--max-yaml)' \
		wv-call --max-yaml 64K -T tools.yaml
	fails_with 2 'YAML longer than 65536 bytes (--max-yaml)' \
		wv-flow --max-yaml 64K --lint flow.yaml
}
