#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-token: init, issue, verify, show, narrow, list, revoke.

load lib

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
}

issue=(wv-token issue --principal agent-7 --scope org.demo.search)
issue() {
	"${issue[@]}" "$@"
}

id_of() {
	jq -r .token_id "$1"
}

# made for tests: a token and when it was made
made_at() {
	local when=$1
	shift
	issue --now "2026-01-01T$when:00Z" "$@"
}

# judged CODE FILE [OPTION…]: "good", or why not; verify has the same checks
judged() {
	local want=$1 expected=1
	shift
	[ "$want" != good ] || expected=0
	run "-$expected" --separate-stderr wv-token show "$@"
	[[ ${lines[0]} == "$1:1: $want" ]] || {
		echo "want $want: $output"
		return 1
	}
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
	issue --ttl 1h --now 2026-01-02T03:04:05Z >"$PWD/t"
	cat >"$PWD/want" <<-'END'
	{"token_id":"tok-00000000000000000000000001","principal":"agent-7","scope":["org.demo.search"],"issued_at":"2026-01-02T03:04:05.000Z","expires_at":"2026-01-02T04:04:05.000Z","metadata":{"x_wv_nonce":"00000000000000000000000000000002"}}
	END
	diff -u "$PWD/want" "$PWD/t"
	run -0 wv-trace --event issued --count
	[ "$output" = 1 ]
}

@test "the nonce is random and never logged" {
	issue --ttl 1h >"$PWD/1"
	issue --ttl 1h >"$PWD/2"
	one=$(grep -o '"x_wv_nonce":"[0-9a-f]*"' "$PWD/1")
	two=$(grep -o '"x_wv_nonce":"[0-9a-f]*"' "$PWD/2")
	[ -n "$one" ]
	[ -n "$two" ]
	[ "$one" != "$two" ]
	run ! grep -q nonce "$WV_STATE/audit.jsonl"
	value=${one##*:\"}
	run ! grep -qr "${value%\"}" "$WV_STATE"
}

@test "a token needs a scope and an end (I-06, cases D13)" {
	fails_with 2 "--single-use is missing" "${issue[@]}"
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

@test "every option of issue stands in the token" {
	wv-token init --test
	export WV_IDS=seq:1
	issue --scope 'a.*' --expires 2026-02-01T01:00:00+01:00 --single-use \
		--not-before 2026-01-02T00:00:00Z --issuer kernel-1 \
		--roles reader --roles writer --arguments '{"n":1.0,"a":"b"}' \
		--metadata '{"attributes":{"team":"a"},"session":"s"}' \
		--now 2026-01-01T00:00:00Z >token
	digest=$(printf '{"a":"b","n":1}' | sha256sum | cut -c1-64)
	cat >want <<-END
	{"token_id":"tok-00000000000000000000000001","principal":"agent-7","scope":["org.demo.search","a.*"],"issued_at":"2026-01-01T00:00:00.000Z","expires_at":"2026-02-01T00:00:00.000Z","single_use":true,"issuer":"kernel-1","metadata":{"attributes":{"team":"a"},"session":"s","roles":["reader","writer"],"x_wv_nonce":"00000000000000000000000000000002","x_wv_not_before":"2026-01-02T00:00:00.000Z","x_wv_arguments_sha256":"$digest"}}
	END
	diff -u want token
	wv-validate -t capability_token --check token
	run -0 wv-trace --event token_issued
	jq -e '.metadata.x_wv_issuer == "kernel-1" and
		.metadata.x_wv_scope == ["org.demo.search","a.*"] and
		(.metadata | has("x_wv_kid") or has("x_wv_parent") | not)' \
		<<<"$output"
}

@test "one end, one binding, and what an option says by that option" {
	fails_with 2 "one end" "${issue[@]}" --ttl 1h --expires 2099-01-01T00:00:00Z
	fails_with 2 "one end" "${issue[@]}" --ttl 1h --ttl 2h
	fails_with 2 "one binding" "${issue[@]}" --ttl 1h --arguments '{}' \
		--arguments-sha256 "$(printf x | sha256sum | cut -c1-64)"
	fails_with 2 "--roles" "${issue[@]}" --ttl 1h --roles 'a b'
	fails_with 2 "--issuer" "${issue[@]}" --ttl 1h --issuer 'a b'
	fails_with 2 "--not-before" "${issue[@]}" --ttl 1h --not-before soon
	fails_with 2 "by --roles" "${issue[@]}" --ttl 1h \
		--metadata '{"roles":["admin"]}'
	for name in x_wv_nonce x_wv_parent x_wv_anything; do
		fails_with 2 "x_wv_... is the kernel's" "${issue[@]}" --ttl 1h \
			--metadata "{\"$name\":1}"
	done
	fails_with 2 "must be a JSON object" "${issue[@]}" --ttl 1h \
		--metadata '[]'
	fails_with 2 "must be a JSON object" "${issue[@]}" --ttl 1h \
		--arguments '"x"'
	[ ! -e "$WV_STATE" ]
	fails_with 2 "lies in the past" "${issue[@]}" \
		--expires 2026-01-01T00:00:00Z
	fails_with 2 "end before it began" "${issue[@]}" --ttl 1h \
		--not-before 2099-01-01T00:00:00Z
	fails_with 2 "attributes holds" "${issue[@]}" --ttl 1h \
		--metadata '{"attributes":{"n":1}}'
	# kernel.md 12: an empty tenant is none
	fails_with 2 "or an empty one" "${issue[@]}" --ttl 1h \
		--metadata '{"attributes":{"tenant":""}}'
	fails_with 2 "names r twice" "${issue[@]}" --ttl 1h --roles r --roles r
	run -0 wv-token list --all
	[ -z "$output" ]
}

@test "--out makes a new file for its owner only" {
	umask 000
	run -0 "${issue[@]}" --ttl 1h --out "$PWD/token.json"
	[ -z "$output" ]
	[ "$(stat -c %a "$PWD/token.json")" = 600 ]
	grep -q '"token_id"' "$PWD/token.json"
	cp "$WV_STATE/audit.jsonl" "$PWD/before"
	fails_with 2 "File exists" "${issue[@]}" --ttl 1h \
		--out "$PWD/token.json"
	ln -s elsewhere "$PWD/link"
	fails_with 2 "File exists" "${issue[@]}" --ttl 1h \
		--out "$PWD/link"
	cmp "$PWD/before" "$WV_STATE/audit.jsonl"
}

@test "--out leaves nothing behind when the state fails" {
	mkdir -m 755 "$WV_STATE"
	fails_with 2 "mode 0755" "${issue[@]}" --ttl 1h \
		--out "$PWD/token.json"
	[ ! -e "$PWD/token.json" ]
}

@test "a token that cannot be written out is an error (cases A15)" {
	run -2 bash -c 'wv-token issue --principal p --scope a --ttl 1h \
		>/dev/full'
	[[ "$output" == *"No space left on device"* ]]
}

@test "revoke by id, known or not, is logged once" {
	issue --ttl 1h >token
	run -0 --separate-stderr wv-token revoke "$(id_of token)" tok-of-somebody-else
	[ "$stderr" = "wv-token: tok-of-somebody-else: not known to be issued here; revoked all the same" ]
	run -0 wv-token revoke -v "$(id_of token)"
	[[ "$output" == *"revoked before"* ]]
	run -0 wv-trace --event token_invalidated --count
	[ "$output" = 2 ]
	wv-trace --token "$(id_of token)" --code token_revoked \
		--principal agent-7 >/dev/null
	wv-token revoke --issuer kernel-2 "$(id_of token)"
	run -0 wv-trace --code token_revoked
	jq -es 'length == 3 and
		map(.metadata.x_wv_issuer) == [null, null, "kernel-2"] and
		map(.principal) == ["agent-7", null, null]' <<<"$output"
}

@test "an id of another issuer is another token" {
	issue --ttl 1h --issuer kernel-1 >one
	issue --ttl 1h >two
	wv-token revoke --issuer kernel-2 "$(id_of one)" "$(id_of two)"
	wv-token verify one two >/dev/null
	wv-token revoke --issuer kernel-1 "$(id_of one)"
	judged token_revoked one
	wv-token revoke "$(id_of two)"
	judged token_revoked two
}

@test "revoke by principal, with a cut-off" {
	issue --ttl 1h
	wv-token revoke --principal agent-7
	wv-token revoke --principal agent-8 --before 2026-01-01T00:00:00.0001Z
	fails_with 2 "future" \
		wv-token revoke --principal agent-8 --before 9999-01-01T00:00:00Z
	fails_with 2 "--before" \
		wv-token revoke --principal agent-8 --before yesterday
	run -0 wv-trace --code token_revoked
	jq -es 'length == 2 and .[1].principal == "agent-8" and
		.[1].metadata.x_wv_before == "2026-01-01T00:00:00.001Z"' \
		<<<"$output"
}

@test "revoke needs ids, a principal or a key" {
	fails_with 2 "either ids, or" wv-token revoke
	fails_with 2 "either ids, or" wv-token revoke --principal p tok-1
	fails_with 2 "either ids, or" wv-token revoke --principal p --kid k
	fails_with 2 "--issuer goes with" wv-token revoke --principal p --issuer i
	fails_with 2 "--kid" wv-token revoke --kid ''
	fails_with 2 "--before goes with" \
		wv-token revoke tok-1 --before 2026-01-01T00:00:00Z
	fails_with 2 "not a token's id" wv-token revoke 'tok 1'
	[ ! -e "$WV_STATE" ]
}

@test "verify lets good tokens through as they came, and names the others" {
	issue --ttl 1h >1
	issue --ttl 1h | sed 's/,/ ,  /' >2
	issue --ttl 1h >3
	wv-token revoke "$(id_of 3)"
	printf '{"a":1}\n"text"\n' >4
	wv-token verify 1 2 >out
	cat 1 2 | cmp - out
	run -1 --separate-stderr bash -c 'cat 1 3 4 2 | wv-token verify'
	cat 1 2 | cmp - <(printf '%s\n' "$output")
	[[ $stderr == *":2:1: $(id_of 3): token_revoked: "* ]]
	[[ $stderr == *":3:1: token_malformed: not a CapabilityToken"* ]]
	[[ $stderr == *":4:1: token_malformed: "* ]]
	[ "${#stderr_lines[@]}" = 3 ]
	# several in one array, as wv-authorize takes them
	jq -cs . 1 3 2 >many.json
	run -1 --separate-stderr wv-token verify many.json
	jq -cs . 1 2 | jq -c '.[]' | cmp - <(printf '%s\n' "$output")
	[[ $stderr == *"many.json:1:1: $(id_of 3): token_revoked"* ]]
}

@test "verify: what cannot be read, or is no token at all, is 2" {
	issue --ttl 1h >1
	fails_with 2 "no records" wv-token verify /dev/null
	echo '[]' >none.json
	fails_with 2 "without a token" wv-token verify none.json
	fails_with 2 "bad.jsonl:1:" bash -c \
		'echo "{" >bad.jsonl; wv-token verify bad.jsonl 1 >out'
	cmp 1 out
	fails_with 2 "cannot open" wv-token verify missing.json
	fails_with 2 "cannot open" wv-token verify --keyring missing.json 1
	fails_with 2 "--leeway" wv-token verify --leeway 11m 1
	fails_with 2 "--capability" wv-token verify --capability 'a.*' 1
	WV_STATE=$PWD/other fails_with 2 "other" wv-token verify 1
	[ ! -e other ]
	run -2 bash -c 'wv-token verify 1 >/dev/full'
	[[ $output == *"No space left"* ]]
}

@test "verify and show change nothing" {
	issue --single-use >token
	wv-token verify token >out
	cp -r "$WV_STATE" before
	for _ in 1 2 3; do
		wv-token verify token >/dev/null
		wv-token show token >/dev/null
		wv-token list >/dev/null
	done
	diff -r before/audit.jsonl "$WV_STATE/audit.jsonl"
	judged good token
}

@test "verify: principal and capability, if it is asked" {
	issue --ttl 1h --scope 'org.docs.*' >token
	judged good token --principal agent-7 --capability org.docs.a.b
	judged good token --capability org.demo.search
	fails_with 1 ': principal_mismatch: ' \
		wv-token verify token --principal agent-8
	judged scope_mismatch token --capability org.demo.search.more
	fails_with 1 ': scope_mismatch: ' \
		wv-token verify token --capability org.docs
}

@test "verify: time, with leeway at both ends" {
	wv-token init --test
	made_at 10:00 --ttl 1h --not-before 2026-01-01T10:30:00Z >token
	at() { echo --now "2026-01-01T$1Z"; }
	fails_with 1 ': token_not_yet_valid: ' \
		wv-token verify token $(at 10:29:59.999)
	judged good token $(at 10:30:00)
	judged good token $(at 10:59:59.999)
	fails_with 1 ': token_expired: ' wv-token verify token $(at 11:00:00)
	judged good token $(at 10:20:00) --leeway 10m
	judged token_not_yet_valid token $(at 10:19:59) --leeway 10m
	judged good token $(at 11:09:59.999) --leeway 10m
	judged token_expired token $(at 11:10:00) --leeway 10m
	# a clock that was set back is no way back
	made_at 12:00 --ttl 1h >later
	judged token_expired token $(at 10:45:00)
}

@test "whatever is changed in a token, it is no longer one" {
	wv-token keygen --kid k --keyring ring.json
	issue --ttl 1h --single-use --issuer kernel-1 --roles reader \
		--not-before 2026-01-01T00:00:00Z --arguments '{}' --sign k \
		--metadata '{"attributes":{"team":"a"},"session":[1,true,{}]}' \
		>token
	jq -c '. as $t | [paths] | .[] | . as $p | $t | getpath($p) as $v |
		setpath($p; if ($v | type) == "string" then $v + "x"
			elif ($v | type) == "number" then $v + 1
			elif ($v | type) == "boolean" then $v | not
			elif ($v | type) == "array" then $v + ["x"]
			else $v + {x: "x"} end)' token >altered.jsonl
	jq -c '. as $t | [paths] | .[] | . as $p | $t | delpaths([$p])' token \
		>>altered.jsonl
	n=$(wc -l <altered.jsonl)
	[ "$n" -gt 50 ]
	run -1 --separate-stderr wv-token verify altered.jsonl
	[ -z "$output" ]
	[ "$(grep -cE ': token_(untrusted|malformed): ' <<<"$stderr")" = "$n" ]
	# the same, seen by who knows the key but not the store
	WV_STATE=$PWD/other wv-token init
	WV_STATE=$PWD/other wv-token verify --keyring ring.json token >/dev/null
	WV_STATE=$PWD/other run -1 --separate-stderr wv-token verify \
		--keyring ring.json altered.jsonl
	# nobody signs what a signature says of itself
	jq -es 'map(del(.x_weaver_signature)) | unique | length == 1' \
		<<<"$output"
	[ "$(grep -cE ': token_(untrusted|malformed|signature_invalid): ' \
		<<<"$stderr")" = $((n - $(wc -l <<<"$output"))) ]
	[ "$(wc -l <<<"$output")" -le 6 ]
}

@test "a token rebuilt from the log is none" {
	issue --ttl 1h >token
	wv-trace --event token_issued | jq -c --slurpfile t token '{
		token_id: .metadata.x_wv_token_id, principal,
		scope: .metadata.x_wv_scope, issued_at: .timestamp,
		expires_at: $t[0].expires_at}' >rebuilt
	[ "$(jq -c 'del(.metadata)' token)" = "$(cat rebuilt)" ]
	judged token_untrusted rebuilt
	wv-token list | jq -c '{token_id, principal, scope, issued_at,
		expires_at}' >listed
	cmp rebuilt listed
	fails_with 1 token_untrusted wv-token narrow rebuilt
}

@test "show: every check with its value, and nothing that makes a token" {
	wv-token keygen --kid k --keyring ring.json
	issue --single-use --sign k --metadata '{"x":"\u001b[31m\u202e"}' >token
	nonce=$(jq -r .metadata.x_wv_nonce token)
	sig=$(jq -r .x_weaver_signature.sig token)
	[ ${#nonce} = 32 ]
	[ ${#sig} = 86 ]
	run -1 wv-token show --keyring ring.json --principal agent-8 token
	[[ $output != *"$nonce"* && $output != *"$sig"* ]]
	for text in 'token:1: principal_mismatch' \
		'  shape      yes a CapabilityToken' \
		'  trust      yes signed by key k' \
		'  principal  no  principal_mismatch: it is for agent-7, not for agent-8' \
		'  scope      yes org.demo.search' \
		'  revocation yes not revoked' \
		'  use        yes one call, which is still to come' \
		'  token_id: "tok-' '  x_weaver_signature: {"alg":"ed25519"'; do
		[[ $output == *"$text"* ]] || { echo "no: $text"; echo "$output"; return 1; }
	done
	run ! grep -q $'\e\|\xe2\x80\xae' <<<"$output"
	run -0 wv-token show --require-signed --keyring ring.json -f json token
	[[ $output != *"$nonce"* && $output != *"$sig"* ]]
	jq -e '.good and (has("code") | not) and
		(.checks | map(.check)) == ["shape", "trust", "time",
			"principal", "scope", "revocation", "use"] and
		(.checks | all(.holds)) and .token.principal == "agent-7" and
		.token.x_weaver_signature.kid == "k"' <<<"$output"
	# what is no token is not shown at all
	echo '{"password":"hunter2"}' >other
	run -1 wv-token show other
	[[ $output == *"no  token_malformed: "* && $output != *hunter2* ]]
	run -1 wv-token show -f json other
	[[ $output != *hunter2* ]]
	fails_with 2 "json" wv-token show -f jsn token
}

@test "narrow: what a child says, and that all else stays" {
	wv-token init --test
	wv-token keygen --kid k
	export WV_IDS=seq:1
	made_at 10:00 --scope 'org.docs.*' --ttl 2h --issuer kernel-1 \
		--roles reader --roles writer --not-before 2026-01-01T10:00:00Z \
		--arguments '{}' --metadata '{"attributes":{"team":"a"},"s":1.50}' \
		>root
	WV_IDS=seq:10 wv-token narrow --now 2026-01-01T11:00:00Z \
		--scope org.docs.a.b --scope 'org.docs.c.*' --ttl 30m \
		--roles reader --single-use root >child
	digest=$(printf '{}' | sha256sum | cut -c1-64)
	cat >want <<-END
	{"token_id":"tok-00000000000000000000000010","principal":"agent-7","scope":["org.docs.a.b","org.docs.c.*"],"issued_at":"2026-01-01T11:00:00.000Z","expires_at":"2026-01-01T11:30:00.000Z","single_use":true,"issuer":"kernel-1","metadata":{"attributes":{"team":"a"},"s":1.50,"roles":["reader"],"x_wv_nonce":"0000000000000000000000000000000b","x_wv_not_before":"2026-01-01T10:00:00.000Z","x_wv_arguments_sha256":"$digest","x_wv_parent":[{"token_id":"tok-00000000000000000000000001","issued_at":"2026-01-01T10:00:00.000Z"}]}}
	END
	diff -u want child
	wv-validate -t capability_token --check child
	judged good child --now 2026-01-01T11:00:00Z
	# a child of the child, by a key, names both and that key
	WV_IDS=seq:20 wv-token narrow --now 2026-01-01T11:10:00Z --sign k \
		--out grandchild.json <child
	[ "$(stat -c %a grandchild.json)" = 600 ]
	WV_IDS=seq:30 wv-token narrow --now 2026-01-01T11:10:00Z \
		grandchild.json >last
	jq -e --slurpfile c child --slurpfile g grandchild.json '
		.scope == $c[0].scope and .expires_at == $c[0].expires_at and
		.single_use and (has("x_weaver_signature") | not) and
		(.metadata.x_wv_parent | map(.token_id) == [
			"tok-00000000000000000000000001", $c[0].token_id,
			$g[0].token_id]) and
		(.metadata.x_wv_parent | map(.kid) == [null, null, "k"]) and
		.metadata.x_wv_nonce != $g[0].metadata.x_wv_nonce' last
	run -0 wv-trace --event token_issued
	jq -es --slurpfile c child --slurpfile g grandchild.json 'length == 4 and
		map(.metadata.x_wv_parent) == [null,
			"tok-00000000000000000000000001", $c[0].token_id,
			$g[0].token_id]' <<<"$output"
}

@test "narrow cannot widen (kernel cases A15)" {
	issue --scope 'a.*' --scope 'b.c.*' --scope d --ttl 1h --roles r >token
	cp "$WV_STATE/audit.jsonl" before
	for scope in 'b.*' b b.c org.demo.search.x 'org.demo.search.*' 'd.*' d.e \
		'org.*' a; do
		fails_with 1 "--scope: the token is not good for all of $scope" \
			wv-token narrow --scope 'a.b.*' --scope "$scope" token
		[ -z "$output" ]
	done
	for scope in '*' 'a.*.c' ''; do
		fails_with 2 "--scope" wv-token narrow --scope "$scope" token
	done
	fails_with 1 "--roles: the token has no role admin" \
		wv-token narrow --roles r --roles admin token
	fails_with 1 "ends sooner, at 20" wv-token narrow --ttl 2h token
	fails_with 1 "ends sooner" wv-token narrow --out never.json \
		--expires 2099-01-01T00:00:00Z token
	[ ! -e never.json ]
	fails_with 1 "in the past" \
		wv-token narrow --expires 2026-01-01T00:00:00Z token
	fails_with 2 "unknown option" wv-token narrow --principal other token
	fails_with 2 "unknown option" wv-token narrow --metadata '{}' token
	cmp before "$WV_STATE/audit.jsonl"
	for scope in 'a.*' a.b 'a.b.*' a.b.c.d 'b.c.d.*' d org.demo.search; do
		wv-token narrow --scope "$scope" token >less
		judged good less
	done
	wv-token narrow --roles '' token | jq -e '.metadata.roles == []'
	wv-token narrow --expires "$(jq -r .expires_at token)" token >less
	judged good less
}

@test "only a good token is narrowed" {
	wv-token init --test
	export WV_STATE
	at=(--now 2026-01-01T11:00:00Z)
	made_at 10:00 --ttl 30m >expired
	made_at 10:00 --ttl 8h --not-before 2026-01-01T12:00:00Z >early
	made_at 10:00 --ttl 8h >revoked
	wv-token revoke "${at[@]}" "$(id_of revoked)"
	jq -c '.token_id += "x"' revoked >unsigned
	for code in token_expired:expired token_not_yet_valid:early \
		token_revoked:revoked token_untrusted:unsigned; do
		fails_with 1 "${code#*:}:1: ${code%:*}: " \
			wv-token narrow "${at[@]}" "${code#*:}"
	done
	cat expired early >two.jsonl
	fails_with 2 "more than one token" wv-token narrow "${at[@]}" two.jsonl
	fails_with 2 "no records" wv-token narrow "${at[@]}" /dev/null
	fails_with 2 "one file" wv-token narrow "${at[@]}" early early
	echo '[1]' >none.json
	fails_with 1 "token_malformed" wv-token narrow "${at[@]}" none.json
}

@test "a token is narrowed sixteen times, one after the other" {
	issue --ttl 1h >0
	for i in $(seq 16); do
		wv-token narrow $((i - 1)) >"$i"
	done
	judged good 16
	fails_with 1 "16:1: narrowed 16 times, one after the other" \
		wv-token narrow 16
	wv-token revoke "$(id_of 0)"
	judged token_revoked 16
	judged token_revoked 1
	run -0 wv-token list
	[ -z "$output" ]
}

@test "revoking a parent, its key or its principal revokes the children" {
	wv-token init --test
	wv-token keygen --kid k
	wv-token keygen --kid other
	made_at 10:00 --ttl 8h --sign k >id.root
	made_at 10:00 --ttl 8h --sign k >key.root
	for name in id key; do
		wv-token narrow --now 2026-01-01T12:00:00Z --sign other \
			$name.root >$name
	done
	cp -r "$WV_STATE" fresh
	at=(--now 2026-01-01T13:00:00Z)
	wv-token revoke "${at[@]}" "$(id_of id.root)"
	judged token_revoked id "${at[@]}"
	judged good key "${at[@]}"
	wv-token revoke "${at[@]}" --principal agent-7 \
		--before 2026-01-01T10:00:00Z
	judged good key "${at[@]}"
	# between parent and child: it is the root that counts
	wv-token revoke "${at[@]}" --principal agent-7 \
		--before 2026-01-01T11:00:00Z
	judged token_revoked key "${at[@]}"
	made_at 13:00 --ttl 8h >after
	judged good after "${at[@]}"
	rm -r "$WV_STATE"
	mv fresh "$WV_STATE"
	wv-token revoke "${at[@]}" --kid k
	run -0 wv-token revoke -v "${at[@]}" --kid k
	[[ $output == *"k: revoked before"* ]]
	judged token_revoked id "${at[@]}"
	judged token_revoked id.root "${at[@]}"
	run -0 wv-trace --code token_revoked
	jq -es 'length == 1 and .[0].metadata.x_wv_kid == "k"' <<<"$output"
	fails_with 2 "key k is revoked" "${issue[@]}" --ttl 1h --sign k \
		--now 2026-01-01T14:00:00Z
	made_at 14:00 --ttl 1h --sign other >new
	judged good new --now 2026-01-01T14:00:00Z
}

@test "uses belong to the root" {
	printf 'version: 1\ndefault: deny\nrules:\n  - {name: a, effect: allow, match: {capability: ["org.demo.*"]}}\n' >policy.yaml
	echo '{"id":"rd-1","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d","capability_id":"org.demo.search"}]}],"selected_item_id":"i","selected_card_id":"c","timestamp":"2026-01-01T00:00:00Z"}' >in.jsonl
	issue --single-use >root
	wv-token narrow root >one
	wv-token narrow --ttl 1h root >two
	wv-token narrow one >three
	wv-authorize -p policy.yaml -k two in.jsonl >/dev/null
	for token in root one two three; do
		judged token_spent $token
		run -1 wv-authorize -p policy.yaml -k $token in.jsonl
		[[ $output == *'"x_wv_code":"token_spent"'* ]]
	done
	fails_with 1 "token_spent" wv-token narrow root
	wv-token list --all | jq -es 'length == 4 and all(.state == "spent")'
}

@test "a binding by --arguments is the one that wv-authorize checks" {
	printf 'version: 1\ndefault: deny\nrules:\n  - {name: a, effect: allow, match: {capability: ["org.demo.*"]}, require: {bound: true}}\n' >policy.yaml
	printf '{ "id": 1234567890123456789,\n "b": [1.0, "é"] }\n' >arguments.json
	routed() {
		printf '{"id":"rd-1","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d","capability_id":"org.demo.search"}]}],"selected_item_id":"i","selected_card_id":"c","timestamp":"2026-01-01T00:00:00Z","metadata":{"x_wv_arguments":%s}}\n' "$1"
	}
	issue --single-use --arguments @arguments.json >token
	routed '{"b":[1,"\u00e9"],"id":1234567890123456788}' >swapped.jsonl
	run -1 wv-authorize -p policy.yaml -k token swapped.jsonl
	[[ $output == *'"x_wv_code":"arguments_not_bound"'* ]]
	routed '{"b":[1,"\u00e9"],"id":1234567890123456789}' >in.jsonl
	wv-authorize -p policy.yaml -k token in.jsonl
}

@test "a token of another kernel, by a key that both know" {
	wv-token keygen --kid k --keyring ring.json
	issue --ttl 1h --sign k --scope 'a.*' >theirs
	export WV_STATE=$PWD/ours
	wv-token init
	judged token_untrusted theirs
	judged good theirs --keyring ring.json
	WV_KEYRING=ring.json judged good theirs
	judged signature_required theirs --require-signed
	judged good theirs --require-signed --keyring ring.json
	wv-token narrow --keyring ring.json --scope a.b theirs >child
	# issued here by now, but no longer signed
	judged good child
	judged signature_required child --require-signed --keyring ring.json
	wv-token list | jq -e --arg id "$(id_of theirs)" '.parent == $id'
	wv-token revoke --kid k
	judged token_revoked theirs --keyring ring.json
	judged token_revoked child
	# a key that the keyring limits to others
	jq '.keys[0].principals = ["agent-8"]' ring.json >limited.json
	judged token_untrusted theirs --keyring limited.json
}

@test "list: what the store knows, a line each" {
	wv-token init --test
	wv-token keygen --kid k
	made_at 10:00 --ttl 1h --scope 'a.*' --issuer kernel-1 >expired
	made_at 10:01 --ttl 8h --sign k >active
	wv-token narrow --now 2026-01-01T11:59:00Z --single-use active >child
	made_at 12:00 --single-use >revoked
	wv-token issue --principal agent-8 --scope b --ttl 1h \
		--now 2026-01-01T12:01:00Z >others
	wv-token revoke --now 2026-01-01T12:01:00Z "$(id_of revoked)"
	at=(--now 2026-01-01T12:01:00Z)
	wv-token list "${at[@]}" >out
	jq -r .token_id active child others | cmp - <(jq -r .token_id out)
	wv-token list --all "${at[@]}" >all
	jq -r .state all | paste -sd ' ' |
		grep -qx 'expired active active revoked active'
	jq -es --slurpfile e expired --slurpfile a active --slurpfile c child '
		.[0] == ($e[0] | del(.metadata)) +
			{single_use: false, state: "expired"} and
		.[1] == ($a[0] | del(.metadata, .x_weaver_signature)) +
			{single_use: false, kid: "k", state: "active"} and
		.[2] == ($c[0] | del(.metadata)) +
			{parent: $a[0].token_id, state: "active"}' all
	run -0 wv-token list "${at[@]}" --principal agent-8
	[ "$(jq -r .token_id <<<"$output")" = "$(id_of others)" ]
	# nothing that would make a token
	for token in expired active child revoked others; do
		run ! grep -qF "$(jq -r .metadata.x_wv_nonce $token)" all
	done
	fails_with 2 "no operands" wv-token list tok-1
	fails_with 2 "there is no state" wv-token list --state nowhere
}

@test "fifty at once: everything is recorded, and the log is whole" {
	issue --ttl 1h >root
	for i in $(seq 25); do
		wv-token narrow root >"child.$i" 3>&- &
		wv-token revoke "tok-$i" 3>&- &
	done
	wait
	cat child.* >children.jsonl
	wv-token verify children.jsonl >out
	[ "$(wc -l <out)" = 25 ]
	wv-trace verify
	run -0 wv-trace --event token_issued --count
	[ "$output" = 26 ]
	run -0 wv-trace --code token_revoked --count
	[ "$output" = 25 ]
}

@test "no nonce, signature or argument is in the state" {
	wv-token keygen --kid k --keyring ring.json
	issue --ttl 1h --sign k --arguments '{"password":"hunter2"}' \
		--metadata '{"note":"rosebud"}' >token
	wv-token narrow --sign k token >child
	wv-token revoke "$(id_of token)"
	for secret in hunter2 rosebud $(jq -r '.metadata.x_wv_nonce,
		.x_weaver_signature.sig' token child); do
		run ! grep -qrF -- "$secret" "$WV_STATE"
	done
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
	fails_with 2 "did you mean narrow" wv-token narow
	fails_with 2 "no command: init, keygen" wv-token
	fails_with 2 "--single-use" "${issue[@]}" --single
	fails_with 2 "takes no operands" "${issue[@]}" --ttl 1h more
	for command in init keygen issue narrow verify show list revoke; do
		run -0 --separate-stderr wv-token $command --help
		[[ $output == *"wv-token $command"* ]]
		[ -z "$stderr" ]
	done
	run -0 wv-token issue --help
	[[ "$output" == *"--arguments-sha256"* ]]
}
