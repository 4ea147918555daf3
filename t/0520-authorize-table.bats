#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-authorize --test: a policy judged by a table of cases.

load lib

setup() {
	cd "$BATS_TEST_TMPDIR"
	cat >p.yaml <<-'END'
		version: 1
		default: deny
		rules:
		  - {name: readers, effect: allow, match: {capability: ["org.demo.*"]}, obligations: {max_rows: 9}}
		  - {name: no deletion, effect: deny, match: {capability: ["org.demo.delete*"]}}
	END
}

# The state is never looked at: there is none, and none can be made.
export WV_STATE=/dev/null/state

# tests STATUS CASES [OPTION…]: standard error in err, standard output in out
tests() {
	local want=$1 cases=$2 got=0
	shift 2
	timeout 20 wv-authorize -p p.yaml --test "$cases" "$@" >out 2>err || got=$?
	[ "$got" = "$want" ] || { cat out err; return 1; }
}

case_of() { # CAPABILITY EXPECT [MORE]
	printf '{"request":{"capability":"%s"},"expect":%s%s}\n' "$1" "$2" "${3-}"
}

@test "the policy table: every handed case (user-cases D, kernel-cases A)" {
	mkdir -p tree/docs tree/.ssh
	ln -s /etc/passwd tree/docs/link
	ln -s /etc tree/docs/folder
	ln -s "$PWD/tree/.ssh" tree/docs/keys
	ln -s "$PWD/nowhere" tree/docs/dangling
	for file in policy.yaml table.jsonl; do
		sed "s|@DIR@|$PWD/tree|g" "$top_srcdir/t/data/authorize/$file" >$file
	done
	mv policy.yaml p.yaml
	tests 0 table.jsonl --strict -f tap \
		-c "$top_srcdir/t/data/authorize/catalog.jsonl"
	[ "$(grep -c '^ok' out)" -ge 80 ]
	for n in D1 D3 D5 D11 D13 D21 A1 A3 A5 A7 A9 A11 A13 A15; do
		grep -q "\"name\":\"$n " table.jsonl
	done
	# and each of them can fail
	sed 's/"decision":"allow"/"decision":"?"/; s/"decision":"deny"/"decision":"allow"/; s/"decision":"?"/"decision":"deny"/' \
		table.jsonl >turned.jsonl
	tests 1 turned.jsonl -f tap \
		-c "$top_srcdir/t/data/authorize/catalog.jsonl"
	[ "$(grep -c '^ok' out)" = 0 ]
}

@test "a failing case says which, where, what was expected and why it is not so" {
	{
		case_of org.demo.read '{"decision":"allow","code":"allowed"}'
		case_of org.demo.delete '{"decision":"allow","code":"no_matching_rule","rule":"readers"}' ',"name":"removal"'
		case_of org.x '{"decision":"deny","rule":"readers"}'
		case_of org.demo.read '{"decision":"allow","rule":null,"obligations":{"max_rows":8},"reason":"because"}'
	} >c.jsonl
	tests 1 c.jsonl
	[ ! -s out ]
	told 'c.jsonl:2:66: /expect/decision: case "removal": the decision is deny, not allow: rule "no deletion" denies it' \
		'c.jsonl:2:81: /expect/code: case "removal": the code is policy_deny, not no_matching_rule' \
		'/expect/rule: case "removal": the rule is no deletion, not readers' \
		'c.jsonl:3:70: /expect/rule: the rule is none, not readers' \
		'c.jsonl:4:79: /expect/rule: the rule is readers, not none' \
		'/expect/obligations: the obligations are {"max_rows":9}, not {"max_rows":8}' \
		'/expect/reason: the reason is "rule "readers" allows it", without "because"' \
		'4 records: 1 valid, 3 invalid, 0 malformed'
	[ "$(wc -l <err)" = 8 ]
}

@test "what is expected may be less, and obligations may be none" {
	{
		case_of org.demo.read '{"decision":"allow"}'
		case_of org.x '{"decision":"deny","obligations":{},"rule":null,"reason":"no rule"}'
		case_of org.demo.delete '{"decision":"deny","obligations":{}}'
		case_of org.demo.read '{"decision":"allow","obligations":{"max_rows":9.0}}'
	} >c.jsonl
	tests 0 c.jsonl
}

@test "--strict: every case says a code, every rule has a case" {
	case_of org.demo.read '{"decision":"allow"}' >c.jsonl
	tests 0 c.jsonl
	tests 1 c.jsonl --strict
	told 'c.jsonl:1:' 'no code is expected (--strict)' \
		'p.yaml:5:' 'no case is denied by rule "no deletion"'
	refute_told 'rule "readers"'
	# a deny that no allow would need: readers are not exercised by it
	case_of org.demo.delete '{"decision":"deny","code":"policy_deny"}' >c.jsonl
	tests 1 c.jsonl --strict
	told 'no case is allowed by rule "readers"'
	case_of org.demo.read '{"decision":"allow","code":"allowed"}' >>c.jsonl
	tests 0 c.jsonl --strict
	# of two denies the one that does not decide is not exercised
	cat >>p.yaml <<-'END'
		  - {name: no removal, effect: deny, match: {capability: ["org.demo.delete_*"]}}
	END
	case_of org.demo.delete_x '{"decision":"deny","code":"policy_deny"}' >>c.jsonl
	tests 1 c.jsonl --strict
	told 'no case is denied by rule "no removal"'
}

refute_told() {
	if grep -qF -- "$1" err; then
		cat err
		return 1
	fi
}

@test "a case that cannot be read is 2, the others are judged" {
	{
		case_of org.demo.read '{"decision":"allow"}'
		echo '{"request":{"capability":"a"},"expct":{}}'
		echo '{oops'
		case_of org.demo.delete '{"decision":"allow"}'
		echo '{"request":{"choice_cards":[]},"expect":{"decision":"deny"}}'
	} >c.jsonl
	tests 2 c.jsonl
	told 'c.jsonl:2:' 'unknown member "expct" (did you mean "expect"?)' \
		'c.jsonl:3:2: ' 'c.jsonl:4:' 'c.jsonl:5:' \
		'5 records: 1 valid, 1 invalid, 3 malformed'
	tests 2 c.jsonl -f json
	jq -e '.summary == {"records":5,"valid":1,"invalid":1,"malformed":3,
		"undecided":0,"warnings":0}' out
	tests 2 c.jsonl --fail-fast
	told '2 records: 1 valid, 0 invalid, 1 malformed'
	refute_told 'c.jsonl:3'
	tests 2 missing.jsonl -f tap
	told 'missing.jsonl'
}

@test "members are checked: none is ignored (cases D15)" {
	bad() {
		echo "$1" >c.jsonl
		tests 2 c.jsonl
		told "$2"
	}
	bad '{"request":{"capability":"a","argument":{}},"expect":{"decision":"deny"}}' 'did you mean "arguments"'
	bad '{"request":{"capability":"a"},"token":{"role":["x"]},"expect":{"decision":"deny"}}' 'did you mean "roles"'
	bad '{"request":{"capability":"a"},"token":{"signed":"yes"},"expect":{"decision":"deny"}}' '/token/signed'
	bad '{"request":{"capability":"a"},"token":"x","expect":{"decision":"deny"}}' '/token'
	bad '{"request":{"capability":"a"},"now":"soon","expect":{"decision":"deny"}}' '/now'
	bad '{"request":{"capability":"a"},"expect":{"decision":"denied"}}' '/expect/decision'
	bad '{"request":{"capability":"a"},"expect":{"code":"policy_deny"}}' 'decision'
	bad '{"request":{"capability":"a"},"expect":{"decision":"deny","code":"rate_limited"}}' '/expect/code'
	bad '{"request":{},"expect":{"decision":"deny"}}' 'capability'
	bad '{"expect":{"decision":"deny"}}' 'request'
	bad '[]' 'c.jsonl:1'
	# but what is anybody's own
	echo '{"x_ticket":7,"request":{"capability":"a","x_y":1},"token":{"x_z":1},"expect":{"decision":"deny","x_w":1}}' >c.jsonl
	tests 0 c.jsonl
}

@test "an empty table proves nothing: 2" {
	: >c.jsonl
	tests 2 c.jsonl
	told 'no cases'
	tests 0 c.jsonl --allow-empty
	tests 2 c.jsonl -f junit
	grep -q '<testsuites>' out
	got=0
	wv-authorize --test - -p p.yaml </dev/null 2>err || got=$?
	[ "$got" = 2 ]
}

@test "reports: tap, junit, json, github, sarif, one to standard output" {
	{
		case_of org.demo.read '{"decision":"allow"}'
		case_of org.x '{"decision":"allow"}' ',"name":"<a & b>\u001b[2J"'
		case_of org.demo.read '{"decision":"allow"}' ',"name":"reads # it"'
	} >c.jsonl
	tests 1 c.jsonl -f tap -f junit=r.xml -f json=r.json -f github=r.txt \
		-f sarif=r.sarif
	[ "$(grep -c '^ok\|^not ok' out)" = 3 ]
	grep -qxF 'ok 1 - c.jsonl:1' out
	grep -qF 'not ok 2 - c.jsonl:2: <a & b>' out
	grep -qxF 'ok 3 - c.jsonl:3: reads \# it' out
	grep -q '<testsuite name="c.jsonl" tests="3" failures="1" errors="0">' r.xml
	grep -qF 'name="reads # it"/>' r.xml
	grep -qF '&lt;a &amp; b&gt;' r.xml
	jq -e '.findings[0].line == 2 and (.findings | length) == 1' r.json
	grep -q '^::error file=c.jsonl,line=2' r.txt
	jq -e '.runs[0].tool.driver.name == "wv-authorize"
		and .runs[0].results[0].ruleId == "decision"' r.sarif
	refute_escape r.xml r.json r.txt r.sarif out err
	fails_with 2 "did you mean 'junit'" wv-authorize -p p.yaml \
		--test c.jsonl -f junti
	fails_with 2 'cannot both go to' wv-authorize -p p.yaml \
		--test c.jsonl -f tap -f json
	run -2 --separate-stderr bash -c \
		'wv-authorize -p p.yaml --test c.jsonl -f tap >/dev/full'
	[[ $stderr == *'No space left on device'* ]]
}

refute_escape() {
	if grep -q $'\e' "$@"; then
		echo 'a control character came through'
		return 1
	fi
}

@test "tokens: members of their own, short forms, none" {
	cat >p.yaml <<-'END'
		version: 1
		rules:
		  - {effect: allow, match: {capability: [org.a], principal: [boss], roles: [admin], attributes: {team: [x]}}, require: {signed: true, bound: true}}
		  - {effect: allow, match: {capability: [org.b], principal: [agent-test]}}
	END
	cat >c.jsonl <<-'END'
		{"request":{"capability":"org.a","arguments":{"n":9223372036854775993}},"token":{"principal":"boss","roles":["admin"],"attributes":{"team":"x"},"signed":true,"bound":true},"expect":{"decision":"allow"}}
		{"request":{"capability":"org.a"},"token":{"principal":"boss","metadata":{"roles":["admin"],"attributes":{"team":"x"}},"x_weaver_signature":{},"bound":true},"expect":{"decision":"allow"}}
		{"request":{"capability":"org.a"},"token":{"principal":"boss","roles":["admin"],"attributes":{"team":"x"},"signed":false,"bound":true},"expect":{"decision":"deny","code":"signature_required"}}
		{"request":{"capability":"org.a"},"token":{"principal":"boss","roles":["admin"],"attributes":{"team":"x"},"signed":true,"bound":false},"expect":{"decision":"deny","code":"approval_required"}}
		{"request":{"capability":"org.b"},"expect":{"decision":"allow"}}
		{"request":{"capability":"org.b"},"token":{},"expect":{"decision":"allow"}}
		{"request":{"capability":"org.b"},"token":null,"expect":{"decision":"deny","code":"token_missing"}}
		{"request":{"capability":"org.b"},"token":{"token_id":"a b"},"expect":{"decision":"deny","code":"token_malformed"}}
		{"request":{"capability":"org.b"},"token":{"scope":["org.a"],"issuer":"k"},"expect":{"decision":"deny","code":"scope_mismatch"}}
		{"request":{"capability":"org.b"},"token":{"single_use":true},"now":"2400-01-01T00:00:00Z","expect":{"decision":"allow"}}
		{"request":{"capability":"org.b"},"token":{"issued_at":"2026-01-02T00:00:00Z"},"now":"2026-01-01T00:00:00Z","expect":{"decision":"deny","code":"token_not_yet_valid"}}
	END
	tests 0 c.jsonl
	# a signature is asked for everywhere: of those above two have one
	tests 1 c.jsonl --require-signed -f tap
	[ "$(grep -c '^ok' out)" = 6 ]
	# somebody else asks
	sed -n 1p c.jsonl | sed 's/"allow"/"deny","code":"principal_mismatch"/' >one.jsonl
	tests 0 one.jsonl --principal agent-9
	sed -n 5p c.jsonl | sed 's/"allow"/"deny","code":"no_matching_rule"/' >one.jsonl
	tests 0 one.jsonl --principal agent-9
}

@test "times: the case's, --now, --leeway" {
	token=',"token":{"expires_at":"2026-01-01T00:00:00Z"}'
	case_of org.demo.a '{"decision":"deny","code":"token_expired"}' "$token" >late.jsonl
	case_of org.demo.a '{"decision":"allow"}' "$token" >early.jsonl
	case_of org.demo.a '{"decision":"deny","code":"token_expired"}' "$token,\"now\":\"2026-01-01T00:00:30Z\"" >own.jsonl
	tests 0 late.jsonl
	tests 0 early.jsonl --now 2025-12-31T23:59:59.999Z
	tests 0 late.jsonl --now 2026-01-01T00:00:00Z
	tests 0 own.jsonl --now 2020-01-01T00:00:00Z
	tests 0 own.jsonl --leeway 30s
	tests 1 own.jsonl --leeway 31s
}

@test "with a catalogue it counts; no match has no decision" {
	case_of org.demo.read '{"decision":"deny","code":"unknown_capability"}' >c.jsonl
	tests 1 c.jsonl
	cat >tools.yaml <<-'END'
		version: 1
		tools: [{capability: org.demo.other, source: exec, command: [cat]}]
	END
	tests 0 c.jsonl -c tools.yaml
	WV_CATALOG=tools.yaml tests 0 c.jsonl
	echo '{"request":{"id":"r","choice_cards":[{"id":"no-match","items":[{"id":"no-match","label":"l","description":"d"}]}],"selected_item_id":"no-match","timestamp":"2026-01-01T00:00:00Z"},"expect":{"decision":"deny"}}' >c.jsonl
	tests 1 c.jsonl
	told 'nothing matched, so there is none'
}

@test "limits do not count, no token is spent, no state is made" {
	cat >p.yaml <<-'END'
		version: 1
		rules: [{effect: allow, match: {capability: [a]}, limit: {count: 1, per: 1h}}]
	END
	for _ in 1 2 3; do
		case_of a '{"decision":"allow"}' ',"token":{"token_id":"t","single_use":true}'
	done >c.jsonl
	export WV_STATE=$PWD/state
	tests 0 c.jsonl
	[ ! -e state ]
}

@test "--explain tells of each case, --test excludes what is about a state" {
	case_of org.demo.delete '{"decision":"deny"}' >c.jsonl
	tests 0 c.jsonl --explain
	told 'c.jsonl:1: rule "no deletion" (deny): matches' \
		'c.jsonl:1: policy_deny: rule "no deletion" denies it'
	for option in '-k t.json' '--keyring k.json' --trust-unsigned --dry-run \
		'--state s'; do
		# shellcheck disable=SC2086 # an option and its value
		fails_with 2 'own tokens' wv-authorize -p p.yaml --test c.jsonl $option
	done
	fails_with 2 'one file of cases' wv-authorize -p p.yaml --test c.jsonl c.jsonl
	fails_with 2 'no policy' wv-authorize --test c.jsonl
	fails_with 2 'need --test' wv-authorize -p p.yaml -k t.json --strict c.jsonl
	fails_with 2 'need --test' wv-authorize -p p.yaml -k t.json -f tap c.jsonl
	echo 'rules: []' >p.yaml
	tests 2 c.jsonl
	told p.yaml
}

# A property: whatever is added to a policy to forbid or to oblige, nothing
# that was denied is allowed then, and no obligation is looser.
@test "a deny or an obligation more never allows more" {
	seed=7
	roll() { # N: 0 … N-1
		seed=$(((seed * 1103515245 + 12345) % 2147483648))
		rolled=$((seed / 65536 % $1))
	}
	words=(a b a.b a.c '*' '**' 'a.*' 'a.**' '*.b' 'b.*')
	for p in $(seq 12); do
		printf 'version: 1\nrules:\n' >base.yaml
		for i in 1 2 3; do
			roll 10; capability=${words[rolled]}
			roll 3; principal=; [ $rolled != 0 ] || principal=', principal: [p]'
			roll 9; effect=allow obligations=", obligations: {max_rows: $rolled}"
			roll 3; [ $rolled != 0 ] || effect=deny obligations=
			echo "  - {name: r$i, effect: $effect, match: {capability: ['$capability']$principal}$obligations}"
		done >>base.yaml
		cp base.yaml more.yaml
		roll 10
		if [ $((p % 2)) = 0 ]; then
			echo "  - {name: more, effect: deny, match: {capability: ['${words[rolled]}']}}"
		else
			awk '/effect: allow/ && !done { sub(/max_rows: [0-9]+/, "max_rows: 0, mode: handle_only"); done = 1 } 1' \
				base.yaml >more.yaml
		fi >>more.yaml
		for policy in base more; do
			for id in a b a.b a.c b.b c.b a.b.c; do
				for who in p q; do
					echo "{\"request\":{\"capability\":\"$id\"},\"token\":{\"principal\":\"$who\"},\"expect\":{\"decision\":\"allow\",\"obligations\":{}}}"
				done
			done | wv-authorize --test - -p $policy.yaml -f json 2>/dev/null \
				>$policy.json || [ $? = 1 ]
		done
		# by line: denied, or the obligations
		jq -n --slurpfile a base.json --slurpfile b more.json '
			def of($r): $r[0].findings | group_by(.line) | map({
				key: (.[0].line | tostring),
				value: {
					denied: any(.[]; .message | startswith("the decision is deny")),
					rows: ([.[] | .message | capture("max_rows\":(?<n>[0-9]+)").n | tonumber] | first)
				} }) | from_entries;
			of($a) as $x | of($b) as $y | [range(1; 15) | tostring] |
			all(.[]; ($x[.].denied | not) or $y[.].denied) and
			all(.[]; $x[.].rows == null or $y[.].denied or
				($y[.].rows != null and $y[.].rows <= $x[.].rows))' \
			>verdict
		[ "$(cat verdict)" = true ] || {
			cat base.yaml more.yaml base.json more.json
			return 1
		}
	done
}
