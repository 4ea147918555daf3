#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Private keys and keyrings: wv-token keygen, what --sign reads, what a key of
# a keyring may sign; and that other implementations agree (openssl).

load lib

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	issue=(wv-token issue --principal agent-7 --scope org.demo.search
		--ttl 1h)
}

# A state that did not issue what is signed elsewhere.
use_other_state() {
	export WV_STATE="$BATS_TEST_TMPDIR/other"
	[ -d "$WV_STATE" ] || wv-token init
}

mode_of() {
	stat -c %a "$1"
}

need_openssl() {
	command -v openssl >/dev/null || skip "no openssl"
}

@test "keygen: the private half in the state, the public half in a keyring" {
	wv-token keygen --kid k-1 --keyring ring.json >out
	[ ! -s out ]
	wv-token keygen --kid k-2 --alg es256 --keyring ring.json
	[ "$(mode_of state/keys)" = 700 ]
	[ "$(mode_of state/keys/k-1.pem)" = 600 ]
	[ "$(mode_of state/keys/k-2.pem)" = 600 ]
	[ "$(head -n 1 state/keys/k-1.pem)" = "-----BEGIN PRIVATE KEY-----" ]
	grep -cE '^\{"kid":"k-1","alg":"ed25519","public_key_b64url":"[A-Za-z0-9_-]{43}"\},$' ring.json
	grep -cE '^\{"kid":"k-2","alg":"es256","public_key_b64url":"[A-Za-z0-9_-]{87}"\}$' ring.json
	# nothing is left beside it
	[ "$(ls)" = "$(printf 'out\nring.json\nstate')" ]
}

@test "keygen: without --keyring a keyring goes to standard output" {
	umask 0
	wv-token keygen --kid k-1 >ring.json
	[ "$(mode_of state/keys/k-1.pem)" = 600 ]
	"${issue[@]}" --sign k-1 >token.json
	use_other_state
	wv-token verify --keyring ring.json --require-signed token.json
}

@test "keygen: what is in the keyring stays, and a link stays a link" {
	printf '{"x_note": [1.50], "keys": []}\n' >real.json
	ln -s real.json ring.json
	wv-token keygen --kid k-1 --keyring ring.json
	[ -L ring.json ]
	grep -F '{"x_note":[1.50],"keys":[' real.json
	grep -F '"kid":"k-1"' real.json
}

# refused TEXT OPTION…: and no key is made, nor a keyring changed
refused() {
	local text=$1
	shift
	rm -f state/keys/*.pem
	fails_with 2 "$text" wv-token keygen "$@"
	[ -z "$(find state -name '*.pem')" ]
}

@test "keygen: what is refused before a key is made" {
	wv-token keygen --kid k-1 >ring.json
	cp ring.json before.json
	refused 'ring.json:2:8: there is a key "k-1" already' \
		--kid k-1 --keyring ring.json
	cmp ring.json before.json
	refused "--kid is missing"
	refused "--kid: 1 to 64 letters" --kid ../k
	refused "--kid: 1 to 64 letters" --kid .k
	refused "--kid: 1 to 64 letters" --kid ""
	refused "ed25519" --kid k --alg rsa
	refused "no operands" --kid k more
	printf '{"keys":[{"kid":"x"}]}' >bad.json
	refused "bad.json:1:10: a key needs alg" --kid k --keyring bad.json
	printf 'keys: []\n' >ring.yaml
	refused "ring.yaml: is YAML" --kid k --keyring ring.yaml
	refused "not a regular file" --kid k --keyring /dev/null
}

@test "keygen: a private key is never replaced" {
	wv-token keygen --kid k-1 >ring.json
	cp state/keys/k-1.pem before
	fails_with 2 'there is a private key "k-1" already' \
		wv-token keygen --kid k-1
	fails_with 2 "before more.json had its public half" \
		wv-token keygen --kid k-1 --keyring more.json
	[ ! -e more.json ]
	cmp before state/keys/k-1.pem
	: >state/keys/k-2.pem
	chmod 600 state/keys/k-2.pem
	fails_with 2 "as an interrupted keygen leaves it" \
		wv-token keygen --kid k-2
	ln -s "$PWD/elsewhere" state/keys/k-3.pem
	fails_with 2 "is a symbolic link" wv-token keygen --kid k-3
	[ ! -e elsewhere ]
}

@test "keygen: many at once lose no key" {
	wv-token init
	local i
	for i in 1 2 3 4 5 6 7 8; do
		wv-token keygen --kid "k-$i" --keyring ring.json &
	done
	wait
	[ "$(grep -c '"kid":"k-' ring.json)" = 8 ]
}

@test "keygen: a keyring that cannot be written leaves no key" {
	fails_with 2 "nowhere/: cannot write" \
		wv-token keygen --kid k-1 --keyring nowhere/
	[ ! -e state/keys/k-1.pem ]
	fails_with 2 "No space left" \
		bash -c 'wv-token keygen --kid k-2 >/dev/full'
	[ ! -e state/keys/k-2.pem ]
}

# unread TEXT: the key is not used, and nothing is issued
unread() {
	fails_with 2 "$1" "${issue[@]}" --sign k-1
	[ -z "$output" ]
}

@test "--sign: a private key that others could know is refused" {
	wv-token keygen --kid k-1 >ring.json
	cd state/keys
	chmod 640 k-1.pem
	unread "keys/k-1.pem has mode 0640"
	chmod 604 k-1.pem
	unread "keys/k-1.pem has mode 0604"
	chmod 600 k-1.pem
	ln k-1.pem second
	unread "keys/k-1.pem has a second name"
	rm second
	mv k-1.pem moved.pem
	ln -s moved.pem k-1.pem
	unread "keys/k-1.pem is a symbolic link"
	rm k-1.pem
	mkfifo -m 600 k-1.pem
	unread "keys/k-1.pem is not a regular file"
	rm k-1.pem
	unread "keys/k-1.pem: No such file"
	mv moved.pem k-1.pem
	chmod 755 .
	unread "keys has mode 0755"
	chmod 700 .
	"${issue[@]}" --sign k-1
	fails_with 2 "not the name of a key" "${issue[@]}" --sign ../keys/k-1
}

@test "--sign: what holds no key is refused, and never told" {
	wv-token keygen --kid k-1 >ring.json
	local key=state/keys/k-1.pem
	sed -n 2p $key >secret
	sed 's/PRIVATE/EC PRIVATE/' $key >other
	cat other >$key
	unread "k-1.pem: not a private key in PEM"
	run ! grep -qFf secret <<<"$stderr"
	printf -- '-----BEGIN PRIVATE KEY-----\n%s' "$(cat secret)" >$key
	unread "k-1.pem: not a private key of ed25519, es256"
	run ! grep -qFf secret <<<"$stderr"
	head -c 9000 /dev/zero >$key
	unread "k-1.pem: read error: File too large"
	: >$key
	unread "k-1.pem: not a private key in PEM"
}

@test "--sign: a key with a password is refused without asking for it" {
	need_openssl
	wv-token init
	openssl genpkey -algorithm ed25519 -aes256 -pass pass:x \
		-out state/keys/k-1.pem
	chmod 600 state/keys/k-1.pem
	unread "k-1.pem: the key has a password"
}

@test "no secret in events, messages and the list of processes" {
	wv-token keygen --kid k-1 --keyring ring.json -v >out 2>&1
	"${issue[@]}" --sign k-1 -v >token.json 2>>out
	sed -n 2p state/keys/k-1.pem | cut -c 23- >secret
	run ! grep -qFf secret out token.json ring.json state/audit.jsonl
	run ! grep -qaFf secret state/kernel.db
	command -v strace >/dev/null || skip "no strace"
	strace -f -e trace=execve -o trace wv-token keygen --kid k-2 >ring2 ||
		skip "no tracing"
	[ "$(grep -c execve trace)" = 1 ]
}

# b64url: of standard input
b64url() {
	base64 -w 0 | tr '+/' '-_' | tr -d =
}

# from_b64url: 64 bytes, whose padding is ==
from_b64url() {
	(tr -- '-_' '+/' && echo ==) | tr -d '\n' | base64 -d
}

# member NAME: of token.json, as it stands there
member() {
	grep -oE "\"$1\":(\"[^\"]*\"|\[[^]]*\]|\{[^}]*\})" token.json | head -n 1
}

# What RFC 8785 makes of token.json without its signature.
canonical() {
	printf '{%s,%s,%s,%s,%s,%s}' "$(member expires_at)" \
		"$(member issued_at)" "$(member metadata)" \
		"$(member principal)" "$(member scope)" "$(member token_id)"
}

@test "openssl verifies what keygen and --sign make" {
	need_openssl
	local alg number
	for alg in ed25519 es256; do
		wv-token keygen --kid $alg --alg $alg >ring.json
		openssl pkey -in state/keys/$alg.pem -pubout -out public.pem
		"${issue[@]}" --sign $alg >token.json
		canonical >text
		grep -oE '"sig":"[^"]*' token.json | cut -d '"' -f 4 |
			from_b64url >sig
		[ "$(stat -c %s sig)" = 64 ]
		if [ $alg = ed25519 ]; then
			openssl pkeyutl -verify -rawin -pubin \
				-inkey public.pem -in text -sigfile sig
			continue
		fi
		number=$(od -An -v -tx1 sig | tr -d ' \n')
		printf 'asn1=SEQUENCE:s\n[s]\nr=INTEGER:0x%s\ns=INTEGER:0x%s\n' \
			"${number:0:64}" "${number:64}" >pair
		openssl asn1parse -genconf pair -noout -out sig.der
		openssl dgst -sha256 -verify public.pem -signature sig.der text
	done
}

# signed_elsewhere ALG KID: token.json with a signature by openssl, by key.pem
signed_elsewhere() {
	canonical >text
	if [ "$1" = ed25519 ]; then
		openssl pkeyutl -sign -rawin -inkey key.pem -in text -out sig
	else
		openssl dgst -sha256 -sign key.pem -out sig.der text
		openssl asn1parse -inform DER -in sig.der |
			awk -F: '/INTEGER/ { n = $NF
				while (length(n) < 64) n = "0" n
				printf "%s", n }' >number
		sed 's/../\\x&/g' number >escaped
		printf "$(cat escaped)" >sig
	fi
	printf '%s,"x_weaver_signature":{"alg":"%s","kid":"%s","sig":"%s"}}\n' \
		"$(sed 's/}$//' token.json)" "$1" "$2" "$(b64url <sig)"
}

@test "what openssl makes and signs is taken" {
	need_openssl
	wv-token init
	local alg option
	for alg in ed25519 es256; do
		option=()
		[ $alg = ed25519 ] ||
			option=(-pkeyopt ec_paramgen_curve:P-256)
		openssl genpkey -algorithm "$([ $alg = es256 ] && echo EC ||
			echo ed25519)" "${option[@]}" -out key.pem
		install -m 600 key.pem state/keys/$alg.pem
		printf '{"keys":[{"kid":"%s","alg":"%s","public_key_b64url":"%s"}]}' \
			$alg $alg "$(openssl pkey -in key.pem -pubout \
				-outform DER | tail -c "$([ $alg = es256 ] &&
				echo 65 || echo 32)" | b64url)" >$alg.json
		"${issue[@]}" >token.json
		signed_elsewhere $alg $alg >$alg-theirs
		"${issue[@]}" --sign $alg >$alg-ours
	done
	use_other_state
	for alg in ed25519 es256; do
		wv-token verify --keyring $alg.json --require-signed \
			$alg-theirs $alg-ours
		sed 's/org.demo.search/org.demo.delete/' $alg-theirs >changed
		fails_with 1 "token_signature_invalid" wv-token verify \
			--keyring $alg.json changed
	done
}

# limited LIMIT: ring.json whose key has it
limited() {
	sed "s|\"alg\"|$1,\"alg\"|" free.json >ring.json
}

@test "a key of the keyring signs what it may, and nothing else" {
	wv-token keygen --kid k-1 >free.json
	"${issue[@]}" --scope 'org.demo.more.*' --sign k-1 >token.json
	use_other_state
	local verify=(wv-token verify --keyring ring.json token.json)
	local may='"use":["token"],"principals":["agent-*"],"scope":["org.demo.*"],"not_after":"2999-01-01T00:00:00Z"'
	limited "$may"
	"${verify[@]}"
	limited "${may/token/bundle}"
	fails_with 1 'key "k-1" may not sign a token' "${verify[@]}"
	limited "${may/agent-/agent-8}"
	fails_with 1 'key "k-1" may not sign for "agent-7"' "${verify[@]}"
	# of two entries one is beyond it: the whole token is
	limited "${may/org.demo.\*/org.demo.search}"
	fails_with 1 'may not sign for the scope "org.demo.more.*"' \
		"${verify[@]}"
	limited "${may/2999/1999}"
	fails_with 1 'counts no more: it ended at 1999' "${verify[@]}"
	limited '"uses":["token"]'
	fails_with 2 'ring.json:2:21: a key has no member "uses"' \
		"${verify[@]}"
}

@test "signed_at is never read: a key ends by the clock of who judges" {
	wv-token keygen --kid k-1 >free.json
	"${issue[@]}" --sign k-1 |
		sed 's/"signed_at":"[^"]*"/"signed_at":"1990-01-01T00:00:00Z"/' \
			>token.json
	use_other_state
	limited '"not_after":"1999-01-01T00:00:00Z"'
	fails_with 1 "counts no more" wv-token verify --keyring ring.json \
		token.json
	limited '"not_after":"2999-01-01T00:00:00Z"'
	wv-token verify --keyring ring.json token.json
}

# keygen_with NAME=VALUE…: on a fresh copy of base; its status
keygen_with() {
	rm -rf box
	cp -a base box
	env LD_PRELOAD="$shim" \
		ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" "$@" \
		wv-token keygen --kid k-2 --keyring box/ring.json
}

# The keyring is whole, with or without the key; and a second keygen makes
# the key, or says what to do.
is_explained() {
	local status=0
	grep -q '"kid":"k-1"' box/ring.json
	wv-token keygen --kid k-2 --keyring box/ring.json 2>err || status=$?
	[ $status != 0 ] || return 0
	if grep -q '"kid":"k-2"' box/ring.json; then
		told 'there is a key "k-2" already'
		wv-token issue --principal p --scope a --ttl 1h --sign k-2 >made
	else
		told 'there is a private key "k-2" already' "remove it"
		rm box/state/keys/k-2.pem
		wv-token keygen --kid k-2 --keyring box/ring.json
	fi
}

# The steps that make the key and the keyring are the last ones.
use_shim() {
	command -v "${CC:-cc}" >/dev/null || skip "no C compiler"
	shim="$PWD/shim.so"
	"${CC:-cc}" -D_GNU_SOURCE -shared -fPIC -O1 -o "$shim" \
		"$BATS_TEST_DIRNAME/fault/shim.c" -ldl
	mkdir base
	WV_STATE="$PWD/base/state" wv-token keygen --kid k-1 \
		--keyring base/ring.json
	export WV_STATE="$PWD/box/state"
	keygen_with WV_FAULT_DIR="$PWD/box" WV_FAULT_COUNT="$PWD/count"
	read -r steps _ <count
	[ "$steps" -ge 8 ]
	first=$((steps > 9 ? steps - 8 : 1))
	[ -z "$WV_LONG" ] || first=1
}

@test "keygen is killed at every step: the next one goes on, or explains" {
	use_shim
	local k status
	for ((k = first; k <= steps; k++)); do
		status=0
		keygen_with WV_FAULT_DIR="$PWD/box" WV_FAULT_KILL=$k ||
			status=$?
		[ $status = 137 ]
		is_explained
	done
	# the last step was its exit
	grep -q '"kid":"k-2"' box/ring.json
}

@test "keygen is killed, and what was not synced is lost: no half of a key" {
	use_shim
	local k=1 status=137
	while [ $status = 137 ]; do
		status=0
		keygen_with WV_FAULT_DIR="$WV_STATE/keys" WV_FAULT_KILL=$k \
			WV_FAULT_UNDO=1 || status=$?
		is_explained
		k=$((k + 1))
		[ $k -lt 20 ]
	done
	# file, bytes, two syncs, exit
	[ $k -ge 6 ]
}

@test "keygen fails at any step: nothing has changed" {
	use_shim
	local k status
	for ((k = first; k < steps; k++)); do
		status=0
		keygen_with WV_FAULT_DIR="$PWD/box" WV_FAULT_FAIL=$k \
			WV_FAULT_ONCE=1 || status=$?
		[ $status != 0 ] || continue
		[ $status = 2 ]
		[ ! -e box/state/keys/k-2.pem ]
		cmp base/ring.json box/ring.json
		[ "$(ls box)" = "$(ls base)" ]
	done
}

# review R1: whoever may sign for one principal used up the token of another
@test "what was issued here is no parent of what another's signer made" {
	wv-token init --test
	wv-token init --test --state signer
	wv-token keygen --state signer --kid k >ring.json
	once=(issue --scope org.demo.search --single-use --issuer us
		--now 2026-01-01T00:00:00Z)
	# one id, in either state
	WV_IDS=seq:1 wv-token "${once[@]}" --principal alice >alice.json
	WV_IDS=seq:1 wv-token "${once[@]}" --principal bob --state signer \
		>bob.json
	WV_IDS=seq:9 wv-token narrow --state signer --sign k \
		--now 2026-01-01T00:00:01Z bob.json >child.json
	[ "$(jq -r .token_id alice.json)" = \
		"$(jq -r '.metadata.x_wv_parent[0].token_id' child.json)" ]
	now=(--now 2026-01-01T00:00:02Z)
	run -1 wv-token show "${now[@]}" --keyring ring.json child.json
	[[ $output == *token_untrusted*"issued here for another"* ]]
	wv-token init --test --state third
	wv-token verify "${now[@]}" --state third --keyring ring.json child.json
}

# review R1: it was forgotten when the one that was issued here had ended
@test "revoked whoever issued it: for as long as another's token of that id lasts" {
	wv-token init --test
	wv-token init --test --state signer
	wv-token keygen --state signer --kid k >ring.json
	made=(issue --principal p --scope a.b)
	first=(--now 2026-01-01T00:00:00Z)
	WV_IDS=seq:1 wv-token "${made[@]}" "${first[@]}" --ttl 1m >token.json
	WV_IDS=seq:1 wv-token "${made[@]}" "${first[@]}" --ttl 60d --issuer corp \
		--state signer --sign k >other.json
	wv-token revoke --now 2026-01-01T00:00:10Z \
		"$(jq -r .token_id token.json)"
	# what ended is pruned with the changes of others
	for day in 03 04; do
		wv-token "${made[@]}" --ttl 9d --now 2026-01-${day}T00:00:00Z \
			>/dev/null
	done
	run -1 wv-token show --now 2026-01-05T00:00:00Z --keyring ring.json \
		other.json
	[[ $output == *token_revoked* ]]
}
