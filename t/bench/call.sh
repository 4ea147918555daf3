#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wv-call beside those that run the same tools without it, in one run: a call
# of a command, one of an MCP server, ten thousand in one plan, a gigabyte.
#
#	t/bench/call.sh [RUNS [FOLDER]]
#
# Wants wv-call, wv-authorize, wv-token and bench/start built in the current
# folder, a C compiler, jq, node, npm and the npm registry; what it installs
# goes to $WV_BENCH_DIR (~/.cache/wv-bench).  The state is made in FOLDER (default: a
# memory file system if there is one), on which a sync costs nothing.
# Decisions are made anew for each run, and that is not timed.  A call costs
# what many take more than one, so that starts do not count.
set -eu
runs=${1:-3} many=1000 more=4000 lots=10000 most=12000 big=1000000000
here=$(cd "$(dirname "$0")" && pwd)
cache=${WV_BENCH_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/wv-bench}
modules=$cache/node_modules/@modelcontextprotocol
folder=${2:-/dev/shm}
[ -d "$folder" ] || folder=${TMPDIR:-/tmp}
work=$(mktemp -d "$folder/wv-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
export WV_STATE=$work/state

if [ ! -d "$modules/inspector" ]; then
	mkdir -p "$cache"
	(cd "$cache" && npm install --no-audit --no-fund --ignore-scripts \
		@modelcontextprotocol/server-everything \
		@modelcontextprotocol/inspector)
fi
node=$(command -v node)
everything=$modules/server-everything/dist/index.js
inspector=$cache/node_modules/.bin/mcp-inspector
quick=$cache/mcp-server # takes next to no time of its own
"${CC:-cc}" -O2 -o "$quick" "$here/../fault/mcp-server.c"

cat >"$work/tools.yaml" <<END
version: 1
tools:
  - {capability: org.demo.true, source: exec, command: [/bin/true], read_only: true}
  - capability: org.demo.big
    source: exec
    command: [/bin/cat, $work/big]
    timeout: 5m
  - capability: org.demo.echo
    source: mcp
    server: {command: [$node, $everything]}
    tool: echo
  - capability: org.demo.quick
    source: mcp
    server: {command: [$quick]}
    tool: echo
END
cat >"$work/policy.yaml" <<END
version: 1
rules:
  - {name: all, effect: allow, match: {capability: ["org.demo.*"]}}
END
./wv-token issue --principal agent-1 --scope 'org.demo.*' --ttl 1d \
	>"$work/token"

# decide CAPABILITY COUNT: fresh decisions in $work/decisions
decide() {
	awk -v capability="$1" -v count="$2" 'BEGIN {
		for (i = 1; i <= count; i++)
			printf "{\"id\":\"rd-%d\",\"choice_cards\":[{\"id\":" \
				"\"card\",\"items\":[{\"id\":\"item\"," \
				"\"label\":\"Demo\",\"description\":" \
				"\"Demo.\",\"capability_id\":" \
				"\"%s\"}]}],\"selected_item_id\":\"item\"," \
				"\"timestamp\":\"2026-01-02T03:04:05Z\"," \
				"\"metadata\":{\"x_wv_arguments\":" \
				"{\"message\":\"w%d\"}}}\n", i, capability, i
	}' | ./wv-authorize -q -p "$work/policy.yaml" -k "$work/token" \
		>"$work/decisions"
}

# took CAPABILITY COUNT COMMAND: the median of its milliseconds in $took
took() {
	local i start end all=()
	for ((i = 0; i < runs; i++)); do
		decide "$1" "$2"
		start=${EPOCHREALTIME/./}
		bash -c "$3" >"$work/out" 2>"$work/err" || {
			echo "failed: $3" >&2
			head -3 "$work/err" >&2
			return 1
		}
		end=${EPOCHREALTIME/./}
		all+=($((end - start)))
	done
	took=$(printf '%s\n' "${all[@]}" | sort -n | awk -v n="$runs" \
		'NR == int((n + 1) / 2) { printf "%.3f", $1 / 1000 }')
}

# row LABEL CAPABILITY FROM TO COMMAND: so many calls, and what each more costs
row() {
	local first
	took "$2" "$3" "$5" && first=$took && took "$2" "$4" "$5" || return 0
	awk -v label="$1" -v from="$3" -v to="$4" -v first="$first" \
		-v last="$took" 'BEGIN {
		printf "%-34s %10.1f %10.1f %10.3f\n", label, first, last,
			(last - first) / (to - from)
	}'
}

head_of() {
	printf '\n%s\n%-34s %10s %10s %10s\n' "$1" 'milliseconds' \
		"calls: $2" "$3" 'each more'
}

printf 'start\n'
bench/start 200 /bin/true ./wv-call

call=(./wv-call -q -T "$work/tools.yaml")
head_of 'a command that does nothing' 1 $many
row 'the command' org.demo.true 1 $many \
	"while read -r _; do /bin/true; done <$work/decisions"
row 'shell and jq' org.demo.true 1 $many \
	"jq -r .metadata.x_wv_invocation.arguments.message $work/decisions |
	while read -r word; do printf '%s\\n' \"\$(/bin/true \"\$word\")\"; done |
	jq -cR '{output: .}'"
row 'wv-call' org.demo.true 1 $many "exec ${call[*]} $work/decisions"
row 'wv-call -j 8 --unordered' org.demo.true 1 $many \
	"exec ${call[*]} -j 8 --unordered $work/decisions"

# It ends no sooner than its own timers: few calls tell nothing.
head_of 'a tool of an MCP server (server-everything, echo)' $more $most
row 'direct client' org.demo.echo $more $most \
	"exec node $here/mcp-client.cjs echo $work/decisions $node $everything"
row 'wv-call' org.demo.echo $more $most "exec ${call[*]} $work/decisions"
row 'wv-call -j 8 --unordered' org.demo.echo $more $most \
	"exec ${call[*]} -j 8 --unordered $work/decisions"
row 'inspector --cli (1 and 2 calls)' org.demo.echo 1 2 \
	"while read -r _; do timeout 60 $inspector --cli $node $everything \
	--method tools/call --tool-name echo --tool-arg message=w </dev/null
	done <$work/decisions"

head_of 'a tool of an MCP server in C' $more $most
row 'direct client' org.demo.quick $more $most \
	"exec node $here/mcp-client.cjs echo $work/decisions $quick"
row 'wv-call' org.demo.quick $more $most "exec ${call[*]} $work/decisions"

# grow LABEL CAPABILITY: memory and descriptors as the plan goes on; the store
# has a cache that is full after some thousands
grow() {
	local n=0 pid fds
	decide "$2" $((lots + many))
	mkfifo "$work/fifo"
	"${call[@]}" "$work/decisions" >"$work/fifo" &
	pid=$!
	while read -r _; do
		n=$((n + 1))
		[ $n = $many ] || [ $n = $lots ] || continue
		fds=("/proc/$pid/fd/"*)
		awk -v label="$1" -v n=$n -v fds=${#fds[@]} \
			'/^VmHWM/ { peak = $2 } /^VmRSS/ { rss = $2 } END {
			printf "%-34s %10d %10d %10d %10d\n", label, n, rss,
				peak, fds }' "/proc/$pid/status"
	done <"$work/fifo"
	wait $pid
	rm "$work/fifo"
}
printf '\none plan\n%-34s %10s %10s %10s %10s\n' '' calls 'KiB now' \
	'KiB peak' descriptors
grow 'a command' org.demo.true
grow 'an MCP server' org.demo.echo

printf '\n%s bytes of output\n' $big
yes '2026-01-02T03:04:05Z INFO request 4711 served in 12 ms' |
	head -c $big >"$work/big" || true
took org.demo.big 1 "cat $work/big | tee $work/copy | sha256sum"
printf '%-34s %10.0f MB/s\n' 'tee and sha256sum' \
	"$(awk -v ms="$took" -v n=$big 'BEGIN { print n / 1e3 / ms }')"
rm "$work/copy"
took org.demo.big 1 "command time -f '%M KiB peak' -o $work/peak \
	${call[*]} --max-output $big $work/decisions"
printf '%-34s %10.0f MB/s, %s, a Frame of %s bytes\n' 'wv-call' \
	"$(awk -v ms="$took" -v n=$big 'BEGIN { print n / 1e3 / ms }')" \
	"$(cat "$work/peak")" "$(stat -c %s "$work/out")"

if command -v strace >/dev/null; then
	for capability in org.demo.true org.demo.echo; do
		decide $capability $many
		printf '\nsyscalls of %d calls of %s\n' $many $capability
		strace -c -o "$work/calls" "${call[@]}" "$work/decisions" >"$work/out"
		head -22 "$work/calls"
	done
fi
