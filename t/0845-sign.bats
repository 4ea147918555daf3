#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-validate --keyring and --require-signed, --fingerprint and
# --expect-fingerprint.  The signatures under data/sign were made once by
# another implementation (Python's cryptography); the private keys are the
# SHA-256 of "wv test ed25519" and "wv test es256", "wv test other" is in no
# keyring.

load lib

setup() {
	cd "$BATS_TEST_TMPDIR"
	data="$top_srcdir/t/data/sign"
	ring="$data/keyring.json"
}

# validate STATUS OPTION…: the status; then out and err
validate() {
	local want=$1 status=0
	shift
	timeout 20 wv-validate "$@" >out 2>err 3>&- || status=$?
	[ "$status" = "$want" ] || {
		echo "status $status, not $want"
		cat out err
		return 1
	}
}

@test "tokens and bundles signed by a key of the keyring" {
	local name
	for name in token-ed25519 token-es256 bundle-ed25519 bundle-es256; do
		validate 0 --check --keyring "$ring" "$data/$name.json"
		validate 0 --check --keyring "$ring" --require-signed \
			"$data/$name.json"
	done
}

@test "the keyring of the environment" {
	WV_KEYRING="$ring" validate 0 --check "$data/token-ed25519.json"
	WV_KEYRING="$ring" validate 1 --check "$data/token-changed.json"
	WV_KEYRING=nothing.json validate 2 --check "$data/token-changed.json"
}

@test "what was changed after it was signed" {
	validate 1 --check --keyring "$ring" "$data/token-changed.json"
	told "token-changed.json:10:25: /x_weaver_signature: the signature does not match" \
		"(signature)"
	validate 1 --check --keyring "$ring" "$data/bundle-changed.json"
	told "/signature: the signature does not match"
	validate 1 --check --keyring "$ring" "$data/token-wrong-key.json"
	told "the signature does not match"
}

@test "a key that is not in the keyring, or of another algorithm" {
	validate 1 --check --keyring "$ring" "$data/token-unknown-key.json"
	told 'key "someone-else" is not in the keyring'
	validate 1 --check --keyring "$ring" "$data/token-other-alg.json"
	told 'key "test-es256" is of es256, the signature of ed25519'
}

# limited LIMIT: ring.json, whose ed25519 key has it
limited() {
	sed "s|\"kid\": \"test-ed25519\"|&, $1|" "$ring" >ring.json
}

@test "a key that may not sign that, and the key that may" {
	local token="$data/token-ed25519.json" bundle="$data/bundle-ed25519.json"
	limited '"use": ["bundle"]'
	validate 0 --check --keyring ring.json "$bundle"
	validate 1 --check --keyring ring.json "$token"
	told 'token-ed25519.json:10:25: /x_weaver_signature: key "test-ed25519" may not sign a token'
	limited '"use": ["token"], "principals": ["agent-*"], "scope": ["fs.*"]'
	validate 0 --check --keyring ring.json "$token"
	validate 1 --check --keyring ring.json "$bundle"
	told '/signature: key "test-ed25519" may not sign a bundle'
	limited '"principals": ["agent-2"]'
	validate 1 --check --keyring ring.json "$token"
	told 'key "test-ed25519" may not sign for "agent-1"'
	limited '"scope": ["fs.read.*", "net.*"]'
	validate 1 --check --keyring ring.json "$token"
	told 'key "test-ed25519" may not sign for the scope "fs.read"'
}

@test "a key that ended, by this clock" {
	limited '"not_after": "2026-01-02T00:00:00Z"'
	validate 0 --check --keyring ring.json --now 2026-01-02T00:00:00Z \
		"$data/token-ed25519.json" "$data/bundle-ed25519.json"
	validate 1 --check --keyring ring.json --now 2026-01-02T00:00:01Z \
		"$data/token-ed25519.json" "$data/bundle-ed25519.json"
	told '/x_weaver_signature: key "test-ed25519" counts no more: it ended at 2026-01-02T00:00:00.000Z' \
		'/signature: key "test-ed25519" counts no more'
	# the other key did not
	validate 0 --check --keyring ring.json --now 2026-01-02T00:00:01Z \
		"$data/token-es256.json"
}

@test "a limit that is not understood refuses the keyring" {
	limited '"use": ["tokens"]'
	validate 2 --check --keyring ring.json "$data/token-ed25519.json"
	told "ring.json:4:38: use: not one of token, bundle, checkpoint"
	limited '"expires": 7'
	validate 2 --check --keyring ring.json "$data/token-ed25519.json"
	told 'a key has no member "expires"'
	limited '"x_expires": 7'
	validate 0 --check --keyring ring.json "$data/token-ed25519.json"
}

@test "conformance: a bundle by a key that may not sign bundles fails" {
	limited '"use": ["token"]'
	validate 1 --bundle "$data/bundle-ed25519.json" --keyring ring.json
	told "signature verification FAILED for kid 'test-ed25519': key \"test-ed25519\" may not sign a bundle"
	limited '"use": ["bundle"]'
	validate 0 --bundle "$data/bundle-ed25519.json" --keyring ring.json
}

@test "unsigned is fine unless signatures are required" {
	validate 0 --check --keyring "$ring" "$data/token-unsigned.json" \
		"$data/bundle-unsigned.json"
	validate 1 --check --keyring "$ring" --require-signed \
		"$data/token-unsigned.json"
	told "not signed: there is no x_weaver_signature"
	validate 1 --check --keyring "$ring" --require-signed \
		"$data/bundle-unsigned.json"
	told "not signed: there is no signature"
}

@test "what is never signed need not be" {
	validate 0 --check --keyring "$ring" --require-signed \
		"$top_srcdir/t/data/conformance/frame.json"
}

@test "required signatures need a keyring" {
	validate 2 --check --require-signed "$data/token-ed25519.json"
	told "--keyring"
}

@test "without a keyring no signature is looked at" {
	validate 0 --check "$data/token-changed.json"
}

@test "layout and spelling do not matter, the values do" {
	tr -d '\n' <"$data/token-ed25519.json" |
		sed 's/  */ /g; s/"token-1"/"\\u0074oken-1"/' >same.json
	validate 0 --check --keyring "$ring" same.json
	sed 's/: true/: false/' same.json >other.json
	validate 1 --check --keyring "$ring" other.json
	sed 's/"token_id"/"x_more": 1, "token_id"/' same.json >more.json
	validate 1 --check --keyring "$ring" more.json
}

@test "a number that RFC 8785 cannot write was never signed" {
	sed 's/"ratio": 0.5/"ratio": 0.10000000000000000001/' \
		"$data/bundle-ed25519.json" >number.json
	validate 1 --check --keyring "$ring" number.json
	told "/metadata/ratio: RFC 8785 cannot write the number 0.10000000000000000001 exactly"
}

@test "openssl.cnf is not read" {
	command -v strace >/dev/null || skip "no strace"
	strace -f -o trace -e trace=open,openat wv-validate --check \
		--keyring "$ring" "$data/token-es256.json" || skip "no tracing"
	run ! grep -q 'openssl.cnf' trace
	grep -q 'keyring.json' trace
}

@test "fingerprints: one a valid record, in order" {
	cat "$data"/token-unsigned.json "$data"/bundle-unsigned.json |
		validate 0 -m --fingerprint
	[ "$(wc -l <out)" = 2 ]
	sed -n 1p out >first
	printf '{"schema_id":"https://weaver-spec.dev/contracts/v0/capability_token.schema.json","schema_version":"0.9.0","content_hash":"%s","hash_algorithm":"sha256"}\n' \
		"$(printf '{"expires_at":"2026-01-02T04:04:05Z","issued_at":"2026-01-02T03:04:05Z","principal":"agent-1","scope":["fs.read"],"single_use":true,"token_id":"token-1"}' |
			sha256sum | cut -d ' ' -f 1)" | diff - first
	validate 0 --check -t schema_fingerprint - <first
}

@test "fingerprints of a schema of one's own" {
	printf '{"$id":"urn:mine","version":"7","type":"object"}' >named.json
	printf '{"type":"object"}' >bare.json
	echo '{}' >record.json
	validate 0 -s named.json --fingerprint record.json
	grep -q '^{"schema_id":"urn:mine","schema_version":"7",' out
	validate 0 -s bare.json --fingerprint record.json
	grep -q "^{\"schema_id\":\"bare.json\",\"schema_version\":\"sha256:$(
		printf '{"type":"object"}' | sha256sum | cut -d ' ' -f 1
	)\"," out
}

@test "drift is told by what changed" {
	local token="$data/token-unsigned.json"
	validate 0 --fingerprint "$token" "$data/bundle-unsigned.json"
	mv out good
	validate 0 --check --expect-fingerprint good "$token" \
		"$data/bundle-unsigned.json"
	validate 1 --check --expect-fingerprint good "$token" \
		"$data/bundle-ed25519.json"
	told "not as fingerprint 2 says: content_hash was"
	run ! grep -q 'schema_id was' err
	sed 's/"0.9.0"/"0.8.0"/' good >old
	validate 1 --check --expect-fingerprint old "$token" \
		"$data/bundle-unsigned.json"
	told "not as fingerprint 1 says: schema_version was 0.8.0, is 0.9.0"
	validate 1 --check --expect-fingerprint good \
		"$data/bundle-unsigned.json" "$token"
	told "schema_id was https://weaver-spec.dev/contracts/v0/capability_token.schema.json, is https://weaver-spec.dev/contracts/v0/extended/trace_bundle.schema.json; content_hash was"
}

@test "a record too few, a record too many" {
	local token="$data/token-unsigned.json"
	validate 0 --fingerprint "$token" "$token"
	mv out good
	validate 1 --check --expect-fingerprint good "$token"
	told "there are 2 fingerprints, but only 1 record: some are missing"
	validate 1 --check --expect-fingerprint good "$token" "$token" "$token"
	told "record 3 is one too many: there are 2 fingerprints"
}

@test "a fingerprint file that is none is 2" {
	local token="$data/token-unsigned.json"
	echo '{"schema_id":"a"}' >bad
	validate 2 --check --expect-fingerprint bad "$token"
	told "bad:1:1: not a SchemaFingerprint: needs schema_version"
	printf '{"schema_id":"a","schema_version":"1"}\n{"schema_id":"a","schema_version":"1","content_hash":"xyz"}\n' >bad
	validate 2 --check --expect-fingerprint bad "$token"
	told "bad:2:1: content_hash must be 64 lower-case hex digits"
	printf '{"schema_id":"a","schema_version":"1","hash_algorithm":"md5"}\n' >bad
	validate 2 --check --expect-fingerprint bad "$token"
	told 'hash_algorithm must be "sha256"'
	echo '{' >bad
	validate 2 --check --expect-fingerprint bad "$token"
	validate 2 --check --expect-fingerprint nothing "$token"
	told "nothing: cannot open"
}

@test "a fingerprint without content_hash leaves the content open" {
	local token="$data/token-unsigned.json"
	printf '{"schema_id":"https://weaver-spec.dev/contracts/v0/capability_token.schema.json","schema_version":"0.9.0"}\n' >open
	validate 0 --check --expect-fingerprint open "$token"
}
