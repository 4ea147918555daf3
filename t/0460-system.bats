#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# What the administrator fixes in SYSCONFDIR/wv/wv.yaml, and what a process
# that holds keys and tokens keeps to itself.  fault/sysconf.c puts a folder of
# the test in the place of SYSCONFDIR and says that it is root's.

load lib

setup_file() {
	command -v "${CC:-cc}" >/dev/null || skip "no C compiler"
	export shim="$BATS_FILE_TMPDIR/sysconf.so"
	"${CC:-cc}" -D_GNU_SOURCE -shared -fPIC -O1 -o "$shim" \
		"$BATS_TEST_DIRNAME/fault/sysconf.c" -ldl
	# where the tools look is compiled in
	sysconf=$(tr '\0' '\n' <"$(command -v wv-call)" |
		LC_ALL=C grep -ax '/.*/wv/wv\.yaml' | head -n 1)
	export sysconf
	[ -n "$sysconf" ]
}

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	here=$(pwd -P)
	under=(env LD_PRELOAD="$shim" WV_SYSCONF_OF="${sysconf%/wv/wv.yaml}"
		WV_SYSCONF_TO="$here/etc"
		ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS")
	mkdir -m 755 etc etc/wv
	cat >policy.yaml <<-'END'
		version: 1
		default: deny
		rules: [{name: all, effect: allow, match: {capability: ["org.demo.**"]}}]
	END
	cat >tools.yaml <<-END
		version: 1
		tools:
		  - {capability: org.demo.x, source: exec, command: [touch, $here/ran]}
	END
	printf '{"id":"rd-1","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d","capability_id":"org.demo.x"}]}],"selected_item_id":"i","timestamp":"2026-01-01T00:00:00Z"}\n' >request.jsonl
}

teardown() {
	if [ -n "${background-}" ]; then
		kill -KILL "$background" 2>/dev/null || true
	fi
}

# fixed <LINES: wv.yaml says so
fixed() {
	{ echo 'version: 1'; cat; } >etc/wv/wv.yaml
	chmod 644 etc/wv/wv.yaml
}

# under [NAME=VALUE…] COMMAND…: with etc/ for SYSCONFDIR
under() {
	"${under[@]}" "$@"
}

# refused TEXT COMMAND…: status 2 with that message, no output
refused() {
	fails_with 2 "$1" "${under[@]}" "${@:2}"
	[ -z "$output" ]
}

has_sanitizer() {
	nm "$(command -v wv-call)" 2>/dev/null | grep -q __asan_init
}

refute() {
	if "$@"; then
		echo "should have failed: $*"
		return 1
	fi
}

@test "no file, no folder, no SYSCONFDIR: everything is free" {
	under wv-token issue --principal a --scope 'org.demo.*' --ttl 1h >token.json
	rmdir etc/wv
	under wv-authorize -p policy.yaml -k token.json request.jsonl >d.jsonl
	# what we do not use is not ours to judge
	chmod 777 etc
	under wv-call d.jsonl -- touch ran
	[ -e ran ]
	rmdir etc
	under wv-trace verify
	[ -e "$WV_STATE/audit.jsonl" ]
}

@test "the state: fixed, the same said again, another" {
	export WV_STATE=
	fixed <<<"state: $here/fixed"
	under wv-token issue --principal a --scope 'org.demo.*' --ttl 1h >token.json
	[ -e fixed/kernel.db ]
	under wv-trace verify --state "$here/fixed"
	WV_STATE=$here/fixed under wv-trace verify
	wv-token init --state "$here/other"
	for tool in 'wv-trace verify' 'wv-token revoke t' \
		'wv-authorize -p policy.yaml -k token.json request.jsonl' \
		'wv-call -T tools.yaml request.jsonl' 'wv-firewall --keep request.jsonl'; do
		refused "fixes \"$here/fixed\"" $tool --state "$here/other"
		refused "WV_STATE is \"$here/other\"" \
			env WV_STATE="$here/other" $tool
		refused 'is empty' $tool --state ''
	done
	# where the state would be by default does not count either
	XDG_STATE_HOME=$here/other under wv-token revoke t
	refute [ -e other/wv ]
}

@test "policy, catalogue, keyring, tools, lock: fixed, and tightened only" {
	wv-token issue --principal a --scope 'org.demo.*' --ttl 1h >token.json
	printf 'version: 1\nrules: [{effect: allow, match: {capability: ["**"]}}]\n' >loose.yaml
	sed s/ran/ran2/ tools.yaml >other.yaml
	wv-call -T tools.yaml --lock lock.json --lock-write
	wv-call -T other.yaml --lock loose.json --lock-write
	echo '{"keys":[]}' >keyring.json
	fixed <<-END
		policy: $here/policy.yaml
		catalog: [$here/tools.yaml]
		keyring: $here/keyring.json
		tools: $here/tools.yaml
		lock: $here/lock.json
	END
	under wv-authorize -k token.json request.jsonl >d.jsonl
	grep -q '"decision":"allow"' d.jsonl
	grep -q x_wv_tool_sha256 d.jsonl
	under wv-authorize -p "$here/policy.yaml" -c "$here/tools.yaml" \
		-k token.json request.jsonl >d2.jsonl
	refused '--policy is "loose.yaml"' wv-authorize -p loose.yaml -k token.json request.jsonl
	refused 'WV_POLICY is "loose.yaml"' env WV_POLICY=loose.yaml wv-authorize -k token.json request.jsonl
	refused fixes wv-authorize -c other.yaml -k token.json request.jsonl
	refused fixes env WV_CATALOG=other.yaml wv-authorize -k token.json request.jsonl
	refused fixes wv-authorize --keyring other.json -k token.json request.jsonl
	refused fixes env WV_KEYRING=other.json wv-authorize -k token.json request.jsonl
	refused '--tools is "other.yaml"' wv-call -T other.yaml d.jsonl
	refused 'WV_TOOLS is "other.yaml"' env WV_TOOLS=other.yaml wv-call d.jsonl
	refused '--lock is "loose.json"' wv-call --lock loose.json d.jsonl
	refused 'fixes the tools' wv-call d.jsonl -- touch "$here/ran"
	# what may be a COMMAND is none without -T, and never runs
	refused 'fixes the tools' wv-call -- touch "$here/ran"
	refute [ -e ran ]
	refute [ -e ran2 ]
	# nothing of it was consumed
	under wv-call --read-only d2.jsonl >frame.jsonl || [ $? = 1 ]
	grep -q access_denied frame.jsonl
	under wv-call d.jsonl
	[ -e ran ]
	# the lock counts: the tools file has changed behind its back
	under wv-authorize -k token.json request.jsonl >d.jsonl
	sed -i s/ran/ran3/ tools.yaml
	run -1 under wv-call d.jsonl
	[[ $output == *'"x_wv_code":"tool_drifted"'* ]]
	refute [ -e ran3 ]
}

@test "wv-flow starts the kernel that is fixed, and no other" {
	wv-token issue --principal a --scope 'org.demo.*' --ttl 1h >token.json
	cat >flow.yaml <<-'END'
		version: 1
		name: one
		steps: [{id: s, capability: org.demo.x}]
	END
	cp tools.yaml other.yaml
	fixed <<-END
		state: $WV_STATE
		policy: $here/policy.yaml
		tools: $here/tools.yaml
	END
	under env WV_STATE= wv-flow flow.yaml -k token.json --input '{}' >frame.jsonl
	[ -e ran ]
	grep -q flow_completed "$WV_STATE/audit.jsonl"
	# the catalogue is the tools file: the decision names the descriptor
	refused fixes wv-flow flow.yaml -T other.yaml -k token.json --input '{}'
	refused fixes wv-flow flow.yaml -p other.yaml -k token.json --input '{}'
	refused fixes wv-flow flow.yaml --state other -k token.json --input '{}'
	refused 'fixes the kernel' wv-flow flow.yaml --kernel 'cat' --input '{}'
}

@test "require_signed: an issued token is not enough, nor --trust-unsigned" {
	wv-token keygen --kid k1 --keyring "$here/keyring.json"
	issue=(wv-token issue --principal a --scope 'org.demo.*' --ttl 1h)
	"${issue[@]}" >token.json
	"${issue[@]}" --sign k1 >signed.json
	wv-authorize -p policy.yaml -k token.json request.jsonl >before.jsonl
	fixed <<-END
		keyring: $here/keyring.json
		require_signed: true
	END
	run -1 under wv-authorize -p policy.yaml -k token.json request.jsonl
	[[ $output == *'"x_wv_code":"signature_required"'* ]]
	run ! under wv-authorize -p policy.yaml -k token.json --trust-unsigned request.jsonl
	[[ $output != *'"decision":"allow"'* ]]
	# a decision of before is held to it too
	run -1 under wv-call before.jsonl -- touch ran
	[[ $output == *'"x_wv_code":"signature_required"'* ]]
	refused 'requires signed tokens' wv-call --trust-unsigned before.jsonl -- touch ran
	refute [ -e ran ]
	under wv-authorize -p policy.yaml -k signed.json request.jsonl >d.jsonl
	grep -q '"x_wv_trust":"signed"' d.jsonl
	under wv-call d.jsonl -- touch ran
	[ -e ran ]
	# nobody is asked for more where it is not fixed
	fixed <<<'require_signed: false'
	under wv-call before.jsonl -- true
}

@test "a file that cannot be trusted, read or understood is 2, and nothing is done" {
	export WV_STATE=$here/state
	file=$here/etc/wv/wv.yaml
	tools=('wv-token init' 'wv-trace verify' 'wv-flow --kernel cat flow.yaml --input {}')
	refused_by_all() {
		for tool in "${tools[@]}"; do
			refused "$@" $tool
		done
		refute [ -e state ]
		tools=('wv-token init') # one speaks for all
	}
	printf 'version: 1\nname: one\nsteps: [{id: s, capability: a.b}]\n' >flow.yaml
	fixed <<<'stat: /x'
	refused_by_all 'wv.yaml:2:7: /stat: unknown member "stat" (did you mean "state"?)'
	fixed <<<'state: relative'
	refused_by_all 'wv.yaml:2:8: /state'
	fixed <<<'state: [/a]'
	refused_by_all 'wv.yaml:2:'
	fixed <<<'catalog: []'
	refused_by_all 'wv.yaml:2:'
	fixed <<<'require_signed: "true"'
	refused_by_all 'wv.yaml:2:'
	fixed <<<'require_signed: yes'
	refused_by_all 'wv.yaml:2:'
	fixed <<<$'state: /a\nstate: /b'
	refused_by_all 'wv.yaml:3:'
	fixed <<<'state: [/a'
	refused_by_all 'wv.yaml:'
	for text in '' 'state: /a' 'version: 2' '[]' $'version: 1\n---\nversion: 1'; do
		printf '%s\n' "$text" >"$file"
		refused_by_all 'wv.yaml:'
	done
	head -c 70000 /dev/zero | tr '\0' '#' >"$file"
	refused_by_all 'more than 65536 bytes'

	fixed </dev/null
	refused 'belongs to user 7, not to root' WV_SYSCONF_UID=7 wv-token init
	refused 'wv: Permission denied' WV_SYSCONF_NOT=wv wv-token init
	refused 'wv.yaml: Permission denied' WV_SYSCONF_NOT=wv.yaml wv-token init
	for path in etc etc/wv etc/wv/wv.yaml; do
		chmod g+w $path
		refused_by_all "others than root can write to ${sysconf%/wv/wv.yaml}${path#etc}"
		chmod g-w,o+w $path
		refused_by_all 'others than root can write'
		chmod o-w $path
	done
	mv etc/wv/wv.yaml real.yaml
	ln -s "$here/real.yaml" etc/wv/wv.yaml
	refused_by_all 'wv.yaml is a symbolic link'
	rm etc/wv/wv.yaml
	mkdir etc/wv/wv.yaml
	refused_by_all 'not a regular file'
	rmdir etc/wv/wv.yaml
	# it must not wait for a writer
	mkfifo etc/wv/wv.yaml
	refused_by_all 'not a regular file'
	mv etc/wv moved
	ln -s "$here/moved" etc/wv
	refused_by_all '/wv is a symbolic link'
	rm etc/wv
	: >etc/wv
	refused_by_all '/wv is not a folder'
	rm etc/wv
	under wv-token init
}

@test "its page and its schema name the same members" {
	cd "$top_srcdir"
	sed -n '/"properties"/,/patternProperties/s/^    "\([a-z_]*\)": {$/\1/p' \
		schemas/config/system.schema.json | sort >"$BATS_TEST_TMPDIR/schema"
	sed -n 's/^\.It Ic \([a-z_]*\) :.*/\1/p' doc/wv.yaml.5 | sort \
		>"$BATS_TEST_TMPDIR/page"
	[ -s "$BATS_TEST_TMPDIR/schema" ]
	diff -u "$BATS_TEST_TMPDIR/schema" "$BATS_TEST_TMPDIR/page"
}

# waiting COMMAND…: started without capabilities (root's reach everywhere), it
# has answered one record and waits for the next
waiting() {
	free=()
	[ "$(id -u)" != 0 ] || free=(setpriv --bounding-set=-all --inh-caps=-all)
	rm -f in out
	mkfifo in
	"${free[@]}" "$@" <in >out 2>err 3>&- &
	background=$!
	exec 8>in
	cat request.jsonl >&8
	for _ in $(seq 200); do
		[ ! -s out ] || return 0
		sleep 0.05
	done
	cat err
	return 1
}

# cores are as unlimited as they may be, and so in what it starts
@test "a process with tokens: no other of its user looks into it" {
	! has_sanitizer || skip "a sanitizer traces itself"
	wv-token issue --principal a --scope 'org.demo.*' --ttl 1h >token.json
	# one that is not ours shows that the test can see
	waiting sh -c 'read -r line; echo "$line"; read -r line'
	"${free[@]}" cat /proc/$background/environ >/dev/null
	exec 8>&-
	wait "$background" || true
	waiting wv-authorize -p policy.yaml -k token.json
	for file in environ mem maps; do
		refute "${free[@]}" head -c 1 /proc/$background/$file >/dev/null 2>&1
	done
	exec 8>&-
	wait "$background"
	background=
}

# dies SIGNAL: of it, without a core file
dies() {
	local status=0
	waiting wv-authorize -p policy.yaml -k token.json
	kill -s "$1" "$background"
	{ wait "$background" || status=$?; } 2>/dev/null
	exec 8>&-
	background=
	[ $status = $((128 + $(kill -l "$1"))) ]
	[ -z "$(find . -name '*core*')" ]
}

@test "no core file, whatever the limit" {
	! has_sanitizer || skip "a sanitizer traces itself"
	ulimit -S -c "$(ulimit -H -c)"
	wv-token issue --principal a --scope 'org.demo.*' --ttl 1h >token.json
	dies ABRT
	dies SEGV
	# what is executed is ordinary again
	wv-authorize -p policy.yaml -k token.json request.jsonl >d.jsonl
	wv-call d.jsonl -- sh -c 'cat /proc/$$/environ'
}

@test "libcrypto reads no configuration" {
	# whoever opened it would wait for a writer
	mkfifo openssl.cnf
	export OPENSSL_CONF=$here/openssl.cnf OPENSSL_MODULES=$here
	timeout 20 wv-token keygen --kid k1 --keyring keyring.json
	timeout 20 wv-token issue --principal a --scope 'org.demo.*' --ttl 1h \
		--sign k1 >token.json
	timeout 20 wv-authorize -p policy.yaml -k token.json \
		--keyring keyring.json request.jsonl >d.jsonl
	grep -q '"x_wv_trust":"signed"' d.jsonl
	timeout 20 wv-call d.jsonl -- true
	timeout 20 wv-validate --check -t capability_token --keyring keyring.json token.json
}

@test "no secret in messages, answers, log or store" {
	export WV_STATE=$here/state
	said() { "$@" >>said 2>&1 || true; }
	said wv-token keygen --kid k1 --keyring keyring.json
	wv-token issue --principal a --scope 'org.demo.*' --ttl 1h >token.json
	wv-token issue --principal a --scope 'org.demo.*' --single-use --sign k1 \
		>signed.json
	for token in token.json signed.json; do
		wv-token verify -v --keyring keyring.json $token 2>>said >passed
		wv-authorize -v --explain -p policy.yaml -k $token \
			--keyring keyring.json request.jsonl >d.jsonl 2>>said
		cat d.jsonl >>said
		said wv-authorize -v --explain -p policy.yaml -k $token \
			--keyring keyring.json request.jsonl
		said wv-call -v d.jsonl -- sh -c 'env; cat /proc/$PPID/environ; cat /proc/$PPID/cmdline'
		said wv-call -v d.jsonl -- true
		sed 's/"scope"/"scopes"/' $token >bad.json
		said wv-authorize -v --explain -p policy.yaml -k bad.json request.jsonl
		sed 's/"a"/"b"/' $token >bad.json
		said wv-authorize -v --explain -p policy.yaml -k bad.json request.jsonl
		head -c 300 $token >bad.json
		said wv-authorize -v -p policy.yaml -k bad.json request.jsonl
		said wv-token revoke "$(jq -r .token_id $token)"
	done
	# a private key that is not as it should be is not quoted
	cp "$WV_STATE/keys/k1.pem" k1.pem
	chmod 644 "$WV_STATE/keys/k1.pem"
	said wv-token issue --principal a --scope a.b --ttl 1h --sign k1
	chmod 600 "$WV_STATE/keys/k1.pem"
	sed -i 's/^M/N/' "$WV_STATE/keys/k1.pem"
	said wv-token issue --principal a --scope a.b --ttl 1h --sign k1
	cp k1.pem "$WV_STATE/keys/k1.pem"
	said wv-trace
	said wv-trace verify
	[ -s said ]
	{
		jq -r .metadata.x_wv_nonce token.json signed.json
		grep -v -- ----- k1.pem
		od -An -v -tx1 "$WV_STATE/keys/digest.key" | tr -d ' \n'
		echo
	} >secrets
	[ "$(wc -l <secrets)" -ge 4 ]
	refute grep -q -e null -e '^$' secrets
	refute grep -F -f secrets said
	rm -rf "$WV_STATE/keys"
	refute grep -raF -f secrets "$WV_STATE"
}

# Whoever could time a comparison with what he sends could guess it.
@test "digests, nonces and signatures are compared in constant time" {
	cd "$top_srcdir"
	# Not secret, nor from outside: tables of names, the chain of the log,
	# whose hashes stand in it, what a run's journal has of its flow, and
	# words that only have such a name.
	allowed='^(common/base/hash|common/json/names|common/kernel/audit)\.c:'
	allowed+='|^(common/firewall/summarize-tally|cmd/wv-firewall/judge)\.c:'
	allowed+='|^cmd/wv-trace/|^cmd/wv-validate/'
	allowed+='|^common/contract/registry\.c:|^cmd/wv-flow/resume\.c:'
	allowed+='|^cmd/wv-answer/identity\.c:'
	allowed+='|strcmp\((algorithm|alg|check), "'
	run -0 awk '
		FNR == 1 { statement = "" }
		{ sub(/^[ \t]+/, ""); statement = statement " " $0 }
		/[;{}]|\*\// {
			if (statement ~ /(^|[^a-z_])(mem|str|strn|strcase|strncase|b)cmp *\(/ &&
			    tolower(statement) ~ /digest|nonce|signature|[^a-z]sig[^a-z]|hmac|sha256|hash|fingerprint/)
				print FILENAME ":" FNR ":" statement
			statement = ""
		}' common/*/*.[ch] cmd/*/*.[ch]
	[ -n "$output" ]
	refute grep -vE "$allowed" <<<"$output"
}
