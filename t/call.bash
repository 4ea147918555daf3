# SPDX-License-Identifier: Apache-2.0
# Decisions for wv-call, and what it leaves behind: `load call` after lib.  A
# test that starts something ends with nothing_left, best in its teardown.
# shellcheck shell=bash disable=SC2154 # run sets output and stderr

# a policy that allows org.demo.** and a token for it: policy.yaml, token.json
use_policy() {
	printf 'version: 1\nrules: [{name: all, effect: allow, match: {capability: ["org.demo.**"]}}]\n' >policy.yaml
	wv-token issue --principal agent-1 --scope 'org.demo.*' --ttl 1h >token.json
}

# decided [CAPABILITY [ARGUMENTS [MORE [OPTION…]]]]: its PolicyDecision
decided() {
	printf '{"id":"rd-1","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d","capability_id":"%s"}]}],"selected_item_id":"i","timestamp":"2026-01-01T00:00:00Z","metadata":{"x_wv_arguments":%s%s}}\n' \
		"${1:-org.demo.x}" "${2:-{\}}" "${3-}" |
		wv-authorize -p policy.yaml -k token.json "${@:4}"
}

# decisions <LINES `CAPABILITY [ARGUMENTS]`: their PolicyDecisions, in
# one go; the routing decisions are rd-1, rd-2, …
decisions() {
	local capability arguments n=0
	while read -r capability arguments; do
		n=$((n + 1))
		printf '{"id":"rd-%d","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d","capability_id":"%s"}]}],"selected_item_id":"i","timestamp":"2026-01-01T00:00:00Z","metadata":{"x_wv_arguments":%s}}\n' \
			"$n" "$capability" "${arguments:-{\}}"
	done | wv-authorize -p policy.yaml -k token.json
}

# many N [CAPABILITY]: so many decisions of one
many() {
	seq "$1" | sed "s/.*/${2:-org.demo.x}/" | decisions
}

# tools: tools.yaml of these entries
tools() {
	{
		printf 'version: 1\ntools:\n'
		sed 's/^/  /'
	} >tools.yaml
}

# calls STATUS [OPTION…] <DECISIONS: $output, $stderr
calls() {
	local want=$1
	shift
	run "-$want" --separate-stderr timeout 30 wv-call "$@" 3>&-
}

# fails_as CLASS MESSAGE: the last $output is that error Frame
fails_as() {
	jq -e --arg class "$1" --arg message "$2" '.structured_data
		| .status == "error" and .error_class == $class
		and (.error_message | contains($message))' <<<"$output" >/dev/null &&
		jq -e '.handle_refs // [] == []' <<<"$output" >/dev/null &&
		return
	echo "want $1, $2: $output"
	return 1
}

# denied_as CODE: the last $output is a denial of wv-call's own
denied_as() {
	[[ $output == *'"decision":"deny"'*"\"x_wv_code\":\"$1\""* ]] || {
		echo "want $1: $output"
		return 1
	}
}

# refute COMMAND…: a `!` in the middle of a test would never fail it
refute() {
	if "$@"; then
		echo "should have failed: $*"
		return 1
	fi
}

events() {
	grep -c "\"event_type\":\"$1\"" "$WV_STATE/audit.jsonl" || true
}

last_event() {
	grep "\"event_type\":\"$1\"" "$WV_STATE/audit.jsonl" | tail -n 1
}

# starts wv-call on a fifo in the background, writes $1 into it; bash starts
# background jobs with INT ignored
started() {
	rm -f in
	mkfifo in
	env --default-signal=INT wv-call "${@:2}" <in >out 2>err 3>&- &
	background=$!
	exec 8>in
	printf '%s\n' "$1" >&8
}

# ends STATUS: what was started
ends() {
	local status=0
	wait "$background" || status=$?
	exec 8>&-
	[ "$status" = "$1" ] || { echo "status $status, want $1"; return 1; }
}

# eventually COMMAND…: waits until it succeeds, ten seconds at most
eventually() {
	for _ in $(seq 200); do
		"$@" && return
		sleep 0.05
	done
	echo "never: $*"
	return 1
}

# waits for a file to be there
appears() {
	eventually [ -e "$1" ]
}

# No process of a tool is left, nor one of ours, nor a file that nothing names.
nothing_left() {
	local pid left=
	if [ -n "${background-}" ]; then
		kill -KILL "$background" 2>/dev/null || true
		wait "$background" 2>/dev/null || true
	fi
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		left=$(grep -lsaF "WV_CANCEL_FILE=$WV_STATE/" /proc/[0-9]*/environ || true)
		[ -n "$left" ] || break
		sleep 0.1 # of a wv-call that was killed
	done
	for pid in $left; do
		pid=${pid%/environ}
		echo "left: $(tr '\0' ' ' <"$pid/cmdline" 2>/dev/null)"
		kill -KILL "${pid#/proc/}" 2>/dev/null || true
	done
	[ -z "$left" ] || return 1
	[ ! -d "$WV_STATE/artifacts" ] ||
		[ "$(find "$WV_STATE/artifacts" -type f | wc -l)" = "$(events handle_created)" ]
}
