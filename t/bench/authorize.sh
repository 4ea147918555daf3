#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wv-authorize beside a peer, side by side in one run: many decisions from a
# file, and one alone; then the syncs of a group.
#
#	t/bench/authorize.sh [RUNS [FOLDER]]
#
# Wants wv-authorize, wv-token and bench/compare built in the current folder,
# node, npm and the npm registry; what it installs goes to $WV_BENCH_DIR
# (~/.cache/wv-bench).  The state is made in FOLDER (default: a memory file
# system if there is one).  wv's decisions are recorded durably with their
# events; the peer only evaluates.
set -eu
runs=${1:-5}
here=$(cd "$(dirname "$0")" && pwd)
cache=${WV_BENCH_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/wv-bench}
export WV_BENCH_MODULES=$cache/node_modules
folder=${2:-/dev/shm}
[ -d "$folder" ] || folder=${TMPDIR:-/tmp}
work=$(mktemp -d "$folder/wv-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

if [ ! -d "$WV_BENCH_MODULES/@cedar-policy" ]; then
	mkdir -p "$cache"
	(cd "$cache" && npm install --no-audit --no-fund --ignore-scripts \
		@cedar-policy/cedar-wasm@4)
fi

requests() {
	awk -v count="$1" 'BEGIN {
		for (i = 1; i <= count; i++)
			printf "{\"id\":\"rd-%d\",\"choice_cards\":[{\"id\":" \
				"\"card\",\"items\":[{\"id\":\"item\"," \
				"\"label\":\"Search\",\"description\":" \
				"\"Search the texts.\",\"capability_id\":" \
				"\"org.demo.search_text\"}]}]," \
				"\"selected_item_id\":\"item\",\"timestamp\":" \
				"\"2026-01-02T03:04:05Z\",\"metadata\":" \
				"{\"x_wv_arguments\":{\"pattern\":\"w%d\"}}}\n",
				i, i
	}'
}

policy() {
	local i
	printf 'version: 1\ndefault: deny\nrules:\n'
	printf '  - {name: no deletes, effect: deny, match: {capability: ["org.demo.delete_*"]}}\n'
	for ((i = 0; i < $1; i++)); do
		printf '  - {name: rule %d, effect: allow, match: {capability: ["org.demo.%s*"], ' \
			"$i" "$([ "$i" = 0 ] || echo "part$i.")"
		printf 'arguments: {type: object, required: [pattern], properties: {pattern: {type: string}}, additionalProperties: false}}}\n'
	done
}

export WV_STATE=$work/state
./wv-token issue --principal agent-1 --scope 'org.demo.*' --ttl 1d \
	>"$work/token.json"
requests 100000 >"$work/many.jsonl"
requests 1 >"$work/one.jsonl"

for rules in 1 200; do
	policy "$rules" >"$work/policy-$rules.yaml"
	for size in many one; do
		printf '\n%s, %d rules and a deny\n' "$size" "$rules"
		bench/compare "$runs" "$(stat -c %s "$work/$size.jsonl")" \
			'wv-authorize' "./wv-authorize -q -p $work/policy-$rules.yaml -k $work/token.json $work/$size.jsonl >$work/out" \
			'cedar-wasm' "node $here/cedar.cjs $rules $work/$size.jsonl >$work/out"
	done
done

if command -v strace >/dev/null; then
	printf '\nsyncs of one decision, and of 1,024 in a group\n'
	head -1024 "$work/many.jsonl" >"$work/group.jsonl"
	for size in one group; do
		strace -f -c -e trace=fsync,fdatasync -o "$work/calls" \
			./wv-authorize -q -p "$work/policy-1.yaml" \
			-k "$work/token.json" "$work/$size.jsonl" >"$work/out"
		cat "$work/calls"
	done
fi
