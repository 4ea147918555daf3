#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-validate in CI: schemas of one's own, reports, expectations, many files,
# many processes.

load lib

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# frame [MORE]: a valid Frame on a line, with more members at its end
frame() {
	printf '{"frame_id":"f","capability_id":"c","summary":"s","created_at":"2026-01-02T03:04:05Z"%s}\n' "$1"
}

# token [MORE]: a valid CapabilityToken but for its end
token() {
	printf '{"token_id":"t","capability_id":"c","principal":"p","issued_at":"2026-01-02T03:04:05Z","scope":["a"]%s}\n' "$1"
}

# validate STATUS [OPTION…]: the status; then out and err
validate() {
	local want=$1 status=0
	shift
	timeout 60 wv-validate "$@" >out 2>err 3>&- || status=$?
	[ "$status" = "$want" ] || {
		echo "status $status, not $want"
		cat out err
		return 1
	}
}

# judged STATUS SCHEMA JSON [OPTION…]: a value by a schema, both given as text
judged() {
	local want=$1
	printf '%s\n' "$2" >schema.json
	printf '%s\n' "$3" >in.jsonl
	shift 3
	validate "$want" --check -s schema.json "$@" in.jsonl
}

untold() {
	local text
	for text; do
		! grep -F -- "$text" err || return 1
	done
}

# --- verdicts and statuses

@test "invalid is 1, told first, and nothing claims it passed (cases B1)" {
	frame ',"handle_refs":7' >in.jsonl
	validate 1 --check in.jsonl
	[ ! -s out ]
	[ "$(wc -l <err)" = 2 ]
	head -n 1 err | grep -qF "in.jsonl:1:101: /handle_refs: must be an array"
	run ! grep -qiE 'passed|success' err
	validate 1 -f text in.jsonl
	head -n 1 out | grep -qF "in.jsonl:1:101: /handle_refs: must be an array"
	tail -n 1 out | grep -qF "1 record: 0 valid, 1 invalid"
}

@test "a schema alone is judged, and what it refers to (cases B3)" {
	echo '{"type":"strin","properties":{"a":{"minLength":-1}}}' >bad.json
	validate 2 -s bad.json </dev/null
	told "bad.json:1:9: /type: must be one of" \
		"bad.json:1:48: /properties/a/minLength: must be at least 0"
	validate 1 --lint bad.json
	told "bad.json:1:9: /type:" "bad.json:1:48: /properties/a/minLength:"
	mkdir sub
	echo '{"properties":{"a":{"$ref":"sub/part.json#/$defs/x"}}}' >whole.json
	printf '{"$defs":{"x":{},\n"y":{"type":"nmuber"}}}\n' >sub/part.json
	validate 1 --lint whole.json
	told 'sub/part.json:2:13: /$defs/y/type:' 'did you mean "number"?'
	echo '{}' | validate 2 -s whole.json
	told 'sub/part.json:2:13: /$defs/y/type:'
	echo '{"$defs":{"x":{}}}' >sub/part.json
	validate 0 --lint whole.json
	echo '{"a":1}' | validate 0 -s whole.json
}

@test "several schemas are linted in one call; unreadable beats faulty" {
	echo '{"type":"strin"}' >bad.json
	echo '{"type":"string"}' >good.json
	echo '{' >broken.json
	validate 0 --lint good.json
	[ ! -s err ]
	validate 1 --lint good.json bad.json
	validate 2 --lint bad.json broken.json good.json missing.json
	told "bad.json:1:9:" "broken.json:2:1:" "missing.json: cannot open"
}

@test "all arguments are payloads, also one named -x.json (cases B5)" {
	local i
	for i in 1 2 3; do frame ",\"n\":$i" >"$i.json"; done
	frame >-x.json
	validate 0 -- *.json
	[ "$(wc -l <out)" = 4 ]
	told "4 records: 4 valid"
}

@test "nothing judged is no pass (cases B7)" {
	mkdir empty
	: >none.jsonl
	printf '\n\n' >blank.jsonl
	local in
	for in in empty none.jsonl blank.jsonl; do
		validate 2 --check "$in"
		told "0 records: 0 valid, 0 invalid"
		validate 0 --check --allow-empty "$in"
		validate 2 -f json "$in"
		grep -qF '{"findings":[],"summary":{"records":0' out
	done
	validate 2 --check </dev/null
	told "no records"
	frame >x.json
	validate 2 --check --exclude '*.json' x.json
	told "no records"
}

# A document that was truncated to nothing was a pass among others (cases B7).
@test "a document file without a value is malformed, beside others too" {
	frame >good.json
	local name
	for name in x.json x.yaml x.yml; do
		for text in '' ' \n\t\n' '\xef\xbb\xbf'; do
			# shellcheck disable=SC2059 # the escapes are meant
			printf "$text" >"$name"
			validate 2 good.json "$name"
			cmp good.json out
			told "$name:1:1: holds no value" "2 records: 1 valid, 0 invalid, 1 malformed"
			validate 0 --allow-empty "$name"
			validate 2 -j 2 --rejects rejects good.json "$name"
			told "$name:1:1: holds no value" "1 malformed"
			[ ! -s rejects ]
		done
	done
	: | gzip >x.json.gz
	validate 2 good.json x.json.gz
	told "x.json.gz:1:1: holds no value"
	: >x.json.gz
	validate 2 good.json x.json.gz
	told "x.json.gz: the gzip data end too soon"
	: >x.jsonl
	validate 0 good.json x.jsonl
	rm x.*
	mkdir d
	cp good.json d/a.json
	: >d/b.json
	validate 2 --check d
	validate 2 -f verdicts d
	grep -q '^{"source":"d/b.json","line":1,"valid":null,.*"error":"holds no value"' out
	validate 2 --fail-fast d/b.json missing.json
	! grep -qF missing.json err
}

@test "the meta-schemas are built in and nothing opens a socket (cases B9)" {
	judged 0 '{"$ref":"https://json-schema.org/draft/2020-12/schema"}' \
		'{"type":"string"}'
	judged 1 '{"$ref":"https://json-schema.org/draft/2020-12/schema"}' \
		'{"type":"String"}'
	judged 1 '{"$ref":"http://json-schema.org/draft-07/schema#"}' \
		'{"required":7}'
	run ! grep -qw connect <(nm -D --undefined-only "$(command -v wv-validate)")
	judged 2 '{"$ref":"https://example.invalid/x.json"}' '1'
	told 'schema.json:1:9: /$ref:' 'https://example.invalid/x.json'
}

@test "format: an annotation of a schema, asserted of contracts (cases B11)" {
	local schema='{"properties":{"timestamp":{"format":"date-time"}}}'
	local value='{"timestamp":"test"}'
	judged 0 "$schema" "$value"
	judged 1 "$schema" "$value" --assert-format
	told "/timestamp: must be a date-time" "(schema /properties/timestamp/format)"
	judged 0 "$schema" "$value" --assert-format --disable-format date-time
	judged 1 "$schema" "$value" --assert-format --disable-format email
	fails_with 2 "date-time" wv-validate -s schema.json --disable-format date-tiem
	frame | sed 's/2026-01-02T/2026-01-02 /' >in.jsonl
	validate 1 -t frame in.jsonl
	told "/created_at: must be a date-time"
}

@test "YAML payloads: a time is a string, with its line (cases B13)" {
	cat >f.yaml <<-'END'
		frame_id: f
		capability_id: c
		summary: s
		created_at: 2026-01-01T00:00:00Z
	END
	validate 0 f.yaml
	echo '{"frame_id":"f","capability_id":"c","summary":"s","created_at":"2026-01-01T00:00:00Z"}' |
		cmp - out
	sed -i 's/00Z/00/' f.yaml
	cp f.yaml g.yml
	validate 1 --check f.yaml g.yml
	told "f.yaml:4:13: /created_at: must be a date-time" "g.yml:4:13:"
	printf -- '---\na: 1\n---\na: 2\n' >two.yaml
	validate 2 --check two.yaml
	told "two.yaml:3"
	echo 'a: yes' >yes.yaml
	validate 2 --check yes.yaml
	told "yes.yaml:1:4:"
}

@test "arithmetic is exact (cases B15)" {
	judged 0 '{"multipleOf":0.01}' 300.52
	judged 0 '{"multipleOf":0.1}' 0.3
	judged 0 '{"multipleOf":0.001}' 314201340.720
	judged 0 '{"properties":{"int":{"multipleOf":0.1}}}' '{"int":1}'
	judged 1 '{"multipleOf":0.01}' 300.525
	judged 1 '{"maximum":9007199254740992}' 9007199254740993
}

@test "numbers are what they say, however written (cases B17)" {
	judged 0 '{"type":"integer"}' 1.0
	judged 0 '{"type":"integer"}' 1e2
	judged 1 '{"type":"integer"}' 1.5
	judged 0 '{"const":1}' 1.0
	judged 0 '{"enum":[10]}' 1e1
	judged 1 '{"uniqueItems":true}' '[1,1.0]'
	judged 0 '{"minimum":0}' -0.0
	judged 0 '{"maxLength":1}' '"🚀"'
}

@test "anyOf in the user's words, the nearest branch first (cases B19)" {
	token >in.jsonl
	validate 1 --check in.jsonl
	told "in.jsonl:1:1: needs expires_at, or single_use: true (schema /anyOf)"
	untold alternative
	validate 1 -v --check in.jsonl
	told "in.jsonl:1:1: needs expires_at, or single_use: true (schema /anyOf)"
	told "alternative 1 of 2: " "alternative 2 of 2: needs expires_at"
	judged 1 '{"anyOf":[{"type":"string"},{"type":"object","properties":{"a":{"type":"object","required":["b"]}},"required":["a"]}]}' \
		'{"a":{}}'
	told "/a: needs b"
	untold "must be a string"
}

@test "a type that does not exist is a bad schema (cases B21)" {
	judged 2 '{"type":"Integer"}' 1
	told 'schema.json:1:9: /type:' 'did you mean "integer"?'
	untold "1 valid"
}

@test "a fault stands at its line, in a schema too (cases B23)" {
	printf '{\n  "a": {\n    "b": "é", "c": 7\n  }\n}\n' >in.json
	echo '{"properties":{"a":{"properties":{"c":{"type":"string"}}}}}' >s.json
	validate 1 --check -s s.json in.json
	told "in.json:3:21: /a/c: must be a string"
	validate 1 -f sarif -s s.json in.json
	grep -qF '"startLine":3,"startColumn":20' out
	printf '{\n "a": tru\n}\n' >in.json
	validate 2 --check -s s.json in.json
	told "in.json:2:7:"
	printf '{"a":1,\n "é": tru}\n' >in.json
	validate 2 -f sarif -s s.json in.json
	grep -qF '"startLine":2,"startColumn":7' out
}

# --- expectations

@test "--expect-invalid: for a reason of the schema only (cases B25)" {
	mkdir bad
	echo '{"frame_id":"f"}' >bad/a.json
	frame ',"raw":1' >bad/b.json
	validate 0 --expect-invalid bad
	told "2 records: 0 valid, 2 invalid, 0 malformed, 0 undecided, 0 warnings, 2 as expected"
	untold "needs"
	echo '{"frame_id":' >bad/c.json
	validate 2 --expect-invalid bad
	told "bad/c.json:2:1:"
	frame >bad/c.json
	validate 1 --expect-invalid bad
	told "bad/c.json:1: was expected to be invalid, but is valid"
	[ ! -s out ]
	echo '{"a":1}' >bad/c.json
	validate 2 --expect-invalid bad
	told "cannot tell which contract"
}

expectations() {
	mkdir t
	echo '{"frame_id":"f"}' >t/req.json
	frame ',"raw":1' >t/raw.json
	frame >t/good.json
	echo '{' >t/mal.json
	token >t/tok.json
}

@test "--expect: each file by what it must break" {
	expectations
	echo '{"t/req.json":"required","./t//raw.json":"I-01","t/good.json":null,"t/mal.json":"malformed","t/tok.json":"anyOf"}' >e.json
	validate 0 --expect e.json t
	told "5 records: 1 valid, 3 invalid, 1 malformed, 0 undecided, 0 warnings, 5 as expected"
	[ "$(wc -l <err)" = 1 ]
	tr , '\n' <e.json | sed 's/^{*/{/; s/}*$/}/' >e.jsonl
	validate 0 --expect e.jsonl t
}

@test "--expect: a mismatch is told, with what it broke instead" {
	expectations
	echo '{"t/req.json":"minItems","t/raw.json":null,"t/good.json":"required","t/mal.json":"malformed","t/tok.json":"anyOf"}' >e.json
	validate 1 --expect e.json t
	told "t/req.json:1: was expected to break minItems, but breaks required" \
		"t/good.json:1: was expected to break required, but is valid" \
		"t/raw.json:1:93: /raw: a Frame carries no raw output (I-01)"
	untold "t/tok.json" "t/mal.json"
	validate 1 --expect e.json -f tap t
	grep -qx 'ok . - t/tok.json:1' out
	grep -qx 'ok . - t/mal.json:1' out
	grep -qx 'not ok . - t/good.json:1' out
}

@test "--expect: a file that was not seen is told, others must be valid" {
	expectations
	echo '{"t/req.json":"required","t/nix.json":"type"}' >e.json
	validate 2 --expect e.json t/req.json
	told "t/nix.json: expected, but it was not judged"
	echo '{"t/req.json":"required"}' >e.json
	validate 1 --expect e.json t/req.json t/raw.json
	told "t/raw.json:1:93:"
	# cases B25: malformed is no way to fail by a schema
	echo '{"t/mal.json":"required"}' >e.json
	validate 2 --expect e.json t/mal.json
}

@test "--expect: a bad list is refused before anything is judged" {
	echo '{"a":1}' >e.json
	fails_with 2 'e.json:1:1: "a": what is expected is a keyword' \
		wv-validate --expect e.json /dev/null
	# it was taken for the name of a rule
	echo '{"a":""}' >e.json
	fails_with 2 'e.json:1:1: "a": what is expected is a keyword' \
		wv-validate --expect e.json /dev/null
	printf '{"a":null}\n{"./a":"type"}\n' >e.jsonl
	fails_with 2 'e.jsonl: expects "a" twice' wv-validate --expect e.jsonl /dev/null
	printf '{"a":null}\n{"b":nul}\n' >e.jsonl
	fails_with 2 'e.jsonl:2:6:' wv-validate --expect e.jsonl /dev/null
	echo '{}' >e.json
	fails_with 2 'e.json: expects nothing' wv-validate --expect e.json /dev/null
	fails_with 2 'missing: cannot open' wv-validate --expect missing /dev/null
	fails_with 2 '--expect-invalid' wv-validate --expect e.json --expect-invalid /dev/null
}

# --- reports

@test "no findings are an empty list, never none (cases B27)" {
	frame >in.jsonl
	validate 0 -f json in.jsonl
	printf '%s\n' '{"findings":[],"summary":{"records":1,"valid":1,"invalid":0,"malformed":0,"undecided":0,"warnings":0}}' |
		cmp - out
	told "1 record: 1 valid"
	validate 0 -f sarif in.jsonl
	tr -d '\n' <out | grep -qF '"results":[]'
}

@test "a report takes the place of messages and of records" {
	{ frame; echo '{"frame_id":"f"}'; echo '{'; } >in.jsonl
	local format
	for format in text verdicts json junit tap sarif github; do
		validate 2 -f "$format" in.jsonl
		[ -s out ]
		run ! grep -q '"summary":"s"' out
		[ "$(cat err)" = "wv-validate: 3 records: 1 valid, 1 invalid, 1 malformed, 0 undecided, 0 warnings" ]
		cp out "$format.stdout"
		validate 2 -f "$format=$format.file" in.jsonl
		[ ! -s out ]
		cmp "$format.stdout" "$format.file"
	done
	validate 2 -f json=a -f junit=b -f text in.jsonl
	cmp json.stdout a
	cmp junit.stdout b
	cmp text.stdout out
}

@test "mistaken reports are refused" {
	fails_with 2 "sarif" wv-validate -f sarfi /dev/null
	fails_with 2 "standard output" wv-validate -f text -f json /dev/null
	fails_with 2 "nix/report" wv-validate -f json=nix/report /dev/null
	frame >in.jsonl
	[ -e /dev/full ] || return 0
	validate 2 -f json=/dev/full in.jsonl
	told "No space left"
}

@test "verdicts appear as records are read" {
	mkfifo in out
	wv-validate -q -f verdicts <in >out 3>&- &
	local pid=$!
	exec 7>in 8<out
	frame >&7
	read -r -t 10 line <&8
	[ "$line" = '{"source":"stdin","line":1,"valid":true,"errors":[]}' ]
	exec 7>&- 8<&-
	wait "$pid"
}

@test "a source that cannot be read is told and reported, and the rest judged" {
	frame >good.json
	validate 2 -f json missing.json good.json
	told "missing.json: cannot open: No such file"
	grep -qF '"source":"missing.json"' out
	grep -qF '"rule":"unreadable"' out
	grep -qF '"records":1,"valid":1' out
}

@test "--max-errors bounds what is told of a record" {
	judged 1 '{"items":{"type":"string"}}' "[$(seq -s, 150)]"
	[ "$(wc -l <err)" = 101 ]
	judged 1 '{"items":{"type":"string"}}' "[$(seq -s, 150)]" --max-errors 3
	[ "$(wc -l <err)" = 4 ]
	judged 1 '{"items":{"type":"string"}}' "[$(seq -s, 150)]" --max-errors 200
	[ "$(wc -l <err)" = 151 ]
	fails_with 2 "max-errors" wv-validate --max-errors 0 /dev/null
}

@test "--max-errors holds for contracts, and beyond 100" {
	# review: contracts told 100 at most, whatever was asked for
	printf '{"frame_id":"f","capability_id":"c","created_at":"2026-01-02T03:04:05Z","summary":"s","handle_refs":[%s]}\n' \
		"$(yes 7 | head -150 | paste -sd,)" >in.jsonl
	validate 1 --check in.jsonl
	[ "$(wc -l <err)" = 101 ]
	validate 1 --check --max-errors 3 in.jsonl
	[ "$(wc -l <err)" = 4 ]
	validate 1 --check --max-errors 200 in.jsonl
	[ "$(wc -l <err)" = 151 ]
	# what no schema says
	local d='{"decision_id":"d","decision":"deny","capability_id":"c","principal":"p","timestamp":"2026-01-02T03:04:05Z"}'
	wv-validate --print-example trace_bundle |
		sed "s/\"policy_decisions\":\[/&$(yes "$d," | head -150 | tr -d '\n')/" >in.jsonl
	validate 1 --check --max-errors 200 in.jsonl
	[ "$(grep -c 'I-02' err)" = 150 ]
	validate 1 --check in.jsonl
	[ "$(grep -c 'I-02' err)" = 100 ]
	# what is attached
	frame ",\"metadata\":{\"telemetry\":{\"trace_id\":7,\"span_id\":7,\"attributes\":7}}" >in.jsonl
	validate 1 --check --strict in.jsonl
	validate 1 --check --strict --max-errors 1 in.jsonl
	[ "$(wc -l <err)" = 2 ]
}

@test "--rejects keeps what did not pass, byte for byte" {
	{
		frame
		printf '{"frame_id" : "f"}\r\n'
		printf '{"a":\n'
		printf ' {"x":1}\n'
		printf 'not \xff JSON\n'
		frame
		printf '{"frame_id":'
	} >in.jsonl
	validate 2 --rejects bad.jsonl in.jsonl
	grep '"summary"' in.jsonl | cmp - out
	grep -av '"summary"' in.jsonl | cmp - bad.jsonl
	printf '{\n"frame_id":\n1}\n' >doc.json
	validate 1 --check --rejects bad.json doc.json
	cmp doc.json bad.json
	fails_with 2 "nix/bad: cannot open" wv-validate --rejects nix/bad in.jsonl
}

# What had been read of a record that is too long was kept, which depended on
# where a buffer ended.
@test "--rejects: of what is longer than --max-line nothing is kept" {
	echo '{"type":"object"}' >schema.json
	local i j
	{
		printf '{"n":"%060d"}\n' 0
		for i in $(seq 3000); do
			printf '{"n":%d}\n[%d]\n{"n":"%0300d"}\n' "$i" "$i" "$i"
		done
		printf '{"n":"%01000000d"}\n[7]\n"%0100d' 0 0
	} >big.jsonl
	printf '{"a":"%060d"}' 0 >doc.json
	grep -x '\[.*\]' big.jsonl >want
	for j in 1 2 3; do
		validate 2 -s schema.json --max-line 50 --rejects rejects \
			-j "$j" big.jsonl doc.json
		cmp want rejects
		told "big.jsonl:1:1: line longer than 50 bytes (--max-line)" \
			"3000 valid, 3001 invalid, 3004 malformed"
	done
	# YAML has a limit of its own
	printf -- '- a%060d\n' 1 >doc.yaml
	validate 1 -s schema.json --max-line 50 --rejects rejects doc.yaml
	cmp doc.yaml rejects
	validate 2 -s schema.json --max-yaml 50 --rejects rejects doc.yaml
	[ ! -s rejects ]
}

@test "an output is no input, and takes one thing only" {
	# review: --rejects in.jsonl emptied in.jsonl before it was read
	frame | tee in.jsonl >keep
	ln in.jsonl hard.jsonl
	ln -s in.jsonl soft.jsonl
	mkdir d
	cp in.jsonl d/a.jsonl
	echo '{"$ref":"other.json"}' >schema.json
	echo '{}' | tee other.json >keep.json
	local args
	for args in '--rejects in.jsonl in.jsonl' '--rejects hard.jsonl in.jsonl' \
		'--rejects soft.jsonl in.jsonl' '-f json=in.jsonl in.jsonl' \
		'--rejects d/a.jsonl d' '--rejects d/a.jsonl ./d' \
		'--rejects other.json -s schema.json in.jsonl' \
		'--rejects schema.json -s schema.json in.jsonl' \
		'--rejects schema.json --map *.jsonl=./schema.json in.jsonl' \
		'--rejects other.json --expect other.json in.jsonl' \
		'--rejects other.json --expect-fingerprint other.json in.jsonl' \
		'--rejects other.json --keyring other.json in.jsonl' \
		'--rejects other.json --files0-from other.json'; do
		set -f
		# shellcheck disable=SC2086 # words
		fails_with 2 "would overwrite what is read" wv-validate $args
		set +f
		cmp keep in.jsonl
		cmp keep d/a.jsonl
		cmp keep.json other.json
	done
	fails_with 2 "would overwrite what is read" \
		bash -c 'wv-validate --rejects in.jsonl <in.jsonl'
	cmp keep in.jsonl
	fails_with 2 "would overwrite what is read" \
		bash -c 'wv-validate in.jsonl >>in.jsonl'
	cmp keep in.jsonl

	fails_with 2 "cannot both go to" \
		wv-validate --rejects x -f json=x in.jsonl
	fails_with 2 "cannot both go to" \
		wv-validate --rejects new -f json=./new in.jsonl
	fails_with 2 "cannot both go to" \
		bash -c 'wv-validate --rejects y in.jsonl >y'
	fails_with 2 "cannot both go to" \
		bash -c 'wv-validate --fingerprint -f json=z in.jsonl >z'
	# What nothing else is written to may be named.
	validate 0 --check --rejects /dev/stdout in.jsonl
	validate 0 -f json=/dev/stdout in.jsonl
	grep -qF '"records":1' out
	validate 0 --rejects /dev/null -f json=/dev/null in.jsonl
}

# --- contracts

@test "Extended objects where they are attached: a warning, strict an error" {
	frame ',"metadata":{"telemetry":{"trace_id":7}}' >in.jsonl
	validate 0 in.jsonl
	cmp in.jsonl out
	told "in.jsonl:1:" "warning: /metadata/telemetry" \
		"1 record: 1 valid, 0 invalid, 0 malformed, 0 undecided, "
	untold ", 0 warnings"
	validate 1 --strict in.jsonl
	[ ! -s out ]
	validate 0 --schema-only in.jsonl
	told ", 0 warnings"
}

@test "--schema-only leaves the invariants out" {
	frame ',"raw":1' >in.jsonl
	validate 1 in.jsonl
	validate 0 --schema-only in.jsonl
	cmp in.jsonl out
}

@test "--warn-unknown: near misses of the contract's members only" {
	frame ',"handle_ref":["h"],"x_mine":1,"metadata":{"handle_ref":1}' >in.jsonl
	validate 0 in.jsonl
	told ", 0 warnings"
	validate 0 --warn-unknown in.jsonl
	told 'warning: /handle_ref' '"handle_refs"' ", 1 warning"
	cmp in.jsonl out
}

# They were taken, and did nothing.
@test "options about signatures are not for a schema alone" {
	echo '{"keys":[]}' >keys.json
	echo '{"type":"object"}' >schema.json
	frame >in.jsonl
	fails_with 2 "are about contracts" \
		wv-validate -s schema.json --keyring keys.json in.jsonl
	WV_KEYRING=keys.json fails_with 2 "are about contracts" \
		wv-validate -s schema.json --require-signed in.jsonl
	WV_KEYRING=keys.json validate 0 -s schema.json in.jsonl
	validate 0 -s schema.json --map '*.x=capability_token' --keyring keys.json \
		--require-signed in.jsonl
}

@test "signatures need a keyring to be required" {
	token ',"single_use":true' >in.jsonl
	fails_with 2 "--keyring" wv-validate --require-signed in.jsonl
	echo '{"keys":[]}' >keys.json
	validate 0 --keyring keys.json in.jsonl
	validate 1 --keyring keys.json --require-signed in.jsonl
	told "(signature)"
	WV_KEYRING=keys.json validate 1 --require-signed in.jsonl
	frame >in.jsonl
	validate 0 --keyring keys.json --require-signed in.jsonl
	fails_with 2 "missing.json" wv-validate --keyring missing.json in.jsonl
}

@test "fingerprints are written, and a drift refused" {
	{ frame; token; frame; } >in.jsonl
	validate 1 --fingerprint in.jsonl
	[ "$(wc -l <out)" = 2 ]
	wv-validate --check -t schema_fingerprint out
	cp out prints.jsonl
	grep -qF '"schema_version":"0.9.0"' prints.jsonl
	frame >in.jsonl
	validate 0 --fingerprint in.jsonl
	cp out prints.jsonl
	validate 0 --expect-fingerprint prints.jsonl in.jsonl
	cmp in.jsonl out
	sed 's/0\.9\.0/0.8.0/' prints.jsonl >old.jsonl
	validate 1 --check --expect-fingerprint old.jsonl in.jsonl
	told "in.jsonl:1: not as fingerprint 1 says: schema_version was 0.8.0, is 0.9.0"
	{ frame; frame; } >in.jsonl
	validate 1 --check --expect-fingerprint prints.jsonl in.jsonl
	cat prints.jsonl prints.jsonl prints.jsonl >three.jsonl
	validate 1 --check --expect-fingerprint three.jsonl in.jsonl
	fails_with 2 "FORMAT=FILE" wv-validate --fingerprint -f text in.jsonl
}

@test "-j: what another fingerprint makes a reject is kept as it came" {
	# review: the processes knew only their own verdicts
	frame >in.jsonl
	wv-validate --fingerprint in.jsonl | sed 's/0\.9\.0/0.8.0/' >old
	cat old old >old.jsonl
	printf 'frame_id: f\ncapability_id: c   # a comment\nsummary: s\ncreated_at: "2026-01-02T03:04:05Z"\n' >b.yaml
	cat in.jsonl b.yaml >want
	local j
	for j in 1 2; do
		validate 1 -j "$j" --check --expect-fingerprint old.jsonl \
			--rejects r in.jsonl b.yaml
		cmp want r
		validate 1 -j "$j" --expect-fingerprint old.jsonl \
			--rejects r in.jsonl b.yaml
		cmp want r
		[ ! -s out ]
	done
}

@test "the version names that of the contracts" {
	run -0 wv-validate --version
	[[ "$output" =~ ^wv-validate\ [0-9.]+\ \(contracts\ 0\.9\.0\)$ ]]
}

@test "auto says the same of a line's text as of a tree" {
	local type
	for type in $(wv-validate --list-types); do
		wv-validate --print-example "$type" >line.jsonl
		cp line.jsonl document.json
		wv-validate --check line.jsonl 2>a || :
		wv-validate --check document.json 2>b || :
		sed -i 's/line.jsonl/document.json/' a
		cmp a b
	done
	# a TraceEvent by its text, but a TraceBundle by its first name
	sed 's/^{/{"trace\\u005fevents":7,/' <(wv-validate --print-example trace_event) >line.jsonl
	wv-validate --print-example trace_event >>line.jsonl
	validate 1 --check line.jsonl
	told "line.jsonl:1:22: /trace_events: must be an array" "1 valid, 1 invalid"
}

# --- files

@test "files of every kind are found, sorted, and uncompressed" {
	mkdir d
	frame ',"n":1' >d/a.json
	frame ',"n":2' >d/b.jsonl
	frame ',"n":3' >d/c.ndjson
	frame ',"n":4' | gzip >d/d.jsonl.gz
	frame ',"n":5' | gzip >d/e.json.gz
	frame ',"n":6' >d/f.yaml
	frame ',"n":7' >d/g.yml
	echo 'no payload' | tee d/h.txt >d/i.gz
	validate 0 d
	[ "$(grep -o '"n":.' out | tr -d '\n')" = '"n":1"n":2"n":3"n":4"n":5"n":6"n":7' ]
	head -c 30 d/d.jsonl.gz >d/d.cut && mv d/d.cut d/d.jsonl.gz
	validate 2 d
	told "d/d.jsonl.gz"
	[ "$(wc -l <out)" = 6 ]
}

# They were skipped without a word, and the status was 0.
@test "what cannot be looked at in a folder is no pass" {
	mkdir d other
	frame >d/a.json
	frame >other/b.json
	ln -s nowhere d/notes.txt
	ln -s ../other d/c.json
	mkfifo d/d.json
	validate 0 d
	ln -s nowhere d/dangling.json
	ln -s loop.yaml d/loop.yaml
	validate 2 d
	cmp d/a.json out
	told "d/dangling.json: No such file" "d/loop.yaml: Too many levels"
	validate 0 --exclude dangling.json --exclude loop.yaml d
	rm d/a.json
	validate 2 --allow-empty d
}

@test "--exclude leaves out files and whole folders" {
	mkdir -p d/node_modules/x d/y
	frame ',"n":1' >d/a.json
	echo '{' | tee d/node_modules/x/b.json d/y/skip.json >d/y/c.draft.json
	validate 0 --exclude node_modules --exclude '*.draft.json' \
		--exclude 'd/y/sk*' d
	told "1 record: 1 valid"
	validate 2 d
	told "4 records: 1 valid, 0 invalid, 3 malformed"
	validate 2 --exclude 'd/*' d
	told "d: no .json"
}

@test "--files0-from: any name, from a file or standard input" {
	mkdir d
	frame ',"n":1' >$'a\nb.json'
	frame ',"n":2' >d/c.json
	printf '%s\0' $'a\nb.json' d >list
	validate 0 --files0-from list
	told "2 records: 2 valid"
	run -0 bash -c 'find . -name "*.json" -print0 | sort -z | wv-validate -q --check --files0-from -'
	printf 'd\0\0' >list
	fails_with 2 "list: lists a file without name" wv-validate --files0-from list
	: >list
	fails_with 2 "standard input" wv-validate --files0-from - - <list
	validate 2 --files0-from list
	told "no records"
	fails_with 2 "missing: cannot open" wv-validate --files0-from missing
}

@test "--map: by the names of files, the first that fits" {
	mkdir -p a/b
	echo '{"type":"integer"}' >int.schema.json
	echo 1 >a/n.json
	frame >a/b/f.json
	echo '{"id":"c","name":"n","version":"1","description":"d"}' >a/b/c.json
	validate 1 --check -t frame a
	validate 0 --check --map 'n.json=int.schema.json' \
		--map 'a/**/f.json=Frame' --map '*.json=auto' a
	told "3 records: 3 valid"
	validate 1 --check --map '*.json=frame' --map 'n.json=int.schema.json' a
	fails_with 2 "GLOB=TYPE" wv-validate --map x a
	fails_with 2 "frame" wv-validate --map 'x=frmae' a
	fails_with 2 "nix.json: cannot open" wv-validate --map 'x=nix.json' a
}

@test "--resolve: the longest prefix, beneath its folder, never out of it" {
	mkdir -p one/sub two/deep
	echo '{"type":"integer"}' >one/x.json
	echo 'type: string' >two/deep/x.yaml
	echo '{"type":"null"}' >secret.json
	ln -s ../secret.json one/link.json
	local base=https://a.example/s
	judged 0 "{\"\$ref\":\"$base/x.json\"}" 1 --resolve "$base=one"
	judged 0 "{\"\$ref\":\"$base/x\"}" 1 --resolve "$base/=one"
	judged 0 "{\"\$ref\":\"$base/two/deep/x\"}" '"s"' \
		--resolve "$base/=one" --resolve "$base/two/=two"
	judged 0 '{"$ref":"urn:ex:x"}' 1 --resolve "urn:ex:=one"
	judged 2 "{\"\$ref\":\"${base}y/x\"}" 1 --resolve "$base=one"
	judged 2 "{\"\$ref\":\"$base/%2e%2e/secret.json\"}" 1 --resolve "$base/=one"
	judged 0 "{\"\$ref\":\"$base/sub/%2e%2e/x.json\"}" 1 --resolve "$base/=one"
	judged 2 "{\"\$ref\":\"$base/link.json\"}" 1 --resolve "$base/=one"
	judged 2 "{\"\$ref\":\"$base/../secret.json\"}" 1 --resolve "$base/=one"
	judged 2 "{\"\$ref\":\"$base/x%00.json\"}" 1 --resolve "$base/=one"
	judged 2 "{\"\$ref\":\"$base/deep\"}" 1 --resolve "$base/=two"
	fails_with 2 "PREFIX=DIR" wv-validate -s one/x.json --resolve x /dev/null
	fails_with 2 "nix" wv-validate -s one/x.json --resolve x=nix /dev/null
	fails_with 2 "is no folder" wv-validate -s one/x.json --resolve x=one/x.json /dev/null
}

@test "a schema's own references are to files beside it, or below" {
	mkdir -p s/sub
	echo '{"type":"integer"}' >up.json
	echo '{"type":"integer"}' >'s/sub/a b.json'
	echo '{"$ref":"sub/a%20b.json"}' >s/down.json
	echo '{"$ref":"../up.json"}' >s/up.json
	echo '{"$ref":"/etc/hostname"}' >s/abs.json
	echo 1 >in.jsonl
	validate 0 --check -s s/down.json in.jsonl
	validate 2 --check -s s/up.json in.jsonl
	told 's/up.json:1:9: /$ref:'
	validate 2 --check -s s/abs.json in.jsonl
}

@test "the contracts are known to a schema by their ids" {
	local id
	id=$(wv-validate --print-schema frame | sed -n 's/.*"$id": *"\([^"]*\)".*/\1/p')
	frame >f.json
	judged 0 "{\"properties\":{\"f\":{\"\$ref\":\"$id\"}}}" "{\"f\":$(frame)}"
	judged 1 "{\"properties\":{\"f\":{\"\$ref\":\"$id\"}}}" '{"f":{}}'
	told "/f: needs summary"
}

@test "--draft is of a schema that does not say" {
	judged 1 '{"maximum":5,"exclusiveMaximum":true}' 5 --draft draft4
	judged 2 '{"maximum":5,"exclusiveMaximum":true}' 5 --draft draft7
	judged 0 '{"$ref":"#/definitions/a","definitions":{"a":{}},"type":"string"}' 5 \
		--draft draft7
	judged 1 '{"$ref":"#/definitions/a","definitions":{"a":{}},"type":"string"}' 5
	fails_with 2 "draft7" wv-validate -s schema.json --draft draft77 /dev/null
}

@test "reference loops are found, not followed (cases B31)" {
	judged 2 '{"$ref":"#"}' 1
	told 'schema.json:1:9: ' "infinite reference loop at /"
	judged 2 '{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}' 1
	told "infinite reference loop at /"
	judged 0 '{"properties":{"a":{"$ref":"#"}}}' '{"a":{"a":{}}}'
}

@test "--lint: keywords that look like typos, never names of properties" {
	echo '{"propertes":{"a":true},"properties":{"lenght":{"minLenght":1}}}' >s.json
	validate 1 --lint s.json
	told 's.json:1:14: warning: /propertes' '"properties"' \
		'/properties/lenght/minLenght' '"minLength"'
	untold 'warning: /properties/lenght:'
	echo '{}' | validate 0 -s s.json
	told ", 0 warnings"
}

@test "options that would do nothing are refused" {
	echo '{}' >s.json
	fails_with 2 "-t and -s" wv-validate -t frame -s s.json /dev/null
	fails_with 2 "about a schema" wv-validate --assert-format /dev/null
	fails_with 2 "about a schema" wv-validate --resolve x=. /dev/null
	fails_with 2 "about contracts" wv-validate -s s.json --strict /dev/null
	fails_with 2 "--schema-only" wv-validate --strict --schema-only /dev/null
	fails_with 2 "two runs" wv-validate --corpus a --bundle b
	fails_with 2 "no further FILE" wv-validate --corpus a b
	fails_with 2 "--emit-result" wv-validate --emit-result r /dev/null
	fails_with 2 "needs a value" wv-validate -s
	fails_with 2 "about records" wv-validate --lint s.json -f sarif
	fails_with 2 "jobs" wv-validate -j 0 /dev/null
}

@test "a terminal as input is no input (cases B3)" {
	script -qec true /dev/null >/dev/null 2>&1 || skip 'no pseudo-terminal'
	echo '{}' >s.json
	run -2 timeout 20 script -qec 'wv-validate -s s.json' /dev/null
	[[ $output == *terminal* ]]
}

@test "long work shows how far it is, on a terminal only" {
	script -qec true /dev/null >/dev/null 2>&1 || skip 'no pseudo-terminal'
	frame >one
	cat >slow <<-'END'
		(cat one; sleep 1.1; cat $(yes one | head -1100)) |
			wv-validate --check -t frame
	END
	run -0 script -qec 'bash slow' /dev/null
	[[ $output == *"wv-validate: 1025 records"*"1101 records: 1101 valid"* ]]
	bash slow 2>told
	[ "$(wc -l <told)" = 1 ]
}

# --- many

@test "10,000 files in one call, a schema compiled once (cases B29)" {
	local i line
	mkdir many
	line=$(frame)
	for i in $(seq 10000); do echo "$line" >"many/$i.json"; done
	SECONDS=0
	validate 0 --check many
	told "10000 records: 10000 valid"
	[ "$SECONDS" -lt 20 ]
	validate 0 --check -j 2 many
	told "10000 records: 10000 valid"
}

# log: more than two pieces of a long file, with faults here and there
log() {
	local i
	frame ',"metadata":{"n":"'"$(printf '%0900d' 7)"'"}' >good
	cat $(yes good | head -999) >block
	{
		cat block block
		echo '{"frame_id":"f"}'
		cat block
		printf '\xef\xbb\xbf'
		cat good block
		printf '\n\n{"broken":\n'
		for i in 1 2 3 4 5 6 7 8; do cat block; done
		frame ',"raw":1'
		printf '{"frame_id":'
	} >long.jsonl
	mkdir d
	echo '{"frame_id":"x"}' >d/a.json
	printf '{"frame_id":\n"y"}\n{' >d/b.json
	frame >d/c.jsonl
}

@test "-j N: the same bytes, whatever N" {
	log
	[ "$(stat -c %s long.jsonl)" -gt $((10 << 20)) ]
	local j format
	validate 2 --rejects r1 d long.jsonl missing.json d
	mv out out1 && mv err err1
	told() { grep -qF -- "$1" err1; }
	told "long.jsonl:1999:1: needs capability_id"
	told "long.jsonl:2999:1: byte order mark"
	told "long.jsonl:4001:"
	for j in 2 3 7; do
		validate 2 -j "$j" --rejects r2 d long.jsonl missing.json d
		cmp out1 out
		cmp err1 err
		cmp r1 r2
	done
	for format in text verdicts json junit tap sarif github; do
		validate 2 -f "$format" d long.jsonl d
		mv out out1
		validate 2 -j 3 -f "$format" d long.jsonl d
		cmp out1 out
	done
	validate 1 -j 3 --fail-fast d long.jsonl
	mv err err1
	validate 1 --fail-fast d long.jsonl
	cmp err1 err
	validate 2 --fingerprint d long.jsonl
	mv out out1
	validate 2 -j 3 --fingerprint d long.jsonl
	cmp out1 out
}

@test "-j: standard input among files, and alone" {
	frame ',"n":1' >a.json
	frame ',"n":3' >b.json
	frame ',"n":2' >in
	validate 0 -j 4 a.json - b.json - <in
	cat a.json in b.json | cmp - out
	validate 0 -j 4 <in
	cmp in out
}

# children_of PID…: procps is not on every machine
children_of() {
	local pid
	for pid; do cat "/proc/$pid/task/$pid/children" 2>/dev/null; done
}

@test "a worker that dies is no pass" {
	[ -e /proc/$$/task/$$/children ] || skip 'no list of children in /proc'
	log
	mkfifo gate
	# the second piece waits; its process is killed meanwhile
	timeout 60 wv-validate --check -j 2 d/c.jsonl gate d/c.jsonl 2>err 3>&- &
	local pid=$! child children status=0
	exec 7>gate
	for _ in $(seq 100); do
		# shellcheck disable=SC2046 # words
		children=$(children_of $(children_of $pid) || :)
		[ -n "$children" ] && break
		sleep 0.05
	done
	for child in $children; do
		grep -q gate <(ls -l "/proc/$child/fd" 2>/dev/null) && kill -KILL "$child"
	done
	exec 7>&-
	wait "$pid" || status=$?
	[ "$status" = 2 ]
	grep -qF "gate: the process that judged it was killed by signal 9" err
}
