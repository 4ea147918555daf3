/* SPDX-License-Identifier: Apache-2.0 */
#include "document.h"

#include "base/id.h"
#include "contract/contract.h"
#include "contract/record.h"

#include <stdlib.h>

static void
test_registry(void)
{
	size_t count = 0;

	for (const char *const *name = wv_contract_names(); *name; name++) {
		int type = wv_contract_find(*name);
		ok(type == (int)count, "%s is found", *name);
		ok(wv_contract_find(
			   wv_contract_title((enum wv_contract)type)) == type,
			"and by its title");
		is(wv_contract_id((enum wv_contract)type),
			wv_printf(&arena,
				"https://weaver-spec.dev/contracts/v0/"
				"%s%s.schema.json",
				type < WV_CORE_COUNT ? "" : "extended/", *name),
			"its id");
		count++;
	}
	ok(count == WV_CONTRACT_COUNT && count == 33, "all are listed");
	ok(wv_contract_document(wv_contract_id(WV_UI_HINT)) ==
				wv_contract_document(
					wv_contract_id(WV_UI_HINT)) &&
			strcmp(wv_get_string(
				       wv_contract_document(
					       wv_contract_id(WV_UI_HINT)),
				       "title"),
				"UIHint") == 0,
		"a tree by its id");
	ok(wv_contract_document("https://weaver-spec.dev/contracts/v0/"
				"ui_hint.schema.json") == NULL &&
			wv_contract_document("https://weaver-spec.dev/"
					     "contracts/v0/extended/"
					     "frame.schema.json") == NULL &&
			wv_contract_document("frame.schema.json") == NULL &&
			wv_contract_document(
				"https://weaver-spec.dev/"
				"contracts/v0/.schema.json") == NULL,
		"and of no other");
	ok(wv_contract_find("FRAME") == -1, "FRAME is none");
	ok(wv_contract_find("") == -1, "nor is nothing");
}

static const struct {
	const char *record;
	int type;
} guesses[] = {
	{ "{\"event_type\":1,\"frame_id\":1,\"handle_id\":1}", WV_TRACE_EVENT },
	{ "{\"event_type\":1,\"trace_events\":[]}", WV_TRACE_BUNDLE },
	{ "{\"decision\":1,\"decision_id\":1}", WV_POLICY_DECISION },
	{ "{\"decision\":1}", -1 },
	{ "{\"choice_cards\":1,\"items\":1}", WV_ROUTING_DECISION },
	{ "{\"items\":1}", WV_CHOICE_CARD },
	{ "{\"token_id\":1,\"scope\":1}", WV_CAPABILITY_TOKEN },
	{ "{\"token_id\":1}", -1 },
	{ "{\"handle_id\":1,\"artifact_type\":1}", WV_HANDLE },
	{ "{\"handle_id\":1,\"frame_id\":1}", WV_FRAME },
	{ "{\"label\":1,\"id\":1,\"name\":1,\"version\":1}",
		WV_SELECTABLE_ITEM },
	{ "{\"id\":1,\"name\":1,\"version\":1}", WV_CAPABILITY },
	{ "{\"id\":1,\"name\":1}", -1 },
	{ "{}", -1 },
	{ "[]", -1 },
	{ "null", -1 },
};

static void
test_guess(void)
{
	for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++)
		ok(wv_contract_guess(json(guesses[i].record)) ==
				guesses[i].type,
			"%s is %d", guesses[i].record, guesses[i].type);
}

#define FRAME \
	"\"frame_id\":\"f\",\"capability_id\":\"c\",\"summary\":\"s\"," \
	"\"created_at\":\"2026-01-02T03:04:05Z\""
#define TOKEN \
	"\"token_id\":\"t\",\"principal\":\"p\",\"issued_at\":" \
	"\"2026-01-02T03:04:05Z\""
#define ITEM(id) \
	"{\"id\":\"" id "\",\"label\":\"l\",\"description\":\"d\"," \
	"\"capability_id\":\"c." id "\"}"
#define CARD(id, items) "{\"id\":\"" id "\",\"items\":[" items "]}"
#define ROUTING(cards, selection) \
	"{\"id\":\"r\",\"timestamp\":\"2026-01-02T03:04:05Z\"," \
	"\"choice_cards\":[" cards "]" selection "}"
#define SELECT(item) ",\"selected_item_id\":\"" item "\""
#define SELECT_CARD(card) ",\"selected_card_id\":\"" card "\""

static const struct {
	int type;
	const char *record, *error; /* NULL: good */
} records[] = {
	{ WV_FRAME, "{" FRAME "}", NULL },
	{ WV_FRAME, "{" FRAME ",\"x_a\":1,\"structured_data\":null}", NULL },
	{ WV_FRAME, "[]", "not a Frame: must be an object, not an array" },
	{ WV_FRAME, "{" FRAME ",\"raw\":null}",
		"not a Frame: /raw: a Frame carries no raw output" },
	{ WV_FRAME, "{" FRAME ",\"handle_refs\":[\"\"]}",
		"not a Frame: /handle_refs/0: must have at least 1 "
		"character" },
	{ WV_FRAME, "{\"frame_id\":\"f\"}",
		"not a Frame: needs capability_id, and more" },
	/* cases D13: neither an end, nor something like one */
	{ WV_CAPABILITY_TOKEN, "{" TOKEN ",\"scope\":[\"a\"]}",
		"not a CapabilityToken: needs expires_at, or "
		"single_use: true" },
	{ WV_CAPABILITY_TOKEN,
		"{" TOKEN ",\"scope\":[\"a\"],\"expires_at\":null,"
		"\"single_use\":false}",
		"not a CapabilityToken: needs expires_at, or "
		"single_use: true" },
	{ WV_CAPABILITY_TOKEN,
		"{" TOKEN ",\"scope\":[\"a\"],\"single_use\":\"true\"}",
		"not a CapabilityToken: needs expires_at, or "
		"single_use: true, and more" },
	{ WV_CAPABILITY_TOKEN,
		"{" TOKEN ",\"scope\":[\"a\"],\"expires_at\":\"soon\"}",
		"not a CapabilityToken: /expires_at: must be a date-time "
		"such as 2026-01-31T23:59:59Z" },
	{ WV_CAPABILITY_TOKEN, "{" TOKEN ",\"scope\":[],\"single_use\":true}",
		"not a CapabilityToken: /scope: must have at least 1 item" },
	{ WV_CAPABILITY_TOKEN,
		"{" TOKEN ",\"scope\":[\"a\"],\"single_use\":true}", NULL },
	/* cases B17 */
	{ WV_HANDLE,
		"{\"handle_id\":\"h\",\"capability_id\":\"c\","
		"\"artifact_type\":\"t\",\"byte_size\":-0.0,"
		"\"created_at\":\"2026-01-02T03:04:05Z\"}",
		NULL },
	{ WV_ROUTING_DECISION,
		ROUTING(CARD("c1", ITEM("a")), SELECT("a") SELECT_CARD("c1")),
		NULL },
	{ WV_ROUTING_DECISION, ROUTING(CARD("c1", ITEM("a")), SELECT("b")),
		"not a RoutingDecision: /selected_item_id: \"b\" stands on no "
		"card" },
	{ WV_ROUTING_DECISION,
		ROUTING(CARD("c1", ITEM("a")), SELECT("a") SELECT_CARD("c2")),
		"not a RoutingDecision: /selected_card_id: there is no card "
		"\"c2\"" },
	{ WV_ROUTING_DECISION,
		ROUTING(CARD("c1", ITEM("a")) "," CARD("c2", ITEM("b")),
			SELECT("a") SELECT_CARD("c2")),
		"not a RoutingDecision: /selected_item_id: \"a\" stands on no "
		"card that is selected" },
	{ WV_ROUTING_DECISION,
		ROUTING(CARD("c1", ITEM("a") "," ITEM("b") "," ITEM("a")), ""),
		"not a RoutingDecision: /choice_cards/0/items/2/id: \"a\" "
		"stands on this card twice" },
	{ WV_CHOICE_CARD, CARD("c", ""),
		"not a ChoiceCard: /items: must have at least 1 item" },
	{ WV_CHOICE_CARD, CARD("c", "{\"id\":\"i\",\"label\":\"\"}"),
		"not a ChoiceCard: /items/0: needs description, and more" },
};

static void
test_records(void)
{
	for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
		struct wv_err err = WV_ERR_INIT;
		int result =
			wv_contract_require((enum wv_contract)records[i].type,
				json(records[i].record), &err);
		ok(result == (records[i].error ? -1 : 0), "%s",
			records[i].record);
		is(err.text, records[i].error ? records[i].error : "",
			"and what is said");
	}
}

static const struct {
	const char *record;
	enum wv_selection_end end;
	const char *capability_id, *why;
} selections[] = {
	{ ROUTING(CARD("c1", ITEM("a") "," ITEM("b")), SELECT("b")),
		WV_SELECTED, "c.b", NULL },
	{ ROUTING(CARD("c1", ITEM("a")), SELECT("a") SELECT_CARD("c1")),
		WV_SELECTED, "c.a", NULL },
	{ ROUTING(CARD("c1", ITEM("a")), ""), WV_SELECTED_NOTHING, NULL,
		"no item is selected" },
	{ ROUTING(CARD("c1", ITEM("a")), ",\"selected_item_id\":null"),
		WV_SELECTED_NOTHING, NULL, "no item is selected" },
	{ ROUTING(CARD("c1", ITEM("a")), ",\"selected_item_id\":7"),
		WV_SELECTED_BAD, NULL, "selected_item_id is no string" },
	/* cases D21 */
	{ ROUTING(CARD("c1", ITEM("a")), SELECT("b")), WV_SELECTED_BAD, NULL,
		"the selected item stands on no card" },
	{ ROUTING(CARD("c1", ITEM("a")), SELECT("A")), WV_SELECTED_BAD, NULL,
		"the selected item stands on no card" },
	{ ROUTING(CARD("c1", ITEM("a")) "," CARD("c2", ITEM("a")), SELECT("a")),
		WV_SELECTED_BAD, NULL,
		"the selected item id stands in more than one place" },
	{ ROUTING(CARD("c1", ITEM("a")) "," CARD("c2", ITEM("a")),
		  SELECT("a") SELECT_CARD("c1")),
		WV_SELECTED_BAD, NULL,
		"the selected item id stands in more than one place" },
	{ ROUTING(CARD("c1", ITEM("a")) "," CARD("c2", ITEM("b")),
		  SELECT("a") SELECT_CARD("c2")),
		WV_SELECTED_BAD, NULL,
		"the selected item is not on the selected card" },
	{ ROUTING(CARD("c1", ITEM("a")) "," CARD("c1", ITEM("b")),
		  SELECT("a") SELECT_CARD("c1")),
		WV_SELECTED_BAD, NULL, "two cards have the selected card id" },
	{ ROUTING(CARD("c1", "{\"id\":\"a\"}"), SELECT("a")), WV_SELECTED_BAD,
		NULL, "the selected item has no capability" },
	{ ROUTING(CARD("c1", "{\"id\":\"a\",\"capability_id\":\"\"}"),
		  SELECT("a")),
		WV_SELECTED_BAD, "", "the selected item has no capability" },
	{ ROUTING(CARD("c1", "{\"id\":\"no-match\"}"), SELECT("no-match")),
		WV_SELECTED_NO_MATCH, NULL, "nothing matched the request" },
	{ ROUTING(CARD("c1", ITEM("a")), SELECT("no-match")), WV_SELECTED_BAD,
		NULL, "the selected item stands on no card" },
	{ "{}", WV_SELECTED_NOTHING, NULL, "no item is selected" },
	{ "{\"selected_item_id\":\"a\",\"choice_cards\":[1,{\"items\":[2]}]}",
		WV_SELECTED_BAD, NULL, "the selected item stands on no card" },
};

static void
test_selections(void)
{
	for (size_t i = 0; i < sizeof selections / sizeof selections[0]; i++) {
		struct wv_selection s;
		wv_selection_read(&s, json(selections[i].record));
		ok(s.end == selections[i].end, "selection %zu", i);
		is(s.capability_id, selections[i].capability_id,
			"its capability");
		is(s.why, selections[i].why, "and why");
	}
}

static void
test_kernel_ids(void)
{
	char longest[258];

	memset(longest, 'a', sizeof longest);
	longest[256] = '\0';
	ok(wv_id_is_kernel(longest), "256 characters");
	longest[256] = 'a';
	longest[257] = '\0';
	ok(!wv_id_is_kernel(longest), "257 are too many");
	ok(wv_id_is_kernel("org.demo:x@1/a+b_c-D"), "every kind of it");
	ok(!wv_id_is_kernel(""), "empty");
	ok(!wv_id_is_kernel(".a") && !wv_id_is_kernel("a.") &&
			!wv_id_is_kernel("a..b") && !wv_id_is_kernel("."),
		"empty segments");
	ok(!wv_id_is_kernel("a b") && !wv_id_is_kernel("a\n") &&
			!wv_id_is_kernel("a*") && !wv_id_is_kernel("\xc3\xa9"),
		"other characters");
}

#define TRACE "0123456789abcdef0123456789abcdef"

static const char *
trace_of(const char *cause, const char *traceparent)
{
	cJSON *hint;

	if (traceparent != NULL)
		setenv("TRACEPARENT", traceparent, 1);
	else
		unsetenv("TRACEPARENT");
	hint = wv_telemetry(&arena, cause ? json(cause) : NULL);
	if (wv_get_string(hint, "span_id") == NULL ||
		strlen(wv_get_string(hint, "span_id")) != 16)
		return "no span";
	return wv_get_string(hint, "trace_id");
}

static void
test_telemetry(void)
{
	static const char *const bad[] = {
		"01-" TRACE "-0123456789abcdef-01",
		"00-" TRACE "-0123456789abcdef-0",
		"00-" TRACE "-0000000000000000-01",
		"00-00000000000000000000000000000000-0123456789abcdef-01",
		"00-0123456789ABCDEF0123456789abcdef-0123456789abcdef-01",
		"00-" TRACE "_0123456789abcdef-01",
		"",
	};
	const char *cause = "{\"metadata\":{\"telemetry\":{\"trace_id\":"
			    "\"fedcba9876543210fedcba9876543210\"}}}";

	is(trace_of(cause, "00-" TRACE "-0123456789abcdef-01"),
		"fedcba9876543210fedcba9876543210", "the cause's trace");
	is(trace_of(NULL, "00-" TRACE "-0123456789abcdef-01"), TRACE,
		"TRACEPARENT's");
	is(trace_of("{\"metadata\":{\"telemetry\":{\"trace_id\":\"x\"}}}",
		   "00-" TRACE "-0123456789abcdef-01"),
		TRACE, "one that is none is passed over");
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		const char *trace = trace_of(NULL, bad[i]);
		ok(strlen(trace) == 32 && strcmp(trace, TRACE) != 0,
			"a new one for %s", bad[i]);
	}
	ok(strcmp(trace_of(NULL, NULL), trace_of(NULL, NULL)) != 0,
		"and never the same");
}

static const struct {
	const char *kind, *text, *error; /* NULL: good */
} configs[] = {
	{ "policy",
		"version: 1\ndefault: deny\nrules:\n"
		"  - name: docs are readable\n    effect: allow\n"
		"    match:\n      capability: [\"a.*\"]\n"
		"      principal: [\"agent-*\"]\n"
		"      arguments: {type: object}\n"
		"      paths: {/file: [\"/srv/docs/**\"]}\n"
		"    unless: {principal: [\"agent-guest\"]}\n"
		"    require: {justification: 15}\n"
		"    limit: {count: 60, per: 60s, by: [principal]}\n"
		"    obligations: {max_rows: 50, mode: summary}\n",
		NULL },
	{ "policy", "version: 1\nrules: [{effect: deny}]\n", NULL },
	{ "policy", "version: 1\nrules: []\n",
		"2:8: /rules: must have at least 1 item" },
	{ "policy", "version: 1\nrules: [{effect: allow}]\n",
		"2:9: /rules/0: needs match" },
	{ "policy",
		"version: 1\nrules:\n  - effect: allow\n"
		"    match: {principal: [a]}\n",
		"4:12: /rules/0/match: needs capability" },
	{ "policy",
		"version: 1\nrules:\n  - effect: allow\n"
		"    match: {capability: []}\n",
		"4:25: /rules/0/match/capability: must have at least 1 item" },
	{ "policy",
		"version: 1\nrules:\n  - effect: deny\n"
		"    limit: {count: 1, per: 1s}\n",
		"4:12: /rules/0/limit: is not allowed here" },
	/* cases D15, D17: a narrowing that is not understood is no policy */
	{ "policy",
		"version: 1\nrules:\n  - effect: allow\n"
		"    match: {capabilty: [b]}\n",
		"4:24: /rules/0/match/capabilty: unknown member \"capabilty\" "
		"(did you mean \"capability\"?)" },
	{ "policy",
		"version: 1\nrules:\n  - effect: allow\n"
		"    match: {capability: [a], capabilty: [b]}\n",
		"4:41: /rules/0/match/capabilty: unknown member "
		"\"capabilty\"" },
	{ "policy",
		"version: 1\nrules:\n  - effect: allow\n    x_owner: ops\n"
		"    match: {capability: [a]}\n",
		NULL },
	{ "policy", "version: 2\nrules: [{effect: deny}]\n",
		"1:10: /version: must be 1" },
	{ "tools",
		"version: 1\ntools:\n  - capability: org.demo.search_text\n"
		"    source: exec\n    command: [grep, --, \"{pattern}\"]\n"
		"    ok_status: [0, 1]\n    read_only: true\n"
		"    timeout: 10s\n    input_schema: {type: object}\n"
		"    env: [HOME]\n    limits: {memory: 1048576}\n"
		"  - capability: org.demo.echo\n    source: mcp\n"
		"    server: {command: [npx, -y, server]}\n    tool: echo\n",
		NULL },
	{ "tools", "version: 1\ntools:\n  - capability: a\n    source: exec\n",
		"3:5: /tools/0: needs command" },
	{ "tools",
		"version: 1\ntools:\n  - capability: a\n    source: exec\n"
		"    commandPrefixx: [x]\n    command: [x]\n",
		"5:21: /tools/0/commandPrefixx: unknown member "
		"\"commandPrefixx\"" },
	{ "tools",
		"version: 1\ntools:\n  - capability: a\n    source: exec\n"
		"    command: [x]\n    tool: x\n",
		"6:11: /tools/0/tool: is not allowed here" },
	{ "tools",
		"version: 1\ntools:\n  - capability: a..b\n    source: exec\n"
		"    command: [x]\n",
		"3:17: /tools/0/capability: must match the pattern "
		"^[A-Za-z0-9_:@/+-]+(\\.[A-Za-z0-9_:@/+-]+)*$" },
	{ "tools",
		"version: 1\ntools:\n  - capability: a\n    source: exec\n"
		"    command: [x]\n    env: [LD_PRELOAD]\n",
		"6:11: /tools/0/env/0: must match the pattern "
		"^(?!WV_|LD_|OPENSSL_)[A-Za-z_][A-Za-z0-9_]*$" },
	{ "flow",
		"version: 1\nname: two-steps\n"
		"input_schema: {type: object}\nsteps:\n  - id: find\n"
		"    capability: org.demo.search\n"
		"    arguments: {pattern: {from: /input/word}}\n"
		"  - id: count\n    capability: org.demo.count\n"
		"    needs: [find]\n"
		"    if: {from: /steps/find/status, is: {not: {const: "
		"error}}}\n"
		"    for_each: {from: /steps/find/rows}\n    timeout: 5s\n"
		"    retry: {max: 2, backoff: 200ms, errors: [timeout]}\n"
		"    on_error: {fallback: org.demo.none}\n"
		"    finally: true\n    idempotent: true\n"
		"outputs: {lines: {from: /steps/count}}\n",
		NULL },
	{ "flow",
		"version: 1\nname: f\nsteps:\n  - id: a\n"
		"    capability: c\n    on_error: contine\n",
		"6:15: /steps/0/on_error: must be one of \"fail\", "
		"\"continue\" (did you mean \"continue\"?)" },
	{ "flow", "version: 1\nname: f\nsteps: []\n",
		"3:8: /steps: must have at least 1 item" },
	{ "route-request", "{\"query\":\"x\",\"allow\":{\"tags\":[\"a\"]}}",
		NULL },
	{ "route-request", "{\"query\":\"x\",\"alow\":{}}",
		"1:21: /alow: unknown member \"alow\" (did you mean "
		"\"allow\"?)" },
	{ "route-request", "{\"query\":\"x\",\"frames\":[{}]}",
		"1:24: /frames/0: needs frame_id" },
	{ "nonsense", "{}", "0:0: no such schema is built in" },
};

static void
test_configs(void)
{
	for (size_t i = 0; i < sizeof configs / sizeof configs[0]; i++) {
		struct wv_err err = WV_ERR_INIT;
		struct wv_doc doc;
		const char *text = configs[i].text;
		int result = wv_doc_parse(
			&doc, &arena, "test", text, strlen(text), &err);

		if (!ok(result == 0, "%s %zu is read", configs[i].kind, i))
			continue;
		result = wv_config_check(&doc, configs[i].kind, &err);
		const char *told = result == 0
			? NULL
			: wv_printf(&arena, "%zu:%zu: %s", err.line, err.column,
				  err.text);
		is(told, configs[i].error, "and judged");
	}
}

int
main(void)
{
	test_registry();
	test_guess();
	test_records();
	test_selections();
	test_kernel_ids();
	test_telemetry();
	test_configs();
	wv_arena_free(&arena);
	return done();
}
