#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Rules from files: what they reach, what their lint says, and that none of
# them makes the firewall slow or blind.  The rest is in t/unit/firewall-rules.c.

load lib

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
}

# rules <<END: rules.yaml, of version 1
rules() {
	{
		echo 'version: 1'
		cat
	} >rules.yaml
}

# shown WANT OPTION… <INPUT: as -f text
shown() {
	local want=$1
	shift
	run -0 --separate-stderr timeout 30 wv-firewall --rules rules.yaml \
		-f text "$@"
	[ "$output" = "$want" ] || { echo "$output"; return 1; }
}

@test "the example is sound, and does what it says" {
	cp "$top_srcdir/share/examples/firewall-rules.yaml" rules.yaml
	run -0 wv-firewall --lint rules.yaml
	[ -z "$output" ]
	shown '[REDACTED:acme-customer] [REDACTED:ip-address] support@example.com [REDACTED:email]' \
		<<<'CUST-2026-004711 203.0.113.77 support@example.com me@example.com'
	shown '{"deployPhrase":"[REDACTED:password]","note":"password=test-me1 [REDACTED:acme-deploy-key]"}' \
		<<<'{"deployPhrase":"open sesame","note":"password=test-me1 acme_dk_q8Zr1TfWm3Xy7KpLv2Ns9BcD"}'
}

@test "rules reach Frames, lines, findings, names and what is encoded" {
	rules <<-'END'
		allow: [{value: acme_99999999}]
		add: [{kind: acme, anchor: acme_, pattern: 'acme_[0-9]{8}'}]
		names: [{name: deploy phrase, kind: acme}]
	END
	local hidden kept
	hidden=$(printf 'say acme_12345678 here' | base64)
	kept=$(printf 'say acme_99999999 here' | base64)
	shown "[REDACTED:acme] $kept" <<<"$hidden $kept"
	shown '{"[REDACTED:acme]":1,"b":[{"deploy-phrase":"[REDACTED:acme]"}]}' \
		<<<'{"acme_12345678":1,"b":[{"deploy-phrase":["x",{"y":2}]}]}'
	printf '{"a":"acme_12345678"}\nacme_12345678 acme_99999999\n' >in.txt
	run -0 timeout 30 wv-firewall --rules rules.yaml --lines in.txt
	[ "$(jq -s length <<<"$output")" = 2 ]
	[[ $output != *acme_1234* && $output == *acme_99999999* ]]
	jq -se 'all(.redaction_notes | tostring | test("acme"))' <<<"$output"
	run -1 --separate-stderr timeout 30 wv-firewall --rules rules.yaml \
		--check -f jsonl in.txt
	[ "$(jq -r .kind <<<"$output" | sort -u)" = acme ]
	[[ $output$stderr != *acme_1234* ]]
}

@test "a file that is not understood is refused, and nothing is written" {
	rules <<-'END'
		add: [{kind: acme, anchor: ac, pattern: x}]
	END
	fails_with 2 'rules.yaml:2:28: /add/0/anchor: has 2 bytes: must have 3 to 64' \
		wv-firewall --rules rules.yaml in.txt
	[ -z "$output" ]
	fails_with 2 'rules.yaml:2:28' wv-firewall --lint rules.yaml
	fails_with 2 'none.yaml: cannot open: No such file' wv-firewall --lint none.yaml
	printf 'version: 1\n#%01100000d\n' 0 >big.yaml
	fails_with 2 'big.yaml: ' wv-firewall --lint big.yaml
}

@test "--lint says what rules do not mean, each with its place" {
	rules <<-'END'
		disable: [acme]
		allow: [{pattern: '.+'}]
		add:
		  - {kind: acme, anchor: 'the', pattern: 'the [0-9]', examples: [the 1]}
		  - {kind: other, anchor: acme_, pattern: 'Acme_', examples: [Acme_]}
		names: [{name: api key, kind: other}]
	END
	run -1 --separate-stderr wv-firewall --lint rules.yaml
	printf '%s\n' "$stderr" >err
	told 'rules.yaml:3:19: /allow/0/pattern: lets nearly everything through' \
		'rules.yaml:5:12: /add/0/kind: "acme" is disabled' \
		'rules.yaml:5:26: /add/0/anchor: is a part of ordinary text' \
		'rules.yaml:6:43: /add/1/pattern: never matches' \
		'rules.yaml:6:63: /add/1/examples/0: is not found' \
		'rules.yaml:7:16: /names/0/name: is a name of api-key'
	[ "$(grep -c . err)" = 6 ]
	[ -z "$output" ]
}

@test "no rule makes the firewall slow: what costs too much is redacted" {
	rules <<-'END'
		add:
		  - {kind: one, anchor: aaa, pattern: '(a+)+[^a]x'}
		  - {kind: two, anchor: bbb, pattern: '(b|b)*c'}
		  - {kind: three, anchor: key, pattern: '(k)(.*\1)+x'}
	END
	{
		head -c 4000000 /dev/zero | tr '\0' a
		head -c 4000000 /dev/zero | tr '\0' b
		yes 'key key ' | head -c 4000000 | tr -d '\n'
		# a secret behind it all is found too
		printf ' me@example.com'
	} >in.txt
	run -0 --separate-stderr timeout 60 wv-firewall --rules rules.yaml \
		-f text in.txt
	[[ $output != *aaa* && $output != *bbb* && $output != *key* ]]
	[[ $output != *me@example.com* ]]
}

@test "ten thousand rules, and no more" {
	jq -nc '{version: 1, add: [range(10000) | (1e5 + . | tostring) as $n
		| {kind: "k", anchor: "\($n)_", pattern: "\($n)_[a-z]{4}"}]}' >rules.json
	run -0 timeout 30 wv-firewall --rules rules.json -f text \
		<<<'107123_abcd 207123_abcd 109999_abcd'
	[ "$output" = '[REDACTED:k] 207123_abcd [REDACTED:k]' ]
	jq -c '.add += [.add[0]]' rules.json >more.json
	fails_with 2 'more.json:1:20: /add: must have at most 10000 items' \
		wv-firewall --lint more.json
	jq -c '.add = [.add[0] | range(17) as $i | .]' rules.json >same.json
	fails_with 2 'more than 16 rules have this anchor' \
		wv-firewall --lint same.json
}
