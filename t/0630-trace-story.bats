#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-trace explain, bundle and otel: what the log tells of one thing, to
# people, to auditors and to a collector.

load lib
load call

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	data="$top_srcdir/t/data/trace"
	log="$data/story.jsonl"
}

# tells ID [OPTION…]: its story in the made log is that of the file
tells() {
	local want=$1
	shift
	timeout 20 wv-trace explain "$@" 2>err | diff - "$data/story-$want.txt"
}

# What ran, and was refused: a call whose output is kept and read again, one
# that is denied, one that fails.  Made once; its records are in the file all.
setup_file() {
	mkdir "$BATS_FILE_TMPDIR/history"
	cd "$BATS_FILE_TMPDIR/history"
	export WV_STATE="$PWD/state"
	cat >policy.yaml <<-'END'
	version: 1
	rules:
	- {name: all, effect: allow, match: {capability: ["org.demo.**", "wv.handle.resolve"]}}
	- {name: never, effect: deny, match: {capability: ["org.demo.no"]}}
	END
	tools <<-'END'
	- {capability: org.demo.many, source: exec, command: [sh, -c, 'echo mail bob@example.com; seq 5000', --, '{word}']}
	- {capability: org.demo.bad, source: exec, command: [sh, -c, 'echo no >&2; exit 3']}
	- {capability: wv.handle.resolve, source: builtin}
	END
	wv-token issue --principal agent-1 --scope 'org.demo.*' \
		--scope wv.handle.resolve --ttl 1h >token.json
	routed many '{"word":"hunter2hunter2"}' >routed
	routed no >>routed
	routed bad >>routed
	wv-authorize -p policy.yaml -k token.json routed >decided || [ $? = 1 ]
	wv-call -T tools.yaml decided >framed 3>&- || [ $? = 1 ]
	jq -r '.handle_refs[0]? // empty' framed >handle
	routed wv.handle.resolve "{\"handle_id\":\"$(cat handle)\",\"head\":2}" >routed4
	wv-authorize -p policy.yaml -k token.json routed4 >decided4
	wv-call -T tools.yaml decided4 >framed4 3>&-
	cat routed decided framed routed4 decided4 framed4 >all
	unset WV_STATE
}

# a copy of that
use_history() {
	cp -a "$BATS_FILE_TMPDIR/history/." .
	handle=$(cat handle)
}

# routed NAME [ARGUMENTS]: a RoutingDecision rd-NAME
routed() {
	local capability=org.demo.$1
	[[ $1 != *.* ]] || capability=$1
	printf '{"id":"rd-%s","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d","capability_id":"%s"}]}],"selected_item_id":"i","timestamp":"2026-01-01T00:00:00Z","metadata":{"x_wv_arguments":%s}}\n' \
		"$1" "$capability" "${2:-{\}}"
}

# bundles STATUS ARG…: into the file bundle, messages in err
bundles() {
	local want=$1 status=0
	shift
	timeout 20 wv-trace bundle "$@" >bundle 2>err </dev/null || status=$?
	[ "$status" = "$want" ] || {
		echo "status $status, not $want"
		cat err
		return 1
	}
}

# spans: those of otel's output on stdin, one a line
spans() {
	jq -c '.resourceSpans[].scopeSpans[].spans[]'
}

@test "explain: the story of a decision, a run, a token" {
	tells dec-1 dec-1 "$log"
	told 'story.jsonl:16:40: incomplete'
	tells run-1 run-1 "$log"
	tells tok-1 tok-1 "$log"
}

@test "explain: what a decision made has its story" {
	for id in frm-1 handle-1 evt-9; do
		diff <(wv-trace explain "$id" "$log" 2>/dev/null | sed 1d) \
			<(sed 1d "$data/story-dec-1.txt")
	done
	run -0 --separate-stderr wv-trace explain frm-1 "$log"
	[ "${lines[0]}" = 'frame frm-1' ]
	run -0 --separate-stderr wv-trace explain rd-1 "$log"
	[ "${lines[0]}" = 'request rd-1' ]
	[[ $output == *'denied: decision_consumed'* ]]
	run -0 --separate-stderr wv-trace explain 22222222222222222222222222222222 "$log"
	[ "${lines[0]}" = 'trace 22222222222222222222222222222222' ]
	[ "$(grep -c '^2026' <<<"$output")" = 8 ]
}

@test "explain: a narrowed token ends with its key, not by what came before" {
	run -0 --separate-stderr wv-trace explain tok-2 "$log"
	[[ $output == *'all tokens that key k1 signed were revoked'* ]]
	[[ $output != *'all tokens of'* ]]
	run -0 --separate-stderr wv-trace explain dec-7 "$log"
	[[ $output == *'all tokens of agent-2 were revoked that were issued before 2026-01-01T00:14:30.001Z'* ]]
}

@test "explain: what another system says is shown as such, and leads nowhere" {
	run -0 --separate-stderr wv-trace explain evt-27 "$log"
	[ "${#lines[@]}" = 4 ]
	[ "${lines[1]}" = '2026-01-01T00:02:59.000Z  [org.other] org.other ran for eve\x1b[31m: success' ]
	[[ ${lines[3]} == *'so says org.other; this kernel knows nothing of it' ]]
	run -0 --separate-stderr wv-trace explain evt-27 -f json "$log"
	jq -e '.story[0].source == "org.other"' <<<"$output"
}

@test "explain, otel: secrets in a file that is not the kernel's stay out" {
	local secret=ghp_0123456789abcdefghijABCDEFGHIJ456789
	printf '{"event_id":"evt-1","event_type":"capability_executed","timestamp":"2026-01-01T00:00:00Z","decision_id":"dec-1","principal":"eve@example.org","outcome":"failure","error_message":"Bearer %s","metadata":{"x_wv_code":"failed","note":"%s"}}\n' \
		$secret $secret >theirs
	wv-trace explain dec-1 theirs >text
	wv-trace explain dec-1 -f json theirs >json
	wv-trace otel theirs >otel
	for out in text json otel; do
		grep -q 'REDACTED:' $out
		grep -q 'eve@example.org' $out
		run -1 grep ghp_ $out
	done
	# a query is what stands there
	wv-trace theirs | cmp - theirs
}

@test "explain -f json: the events and their texts" {
	run -0 --separate-stderr wv-trace explain dec-3 -f json "$log"
	[ "${#lines[@]}" = 1 ]
	jq -e '.id == "dec-3" and .kind == "decision" and .complete
		and ([.story[].event.event_id] ==
			["evt-2", "evt-3", "evt-13", "evt-16", "evt-17", "evt-25"])
		and (.story[3].text[0] == "agent-1 asked for org.demo.count")' \
		<<<"$output"
	jq -c '.story[3].event' <<<"$output" | diff - <(sed -n 17p "$log")
}

@test "explain: standard input, a pipe, compressed files and several, twice" {
	tells dec-1 dec-1 - <"$log"
	cat "$log" | tells dec-1 dec-1 -
	tells dec-1 dec-1 <(cat "$log")
	gzip -c "$log" >log.gz
	tells dec-1 dec-1 log.gz
	head -n 16 "$log" >one
	tail -n +17 "$log" >two
	wv-trace explain dec-1 one two 2>/dev/null | diff - "$data/story-dec-1.txt"
}

@test "explain: an id that nothing names is 1, with one of its kind" {
	fails_with 1 'nothing names dec-11; did you mean dec-1?' \
		wv-trace explain dec-11 "$log"
	[ -z "$output" ]
	fails_with 1 'nothing names handle-11; did you mean handle-1?' \
		wv-trace explain handle-11 "$log"
	fails_with 1 'did you mean 11111111111111111111111111111111?' \
		wv-trace explain 11111111111111111111111111111112 "$log"
	run -1 --separate-stderr wv-trace explain deb-1 "$log"
	[[ $stderr == *'nothing names deb-1' ]]
	run -1 --separate-stderr wv-trace explain dec "$log"
	[[ $stderr != *'did you mean'* ]]
}

@test "explain: misuse, an empty log, no state" {
	fails_with 2 'give an ID' wv-trace explain
	fails_with 2 'did you mean' wv-trace explain x -f jsn
	fails_with 2 'no records' wv-trace explain x /dev/null
	run -0 --separate-stderr wv-trace explain --allow-empty x /dev/null
	fails_with 2 'there is no state' wv-trace explain dec-1
	fails_with 2 'cannot open it' wv-trace explain dec-1 gone
}

@test "explain: a story has a limit, and says so" {
	fails_with 2 'the story has more than 3 events (--limit)' \
		wv-trace explain -n 3 run-1 "$log"
	[ "$(grep -c '^2026' <<<"$output")" = 3 ]
	run -2 --separate-stderr wv-trace explain -n 3 -f json run-1 "$log"
	jq -e '.complete == false' <<<"$output"
	tells run-1 -n 22 run-1 "$log"
}

@test "explain: tokens have so many ancestors, and no more" {
	local i
	for i in $(seq 40); do
		printf '{"event_id":"e%d","event_type":"token_issued","timestamp":"2026-01-01T00:00:00Z","principal":"p","metadata":{"x_wv_token_id":"t%d","x_wv_parent":"t%d"}}\n' \
			"$i" "$i" $((i - 1))
	done >deep
	run -0 --separate-stderr wv-trace explain t20 deep
	[ "$(grep -c '^2026' <<<"$output")" = 21 ]
	fails_with 2 'tokens were narrowed from each other too often' \
		wv-trace explain t40 deep
}

@test "explain: a malformed line is told once and makes it 2" {
	{
		cat "$log"
		echo 'nonsense'
		echo '{"event_id":"evt-30"}'
		echo '{"event_id":"evt-31","event_type":"what","timestamp":"2026-01-01T00:00:00Z","decision_id":"dec-1"}'
	} >bad
	run -2 --separate-stderr wv-trace explain dec-1 bad
	diff <(printf '%s\n' "$output") "$data/story-dec-1.txt"
	[ "$(grep -c 'bad:30:1: ' <<<"$stderr")" = 1 ]
	[ "$(grep -c 'bad:31:1: not a TraceEvent: needs event_type' <<<"$stderr")" = 1 ]
	[ "$(grep -c 'bad:32:1: not a TraceEvent' <<<"$stderr")" = 1 ]
	printf '{"event_id":"evt-3' | cat "$log" - >cut
	run -2 --separate-stderr wv-trace explain dec-1 cut
	[[ $stderr == *'cut:30:1: incomplete last line'* ]]
}

@test "explain: a real history" {
	use_history
	run -0 wv-trace explain "$(jq -r .decision_id decided | head -n 1)"
	[[ $output == *"token $(jq -r .token_id token.json) was issued to agent-1"* ]]
	[[ $output == *'agent-1 asked for org.demo.many'* ]]
	[[ $output == *'request rd-many, arguments word, token tok-'* ]]
	[[ $output == *'allowed by rule "all": decision dec-'* ]]
	[[ $output == *'org.demo.many ran for agent-1: success'* ]]
	[[ $output == *', gave 23914 bytes'* ]]
	[[ $output == *'the firewall redacted 1 email'* ]]
	[[ $output == *"the whole output was kept: Handle $handle"* ]]
	[[ $output == *'23914 bytes of text/plain, until 20'* ]]
	[[ $output == *"agent-1 read Handle $handle"* ]]
	[[ $output != *hunter2* && $output != *bob@* ]]
	run -0 wv-trace explain rd-no
	[[ $output == *'denied: policy_deny: rule "never" denies it'* ]]
	run -0 wv-trace explain rd-bad
	[[ $output == *'ran for agent-1: failure: execution: exit status 3'* ]]
	run -0 wv-trace explain "$(jq -r .metadata.telemetry.trace_id framed | tail -n 1)"
	[ "$(grep -c '^20' <<<"$output")" = 3 ]
}

@test "explain, bundle, otel: rotated segments are one log with the live one" {
	use_history
	local events
	wv-trace explain rd-many >want
	events=$(wc -l <"$WV_STATE/audit.jsonl")
	wv-trace rotate >/dev/null
	wv-token issue --principal agent-2 --scope org.demo.x --ttl 1h >/dev/null
	gzip "$WV_STATE/audit.jsonl.1"
	wv-trace explain rd-many | diff - want
	bundles 0 rd-many all
	[ "$(wv-trace otel | spans | wc -l)" = $((events + 1)) ]
}

@test "explain: byte for byte on a state for tests" {
	wv-token init --test --now 2026-01-01T00:00:00Z
	printf 'version: 1\nrules: [{name: none, effect: deny, match: {capability: ["org.demo.x"]}}]\n' >policy.yaml
	WV_IDS=seq:1 wv-token issue --now 2026-01-01T00:00:00Z \
		--principal agent-1 --scope org.demo.x --ttl 1h >token.json
	routed x '{"a":1,"b":2}' >routed
	WV_IDS=seq:10 run -1 wv-authorize -p policy.yaml \
		-k token.json --now 2026-01-01T00:00:01Z routed
	cat >want <<-'END'
	request rd-x
	2026-01-01T00:00:00.000Z  token tok-00000000000000000000000001 was issued to agent-1
	                          for org.demo.x
	2026-01-01T00:00:01.000Z  agent-1 asked for org.demo.x
	                          request rd-x, arguments a, b, token tok-00000000000000000000000001
	                          denied: policy_deny: rule "none" denies it
	                          rule "none", decision dec-00000000000000000000000010
	END
	wv-trace explain rd-x | diff - want
}

@test "bundle: one request, valid, arguments as digests" {
	use_history
	bundles 0 rd-many all
	wv-validate -t trace_bundle --check --strict bundle
	jq -e '(.policy_decisions | length == 1) and (.frames | length == 1)
		and (.trace_events | map(.event_type)) == ["capability_authorized",
			"capability_executed", "firewall_applied", "handle_created"]
		and (.handles[0] | .artifact_type == "text/plain"
			and .byte_size == 23914 and .created_at != null)
		and .routing_decision.id == "rd-many"
		and (.metadata | not)' bundle
	refute grep -q hunter2 bundle
	jq -e --arg sha256 "$(jq -r .metadata.x_wv_invocation.arguments_sha256 decided | head -n 1)" '
		.routing_decision.metadata.x_wv_arguments_sha256 == $sha256
		and .policy_decisions[0].metadata.x_wv_invocation.arguments_sha256 == $sha256' bundle
	jq -c '.trace_events[]' bundle | diff - <(grep '"x_wv_routing_decision_id":"rd-many"' "$WV_STATE/audit.jsonl")
	bundles 0 rd-many all --with-arguments
	jq -e '.routing_decision.metadata.x_wv_arguments.word == "hunter2hunter2"
		and .policy_decisions[0].metadata.x_wv_invocation.arguments.word == "hunter2hunter2"' bundle
	wv-validate -t trace_bundle --check --strict bundle
}

@test "bundle: by the id of a decision, a Frame, a Handle; a denial; a reading" {
	use_history
	for id in "$(jq -r .decision_id decided | head -n 1)" \
		"$(jq -r 'select(.frame_id) | .frame_id' framed | head -n 1)" \
		"$handle"; do
		bundles 0 "$id" all
		jq -e '.routing_decision.id == "rd-many"' bundle
	done
	bundles 0 rd-no all
	wv-validate -t trace_bundle --check --strict bundle
	jq -e '.frames == [] and .policy_decisions[0].decision == "deny"' bundle
	bundles 0 rd-wv.handle.resolve all
	wv-validate -t trace_bundle --check --strict bundle
	jq -e '.handles[0].capability_id == "org.demo.many"' bundle
	bundles 1 rd-noo all
	told 'nothing names rd-noo; did you mean rd-no?'
	bundles 2 "$(jq -r .token_id token.json)" all
	told 'is of several requests'
}

@test "bundle: signed, and believed by whoever has the keyring" {
	use_history
	wv-token keygen --kid k1 --keyring ring.json
	bundles 0 rd-many all --sign k1
	wv-validate -t trace_bundle --check --keyring ring.json --require-signed bundle
	sed 's/"org.demo.many"/"org.demo.much"/' bundle >changed
	run -1 wv-validate -t trace_bundle --check --keyring ring.json changed
	bundles 2 rd-many all --sign k2
	[ ! -s bundle ]
	told 'keys/k2.pem'
	bundles 2 rd-many all --sign ../k1
	told 'not the name of a key'
	bundles 2 rd-many all --sign k1 --now 2026-01-01T00:00:00Z
	told 'for a state made by'
}

@test "bundle: what is missing is named, in the bundle too" {
	use_history
	bundles 2 rd-many routed decided
	told "missing: Frame frm-"
	jq -e '.metadata.x_wv_missing | length == 1' bundle
	wv-validate -t trace_bundle --check bundle
	bundles 2 rd-many routed framed
	told "missing: PolicyDecision $(jq -r .decision_id decided | head -n 1)"
	bundles 2 rd-many decided framed
	told 'missing: RoutingDecision rd-many'
	[ ! -s bundle ]
	bundles 2 rd-many gone
	told 'missing: RoutingDecision' 'missing: PolicyDecision' 'missing: Frame'
	# refused after the fact: that denial is a decision of the request
	run -1 --separate-stderr wv-call -T tools.yaml decided
	bundles 2 rd-many all
	told 'missing: PolicyDecision'
	printf '%s\n' "$output" >again
	bundles 0 rd-many all again
	jq -e '.policy_decisions | length == 2' bundle
}

# alters SED TEXT: with the records of rd-many so changed it is told, 1
alters() {
	sed "$1" all >altered
	refute cmp -s all altered
	bundles 1 rd-many altered
	[ ! -s bundle ]
	told "$2"
}

@test "bundle: a record that is not the one that was logged is 1" {
	use_history
	alters 's/reason":"rule \\"all\\"/reason":"rule \\"any\\"/' \
		'it is not the one that was recorded'
	alters '/"decision":"allow".*rd-many/s/"allow"/"deny"/' 'the log says otherwise'
	alters 's/5001 lines/5002 lines/' 'it is not the one that was logged'
	alters '/"id":"rd-many"/s/hunter2h/hunter3h/' 'the log has other arguments'
	alters '/"id":"rd-many"/s/org.demo.many/org.demo.much/' \
		'it selects another capability'
	# one that nobody logged
	sed '/"frame_id"/!d; s/"frm-[^"]*"/"frm-x"/' framed | cat all - >altered
	bundles 1 rd-many altered
	told 'Frame frm-x: no event of the log names it'
	# two that differ
	sed '/"id":"rd-many"/!d; s/"label":"l"/"label":"m"/' routed | cat all - >altered
	bundles 1 rd-many altered
	told 'two records that differ have this id'
	cat all all >twice
	bundles 0 rd-many twice
}

@test "bundle: secrets that a model wrote are redacted" {
	local token='ghp_''0123456789abcdefABCDEF0123456789abcd'
	use_history
	routed bad "{\"x\":\"$token\"}" | sed "s/rd-bad/rd-secret/; s/\"timestamp\"/\"context_summary\":\"$token\",&/" >routed5
	wv-authorize -p policy.yaml -k token.json routed5 >decided5
	run -1 --separate-stderr wv-call -T tools.yaml decided5
	printf '%s\n' "$output" >framed5
	bundles 0 rd-secret --with-arguments routed5 decided5 framed5
	grep -q 'REDACTED:github-token' bundle
	refute grep -q ghp_ bundle
	wv-validate -t trace_bundle --check bundle
}

@test "bundle: misuse, bad records" {
	fails_with 2 'give its ID' wv-trace bundle
	use_history
	echo '{"decision_id":"x","decision":"allow","metadata":{"x_wv_invocation":{"routing_decision_id":"rd-many"}}}' |
		cat all - >bad
	bundles 2 rd-many bad
	told 'not a PolicyDecision'
	bundles 2 -n 2 rd-many all
	told 'the request has more than 2 events (--limit)'
}

@test "otel: the mapping, and what led to what" {
	wv-trace otel "$log" 2>err >out
	told 'story.jsonl:16:40: incomplete'
	spans <out >spans
	[ "$(wc -l <spans)" = 28 ]
	jq -r '[.spanId[12:], .parentSpanId[12:] // "-", .name] | join(" ")' spans |
		sed -n '5,18p;21p;24p' | diff - <(cat <<-'END'
	0005 - flow_started flow.two
	0006 0005 flow_step_started org.demo.find
	0007 0006 capability_authorized org.demo.find
	0008 0007 token_invalidated org.demo.find
	0009 0007 capability_executed org.demo.find
	000a 0009 firewall_applied org.demo.find
	000b 0009 handle_created org.demo.find
	000c 0006 flow_step_completed org.demo.find
	000d 0005 flow_step_started org.demo.count
	000e 000d capability_authorized org.demo.count
	000f 000e capability_executed org.demo.count
	0010 000d capability_denied org.demo.count
	0011 000d flow_step_completed org.demo.count
	0012 0005 flow_failed flow.two
	0015 0014 handle_resolved wv.handle.resolve
	0018 - capability_authorized org.demo.count
	END
	)
	# what it says of a call
	sed -n 15p spans | jq -e '(.attributes | map({(.key): .value.stringValue}) | add)
		== {"gen_ai.operation.name": "execute_tool",
			"gen_ai.tool.name": "org.demo.count",
			"gen_ai.agent.id": "agent-1",
			"gen_ai.weaver.event_id": "evt-15",
			"gen_ai.weaver.event_type": "capability_executed",
			"gen_ai.weaver.frame_id": "frm-2",
			"gen_ai.weaver.policy_decision_id": "dec-2",
			"gen_ai.weaver.routing_decision_id": "rd-2",
			"gen_ai.weaver.outcome": "failure",
			"gen_ai.weaver.code": "timeout",
			"error.type": "timeout"}
		and .startTimeUnixNano == "1767225780320000000"
		and .endTimeUnixNano == "1767225785320000000"
		and .status.code == 2 and .kind == 1
		and .events[0].name == "exception"
		and .events[0].attributes[1] == {"key": "exception.message",
			"value": {"stringValue": "no answer within 5000 ms"}}'
	# a denial, a failed flow, a success
	sed -n 16p spans | jq -e '.status.code == 2 and any(.attributes[];
		.key == "error.type" and .value.stringValue == "policy_denied")'
	sed -n 18p spans | jq -e '.status.code == 2
		and .startTimeUnixNano == "1767225780000000000"'
	sed -n 9p spans | jq -e '.status.code == 1'
	# a decision of another trace is linked
	sed -n 23p spans | jq -e '.links == [{"traceId":
		"11111111111111111111111111111111", "spanId": "0000000000000007"}]
		and (has("parentSpanId") | not)'
}

@test "otel: ids that are not hex are hashed and kept; other systems are apart" {
	wv-trace otel "$log" 2>/dev/null >out
	[ "$(wc -l <out)" = 2 ]
	tail -n 1 out | jq -e '.resourceSpans[0].resource.attributes[0].value.stringValue == "org.other"'
	spans <out | sed -n 27p | jq -e --arg id "$(printf 'not-hex \xe2\x80\xa8 trace' | sha256sum | cut -c1-32)" '
		.traceId == $id and (has("parentSpanId") | not) and any(.attributes[];
			.key == "gen_ai.weaver.trace_id" and
			.value.stringValue == "not-hex \u2028 trace")'
	event() {
		printf '{"event_id":"%s","event_type":"flow_failed","timestamp":"%s","metadata":{"telemetry":{"trace_id":"%s","span_id":"%s"}}}\n' "$@"
	}
	{
		event e1 2026-01-01T00:00:00Z ABCDEF00000000000000000000000001 ABCDEF0000000001
		event e2 2026-01-01T00:00:00Z 00000000000000000000000000000000 0000000000000000
	} | wv-trace otel - | spans >spans
	sed -n 1p spans | jq -e '.traceId == "abcdef00000000000000000000000001"
		and .spanId == "abcdef0000000001" and .status.code == 2'
	sed -n 2p spans | jq -e '.traceId != "00000000000000000000000000000000"
		and .spanId != "0000000000000000"'
	event e3 1969-12-31T23:59:59Z x x >old
	fails_with 2 'old:1:1: 1969-12-31T23:59:59Z: before 1970 or after 2554' \
		wv-trace otel old
}

@test "otel: every request is OTLP/JSON in shape" {
	local flow='version: 1\nname: two\nsteps:\n  - {id: a, capability: org.demo.many, arguments: {word: x}}\n  - {id: b, capability: org.demo.no, needs: [a]}\n'
	use_history
	# shellcheck disable=SC2059 # it is a format
	printf "$flow" >flow.yaml
	run -1 --separate-stderr wv-flow -T tools.yaml -p policy.yaml -k token.json \
		--input '{}' flow.yaml
	{
		wv-trace otel
		wv-trace otel "$log" 2>/dev/null
	} >out
	run -0 jq -r -f "$data/otlp.jq" out
	[ -z "$output" ]
	# and the rules would tell
	sed 's/"spanId":"/&x/; s/"kind":1/"kind":"1"/; s/"code":2/"code":null/' out >bad
	run -0 jq -r -f "$data/otlp.jq" bad
	[[ $output == *spanId* && $output == *kind* && $output == *'a null'* ]]
	# parents exist, and are of the same trace
	spans <out | jq -s -e '(map({(.spanId): .traceId}) | add) as $of
		| all(.[]; (has("parentSpanId") | not)
			or $of[.parentSpanId] == .traceId)'
	wv-trace otel | spans | jq -s -e 'map(select(.name == "capability_denied org.demo.no" and has("parentSpanId"))) | length == 1'
}

@test "otel: lines of at most 512 spans; what is there is written at once" {
	sed -n 5p "$log" >one
	for _ in 1 2 3 4 5 6 7 8 9 10; do cat one one >two; mv two one; done
	wv-trace otel one >out
	[ "$(wc -l <out)" = 2 ]
	[ "$(spans <out | wc -l)" = 1024 ]
	mkfifo in
	wv-trace otel - <in >out 3>&- &
	exec 8>in
	head -n 1 "$log" >&8
	eventually [ -s out ]
	exec 8>&-
	wait $!
	fails_with 2 'no records' wv-trace otel /dev/null
}

@test "otel: protobuf of OpenTelemetry reads it, and loses nothing" {
	local version=0.57.2 cache
	cache="${WV_TEST_CACHE:-$BATS_FILE_TMPDIR}/otlp-$version"
	if [ ! -e "$cache/whole" ]; then
		command -v node >/dev/null || {
			echo "# skipped: no node for OpenTelemetry's own reader" >&3
			skip 'no node'
		}
		timeout 120 npm install --prefix "$cache" --ignore-scripts \
			--no-audit --no-fund --no-update-notifier \
			--loglevel=error --fetch-retries=1 --fetch-timeout=20000 \
			"@opentelemetry/otlp-transformer@$version" >npm.log 2>&1 &&
			: >"$cache/whole"
	fi
	[ -e "$cache/whole" ] || {
		echo "# skipped: no OpenTelemetry from npm: $(head -n 1 npm.log)" >&3
		skip 'no OpenTelemetry from npm'
	}
	use_history
	{
		wv-trace otel
		wv-trace otel "$log" 2>/dev/null
	} >out
	NODE_PATH="$cache/node_modules" run -0 node "$data/otlp.js" <out
	[ "$output" = "$(spans <out | wc -l)" ]
}
