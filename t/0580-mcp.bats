#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-call and the Model Context Protocol: a server of our own that behaves
# (fault/mcp-server.c), and one that does all that a server should not.

load lib
load mcp

setup_file() {
	export server="$BATS_FILE_TMPDIR/mcp-server"
	! command -v "${CC:-cc}" >/dev/null ||
		"${CC:-cc}" -D_GNU_SOURCE -O1 -o "$server" \
			"$BATS_TEST_DIRNAME/fault/mcp-server.c"
}

setup() {
	[ -x "$server" ] || skip "no C compiler"
	use_tools
}

teardown() {
	if [ -n "${background-}" ]; then
		kill -KILL "$background" 2>/dev/null || true
	fi
	no_servers
}

# none is left
no_servers() {
	local left
	left=$(grep -l -a -F "$server" /proc/[0-9]*/cmdline 2>/dev/null) || return 0
	echo "left: $left"
	return 1
}

# tool CAPABILITY NAME WORDS [MORE]: one more, of a server with these words
tool() {
	printf '  - {capability: org.demo.%s, source: mcp, tool: %s, server: {command: [%s%s]}%s}\n' \
		"$1" "$2" "$server" "${3:+, ${3// /, }}" "${4-, timeout: 10s}" >>tools.yaml
}

# said TEXT COUNT: how often wv-call said that to a server
said() {
	[ "$(grep -cF -- "$1" said)" = "$2" ] || {
		echo "want $2 times $1"
		cat said
		return 1
	}
}

@test "what tools say, from one server for all of them" {
	for name in echo add structured image linked environment pid big twice asks; do
		tool $name $name record=said
	done
	WV_SECRET=1 LD_X=1 decided echo '{"n":9223372036854775993,"m":1.10,"s":"a\u0000\n\""}' \
		structured '{"n":1.000000000000000000001}' image '{}' linked '{}' \
		environment '{}' pid '{}' pid '{}' twice '{}' twice '{}' asks '{}' \
		add '{"a":1,"b":2}' big '{}'
	calls 0
	[ "$(wc -l <out)" = 12 ]
	# numbers there and back, as they were written
	said '"params":{"name":"echo","arguments":{"n":9223372036854775993,"m":1.10,"s":"a\u0000\n\""}}' 1
	line 1 '"n":9223372036854775993,"m":1.10'
	line 2 '"structured_data":{"n":1.000000000000000000001}'
	line 3 '"media_type":"image/png","size_bytes":70'
	# a link is told and not followed
	line 4 '"uri":"file:///etc/hostname"'
	refute_line 4 "$(cat /etc/hostname)"
	refute_line 5 WV_SECRET
	refute_line 5 LD_X
	line 5 'PATH LANG '
	[ "$(sed -n 6p out | grep -o 'pid [0-9]*')" = "$(sed -n 7p out | grep -o 'pid [0-9]*')" ]
	# an answer that comes twice answers once
	line 8 first
	line 9 first
	# nothing is done for it but to answer
	line 10 'q0\",\"error\":{\"code\":-32601' 'q1\",\"error\":{\"code\":-32601' \
		'q2\",\"result\":{\"roots\":[]}' 'q3\",\"result\":{}' \
		'q4\",\"error\":{\"code\":-32601'
	line 11 '"a":1,"b":2'
	line 12 'handle_refs":["handle-' 'line 0 of a long text'
	# it was begun once, and listed once
	said '"method":"initialize"' 1
	said '"protocolVersion":"2025-11-25","capabilities":{}' 1
	said notifications/initialized 1
	said tools/list 1
	said tools/call 12
}

@test "a server that pages, notifies early, speaks an older version" {
	tool pages echo 'pages early version=2024-11-05'
	tool last pid 'pages early version=2024-11-05'
	tool batch batch version=2025-03-26
	decided pages '{"x":1}' last '{}' batch '{}'
	calls 0
	line 1 '"x":1'
	line 2 'pid '
}

@test "errors of tools: isError, JSON-RPC, with secrets; time-outs; late answers" {
	for name in fails refuses wrong echo hold; do
		tool $name $name record=said
	done
	tool hang hang record=said ', timeout: 200ms'
	decided fails '{}' refuses '{}' hang '{}' wrong '{"w":1}' echo '{"e":1}'
	calls 1
	fails 1 execution '"no disk; mail [REDACTED:email]"'
	fails 2 execution 'error -32000: not now: {\"password\":\"[REDACTED:password]\",\"retry\":1.50}'
	fails 3 timeout 'not done within 200 ms'
	line 3 '"retriable":true'
	# with other ids, as a string, as a fraction: not for it
	line 4 '"w":1'
	line 5 '"e":1'
	said '"method":"notifications/cancelled","params":{"requestId":5,"reason":"timed out"}' 1
	if grep -q hunter2 out err "$WV_STATE/audit.jsonl"; then
		false
	fi
	# what is answered first is not taken for what was asked first
	decided hold '{"h":1}' echo '{"e":2}'
	calls 0 -j 2
	line 1 'held back'
	line 2 '"e":2'
}

@test "servers that break the protocol, flood, die: each fails its call and the next" {
	for name in junk huge batch flood die; do
		tool $name $name $name
		tool $name-again echo $name
	done
	tool good echo
	decided junk '{}' junk-again '{}' huge '{}' batch '{}' flood '{}' die '{}' \
		die-again '{}' good '{"g":1}'
	calls 1
	fails 1 execution 'server: line 3 of its output cannot be read as JSON'
	fails 3 execution 'server: a message of more than 67108864 bytes'
	fails 4 execution 'server: line 3 of its output is no message of JSON-RPC 2.0'
	fails 5 execution 'server: more than 67108864 bytes that nobody asked for'
	fails 6 execution 'server: it ended: exit status 3: last words of [REDACTED:email]'
	line 8 '"g":1'
	# what was never active may not bring it back either
	fails 2 activation 'server: line 3 of its output cannot be read as JSON'
	fails 7 activation 'server: it ended: exit status 3'
	if grep -q ghp_ out err; then
		false
	fi
}

@test "an active tool of a dead server stays dead within its plan" {
	tool die die
	decided die '{}' die '{}'
	calls 1
	fails 1 execution 'it ended: exit status 3'
	fails 2 execution 'it ended: exit status 3'
}

@test "what cannot be activated, and why; the next call tries again" {
	tool dead echo 'dead record=said'
	tool mute echo mute ', timeout: 200ms'
	tool banner echo banner
	tool toolless echo toolless
	tool version echo version=1999-01-01
	tool loop echo loop
	tool endless echo endless
	tool missing nothing
	tool bad bad-schema
	printf '  - {capability: org.demo.none, source: mcp, tool: x, server: {command: [/does/not/exist]}}\n' >>tools.yaml
	decided dead '{}' dead '{}' mute '{}' banner '{}' toolless '{}' version '{}' \
		loop '{}' endless '{}' missing '{}' bad '{}' none '{}'
	calls 1 -j 4
	fails 1 activation 'server: it ended: exit status 7: no licence'
	fails 2 activation 'server: it ended: exit status 7: no licence'
	fails 3 activation 'the server is not ready within 200 ms'
	fails 4 activation 'server: line 1 of its output cannot be read as JSON'
	fails 5 activation 'server: initialize: it has no tools'
	fails 6 activation 'version \"1999-01-01\" of the protocol, not one of 2024-11-05 to 2025-11-25'
	fails 7 activation 'server: tools/list: a page that is its own next one'
	fails 8 activation 'server: tools/list: '
	fails 9 activation 'the server has no tool \"nothing\"; it has '
	fails 10 activation "the server's inputSchema of \\\"bad-schema\\\": "
	fails 11 activation /does/not/exist
}

@test "the schema that a server lists is checked besides the entry's" {
	tool add add record=said
	printf '  - {capability: org.demo.both, source: mcp, tool: add, server: {command: [%s, record=said]}, input_schema: {properties: {a: {maximum: 5}}}}\n' \
		"$server" >>tools.yaml
	decided add '{"a":"x","b":2}' add '{"a":1}' both '{"a":7,"b":1}' \
		both '{"a":1,"b":"x"}' both '{"a":1,"b":1}'
	calls 1
	fails 1 schema_validation 'arguments/a: '
	fails 2 schema_validation 'arguments: '
	fails 3 schema_validation 'arguments/a: '
	fails 4 schema_validation 'arguments/b: '
	line 5 '"a":1,"b":1'
	said tools/call 1
}

@test "annotations tighten, and never loosen" {
	tool echo echo record=said ', read_only: true'
	tool writer structured record=said ', read_only: true'
	tool destroyer fails record=said ', read_only: true'
	tool claims echo record=said ''
	decided echo '{"x":1}' writer '{}' destroyer '{}' claims '{}'
	calls 1 --read-only
	line 1 '"x":1'
	fails 2 access_denied 'read-only'
	fails 3 access_denied 'read-only'
	fails 4 access_denied 'read-only'
	said tools/call 1
}

# decisions in the course of which echo becomes another tool
changing() {
	decided echo '{"x":1}' change '{}' echo '{"x":2}' change '{}' change '{}'
}

@test "list_changed: looked at before the next call; what was checked is checked again" {
	tool echo echo record=said ', read_only: true'
	tool change change record=said ', read_only: true'
	changing
	calls 1 --read-only
	line 1 '"x":1'
	fails 3 access_denied 'read-only'
	line 4 '"structured_data":{}'
	said tools/list 3
	said tools/call 4
	# without the flag it is another tool, and runs
	changing
	calls 0
	line 3 '"x":2'
}

@test "--lock: a tool whose descriptor changes is denied, from then on" {
	tool echo echo record=said
	tool change change record=said
	run -0 --separate-stderr wv-call -T tools.yaml --lock lock.json --lock-write
	# one process for all of them
	said '"method":"initialize"' 1
	rm said
	changing
	calls 1 --lock lock.json
	line 1 '"x":1'
	line 3 '"decision":"deny"' '"x_wv_code":"tool_drifted"'
	line 4 '"structured_data":{}'
	said tools/call 4
	# a server that lists something else from the start
	sed -i 's/record=said/record=said, pages/' tools.yaml
	changing
	calls 1 --lock lock.json
	line 1 '"x_wv_code":"tool_drifted"'
}

@test "--discover --refresh asks each server once, whatever it has" {
	for name in echo add structured image linked; do
		tool $name $name record=said
	done
	timeout 60 wv-call -T tools.yaml --discover --refresh >out
	[ "$(wc -l <out)" = 5 ]
	said '"method":"initialize"' 1
	said tools/call 0
}

@test "stderr and logs of a server: under -v, cleaned and redacted" {
	tool logs logs
	decided logs '{"x":1}'
	calls 0
	[ "$(cat err)" = '' ]
	decided logs '{"x":1}'
	calls 0 -v
	told 'log of [REDACTED:email]' 'error of [REDACTED:email]'
	# of one that broke the protocol too
	tool junk junk loud
	decided junk '{}'
	calls 1 -v
	told 'stderr: hello'
	if grep -q ann@ out err; then
		false
	fi
}

@test "one that ends neither with its input nor of TERM is killed, and told" {
	tool echo echo 'stubborn child=child'
	decided echo '{"x":1}'
	calls 0
	line 1 '"x":1'
	# what it leaves behind, in a session of its own, goes too
	[ -s child ]
	[ ! -e "/proc/$(cat child)" ]
	told 'deactivate: the server did not end within 2000 ms of the end of its input'
}

# signalled WORD: TERM as soon as a server was told this
signalled() {
	mkfifo in
	env --default-signal=TERM wv-call -T tools.yaml <in >out 2>err 3>&- &
	background=$!
	exec 8>in
	cat d.jsonl >&8
	for _ in $(seq 200); do
		grep -qs "$1" said && break
		sleep 0.05
	done
	kill -TERM "$background"
	local status=0
	wait "$background" || status=$?
	exec 8>&-
	rm in
	[ "$status" = 143 ]
	fails 1 cancelled signal
	no_servers
}

@test "a signal in the middle of a call: cancelled, told, and nothing is left" {
	tool hang hang record=said
	decided hang '{}'
	signalled tools/call
	said '"method":"notifications/cancelled"' 1
}

@test "a signal in the middle of an activation: the same" {
	tool mute echo 'mute record=said'
	decided mute '{}'
	signalled initialize
}

@test "more output than is taken" {
	tool big big '' ', limits: {output: 1000}'
	tool most big ''
	decided big '{}' most '{}'
	calls 1 --max-output 5000
	fails 1 execution '1000 bytes'
	fails 2 execution '5000 bytes'
}
