#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-validate --corpus and --bundle: the counts, messages, files and statuses
# of weaver-spec's own runner, each failure for its reason.

load lib

setup() {
	cp -R "$top_srcdir/t/data/conformance" "$BATS_TEST_TMPDIR/conformance"
	chmod -R u+w "$BATS_TEST_TMPDIR/conformance"
	cd "$BATS_TEST_TMPDIR/conformance"
}

# conform STATUS OPTION…: the status; then out and err
conform() {
	local want=$1 status=0
	shift
	timeout 20 wv-validate --now 2026-01-02T03:04:05.678Z "$@" \
		>out 2>err 3>&- || status=$?
	[ "$status" = "$want" ] || {
		echo "status $status, not $want"
		cat out err
		return 1
	}
}

# corpus STATUS LINE…: runs a corpus of those lines
corpus() {
	local want=$1
	shift
	printf '%s\n' "$@" >made.yaml
	conform "$want" --corpus made.yaml
}

# failed LINE…: the failures that were told, and no other
failed() {
	{
		echo "FAILED ($#):"
		printf '  - %s\n' "$@"
	} >want
	diff want err
}

# ran COUNT: so many checks
ran() {
	grep -qx "Conformance: ran $1 checks." out || {
		cat out
		return 1
	}
}

# same_json_text FILE: it is what Python makes of it
same_json_text() {
	command -v python3 >/dev/null || skip "no python3"
	python3 -c 'import json, sys
text = open(sys.argv[1]).read()
same = json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"
sys.exit(text != same)' "$1"
}

@test "the corpus passes: report, result and badge byte for byte" {
	conform 0 --corpus corpus.yaml --keyring keyring.json \
		--emit-result made/in/result.json --emit-badge made/badge.json
	cat >want <<-'EOF'
	  bundle 'bundle-plain': unsigned bundle (canonical form recomputed)
	  bundle 'bundle-ed25519': signature cryptographically verified (kid 'test-ed25519')
	  bundle 'bundle-es256': signature cryptographically verified (kid 'test-es256')
	  bundle 'bundle-unknown-key': signature envelope valid; crypto verify skipped (kid 'someone-else' not in keyring)

	Conformance: ran 29 checks.
	All conformance checks passed.
	Wrote conformance result to made/in/result.json
	Wrote badge endpoint to made/badge.json
	EOF
	diff want out
	[ ! -s err ]
	cmp result.json made/in/result.json
	cmp badge.json made/badge.json
	[ "$(echo made/* made/in/*)" = "made/badge.json made/in made/in/result.json" ]
}

@test "both files are as Python's json.dumps would write them" {
	corpus 1 'positive:' '  - {payload: no-kid.json, schema: trace_bundle}' \
		'negative:' '  - {payload: frame.json, schema: frame, by: "\u00e9\U0001F600", violates: x}'
	conform 1 --corpus made.yaml --emit-result result --emit-badge badge
	grep -q '\\u00e9\\ud83d\\ude00' result
	same_json_text result
	same_json_text badge
	same_json_text result.json
	same_json_text badge.json
}

@test "a result is a ConformanceResult, passed or failed" {
	conform 0 --corpus corpus.yaml --emit-result result.json
	wv-validate --check -t conformance_result result.json
	conform 1 --bundle raw-frame.json --emit-result result.json
	wv-validate --check -t conformance_result result.json
	conform 1 --bundle nothing.json --emit-result result.json
	wv-validate --check -t conformance_result result.json
}

@test "without a keyring no signature is verified, and that is said" {
	conform 0 --corpus corpus.yaml
	ran 29
	[ "$(grep -c 'crypto verify skipped' out)" = 3 ]
	run ! grep -q 'cryptographically verified' out
}

@test "a positive that is not valid" {
	corpus 1 'positive:' '  - {payload: no-summary.json, schema: frame}'
	ran 2
	failed "POSITIVE no-summary.json should validate but did not: ['<root>: needs summary']"
}

@test "a negative that is valid, or wrong in another way" {
	corpus 1 'negative:' \
		'  - {payload: frame.json, schema: frame, by: schema, violates: "required:summary"}' \
		'  - {payload: no-summary.json, schema: frame, by: schema, violates: "minLength:frame_id"}' \
		'  - {payload: no-summary.json, schema: frame, by: schema, violates: "required:frame_id"}' \
		'  - {payload: no-summary.json, schema: frame, by: schema, violates: "required"}' \
		'  - {payload: no-summary.json, schema: frame, by: schema, violates: "required:"}' \
		'  - {payload: endless-token.json, schema: capability_token, by: schema, violates: "required:expires_at"}' \
		'  - {payload: no-summary.json, schema: frame, by: magic, violates: "x"}'
	ran 8
	failed \
		"NEGATIVE frame.json should fail schema (required:summary) but validated" \
		"NEGATIVE no-summary.json should fail by 'minLength:frame_id' but failed by ['required'] instead" \
		"NEGATIVE no-summary.json should fail by 'required:frame_id' but failed by ['required'] instead" \
		"NEGATIVE endless-token.json should fail by 'required:expires_at' but failed by ['anyOf'] instead" \
		"NEGATIVE no-summary.json has unknown \`by\`: 'magic'"
}

@test "a negative by invariant that is invalid, or violates nothing" {
	corpus 1 'negative:' \
		'  - {payload: no-kid.json, schema: trace_bundle, by: invariant, violates: I-01}' \
		'  - {payload: bundle.json, schema: trace_bundle, by: invariant, violates: I-01}' \
		'  - {payload: raw-frame.json, schema: trace_bundle, by: invariant, violates: I-02}' \
		'  - {payload: token.json, schema: capability_token, by: invariant, violates: I-06}'
	ran 5
	failed \
		"NEGATIVE no-kid.json expected schema-valid but failed schema" \
		"NEGATIVE bundle.json should violate I-01 but passed" \
		"NEGATIVE raw-frame.json should violate I-02 but passed" \
		"NEGATIVE token.json should violate I-06 but passed"
}

@test "invariants of positives" {
	corpus 1 'positive:' \
		'  - {payload: raw-frame.json, schema: trace_bundle}' \
		'  - {payload: untraced.json, schema: trace_bundle}'
	ran 9
	failed \
		"INVARIANT I-01 failed on 'bundle-raw': [\"Frame 'frame-1' carries forbidden raw-output key(s): ['raw', 'raw_output']\"]" \
		"INVARIANT I-02 failed on 'bundle-untraced': [\"PolicyDecision 'decision-1' has no matching TraceEvent\"]"
}

@test "I-06, of a token that its schema refuses as well" {
	corpus 1 'positive:' '  - {payload: endless-token.json, schema: capability_token}'
	ran 3
	[ "$(sed -n 3p err)" = "  - INVARIANT I-06 failed on a capability_token: ['token is neither single_use nor has expires_at']" ]
	corpus 1 'positive:' '  - {payload: empty-scope.json, schema: CapabilityToken}'
	[ "$(sed -n 3p err)" = "  - INVARIANT I-06 failed on a capability_token: ['scope is empty or missing; unbounded scope is not permitted']" ]
}

@test "a bundle whose signature is wrong" {
	sed 's/agent-1/agent-2/' bundle-ed25519.json >changed.json
	sed 's/"kid": "test-ed25519"/"kid": "test-es256"/' bundle-ed25519.json >other.json
	sed 's/"count": 12/"count": 9007199254740993/' bundle-ed25519.json >number.json
	printf '%s\n' 'positive:' '  - {payload: changed.json, schema: trace_bundle}' \
		'  - {payload: other.json, schema: trace_bundle}' \
		'  - {payload: number.json, schema: trace_bundle}' >made.yaml
	conform 1 --corpus made.yaml --keyring keyring.json
	ran 13
	failed \
		"TRACEBUNDLE 'bundle-ed25519': [\"signature verification FAILED for kid 'test-ed25519': the signature does not match: what it signs was changed, or another key signed it\"]" \
		"TRACEBUNDLE 'bundle-ed25519': [\"keyring entry for kid 'test-es256' is alg 'es256', but the signature declares alg 'ed25519'\"]" \
		"TRACEBUNDLE 'bundle-ed25519': ['JCS canonicalization failed: /metadata/count: RFC 8785 cannot write the number 9007199254740993 exactly, so it cannot be signed; make it a string']"
}

@test "payloads are found beside the corpus, or beside its folder" {
	cd ..
	mkdir -p examples
	cp conformance/frame.json examples/
	printf '%s\n' 'positive:' '  - {payload: examples/frame.json, schema: frame}' \
		'  - {payload: frame.json, schema: frame}' \
		'  - {payload: conformance/token.json, schema: capability_token}' \
		>conformance/made.yaml
	conform 0 --corpus conformance/made.yaml
	ran 5
	cd conformance
	conform 0 --corpus made.yaml
	ran 5
	conform 0 --corpus "$PWD/made.yaml"
}

@test "a corpus that is none is 2, with the place" {
	corpus 2 'positive:' '  - {payload: gone.json, schema: frame}'
	grep -q 'made.yaml:2:.*gone.json' err
	corpus 2 'positive:' '  - {payload: frame.json, schema: fram}'
	grep -q 'made.yaml:2:35: there is no schema "fram", did you mean "frame"?' err
	corpus 2 'positive:' '  - {schema: frame}'
	grep -q 'made.yaml:2:5: an entry needs payload' err
	corpus 2 'negative:' '  - {payload: frame.json, schema: frame, by: schema}'
	grep -q 'an entry needs violates' err
	corpus 2 'negative:' \
		'  - {payload: bundle.json, schema: trace_bundle, by: invariant, violates: I-03}'
	grep -q '"I-03" is none of I-01, I-02, I-04, I-06' err
	corpus 2 'positive: {}'
	grep -q 'positive must be a list' err
	corpus 2 'positive: []'
	grep -q 'there is no entry' err
	corpus 2 '- x'
	conform 2 --corpus nothing.yaml
	grep -q 'nothing.yaml: cannot open' err
	[ ! -s out ]
}

@test "a payload that the strict reader refuses is 2" {
	printf '{"frame_id":"a","frame_id":"b"}' >twice.json
	corpus 2 'negative:' '  - {payload: twice.json, schema: frame, by: schema, violates: "required:summary"}'
	grep -q 'twice.json:1:17: duplicate' err
}

# bundle STATUS CHECKS OPTION…
bundle() {
	local want=$1 checks=$2
	shift 2
	conform "$want" "$@"
	grep -q "^Bundle conformance (.*): ran $checks checks.\$" out || {
		cat out
		return 1
	}
}

@test "a bundle that conforms, signed or not" {
	bundle 0 4 --bundle bundle.json
	bundle 0 4 --bundle bundle-es256.json --keyring keyring.json \
		--emit-result result.json
	cat >want <<-'EOF'
	  bundle: signature cryptographically verified (kid 'test-es256')

	Bundle conformance (bundle-es256.json): ran 4 checks.
	All conformance checks passed.
	Wrote conformance result to result.json
	EOF
	diff want out
	grep -q '"target": "bundle-es256.json"' result.json
	grep -q '"mode": "bundle"' result.json
}

@test "a bundle that does not" {
	bundle 1 1 --bundle no-kid.json
	failed "schema: signature: needs kid"
	bundle 1 4 --bundle raw-frame.json
	failed "frames_have_no_raw_output: Frame 'frame-1' carries forbidden raw-output key(s): ['raw', 'raw_output']"
	bundle 1 4 --bundle untraced.json
	failed "policy_decisions_are_traced: PolicyDecision 'decision-1' has no matching TraceEvent"
	sed 's/agent-1/agent-2/' bundle-es256.json >changed.json
	bundle 1 4 --bundle changed.json --keyring keyring.json
	failed "signature verification FAILED for kid 'test-es256': the signature does not match: what it signs was changed, or another key signed it"
	bundle 0 4 --bundle changed.json
}

@test "records of failures say what they know, and nothing else" {
	conform 1 --bundle raw-frame.json --emit-result result.json
	sed -n '/failure_records/,/\]/p' result.json >got
	cat >want <<-'EOF'
	  "failure_records": [
	    {
	      "invariant_id": "frames_have_no_raw_output",
	      "kind": "invariant",
	      "message": "frames_have_no_raw_output: Frame 'frame-1' carries forbidden raw-output key(s): ['raw', 'raw_output']",
	EOF
	head -n 5 got | diff want -
	conform 1 --bundle no-kid.json --emit-result result.json \
		--emit-badge badge.json
	sed -n '/failure_records/,/^  \]/p' result.json >got
	cat >want <<-'EOF'
	  "failure_records": [
	    {
	      "kind": "schema",
	      "message": "schema: signature: needs kid",
	      "path": "signature",
	      "schema": "trace_bundle"
	    }
	  ],
	EOF
	diff want got
	grep -q '"message": "failing"' badge.json
	grep -q '"isError": true' badge.json
}

@test "a bundle that cannot be read ran no checks" {
	bundle 1 0 --bundle nothing.json --emit-result result.json
	failed "input: cannot read bundle file: nothing.json: cannot open: No such file or directory"
	grep -q '"message": "cannot read bundle file: ' result.json
	grep -q '"input: cannot read bundle file: ' result.json
	printf '[1]' >b.json
	bundle 1 0 --bundle b.json
	failed "input: bundle must be a JSON object, got list"
	printf '1.5' >b.json
	bundle 1 0 --bundle b.json
	failed "input: bundle must be a JSON object, got float"
	printf '{"a":1,"a":2}' >b.json
	bundle 1 0 --bundle b.json
	grep -q 'input: bundle is not valid JSON: duplicate' err
	printf '{"a":NaN}' >b.json
	bundle 1 0 --bundle b.json
	grep -q 'input: bundle is not valid JSON: ' err
	head -c 5242881 /dev/zero | tr '\0' ' ' >b.json
	bundle 1 0 --bundle b.json
	failed "input: bundle file exceeds the 5242880-byte limit"
}

@test "a byte order mark is no fault" {
	{
		printf '\357\273\277'
		cat bundle.json
	} >b.json
	bundle 0 4 --bundle b.json
}

@test "a keyring that is none is 2, before anything is judged" {
	printf '{"keys":[{"kid":"k","alg":"rsa"}]}' >ring.json
	conform 2 --corpus corpus.yaml --keyring ring.json
	grep -q 'ring.json:1:27: alg "rsa" is none of ed25519, es256' err
	conform 2 --bundle bundle.json --keyring nothing.json
	grep -q 'nothing.json: cannot open' err
	[ ! -s out ]
}

@test "files: whole or not at all, a link stays a link, no leftovers" {
	printf 'old' >target
	ln -s target link
	conform 0 --bundle bundle.json --emit-badge link
	[ -L link ]
	cmp badge.json target
	conform 0 --bundle bundle.json --emit-badge fresh
	[ "$(stat -c %a fresh)" = "$(printf '%o' $((0666 & ~$(umask))))" ]
	conform 2 --bundle bundle.json --emit-badge corpus.yaml/x
	grep -q 'corpus.yaml/x: cannot write: Not a directory' err
	[ "$(find . -name '*.new' | wc -l)" = 0 ]
}

@test "what a payload holds cannot speak to the terminal" {
	sed 's/"bundle-plain"/"\\u001b[31m\\u202e"/' bundle.json >b.json
	printf '%s\n' 'positive:' '  - {payload: b.json, schema: trace_bundle}' >made.yaml
	conform 0 --corpus made.yaml
	run ! grep -q "$(printf '\033')" out
	grep -q '\\x1b\[31m\\u{202e}' out
}
