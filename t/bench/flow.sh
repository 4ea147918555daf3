#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wv-flow beside those that run the same commands without a kernel: a cold flow
# of three steps, 1,000 steps and what the kernel takes of that, 10,000 in a
# chain.
#
#	t/bench/flow.sh [RUNS [FOLDER]]
#
# Wants wv-flow, wv-authorize, wv-call and wv-token built in the current folder,
# GNU time, make and, if there is one, GNU parallel.  The state is made in
# FOLDER (default: a memory file system if there is one), on which a sync costs
# nothing.  Time is that of the wall and, in brackets, user and system of all
# processes; the median of RUNS (3).
set -eu
runs=${1:-3}
folder=${2:-/dev/shm}
[ -d "$folder" ] || folder=${TMPDIR:-/tmp}
work=$(mktemp -d "$folder/wv-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
export WV_STATE=$work/state WV_TOOLS=$work/tools.yaml \
	WV_POLICY=$work/policy.yaml WV_TOKEN=$work/token PATH=$PWD:$PATH

cat >"$WV_TOOLS" <<END
version: 1
tools:
  - {capability: org.demo.true, source: exec, command: [/bin/true]}
END
cat >"$WV_POLICY" <<END
version: 1
rules:
  - {name: all, effect: allow, match: {capability: ["org.demo.*"]}}
END

# fresh: a state with nothing in it
fresh() {
	rm -rf "$WV_STATE"
	wv-token issue --principal bench --scope 'org.demo.*' --ttl 1d \
		>"$WV_TOKEN"
}

# flow NAME COUNT chain|flat
flow() {
	awk -v count="$2" -v kind="$3" 'BEGIN {
		printf "{\"version\":1,\"name\":\"bench\",\"outputs\":" \
			"{\"x\":1},\"steps\":["
		for (i = 0; i < count; i++) {
			printf "%s{\"id\":\"s%d\",\"capability\":" \
				"\"org.demo.true\"", i ? "," : "", i
			if (kind == "chain" && i)
				printf ",\"needs\":[\"s%d\"]", i - 1
			printf "}"
		}
		print "]}"
	}' >"$work/$1.json"
}

# took NAME COMMAND: the median, in ms, and the memory of the first process
took() {
	local name=$1 i
	shift
	for ((i = 0; i < runs; i++)); do
		fresh
		command time -f '%e %U %S %M' -o "$work/time" \
			"$@" >"$work/out" 2>"$work/err" || { cat "$work/err"; exit 1; }
		awk '{ print $1 * 1000, ($2 + $3) * 1000, $4 }' "$work/time"
	done | sort -n | awk -v name="$name" '{ line[NR] = $0 }
		END {
			split(line[int((NR + 1) / 2)], v)
			printf "%-36s %8.0f ms (%.0f)  %d KiB\n", name, v[1], v[2], v[3]
		}'
}

# kernel NAME: what its two tools take for the same calls, by themselves
kernel() {
	wv-flow "$work/$1.json" --dry-run --input '{}' >"$work/$1.rds"
	# shellcheck disable=SC2016
	took "its kernel alone, one batch" bash -c \
		'wv-authorize "$1" | wv-call --unordered' _ "$work/$1.rds"
}

makefile() {
	awk -v count="$1" 'BEGIN {
		printf "s0:\n\t@/bin/true\n"
		for (i = 1; i < count; i++)
			printf "s%d: s%d\n\t@/bin/true\n", i, i - 1
	}' >"$work/makefile.$1"
}

flow three 3 chain
flow flat 1000 flat
flow thousand 1000 chain
flow chain 10000 chain
for n in 3 1000 10000; do makefile $n; done
took 'wv-flow, 3 steps, cold' wv-flow "$work/three.json" --input '{}'
took 'make, 3 targets' make -f "$work/makefile.3" s2
took 'wv-flow, 1,000 steps, chain' wv-flow "$work/thousand.json" --input '{}'
took 'wv-flow, 1,000 steps, -j 2' wv-flow "$work/flat.json" -j 2 --input '{}'
kernel flat
took 'make, 1,000 targets, chain' make -f "$work/makefile.1000" s999
if command -v parallel >/dev/null; then
	seq 1000 >"$work/args"
	took 'GNU parallel -j 2, 1,000 jobs' parallel -j 2 -a "$work/args" /bin/true
fi
took 'wv-flow, 10,000 steps, chain' wv-flow "$work/chain.json" --input '{}'
took 'make, 10,000 targets, chain' make -f "$work/makefile.10000" s9999
