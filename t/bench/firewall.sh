#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Megabytes of JSON outputs a second of CPU time, best of some runs, that
# wv-firewall makes text and Frames of, and judges, with all default rules.
#
#	t/bench/firewall.sh [RUNS [MEGABYTES]]
#
# Wants wv-firewall built in the current folder, and node.
set -eu
runs=${1:-3} megabytes=${2:-16}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WV_STATE=$work/state
TIMEFORMAT='%U %S'

# rate FILE OPTIONS…
rate() {
	local file=$1 size i
	shift
	size=$(stat -c %s "$file")
	for ((i = 0; i < runs; i++)); do
		rm -rf "$WV_STATE"
		{ time ./wv-firewall "$@" "$file" >/dev/null 2>&1 || :; } 2>&1
	done | awk -v size="$size" '
		NR == 1 || $1 + $2 < best { best = $1 + $2 }
		END { printf "%8.0f", size / 1e6 / (best > 0 ? best : 0.001) }'
}

node "$here/firewall-mix.cjs" "$work" "$megabytes"
printf '%-10s%8s%8s%8s  MB/s\n' '' text frame check
for mix in clean secrets corpus opaque people short; do
	file=$work/$mix.jsonl
	printf '%-10s' "$mix"
	rate "$file" -f text --lines
	rate "$file" -f frame --lines
	rate "$file" --check
	printf '\n'
done
