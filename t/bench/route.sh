#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wv-route's ranking beside minisearch and okapibm25, in one run: how often a
# right tool is first and among the first five (MetaTool: 199 tools, 4,000
# queries, both halves apart; weights were found on the first half), and CPU
# time at 199, 1,000 and 10,000 tools.
#
#	t/bench/route.sh DATA
#
# DATA is the folder with metatool-*.jsonl.  Wants bench/route (this folder's
# route.c, built) in the current folder, node, npm and the npm registry; what
# it installs goes to $WV_BENCH_DIR (~/.cache/wv-bench).
set -eu
data=${1:?the folder with metatool-capabilities.jsonl}
here=$(cd "$(dirname "$0")" && pwd)
cache=${WV_BENCH_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/wv-bench}
export WV_BENCH_MODULES=$cache/node_modules
work=$(mktemp -d "${TMPDIR:-/tmp}/wv-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
route=${WV_BENCH_ROUTE:-./bench/route}
tools=$data/metatool-capabilities.jsonl
queries=$data/metatool-queries.jsonl
examples=$data/metatool-examples.jsonl

peers='minisearch okapibm25'
if [ ! -d "$WV_BENCH_MODULES/minisearch" ] ||
	[ ! -d "$WV_BENCH_MODULES/okapibm25" ]; then
	mkdir -p "$cache"
	if ! (cd "$cache" && npm install --no-audit --no-fund \
		--ignore-scripts minisearch okapibm25 >/dev/null); then
		echo 'SKIPPED: minisearch and okapibm25 cannot be installed' >&2
		peers=
	fi
fi

# many COUNT: a catalogue of tools that do not repeat each other
many() {
	awk -v n="$1" 'BEGIN {
		srand(1)
		split("create list get update delete search close open", verb)
		split("issue comment board user label invoice ticket", noun)
		for (i = 0; i < 3000; i++) {
			word[i] = ""
			for (k = 0; k < 3; k++)
				word[i] = word[i] substr("bcdfglmnprstv", \
				1 + int(rand() * 13), 1) substr("aeiou", \
				1 + int(rand() * 5), 1)
		}
		for (i = 0; i < n; i++) {
			v = verb[1 + i % 8]; o = noun[1 + int(i / 8) % 7]
			text = v " a " o " of"
			for (k = 0; k < 12; k++)
				text = text " " word[int(rand() ^ 2 * 3000)]
			printf "{\"id\":\"s%d.%s_%s_%d\",\"name\":\"%s %s %s\"," \
				"\"version\":\"1\",\"description\":\"%s.\"}\n", \
				i / 200, v, o, i, v, o, \
				word[i % 3000], text
		}
	}'
}

row() { printf '%-12s %s\n' "$1" "$2"; }

echo "== descriptions alone (first half, second half)"
row wv-route "$("$route" "$tools" "$queries")"
for p in $peers; do
	row "$p" "$(node "$here/route.cjs" "$p" "$tools" "$queries")"
done
echo "== with ten examples a tool"
row wv-route "$("$route" "$tools" "$queries" "$examples")"
for p in $peers; do
	row "$p" "$(node "$here/route.cjs" "$p" "$tools" "$queries" "$examples")"
done
for n in 1000 10000; do
	many $n >"$work/$n.jsonl"
	head -n 400 "$queries" >"$work/queries"
	echo "== $n tools, time alone"
	row wv-route "$("$route" "$work/$n.jsonl" "$work/queries" |
		sed 's/.*  //')"
	for p in $peers; do
		row "$p" "$(WV_BENCH_MOST=$((200000 / n)) node \
			"$here/route.cjs" "$p" "$work/$n.jsonl" \
			"$work/queries" | sed 's/.*  //')"
	done
done
