#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How long wv-answer takes for a context of 6,000 tokens of a history of 150,
# 100,000 and 200,000 items, a third of which are raw results, and how much
# memory: the best of five runs, CPU time, as wall clock is shared.
#
#	t/bench/answer.sh
#
# Wants wv-answer on PATH, and bench/start built in the current folder: it
# tells the least and the median time of one start, wall clock.  For which
# budgets an answer survives is told by bench/answer.c.
set -eu
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# history N: a user turn, then calls with results, then what is made of them
history() {
	awk -v n="$1" '
		function words(k,    s) {
			while (k-- > 0)
				s = s " " substr("abcdefghijklmnopqrstuvwxyz", 1 + int(rand() * 20), 2 + int(rand() * 5)) int(rand() * 30)
			return s
		}
		BEGIN {
			srand(1)
			for (i = 0; i < n; i += 4) {
				printf "{\"id\":\"u%d\",\"kind\":\"user_turn\",\"text\":\"%s\"}\n", i, words(12)
				printf "{\"id\":\"c%d\",\"kind\":\"tool_call\",\"capability_id\":\"org.demo.look\",\"parent_id\":\"u%d\",\"text\":\"{\\\"q\\\":\\\"%s\\\"}\"}\n", i, i, words(2)
				printf "{\"id\":\"r%d\",\"kind\":\"tool_result\",\"parent_id\":\"c%d\",\"text\":\"%s\\n%s\\n%s\"}\n", i, i, words(8), words(8), words(8)
				printf "{\"id\":\"a%d\",\"kind\":\"agent_msg\",\"parent_id\":\"u%d\",\"text\":\"%s\"}\n", i, i, words(30)
			}
		}'
}

# seconds FILE: user and system, and the largest resident size
seconds() {
	command time -f '%U %S %M' -o "$work/time" \
		wv-answer --history "$1" --budget 6000 </dev/null >/dev/null
	awk '{ printf "%.3f %d\n", $1 + $2, $3 }' "$work/time"
}

for n in 150 100000 200000; do
	history "$n" >"$work/history.jsonl"
	best=$(for _ in 1 2 3 4 5; do seconds "$work/history.jsonl"; done |
		sort -n | head -n 1)
	printf '%7d items: %s s, %s KiB\n' "$n" "${best% *}" "${best#* }"
done
# one start is too short for a clock of 10 ms
history 150 >"$work/history.jsonl"
bench/start 200 /bin/true \
	"wv-answer --history $work/history.jsonl --budget 6000"
