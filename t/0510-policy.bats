#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Policies: what they say to whom, what they refuse to be, what --lint finds.

load lib

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	data="$top_srcdir/t/data/policy"
}

# table NAME [OPTION…]: every case of t/data/policy/NAME.jsonl holds of
# NAME.yaml, and every rule of it decides some
table() {
	local name=$1
	shift
	run -0 --separate-stderr timeout 20 wv-authorize -p "$data/$name.yaml" \
		--test "$data/$name.jsonl" --strict "$@"
	cases=$((${cases-0} + $(wc -l <"$data/$name.jsonl")))
}

# A folder of real links, and a table about it.
make_links() {
	mkdir -p links/docs links/secret/deep links/out
	: >links/docs/a.txt
	: >links/secret/key
	ln -s ../secret links/docs/out
	ln -s out links/docs/twice
	ln -s ../secret/key links/docs/file
	ln -s ../secret/deep links/docs/deep
	ln -s a.txt links/docs/within
	ln -s nowhere links/docs/dangling
	ln -s loop links/docs/loop
}

# rules: a policy of these, in x.yaml; their first line is 4
rules() {
	{
		printf 'version: 1\ndefault: deny\nrules:\n'
		sed 's/^/  /'
	} >x.yaml
}

# routed CAPABILITY [ARGUMENTS]
routed() {
	printf '{"id":"rd-1","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d","capability_id":"%s"}]}],"selected_item_id":"i","selected_card_id":"c","timestamp":"2026-01-01T00:00:00Z","metadata":{"x_wv_arguments":%s}}\n' \
		"$1" "${2-{\}}"
}

# decided OPTION… <RECORDS: the codes, in order, are in $codes
decided() {
	wv-authorize -p x.yaml -k token.json "$@" >out.jsonl || [ $? = 1 ]
	codes=$(jq -r .metadata.x_wv_code out.jsonl | xargs)
}

# lint STATUS [OPTION…]: of x.yaml; what it says is in err
lint() {
	local want=$1 got=0
	shift
	wv-authorize --lint x.yaml "$@" 2>err || got=$?
	[ "$got" = "$want" ] || { echo "status $got"; cat err; return 1; }
}

# finds COUNT
finds() {
	[ "$(wc -l <err)" = "$1" ] || { echo "not $1:"; cat err; return 1; }
}

@test "the table: ids, principals, order (cases A5 A11 A15 D3 D5 D11 D13)" {
	table ids
}

@test "the table: safety, tags, risk (cases A13)" {
	table catalog-rules -c "$data/tools.yaml" -c "$data/risk.jsonl"
}

@test "the table: roles and attributes" {
	table claims
}

@test "the table: arguments, and commands in them (cases A1 A3 A5)" {
	table arguments
}

@test "the table: requirements and obligations (cases A15)" {
	table require
}

@test "the table: paths and real links (cases A9)" {
	make_links
	for kind in yaml jsonl; do
		sed "s|@DIR@|$PWD/links|g" "$data/paths.$kind" >"paths.$kind"
	done
	run -0 --separate-stderr timeout 20 wv-authorize -p paths.yaml \
		-c "$data/tools.yaml" --test paths.jsonl --strict
}

# review R1: a link led into /proc, and from there to the folder of whoever asks
@test "a path through a folder of processes cannot be told, by whatever link" {
	mkdir docs
	: >docs/a
	ln -s /proc/self/cwd docs/cwd
	ln -s /proc docs/proc
	rules <<-END
		- {effect: allow, match: {capability: [org.demo.read], paths: {/file: ["/**"]}}}
	END
	for file in "$PWD/docs/cwd/docs/a" "$PWD/docs/proc/self/environ" \
		"$PWD/docs/cwd" "/dev/fd/../cwd/docs/a" /dev/fd /proc; do
		printf '{"request":{"capability":"org.demo.read","arguments":{"file":"%s"}},"expect":{"decision":"deny","code":"indeterminate"}}\n' "$file"
	done >cases.jsonl
	wv-authorize -p x.yaml --test cases.jsonl
}

# review R1: half a minute of looking up for a record of 2 MB
@test "a path that is longer than the system takes cannot be told" {
	rules <<-END
		- {effect: allow, match: {capability: [org.demo.read], paths: {/file: ["/**"]}}}
	END
	{
		printf '{"expect":{"decision":"deny","code":"indeterminate"},"request":{"capability":"org.demo.read","arguments":{"file":"/tmp'
		head -c 2000000 /dev/zero | sed 's|\x00\x00\x00\x00\x00|/x/..|g'
		printf '"}}}\n'
	} >cases.jsonl
	timeout 5 wv-authorize -p x.yaml --test cases.jsonl
}

@test "the table: the family of secret paths (cases A7)" {
	run -0 --separate-stderr timeout 20 wv-authorize \
		-p "$top_srcdir/share/examples/secret-paths.yaml" \
		--test "$data/secret-paths.jsonl"
}

@test "a policy that is not understood is refused whole, with its place (cases D15 D17)" {
	bad() { # TEXT <RULE
		rules
		fails_with 2 "x.yaml:4:" wv-authorize --lint x.yaml
		[[ $stderr == *"$1"* ]] || { echo "$stderr"; return 1; }
	}
	bad safety <<<'- {effect: allow, match: {capability: [a], safety: [readonly]}}'
	bad safety <<<'- {effect: allow, match: {capability: [a], safety: []}}'
	bad safety <<<'- {effect: allow, match: {capability: [a], safety: read}}'
	bad risk <<<'- {effect: allow, match: {capability: [a], risk: [severe]}}'
	bad tags <<<'- {effect: allow, match: {capability: [a], tags: [""]}}'
	bad roles <<<'- {effect: allow, match: {capability: [a], roles: [1]}}'
	bad attributes <<<'- {effect: allow, match: {capability: [a], attributes: {}}}'
	bad attributes <<<'- {effect: allow, match: {capability: [a], attributes: {tenant: acme}}}'
	bad attributes <<<'- {effect: allow, match: {capability: [a], attributes: {tenant: []}}}'
	bad paths <<<'- {effect: allow, match: {capability: [a], paths: {/f: []}}}'
	bad signed <<<'- {effect: allow, match: {capability: [a]}, require: {signed: false}}'
	bad role <<<'- {effect: allow, match: {capability: [a], role: [admin]}}'
	bad tag <<<'- {effect: deny, unless: {tag: [x]}}'
	bad fields <<<'- {effect: allow, match: {capability: [a]}, obligations: {fields: [id]}}'
	bad max_row <<<'- {effect: allow, match: {capability: [a]}, obligations: {max_row: 3}}'
	bad 'asks for nothing' <<<'- {effect: deny, match: {x_note: later}}'
	bad 'asks for nothing' <<<'- {effect: allow, match: {capability: [a]}, unless: {x_note: later}}'
	bad capability <<<'- {effect: allow, match: {roles: [admin]}}'
	bad capability <<<'- {effect: allow, match: {capability: [a], capability: [b]}}'
	bad minimun <<<'- {effect: allow, match: {capability: [a], arguments: {properties: {k: {minimun: 1}}}}}'
	bad pattern <<<'- {effect: allow, match: {capability: [a], arguments: {properties: {k: {pattern: "("}}}}}'
}

@test "roles and attributes of an unsigned token do not count" {
	rules <<-'END'
		- {name: any, effect: allow, match: {capability: [a.x, a.free]}}
		- {name: admins, effect: allow, match: {capability: [a.y], roles: [admin]}}
		- {name: no interns, effect: deny, match: {roles: [intern]}, unless: {capability: [a.free]}}
	END
	# it says that it is an admin and no intern: that is not known
	echo '{"token_id":"t","principal":"p","scope":["a.*"],"issued_at":"2026-01-01T00:00:00Z","expires_at":"2099-01-01T00:00:00Z","metadata":{"roles":["admin"]}}' >token.json
	for id in a.x a.y a.free; do routed $id; done >in.jsonl
	decided --trust-unsigned in.jsonl
	[ "$codes" = 'indeterminate indeterminate allowed' ]
	[ "$(jq -r .metadata.x_wv_rule out.jsonl | xargs -d '\n')" = \
		'no interns no interns any' ]
	wv-token issue --principal p --scope 'a.*' --ttl 1h --roles admin >token.json
	decided in.jsonl
	[ "$codes" = 'allowed allowed allowed' ]
	wv-token issue --principal p --scope 'a.*' --ttl 1h --roles intern >token.json
	decided in.jsonl
	[ "$codes" = 'policy_deny policy_deny allowed' ]
}

@test "without a catalogue what it would say is not known" {
	rules <<-'END'
		- {name: reads, effect: allow, match: {capability: [a.x], safety: [read]}}
		- {name: any, effect: allow, match: {capability: [a.y, a.z]}}
		- {name: no net, effect: deny, match: {capability: [a.y], tags: [net]}}
	END
	wv-token issue --principal p --scope 'a.*' --ttl 1h >token.json
	for id in a.x a.y a.z; do routed $id; done >in.jsonl
	decided in.jsonl
	[ "$codes" = 'indeterminate indeterminate allowed' ]
	cat >tools.yaml <<-'END'
		version: 1
		tools:
		  - {capability: a.x, source: exec, command: ["true"], read_only: true}
		  - {capability: a.y, source: exec, command: ["true"]}
	END
	decided -c tools.yaml in.jsonl
	[ "$codes" = 'allowed allowed unknown_capability' ]
}

@test "the kernel's own files pass no rule, by whatever name" {
	rules <<-'END'
		- {name: all, effect: allow, match: {capability: [a.read], paths: {/file: ["/**"]}}}
		- {name: none the less, effect: allow, match: {capability: [a.read]}}
		- {name: free, effect: allow, match: {capability: [a.free]}}
	END
	wv-token issue --principal p --scope 'a.*' --ttl 1h >token.json
	wv-token keygen --kid k1 --keyring keyring.json
	ln -s "$WV_STATE" link
	ln -s link/audit.jsonl log
	ln "$WV_STATE/keys/k1.pem" hard
	ln token.json token.hard
	for file in "$WV_STATE" "$WV_STATE/audit.jsonl" "$WV_STATE/../state/stop" \
		"$WV_STATE/keys/k1.pem" "$PWD/link/keys/new.pem" "$PWD/log" \
		"$PWD/hard" "$PWD/token.json" "$PWD/token.hard" "$PWD/x.yaml" \
		"$PWD/keyring.json" "$PWD/%73tate/lock"; do
		routed a.read "{\"file\":\"$file\"}"
	done >in.jsonl
	decided --keyring keyring.json in.jsonl
	[ "$(sort -u <<<"${codes// /$'\n'}")" = policy_deny ]
	[ "$(wc -l <out.jsonl)" = 12 ]
	jq -e '.metadata.x_wv_rule == "all" and
		.reason == "rule \"all\" allows no path to the kernel'\''s own files"' \
		out.jsonl >/dev/null
	{
		routed a.read "{\"file\":\"$PWD/in.jsonl\"}"
		routed a.read "{\"file\":\"$PWD/statement\"}"
		# what is no path to any rule is not looked at
		routed a.free "{\"file\":\"$WV_STATE\"}"
	} >in.jsonl
	decided in.jsonl
	[ "$codes" = 'allowed allowed allowed' ]
}

@test "--lint: what can never match (cases D7)" {
	rules <<-'END'
		- {name: a, effect: allow, match: {capability: ["org..x", "a b", "x.*.", wv.none, fine.a]}}
		- {name: b, effect: allow, match: {capability: [fine.b], principal: [wv.unauthenticated, "p q"]}}
		- {name: c, effect: deny, match: {paths: {/f: [src/a, "*.txt", "/a/../b", /a/, //a, /a, "**/a", "*/a", /]}}}
		- {name: d, effect: allow, match: {capability: [fine.d], arguments: false}}
		- {name: e, effect: allow, match: {capability: [fine.e], arguments: {enum: []}}}
		- {name: f, effect: allow, match: {capability: [fine.f], arguments: {type: array}}}
		- {name: g, effect: deny, match: {arguments: {required: [k], properties: {k: {minimum: 5, maximum: 4.5}}}}}
		- {name: h, effect: allow, match: {capability: [fine.h], arguments: {required: [j], properties: {k: true}, additionalProperties: false}}}
		- {name: i, effect: allow, match: {capability: [fine.i, "fine.j.*"]}, unless: {capability: ["fine.**"]}}
		- {name: k, effect: allow, match: {capability: [fine.k], principal: [p]}, unless: {principal: [p, q]}}
	END
	lint 1
	told 'x.yaml:4:51: rule "a" can never match: no id looks like "org..x": it has an empty segment' \
		'x.yaml:4:61: rule "a" can never match: no id looks like "a b": it has the character U+0020' \
		'x.yaml:4:68: rule "a" can never match: no id looks like "x.*."' \
		'x.yaml:4:76: rule "a" can never match: nothing that is judged is called "wv.none"' \
		'x.yaml:5:' '"wv.unauthenticated"' '"p q"' \
		'x.yaml:6:' '"src/a"' '"*.txt"' '"/a/../b"' '"/a/"' '"//a"' \
		'rule "d" can never match: no value satisfies' \
		'rule "e" can never match: no value satisfies' \
		'rule "f" can never match: arguments are an object' \
		'rule "g" can never match: no value satisfies' \
		'rule "h" has a doubtful argument schema: needs "j"' \
		'x.yaml:12:' 'rule "i" never applies: it excepts all' \
		'rule "k" never applies: it excepts all'
	finds 18
}

@test "--lint: rules that others deny, or make needless" {
	rules <<-'END'
		- {name: shaded, effect: allow, match: {capability: [a.b.c, "a.d.*"], principal: [p]}}
		- {name: shade, effect: deny, match: {capability: ["a.**"]}}
		- {name: needless, effect: deny, match: {capability: ["a.*"], roles: [x]}, unless: {principal: [p]}}
		- {name: twin, effect: deny, match: {capability: ["a.**"]}}
		- {name: by safety, effect: deny, match: {capability: ["b.*"], safety: [write, destructive]}}
		- {name: shaded by safety, effect: allow, match: {capability: [b.x], safety: [write]}}
		- {name: by path, effect: deny, match: {capability: [c.x], paths: {/f: ["/a/**"]}}}
		- {name: shaded by path, effect: allow, match: {capability: [c.x], paths: {/f: ["/a/b/*"]}}}
	END
	lint 1
	told 'x.yaml:4:5: rule "shaded" never allows anything: "shade" denies it all' \
		'x.yaml:6:5: rule "needless" is not needed: "shade" denies it all' \
		'x.yaml:7:5: rule "twin" is not needed: "shade" denies it all' \
		'rule "shaded by safety" never allows anything: "by safety"' \
		'rule "shaded by path" never allows anything: "by path"' \
		'rule "needless" denies every unsigned token too'
	finds 6
	# narrower denies, and such as have conditions or exceptions of their own
	rules <<-'END'
		- {name: a, effect: allow, match: {capability: ["a.**"]}}
		- {name: b, effect: deny, match: {capability: ["a.*"]}}
		- {name: c, effect: allow, match: {capability: [c.x]}}
		- {name: d, effect: deny, match: {capability: [c.x], principal: [p]}}
		- {name: e, effect: deny, match: {capability: [c.*]}, unless: {principal: [q]}}
		- {name: f, effect: allow, match: {capability: [f.x], safety: [write, read]}}
		- {name: g, effect: deny, match: {capability: [f.x], safety: [write]}}
		- {name: h, effect: allow, match: {capability: [h.x], paths: {/f: ["/a/**"]}}}
		- {name: i, effect: deny, match: {capability: [h.x], paths: {/f: ["/a/*"]}}}
		- {name: j, effect: deny, match: {capability: [h.x], paths: {/g: ["/**"]}}}
		- {name: k, effect: deny, match: {capability: [h.x], tags: [t]}}
	END
	lint 0
	finds 0
}

@test "--lint: what lets more pass than it seems (cases A1 A3 D5)" {
	rules <<-'END'
		- {name: a, effect: allow, match: {capability: ["sh.git*", "sh.*x", "sh.git-*", "sh.*"]}}
		- {name: b, effect: allow, match: {capability: [b.x], principal: ["bob*"], tags: ["net*"], attributes: {site: ["eu*"]}, paths: {/f: ["/srv*", "/srv/*"]}}}
		- {name: c, effect: deny, match: {capability: ["z.rm*"]}}
		- {name: d, effect: allow, match: {capability: [d.x], arguments: {type: object, properties: {k: {type: object, properties: {l: true}}}}}}
		- name: e
		  effect: allow
		  match:
		    capability: [e.x]
		    arguments:
		      properties:
		        a: {pattern: '^git diff'}
		        b: {pattern: 'diff$'}
		        c: {pattern: '^a|b$'}
		        d: {pattern: '^a\$'}
		        e: {items: {pattern: a}}
		        f: {pattern: '^(a|b)[|$]$'}
		      additionalProperties: false
		- {name: f, effect: deny, match: {arguments: {properties: {k: {pattern: rm}}}}}
	END
	lint 1
	told 'x.yaml:4:51: rule "a" also means other words: "sh.git*" matches "sh.gitx"' \
		'"sh.*x" matches "sh.xx"' '"bob*" matches "bobx"' \
		'"net*" matches "netx"' '"eu*" matches "eux"' \
		'"/srv*" matches "/srvx"' \
		'x.yaml:7:' 'rule "d" lets any further argument pass' \
		'rule "d" lets any further member pass' \
		'x.yaml:14:' 'before or after "^git diff"' '"diff$"' '"^a|b$"' \
		'"^a\$"' 'before or after "a"'
	finds 13
}

@test "--lint: limits, families of secrets, what few will write (cases A7)" {
	rules <<-'END'
		- {name: a, effect: allow, match: {capability: [a.x]}, limit: {count: 1, per: 1s}}
		- {effect: allow, match: {capability: [b.x]}, limit: {count: 1, per: 1s, by: [principal]}}
		- {name: c, effect: allow, match: {capability: [c.x]}, require: {justification: 201}}
		- {name: d, effect: deny, match: {paths: {/f: ["**/*.env", "**/*.env.local"]}}}
		- {name: e, effect: deny, match: {attributes: {site: [x]}}}
		- {name: f, effect: deny, match: {paths: {/g: ["**/.env", "**/.env.*"]}}}
	END
	lint 1
	told 'x.yaml:4:65: rule "a" counts the calls of all principals together' \
		'x.yaml:5:' 'rule "rule-2" counts by a name that changes' \
		'x.yaml:6:' 'rule "c" asks for more than 200' \
		'x.yaml:7:' 'rule "d" denies "**/*.env" but not "**/*.env.bak"' \
		'x.yaml:8:' 'rule "e" denies every unsigned token too'
	finds 5
}

@test "--lint -c: what the catalogue does not have" {
	rules <<-'END'
		- {name: a, effect: allow, match: {capability: [org.fs.raed, "org.fs.*"]}}
		- {name: b, effect: allow, match: {capability: [org.fs.read], safety: [write]}}
		- {name: c, effect: allow, match: {capability: [org.risk.none], risk: [low]}}
		- {name: d, effect: deny, match: {capability: [org.risk.none], risk: [high]}}
		- {name: e, effect: deny, match: {tags: [nett]}}
		- {name: f, effect: deny, match: {tags: ["net.*"]}, unless: {capability: ["com.*"]}}
	END
	lint 1 -c "$data/tools.yaml" -c "$data/risk.jsonl"
	told 'x.yaml:4:51: rule "a" can never match: no capability of the catalogue is "org.fs.raed", did you mean "org.fs.read"?' \
		'x.yaml:5:37: rule "b" can never match: no capability of the catalogue is stated' \
		'rule "c" can never match' 'rule "e" can never match' \
		'rule "f" can never match: no capability of the catalogue is "com.*"'
	finds 5
	lint 0
	finds 0
}

@test "the examples are without findings" {
	for policy in policy policy-strict secret-paths; do
		run -0 --separate-stderr wv-authorize \
			--lint "$top_srcdir/share/examples/$policy.yaml" \
			-c "$top_srcdir/share/examples/tools.yaml"
		[ -z "$stderr" ]
	done
}
