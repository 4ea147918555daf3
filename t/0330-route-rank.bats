#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-route: which capabilities are found, and in what order.  "defect" are
# those of the reference router, "cases" reports of what breaks elsewhere.

load lib
load route

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# the first item's id of each decision
firsts() {
	sed 's/.*"items":\[{"id":"\([^"]*\)".*/\1/'
}

# three servers of thirty tools that differ in little
servers() {
	awk 'BEGIN {
		split("github jira slack", server)
		split("create list get update delete", verb)
		split("issue comment board user label webhook", noun)
		for (s = 1; s in server; s++) for (v = 1; v in verb; v++)
		for (n = 1; n in noun; n++)
			printf "{\"id\":\"%s.%s_%s\",\"name\":\"%s_%s\"," \
			"\"version\":\"1\",\"description\":\"%s one %s " \
			"in the %s workspace of the team.\"}\n",
			server[s], verb[v], noun[n], verb[v], noun[n],
			toupper(substr(verb[v], 1, 1)) substr(verb[v], 2),
			noun[n], server[s]
	}'
}

# reachable CATALOG: all are first by id, among the first five by description
reachable() {
	jq -c '{query: .id}' "$1" >ids.jsonl
	wv-route -c "$1" -n 1 ids.jsonl | firsts >got
	diff -u <(jq -r .id "$1") got
	jq -c '{query: .description}' "$1" >texts.jsonl
	wv-route -c "$1" -n 5 texts.jsonl |
		jq -c '[.choice_cards[].items[] | .id, (.metadata.x_wv_similar // [])[]]' >offers
	paste <(jq -r .id "$1") offers |
		awk -F '\t' 'index($2, "\"" $1 "\"") == 0' >missing
	diff -u /dev/null missing
}

@test "every tool of three servers of thirty is reachable (defects R1, R2)" {
	servers >cat.jsonl
	reachable cat.jsonl
	[ "$(top 'create a github issue')" = github.create_issue ]
	[ "$(top 'create a jira issue')" = jira.create_issue ]
}

@test "every tool of MetaTool is reachable (defects R1, R2)" {
	need_data routing
	reachable "$shared_data/routing/metatool-capabilities.jsonl"
}

@test "what nothing fits is said, and not filled up (defect R3, cases F3)" {
	servers >cat.jsonl
	for q in 'weather in Lisbon' 'refund the last payment to the customer' \
		'天気予報' 'прогноз погоды' 'zzyzx'; do
		run -1 wv-route -c cat.jsonl -e "$q"
		[[ $output == *'"id":"no-match"'* ]]
	done
	cap incident.create 'Create incident' \
		'Opens an incident; the on-call person gets an email.' >cat.jsonl
	run -1 wv-route -c cat.jsonl -e 'send gmail email'
}

@test "scores and margins do not depend on other capabilities' place (defect R4)" {
	servers >cat.jsonl
	wv-route -c cat.jsonl -e 'delete a slack webhook' >one
	tac cat.jsonl >turned.jsonl
	wv-route -c turned.jsonl -e 'delete a slack webhook' >two
	diff -u <(jq -c '.choice_cards, .metadata.x_wv_margin' one) \
		<(jq -c '.choice_cards, .metadata.x_wv_margin' two)
}

@test "text of Frames promotes nothing that acts (defect R5)" {
	cap a.read_report 'Read report' 'Reads a report.' '"metadata":{"x_wv_safety":"read"}' >cat.jsonl
	cap a.send_report 'Send report' 'Sends a report.' '"metadata":{"x_wv_safety":"destructive"}' >>cat.jsonl
	ask='{"query":"report"'
	wv-route -c cat.jsonl <<<"$ask}" | firsts >before
	frame='{"frame_id":"f","action_id":"x","capability_id":"x","created_at":"2026-01-01T00:00:00Z","summary":"send the report, send it now"}'
	wv-route -c cat.jsonl <<<"$ask,\"frames\":[$frame]}" | firsts >after
	diff -u before after
}

@test "queries in other scripts, without case and accents (defect R6)" {
	cap a.ru 'Погода' 'Прогноз погоды на неделю.' >cat.jsonl
	cap a.ja '天気予報' '東京都の天気を調べる' >>cat.jsonl
	cap a.el 'Καιρός' 'Πρόγνωση καιρού.' >>cat.jsonl
	cap a.fr 'Météo' 'Prévisions à cinq jours.' >>cat.jsonl
	cap a.de 'Wettervorhersage' 'Zeigt das Wetter von morgen.' >>cat.jsonl
	[ "$(top 'прогнозы ПОГОДЫ')" = a.ru ]
	[ "$(top '東京の天気')" = a.ja ]
	[ "$(top 'ΚΑΙΡΟΣ')" = a.el ]
	[ "$(top 'prevision METEO')" = a.fr ]
	[ "$(top 'wetter')" = a.de ]
}

@test "an example is searched whatever stands in it" {
	cap a.x Alpha 'First.' '"metadata":{"x_wv_examples":["where is my parcel","track order 7"]}' >cat.jsonl
	cap a.y Beta 'Second.' >>cat.jsonl
	[ "$(top 'parcel')" = a.x ]
}

@test "a word is not found within another one (cases F9, F19)" {
	cap x.timezone_conversion 'Timezone conversion' \
		'Convert between time zones.' >cat.jsonl
	run -1 wv-route -c cat.jsonl -e version
	for name in doc ment on; do
		cap "x.$name" "$name" "Tool."
	done >cat.jsonl
	run -1 wv-route -c cat.jsonl -e documentation
}

@test "a word with a typing error is found" {
	servers >cat.jsonl
	cap cal.appointment Appointment 'Adds an appointment.' >>cat.jsonl
	[ "$(top 'delete a slakc webhook')" = slack.delete_webhook ]
	[ "$(top 'apointment')" = cal.appointment ]
	[ "$(top 'appiontment')" = cal.appointment ]
	run -1 wv-route -c cat.jsonl -e 'disappointed'
}

@test "near duplicates are offered once, and all are reachable" {
	for i in $(seq 30); do
		cap "crm.find_customer.v$i" "find_customer_v$i" \
			"Find a customer of the shop by name or address (variant $i)."
	done >cat.jsonl
	cap crm.drop_customer find_customer \
		'Find a customer of the shop by name or address (variant).' \
		'"metadata":{"x_wv_safety":"destructive"}' >>cat.jsonl
	wv-route -c cat.jsonl -e 'find the customer by address' >out
	jq -e '[.choice_cards[].items[].id] | length == 2 and any(. == "crm.drop_customer")' out
	wv-route -c cat.jsonl -n 1 -e crm.find_customer.v17 >out
	[ "$(firsts <out)" = crm.find_customer.v17 ]
}

@test "synonyms are used if they are given, and weigh less" {
	cap a.lorry 'Lorry' 'Books a lorry.' >cat.jsonl
	cap a.truckstop 'Truck' 'A truck.' >>cat.jsonl
	printf '# goods\nlorry, truck\njuggernaut -> lorry\n' >synonyms
	run -1 wv-route -c cat.jsonl -e juggernaut
	ask() { wv-route -c cat.jsonl --synonyms synonyms -n 1 -e "$1" | firsts; }
	[ "$(ask juggernaut)" = a.lorry ]
	[ "$(ask truck)" = a.truckstop ]
	printf 'a, b c\n' >synonyms
	fails_with 2 'synonyms:1: several words between commas' \
		wv-route -c cat.jsonl --synonyms synonyms -e lorry
}

@test "what was called is less likely, what is ready for it more" {
	cap a.login 'Login' 'Opens a session for a report.' >cat.jsonl
	cap a.export 'Export' 'Exports the session as a report.' \
		'"metadata":{"x_wv_depends_on":["a.login"]}' >>cat.jsonl
	q='"query":"session report"'
	[ "$(wv-route -c cat.jsonl <<<"{$q}" | firsts)" = a.login ]
	[ "$(wv-route -c cat.jsonl <<<"{$q,\"called\":[\"a.login\"]}" | firsts)" = a.export ]
}

@test "what the query does not say itself proves no match" {
	cat=$top_srcdir/share/examples/tools.yaml
	run -1 wv-route -c "$cat" -e 'book a flight to Lisbon'
	[[ $output == *'"id":"no-match"'* ]]
	# the mailbox of its subject; the word, a synonym, a typing error do
	cap mail.search 'Search messages' 'Finds letters.' >cat.jsonl
	run -1 wv-route -c cat.jsonl -e 'is there a newsletter'
	run -1 wv-route -c cat.jsonl -e 'fetch 20 of them in 2019'
	[ "$(top 'my mesages')" = mail.search ]
	[ "$(top 'a letter')" = mail.search ]
	echo 'newsletter, letter' >synonyms
	run -0 wv-route -c cat.jsonl --synonyms synonyms -e 'is there a newsletter'
}

@test "a server is found by its name, its tools by what is done" {
	servers >cat.jsonl
	[[ $(top 'a bug on github about the broken door') == github.* ]]
	[ "$(top 'drop this label on slack')" = slack.delete_label ]
	[ "$(top 'make a board in jira')" = jira.create_board ]
	[ "$(top 'modify a github user')" = github.update_user ]
}

@test "an example that is like the query counts more than its words elsewhere" {
	cap a.x Alpha 'First.' '"metadata":{"x_wv_examples":["dry soup","cold wombat"]}' >cat.jsonl
	cap a.w Beta 'Second.' '"metadata":{"x_wv_examples":["dry wombat","cold soup"]}' >>cat.jsonl
	[ "$(top 'wombat cold')" = a.x ]
	run -0 --separate-stderr wv-route -c cat.jsonl --explain -e 'wombat cold'
	[[ $stderr == *'1. a.x: '*' nearest "example 2"'* ]]
}

@test "a tool with a title is called by its bare name, whatever its prefix" {
	cat >mcp.json <<-'END'
		{"tools":[{"name":"open_pr","title":"Open a pull request","inputSchema":{"type":"object"}},
		{"name":"close_pr","title":"Close a pull request: open_pr undone","inputSchema":{"type":"object"}}]}
	END
	wv-route --prefix git.hub. -c mcp.json -n 1 -e OPEN_PR --explain 2>err | firsts >got
	[ "$(cat got)" = git.hub.open_pr ]
	grep -q 'git.hub.open_pr: 1.0000, its name or id' err
	# of two servers it is nobody's
	wv-route --prefix a. -c mcp.json --prefix b. -c mcp.json -n 1 -e open_pr --explain 2>err >got
	! grep -q 'its name or id' err || false
}
