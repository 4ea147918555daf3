/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is judged beyond schemas: invariants, what a bundle refers to, Extended
 * objects where they are attached, members that are nearly named right.
 */
#include "document.h"

#include "contract/registry.h"

#include <stdlib.h>

/* "RULE POINTER: message" a line, those of a warning in brackets. */
static const char *
told(const struct wv_schema_error *errors)
{
	struct wv_str text = { 0 };
	const char *copy;

	wv_str_cat(&text, "");
	for (; errors != NULL; errors = errors->next)
		wv_str_fmt(&text,
			errors->warning ? "[%s %s: %s]%s" : "%s %s: %s%s",
			errors->keyword, errors->instance, errors->message,
			errors->next ? "\n" : "");
	copy = wv_dup(&arena, text.s);
	wv_str_free(&text);
	return copy;
}

static bool
scan(enum wv_contract type, const struct wv_contract_rules *rules,
	const cJSON *value)
{
	struct wv_str text = { 0 };
	bool result;

	wv_json_write(&text, value);
	wv_str_room(&text, WV_JSON_SLACK);
	result = wv_contract_scan(
		type, rules, text.s, text.n, &wv_json_defaults);
	wv_str_free(&text);
	return result;
}

#define AT "\"2026-01-02T03:04:05Z\""
#define EVENT(more) \
	"{\"event_id\":\"e\",\"event_type\":\"flow_started\"," \
	"\"timestamp\":" AT more "}"
#define FRAME(more) \
	"{\"frame_id\":\"f\",\"capability_id\":\"c\",\"summary\":\"s\"," \
	"\"created_at\":" AT more "}"
#define ITEM(id, more) \
	"{\"id\":\"" id "\",\"label\":\"l\",\"description\":\"d\"" more "}"
#define CARD(id, items) "{\"id\":\"" id "\",\"items\":[" items "]}"
#define ROUTING(cards, more) \
	"{\"id\":\"r\",\"timestamp\":" AT ",\"choice_cards\":[" cards "]" more \
	"}"
#define DECISION(id) \
	"{\"decision_id\":\"" id "\",\"decision\":\"deny\"," \
	"\"capability_id\":\"c\",\"principal\":\"p\",\"timestamp\":" AT "}"
#define HANDLE(id) \
	"{\"handle_id\":\"" id "\",\"capability_id\":\"c\"," \
	"\"artifact_type\":\"t\",\"created_at\":" AT "}"
#define BUNDLE(decisions, frames, handles, events) \
	"{\"bundle_id\":\"b\",\"routing_decision\":" ROUTING( \
		CARD("c", ITEM("i", "")), \
		"") ",\"policy_decisions\":[" decisions \
		    "],\"frames\":[" frames "],\"handles\":[" handles \
		    "],\"trace_events\":[" events "]}"
#define TOKEN(more) \
	"{\"token_id\":\"t\",\"principal\":\"p\",\"scope\":[\"a\"]," \
	"\"issued_at\":" AT ",\"single_use\":true" more "}"

static const struct {
	const char *rules; /* letters: s strict, n near misses, o schema only */
	enum wv_contract type;
	const char *record;
	int verdict;
	const char *told;
} cases[] = {
	/* I-01, wherever the Frame stands */
	{ "", WV_FRAME, FRAME(",\"tool_output\":{}"), 0,
		"I-01 /tool_output: a Frame carries no raw output" },
	{ "o", WV_FRAME, FRAME(",\"tool_output\":{}"), 1, "" },
	{ "", WV_FRAME, FRAME(",\"structured_data\":{\"raw\":1}"), 1, "" },
	{ "", WV_TRACE_BUNDLE,
		BUNDLE("", FRAME("") "," FRAME(",\"raw\":1,\"frame_id2\":1"),
			"", ""),
		0,
		"[unique-ids /frames/1/frame_id: two Frames of this bundle "
		"have the id \"f\"]\n"
		"I-01 /frames/1/raw: a Frame carries no raw output" },

	/* I-02, of a deny too */
	{ "", WV_TRACE_BUNDLE,
		BUNDLE(DECISION("d1") "," DECISION("d2"), "", "",
			EVENT(",\"decision_id\":\"d2\"")),
		0,
		"I-02 /policy_decisions/0/decision_id: no event names the "
		"decision \"d1\"" },
	{ "o", WV_TRACE_BUNDLE, BUNDLE(DECISION("d1"), "", "", ""), 1, "" },

	/* what a bundle refers to but does not hold is a doubt */
	{ "", WV_TRACE_BUNDLE,
		BUNDLE("", FRAME(",\"handle_refs\":[\"h\",\"g\"]"), HANDLE("h"),
			EVENT(",\"decision_id\":\"d\",\"frame_id\":\"f\","
			      "\"handle_id\":\"g\"")),
		1,
		"[bundle-reference /trace_events/0/decision_id: this bundle "
		"holds no decision \"d\"]\n"
		"[bundle-reference /trace_events/0/handle_id: this bundle "
		"holds no Handle \"g\"]\n"
		"[bundle-reference /frames/0/handle_refs/1: this bundle holds "
		"no Handle \"g\"]" },
	{ "s", WV_TRACE_BUNDLE,
		BUNDLE("", "", "", EVENT(",\"frame_id\":\"f\"")), 0,
		"bundle-reference /trace_events/0/frame_id: this bundle holds "
		"no Frame \"f\"" },
	{ "s", WV_TRACE_BUNDLE, BUNDLE("", "", "", EVENT(",\"frame_id\":null")),
		1, "" },
	{ "s", WV_TRACE_BUNDLE, BUNDLE("", "", HANDLE("h") "," HANDLE("h"), ""),
		0,
		"unique-ids /handles/1/handle_id: two Handles of this bundle "
		"have the id \"h\"" },

	/* selections */
	{ "", WV_ROUTING_DECISION,
		ROUTING(CARD("a", ITEM("i", "")) "," CARD("b", ITEM("i", "")),
			",\"selected_item_id\":\"i\""),
		1,
		"[selected-item /selected_item_id: \"i\" stands on 2 cards]" },
	{ "s", WV_ROUTING_DECISION,
		ROUTING(CARD("a", ITEM("i", "")) "," CARD("a", ITEM("j", "")),
			",\"selected_item_id\":\"j\","
			"\"selected_card_id\":\"a\""),
		0,
		"unique-card-ids /choice_cards/1/id: two cards have the id "
		"\"a\"" },
	{ "", WV_ROUTING_DECISION,
		ROUTING(CARD("a", ITEM("i", "") "," ITEM("i", "")), ""), 0,
		"unique-item-ids /choice_cards/0/items/1/id: \"i\" stands on "
		"this card twice" },

	/* Extended objects where they are attached */
	{ "", WV_FRAME,
		FRAME(",\"metadata\":{\"confidence_score\":2,\"x_a\":1,"
		      "\"redaction_policy\":null}"),
		1,
		"[/properties/confidence_score/maximum "
		"/metadata/confidence_score: must be at most 1]" },
	{ "s", WV_FRAME, FRAME(",\"metadata\":{\"confidence_score\":2}"), 0,
		"/properties/confidence_score/maximum "
		"/metadata/confidence_score: must be at most 1" },
	{ "so", WV_FRAME, FRAME(",\"metadata\":{\"confidence_score\":2}"), 1,
		"" },
	{ "s", WV_FRAME, FRAME(",\"metadata\":7"), 0,
		"/properties/metadata/type /metadata: must be an object, not "
		"a number" },
	{ "", WV_SELECTABLE_ITEM,
		ITEM("i",
			",\"metadata\":{\"ui_hint\":{\"priority\":1.5},"
			"\"telemetry\":[]}"),
		1,
		"[/type /metadata/telemetry: must be an object, not an array]\n"
		"[/properties/priority/type /metadata/ui_hint/priority: must "
		"be a whole number or null, not a fraction]" },
	{ "", WV_TRACE_EVENT,
		EVENT(",\"metadata\":{\"telemetry\":{\"trace_id\":7}}"), 1,
		"[/properties/trace_id/type /metadata/telemetry/trace_id: must "
		"be a string or null, not a number]" },
	{ "s", WV_TRACE_EVENT, EVENT(",\"metadata\":{\"telemetry\":null}"), 1,
		"" },
	{ "s", WV_TRACE_EVENT, EVENT(",\"metadata\":{\"confidence_score\":2}"),
		1, "" },
	{ "", WV_CAPABILITY_TOKEN,
		TOKEN(",\"x_weaver_signature\":{\"alg\":\"rsa\"}"), 1,
		"[/required /x_weaver_signature: needs kid]\n"
		"[/required /x_weaver_signature: needs sig]\n"
		"[/properties/alg/enum /x_weaver_signature/alg: must be one of "
		"\"ed25519\", \"es256\"]" },
	{ "s", WV_CAPABILITY_TOKEN, TOKEN(",\"x_weaver_signature\":null"), 1,
		"" },

	/* and in records that are held */
	{ "", WV_TRACE_BUNDLE,
		BUNDLE("", "", "",
			EVENT(",\"metadata\":{\"telemetry\":1}") "," EVENT(
				",\"event_id2\":1")),
		1,
		"[unique-ids /trace_events/1/event_id: two events of this "
		"bundle have the id \"e\"]\n"
		"[/type /trace_events/0/metadata/telemetry: must be an object, "
		"not a number]" },
	{ "s", WV_ROUTING_DECISION,
		ROUTING(CARD("a",
				ITEM("i", "") "," ITEM("j",
					",\"metadata\":{"
					"\"requires_confirmation\":1}")),
			""),
		0,
		"/properties/requires_confirmation/type "
		"/choice_cards/0/items/1/metadata/requires_confirmation: must "
		"be true or false, not a number" },

	/* what is not attached by a contract is no one's */
	{ "s", WV_UI_HINT,
		"{\"metadata\":{\"telemetry\":1},\"x_weaver_signature\":1}", 1,
		"" },

	/* near misses, on request */
	{ "n", WV_HANDLE,
		"{\"handle_id\":\"h\",\"capability_id\":\"c\","
		"\"artifact_type\":\"t\",\"created_at\":" AT
		",\"expiresAt\":1,\"updated_at\":1,\"owner\":1,"
		"\"x_byte_sise\":1,\"metadata\":{\"byte_siz\":1}}",
		1,
		"[near-miss /expiresAt: unknown member \"expiresAt\" (did you "
		"mean \"expires_at\"?)]" },
	{ "", WV_FRAME, FRAME(",\"sumary\":1,\"handle_ref\":1"), 1, "" },
	{ "n", WV_FRAME, FRAME(",\"sumary\":1,\"handle_ref\":1"), 1,
		"[near-miss /handle_ref: unknown member \"handle_ref\" (did "
		"you mean \"handle_refs\"?)]" },
	{ "ns", WV_FRAME, FRAME(",\"handle_ref\":1"), 0,
		"near-miss /handle_ref: unknown member \"handle_ref\" (did you "
		"mean \"handle_refs\"?)" },
	{ "no", WV_FRAME, FRAME(",\"handle_ref\":1"), 1, "" },
	{ "n", WV_TRACE_BUNDLE,
		BUNDLE("", "", "",
			EVENT(",\"outcom\":1,\"metadata\":{\"outcom\":1}")),
		1,
		"[near-miss /trace_events/0/outcom: unknown member \"outcom\" "
		"(did you mean \"outcome\"?)]" },
	{ "n", WV_ARTIFACT_SAFETY_REPORT,
		"{\"report_id\":\"r\",\"gate_id\":\"g\",\"decision\":\"pass\","
		"\"created_at\":" AT ",\"provenance\":{\"modee\":1},"
		"\"findings\":[{\"finding_id\":\"f\",\"severity\":\"low\","
		"\"message\":\"m\",\"remediatoin\":1}]}",
		1,
		"[near-miss /findings/0/remediatoin: unknown member "
		"\"remediatoin\" (did you mean \"remediation\"?)]" },
	{ "n", WV_EXECUTION_CANDIDATE,
		"{\"candidate_id\":\"c\",\"candidate_type\":\"flow\","
		"\"compiled_flow\":{\"flow_id\":\"f\",\"sensitivty\":1}}",
		1,
		"[near-miss /compiled_flow/sensitivty: unknown member "
		"\"sensitivty\" (did you mean \"sensitivity\"?)]" },
};

static void
test_cases(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct wv_contract_rules rules = {
			.schema_only = strchr(cases[i].rules, 'o') != NULL,
			.strict = strchr(cases[i].rules, 's') != NULL,
			.near_misses = strchr(cases[i].rules, 'n') != NULL,
		};
		const cJSON *record = json(cases[i].record);
		struct wv_schema_error *errors;
		int verdict = wv_contract_judge(
			cases[i].type, record, &rules, &arena, &errors);

		ok(verdict == cases[i].verdict, "%s %s", cases[i].rules,
			cases[i].record);
		is(told(errors), cases[i].told, "and what is told");
		ok(!scan(cases[i].type, &rules, record) || errors == NULL,
			"a scan says no more");
	}
}

/* What a tool of the kernel reads has no doubts. */
static void
test_check(void)
{
	struct wv_schema_error *errors;

	ok(wv_contract_check(WV_TRACE_EVENT,
		   json(EVENT(",\"metadata\":{\"telemetry\":1}")), &arena,
		   &errors) == 1 &&
			errors == NULL,
		"an attached object is not judged");
	ok(wv_contract_check(
		   WV_FRAME, json(FRAME(",\"raw\":1")), &arena, &errors) == 0 &&
			errors != NULL,
		"invariants are");
}

static bool
refers_to_record(const cJSON *schema)
{
	int type = wv_contract_referred(schema);

	return type >= 0 && wv_contract_is_record((enum wv_contract)type);
}

static void
test_holder(enum wv_contract type, const cJSON *member)
{
	static const struct wv_contract_rules rules = { 0 };
	cJSON *record = wv_json_copy(&arena, wv_contract_example(type, &arena));
	cJSON *held = wv_get(record, member->string);
	struct wv_schema_error *errors;

	if (wv_is_array(held))
		held = held->child;
	wv_put(&arena, wv_put_object(&arena, held, "metadata"), "telemetry",
		wv_json_int(&arena, 1));
	wv_contract_judge(type, record, &rules, &arena, &errors);
	ok(errors != NULL && strstr(errors->instance, "/metadata/telemetry"),
		"a %s holds %s", wv_contract_name(type), member->string);
}

/* The table of what holds what is that of the schemas. */
static void
test_held(void)
{
	for (int i = 0; i < WV_CONTRACT_COUNT; i++) {
		enum wv_contract type = (enum wv_contract)i;
		const cJSON *root = wv_contract_root(type);

		wv_json_each(member, wv_get(root, "properties")) {
			if (refers_to_record(member) ||
				refers_to_record(wv_get(member, "items")))
				test_holder(type, member);
		}
	}
}

/* Ids by the ten thousand: in a time that a quadratic search would not keep. */
static void
test_many(void)
{
	enum { MANY = 100000 };
	static const struct wv_contract_rules rules = { 0 };
	cJSON *bundle = json(BUNDLE("", "", "", ""));
	cJSON *events = wv_get(bundle, "trace_events");
	struct wv_schema_error *errors;
	size_t count = 0;

	for (int i = 0; i < MANY; i++) {
		cJSON *event = json(EVENT(""));
		const char *id = wv_printf(&arena, "id-%d", i);
		wv_put_string(&arena, event, "event_id", id);
		wv_put_string(&arena, event, "frame_id", id);
		wv_push(events, event);
	}
	ok(wv_contract_judge(
		   WV_TRACE_BUNDLE, bundle, &rules, &arena, &errors) == 1,
		"%d dangling references are doubts", MANY);
	for (; errors != NULL; errors = errors->next)
		count++;
	ok(count == 100, "of which nobody reads more than 100");
}

/* Long names and many of them cost no more than they must. */
static void
test_many_names(void)
{
	enum { MANY = 200000 };
	static const struct wv_contract_rules rules = { .near_misses = true };
	cJSON *frame = json(FRAME(""));
	struct wv_schema_error *errors;

	for (int i = 0; i < MANY; i++) {
		cJSON *value = wv_json_int(&arena, i);
		value->string = wv_printf(&arena, "redaction_n%d", i);
		wv_push(frame, value);
	}
	ok(wv_contract_judge(WV_FRAME, frame, &rules, &arena, &errors) == 1,
		"%d unknown members", MANY);
}

int
main(void)
{
	test_cases();
	test_check();
	test_held();
	test_many();
	test_many_names();
	wv_arena_free(&arena);
	return done();
}
