#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-validate -f: what CI gets to read.  The formats byte for byte are in
# t/unit/report.c; here the tool's findings go through them.

load lib

setup() {
	unset GITHUB_WORKSPACE
	cd "$BATS_TEST_TMPDIR"
}

# frame [MORE]: a valid Frame on a line, with more members at its end
frame() {
	printf '{"frame_id":"f","capability_id":"c","summary":"s","created_at":"2026-01-02T03:04:05Z"%s}\n' "$1"
}

# good.json, and in a folder with a name of its own: a line that is no JSON,
# an invalid one, two valid ones
payloads() {
	local odd='a b#<"&%,é.jsonl'
	mkdir -p in
	frame >in/good.json
	{
		frame
		printf '{"frame_id":\n'
		frame ',"]]>\n::error::x":1,"metadata":"é"'
		frame
	} >"in/$odd"
}

# reports STATUS OPTION…: the status; a report on stdout in out
reports() {
	local want=$1 status=0
	shift
	timeout 20 wv-validate -t frame "$@" >out 2>err 3>&- || status=$?
	[ "$status" = "$want" ] || {
		echo "status $status, not $want"
		cat out err
		return 1
	}
}

# conforms SCHEMA FILE
conforms() {
	wv-validate --check --assert-format -s "$top_srcdir/t/data/report/$1" "$2"
}

@test "SARIF validates, with results and without" {
	payloads
	reports 2 -f sarif in
	conforms sarif.json out
	grep -q '"ruleId":"malformed"' out
	grep -q '"ruleId":"schema/type"' out
	grep -q '"uri":"in/a%20b%23%3C%22%26%25%2C%C3%A9.jsonl","uriBaseId":"%SRCROOT%"' out
	reports 0 -f sarif in/good.json
	conforms sarif.json out
	grep -q '"results":\[\]' out
	# the schema is no yes-man
	sed 's/"results":/"result":/' out >bad
	run -1 conforms sarif.json bad
}

@test "SARIF of standard input and of a file elsewhere validates" {
	payloads
	reports 2 -f sarif <in/a*
	conforms sarif.json out
	grep -q '"uri":"stdin"}' out
	mkdir sub
	cd sub
	reports 2 -f sarif ../in
	conforms sarif.json out
	grep -qF "\"uri\":\"file://$BATS_TEST_TMPDIR/in/a%20b" out
	GITHUB_WORKSPACE="$BATS_TEST_TMPDIR" reports 2 -f sarif ../in
	grep -q '"uri":"in/a%20b[^"]*","uriBaseId":"%SRCROOT%"' out
}

@test "fingerprints stay when lines are added above" {
	payloads
	prints() { grep -o '"wvFinding/v1":"[0-9a-f]*"' out | sort; }
	reports 2 -f sarif in
	prints >before
	[ "$(wc -l <before)" -ge 2 ]
	{
		frame
		frame
		cat in/a*
	} >longer
	cat longer >in/a*
	reports 2 -f sarif in
	prints >after
	cmp before after
}

@test "JUnit validates" {
	payloads
	reports 2 -f junit in
	grep -q 'tests="3" failures="1" errors="1"' out
	command -v xmllint >/dev/null || skip "no xmllint"
	xmllint --noout --schema "$top_srcdir/t/data/report/junit.xsd" out
	reports 2 -f junit --exclude '*' in
	xmllint --noout --schema "$top_srcdir/t/data/report/junit.xsd" out
}

@test "TAP has a test a record and its plan" {
	payloads
	reports 2 -f tap in
	[ "$(head -n 1 out)" = 'TAP version 13' ]
	[ "$(tail -n 1 out)" = '1..5' ]
	grep -q '^not ok 2 - in/a b\\#<"&%,é.jsonl:2$' out
	[ "$(grep -c '^ok ' out)" = 3 ]
	[ "$(grep -c '^not ok ' out)" = 2 ]
	[ "$(grep -c '^  ---$' out)" = "$(grep -c '^  \.\.\.$' out)" ]
}

@test "cases B27: JSON has findings and a summary, found or not" {
	payloads
	reports 0 -f json in/good.json
	cat >want <<-'END'
		{"findings":[],"summary":{"records":1,"valid":1,"invalid":0,"malformed":0,"undecided":0,"warnings":0}}
	END
	cmp want out
	reports 2 -f json in
	cat >schema.json <<-'END'
		{
		  "required": ["findings", "summary"],
		  "properties": {
		    "findings": {
		      "minItems": 2,
		      "items": {
		        "required": ["source", "line", "level", "rule", "instanceLocation", "keywordLocation", "message"]
		      }
		    },
		    "summary": {"properties": {"records": {"const": 5}, "malformed": {"const": 1}}}
		  }
		}
	END
	timeout 20 wv-validate --check -s schema.json out
}

@test "verdicts are a line a record" {
	payloads
	reports 2 -f verdicts in
	[ "$(wc -l <out)" = 5 ]
	[ "$(grep -c '"valid":true,"errors":\[\]}$' out)" = 3 ]
	grep -q '"line":2,"valid":null,"errors":\[{' out
	grep -q '"line":3,"valid":false,"errors":\[{"instanceLocation":"/metadata","keywordLocation":"/' out
}

@test "text is what messages are without a report" {
	payloads
	reports 2 -f text in
	mv out text
	reports 2 --check in
	sed 's/^wv-validate: //' err >messages
	cmp text messages
}

@test "annotations name files, lines and no more than ten" {
	payloads
	reports 2 -f github in
	grep -q '^::error file=in/a b#<"&%25%2Cé.jsonl,line=2,' out
	grep -q '^::error file=in/a b#<"&%25%2Cé.jsonl,line=3,.*title=schema/type::/metadata: ' out
	[ "$(grep -c '^::' out)" = 2 ]
	for _ in 1 2 3 4 5 6; do
		printf '{"frame_id":1,"capability_id":2}\n'
	done >many.jsonl
	reports 1 -f github many.jsonl
	[ "$(grep -c '^::error ' out)" = 10 ]
	[ "$(grep -c '^::notice ' out)" = 1 ]
}

@test "reports go to files, one to standard output, each is whole" {
	payloads
	reports 2 -f sarif=r.sarif -f junit=r.xml -f tap in
	conforms sarif.json r.sarif
	[ "$(tail -n 1 r.xml)" = '</testsuites>' ]
	[ "$(tail -n 1 out)" = '1..5' ]
}

@test "misuse is told before anything is read" {
	payloads
	fails_with 2 "did you mean 'sarif'" wv-validate -f sarrif in
	fails_with 2 'report tap is given twice' wv-validate -f tap -f tap=x in
	[ ! -e x ]
	fails_with 2 'cannot both go to standard output' \
		wv-validate -f tap -f json in
	fails_with 2 'cannot open no/such/file' wv-validate -f tap=no/such/file in
}

@test "a full disk is trouble" {
	[ -c /dev/full ] || skip "no /dev/full"
	payloads
	for format in text verdicts json junit tap sarif; do
		fails_with 2 '/dev/full: write error: No space left on device' \
			wv-validate -t frame -f "$format=/dev/full" in/good.json
	done
	run -2 timeout 20 bash -c \
		'exec wv-validate -t frame -f json in/good.json >/dev/full'
}
