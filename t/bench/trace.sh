#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wv-trace beside its peers, side by side in one run: a query of a log of two
# million events (880 MB), its summary, the same query where members are in any
# order, spelt with escapes, and lines are malformed, and a verification.
#
#	t/bench/trace.sh [RUNS [EVENTS [FOLDER]]]
#
# Wants wv-trace and bench/compare built in the current folder; openssl,
# ripgrep, jq, and node, npm and the npm registry for duckdb are used where they
# are: what is installed goes to $WV_BENCH_DIR (~/.cache/wv-bench).  The logs
# are made in FOLDER (default: a memory file system if there is one), the same
# on every machine, and removed.
set -eu
export LC_ALL=C
runs=${1:-5} events=${2:-2000000}
here=$(cd "$(dirname "$0")" && pwd)
cache=${WV_BENCH_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/wv-bench}
export WV_BENCH_MODULES=$cache/node_modules
folder=${3:-/dev/shm}
[ -d "$folder" ] || folder=${TMPDIR:-/tmp}
work=$(mktemp -d "$folder/wv-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

if command -v npm >/dev/null && [ ! -d "$WV_BENCH_MODULES/@duckdb" ]; then
	mkdir -p "$cache"
	(cd "$cache" && npm install --no-audit --no-fund --ignore-scripts \
		@duckdb/node-api) || echo "no duckdb"
fi

# log COUNT: so many events
log() {
	awk -v count="$1" '
	function number() {
		seed = (seed * 16807) % 2147483647
		return seed
	}
	function pick(n) { return int(number() / 2147483647 * n) }
	function hex(words, s) {
		for (s = ""; words > 0; words--)
			s = s sprintf("%08x", number() * 2)
		return s
	}
	function id() {
		return sprintf("01M8%011d%011d", number(), number())
	}
	BEGIN {
		seed = 20260301
		split("capability_authorized capability_executed " \
			"capability_denied firewall_applied handle_created",
			types, " ")
		for (i = 1; i <= count; i++) {
			k = pick(100)
			t = 1 + (k >= 40) + (k >= 80) + (k >= 90) + (k >= 95)
			sec = int(i / 20)
			printf "{\"event_id\":\"evt-%s\",\"event_type\":" \
				"\"%s\",\"timestamp\":\"2026-03-%02dT%02d:" \
				"%02d:%02d.%03dZ\",\"capability_id\":" \
				"\"org.demo.tool_%d\",\"principal\":" \
				"\"agent-%d\",\"decision_id\":\"dec-%s\"",
				id(), types[t], 1 + sec / 86400,
				sec / 3600 % 24, sec / 60 % 60, sec % 60,
				i % 20 * 50, pick(60), pick(100), id()
			if (t == 2)
				printf ",\"outcome\":\"%s\"", \
					pick(20) ? "success" : "failure"
			printf ",\"metadata\":{\"x_wv_code\":\"%s\"", \
				t == 3 ? "policy_deny" : "allowed"
			printf ",\"telemetry\":{\"trace_id\":\"%s\"}", hex(4)
			if (t == 2)
				printf ",\"x_wv_trace\":{\"duration_ms\":%d}", \
					pick(3000)
			printf "},\"x_wv_chain\":{\"v\":1,\"seq\":%d," \
				"\"prev\":\"%s\"}}\n", i, hex(8)
		}
	}'
}

# The same events, spelt otherwise; every 1,000th line is malformed.
spelt() {
	sed -E '
	0~1000s/.$//
	1~3s/^\{("event_id":"[^"]*"),("event_type":"[^"]*"),("timestamp":"[^"]*"),("capability_id":"[^"]*"),("principal":"[^"]*")/{\5,\3,\2,\4,\1/
	2~3s/agent-/agent\\u002d/
	2~6s/"event_type":"capability_/"event\\u005ftype":"c\\u0061pability_/'
}

log "$events" >"$work/log.jsonl"
head -n $((events / 4)) "$work/log.jsonl" | spelt >"$work/spelt.jsonl"

filters='--event denied --principal agent-17 --since 2026-03-01T01:00:00Z --until 2026-03-01T02:00:00Z'
# Spelt for this log alone, so that it has as little to look at as can be.
pattern='denied","timestamp":"2026-03-01T01.*"agent-17"'
program='select(.event_type == "capability_denied" and .principal == "agent-17" and .timestamp >= "2026-03-01T01:00:00" and .timestamp < "2026-03-01T02:00:00")'
duckdb() {
	echo "node $here/duckdb.cjs $1 $2"
}
# For jq: what is JSON of a log.
whole() {
	echo "fromjson? | $program | .event_id"
}

# same A B: what two commands print
same() {
	if [ "$(sh -c "$1" | sha256sum)" = "$(sh -c "$2" | sha256sum)" ]; then
		echo "equal: ${1%% *} and ${2%% *}"
	else
		echo "DIFFERENT: $1 and $2"
		failed=1
	fi
}
failed=0

# peer LABEL PROGRAM COMMAND: to be shown, if there is the program
peers=()
peer() {
	! command -v "$2" >/dev/null || peers+=("$1" "$3")
}

show() {
	printf '\n%s, %s bytes\n' "$1" "$(stat -c %s "$2")"
	bench/compare "$runs" "$(stat -c %s "$2")" "${peers[@]}"
	peers=()
}

file=$work/log.jsonl
peer wv-trace sh "./wv-trace $filters $file"
peer 'wv-trace -j 2' sh "./wv-trace -j 2 $filters $file"
peer ripgrep rg "rg --no-config -N '$pattern' $file"
peer jq jq "jq -c '$program' $file"
[ ! -d "$WV_BENCH_MODULES/@duckdb" ] ||
	peer duckdb node "$(duckdb query "$file")"
show 'a query' "$file"
if command -v rg >/dev/null; then
	same "./wv-trace $filters $file" "rg --no-config -N '$pattern' $file"
fi
if command -v jq >/dev/null; then
	same "./wv-trace $filters $file" "jq -c '$program' $file"
fi

peer wv-trace sh "./wv-trace --summary $file"
peer 'wv-trace -j 2' sh "./wv-trace -j 2 --summary $file"
if [ -d "$WV_BENCH_MODULES/@duckdb" ]; then
	peer 'duckdb, one group' node "$(duckdb group "$file")"
	peer 'duckdb, the same' node "$(duckdb summary "$file")"
fi
show 'a summary' "$file"

file=$work/spelt.jsonl
peer wv-trace sh "./wv-trace -q $filters $file"
peer 'wv-trace -j 2' sh "./wv-trace -j 2 -q $filters $file"
peer jq jq "jq -Rc '$(whole)' $file"
show 'any order and spelling' "$file"
if command -v jq >/dev/null; then
	same "jq -Rr '$(whole)' $file" \
		"./wv-trace -q $filters $file | jq -r .event_id"
fi

# A log with a chain: what verify reads a second, beside SHA-256 alone.
WV_STATE=$work/state ./wv-trace append -q --foreign org.demo \
	<(head -n $((events / 4)) "$work/log.jsonl")
file=$work/state/audit.jsonl
peer 'wv-trace verify' sh "./wv-trace verify $file"
peer 'openssl dgst' openssl "openssl dgst -sha256 $file"
show 'a verification' "$file"
! command -v openssl >/dev/null ||
	openssl speed -seconds 1 -bytes 1024 -evp sha256 2>/dev/null | tail -n 2
exit $failed
