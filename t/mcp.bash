# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# For tests of servers that speak the Model Context Protocol: decisions, calls
# and their answers, by the line.

# a state, a policy and a token that allow everything, and an empty tools.yaml
use_tools() {
	use_state
	cd "$BATS_TEST_TMPDIR" || return
	printf 'version: 1\nrules: [{name: all, effect: allow, match: {capability: ["org.demo.**"]}}]\n' >policy.yaml
	wv-token issue --principal agent-1 --scope 'org.demo.*' --ttl 1h >token.json
	printf 'version: 1\ntools:\n' >tools.yaml
}

# decided [CAPABILITY ARGUMENTS]…: d.jsonl
decided() {
	while [ $# -gt 0 ]; do
		printf '{"id":"rd-1","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d","capability_id":"org.demo.%s"}]}],"selected_item_id":"i","timestamp":"2026-01-01T00:00:00Z","metadata":{"x_wv_arguments":%s}}\n' "$1" "$2"
		shift 2
	done | wv-authorize -p policy.yaml -k token.json >d.jsonl
}

# calls STATUS [OPTION…] with d.jsonl: out, err
calls() {
	local want=$1 status=0
	shift
	timeout 60 wv-call -T tools.yaml "$@" d.jsonl >out 2>err 3>&- || status=$?
	[ "$status" = "$want" ] || {
		echo "status $status, want $want"
		cat out err
		return 1
	}
}

# line N TEXT…: each is a part of that line of out
line() {
	local got text
	got=$(sed -n "$1p" out)
	for text in "${@:2}"; do
		[[ $got == *"$text"* ]] || {
			echo "line $1, want $text: $got"
			return 1
		}
	done
}

# fails N CLASS TEXT: so is that line of out
fails() {
	line "$1" "\"error_class\":\"$2\"" "$3"
}

# refute_line N TEXT
refute_line() {
	if [[ $(sed -n "$1p" out) == *"$2"* ]]; then
		echo "line $1 has $2"
		return 1
	fi
}
