#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-validate: good records leave byte for byte, bad ones are told with their
# place, and no status lies.

load lib

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# frame [MORE]: a valid Frame on a line, with more members at its end
frame() {
	printf '{"frame_id":"f","capability_id":"c","summary":"s","created_at":"2026-01-02T03:04:05Z"%s}\n' "$1"
}

# validate STATUS [OPTION…]: the status; then out.jsonl and err
validate() {
	local want=$1 status=0
	shift
	timeout 20 wv-validate "$@" >out.jsonl 2>err 3>&- || status=$?
	[ "$status" = "$want" ] || {
		echo "status $status, not $want"
		cat err
		return 1
	}
}

@test "the samples of the specification are valid" {
	need_data weaver/samples
	local name
	for name in capability capability_token choice_card handle \
		policy_decision routing_decision selectable_item trace_event; do
		validate 0 -t "$name" "$shared_data/weaver/samples/$name.json"
		validate 0 "$shared_data/weaver/samples/$name.json"
		[ "$(wc -l <out.jsonl)" = 1 ]
	done
	validate 0 -t Frame "$shared_data/weaver/samples/frame_with_handles.json"
	told "1 record: 1 valid, 0 invalid, 0 malformed, 0 undecided"
}

@test "the negatives are invalid for the reason in their names" {
	need_data weaver/negative
	local dir="$shared_data/weaver/negative"
	validate 1 --check "$dir/frame/missing_summary.json"
	told "missing_summary.json:1:1: needs summary (schema /required)"
	validate 1 --check "$dir/trace_event/bad_event_type.json"
	told "bad_event_type.json:3:17: /event_type: must be one of"
	validate 1 --check "$dir/routing_decision/empty_choice_cards.json"
	told "3:19: /choice_cards: must have at least 1 item"
	validate 1 --check "$dir/capability_token/empty_scope.json"
	told "4:12: /scope: must have at least 1 item"
	# cases B19
	validate 1 --check "$dir/capability_token/no_expiry_no_single_use.json"
	told "needs expires_at, or single_use: true"
	validate 1 --check "$dir/policy_decision/bad_decision_enum.json"
	told '3:15: /decision: must be one of "allow", "deny"'
}

@test "numbers and NULs pass byte for byte (cases A1)" {
	{
		frame ',"x_n":125276004817190914'
		frame ',"x_n":1234567890123456789012345678901234567890'
		frame ',"x_n":[1.10,1E3,-0,1e400,15878708649682983132]'
		frame ',"x_s":"a\u0000b","a\u0000b":"\ud83d\ude00\/"'
		printf '  { "frame_id":"f", "capability_id":"c" ,"summary":"s","created_at":"2026-01-02T03:04:05Z"}\t\r\n'
	} >in.jsonl
	validate 0 -t frame in.jsonl
	cmp in.jsonl out.jsonl
	validate 0 -t frame <in.jsonl
	cmp in.jsonl out.jsonl
}

@test "numbers keep their digits when a document becomes a line (cases A1)" {
	frame ',"x_n":[125276004817190914,1.10,1E3,-0,1e400],"x_s":"\u0000"' |
		tee want.jsonl | sed 's/,"/,\n"/g' >in.json
	[ "$(wc -l <in.json)" -gt 3 ]
	validate 0 -t frame in.json
	cmp want.jsonl out.jsonl
}

@test "a byte order mark is skipped at the start only (cases A3)" {
	frame >line
	{ printf '\xef\xbb\xbf'; cat line line; } >in.jsonl
	validate 0 -t frame in.jsonl
	cat line line | cmp - out.jsonl
	{ cat line; printf '\xef\xbb\xbf'; cat line; } >in.jsonl
	validate 2 -t frame in.jsonl
	told "in.jsonl:2:1: byte order mark"
	cmp line out.jsonl
}

@test "invalid UTF-8 is refused with its place (cases A5)" {
	local bytes before
	before=$(frame ',"x_a":"')
	for bytes in '\xff' '\xc0\xaf' '\xed\xa0\x80' '\xf5\x80\x80\x80' '\xc3'; do
		{
			frame ',"x_a":"'"$(printf "$bytes")"'"'
			frame
		} >in.jsonl
		validate 2 -t frame in.jsonl
		told "in.jsonl:1:${#before}: " "2 records: 1 valid, 0 invalid, 1 malformed"
		frame | cmp - out.jsonl
	done
}

@test "a NUL byte outside a string is an error, not a number (cases A9)" {
	printf '1\r\0\n\0\n1\n\0 \0' >in.jsonl
	validate 2 -t frame in.jsonl
	told "in.jsonl:1:3: NUL byte outside a string" "in.jsonl:2:1: NUL"
	[ ! -s out.jsonl ]
}

@test "no input is no pass, unless it is allowed (cases A11)" {
	validate 2 -t frame </dev/null
	told "no records" "0 records: 0 valid, 0 invalid, 0 malformed"
	printf '\n \r\n' >blank.jsonl
	validate 2 --check blank.jsonl
	validate 0 --check --allow-empty blank.jsonl
	told "0 records: 0 valid, 0 invalid, 0 malformed, 0 undecided"
}

@test "what is not JSON beats what is invalid (cases A13)" {
	{ echo '{"a":'; echo '{"frame_id":"f"}'; frame; } >in.jsonl
	validate 2 -t frame in.jsonl
	told "3 records: 1 valid, 1 invalid, 1 malformed, 0 undecided"
	sed 1d in.jsonl >invalid.jsonl
	validate 1 -t frame invalid.jsonl
	told "2 records: 1 valid, 1 invalid, 0 malformed, 0 undecided"
}

@test "a full disk fails, a full terminal does not (cases A15)" {
	[ -w /dev/full ] || skip "no /dev/full"
	frame >good.jsonl
	echo '{"frame_id":"f"}' >bad.jsonl
	run --separate-stderr -2 bash -c 'wv-validate -t frame good.jsonl >/dev/full'
	[[ $stderr == *"No space left on device"* ]]
	run --separate-stderr -2 bash -c 'wv-validate --list-types >/dev/full'
	run -0 bash -c 'wv-validate --check good.jsonl 2>/dev/full'
	run -1 bash -c 'wv-validate --check bad.jsonl 2>/dev/full'
	run -1 bash -c 'wv-validate --check bad.jsonl 2>&-'
}

@test "a bad line is told and skipped; --fail-fast stops (cases A17)" {
	{ frame ',"x":1'; echo oops; frame ',"x":3'; } >in.jsonl
	validate 2 -t frame in.jsonl
	told "in.jsonl:2:1:"
	[ "$(wc -l <out.jsonl)" = 2 ]
	validate 2 -t frame --fail-fast in.jsonl
	[ "$(wc -l <out.jsonl)" = 1 ]
	{ frame; echo '{"frame_id":1}'; frame; } >in.jsonl
	validate 1 -t frame --fail-fast in.jsonl
	[ "$(wc -l <out.jsonl)" = 1 ]
}

@test "a line of 8 MiB is a line; beyond the limit only it is lost (cases A19)" {
	frame ',"x_a":"'"$(head -c 8388608 /dev/zero | tr '\0' x)"'"' >in.jsonl
	frame >>in.jsonl
	validate 0 -t frame in.jsonl
	cmp in.jsonl out.jsonl
	validate 2 -t frame --max-line 1M in.jsonl
	told "in.jsonl:1:" "1 valid, 0 invalid, 1 malformed"
	frame | cmp - out.jsonl
}

@test "a bad escape is told where it stands (cases A21)" {
	printf '{"content":"oh no \\0 lots of text"}\n' >in.jsonl
	validate 2 -t frame in.jsonl
	told 'in.jsonl:1:19: bad escape \0'
}

@test "depth has a limit and costs no stack (cases A25)" {
	local depth
	for depth in 100000 511 512; do
		frame ',"x_a":'"$(printf '[%.0s' $(seq $depth))$(printf ']%.0s' $(seq $depth))" >"$depth.jsonl"
	done
	printf '{"a":%.0s' $(seq 100000) >open.jsonl
	ulimit -s 256
	validate 0 -t frame 511.jsonl
	cmp 511.jsonl out.jsonl
	validate 2 -t frame 512.jsonl
	told "nesting deeper than 512"
	validate 0 -t frame --max-depth 513 512.jsonl
	validate 2 -t frame 100000.jsonl open.jsonl
	told "100000.jsonl:1:" "open.jsonl:1:" "nesting deeper than 512"
	[ ! -s out.jsonl ]
}

@test "no colour, terminal or not (cases A27)" {
	echo '{"frame_id":1}' >bad.jsonl
	validate 1 -t frame bad.jsonl
	run ! grep -q "$(printf '\033')" err
	script -qec true /dev/null >/dev/null 2>&1 || skip "no pseudo-terminal"
	NO_COLOR= script -qec 'wv-validate --check bad.jsonl' /dev/null \
		</dev/null >seen 3>&- || true
	grep -q 'needs summary' seen
	run ! grep -q "$(printf '\033')" seen
}

@test "names are escaped again on output (cases A29)" {
	frame ',"a\"b\\c":"\u001b\n\u00e9"' >want
	sed 's/,"/,\n"/g' want >in.json
	validate 0 -t frame in.json
	jq -c . want >same 2>/dev/null || skip "no jq"
	jq -c . out.jsonl | cmp - same
	grep -qF '"a\"b\\c":"\u001b\n' out.jsonl
}

@test "colour in the input is named (cases A31)" {
	printf '\033[1m{"a":1}\033[0m\n' >in.jsonl
	validate 2 -t frame in.jsonl
	told "in.jsonl:1:1: terminal escape sequence"
	run ! grep -q "$(printf '\033')" err
}

@test "what a payload holds cannot reach the terminal" {
	printf '%s\n' '{"id":"r","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d"}]}],"selected_item_id":"\u001b]0;x\u0007","timestamp":"2026-01-02T03:04:05Z"}' >in.jsonl
	validate 1 in.jsonl
	told '"\x1b]0;x\x07" stands on no card'
	run ! grep -q "$(printf '[\033\007]')" err
}

@test "a fault stands at the line and column of its value (cases B23)" {
	cat >in.json <<-'END'
		{
		  "id": "r",
		  "timestamp": "2026-01-02T03:04:05Z",
		  "choice_cards": [
		    { "id": "c", "items": [] }
		  ]
		}
		{"id": "r", "choice_cards": 7, "timestamp": "then"}
	END
	validate 1 -t routing_decision in.json
	told "wv-validate: in.json:5:27: /choice_cards/0/items: must have at least 1 item (schema /properties/items/minItems)" \
		"in.json:8:29: /choice_cards: must be an array, not a number" \
		"in.json:8:45: /timestamp: must be a date-time"
	echo '{"frame_id":' >in.json
	validate 2 in.json
	told "in.json:2:1:"
}

@test "invariants are told by their names" {
	frame ',"raw_output":"x"' >in.jsonl
	validate 1 -t frame in.jsonl
	told "in.jsonl:1:100: /raw_output: a Frame carries no raw output (I-01)"
	cat >in.jsonl <<-'END'
		{"id":"r","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d"},{"id":"i","label":"l","description":"d"}]}],"selected_item_id":"j","timestamp":"2026-01-02T03:04:05Z"}
	END
	validate 1 in.jsonl
	told '/choice_cards/0/items/1/id: "i" stands on this card twice (unique-item-ids)' \
		'/selected_item_id: "j" stands on no card (selected-item)'
}

@test "the contract is told by its members, or not at all" {
	frame >in.jsonl
	echo '{"event_id":"e","event_type":"flow_started","timestamp":"2026-01-02T03:04:05Z","frame_id":"f"}' >>in.jsonl
	validate 0 in.jsonl
	cmp in.jsonl out.jsonl
	echo '{"a":1}' >>in.jsonl
	validate 2 in.jsonl
	told "in.jsonl:3:1: cannot tell which contract this is" \
		"3 records: 2 valid, 0 invalid, 0 malformed, 1 undecided"
}

@test "--check writes no records and judges the same" {
	{ frame; echo '{"frame_id":"f"}'; } >in.jsonl
	validate 1 in.jsonl
	frame | cmp - out.jsonl
	cp err filtered
	validate 1 --check in.jsonl
	[ ! -s out.jsonl ]
	cmp filtered err
}

@test "-q is silent and changes no status" {
	{ frame; echo '{"frame_id":"f"}'; echo '{'; } >in.jsonl
	validate 2 -q in.jsonl
	[ ! -s err ]
	frame | cmp - out.jsonl
}

@test "folders are walked, sorted, files of our kinds only" {
	mkdir -p d/b/c d/a
	frame ',"x":1' >d/a.jsonl
	frame ',"x":2' >d/a/z.ndjson
	frame ',"x":3' >d/b/c/y.json
	frame ',"x":4' >d/b.json
	echo 'not JSON' >d/README
	echo 'not JSON' >d/json
	ln -s .. d/b/loop
	mkfifo d/pipe.json
	validate 0 d
	told "4 records: 4 valid"
	grep -o '"x":.' out.jsonl | tr -d '\n' >order
	[ "$(cat order)" = '"x":2"x":1"x":3"x":4' ]
	validate 0 d/
	told "4 records: 4 valid"
}

@test "a folder without payloads is no pass (cases B7)" {
	mkdir empty full
	frame >full/a.json
	validate 2 --check empty
	told "empty: no .json, .jsonl, .ndjson, .yaml or .yml file" "0 records:"
	validate 2 --check full empty
	told "1 record: 1 valid"
	validate 0 --check --allow-empty full empty
	validate 0 --check --allow-empty empty
}

@test "one file that cannot be read does not stop the rest" {
	frame >good.json
	validate 2 missing.json good.json
	told "missing.json" "1 record: 1 valid"
	frame | cmp - out.jsonl
}

@test "a name that begins with a dash, after -- (cases B5)" {
	frame >-x.json
	validate 0 -- -x.json
	told "1 record: 1 valid"
}

@test "-m reads documents from standard input" {
	frame | sed 's/,"/,\n"/g' >in
	validate 2 -t frame <in
	validate 0 -t frame -m <in
	frame | cmp - out.jsonl
}

@test "a record is written as soon as it was read" {
	mkfifo in out
	wv-validate -q -t frame <in >out 3>&- &
	local pid=$!
	exec 7>in 8<out
	frame >&7
	read -r -t 10 line <&8
	[ "$line" = "$(frame)" ]
	exec 7>&- 8<&-
	wait "$pid"
}

@test "types are listed, their schemas printed, mistakes named" {
	run -0 --separate-stderr wv-validate --list-types
	[ "${#lines[@]}" = 33 ]
	local type folder
	for type in "${lines[@]}"; do
		folder=extended
		[ -e "$top_srcdir/schemas/core/$type.schema.json" ] && folder=core
		wv-validate --print-schema "$type" >schema
		cmp schema "$top_srcdir/schemas/$folder/$type.schema.json"
		wv-validate --print-example "$type" >example
		[ "$(wc -l <example)" = 1 ]
		wv-validate --strict -t "$type" <example | cmp - example
	done
	wv-validate --print-schema PolicyDecision |
		cmp - "$top_srcdir/schemas/core/policy_decision.schema.json"
	fails_with 2 "frame" wv-validate -t frmae /dev/null
	fails_with 2 "auto" wv-validate -t atuo /dev/null
	fails_with 2 "handle" wv-validate --print-schema handel
	fails_with 2 "frame" wv-validate --print-example fraem
	fails_with 2 "--check" wv-validate --chekc
}

@test "the audit log of a long day streams in little memory" {
	(ulimit -v 100000 && wv-validate --version >version) ||
		skip "a sanitizer needs more"
	local i
	for i in $(seq 100); do
		echo '{"event_id":"e","event_type":"flow_started","timestamp":"2026-01-02T03:04:05.123456Z","capability_id":null,"outcome":"success","metadata":{"n":9007199254740993}}'
	done >block
	cat $(yes block | head -500) >log.jsonl
	run -0 bash -c 'ulimit -v 100000 && wv-validate -q -t trace_event log.jsonl | cmp - log.jsonl'
}

# it died of the stack, seven evaluations a level
@test "a small stack is told, not overrun (cases A25)" {
	local i all='{"$ref":"#/$defs/a"}'
	for i in 1 2 3 4 5; do all='{"allOf":['$all']}'; done
	printf '{"$defs":{"a":{"properties":{"a":%s}}},"$ref":"#/$defs/a"}\n' \
		"$all" >deep.json
	{
		printf '{"a":%.0s' $(seq 500)
		printf 1
		printf '}%.0s' $(seq 500)
	} >in.jsonl
	ulimit -s 256
	run -2 wv-validate --check -s deep.json in.jsonl
	[[ $output == *"nested too deeply for this schema"* ]]
}

# it was refused for want of an $id
@test "a schema from a pipe" {
	echo '{"a":1}' >in.jsonl
	run -0 wv-validate --check -s <(echo '{"type":"object"}') in.jsonl
	run -1 wv-validate --check -s <(echo '{"type":"array"}') in.jsonl
}
