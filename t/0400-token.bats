#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-token: issue, revoke, init.

load lib

setup() {
	use_state
}

issue=(wv-token issue --principal agent-7 --scope org.demo.search)
issue() {
	"${issue[@]}" "$@"
}

@test "an issued token is a valid CapabilityToken" {
	{
		issue --ttl 1h
		issue --single-use
		issue --single-use --ttl 1h --scope 'org.demo.docs.*'
	} | wv-validate -t capability_token --check
}

@test "members stand in the order of the contract, absent ones are absent" {
	wv-token init --test
	export WV_IDS=seq:1
	issue --ttl 1h --now 2026-01-02T03:04:05Z >"$BATS_TEST_TMPDIR/t"
	cat >"$BATS_TEST_TMPDIR/want" <<-'END'
	{"token_id":"tok-00000000000000000000000001","principal":"agent-7","scope":["org.demo.search"],"issued_at":"2026-01-02T03:04:05.000Z","expires_at":"2026-01-02T04:04:05.000Z","metadata":{"x_wv_nonce":"00000000000000000000000000000002"}}
	END
	diff -u "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/t"
	run -0 wv-trace --event issued --count
	[ "$output" = 1 ]
}

@test "the nonce is random and never logged" {
	issue --ttl 1h >"$BATS_TEST_TMPDIR/1"
	issue --ttl 1h >"$BATS_TEST_TMPDIR/2"
	one=$(grep -o '"x_wv_nonce":"[0-9a-f]*"' "$BATS_TEST_TMPDIR/1")
	two=$(grep -o '"x_wv_nonce":"[0-9a-f]*"' "$BATS_TEST_TMPDIR/2")
	[ -n "$one" ]
	[ -n "$two" ]
	[ "$one" != "$two" ]
	run ! grep -q nonce "$WV_STATE/audit.jsonl"
	value=${one##*:\"}
	run ! grep -qr "${value%\"}" "$WV_STATE"
}

@test "a token needs a scope and an end (I-06, cases D13)" {
	fails_with 2 "--ttl or --single-use" "${issue[@]}"
	fails_with 2 "--scope is missing" \
		wv-token issue --principal p --ttl 1h
	fails_with 2 "--principal is missing" \
		wv-token issue --scope a --ttl 1h
	fails_with 2 "before it began" "${issue[@]}" --ttl 0s
	[ ! -e "$WV_STATE" ]
}

@test "scopes are exact ids, or all beneath one" {
	for scope in '*' 'a.*.c' 'a.b*' 'a..b' '.a' 'a.' '' 'a b' 'a.**' '.*'; do
		fails_with 2 "--scope" \
			wv-token issue --principal p --ttl 1h --scope "$scope"
	done
	fails_with 2 "no commas" \
		wv-token issue --principal p --ttl 1h --scope a,b
	wv-token issue --principal p --ttl 1h --scope 'a.*' --scope a/b:c@d+e-f
}

@test "principals are ids of the kernel" {
	for principal in '' 'a b' 'a..b' 'wv.unauthenticated' $'a\n' 'ägent'; do
		fails_with 2 "--principal" \
			wv-token issue --principal "$principal" --ttl 1h --scope a
	done
}

@test "a binding to arguments stands in the token" {
	digest=$(printf x | sha256sum | cut -c1-64)
	issue --single-use --arguments-sha256 "$digest" |
		grep -q "\"x_wv_arguments_sha256\":\"$digest\""
	fails_with 2 "--arguments-sha256" "${issue[@]}" --single-use \
		--arguments-sha256 "${digest^^}"
	fails_with 2 "--arguments-sha256" "${issue[@]}" --single-use \
		--arguments-sha256 "${digest}0"
}

@test "--out makes a new file for its owner only" {
	umask 000
	run -0 "${issue[@]}" --ttl 1h --out "$BATS_TEST_TMPDIR/token.json"
	[ -z "$output" ]
	[ "$(stat -c %a "$BATS_TEST_TMPDIR/token.json")" = 600 ]
	grep -q '"token_id"' "$BATS_TEST_TMPDIR/token.json"
	cp "$WV_STATE/audit.jsonl" "$BATS_TEST_TMPDIR/before"
	fails_with 2 "File exists" "${issue[@]}" --ttl 1h \
		--out "$BATS_TEST_TMPDIR/token.json"
	ln -s elsewhere "$BATS_TEST_TMPDIR/link"
	fails_with 2 "File exists" "${issue[@]}" --ttl 1h \
		--out "$BATS_TEST_TMPDIR/link"
	cmp "$BATS_TEST_TMPDIR/before" "$WV_STATE/audit.jsonl"
}

@test "--out leaves nothing behind when the state fails" {
	mkdir -m 755 "$WV_STATE"
	fails_with 2 "mode 0755" "${issue[@]}" --ttl 1h \
		--out "$BATS_TEST_TMPDIR/token.json"
	[ ! -e "$BATS_TEST_TMPDIR/token.json" ]
}

@test "a token that cannot be written out is an error (cases A15)" {
	run -2 bash -c 'wv-token issue --principal p --scope a --ttl 1h \
		>/dev/full'
	[[ "$output" == *"No space left on device"* ]]
}

@test "revoke by id, known or not, is logged once" {
	id=$(issue --ttl 1h | grep -o 'tok-[0-9A-Z]*')
	wv-token revoke "$id" tok-of-somebody-else
	run -0 wv-token revoke -v "$id"
	[[ "$output" == *"revoked before"* ]]
	run -0 wv-trace --event token_invalidated --count
	[ "$output" = 2 ]
	wv-trace --token "$id" --code token_revoked --principal agent-7 >/dev/null
}

@test "revoke by principal, with a cut-off" {
	issue --ttl 1h
	wv-token revoke --principal agent-7
	wv-token revoke --principal agent-8 --before 2026-01-01T00:00:00Z
	fails_with 2 "future" \
		wv-token revoke --principal agent-8 --before 9999-01-01T00:00:00Z
	fails_with 2 "--before" \
		wv-token revoke --principal agent-8 --before yesterday
	run -0 wv-trace --code token_revoked --count
	[ "$output" = 2 ]
}

@test "revoke needs ids or a principal" {
	fails_with 2 "either ids or --principal" wv-token revoke
	fails_with 2 "either ids or --principal" \
		wv-token revoke --principal p tok-1
	fails_with 2 "--before goes with" \
		wv-token revoke tok-1 --before 2026-01-01T00:00:00Z
	fails_with 2 "not a token's id" wv-token revoke 'tok 1'
	[ ! -e "$WV_STATE" ]
}

@test "init makes a state once" {
	wv-token init
	fails_with 2 "there is a state already" wv-token init
	fails_with 2 "there is a state already" wv-token init --test
}

@test "fixed times and ids are for states made for tests" {
	fails_with 2 "there is no state" "${issue[@]}" --ttl 1h \
		--now 2026-01-01T00:00:00Z
	[ ! -e "$WV_STATE" ]
	issue --ttl 1h
	fails_with 2 "init --test" "${issue[@]}" --ttl 1h --now 2026-01-01T00:00:00Z
	WV_IDS=seq:1 fails_with 2 "init --test" "${issue[@]}" --ttl 1h
	run -0 wv-trace --count
	[ "$output" = 1 ]
}

@test "misuse names what is right" {
	fails_with 2 "did you mean issue" wv-token isue
	fails_with 2 "no command" wv-token
	fails_with 2 "--single-use" "${issue[@]}" --single
	fails_with 2 "takes no operands" "${issue[@]}" --ttl 1h more
	run -0 wv-token issue --help
	[[ "$output" == *"--arguments-sha256"* ]]
}
