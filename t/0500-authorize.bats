#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-authorize: every check, every code, and that nothing passes by accident.

load lib

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	policy 'x' <<-'END'
		- {name: readers, effect: allow, match: {capability: ["org.demo.*"]}}
		- {name: no deletion, effect: deny, match: {capability: ["org.demo.delete*"]}}
	END
}

# policy NAME: a policy file of these rules
policy() {
	{
		printf 'version: 1\ndefault: deny\nrules:\n'
		sed 's/^/  /'
	} >"$1.yaml"
}

# routed CAPABILITY [ARGUMENTS [MORE]]: a RoutingDecision that selects it
routed() {
	printf '{"id":"rd-1","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d","capability_id":"%s"}]}],"selected_item_id":"i","selected_card_id":"c","timestamp":"2026-01-01T00:00:00Z","metadata":{"x_wv_arguments":%s%s}}\n' \
		"$1" "${2-{\}}" "${3-}"
}

issue() {
	wv-token issue --principal agent-1 "$@"
}

# a token that nobody issued
foreign() {
	printf '{"token_id":"tok-x","principal":"agent-1","scope":["org.demo.*"],"issued_at":"2026-01-01T00:00:00Z"%s}\n' \
		"${1-,\"expires_at\":\"2099-01-01T00:00:00Z\"}"
}

# decides STATUS CODE [OPTION…] <RECORDS: all of them get this code
decides() {
	local want=$1 code=$2
	shift 2
	run "-$want" --separate-stderr timeout 20 \
		wv-authorize -p x.yaml -k token.json "$@" 3>&-
	[ -n "$output" ]
	while read -r line; do
		[[ $line == *"\"x_wv_code\":\"$code\""* ]] ||
			{ echo "want $code: $line"; return 1; }
	done <<<"$output"
}

# refute COMMAND…: a `!` in the middle of a test would never fail it
refute() {
	if "$@"; then
		echo "should have failed: $*"
		return 1
	fi
}

events() {
	grep -c "\"event_type\":\"$1\"" "$WV_STATE/audit.jsonl" || true
}

@test "an allow: status 0, the whole record, and its event (cases D1)" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	routed org.demo.read '{"n":9223372036854775993,"x":1.10}' >in.jsonl
	wv-authorize -p x.yaml -k token.json in.jsonl >out.jsonl
	jq -e 'keys_unsorted == ["decision_id","decision","capability_id",
		"principal","token_id","reason","timestamp","metadata"]' out.jsonl
	jq -e '.metadata | keys_unsorted == ["x_wv_code","x_wv_rule",
		"x_wv_invocation","x_wv_valid_until","x_wv_policy_sha256",
		"x_wv_trust","telemetry"]' out.jsonl
	jq -e '.decision == "allow" and .metadata.x_wv_code == "allowed"
		and .metadata.x_wv_rule == "readers"
		and .metadata.x_wv_trust == "issued"
		and .principal == "agent-1"' out.jsonl
	grep -q '"routing_decision_id":"rd-1","item_id":"i","arguments":{"n":9223372036854775993,"x":1.10},"arguments_sha256":"' out.jsonl
	[ "$(jq -r .metadata.x_wv_policy_sha256 out.jsonl)" = \
		"$(sha256sum x.yaml | cut -d' ' -f1)" ]
	wv-validate -t policy_decision --check out.jsonl
	[ "$(events capability_authorized)" = 1 ]
	grep '"event_type":"capability_authorized"' "$WV_STATE/audit.jsonl" |
		grep -F "\"decision_id\":\"$(jq -r .decision_id out.jsonl)\"" |
		grep -F '"x_wv_routing_decision_id":"rd-1"' |
		grep -qF '"names":["n","x"]'
	refute grep -q 9223372036854775993 "$WV_STATE/audit.jsonl"
}

@test "a deny rule, no rule, and a failed token check differ (cases D3)" {
	issue --scope 'org.*' --ttl 1h >token.json
	decides 1 policy_deny < <(routed org.demo.delete_all)
	[[ $output == *'"decision":"deny"'* ]]
	[[ $output == *'"x_wv_rule":"no deletion"'* ]]
	[[ $output == *'"reason":"rule \"no deletion\" denies it"'* ]]
	decides 1 no_matching_rule < <(routed org.other.read)
	[[ $output != *x_wv_rule* ]]
	decides 1 scope_mismatch < <(routed com.demo.read)
	[ "$(events capability_denied)" = 3 ]
	[ "$(events capability_authorized)" = 0 ]
}

@test "the order of rules never matters" {
	issue --scope 'org.*' --ttl 1h >token.json
	{ sed -n 1,3p x.yaml; sed -n '4,$p' x.yaml | tac; } >y.yaml
	refute cmp -s x.yaml y.yaml
	for p in x y; do
		{
			routed org.demo.read
			routed org.demo.delete_it
		} | wv-authorize -p $p.yaml -k token.json >$p.out || [ $? = 1 ]
		jq -c '[.decision, .metadata.x_wv_code, .metadata.x_wv_rule]' \
			$p.out >$p.short
	done
	cmp x.short y.short
}

@test "policy: missing, a directory, empty, truncated, unreadable are 2 (cases D19)" {
	issue --scope 'org.*' --ttl 1h >token.json
	routed org.demo.read >in.jsonl
	mkdir folder
	: >empty.yaml
	head -c 70 x.yaml >truncated.yaml
	printf '\xff\xfe' >bytes.yaml
	for p in missing.yaml folder empty.yaml truncated.yaml bytes.yaml; do
		fails_with 2 "$p" wv-authorize -p $p -k token.json in.jsonl
		[ -z "$output" ]
	done
	[ "$(events capability_authorized)" = 0 ]
	[ "$(events capability_denied)" = 0 ]
}

@test "policy: what it does not know, it refuses whole (cases D15, D17)" {
	issue --scope 'org.*' --ttl 1h >token.json
	routed org.demo.read >in.jsonl
	bad() {
		policy bad
		fails_with 2 "bad.yaml:$1" \
			wv-authorize -p bad.yaml -k token.json in.jsonl
		[ -z "$output" ]
	}
	bad 4 <<<'- {effect: allow, match: {capability: [a], toolname: [b]}}'
	bad 4 <<<'- {effect: allow, match: {capability: [a]}, commandPrefixx: x}'
	bad 4 <<<'- {effect: allow, match: {capability: [a]}, match: {capability: [b]}}'
	bad 4 <<<'- {effect: permit, match: {capability: [a]}}'
	bad 4 <<<'- {effect: allow}'
	bad 4 <<<'- {effect: allow, match: {principal: [a]}}'
	bad 4 <<<'- {effect: allow, match: {capability: []}}'
	bad 4 <<<'- {effect: allow, match: {capability: [a], roles: []}}'
	bad 4 <<<'- {effect: allow, match: {capability: [a]}, require: {signed: false}}'
	bad 4 <<<'- {effect: allow, match: {capability: [a]}, limit: {count: 0, per: 1s}}'
	bad 4 <<<'- {effect: allow, match: {capability: [a]}, limit: {count: 1, per: 0s}}'
	bad 4 <<<'- {effect: allow, match: {capability: [a]}, limit: {count: 1, per: soon}}'
	bad 4 <<<'- {effect: allow, match: {capability: [a], arguments: {type: Integer}}}'
	bad 4 <<<'- {effect: allow, match: {capability: [a], paths: {file: ["/x"]}}}'
	bad 4 <<<'- {effect: deny, require: {justification: 3}}'
	bad 4 <<<'- {effect: deny, unless: {x_principal: [boss]}}'
	bad 4 <<<'- {effect: allow, match: {capability: [a]}, limit: {count: 1e30, per: 1s}}'
	bad '' <<-'END'
		- {name: same, effect: allow, match: {capability: [a]}}
		- {name: same, effect: allow, match: {capability: [b]}}
	END
	sed 's/default: deny/default: allow/' x.yaml >bad.yaml
	fails_with 2 bad.yaml:2 wv-authorize -p bad.yaml -k token.json in.jsonl
}

@test "globs are anchored, literal and keep to their segment (cases D5)" {
	matches() { # PATTERN CAPABILITY YES|NO
		policy x <<<"- {effect: allow, match: {capability: [\"$1\"]}}"
		if [ "$3" = yes ]; then
			decides 0 allowed --trust-unsigned < <(routed "$2")
		else
			decides 1 no_matching_rule --trust-unsigned < <(routed "$2")
		fi
	}
	printf '{"token_id":"t","principal":"agent-1","scope":["o.*"],"issued_at":"2026-01-01T00:00:00Z","expires_at":"2099-01-01T00:00:00Z"}' >token.json
	matches 'o.trusted-*' o.trusted-x yes
	matches 'o.trusted-*' o.un-trusted-x no
	matches 'o.a*b' o.ab yes
	matches 'o.a*b' o.aXb yes
	matches 'o.a*b' o.a no
	matches 'o.*' o.a.b no
	matches 'o.**' o.a.b yes
	matches 'o.a+' o.aa no
	matches 'o.a+' o.a+ yes
	matches '*.a' o.a yes
	matches 'O.a' o.a no
	matches '**' o.a yes
}

@test "a capability id with anything odd in it is nobody's (cases D5)" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	policy x <<<'- {effect: allow, match: {capability: ["**"]}}'
	for id in 'org.demo.a\n' 'org.demo.[x' 'org..a' '.org' 'org.demo.r\u0435ad' \
		'org.demo.a b' 'org.demo.a\u0000'; do
		decides 1 unknown_capability < <(routed "$id")
		[[ $output == *'"capability_id":"wv.none"'* ]]
	done
}

@test "token file: unreadable or not JSON is 2" {
	routed org.demo.read >in.jsonl
	mkdir folder
	printf '{"token_id":' >cut.json
	printf 'secret' >text.json
	for k in missing.json folder cut.json text.json; do
		fails_with 2 "$k" wv-authorize -p x.yaml -k $k in.jsonl
		[ -z "$output" ]
	done
	fails_with 2 'no token' wv-authorize -p x.yaml in.jsonl
	fails_with 2 'no policy' wv-authorize -k in.jsonl in.jsonl
	fails_with 2 'standard input' wv-authorize -p x.yaml -k - in.jsonl
}

@test "token_missing" {
	: >token.json
	decides 1 token_missing < <(routed org.demo.read)
	[[ $output == *'"principal":"wv.unauthenticated"'* ]]
	[[ $output != *'"token_id"'* ]]
	printf '[]' >token.json
	decides 1 token_missing < <(routed org.demo.read)
	[ "$(events capability_denied)" = 2 ]
}

@test "token_malformed: no scope, no end (cases D13)" {
	malformed() {
		cat >token.json
		decides 1 token_malformed --trust-unsigned < <(routed org.demo.read)
		[[ $output == *'"principal":"wv.unauthenticated"'* ]]
		[[ $output != *'"token_id"'* ]]
	}
	foreign '' | malformed
	foreign ',"expires_at":null' | malformed
	foreign ',"expires_at":null,"single_use":false' | malformed
	foreign ',"single_use":"true"' | malformed
	foreign ',"expires_at":"2099-01-01"' | malformed
	foreign | sed 's/\["org.demo.\*"\]/[]/' | malformed
	foreign | sed 's/org.demo.\*/*/' | malformed
	foreign | sed 's/org.demo.\*/org.d*/' | malformed
	foreign | sed 's/agent-1/wv.unauthenticated/' | malformed
	foreign | sed 's/agent-1/agent 1/' | malformed
	foreign | sed 's/"tok-x"/"tok x"/' | malformed
	foreign ',"single_use":true,"metadata":{"x_wv_arguments_sha256":"abc"}' | malformed
	foreign ',"single_use":true,"metadata":{"x_wv_not_before":5}' | malformed
	echo '"tok-x"' | malformed
	echo null | malformed
}

@test "token_untrusted: not issued here, or not this one" {
	issue --scope org.demo.read --ttl 1h >mine.json
	foreign >token.json
	decides 1 token_untrusted < <(routed org.demo.read)
	[[ $output == *'"principal":"wv.unauthenticated"'* ]]
	[[ $output != *'"token_id"'* ]]
	# an id that stands in a log is no credential: not even unsigned
	sed 's/org.demo.read/org.demo.*/' mine.json >token.json
	decides 1 token_untrusted < <(routed org.demo.read)
	decides 1 token_untrusted --trust-unsigned < <(routed org.demo.read)
	# layout is not part of a token, content is
	jq . mine.json >token.json
	decides 0 allowed < <(routed org.demo.read)
	cp mine.json token.json
	WV_STATE=$BATS_TEST_TMPDIR/other decides 1 token_untrusted < <(routed org.demo.read)
}

@test "signed tokens: a key of the keyring, that may; else which code" {
	wv-token keygen --kid ed --keyring ring.json
	wv-token keygen --kid es --alg es256 --keyring ring.json
	wv-token keygen --kid other --keyring other.json
	routed org.demo.read >in.jsonl
	for kid in ed es; do
		issue --scope 'org.demo.*' --ttl 1h --sign $kid >token.json
		decides 0 allowed --keyring ring.json --require-signed in.jsonl
		[[ $output == *'"x_wv_trust":"signed"'* ]]
		WV_KEYRING=ring.json decides 0 allowed --require-signed in.jsonl
		[[ $output == *'"x_wv_trust":"signed"'* ]]
		# no key for it: it was issued here all the same
		decides 0 allowed --keyring other.json in.jsonl
		[[ $output == *'"x_wv_trust":"issued"'* ]]
		decides 1 signature_required --keyring other.json --require-signed in.jsonl
		[[ $output == *'"principal":"wv.unauthenticated"'* ]]
	done
	# another state did not issue it, and believes the key
	(
		WV_STATE=$BATS_TEST_TMPDIR/state2
		decides 0 allowed --keyring ring.json in.jsonl
		decides 1 token_untrusted --keyring other.json in.jsonl
		decides 1 token_untrusted in.jsonl
	)
	issue --scope 'org.demo.*' --ttl 1h >token.json
	decides 0 allowed --keyring ring.json in.jsonl
	decides 1 signature_required --keyring ring.json --require-signed in.jsonl
	# keys with limits
	limited() {
		jq -c ".keys |= map(. + $1)" ring.json >limited.json
		issue --scope 'org.demo.*' --ttl 1h --sign ed >token.json
		decides 1 signature_required --keyring limited.json --require-signed in.jsonl
	}
	limited '{use: ["bundle"]}'
	limited '{principals: ["boss-*"]}'
	limited '{scope: ["org.demo.read"]}'
	limited '{not_after: "2020-01-01T00:00:00Z"}'
	# a revoked key
	decides 0 allowed --keyring ring.json --require-signed in.jsonl
	wv-token revoke --kid ed
	decides 1 token_revoked --keyring ring.json --require-signed in.jsonl
}

@test "an altered token: each member, issued, signed, and signed elsewhere" {
	wv-token keygen --kid k --keyring ring.json
	routed org.demo.read >in.jsonl
	issue --scope 'org.demo.*' --ttl 1h --roles clerk >issued.json
	issue --scope 'org.demo.*' --ttl 1h --roles clerk --sign k \
		--metadata '{"attributes":{"a":"b"}}' >signed.json
	changes=('.principal = "agent-2"' '.scope += ["org.x"]'
		'.expires_at = "2099-01-01T00:00:00Z"' 'del(.expires_at) | .single_use = true'
		'.issued_at = "2020-01-01T00:00:00Z"' '.single_use = false'
		'.issuer = "me"' '.metadata.roles = ["admin"]' 'del(.metadata.roles)'
		'.metadata.x_wv_nonce = "0"' 'del(.metadata.x_wv_nonce)'
		'.metadata.x_wv_not_before = "2020-01-01T00:00:00Z"'
		".metadata.x_wv_arguments_sha256 = \"$(printf '%064d' 0)\""
		'.metadata.x_wv_parent = [{token_id: "tok-1", issued_at: "2020-01-01T00:00:00Z"}]'
		'.metadata.attributes = {a: "c"}' '.metadata.more = 1' '.more = 1')
	all=$(printf '(%s),' "${changes[@]}")
	{
		jq -c "${all%,}" issued.json
		jq -c "$all(.token_id = \"tok-new\")" signed.json
	} >token.json
	[ "$(sort -u token.json | wc -l)" = 35 ]
	codes() { # what each of the tokens is told, in order
		run -1 --separate-stderr wv-authorize -p x.yaml -k token.json \
			--keyring ring.json --explain in.jsonl
		[[ $output == *'"principal":"wv.unauthenticated"'* ]]
		[[ $output != *'"token_id"'* ]]
		sed -n 's/.*: token tok-[^ ]*: trust: no: \([a-z_]*\): .*/\1/p' <<<"$stderr" >codes
		[ "$(wc -l <codes)" = 35 ]
	}
	# ids that are known are untrusted, whatever else is wrong with them
	codes
	[ "$(uniq -c codes | xargs)" = '34 token_untrusted 1 token_signature_invalid' ]
	# where it was not issued, the signature tells
	export WV_STATE=$BATS_TEST_TMPDIR/state2
	codes
	[ "$(uniq -c codes | xargs)" = '17 token_untrusted 18 token_signature_invalid' ]
	cp signed.json token.json
	decides 0 allowed --keyring ring.json in.jsonl
	# and its own members
	for change in '.sig |= ((if .[:1] == "A" then "B" else "A" end) + .[1:])' \
		'.alg = "es256"' 'del(.sig)'; do
		jq -c ".x_weaver_signature |= ($change)" signed.json >token.json
		decides 1 token_signature_invalid --keyring ring.json in.jsonl
	done
	jq -c '.x_weaver_signature.kid = "other"' signed.json >token.json
	decides 1 token_untrusted --keyring ring.json in.jsonl
}

@test "--require-signed needs a keyring, and no --trust-unsigned beside it" {
	foreign >token.json
	routed org.demo.read >in.jsonl
	fails_with 2 'needs a keyring' wv-authorize -p x.yaml -k token.json --require-signed in.jsonl
	fails_with 2 'exclude each other' wv-authorize -p x.yaml -k token.json \
		--require-signed --trust-unsigned --keyring ring.json in.jsonl
	echo '{}' >ring.json
	fails_with 2 ring.json wv-authorize -p x.yaml -k token.json --keyring ring.json in.jsonl
	fails_with 2 missing.json wv-authorize -p x.yaml -k token.json --keyring missing.json in.jsonl
	[ ! -e "$WV_STATE" ]
}

@test "the roles and attributes of an unsigned token do not count" {
	policy x <<-'END'
		- {effect: allow, match: {capability: [org.demo.read]}}
		- {effect: allow, match: {capability: [org.demo.admin], roles: [admin]}}
		- {effect: deny, match: {capability: [org.demo.read], roles: [guest]}}
	END
	foreign ',"expires_at":"2099-01-01T00:00:00Z","metadata":{"roles":["admin"]}' >token.json
	decides 1 indeterminate --trust-unsigned < <(routed org.demo.admin)
	# nor does their lack
	decides 1 indeterminate --trust-unsigned < <(routed org.demo.read)
	issue --scope 'org.demo.*' --ttl 1h --roles admin >token.json
	decides 0 allowed < <(routed org.demo.admin; routed org.demo.read)
	# a child of nobody's token is nobody's
	foreign ',"expires_at":"2099-01-01T00:00:00Z","metadata":{"x_wv_parent":[{"token_id":"t","issued_at":"2026-01-01T00:00:00Z"}]}' >token.json
	decides 1 token_untrusted --trust-unsigned < <(routed org.demo.read)
}

@test "narrowed tokens: one use is the root's, a revoked parent revokes (kernel-cases A15)" {
	issue --scope 'org.demo.*' --single-use >root.json
	wv-token narrow --scope org.demo.read <root.json >token.json
	decides 1 scope_mismatch < <(routed org.demo.write)
	decides 0 allowed < <(routed org.demo.read)
	grep '"event_type":"token_invalidated"' "$WV_STATE/audit.jsonl" |
		grep -qF "\"x_wv_token_id\":\"$(jq -r .token_id root.json)\""
	decides 1 token_spent < <(routed org.demo.read)
	cp root.json token.json
	decides 1 token_spent < <(routed org.demo.read)
	issue --scope 'org.demo.*' --ttl 1h >root.json
	wv-token narrow --scope org.demo.read <root.json >token.json
	decides 0 allowed < <(routed org.demo.read)
	wv-token revoke "$(jq -r .token_id root.json)"
	decides 1 token_revoked < <(routed org.demo.read)
}

@test "--trust-unsigned says so in the decision" {
	foreign >token.json
	decides 0 allowed --trust-unsigned < <(routed org.demo.read)
	[[ $output == *'"x_wv_trust":"unsigned"'* ]]
	[[ $output == *'"token_id":"tok-x"'* ]]
	foreign ',"single_use":true' >token.json
	decides 0 allowed --trust-unsigned < <(routed org.demo.read)
	decides 1 token_spent --trust-unsigned < <(routed org.demo.read)
}

@test "token_expired at its very end, token_not_yet_valid before (cases D11)" {
	wv-token init --test --now 2026-01-01T00:00:00Z
	foreign ',"expires_at":"2026-01-01T01:00:00Z"' >token.json
	routed org.demo.read >in.jsonl
	at() {
		local now=$1
		shift
		decides "$@" --trust-unsigned --now "$now" --dry-run in.jsonl
	}
	at 2026-01-01T00:59:59.999999999Z 0 allowed
	at 2026-01-01T01:00:00Z 1 token_expired
	at 2026-01-01T02:00:00+01:00 1 token_expired
	[[ $output == *'"principal":"agent-1"'* ]]
	# the leeway counts once, at both ends
	at 2026-01-01T01:00:29.999Z 0 allowed --leeway 30s
	at 2026-01-01T01:00:30Z 1 token_expired --leeway 30s
	foreign ',"single_use":true,"metadata":{"x_wv_not_before":"2026-01-01T01:00:00Z"}' >token.json
	at 2026-01-01T00:59:59.999999999Z 1 token_not_yet_valid
	at 2026-01-01T01:00:00Z 0 allowed
	at 2026-01-01T00:59:30Z 0 allowed --leeway 30s
	at 2026-01-01T00:59:29.999Z 1 token_not_yet_valid --leeway 30s
	# issued in the future
	foreign | sed 's/2026-01-01/2027-01-01/' >token.json
	at 2026-06-01T00:00:00Z 1 token_not_yet_valid
	fails_with 2 'at most 10m' wv-authorize -p x.yaml -k token.json --leeway 365d in.jsonl
	fails_with 2 leeway wv-authorize -p x.yaml -k token.json --leeway=-1s in.jsonl
}

@test "a decision made with leeway can still be executed" {
	wv-token init --test --now 2026-01-01T00:00:00Z
	issue --scope 'org.demo.*' --ttl 1h --now 2026-01-01T00:00:00Z >token.json
	routed org.demo.read | wv-authorize -p x.yaml -k token.json \
		--now 2026-01-01T01:00:05Z --leeway 30s >out.jsonl
	jq -e '.metadata.x_wv_valid_until == "2026-01-01T01:00:30.000Z"' out.jsonl
	wv-call --now 2026-01-01T01:00:10Z out.jsonl -- true
}

@test "the kernel's time does not go back" {
	wv-token init --test --now 2026-01-01T00:00:00Z
	issue --scope 'org.demo.*' --ttl 1h --now 2026-01-01T00:00:00Z >token.json
	routed org.demo.read >in.jsonl
	decides 1 token_expired --now 2026-01-01T01:00:00Z in.jsonl
	decides 1 token_expired --now 2026-01-01T00:30:00Z in.jsonl
	[[ $output == *'"timestamp":"2026-01-01T01:00:00.000Z"'* ]]
}

@test "principal_mismatch, --principal and WV_PRINCIPAL" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	decides 1 principal_mismatch --principal agent-2 < <(routed org.demo.read)
	[[ $output == *'"principal":"agent-2"'* ]]
	decides 0 allowed --principal agent-1 < <(routed org.demo.read)
	WV_PRINCIPAL=agent-2 decides 1 principal_mismatch < <(routed org.demo.read)
	WV_PRINCIPAL=agent-2 decides 0 allowed --principal agent-1 < <(routed org.demo.read)
	fails_with 2 '--principal' wv-authorize -p x.yaml -k token.json \
		--principal 'a b' </dev/null
	fails_with 2 '--principal' wv-authorize -p x.yaml -k token.json \
		--principal wv.unauthenticated </dev/null
	# before a token is verified nobody is named
	foreign >token.json
	decides 1 token_untrusted --principal agent-1 < <(routed org.demo.read)
	[[ $output == *'"principal":"wv.unauthenticated"'* ]]
}

@test "scope: exact ids, or a whole last segment" {
	policy x <<<'- {effect: allow, match: {capability: ["**"]}}'
	issue --scope org.demo.read --scope 'org.files.*' --ttl 1h >token.json
	for id in org.demo.read org.files.a org.files.a.b; do
		decides 0 allowed < <(routed $id)
	done
	for id in org.demo.reader org.demo.read.all org.files org.filesx.a ORG.demo.read; do
		decides 1 scope_mismatch < <(routed $id)
	done
}

@test "arguments_not_bound: the last of 19 digits counts" {
	routed org.demo.read '{"n":9223372036854775993}' >in.jsonl
	issue --scope org.demo.read --ttl 1h >token.json
	wv-authorize -p x.yaml -k token.json --dry-run in.jsonl >out.jsonl
	digest=$(jq -r .metadata.x_wv_invocation.arguments_sha256 out.jsonl)
	issue --scope org.demo.read --ttl 1h --arguments-sha256 "$digest" >token.json
	decides 0 allowed in.jsonl
	decides 0 allowed < <(routed org.demo.read '{ "n" : 9223372036854775993.0 }')
	decides 1 arguments_not_bound < <(routed org.demo.read '{"n":9223372036854775992}')
	decides 1 arguments_not_bound < <(routed org.demo.read '{}')
	# absent arguments are {}
	[ "$(printf '{}' | sha256sum | cut -d' ' -f1)" = "$(jq -r \
		.metadata.x_wv_invocation.arguments_sha256 <<<"$output")" ]
	routed org.demo.read | sed 's/,"metadata":.*/}/' >bare.jsonl
	issue --scope org.demo.read --ttl 1h >token.json
	decides 0 allowed bare.jsonl
	[[ $output == *'"arguments":{},'* ]]
}

@test "token_spent: one use is one use, and a denial is none" {
	issue --scope 'org.demo.*' --single-use >token.json
	decides 1 policy_deny < <(routed org.demo.delete_it)
	decides 1 scope_mismatch < <(routed org.x)
	decides 0 allowed < <(routed org.demo.read)
	decides 1 token_spent < <(routed org.demo.read)
	[[ $output != *x_wv_rule* ]]
	[ "$(events token_invalidated)" = 1 ]
	# within one group too
	issue --scope 'org.demo.*' --single-use >token.json
	for i in 1 2 3; do routed org.demo.read; done |
		wv-authorize -p x.yaml -k token.json >out.jsonl || [ $? = 1 ]
	[ "$(jq -r .metadata.x_wv_code out.jsonl | xargs)" = \
		'allowed token_spent token_spent' ]
}

@test "spent is spent: two processes, a crash after the claim (cases D9)" {
	issue --scope 'org.demo.*' --single-use >token.json
	routed org.demo.read >in.jsonl
	for i in 1 2 3 4 5; do
		wv-authorize -p x.yaml -k token.json in.jsonl >out$i 3>&- &
	done
	wait
	[ "$(grep -l '"x_wv_code":"allowed"' out? | wc -l)" = 1 ]
	[ "$(grep -l '"x_wv_code":"token_spent"' out? | wc -l)" = 4 ]
	# nobody has read the answer
	issue --scope 'org.demo.*' --single-use >token.json
	run bash -c 'wv-authorize -p x.yaml -k token.json in.jsonl >/dev/full'
	decides 1 token_spent in.jsonl
}

@test "several tokens: the first that passes, else who got furthest" {
	issue --scope org.demo.read --single-use >one.json
	issue --scope 'org.demo.*' --ttl 1h >two.json
	foreign >three.json
	jq -s . three.json one.json two.json >token.json
	decides 0 allowed < <(routed org.demo.read)
	[ "$(jq -r .token_id <<<"$output")" = "$(jq -r .token_id one.json)" ]
	# the first is spent now
	decides 0 allowed < <(routed org.demo.read)
	[ "$(jq -r .token_id <<<"$output")" = "$(jq -r .token_id two.json)" ]
	cat three.json one.json >token.json
	decides 1 token_spent < <(routed org.demo.read)
	decides 1 scope_mismatch < <(routed org.demo.write)
	cat one.json three.json >token.json
	decides 1 scope_mismatch < <(routed org.demo.write)
}

@test "a revocation between two records denies the second (cases D23)" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	mkfifo in out
	timeout 20 wv-authorize -p x.yaml -k token.json <in >out 3>&- &
	exec 8>in 9<out
	routed org.demo.read >&8
	read -r -t 10 first <&9
	[[ $first == *'"x_wv_code":"allowed"'* ]]
	wv-token revoke "$(jq -r .token_id token.json)" 8>&- 9<&-
	routed org.demo.read >&8
	read -r -t 10 second <&9
	[[ $second == *'"x_wv_code":"token_revoked"'* ]]
	touch "$WV_STATE/stop"
	routed org.demo.read >&8
	read -r -t 10 third <&9
	[[ $third == *'"x_wv_code":"stopped"'* ]]
	exec 8>&- 9<&-
	wait $! || [ $? = 1 ]
}

@test "stopped: every decision, whatever else it would be" {
	issue --scope 'org.demo.*' --single-use >token.json
	touch "$WV_STATE/stop"
	decides 1 stopped < <(
		routed org.demo.read
		routed org.demo.delete_it
		routed org.x
		routed org.demo.read | sed 's/"selected_item_id":"i"/"selected_item_id":null/'
	)
	rm "$WV_STATE/stop"
	decides 0 allowed < <(routed org.demo.read)
}

@test "stopped: also when it cannot be told" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	ln -s stop "$WV_STATE/stop"
	decides 1 stopped < <(routed org.demo.read)
	rm "$WV_STATE/stop"
	mkdir "$WV_STATE/stop"
	decides 1 stopped < <(routed org.demo.read)
}

@test "no_selection: null, absent, unknown, another card, twice, nothing (cases D21)" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	refused() {
		decides 1 no_selection
		[[ $output == *'"capability_id":"wv.none"'* ]]
		[[ $output == *'"principal":"agent-1"'* ]]
		[[ $output == *"$1"* ]]
	}
	routed org.demo.read >good.jsonl
	sed 's/"selected_item_id":"i"/"selected_item_id":null/' good.jsonl |
		refused 'no item is selected'
	sed 's/"selected_item_id":"i",//' good.jsonl |
		refused 'no item is selected'
	sed 's/"selected_item_id":"i"/"selected_item_id":"j"/' good.jsonl |
		refused 'stands on no card'
	sed 's/"selected_card_id":"c"/"selected_card_id":"d"/' good.jsonl |
		refused 'selected card'
	jq -c '.choice_cards += [.choice_cards[0] | .id = "d"]' good.jsonl |
		refused 'more than one'
	jq -c '.choice_cards[0].items += [.choice_cards[0].items[0]]' good.jsonl |
		refused 'more than one'
	jq -c 'del(.choice_cards[0].items[0].capability_id)' good.jsonl |
		refused 'no capability'
}

@test "no match gets no decision, a message and status 1" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	routed org.demo.read >good.jsonl
	jq -c 'del(.choice_cards[0].items[0].capability_id) |
		.choice_cards[0].items[0].id = "no-match" |
		.selected_item_id = "no-match"' good.jsonl >none.jsonl
	run -1 --separate-stderr wv-authorize -p x.yaml -k token.json none.jsonl
	[ -z "$output" ]
	[[ $stderr == *'none.jsonl:1: nothing matched'* ]]
	[ "$(events capability_denied)" = 0 ]
	# the others are answered all the same
	cat good.jsonl none.jsonl good.jsonl >three.jsonl
	run -1 --separate-stderr wv-authorize -p x.yaml -k token.json three.jsonl
	[ "${#lines[@]}" = 2 ]
}

@test "unknown_capability with a catalogue, which also binds the descriptor" {
	cat >tools.yaml <<-'END'
		version: 1
		tools:
		  - {capability: org.demo.read, source: exec, command: [cat]}
	END
	issue --scope 'org.demo.*' --ttl 1h >token.json
	decides 1 unknown_capability -c tools.yaml < <(routed org.demo.write)
	[[ $output == *'"principal":"agent-1"'* ]]
	decides 0 allowed -c tools.yaml < <(routed org.demo.read)
	[[ $output =~ \"x_wv_tool_sha256\":\"[0-9a-f]{64}\" ]]
	WV_CATALOG=tools.yaml decides 1 unknown_capability < <(routed org.demo.write)
	fails_with 2 missing.yaml wv-authorize -p x.yaml -k token.json \
		-c missing.yaml </dev/null
	echo 'version: 1' >half.yaml
	fails_with 2 half.yaml wv-authorize -p x.yaml -k token.json \
		-c half.yaml </dev/null
}

@test "arguments_invalid: what a rule's schema does not let pass" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	policy x <<-'END'
		- name: short patterns
		  effect: allow
		  match:
		    capability: [org.demo.read]
		    arguments: {type: object, required: [pattern], properties: {pattern: {type: string, maxLength: 4}}, additionalProperties: false}
	END
	decides 0 allowed < <(routed org.demo.read '{"pattern":"abcd"}')
	decides 1 arguments_invalid < <(
		routed org.demo.read '{"pattern":"hunter2"}'
		routed org.demo.read '{"pattern":"abcd","x":1}'
		routed org.demo.read '{}'
	)
	[[ $output == *'"x_wv_rule":"short patterns"'* ]]
	# a value is repeated to who sent it, not in the reason, not in the log
	[[ $(jq -r .reason <<<"$output") != *hunter2* ]]
	refute grep -q hunter2 "$WV_STATE/audit.jsonl"
	decides 1 arguments_invalid < <(
		routed org.demo.read '[1]'
		routed org.demo.read '"x"'
		routed org.demo.read 'null'
		routed org.demo.read '{}' ',"x_wv_timeout_ms":0'
		routed org.demo.read '{}' ',"x_wv_timeout_ms":"5s"'
		routed org.demo.read '{}' ',"x_wv_timeout_ms":1.5'
	)
	decides 0 allowed < <(routed org.demo.read '{"pattern":"a"}' ',"x_wv_timeout_ms":1500')
	[[ $output == *'"timeout_ms":1500}'* ]]
	decides 1 no_matching_rule < <(routed org.demo.other '{"pattern":"a"}')
}

@test "arguments_invalid: two members that are one but for case, at any depth" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	decides 1 arguments_invalid < <(
		routed org.demo.read '{"path":"/a","Path":"/etc/passwd"}'
		routed org.demo.read '{"a":{"b":[1,{"id":1,"x":2,"ID":3}]}}'
		routed org.demo.read "{$(printf '"k%s":0,' {1..3000})\"K1500\":1}"
	)
	[[ $output == *'"principal":"agent-1"'* ]]
	decides 0 allowed < <(
		routed org.demo.read '{"path":"/a","paths":"/A","x":{"path":1}}'
		routed org.demo.read '[]' | sed 's/\[\]/{"\u00e4":1,"\u00c4":2}/'
		routed org.demo.read "{$(printf '"k%s":0,' {1..3000})\"l\":1}"
	)
}

@test "justification_required: characters that can be seen (kernel-cases D37)" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	policy x <<-'END'
		- {name: say why, effect: allow, match: {capability: [org.demo.read]}, require: {justification: 5}}
	END
	because() {
		routed org.demo.read '{}' ",\"x_wv_justification\":$1"
	}
	decides 1 justification_required < <(
		routed org.demo.read
		because null
		because 12345
		because '["12345"]'
		because '""'
		because '"1234"'
		because '" \t\n1 2 3 4 "'
		because '"1234\u200b\u200b\u200b\u2060\ufeff"'
		because '"\u3000\u00a0\u2003\u2800\u00ad\u180e"'
		because '"\u0000\u0001\u0002\u0003\u0004\u0005"'
		because '"\ue000"'
	)
	[[ $output == *'"x_wv_rule":"say why"'* ]]
	decides 0 allowed < <(
		because '"12345"'
		because '"1 2 3 4 5"'
		because '"äöüßé"'
	)
}

@test "approval_required: a person approves exactly this call, once" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	policy x <<-'END'
		- {name: ask a person, effect: allow, match: {capability: [org.demo.send]}, require: {bound: true}}
	END
	routed org.demo.send '{"to":"x"}' >in.jsonl
	decides 1 approval_required in.jsonl
	command=$(sed -n 's/.*to approve it: //p' <<<"$stderr")
	[[ $command == 'wv-token issue --principal agent-1 --scope org.demo.send --single-use --ttl 15m --arguments-sha256 '* ]]
	# in any environment: the state is named
	env -u WV_STATE $command >token.json
	decides 1 arguments_not_bound < <(routed org.demo.send '{"to":"y"}')
	decides 0 allowed in.jsonl
	decides 1 token_spent in.jsonl
	# once only, but for whatever arguments: that is no approval
	issue --scope 'org.demo.*' --single-use >token.json
	decides 1 approval_required in.jsonl
	run -1 --separate-stderr wv-authorize -q -p x.yaml -k token.json in.jsonl
	[ -z "$stderr" ]
}

@test "approval_required: the command keeps roles and signature, and nothing breaks out" {
	policy x <<-'END'
		- {effect: allow, match: {capability: ["org.demo.*"], roles: [clerk], attributes: {note: ["**"]}}, require: {signed: true, bound: true}}
	END
	export WV_STATE="$BATS_TEST_TMPDIR/it's \$(touch broken) state"
	wv-token keygen --kid k.1 --keyring ring.json
	note='\u0027; touch broken; \u0027 $(touch broken) `touch broken`\n\ttouch broken\u202e \"\\'
	issue --scope 'org.demo.*' --ttl 1h --sign k.1 --roles clerk --roles 'a@b' \
		--metadata "{\"attributes\":{\"note\":\"$note\",\"it's\":\"x\"}}" >token.json
	routed org.demo.send '{"to":"\u0027; touch broken; \u0027"}' >in.jsonl
	decides 1 approval_required --keyring ring.json in.jsonl
	[ "$(grep -c 'to approve it' <<<"$stderr")" = 1 ]
	[[ $stderr != *$'\u202e'* ]]
	command=$(sed -n 's/.*to approve it: //p' <<<"$stderr")
	[[ $command == *' --roles clerk --roles a@b --metadata '* ]]
	[[ $command == *' --sign k.1 --state '* ]]
	eval "set -- ${command#wv-token }"
	[ ! -e broken ]
	[ "$1" = issue ]
	[ "${*: -1}" = "$WV_STATE" ]
	# what can be seen comes back exactly
	issue --scope 'org.demo.*' --ttl 1h --sign k.1 --roles clerk \
		--metadata "{\"attributes\":{\"note\":\"it's \\\"\$(touch broken)\\\" \\\\ \"}}" >token.json
	decides 1 approval_required --keyring ring.json in.jsonl
	command=$(sed -n 's/.*to approve it: //p' <<<"$stderr")
	eval "$command" >approval.json
	[ ! -e broken ]
	cmp <(jq -S .metadata.attributes token.json) <(jq -S .metadata.attributes approval.json)
	cp approval.json token.json
	decides 0 allowed --keyring ring.json in.jsonl
	# half a command would be none
	long=$(printf 'x%.0s' {1..4000})
	issue --scope 'org.demo.*' --ttl 1h --sign k.1 --roles clerk \
		--metadata "{\"attributes\":{\"note\":\"$long\"}}" >token.json
	decides 1 approval_required --keyring ring.json in.jsonl
	[[ $stderr == *'too long to show'* ]]
	[[ $stderr != *xxxx* ]]
}

@test "rate_limited: a window that slides, in the store" {
	wv-token init --test --now 2026-01-01T00:00:00Z
	issue --scope 'org.demo.*' --ttl 1h --now 2026-01-01T00:00:00Z >token.json
	policy x <<-'END'
		- {name: slowly, effect: allow, match: {capability: ["org.demo.*"]}, limit: {count: 2, per: 60s, by: [principal, capability]}}
		- {effect: deny, match: {capability: [org.demo.delete]}}
	END
	at() {
		local now=2026-01-01T00:$1Z
		shift
		decides "$1" "$2" --now "$now" < <(routed "$3")
	}
	at 00:00 0 allowed org.demo.a
	at 00:30 0 allowed org.demo.a
	at 00:31 1 rate_limited org.demo.a
	[[ $output == *'"x_wv_rule":"slowly"'* ]]
	at 00:31 0 allowed org.demo.b
	at 00:59.999 1 rate_limited org.demo.a
	# denied ones did not count, and the first has left the window
	at 01:00 0 allowed org.demo.a
	at 01:01 1 rate_limited org.demo.a
	at 01:30 0 allowed org.demo.a
	# within a group
	for i in 1 2 3; do routed org.demo.c; done |
		wv-authorize -p x.yaml -k token.json \
			--now 2026-01-01T00:02:00Z >out.jsonl || [ $? = 1 ]
	[ "$(jq -r .metadata.x_wv_code out.jsonl | xargs)" = \
		'allowed allowed rate_limited' ]
}

@test "rate_limited: one window for all without by, none used up by half" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	policy x <<-'END'
		- {name: a, effect: allow, match: {capability: ["org.demo.*"]}, limit: {count: 2, per: 1h}}
		- {name: b, effect: allow, match: {capability: ["org.demo.x"]}, limit: {count: 1, per: 1h}}
	END
	decides 0 allowed < <(routed org.demo.x)
	# b is full: a must not count these
	decides 1 rate_limited < <(routed org.demo.x; routed org.demo.x)
	decides 0 allowed < <(routed org.demo.y)
	decides 1 rate_limited < <(routed org.demo.z)
	# nor does a spent token take from a window, nor a full window spend one
	policy x <<-'END'
		- {name: c, effect: allow, match: {capability: ["org.demo.*"]}, limit: {count: 1, per: 1h}}
	END
	issue --scope 'org.demo.*' --single-use >token.json
	decides 0 allowed < <(routed org.demo.x)
	issue --scope 'org.demo.*' --single-use >token.json
	decides 1 rate_limited < <(routed org.demo.x)
	policy x <<<'- {name: d, effect: allow, match: {capability: ["org.demo.*"]}}'
	decides 0 allowed < <(routed org.demo.x)
}

# review R1: a shorter span dropped what a longer one of that name still counts
@test "rate_limited: rules of two policies may have one name" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	policy x <<-'END'
		- {name: a, effect: allow, match: {capability: ["org.demo.*"]}, limit: {count: 1, per: 1h}}
	END
	policy other <<-'END'
		- {name: a, effect: allow, match: {capability: ["org.demo.*"]}, limit: {count: 9, per: 1ms}}
	END
	decides 0 allowed < <(routed org.demo.x)
	sleep 0.01
	routed org.demo.x | wv-authorize -p other.yaml -k token.json >/dev/null
	decides 1 rate_limited < <(routed org.demo.x)
}

@test "indeterminate: what cannot be known denies" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	mkdir docs
	ln -s /etc docs/link
	policy x <<-END
		- {name: docs, effect: allow, match: {capability: [org.demo.read], paths: {/file: ["$PWD/docs/**"]}}}
		- {name: all, effect: allow, match: {capability: [org.demo.cat]}}
		- {name: not etc, effect: deny, match: {capability: [org.demo.cat], paths: {/file: ["/etc/**"]}}}
	END
	decides 0 allowed < <(routed org.demo.read "{\"file\":\"$PWD/docs/new.txt\"}")
	decides 1 no_matching_rule < <(routed org.demo.read '{"file":"/etc/passwd"}')
	decides 1 no_matching_rule < <(routed org.demo.read "{\"file\":\"$PWD/docs/../x\"}")
	decides 1 no_matching_rule < <(routed org.demo.read '{}')
	# a link out of the folder (kernel-cases A9), and a path that depends
	decides 1 no_matching_rule < <(routed org.demo.read "{\"file\":\"$PWD/docs/link/passwd\"}")
	decides 1 indeterminate < <(routed org.demo.read '{"file":"docs/new.txt"}')
	[[ $output == *'"x_wv_rule":"docs"'* ]]
	decides 1 policy_deny < <(routed org.demo.cat '{"file":"/etc/passwd"}')
	decides 1 policy_deny < <(routed org.demo.cat '{"file":"/usr/../etc/x"}')
	decides 1 policy_deny < <(routed org.demo.cat "{\"file\":\"$PWD/docs/link/passwd\"}")
	decides 1 indeterminate < <(routed org.demo.cat '{"file":"etc/passwd"}')
	decides 0 allowed < <(routed org.demo.cat '{"file":"/usr/share/x"}')
}

@test "no path of an allow leads to the state, the policy, tokens or keyring" {
	wv-token keygen --kid k --keyring ring.json
	issue --scope 'org.demo.*' --ttl 1h --sign k --out token.json
	ln -s . here
	policy x <<-'END'
		- {name: all files, effect: allow, match: {capability: [org.demo.read], paths: {/file: ["/**"]}}}
	END
	for file in "$WV_STATE" "$WV_STATE/keys/k.pem" "$WV_STATE/new" x.yaml \
		here/x.yaml token.json ring.json here/ring.json; do
		routed org.demo.read "{\"file\":\"${file/#[!\/]/$PWD/${file:0:1}}\"}"
	done >in.jsonl
	[ "$(grep -c "$PWD" in.jsonl)" = 8 ]
	decides 1 policy_deny --keyring ring.json in.jsonl
	decides 0 allowed --keyring ring.json < <(routed org.demo.read "{\"file\":\"$PWD/other\"}")
	# tokens through a pipe are nowhere afterwards
	run -0 bash -c 'wv-authorize -p x.yaml -k <(cat token.json) --keyring ring.json' \
		< <(routed org.demo.read "{\"file\":\"$PWD/other\"}")
}

@test "unless makes exceptions" {
	policy x <<-'END'
		- {effect: allow, match: {capability: ["org.demo.*"]}, unless: {principal: ["agent-guest*"]}}
		- {effect: deny, match: {capability: [org.demo.send]}, unless: {arguments: {required: [confirmed]}}}
	END
	wv-token issue --principal agent-guest7 --scope 'org.demo.*' --ttl 1h >token.json
	decides 1 no_matching_rule < <(routed org.demo.read)
	issue --scope 'org.demo.*' --ttl 1h >token.json
	decides 0 allowed < <(routed org.demo.read)
	decides 1 policy_deny < <(routed org.demo.send)
	[[ $output == *'"x_wv_rule":"rule-2"'* ]]
	decides 0 allowed < <(routed org.demo.send '{"confirmed":true}')
}

@test "obligations of all that apply meet" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	policy x <<-'END'
		- {name: b, effect: allow, match: {capability: ["org.demo.*"]}, obligations: {max_rows: 50, mode: table, max_bytes: 1000}}
		- {name: a, effect: allow, match: {capability: ["**"]}, obligations: {max_rows: 9, mode: summary, x_note: why}}
	END
	decides 0 allowed < <(routed org.demo.read)
	jq -e '.metadata.x_wv_obligations ==
		{"max_rows":9,"mode":"summary","max_bytes":1000} and
		.metadata.x_wv_rule == "a, b"' <<<"$output"
}

@test "--decision-ttl, and never longer than the token" {
	wv-token init --test --now 2026-01-01T00:00:00Z
	issue --scope 'org.demo.*' --ttl 10m --now 2026-01-01T00:00:00Z >token.json
	ends() {
		decides 0 allowed --now 2026-01-01T00:00:00Z "${@:2}" \
			< <(routed org.demo.read)
		[ "$(jq -r .metadata.x_wv_valid_until <<<"$output")" = "2026-01-01T00:$1.000Z" ]
	}
	ends 10:00
	ends 05:00 --decision-ttl 5m
	ends 10:00 --decision-ttl 24h
	ends 10:00 --decision-ttl 100000000d
	fails_with 2 'no time at all' wv-authorize -p x.yaml -k token.json --decision-ttl 0s
	issue --scope 'org.demo.*' --ttl 10h --now 2026-01-01T00:00:00Z >token.json
	ends 15:00
}

@test "a bad record has a message and status 2, the others their answers" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	{
		routed org.demo.read
		echo '{"id":1e400}'
		echo '{oops'
		routed org.demo.read
	} >in.jsonl
	run -2 --separate-stderr wv-authorize -p x.yaml -k token.json in.jsonl
	[ "${#lines[@]}" = 2 ]
	[[ $stderr == *'in.jsonl:2'*'RoutingDecision'* ]]
	[[ $stderr == *'in.jsonl:3:2: '* ]]
	run -2 --separate-stderr wv-authorize --fail-fast -p x.yaml -k token.json in.jsonl
	[ "${#lines[@]}" = 1 ]
	# a denial beside it: 2 beats 1
	{ routed org.x; echo '{'; } >in.jsonl
	run -2 wv-authorize -p x.yaml -k token.json in.jsonl
}

@test "a bad record at the end of what has arrived is not the end" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	mkfifo in
	timeout 20 wv-authorize -v -p x.yaml -k token.json <in >out 2>err 3>&- &
	exec 8>in
	{ routed org.demo.read; echo '{oops'; } >pair
	cat pair >&8
	for _ in $(seq 200); do
		[ -s out ] && break
		sleep 0.05
	done
	sleep 0.1
	{ routed org.demo.read; routed org.x; } >&8
	exec 8>&-
	status=0
	wait $! || status=$?
	[ "$status" = 2 ]
	[ "$(wc -l <out)" = 3 ]
	grep -q 'stdin:2:2: ' err
	grep -q '2 allowed, 1 denied, 0 without a match, 1 malformed' err
}

@test "no input is 2, --allow-empty 0 (cases A11)" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	fails_with 2 'no records' wv-authorize -p x.yaml -k token.json </dev/null
	run -0 wv-authorize -p x.yaml -k token.json --allow-empty </dev/null
	[ -z "$output" ]
}

# every byte of the state, but for the shared memory of SQLite
bytes_of_state() {
	(cd "$WV_STATE" && find . -type f ! -name kernel.db-shm -exec sha256sum {} + |
		sort -k2)
}

@test "--dry-run decides each by itself, and leaves every byte as it was" {
	policy x <<-'END'
		- {name: slowly, effect: allow, match: {capability: ["org.demo.*"]}, limit: {count: 1, per: 1h}}
		- {effect: deny, match: {capability: ["org.demo.delete*"]}}
	END
	issue --scope 'org.demo.*' --single-use >token.json
	bytes_of_state >before
	{
		routed org.demo.read
		routed org.demo.read
	} >two.jsonl
	decides 0 allowed --dry-run two.jsonl
	decides 1 policy_deny --dry-run < <(routed org.demo.delete_it)
	routed org.demo.read >in.jsonl
	decides 0 allowed --dry-run in.jsonl
	bytes_of_state | cmp before -
	fails_with 1 '' wv-call -- true <<<"$output"
	[[ $output == *decision_unknown* ]]
	decides 0 allowed in.jsonl
	bytes_of_state >before
	decides 1 rate_limited --dry-run in.jsonl
	policy x <<<'- {effect: allow, match: {capability: ["org.demo.*"]}}'
	decides 1 token_spent --dry-run in.jsonl
	issue --scope 'org.demo.*' --ttl 1h >token.json
	wv-token revoke "$(jq -r .token_id token.json)"
	decides 1 token_revoked --dry-run in.jsonl
	touch "$WV_STATE/stop"
	decides 1 stopped --dry-run in.jsonl
	rm "$WV_STATE/stop"
	# what is not known of is not decided on
	export WV_STATE=$BATS_TEST_TMPDIR/none
	fails_with 2 'no state' wv-authorize -p x.yaml -k token.json --dry-run in.jsonl
	[ ! -e "$WV_STATE" ]
}

@test "--dry-run needs no more than to read the state" {
	[ "$(id -u)" != 0 ] || skip 'root may write everywhere'
	issue --scope 'org.demo.*' --ttl 1h >token.json
	routed org.demo.read >in.jsonl
	chmod -R a-w "$WV_STATE"
	run -0 wv-authorize -p x.yaml -k token.json --dry-run in.jsonl
	run -2 wv-authorize -p x.yaml -k token.json in.jsonl
	chmod -R u+w "$WV_STATE"
}

@test "--explain tells every check on stderr, the record stays as it is" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	decides 1 policy_deny --explain < <(routed org.demo.delete_it)
	[[ $stderr == *'stdin:1: token tok-'*': scope: ["org.demo.*"]'* ]]
	[[ $stderr == *'stdin:1: rule "no deletion" (deny): matches'* ]]
	[[ $stderr == *'stdin:1: deny: policy_deny: '* ]]
	[[ $stderr != *$'\e'* ]]
	decides 1 policy_deny < <(routed org.demo.delete_it)
	[ -z "$stderr" ]
}

@test "--explain: every check with its value, of every token" {
	policy x <<-'END'
		- {name: slowly, effect: allow, match: {capability: ["org.demo.*"]}, limit: {count: 2, per: 60s}}
	END
	foreign >token.json
	issue --scope org.demo.write --ttl 1h >>token.json
	issue --scope org.demo.read --ttl 1h >>token.json
	id=$(tail -n 1 token.json | jq -r .token_id)
	decides 0 allowed --explain < <(routed org.demo.read)
	printf '%s\n' "$stderr" >err
	told 'stdin:1: token tok-x: trust: no: token_untrusted: not issued here' \
		'scope: no: scope_mismatch: the token'"'"'s scope does not cover org.demo.read' \
		"token $id: shape: a CapabilityToken" "token $id: trust: issued here" \
		"token $id: time: 2" "token $id: principal: agent-1" \
		"token $id: capability: org.demo.read" \
		"token $id: scope: [\"org.demo.read\"]" \
		"token $id: binding: to no arguments" \
		'rule "slowly" (allow): matches' \
		"token $id: policy: rule \"slowly\" allows it" 'kernel: runs' \
		"token $id: revocation: not revoked" \
		"token $id: rates: rule \"slowly\": 0 of 2 in 60000 ms" \
		"token $id: use: any number" 'stdin:1: allow: allowed: '
	touch "$WV_STATE/stop"
	decides 1 stopped --explain < <(routed org.demo.read)
	[[ $stderr == *'kernel: no: stopped'* ]]
}

@test "--explain: the member of a rule that it hangs on" {
	policy x <<-'END'
		- {name: id, effect: allow, match: {capability: [org.other]}}
		- {name: who, effect: allow, match: {capability: ["org.**"], principal: [root], roles: [r]}}
		- {name: as, effect: allow, match: {capability: ["org.**"], roles: [r]}}
		- {name: of, effect: allow, match: {capability: ["org.**"], attributes: {tenant: [t]}}}
		- {name: what, effect: allow, match: {capability: ["org.**"], arguments: {required: [word]}}}
		- {name: where, effect: allow, match: {capability: ["org.**"], paths: {/p: ["/srv/**"]}}}
		- {name: but, effect: allow, match: {capability: ["org.**"]}, unless: {principal: ["agent-*"]}}
		- {name: how, effect: deny, match: {capability: ["org.**"], safety: [destructive]}}
	END
	issue --scope 'org.demo.*' --ttl 1h >token.json
	decides 1 indeterminate --explain < <(routed org.demo.read '{"p":"/etc"}')
	printf '%s\n' "$stderr" >err
	told 'rule "id" (allow): does not match: capability' \
		'rule "who" (allow): does not match: principal' \
		'rule "as" (allow): does not match: roles' \
		'rule "of" (allow): does not match: attributes' \
		'rule "what" (allow): does not match: arguments' \
		'rule "where" (allow): does not match: paths' \
		'rule "but" (allow): does not match: unless' \
		'rule "how" (deny): may match, that cannot be told: safety'
}

@test "a denial in the log tells who, what and why, and no secret (kernel-cases E47)" {
	wv-token issue --principal ann@corp.example.com --scope 'org.demo.*' \
		--ttl 1h >token.json
	decides 1 policy_deny < <(routed org.demo.delete_it \
		'{"note":"ghp_0123456789abcdefghijABCDEFGHIJ012345","to":"bob@corp.example.com"}')
	wv-trace --event denied --principal ann@corp.example.com >denied
	jq -e --slurpfile token token.json '.capability_id == "org.demo.delete_it"
		and .error_message == "rule \"no deletion\" denies it"
		and .metadata.x_wv_code == "policy_deny"
		and .metadata.x_wv_rule == "no deletion"
		and .metadata.x_wv_token_id == $token[0].token_id
		and .metadata.x_wv_arguments.names == ["note", "to"]
		and (.metadata.x_wv_arguments.keyed_digest | length) == 64' denied
	refute grep -qE 'ghp_|bob@' "$WV_STATE/audit.jsonl"
	wv-token revoke --principal ann@corp.example.com
	wv-trace --event invalidated --principal ann@corp.example.com
	# what looks like a secret is none of whoever's
	wv-token issue --principal ghp_0123456789abcdefghijABCDEFGHIJ012345 \
		--scope org.x --single-use >/dev/null
	refute grep -q ghp_ "$WV_STATE/audit.jsonl"
}

@test "a full disk, for the answer (cases A15)" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	routed org.demo.read >in.jsonl
	run -2 --separate-stderr bash -c \
		'wv-authorize -p x.yaml -k token.json in.jsonl >/dev/full'
	[[ $stderr == *'write error: No space left on device'* ]]
	run -0 bash -c 'wv-authorize -p x.yaml -k token.json in.jsonl 2>/dev/full'
}

@test "a state that is not its own: nothing is decided" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	routed org.demo.read >in.jsonl
	chmod 755 "$WV_STATE"
	run -2 --separate-stderr wv-authorize -p x.yaml -k token.json in.jsonl
	[ -z "$output" ]
	[[ $stderr == *"$WV_STATE"* ]]
	chmod 700 "$WV_STATE"
	rm "$WV_STATE/audit.jsonl"
	run -2 --separate-stderr wv-authorize -p x.yaml -k token.json in.jsonl
	[ -z "$output" ]
	: >file
	run -2 wv-authorize --state file -p x.yaml -k token.json in.jsonl
	run -2 wv-authorize --state /proc/1/wv -p x.yaml -k token.json in.jsonl
}

@test "a state that cannot be written to: nothing is decided" {
	[ "$(id -u)" != 0 ] || skip 'root may write everywhere'
	issue --scope 'org.demo.*' --ttl 1h >token.json
	routed org.demo.read >in.jsonl
	chmod 400 "$WV_STATE/audit.jsonl"
	run -2 --separate-stderr wv-authorize -p x.yaml -k token.json in.jsonl
	chmod 600 "$WV_STATE/audit.jsonl"
	[ -z "$output" ]
}

@test "a log that cannot grow: nothing is decided" {
	issue --scope 'org.demo.*' --single-use >token.json
	routed org.demo.read >in.jsonl
	cp "$WV_STATE/audit.jsonl" before
	run -2 --separate-stderr bash -c \
		'ulimit -f 1; wv-authorize -p x.yaml -k token.json in.jsonl'
	[ -z "$output" ]
	cmp before "$WV_STATE/audit.jsonl"
	decides 0 allowed in.jsonl
}

@test "--now and WV_IDS only where no real decision can come of it" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	fails_with 2 '--now' wv-authorize -p x.yaml -k token.json \
		--now 2026-01-01T00:00:00Z < <(routed org.demo.read)
	WV_IDS=seq:1 fails_with 2 WV_IDS wv-authorize -p x.yaml -k token.json \
		< <(routed org.demo.read)
	fails_with 2 '--now' wv-authorize -p x.yaml -k token.json --now soon </dev/null
}

@test "output is byte-identical under --now and WV_IDS" {
	routed org.demo.read >in.jsonl
	for n in 1 2; do
		export WV_STATE=$BATS_TEST_TMPDIR/state$n
		WV_IDS=seq:1 wv-token init --test --now 2026-01-01T00:00:00Z
		WV_IDS=seq:10 issue --scope 'org.demo.*' --ttl 1h \
			--now 2026-01-01T00:00:00Z >token.json
		WV_IDS=seq:100 wv-authorize -p x.yaml -k token.json \
			--now 2026-01-01T00:00:01Z in.jsonl >out$n
	done
	cmp out1 out2
	grep -q '"decision_id":"dec-00000000000000000000000100"' out1
}

@test "one trace: from the routing decision to the event" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	trace=4bf92f3577b34da6a3ce929d0e0e4736
	decides 0 allowed < <(routed org.demo.read '{}' \
		",\"telemetry\":{\"trace_id\":\"$trace\",\"span_id\":\"00f067aa0ba902b7\"}")
	[[ $output == *"\"trace_id\":\"$trace\""* ]]
	grep '"event_type":"capability_authorized"' "$WV_STATE/audit.jsonl" |
		grep -qF "\"trace_id\":\"$trace\""
}

@test "thousands of records in groups, in order, in the log" {
	issue --scope 'org.demo.*' --ttl 1h >token.json
	for i in $(seq 3000); do
		echo "{\"id\":\"rd-$i\",\"choice_cards\":[{\"id\":\"c\",\"items\":[{\"id\":\"i\",\"label\":\"l\",\"description\":\"d\",\"capability_id\":\"org.demo.read\"}]}],\"selected_item_id\":\"i\",\"timestamp\":\"2026-01-01T00:00:00Z\"}"
	done >in.jsonl
	timeout 60 wv-authorize -p x.yaml -k token.json in.jsonl >out.jsonl
	jq -r .metadata.x_wv_invocation.routing_decision_id out.jsonl |
		cmp - <(seq 3000 | sed 's/^/rd-/')
	[ "$(jq -r .decision_id out.jsonl | sort -u | wc -l)" = 3000 ]
	[ "$(events capability_authorized)" = 3000 ]
}

@test "--lint: what can never match, is shadowed, or is open (cases D7)" {
	run -0 --separate-stderr wv-authorize --lint x.yaml
	policy bad <<-'END'
		- {name: dead, effect: allow, match: {capability: ["org..x", "a b"]}}
		- {name: shadowed, effect: allow, match: {capability: [org.demo.a, "org.demo.b.*"]}}
		- {name: shade, effect: deny, match: {capability: ["org.demo.**"]}}
		- {name: open, effect: allow, match: {capability: [org.x], arguments: {type: object}}}
		- {name: relative, effect: deny, unless: {paths: {/f: ["src/**", "/x/**", "**"]}}}
	END
	run -1 --separate-stderr wv-authorize --lint bad.yaml
	[[ $stderr == *'bad.yaml:4:'*'"dead" can never match'*'org..x'* ]]
	[[ $stderr == *'bad.yaml:5:'*'"shadowed" never allows anything: "shade"'* ]]
	[[ $stderr == *'bad.yaml:7:'*'"open" lets any further argument pass'* ]]
	[[ $stderr == *'bad.yaml:8:'*'"relative" can never match'*'src/**'* ]]
	[ "${#stderr_lines[@]}" = 5 ]
	# not shadowed: the deny is narrower, or has a condition
	policy good <<-'END'
		- {name: a, effect: allow, match: {capability: ["org.demo.**"]}}
		- {name: b, effect: deny, match: {capability: ["org.demo.*"]}}
		- {name: c, effect: allow, match: {capability: [org.x]}}
		- {name: d, effect: deny, match: {capability: [org.x], principal: [p]}}
	END
	run -0 --separate-stderr wv-authorize --lint good.yaml
	[ -z "$stderr" ]
	fails_with 2 missing.yaml wv-authorize --lint missing.yaml
	echo 'rules: []' >bad.yaml
	fails_with 2 bad.yaml wv-authorize --lint bad.yaml
}

@test "options: unknown ones name the nearest, help is data" {
	fails_with 2 --explain wv-authorize --explian
	fails_with 2 "'--token'" wv-authorize --tokn x
	run -0 --separate-stderr wv-authorize --help
	[[ $output == *--decision-ttl* ]]
	[ -z "$stderr" ]
	run -0 wv-authorize --version
}

@test "a terminal as input is no input" {
	script -qec true /dev/null >/dev/null 2>&1 || skip 'no pseudo-terminal'
	issue --scope 'org.demo.*' --ttl 1h >token.json
	run -2 timeout 20 script -qec 'wv-authorize -p x.yaml -k token.json' /dev/null
	[[ $output == *terminal* ]]
}
