/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/contract.h"

#include "contract/attached.h"
#include "contract/invariant.h"
#include "contract/registry.h"

int
wv_contract_guess(const cJSON *value)
{
	/* In this order. */
	static const struct {
		enum wv_contract type;
		const char *members[4];
	} rules[] = {
		{ WV_TRACE_BUNDLE, { "trace_events" } },
		{ WV_TRACE_EVENT, { "event_type" } },
		{ WV_POLICY_DECISION, { "decision", "decision_id" } },
		{ WV_ROUTING_DECISION, { "choice_cards" } },
		{ WV_CHOICE_CARD, { "items" } },
		{ WV_CAPABILITY_TOKEN, { "token_id", "scope" } },
		{ WV_HANDLE, { "handle_id", "artifact_type" } },
		{ WV_FRAME, { "frame_id" } },
		{ WV_SELECTABLE_ITEM, { "label" } },
		{ WV_CAPABILITY, { "id", "name", "version" } },
	};

	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		const char *const *name = rules[i].members;
		while (*name != NULL && wv_get(value, *name) != NULL)
			name++;
		if (*name == NULL)
			return (int)rules[i].type;
	}
	return -1;
}

/* Records that a record holds: one, or an array of them. */
static const struct {
	enum wv_contract holder, held;
	const char *member;
} held[] = {
	{ WV_CHOICE_CARD, WV_SELECTABLE_ITEM, "items" },
	{ WV_ROUTING_DECISION, WV_CHOICE_CARD, "choice_cards" },
	{ WV_EXECUTION_CANDIDATE, WV_COMPILED_FLOW, "compiled_flow" },
	{ WV_EXECUTION_ROUTING_DECISION, WV_EXECUTION_CANDIDATE, "candidate" },
	{ WV_EXECUTION_ROUTING_DECISION, WV_EXECUTION_CANDIDATE,
		"fallback_candidates" },
	{ WV_TRACE_BUNDLE, WV_ROUTING_DECISION, "routing_decision" },
	{ WV_TRACE_BUNDLE, WV_POLICY_DECISION, "policy_decisions" },
	{ WV_TRACE_BUNDLE, WV_FRAME, "frames" },
	{ WV_TRACE_BUNDLE, WV_HANDLE, "handles" },
	{ WV_TRACE_BUNDLE, WV_TRACE_EVENT, "trace_events" },
};

struct judgement {
	struct wv_found found;
	struct wv_err err; /* why it could not be told */
};

static int judge_record(struct judgement *j, enum wv_contract type,
	const cJSON *record, const struct wv_place *place);

static int
judge_held(struct judgement *j, enum wv_contract type, const cJSON *value,
	struct wv_place *at)
{
	if (!wv_is_array(value))
		return judge_record(j, type, value, at);
	at->index = 0;
	wv_json_each(record, value) {
		if (judge_record(j, type, record, at) != 0)
			return -1;
		at->index++;
	}
	return 0;
}

/* As deep as contracts hold each other; what is no object has no members. */
static int
judge_record(struct judgement *j, enum wv_contract type, const cJSON *record,
	const struct wv_place *place)
{
	if (!wv_is_object(record))
		return 0;
	wv_invariants(&j->found, type, record, place);
	if (j->found.doubts &&
		wv_attached(&j->found, type, record, place, &j->err) != 0)
		return -1;
	for (size_t i = 0; i < sizeof held / sizeof held[0]; i++) {
		struct wv_place at = { place, held[i].member, WV_NO_INDEX };
		if (held[i].holder == type &&
			judge_held(j, held[i].held,
				wv_get(record, held[i].member), &at) != 0)
			return -1;
	}
	return 0;
}

static int
undecided(struct wv_arena *arena, const struct wv_err *err,
	struct wv_schema_error **errors)
{
	struct wv_schema_error *error = wv_alloc_zero(arena, sizeof *error);

	error->instance = error->keyword = "";
	error->message = wv_dup(arena, err->text);
	*errors = error;
	return -1;
}

static int
judge_schema(enum wv_contract type, const cJSON *value,
	enum wv_schema_branches branches, struct wv_arena *arena, size_t max,
	struct wv_schema_error **errors)
{
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema = wv_registry_contract(type, &err);

	*errors = NULL;
	if (schema == NULL)
		return undecided(arena, &err, errors);
	return wv_schema_errors(schema, value, branches, arena, max, errors);
}

/* rules: NULL to look for no doubts. */
static int
judge_beyond(enum wv_contract type, const cJSON *value,
	const struct wv_contract_rules *rules, struct judgement *j,
	struct wv_schema_error **errors)
{
	static const struct wv_place top = { NULL, NULL, WV_NO_INDEX };
	int failed;

	wv_found_begin(&j->found, errors);
	failed = judge_record(j, type, value, &top);
	if (failed == 0 && rules != NULL && rules->near_misses)
		wv_near_misses(&j->found, type, value);
	wv_found_end(&j->found);
	return failed;
}

static int
judge(enum wv_contract type, const cJSON *value,
	const struct wv_contract_rules *rules, size_t max,
	struct wv_arena *arena, struct wv_schema_error **errors)
{
	struct judgement j = {
		.found = { .arena = arena,
			.max = max,
			.doubts = rules != NULL,
			.strict = rules != NULL && rules->strict },
		.err = WV_ERR_INIT,
	};
	int verdict = judge_schema(type, value,
		rules != NULL ? rules->branches : WV_BRANCH_NEAREST, arena, max,
		errors);

	if (verdict < 0)
		return verdict;
	if (judge_beyond(type, value, rules, &j, errors) != 0)
		return undecided(arena, &j.err, errors);
	return j.found.invalid ? 0 : verdict;
}

int
wv_contract_check(enum wv_contract type, const cJSON *value,
	struct wv_arena *arena, struct wv_schema_error **errors)
{
	return judge(type, value, NULL, WV_MAX_FAULTS, arena, errors);
}

int
wv_contract_judge(enum wv_contract type, const cJSON *value,
	const struct wv_contract_rules *rules, struct wv_arena *arena,
	struct wv_schema_error **errors)
{
	size_t max = rules->max > 0 ? rules->max : WV_MAX_FAULTS;

	if (rules->schema_only)
		return judge_schema(
			type, value, rules->branches, arena, max, errors);
	return judge(type, value, rules, max, arena, errors);
}

bool
wv_contract_scan(enum wv_contract type, const struct wv_contract_rules *rules,
	const char *text, size_t len, const struct wv_json_limits *limits)
{
	const struct wv_schema *schema;

	if (rules->schema_only)
		schema = wv_registry_contract(type, NULL);
	else if (!rules->near_misses)
		schema = wv_registry_stricter(type);
	else
		return false;
	return schema != NULL && wv_schema_scan(schema, text, len, limits);
}
