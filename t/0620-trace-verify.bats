#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-trace verify, seal, rotate over a log in several files, and whether its
# events fit together.

load lib

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	log="$WV_STATE/audit.jsonl"
}

# N lines more; each names who it is about
lines() {
	local i
	for ((i = 0; i < $1; i++)); do
		wv-token revoke "tok-$((++count))" 2>/dev/null
	done
}

# three segments and a live log, of two lines each
segments() {
	lines 2
	wv-trace rotate
	lines 2
	wv-trace rotate
	lines 2
	wv-trace rotate
	lines 2
}

hash_of_last() {
	tail -n 1 "$1" | head -c -1 | sha256sum | cut -c1-64
}

# says STATUS TEXT COMMAND…
says() {
	local want=$1 text=$2 status=0
	shift 2
	"$@" >out 2>err || status=$?
	[ $status = "$want" ] || {
		echo "status $status: $*"
		cat err
		return 1
	}
	told "$text"
}

# --- rotate

@test "rotate: the chain goes on, and the numbers" {
	run -0 --separate-stderr wv-trace rotate --state none || [ "$status" = 2 ]
	[ ! -e none ]
	lines 2
	run -0 --separate-stderr wv-trace rotate
	[ "$output" = "$log.1" ]
	[ ! -s "$log" ]
	[ "$(stat -c %a "$log" "$log.1" | sort -u)" = 600 ]
	says 0 "nothing to rotate" wv-trace rotate
	[ ! -e "$log.2" ]
	lines 1
	grep -q '"seq":3,"prev":"'"$(hash_of_last "$log.1")"'","segment":1,' "$log"
	lines 1
	[ "$(grep -c '"segment":' "$log")" = 1 ]
	wv-trace rotate
	lines 1
	grep -q '"seq":5,.*"segment":2,' "$log"
	says 0 "whole: 5 lines, 0 faults, 0 notes" wv-trace verify
	grep -q '"files":3,' out
	says 2 "takes no FILE" wv-trace rotate x
}

@test "rotate: what a dead writer left moves to the new log" {
	lines 2
	printf '{"event_id":"evt' >>"$log"
	wv-trace rotate
	[ "$(cat "$log")" = '{"event_id":"evt' ]
	says 0 "0 faults" wv-trace verify
	lines 1
	says 0 "16 bytes before it" wv-trace verify
	says 0 "16 bytes before it" wv-trace verify "$log.1" "$log"
	# the last line before them is covered too, though it stands elsewhere
	sed -i '2s/tok-2/tok-x/' "$log.1"
	says 1 "audit.jsonl.1:2: offset" wv-trace verify
}

@test "rotate: a file that is in the way is refused, and none of ours" {
	lines 1
	(umask 077 && echo mine >"$log.1")
	says 2 "audit.jsonl.1 is there already" wv-trace rotate
	says 0 "whole: 1 lines" wv-trace verify
	lines 1
	[ "$(cat "$log.1")" = mine ]
	rm "$log.1"
	wv-trace rotate
	(umask 077 && echo mine >"$log.02" && echo mine >"$log.9")
	lines 1
	says 0 "whole: 3 lines" wv-trace verify
}

@test "rotate: an older state that was put back beside later segments" {
	lines 2
	cp -a "$WV_STATE" older
	wv-trace rotate
	lines 2
	wv-trace rotate
	gzip -k "$log.2"
	chmod 600 "$log.2.gz"
	for later in "$log.2" "$log.2.gz"; do
		rm -rf again
		cp -a older again
		cp -p "$log.1" "$later" again/
		says 1 "${later##*/} goes on to line 4, and the store knows of none after line 2" \
			wv-trace verify --state again
		grep -q '"faults":1' out
	done
	# of one that began before it, too
	rm again/audit.jsonl.2*
	cat "$log.1" "$log.2" >again/audit.jsonl.1
	says 1 "audit.jsonl.1 goes on to line 4" wv-trace verify --state again
	# a copy of what is known is nothing but a copy
	cp -p "$log.1" again/audit.jsonl.1
	says 0 "whole: 2 lines" wv-trace verify --state again
}

@test "recover after a rotation: the log goes on from the segment" {
	segments
	: >"$log"
	says 2 "wv-trace recover" wv-token revoke tok-9
	wv-trace recover
	lines 1
	says 0 "lines 7 to 8 are missing" wv-trace verify
	grep -q '"seq":9,"prev":"'"$(hash_of_last "$log.3")"'","lost":{"seq":8,' "$log"
	# the segment is compressed
	: >"$log"
	gzip "$log.3"
	wv-trace recover
	lines 1
	says 0 "lines 7 to 9 are missing" wv-trace verify
	# and gone: what stands behind it is a log of its own, which says so
	: >"$log"
	rm "$log.3.gz"
	wv-trace recover
	lines 1
	grep -q '"seq":11,"prev":"0*","log":"log-.*","lost":{"seq":10,.*"segment":3' "$log"
	says 1 "begins after segment 3, where one after 2 belongs" wv-trace verify
	says 0 "lines 1 to 10 are missing before it: they were lost" \
		wv-trace verify "$log"
	told "1 lines, 0 faults, 1 notes"
}

@test "recover: an empty log that is gone after a rotation lost nothing" {
	lines 2
	wv-trace rotate
	rm "$log"
	says 2 "wv-trace recover" wv-token revoke tok-9
	wv-trace recover
	lines 1
	says 0 "whole: 3 lines, 0 faults, 0 notes" wv-trace verify
}

# --- files

@test "segments are one log, compressed or not, in their order (cases C17)" {
	segments
	gzip "$log.1"
	says 0 "whole: 8 lines, 0 faults, 0 notes" wv-trace verify
	cp "$log"* .
	all=(audit.jsonl.1.gz audit.jsonl.2 audit.jsonl.3 audit.jsonl)
	says 0 "whole: 8 lines" wv-trace verify \
		--expect-head "$(hash_of_last "$log")" "${all[@]}"
	[ "$(wc -l <out)" = 1 ]
	says 0 "whole: 8 lines" bash -c \
		'{ zcat audit.jsonl.1.gz; cat audit.jsonl.[23] audit.jsonl; } |
			wv-trace verify -'
	# order and lacks
	says 1 "audit.jsonl.3:1: offset 0: begins after segment 2, where one after 1 belongs" \
		wv-trace verify audit.jsonl.1.gz audit.jsonl.3
	says 1 "audit.jsonl.2:1: offset 0: begins after segment 1, where one after 3 belongs" \
		wv-trace verify audit.jsonl.3 audit.jsonl.2
	# from a later one on
	says 0 "audit.jsonl.3:1: note: lines 1 to 4 stand in segments before it" \
		wv-trace verify audit.jsonl.3 audit.jsonl
	grep -q '"first":5,"lines":4,' out
	says 1 "seq 6 where 1 belongs" bash -c \
		'sed 1d audit.jsonl.3 | wv-trace verify -'
}

@test "segments that were moved away are a note; what is left is verified" {
	segments
	mv "$log.1" .
	says 0 "lines 1 to 2 stand in segments before it" wv-trace verify
	mv "$log.2" "$log.3" .
	says 0 "lines 1 to 6 stand in segments before it" wv-trace verify
	wv-trace rotate
	mv "$log.4" .
	says 0 "0 faults" wv-trace verify
	lines 1
	says 0 "lines 1 to 8 stand in segments before it" wv-trace verify
	says 0 "whole: 9 lines, 0 faults, 0 notes" \
		wv-trace verify audit.jsonl.[1234] "$log"
}

@test "several logs are several verdicts" {
	lines 2
	cp "$log" a
	WV_STATE="$PWD/other" wv-token revoke tok-1
	cp other/audit.jsonl b
	says 0 "a: whole: 2 lines" wv-trace verify a b
	told "b: whole: 1 lines"
	[ "$(wc -l <out)" = 2 ]
}

# --- how old

@test "--max-age: the last event is not older" {
	wv-token init --test
	wv-token revoke tok-1 --now 2026-01-01T00:00:00Z
	says 0 "whole" wv-trace verify --max-age 1h --now 2026-01-01T01:00:00Z
	says 1 "its last event is of 2026-01-01T00:00:00.000Z, which is too old" \
		wv-trace verify --max-age 1h --now 2026-01-01T01:00:00.001Z
	says 2 "max-age" wv-trace verify --max-age soon
}

# --- seal

sealed() {
	wv-trace seal --sign k1 "$@" >>kept.jsonl
}

with_key() {
	wv-token keygen --kid k1 --keyring keyring.json
	export WV_KEYRING="$PWD/keyring.json"
}

@test "seal: signed, chained, and held against the log" {
	lines 2
	with_key
	sealed
	wv-trace rotate
	lines 2
	sealed
	cmp kept.jsonl "$WV_STATE/checkpoints.jsonl"
	[ "$(stat -c %a "$WV_STATE/checkpoints.jsonl")" = 600 ]
	grep -q "^{\"v\":1,\"log\":\"log-[^\"]*\",\"seq\":2,\"head\":\"$(hash_of_last "$log.1")\",\"lines\":2,\"time\":\"[^\"]*\",\"prev\":\"0\{64\}\",\"signature\":{" \
		kept.jsonl
	first=$(head -n 1 kept.jsonl | head -c -1 | sha256sum | cut -c1-64)
	sed -n 2p kept.jsonl | grep -q "\"seq\":4,.*\"prev\":\"$first\""
	lines 1
	says 0 "whole: 5 lines" wv-trace verify --checkpoint kept.jsonl
	grep -q '"checkpoints":2,' out
	says 0 "whole" wv-trace verify --checkpoint kept.jsonl "$log.1" "$log"
	tail -n 1 kept.jsonl >last
	says 0 "whole" wv-trace verify --checkpoint last
	# the line before the first is known, too; of earlier ones nothing is
	mv "$log.1" .
	says 0 "whole" wv-trace verify --checkpoint kept.jsonl
	wv-trace rotate
	lines 1
	says 2 "the log begins after this checkpoint of line 2" \
		wv-trace verify --checkpoint kept.jsonl "$log"
	told "cannot be judged"
}

@test "seal: what a checkpoint is worth is its signature" {
	lines 2
	with_key
	sealed
	unset WV_KEYRING
	says 2 "--keyring" wv-trace verify --checkpoint kept.jsonl
	export WV_KEYRING="$PWD/keyring.json"
	says 2 "cannot open" wv-trace verify --checkpoint missing
	: >empty
	says 2 "no checkpoint" wv-trace verify --checkpoint empty
	sed 's/"lines":2/"lines":3/' kept.jsonl >forged
	says 1 "forged:1" wv-trace verify --checkpoint forged
	grep -q '"faults":1,' out
	sed 's/,"signature":.*/}/' kept.jsonl >unsigned
	says 1 "unsigned:1" wv-trace verify --checkpoint unsigned
	echo '{"v":2}' >other
	says 2 "other:1" wv-trace verify --checkpoint other
	head -c 65537 /dev/zero | tr '\0' x >long
	says 2 "long:1: longer than 65536 bytes" wv-trace verify --checkpoint long
	head -c 100 kept.jsonl >torn
	says 2 "torn:1" wv-trace verify --checkpoint torn
	wv-token keygen --kid k2 --keyring others.json
	says 2 "k1" wv-trace verify --checkpoint kept.jsonl --keyring others.json
	wv-token keygen --kid k3 --keyring keyring.json
	sed -i '/"k3"/s/"kid"/"use":["token"],"kid"/' keyring.json
	wv-trace seal --sign k3 >wrong
	says 1 "k3" wv-trace verify --checkpoint wrong
	sealed
	says 1 "prev" wv-trace verify --checkpoint kept.jsonl
	says 2 "which key" wv-trace seal
	says 2 "k9" wv-trace seal --sign k9
}

# cut at the end of a line, and sealed again, the log was green (cases E45)
@test "seal refuses a log that does not extend the last checkpoint" {
	lines 3
	with_key
	sealed
	cp -a "$WV_STATE" whole
	head -n 2 whole/audit.jsonl >"$log"
	says 1 "not sealed: the log was tampered with" wv-trace seal --sign k1
	# another log, whole by its store
	rm -rf "$WV_STATE"
	lines 4
	cp -a whole/keys "$WV_STATE/"
	cp whole/checkpoints.jsonl "$WV_STATE/"
	says 1 "does not extend the checkpoint of line 3" wv-trace seal --sign k1
	cmp whole/checkpoints.jsonl "$WV_STATE/checkpoints.jsonl"
	# who owns it says that it was lost, and the log tells it for ever
	rm -rf "$WV_STATE"
	cp -a whole "$WV_STATE"
	head -n 2 whole/audit.jsonl >"$log"
	wv-trace recover
	says 1 "after the next event" wv-trace seal --sign k1
	lines 1
	sealed
	lines 1
	sealed
	says 1 "kept.jsonl:1: the log does not extend this checkpoint of line 3" \
		wv-trace verify --checkpoint kept.jsonl
	tail -n 1 kept.jsonl >last
	says 0 "whole but for what was lost" wv-trace verify --checkpoint last
}

@test "seal: an empty log, a torn or forged file of checkpoints" {
	wv-token init
	with_key
	says 2 "empty" wv-trace seal --sign k1
	lines 1
	sealed
	printf '{"v":1,"se' >>"$WV_STATE/checkpoints.jsonl"
	sealed
	cmp kept.jsonl "$WV_STATE/checkpoints.jsonl"
	sed -i '1s/"lines":1/"lines":2/' "$WV_STATE/checkpoints.jsonl"
	says 1 "not as it was written" wv-trace seal --sign k1
	head -c -1 kept.jsonl >"$WV_STATE/checkpoints.jsonl"
	sealed
	cmp kept.jsonl "$WV_STATE/checkpoints.jsonl"
}

@test "--max-age with --checkpoint: that is not older" {
	wv-token init --test
	wv-token revoke tok-1 --now 2026-01-01T00:00:00Z
	with_key
	sealed --now 2026-01-01T02:00:00Z
	says 0 "whole" wv-trace verify --checkpoint kept.jsonl --max-age 1h \
		--now 2026-01-01T03:00:00Z
	says 1 "its last checkpoint is of 2026-01-01T02:00:00.000Z" \
		wv-trace verify --checkpoint kept.jsonl --max-age 1h \
		--now 2026-01-01T03:00:01Z
}

# --- the chain itself

# chained <EVENTS: their lines, as the kernel would have written them
chained() {
	local line prev n=0 log=',"log":"log-1"'
	prev=$(printf %064d 0)
	while IFS= read -r line; do
		n=$((n + 1))
		line="${line%\}},\"x_wv_chain\":{\"v\":1,\"seq\":$n,\"prev\":\"$prev\"$log}}"
		log=
		prev=$(printf %s "$line" | sha256sum)
		prev=${prev%% *}
		printf '%s\n' "$line"
	done
}

# a dead writer's bytes did not cover the line before them
@test "a line before a gap is covered by it" {
	lines 2
	printf '{"torn' >>"$log"
	lines 1
	says 0 "whole" wv-trace verify
	sed -i '2s/tok-2/tok-x/' "$log"
	says 1 "audit.jsonl:2: offset" wv-trace verify "$log"
	# as an older program wrote it, it is not; and verifies
	grep -q '"gap":{"bytes":6,"sha256":"[0-9a-f]*","after":"[0-9a-f]*"}' "$log"
}

@test "the exact bytes are what counts (cases C13, C19, C25)" {
	{
		printf '{"event_id":"e1","event_type":"flow_started","timestamp":"2026-01-01T00:00:00Z","metadata":{"\xee\x80\x80":1,"\xf0\x9f\x98\x80":1e-7,"x":-0,"y":1.0,"z":1152921504606846976,"s":"\xe2\x80\xa8\xc2\x85\\u000b/\xc3\xa9e\xcc\x81"}}\n'
		printf '{"event_id":"e2","event_type":"flow_started","timestamp":"2026-01-01T00:00:00Z"}\n'
	} | chained >a
	says 0 "whole: 2 lines" wv-trace verify a
	sed 's/1e-7/1E-7/' a >b
	says 1 "b:1: offset" wv-trace verify b
	sed 's/"y":1.0/"y":1/' a >b
	says 1 "b:1: offset" wv-trace verify b
	# a member of the chain that is not known yet
	sed '2s/}}$/,"more":{"x":1}}}/' a >b
	says 0 "whole: 2 lines" wv-trace verify b
}

# --- lifecycle

# event TYPE MEMBERS
event() {
	printf '{"event_id":"e%d","event_type":"%s","timestamp":"2026-01-01T00:00:00Z"%s}\n' \
		$((++events)) "$1" "${2:+,$2}"
}

# who D [CAPABILITY [PRINCIPAL]]
who() {
	printf '"capability_id":"%s","principal":"%s","decision_id":"%s"' \
		"${2:-org.a}" "${3:-p}" "$1"
}

step() {
	event "flow_step_$1" "\"metadata\":{\"x_wv_run\":{\"run_id\":\"r\",\"leg\":$2,\"step_id\":\"$3\"}}"
}

leg() {
	event "flow_$1" "\"metadata\":{\"x_wv_run\":{\"run_id\":\"r\",\"leg\":$2}}"
}

# fits STATUS TEXT <EVENTS
fits() {
	chained >a
	says "$1" "$2" wv-trace verify --lifecycle a
}

@test "--lifecycle: a log of ours fits" {
	cat >policy.yaml <<-'END'
	version: 1
	rules: [{effect: allow, match: {capability: ["org.demo.*"]}}]
	END
	cat >tools.yaml <<-'END'
	version: 1
	tools:
	  - capability: org.demo.run
	    source: exec
	    command: [printf, 'token ghp_0123456789abcdefghijABCDEFGHIJ012345\n']
	END
	wv-token issue --principal agent-7 --scope 'org.demo.*' --ttl 1h >token.json
	for i in 1 2; do
		wv-route -c tools.yaml --pin org.demo.run --arguments '{}'
	done | wv-authorize -p policy.yaml -k token.json |
		wv-call -T tools.yaml >frames
	wv-trace rotate
	says 0 "whole: " wv-trace verify --lifecycle
	grep -q '"redactions":1' "$log.1"
	grep -v '"firewall_applied"' "$log.1" >cut
	says 1 "was redacted, and has no firewall_applied" \
		wv-trace verify --lifecycle cut
}

@test "--lifecycle: what ran was authorized, once, and ran once" {
	{
		event capability_authorized "$(who d1)"
		event capability_executed "$(who d1)"
		event capability_authorized "$(who d2)"
	} >good
	fits 0 "0 faults" <good
	{
		cat good
		event capability_executed "$(who d1)"
	} | fits 1 "a:4: decision d1 was executed before"
	{
		cat good
		event capability_authorized "$(who d2)"
	} | fits 1 "a:4: decision d2 was authorized before"
	{
		cat good
		event capability_executed "$(who d3)"
		event capability_authorized "$(who d3)"
	} | fits 1 "a:4: decision d3 was not authorized before"
	for other in "org.b p" "org.a q"; do
		{
			cat good
			# shellcheck disable=SC2086 # words
			event capability_executed "$(who d2 $other)"
		} | fits 1 "a:4: decision d2 was authorized for another capability or principal"
	done
	{
		cat good
		event capability_denied "$(who d2),\"metadata\":{\"x_wv_code\":\"not_committed\"}"
		event capability_executed "$(who d2)"
	} | fits 1 "a:5: decision d2 was never committed"
	# what others had appended proves nothing
	{
		event capability_authorized "$(who d1),\"metadata\":{\"x_wv_source\":\"x\"}"
		event capability_executed "$(who d1)"
	} | fits 1 "a:2: decision d1 was not authorized before"
	{
		cat good
		event capability_executed "$(who d9),\"metadata\":{\"x_wv_source\":\"x\"}"
	} | fits 0 "0 faults"
	# without being asked, nobody looks
	says 0 "0 faults" wv-trace verify a
}

@test "--lifecycle: a Handle went through the firewall" {
	{
		event firewall_applied '"frame_id":"f1"'
		event handle_created '"frame_id":"f1","handle_id":"h1"'
	} | fits 0 "0 faults"
	event handle_created '"frame_id":"f2","handle_id":"h1"' |
		fits 1 "a:1: Frame f2 has a Handle, and no firewall_applied"
}

@test "--lifecycle: steps and legs of a flow begin and end once" {
	{
		leg started 0
		step started 0 a
		step completed 0 a
		step started 0 b
		step completed 0 b
		leg failed 0
		step started 1 b
		step completed 1 b
		leg completed 1
	} >good
	fits 0 "0 faults, 0 notes" <good
	head -n 5 good | fits 0 "1 legs of flows have not ended"
	sed 3d good | fits 1 "a:5: leg 0 of run r ends with 1 steps"
	sed 2d good | fits 1 "a:2: step a did not begin before"
	sed 2p good | fits 1 "a:3: step a began before"
	sed 3p good | fits 1 "a:4: step a was completed before"
	sed 9p good | fits 1 "a:10: leg 1 of run r ended before"
	sed 1p good | fits 1 "a:2: run r began before"
	{
		cat good
		step started 1 c
	} | fits 1 "a:10: the leg of step c has ended before"
}

@test "--lifecycle: what may stand in lines that are not here is a note" {
	lines 1
	{
		event capability_authorized "$(who d1)"
		event capability_authorized "$(who d2)"
	} | wv-trace append --foreign x
	wv-trace rotate
	lines 1
	cp "$log" later
	says 0 "whole" wv-trace verify --lifecycle later
	# an execution in it
	line=$(cat later)
	printf '%s\n{"event_id":"e","event_type":"capability_executed","timestamp":"2026-01-01T00:00:00Z",%s,"x_wv_chain":{"v":1,"seq":5,"prev":"%s"}}\n' \
		"$line" "$(who d1)" "$(hash_of_last later)" >seg
	says 0 "what 1 events need may stand in lines that are not here" \
		wv-trace verify --lifecycle seg
}
