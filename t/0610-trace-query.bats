#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-trace, the query: what is asked for, where from, and in what form.

load lib

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
}

teardown() {
	[ -z "${follower:-}" ] || kill "$follower" 2>/dev/null || :
}

# event ID TYPE TIME [MEMBERS]
event() {
	printf '{"event_id":"%s","event_type":"%s","timestamp":"%s"%s}\n' \
		"$1" "$2" "$3" "${4:+,$4}"
}

some_events() {
	event e1 capability_authorized 2026-01-01T00:00:00Z \
		'"capability_id":"org.demo.read","principal":"agent-1","decision_id":"d1","metadata":{"x_wv_code":"allowed","n":1.10}'
	event e2 capability_denied 2026-01-01T12:00:00.5Z \
		'"capability_id":"org.demo.write","principal":"agent-2","decision_id":"d2","metadata":{"x_wv_code":"token_expired","n":20000000000000000001}'
	event e3 capability_executed 2026-01-02T01:00:00+02:00 \
		'"capability_id":"org.demo.read","principal":"agent-1","outcome":"failure","metadata":{"x_wv_trace":{"duration_ms":12.5},"n":-3}'
	event e4 capability_executed 2026-01-02T00:30:00Z \
		'"capability_id":"org.demo.read","principal":"agent-1","outcome":"success","metadata":{"x_wv_trace":{"duration_ms":100},"n":1e2}'
}

# many FIRST LAST: lines of one shape, a second apart
many() {
	awk -v from="$1" -v to="$2" 'BEGIN {
		for (i = from; i <= to; i++)
			printf "{\"event_id\":\"evt-%06d\",\"event_type\":" \
				"\"%s\",\"timestamp\":\"2026-01-%02dT%02d:%02d:" \
				"%02dZ\",\"principal\":\"agent-%d\"," \
				"\"metadata\":{\"n\":%d}}\n", i,
				i % 3 ? "flow_started" : "flow_failed",
				1 + i / 86400, i / 3600 % 24, i / 60 % 60,
				i % 60, i % 7, i
	}'
}

ids_of() {
	grep -o '"event_id" *: *"[^"]*"' | cut -d'"' -f4 | tr '\n' ' '
}

# finds IDS OPTION…: in some.jsonl
finds() {
	local want=$1 got
	shift
	got=$(wv-trace "$@" some.jsonl | ids_of)
	[ "$got" = "$want" ] || {
		echo "wanted '$want', got '$got': $*"
		return 1
	}
}

# soon COMMAND…: until it is so
soon() {
	local i
	for i in $(seq 400); do
		! "$@" || return 0
		sleep 0.05
	done
	echo "never: $*"
	return 1
}

holds_lines() {
	[ "$(wc -l <"$1")" -ge "$2" ]
}

# --- what is asked for

@test "--where: values, patterns and bounds, exactly" {
	some_events >some.jsonl
	finds 'e1 ' --where /metadata/n=1.1
	finds 'e1 ' --where /metadata/n=11e-1
	finds 'e2 ' --where /metadata/n=20000000000000000001
	finds '' --where /metadata/n=20000000000000000000
	finds 'e2 ' --where '/metadata/n>20000000000000000000'
	finds 'e1 e3 e4 ' --where '/metadata/n<20000000000000000001'
	finds 'e1 e2 e3 e4 ' --where '/metadata/n<=20000000000000000001'
	finds 'e2 e4 ' --where '/metadata/n>=100'
	finds 'e4 ' --where '/metadata/x_wv_trace/duration_ms>12.5'
	finds 'e1 e3 e4 ' --where '/principal~^agent-[13]$'
	finds 'e2 ' --where '/capability_id~\.write$'
	# texts are not numbers, and what is absent is neither
	finds '' --where '/principal>0'
	finds '' --where '/none<1'
	finds 'e1 e2 ' --not --where '/metadata/x_wv_trace/duration_ms>=0'
}

@test "--where: bounds from both sides, alternatives at one place" {
	some_events >some.jsonl
	finds 'e1 e4 ' --where '/metadata/n>0' --where '/metadata/n<1000'
	finds 'e1 e3 ' --where /metadata/n=1.1 --where /metadata/n=-3
	finds 'e2 e4 ' --where '/metadata/n=100' --where '/metadata/n~x' \
		--where '/principal~agent' --not --principal none \
		--where /metadata/n=20000000000000000001
	finds 'e3 e4 ' --event executed --principal agent-1 --principal agent-2
}

@test "--where: names with ~ and /, and misuse" {
	printf '{"event_id":"e1","event_type":"flow_failed","timestamp":"2026-01-01T00:00:00Z","a/b~c":"x","":{"y":0}}\n' >some.jsonl
	finds 'e1 ' --where '/a~1b~0c=x'
	finds 'e1 ' --where '/a~1b~0c~^[x]$'
	finds 'e1 ' --where '//y=0'
	for bad in x /x '/x>' '/x>y' '/x<=1z' '/x~(' '/x~[b-a]'; do
		fails_with 2 "--where" wv-trace --where "$bad" some.jsonl
	done
}

@test "--where: a pattern that takes too long is told, not guessed" {
	event e1 flow_failed 2026-01-01T00:00:00Z \
		"\"principal\":\"$(head -c 60000 /dev/zero | tr '\0' a)\"" >some.jsonl
	event e2 flow_failed 2026-01-01T00:00:00Z '"principal":"aaab"' >>some.jsonl
	run -2 --separate-stderr timeout 20 \
		wv-trace --where '/principal~^(a|aa)+(a|aa)+(a|aa)+b$' some.jsonl
	[[ "$stderr" == *"some.jsonl:1:1: --where: the pattern takes too long"* ]]
	[ "$(ids_of <<<"$output")" = 'e2 ' ]
}

@test "times: @epoch, with a fraction" {
	some_events >some.jsonl
	finds 'e2 e3 e4 ' --since @1767268800.5
	finds 'e3 e4 ' --since @1767268800.500000001
	finds 'e1 ' --until @1767268800
	finds 'e1 e2 e3 e4 ' --since @0 --until @253402300799
}

@test "a short name of an event must be one event's" {
	some_events >some.jsonl
	finds 'e2 ' --event denied
	finds 'e1 e2 ' --event denied --event authori
	fails_with 2 "can be flow_started or flow_step_started" \
		wv-trace --event started some.jsonl
	fails_with 2 "can be" wv-trace --event a some.jsonl
	fails_with 2 "did you mean 'denied'?" wv-trace --event deneid some.jsonl
	fails_with 2 "did you mean 'capability_denied'?" \
		wv-trace --event capability_deneid some.jsonl
}

@test "order of members and spelling make no difference" {
	cat >some.jsonl <<-'END'
		{"event_id":"p1","event_type":"capability_denied","timestamp":"2026-01-01T00:00:00Z","principal":"agent-1"}
		{"principal":"agent-1","timestamp":"2026-01-01T00:00:00Z","event_type":"capability_denied","event_id":"p2"}
		{"event_id":"p3","event_type":"capability_denied","timestamp":"2026-01-01T00:00:00Z","princip\u0061l":"agent\u002d1"}
		{"event_id":"p4","event_type":"capability\u005fdenied","timestamp":"2026-01-01T00:00:0\u0030Z","principal":"agent-1"}
		{ "event_id" : "p5" , "event_type" : "capability_denied", "timestamp" : "2026-01-01T00:00:00Z", "principal" : "agent-1" }
		{"event_id":"n1","event_type":"capability_denied","timestamp":"2026-01-01T00:00:00Z","error_message":"\"principal\":\"agent-1\""}
		{"event_id":"n2","event_type":"capability_denied","timestamp":"2026-01-01T00:00:00Z","metadata":{"principal":"agent-1"}}
		{"event_id":"n3","event_type":"capability_denied","timestamp":"2026-01-01T00:00:00Z","principal":"agent-10"}
		{"event_id":"n4","event_type":"capability_denied","timestamp":"2026-01-01T00:00:00Z","principal":"xagent-1"}
		{"event_id":"p6","event_type":"capability_denied","timestamp":"2026-01-01T00:00:00Z","principal":"agent-1"}
	END
	finds 'p1 p2 p3 p4 p5 p6 ' --event denied --principal agent-1 \
		--since 2026-01-01 --until 2026-01-02
	wv-trace --principal agent-1 some.jsonl >out
	grep '"p[0-9]"' some.jsonl | cmp - out
}

# --- what is wrong with a log

@test "a line like all others but for one fault is told" {
	some_events | sed -n 1p >good
	{
		cat good good
		sed 's/agent-1/agent-\x01/' good
		sed 's/agent-1/agent\\x/' good
		sed 's/agent-1/agent-\xff/' good
		sed 's/agent-1/agent-\xc3/' good
		sed 's/1\.10/01.10/' good
		sed 's/1\.10/1./' good
		sed 's/1\.10/-/' good
		sed 's/}}$/}/' good
		sed 's/}}$/}},/' good
		sed 's/"principal"/"event_id"/' good
		sed 's/2026-01-01T/2026-02-30T/' good
		sed 's/00:00:00Z/00:00:60Z/' good
		sed 's/"e1"/""/' good
		sed 's/_authorized/_authorised/' good
		sed 's/:"d1"/:"d1/' good
		printf '\xef\xbb\xbf'
		cat good good
	} >some.jsonl
	run -2 --separate-stderr wv-trace some.jsonl
	[ "${#lines[@]}" = 3 ]
	printf '%s\n' "${stderr_lines[@]}" | sed -n 's/^.*jsonl:\([0-9]*\):.*/\1/p' >told
	seq 3 18 | cmp - told
	[[ "$stderr" == *"3 events, 3 matched, 16 lines malformed"* ]]
}

@test "a bad line is told though the query would never match it (cases C23)" {
	{
		many 1 50
		echo '{"event_id":"evt","event_type":"flow_started",}'
		many 51 100
	} >some.jsonl
	run -2 --separate-stderr wv-trace --principal agent-1 \
		--since 2026-01-01 --event flow_failed some.jsonl
	[[ "$stderr" == *"some.jsonl:51:"*" 1 lines malformed"* ]]
	run -2 wv-trace --code none some.jsonl
	run -2 wv-trace --fail-fast --tail 1 some.jsonl
}

@test "only LF ends a line (cases C13)" {
	printf '{"event_id":"a\xe2\x80\xa8b\xc2\x85","event_type":"flow_failed","timestamp":"2026-01-01T00:00:00Z"}\n' >some.jsonl
	event e2 flow_failed 2026-01-01T00:00:00Z >>some.jsonl
	[ "$(wv-trace --count some.jsonl)" = 2 ]
	tr '\n' '\v' <some.jsonl >one.jsonl
	run -2 --separate-stderr wv-trace one.jsonl
	[[ "$stderr" == *"one.jsonl:1:"* && "$stderr" != *"jsonl:2:"* ]]
}

@test "a window without an event is 1, and quiet (cases C5)" {
	some_events >some.jsonl
	run -1 --separate-stderr wv-trace --since 2027-01-01 some.jsonl
	[ -z "$output$stderr" ]
	run -1 --separate-stderr wv-trace --since 2026-01-01 --until 2026-01-01 some.jsonl
	[ -z "$output$stderr" ]
}

@test "a window that ends before it begins is a mistake" {
	some_events >some.jsonl
	fails_with 2 "--since is after --until" \
		wv-trace --since 2026-01-02 --until 2026-01-01 some.jsonl
	# alternatives, and what is negated, may be so
	finds 'e1 e2 e3 ' --since 2026-01-02 --since 2026-01-01 --until 2026-01-02
	finds 'e1 e2 e3 ' --not --since 2026-01-02 --until 2026-01-02
	run -1 wv-trace --not --since 2026-01-02 --until 2026-01-01 some.jsonl
}

@test "limits have messages of their own" {
	{
		event e1 flow_failed 2026-01-01T00:00:00Z '"n":123456'
		event e2 flow_failed 2026-01-01T00:00:00Z '"n":1234567'
		event e3 flow_failed 2026-01-01T00:00:00Z "\"n\":$(head -c 500 /dev/zero | tr '\0' 1)"
	} >some.jsonl
	fails_with 2 "some.jsonl:3:1: line longer than 200 bytes (--max-line)" \
		wv-trace --max-line 200 some.jsonl
	fails_with 2 "more than 6 digits" wv-trace --max-digits 6 some.jsonl
	run -2 --separate-stderr wv-trace --max-digits 6 some.jsonl
	[ "${#lines[@]}" = 1 ]
	fails_with 2 "some.jsonl:1:" wv-trace --max-values 3 some.jsonl
}

# --- which of them, and in what form

@test "--limit, --tail, --reverse: in files, pipes and gzip" {
	some_events >some.jsonl
	gzip -k some.jsonl
	for source in some.jsonl some.jsonl.gz -; do
		run -0 wv-trace --tail 2 "$source" <some.jsonl
		[ "$(ids_of <<<"$output")" = 'e3 e4 ' ]
		run -0 wv-trace --reverse "$source" <some.jsonl
		[ "$(ids_of <<<"$output")" = 'e4 e3 e2 e1 ' ]
		run -0 wv-trace --reverse -n 2 --event executed --event authorized \
			"$source" <some.jsonl
		[ "$(ids_of <<<"$output")" = 'e4 e3 ' ]
		run -0 wv-trace -n 2 "$source" <some.jsonl
		[ "$(ids_of <<<"$output")" = 'e1 e2 ' ]
	done
	run -0 bash -c 'cat some.jsonl | wv-trace --reverse - | wv-trace --reverse -'
	[ "$output" = "$(cat some.jsonl)" ]
	run -0 wv-trace --tail 3 some.jsonl.gz some.jsonl some.jsonl
	[ "$(ids_of <<<"$output")" = 'e2 e3 e4 ' ]
	run -0 wv-trace --tail 99 --reverse some.jsonl some.jsonl.gz
	[ "$(ids_of <<<"$output")" = 'e4 e3 e2 e1 e4 e3 e2 e1 ' ]
	run -0 wv-trace --tail 3 --reverse some.jsonl some.jsonl.gz
	[ "$(ids_of <<<"$output")" = 'e4 e3 e2 ' ]
	run -0 wv-trace --tail 0 some.jsonl
	[ -z "$output" ]
	for bad in '--tail 2 -n 1' '--count --tail 2' '--summary --reverse' \
		'--count --summary' '-F --reverse' '-F --count' '--tail x' '-n 0' \
		'-F some.jsonl' '-F -' '-F x.gz'; do
		# shellcheck disable=SC2086 # words
		fails_with 2 "wv-trace" wv-trace $bad some.jsonl
	done
}

@test "--tail and --reverse leave lines byte for byte" {
	printf '\xef\xbb\xbf  {"event_id":"\\u0041","event_type":"flow_failed",\t"timestamp":"2026-01-01T00:00:00Z"} \r\n' >some.jsonl
	event e2 flow_failed 2026-01-01T00:00:00Z >>some.jsonl
	for option in --tail=1 --reverse; do
		wv-trace $option -- - <some.jsonl >out
		tail -n +1 out | grep -q e2
	done
	wv-trace --reverse some.jsonl | tail -n 1 >out
	head -n 1 some.jsonl | tail -c +4 | cmp - out
}

@test "-f table: a line for each, harmless" {
	some_events >some.jsonl
	event e5 flow_failed 2026-01-03T00:00:00Z \
		'"principal":"a\u001b[31mb\u202ec\nd","capability_id":"caf\u00e9"' >>some.jsonl
	run -0 wv-trace -f table some.jsonl
	[ "${#lines[@]}" = 6 ]
	[[ "${lines[0]}" == timestamp*event_type*outcome*code*principal*capability_id* ]]
	[[ "${lines[2]}" == 2026-01-01T12:00:00.500Z\ *capability_denied\ *token_expired\ *agent-2\ *org.demo.write* ]]
	[[ "${lines[3]}" == 2026-01-01T23:00:00.000Z\ * ]]
	[[ "${lines[5]}" == *'a\x1b[31mb\u{202e}c\nd'*"café"* ]]
	run -1 wv-trace -f table --code none some.jsonl
	[ "${#lines[@]}" = 1 ]
	fails_with 2 "jsonl" wv-trace -f tables some.jsonl
}

@test "-f csv: quoted, and no formula" {
	event e1 capability_denied 2026-01-01T00:00:00Z \
		'"principal":"=cmd|x","capability_id":"a,\"b\"","metadata":{"x_wv_code":"@sum"},"error_message":"+1\r\nnext; -"' >some.jsonl
	event e2 flow_failed 2026-01-01T00:00:00+02:00 \
		'"principal":"-1","capability_id":"＝1","decision_id":"a=b"' >>some.jsonl
	wv-trace -f csv some.jsonl >out
	cat >want <<-'END'
		timestamp,event_type,outcome,code,principal,capability_id,decision_id,frame_id,handle_id,token_id,run_id,trace_id,event_id,error_message
		2026-01-01T00:00:00Z,capability_denied,,"'@sum","'=cmd|x","a,""b""",,,,,,,e1,"'+1\r\nnext; -"
		2026-01-01T00:00:00+02:00,flow_failed,,,"'-1","'＝1",a=b,,,,,,e2,
	END
	cmp want out
}

@test "--summary: for people, and for machines" {
	some_events >some.jsonl
	run -0 wv-trace --summary some.jsonl
	[[ "${lines[0]}" == "4 events, 2026-01-01T00:00:00.000Z to 2026-01-02T00:30:00.000Z" ]]
	[[ "$output" == *"           2  capability_executed"* ]]
	[[ "$output" == *"slowest"*"56.2        100.0            2  org.demo.read"* ]]
	run -0 wv-trace --summary -f jsonl some.jsonl
	for line in '{"by":"all","value":null,"count":4}' \
		'{"by":"event","value":"capability_executed","count":2}' \
		'{"by":"principal","value":"agent-1","count":3}' \
		'{"by":"capability","value":"org.demo.write","count":1}' \
		'{"by":"outcome","value":"failure","count":1}' \
		'{"by":"outcome","value":null,"count":2}' \
		'{"by":"code","value":"token_expired","count":1}' \
		'{"by":"hour","value":"2026-01-01T23","count":1}' \
		'{"by":"duration","value":"org.demo.read","count":2,"mean_ms":56.250,"max_ms":100.000}'; do
		[[ "$output" == *"$line"* ]] || { echo "no $line"; return 1; }
	done
	run -0 wv-trace --summary -f csv --event denied some.jsonl
	[[ "$output" == *$'\ncode,token_expired,1\n'* ]]
	run -1 wv-trace --summary --code none some.jsonl
	[ "$output" = "0 events" ]
}

@test "--summary: values without number are counted together" {
	awk 'BEGIN { for (i = 0; i < 60000; i++)
		printf "{\"event_id\":\"e\",\"event_type\":\"flow_failed\"," \
			"\"timestamp\":\"2026-01-01T00:00:00Z\"," \
			"\"principal\":\"%0100d\"}\n", i }' >some.jsonl
	run -0 wv-trace --summary -f jsonl some.jsonl
	others=$(sed -n 's/^{"by":"principal","others":true,"count":\([0-9]*\)}$/\1/p' <<<"$output")
	[ "$others" -gt 1000 ]
	[ "$(grep -c '"by":"principal","value"' <<<"$output")" = $((60000 - others)) ]
	wv-trace --summary -f jsonl -j 3 some.jsonl | head -n 2 |
		cmp - <(head -n 2 <<<"$output")
}

# --- several processes

@test "-j: the same output, messages and counts" {
	{
		many 1 4000
		echo '{"event_id":'
		many 4001 8000
		head -c 200000 /dev/zero | tr '\0' ' '
		echo
		echo '[]'
		many 8001 12000
		printf '{"event_id":"e'
	} >some.jsonl
	for options in '--principal agent-3' '--count' '--summary' \
		'-f table --event failed' '-f csv' '--tail 3' '-n 5'; do
		wanted=0
		# shellcheck disable=SC2086 # words
		wv-trace $options some.jsonl >want 2>want.err || wanted=$?
		for jobs in 2 3 7; do
			status=0
			# shellcheck disable=SC2086
			wv-trace -j $jobs $options some.jsonl >got 2>got.err ||
				status=$?
			[ "$status" = "$wanted" ]
			cmp want got
			cmp want.err got.err
		done
	done
	wv-trace -j 4 some.jsonl 2>err | cmp - <(grep '^{.*}$' some.jsonl)
	told some.jsonl:4001: some.jsonl:8003: "some.jsonl:12004:"
	run -0 bash -c 'wv-trace -j 2 some.jsonl 2>/dev/null | head -n 1 | wc -l'
	[ "$output" = 1 ]
	run -2 bash -c 'wv-trace -j 2 some.jsonl 2>&1 >/dev/full'
	[[ "$output" == *"No space left"* ]]
}

@test "-j: torn lines between two pieces" {
	WV_STATE="$PWD/state" wv-token issue --principal p --scope a --ttl 1h >/dev/null
	many 1 2000 | wv-trace append --foreign x -q
	printf '{"event_id":"e' >>state/audit.jsonl
	many 2001 4000 | wv-trace append --foreign x -q
	run -0 wv-trace --count -j 3
	[ "${lines[1]}" = 4001 ]
	[[ "${lines[0]}" == *"audit.jsonl:2002:"* ]]
	sed -i '2002s/id/ID/' state/audit.jsonl
	run -2 wv-trace --count -j 3
}

# --- where from

@test "memory is that of a line" {
	(ulimit -v 40000 && wv-trace --version >/dev/null 2>&1) ||
		skip "built with sanitizers"
	many 1 300 >part
	for _ in $(seq 1000); do cat part; done >some.jsonl
	gzip -1 -k some.jsonl
	(
		ulimit -v 20000
		[ "$(wv-trace --count some.jsonl)" = 300000 ]
		wv-trace --summary some.jsonl >/dev/null
		[ "$(wv-trace --reverse some.jsonl | tail -n 1)" = "$(head -n 1 some.jsonl)" ]
		wv-trace --tail 10 some.jsonl | cmp - <(tail -n 10 some.jsonl)
		wv-trace --tail 10 some.jsonl.gz | cmp - <(tail -n 10 some.jsonl)
		wv-trace -f csv some.jsonl.gz | tail -n 1 | grep -q '^2026'
	)
}

@test "gzip: several members, damage, and what is none" {
	some_events >some.jsonl
	{
		head -n 2 some.jsonl | gzip
		tail -n 2 some.jsonl | gzip
	} >two.jsonl.gz
	wv-trace two.jsonl.gz | cmp - some.jsonl
	head -c 100 two.jsonl.gz >cut.gz
	fails_with 2 "cut.gz: " wv-trace cut.gz
	fails_with 2 "none.gz: not a gzip file" bash -c \
		'echo text >none.gz; wv-trace none.gz some.jsonl'
}

@test "rotated segments and the log are one, compressed or not" {
	wv-trace rotate --help >/dev/null 2>&1 || skip "no rotate"
	for i in 1 2 3; do
		many "$i" "$i" | wv-trace append --foreign x -q
		wv-trace rotate -q >/dev/null
	done
	many 4 4 | wv-trace append --foreign x -q
	[ -f "$WV_STATE/audit.jsonl.3" ]
	gzip "$WV_STATE/audit.jsonl.2"
	run -0 wv-trace
	[ "$(ids_of <<<"$output")" = 'evt-000001 evt-000002 evt-000003 evt-000004 ' ]
	run -0 wv-trace --reverse
	[ "$(ids_of <<<"$output")" = 'evt-000004 evt-000003 evt-000002 evt-000001 ' ]
	run -0 wv-trace --tail 2
	[ "$(ids_of <<<"$output")" = 'evt-000003 evt-000004 ' ]
	# the oldest may be gone, none between
	rm "$WV_STATE/audit.jsonl.1"
	run -0 wv-trace --count
	[ "$output" = 3 ]
	mv "$WV_STATE/audit.jsonl.2.gz" "$WV_STATE/audit.jsonl.1.gz"
	fails_with 2 "audit.jsonl.2 is missing" wv-trace
}

# --- follow

start_follow() {
	wv-trace -F "$@" >out 2>err &
	follower=$!
}

# has_read FILE: the follower stands at its end
has_read() {
	local fd
	for fd in /proc/"$follower"/fd/*; do
		[ "$fd" -ef "$1" ] || continue
		grep -qx "pos:[[:space:]]*$(stat -c %s "$1")" \
			"/proc/$follower/fdinfo/${fd##*/}"
		return
	done
	return 1
}

@test "-F: what is there, and what comes" {
	many 1 2 >log
	start_follow -n 5 log
	soon holds_lines out 2
	printf '{"event_id":"evt-0000' >>log
	many 3 3 | cut -c 22- >>log
	many 4 5 >>log
	soon holds_lines out 5
	wait "$follower"
	many 1 5 | cmp - out
	[ ! -s err ]
}

@test "-F: filters; --tail N first shows the last of what is there" {
	many 1 9 >log
	start_follow -v --tail 1 -n 2 --event failed log
	soon grep -q "waiting for more" err
	[ "$(ids_of <out)" = 'evt-000009 ' ]
	many 10 19 >>log
	wait "$follower"
	[ "$(ids_of <out)" = 'evt-000009 evt-000012 evt-000015 ' ]
	start_follow -v --tail 0 -n 1 -f csv log
	soon grep -q "waiting for more" err
	many 20 20 >>log
	wait "$follower"
	[ "$(wc -l <out)" = 2 ]
	grep -q evt-000020 out
}

@test "-F: through a rename, the old file first" {
	many 1 2 >log
	start_follow -n 6 log
	soon holds_lines out 2
	mv log log.1
	many 3 4 >>log.1
	many 5 6 >log
	wait "$follower"
	many 1 6 | cmp - out
}

@test "-F: through a truncation" {
	many 1 3 >log
	start_follow -n 4 log
	soon holds_lines out 3
	: >log
	soon grep -q "cut off" err
	many 4 4 >>log
	wait "$follower"
	many 1 4 | cmp - out
}

@test "-F: what is no line yet is taken back, or moved to a new file" {
	many 1 3 >log
	start_follow -n 5 log
	soon holds_lines out 3
	printf '{"event_id":"torn' >>log
	soon has_read log
	truncate -s -17 log
	soon has_read log
	many 4 4 >>log
	soon holds_lines out 4
	printf '{"torn' >>log
	soon has_read log
	truncate -s -6 log
	mv log log.1
	{
		printf '{"torn\n'
		many 5 5
	} >log
	wait "$follower" || [ $? = 2 ]
	many 1 5 | cmp - out
	[ "$(grep -c "cut off" err)" = 0 ]
	[ "$(grep -c incomplete err)" = 1 ]
}

@test "-F, --fail-fast: a tear that the chain accounts for is told, and no fault" {
	many 1 1 | wv-trace append --foreign x -q
	printf '{"event_id":"torn' >>"$WV_STATE/audit.jsonl"
	many 2 3 | wv-trace append --foreign x -q
	start_follow --fail-fast -n 3
	wait "$follower"
	told "audit.jsonl:2:18: incomplete"
	# at the end of a file, by the first line of the next
	head -n 2 "$WV_STATE/audit.jsonl" | head -c -1 >log
	start_follow --fail-fast -n 3 log
	soon holds_lines out 1
	mv log log.1
	tail -n +3 "$WV_STATE/audit.jsonl" >log
	wait "$follower"
	told "log:2:1: incomplete last line"
	[ "$(ids_of <out)" = 'evt-000001 evt-000002 evt-000003 ' ]
	[ "$(wv-trace --count --fail-fast log.1 log 2>/dev/null)" = 3 ]
	# other bytes than it says are a fault, and what ends the reading
	sed -i 's/torn/worn/' log.1
	run -2 --separate-stderr wv-trace --fail-fast log.1 log
	[ "$(ids_of <<<"$output")" = 'evt-000001 ' ]
	run -2 --separate-stderr wv-trace --fail-fast log.1
}

@test "-F: the own log, through a rotation" {
	many 1 2 | wv-trace append --foreign x -q
	start_follow -n 4
	soon holds_lines out 2
	if wv-trace rotate --help >/dev/null 2>&1; then
		wv-trace rotate -q >/dev/null
	fi
	many 3 4 | wv-trace append --foreign x -q
	wait "$follower"
	[ "$(ids_of <out)" = 'evt-000001 evt-000002 evt-000003 evt-000004 ' ]
}

@test "-F: the own log, from within a rotation and through others" {
	many 1 2 | wv-trace append --foreign x -q
	mv "$WV_STATE/audit.jsonl" "$WV_STATE/audit.jsonl.1"
	start_follow -v -n 4
	soon grep -q "waiting for more" err
	kill -STOP "$follower"
	for i in 3 4; do
		many $i $i | wv-trace append --foreign x -q
		wv-trace rotate -q >/dev/null
	done
	kill -CONT "$follower"
	wait "$follower"
	[ "$(ids_of <out)" = 'evt-000001 evt-000002 evt-000003 evt-000004 ' ]
}

@test "-F: ends when nobody reads any more" {
	many 1 1 >log
	run -0 bash -o pipefail -c \
		'{ timeout 20 wv-trace -F log; echo $? >status; } | head -n 1'
	[ "$(cat status)" = 141 ]
}
