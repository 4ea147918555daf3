#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-answer: conversations: what is read, who belongs to whom, what is seen.

load lib

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# item ID KIND TEXT [MORE]
item() {
	printf '{"id":"%s","kind":"%s","text":"%s"%s}\n' "$1" "$2" "$3" "${4-}"
}

answer() {
	wv-answer --history history.jsonl "$@" </dev/null
}

# has TEXT…, lacks TEXT…: in the file out
has() {
	local text
	for text; do
		grep -qF -- "$text" out || { echo "no: $text"; cat out; return 1; }
	done
}
lacks() {
	local text
	for text; do
		! grep -qF -- "$text" out || { echo "has: $text"; cat out; return 1; }
	done
}

@test "every kind has its block, in the order of time" {
	{
		item p policy 'be kind'
		item u user_turn 'what is up'
		item s plan_state 'look, then tell'
		item c tool_call '{\"q\":1}' ',"capability_id":"org.demo.look","parent_id":"u"'
		item r tool_result 'the sky' ',"parent_id":"c"'
		item d doc_snippet 'birds'
		item e retrieved_doc 'planes'
		item f memory_fact 'likes clouds'
		item a agent_msg 'the sky is'
	} >history.jsonl
	answer >out
	diff -u - out <<-'END'
		[POLICY]
		| be kind

		[USER]
		| what is up

		[PLAN]
		| look, then tell

		[CALL org.demo.look]
		| {"q":1}

		[RESULT org.demo.look]
		| text, 1 line, 7 bytes: the sky

		[DOCUMENT]
		| birds

		[RETRIEVED]
		| planes

		[FACT]
		| likes clouds

		[ASSISTANT]
		| the sky is
	END
}

@test "unknown kinds, labels, members and ids that come twice are errors" {
	{
		item a user_trun 'x'
		item b user_turn 'x' ',"sensitivity":"secret"'
		item c user_turn 'x' ',"parent":"b"'
		item d user_turn 'good'
		item d user_turn 'again'
		echo '{"id":"e","kind":"user_turn"}'
		item f user_turn 'fine' ',"x_any":1,"metadata":{}'
	} >history.jsonl
	run --separate-stderr -2 answer
	[[ $output == *'| good'*'| fine' ]]
	[[ $output != *again* ]]
	for line in 1 2 3 5 6; do
		[[ $stderr == *"wv-answer: history.jsonl:$line:"* ]]
	done
	[[ $stderr == *user_turn* && $stderr == *parent_id* ]]
	[[ $stderr == *'id "d": an item before has it'* ]]
}

@test "C5: a label in the JSONL is honoured, and the query is filtered too" {
	{
		item a user_turn 'public words'
		item b agent_msg 'restricted words' ',"sensitivity":"restricted"'
		item c user_turn 'confidential words' ',"sensitivity":"confidential"'
		item d agent_msg 'internal words' ',"sensitivity":"internal"'
	} >history.jsonl
	for format in text messages openai anthropic json request; do
		answer -f $format >out || [ $format = request ]
		lacks restricted confidential
		has public
	done
	answer --floor internal >out
	lacks internal
	answer --floor restricted >out
	has confidential
	answer --sensitive redact >out
	lacks 'restricted words' 'confidential words'
	has '| [REDACTED:restricted]' '| [REDACTED:confidential]'
}

@test "C5: unknown history is no guess: an unknown kind is not a user turn" {
	item a note 'x' >history.jsonl
	fails_with 2 kind wv-answer --history history.jsonl </dev/null
}

@test "C6: what the firewall made of a result keeps its label" {
	{
		item c tool_call x
		item r tool_result 'internal output' ',"parent_id":"c","sensitivity":"internal"'
		item q tool_call y ',"sensitivity":"internal"'
		item s tool_result 'its output' ',"parent_id":"q"'
	} >history.jsonl
	answer -f json >out
	[ "$(grep -o '"sensitivity":"internal"' out | wc -l)" = 3 ]
	answer --floor internal >out 2>err || [ $? = 1 ]
	lacks output
}

@test "C4: an ancestor of any kind joins, marked, and is no less firewalled" {
	{
		item r tool_result '{\"password\":\"hunter2hunter2\",\"x_note\":\"canary\"}'
		item u user_turn 'what was that' ',"parent_id":"r"'
		item o agent_msg 'not for this phase'
	} >history.jsonl
	answer --phase route --stats -f json >out 2>err
	has '"closure":true' 'REDACTED'
	lacks hunter2 canary 'not for this'
	told '1 no candidates, 1 by closure'
}

@test "a phase has its kinds" {
	{
		item u user_turn one
		item a agent_msg two
		item c tool_call three
		item d doc_snippet four
		item p policy five
	} >history.jsonl
	answer --phase route >out
	has one five
	lacks two three four
	answer --phase call >out
	has one two three five
	lacks four
	answer --phase interpret >out
	has one two three four five
}

@test "C3: a call and its result stay together or go together" {
	{
		item u user_turn 'run it twice'
		item c1 tool_call 'make check' ',"parent_id":"u"'
		item r1 tool_result 'all 12 passed' ',"parent_id":"c1"'
		item c2 tool_call 'make check' ',"parent_id":"u"'
		item r2 tool_result 'all 13 passed' ',"parent_id":"c2"'
	} >history.jsonl
	answer >out
	[ "$(grep -c '^\[CALL' out)" = 2 ]
	[ "$(grep -c '^\[RESULT' out)" = 2 ]
	for budget in 5 10 15 20 25 30 40 50 60; do
		answer --budget $budget >out || [ $? = 1 ]
		[ "$(grep -c '^\[CALL' out)" = "$(grep -c '^\[RESULT' out)" ]
	done
	# what may not be shown takes its other half along
	sed 's/"all 12 passed"/&,"sensitivity":"restricted"/' history.jsonl >h &&
		mv h history.jsonl
	answer --stats >out 2>err
	[ "$(grep -c '^\[CALL' out)" = 1 ]
	told '2 left out (1 sensitivity, 1 pair)'
}

@test "C7: duplicates merge in any script, but not what differs in a number or an id" {
	{
		item a agent_msg 'attempt 3 of order 7 has failed because the card was declined'
		item b agent_msg 'attempt 4 of order 9 has failed because the card was declined'
		item c agent_msg 'user bob_1 may read the file in the folder of the office'
		item d agent_msg 'user bob_2 may read the file in the folder of the office'
		item e agent_msg 'the door of the hall is not open for people of the town'
		item f agent_msg 'the door of the hall is open for people of the town'
		item g agent_msg '数据库连接池已经耗尽，请检查服务器'
		item h agent_msg '数据库连接池已经耗尽,请检查服务器!'
		item i agent_msg '第三章已经写完，请大家看一看再说'
		item j agent_msg '第四章已经写完，请大家看一看再说'
		item k agent_msg 'The night train leaves at ten.'
		item l agent_msg 'the night train leaves at ten'
		item m user_turn ok
	} >history.jsonl
	answer --stats >out 2>err
	told '2 left out (2 duplicate)'
	has 'order 7' 'order 9' bob_1 bob_2 'is not open' 'is open' 第三章 第四章 检查服务器
	[ "$(grep -c 数据库 out)" = 1 ]
	[ "$(grep -ci 'night train' out)" = 1 ]
}

# a sign, digits of other scripts, fractions and raised numbers were no digits
@test "C7: what differs in a number of any script, or in its sign, is no duplicate" {
	local text='the quick brown fox jumps over the lazy dog while many people watch silently near the river' n=0
	local -a values=(5 -5 +5 −5 ١٢ ١٣ १२ १३ ๑ ๒ ½ ¼ ② ③ x² x³ Ⅻ Ⅺ 𝟏 𝟐 enabled disabled)
	for value in "${values[@]}"; do
		item "n$((++n))" agent_msg "$text $value"
	done >history.jsonl
	item u user_turn ok >>history.jsonl
	answer --stats >out 2>err
	[ "$(grep -c 'quick brown' out)" = ${#values[@]} ]
}

@test "what others hang on is no duplicate" {
	{
		item u1 user_turn 'please run the usual checks again'
		item c1 tool_call 'first thing' ',"parent_id":"u1"'
		item r1 tool_result 'good' ',"parent_id":"c1"'
		item u2 user_turn 'please run the usual checks again'
	} >history.jsonl
	answer >out
	[ "$(grep -c 'usual checks' out)" = 2 ]
}

@test "C9: summaries have no traps: blank lines, OK before errors, small and long output" {
	{
		item r1 tool_result '\n\n\nreal content'
		item r2 tool_result 'OK\n\nerror: disk full on sda1\nerror: cannot write'
		item r3 tool_result 'token=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB'
		printf '{"id":"r4","kind":"tool_result","text":"%s"}\n' \
			"$(for i in $(seq 4000); do printf 'key%d: value %d\\n' "$i" "$i"; done)"
	} >history.jsonl
	answer --budget 100000 >out
	has 'real content' 'disk full'
	lacks ghp_0123
	# bounded whatever came in
	[ "$(wc -c <out)" -lt 8000 ]
}

@test "Frames answer the calls of a history" {
	{
		item u user_turn 'go'
		item c1 tool_call one ',"call_id":"rd-1","capability_id":"org.demo.one"'
		item c2 tool_call two ',"call_id":"rd-2","capability_id":"org.demo.two"'
	} >history.jsonl
	printf '{"frame_id":"f","capability_id":"org.demo.one","summary":"done","created_at":"2026-01-01T00:00:00Z","metadata":{"x_wv_call":{"routing_decision_id":"rd-1"}}}\n' >frames
	wv-answer --history history.jsonl -f openai frames >out
	has '{"role":"tool","tool_call_id":"call_1","content":"done"}'
	[ "$(grep -o '"tool_calls"' out | wc -l)" = 1 ]
}

@test "--select: kinds, ids, tags and age" {
	{
		item a user_turn one ',"tags":["x","y"],"time":"2026-01-01T00:00:00Z"'
		item b agent_msg two ',"tags":["z"],"time":"2026-01-02T00:00:00Z"'
		item c user_turn three
	} >history.jsonl
	look_at() {
		echo "$1" >select.yaml
		answer --select select.yaml --now 2026-01-02T06:00:00Z >out
	}
	look_at 'kinds: [user_turn]'
	has one three
	lacks two
	look_at 'ids: [b]'
	has two
	lacks one three
	look_at 'tags: ["y", z]'
	has one two
	lacks three
	look_at 'age: 24h'
	has two
	lacks one three
	echo 'kind: [user_turn]' >select.yaml
	fails_with 2 'kinds' wv-answer --select select.yaml </dev/null
	echo 'kinds: [user_trun]' >select.yaml
	fails_with 2 'user_turn' wv-answer --select select.yaml </dev/null
}

@test "--weight and --weights change what comes first" {
	for i in 1 2 3 4 5 6; do
		item a$i agent_msg "message number $i is here"
		item d$i doc_snippet "document number $i is here"
	done >history.jsonl
	answer --budget 40 --weight recency=0 --weight cost=0 --weight match=0 \
		--weight agent_msg=0 --weight doc_snippet=1 >out
	has document
	lacks message
	printf 'recency: 0\ncost: 0\nmatch: 0\nkinds: {doc_snippet: 0, agent_msg: 1}\n' >w.yaml
	answer --budget 40 --weights w.yaml >out
	has message
	lacks document
	fails_with 2 'a weight is' wv-answer --weight recency=2 </dev/null
	fails_with 2 'not NAME=VALUE' wv-answer --weight recent=1 </dev/null
	echo 'recenc: 1' >w.yaml
	fails_with 2 recency wv-answer --weights w.yaml </dev/null
}

@test "OpenAI messages are read, and written back as they were" {
	cat >history.json <<-'END'
		[{"role":"system","content":"be kind"},
		 {"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"https://x"}}]},
		 {"role":"assistant","content":null,"tool_calls":[
		  {"id":"k1","type":"function","function":{"name":"look","arguments":"{\"at\":1}"}},
		  {"id":"k2","type":"function","function":{"name":"hear","arguments":"{}"}}]},
		 {"role":"tool","tool_call_id":"k2","content":"birds"},
		 {"role":"tool","tool_call_id":"k1","content":"trees"},
		 {"role":"assistant","content":"trees and birds"}]
	END
	wv-answer --history history.json --history-format openai -f openai \
		</dev/null >out
	has '"name":"look","arguments":"{\"at\":1}"' trees '(image_url left out)'
	lacks k1 https
	for bad in '{"role":"usr","content":"x"}' '{"role":"tool","content":"x"}' \
		'{"role":"user","content":[{"type":"txet","text":"x"}]}' '7'; do
		echo "[$bad]" >bad.json
		fails_with 2 bad.json:1 wv-answer --history bad.json \
			--history-format openai </dev/null
	done
}

@test "Anthropic messages are read; thinking is not shown" {
	cat >history.json <<-'END'
		{"system":"be kind","messages":[
		 {"role":"user","content":"look"},
		 {"role":"assistant","content":[{"type":"thinking","thinking":"canary"},
		  {"type":"text","text":"I look"},{"type":"tool_use","id":"k1","name":"look","input":{"at":1.10}}]},
		 {"role":"user","content":[{"type":"tool_result","tool_use_id":"k1","is_error":true,"content":[{"type":"text","text":"too dark"}]},
		  {"type":"text","text":"try again"}]}]}
	END
	wv-answer --history history.json --history-format anthropic \
		-f anthropic </dev/null >out
	has '"system":"[POLICY]' '"input":{"at":1.10}' '"is_error":true' 'try again'
	lacks canary k1
	wv-answer --history history.json --history-format anthropic </dev/null >out
	has '[ERROR look]' '[CALL look]'
	echo '[{"role":"user","content":[{"type":"tool_sue"}]}]' >bad.json
	fails_with 2 tool_sue wv-answer --history bad.json \
		--history-format anthropic </dev/null
}
