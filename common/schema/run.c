/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/run.h"

#include "json/num.h"

#include <string.h>

enum {
	/* Evaluations within one another, four a level for values as deep as
	 * the reader allows, which is what a meta-schema takes for "not" in
	 * "not"; a small stack allows fewer. */
	MAX_DEPTH = 2100,
	/* Evaluations a value: what anyOf within anyOf can multiply. */
	MAX_STEPS = 1 << 25,
};
#define ANY_NUMBER UINT64_MAX

int
wv_schema_run_doubt(struct run *run, enum doubt why,
	const struct wv_schema *schema, const char *keyword)
{
	if (run->doubt == DOUBT_NONE) {
		run->doubt = why;
		run->doubtful = schema;
		run->keyword = keyword;
	}
	return -1;
}

int
wv_schema_run_child_apart(struct run *run, const struct wv_schema *schema,
	const cJSON *v, uint32_t index)
{
	struct report *report = run->report;
	const struct seen *seen = run->seen;
	size_t before = report ? report->pointer.n : 0;
	int verdict;

	run->seen = NULL;
	if (report != NULL)
		wv_fault_enter(report, v->string, index);
	verdict = wv_schema_run(run, schema, v);
	if (report != NULL)
		wv_fault_leave(report, before);
	run->seen = seen;
	return verdict;
}

COLD static int
surplus_item(struct run *run, const struct wv_schema *schema,
	const struct op *op, uint32_t index)
{
	if (run->report != NULL)
		wv_explain_surplus_item(run->report, schema, op, index);
	return 0;
}

static int
items(struct run *run, const struct wv_schema *schema, const struct op *op,
	const cJSON *v)
{
	const struct items *items = op->items;
	const struct wv_schema *rest = items->rest;
	const cJSON *item = v->child;
	uint32_t index = 0;
	int verdict = 1;

	for (; item && index < items->prefix_count; item = item->next) {
		verdict = both(verdict,
			wv_schema_run_child(
				run, items->prefix[index], item, index));
		wv_seen_add(run, index++);
		if (!goes_on(run, verdict))
			return verdict;
	}
	if (rest == NULL || item == NULL)
		return verdict;
	wv_seen_all(run);
	if (rest->types == 0)
		return both(verdict, surplus_item(run, schema, op, index));
	for (; item && goes_on(run, verdict); item = item->next)
		verdict = both(
			verdict, wv_schema_run_child(run, rest, item, index++));
	run->steps += index / CHILDREN_A_STEP;
	return verdict;
}

COLD static int
contains(struct run *run, const struct wv_schema *schema, const struct op *op,
	const cJSON *v)
{
	const struct contains *contains = op->contains;
	bool evaluates = contains->evaluates && run->seen != NULL;
	uint64_t enough =
		contains->max == ANY_NUMBER ? contains->min : contains->max + 1;
	struct report *report = run->report;
	uint64_t found = 0, unknown = 0;
	uint32_t index = 0;

	run->report = NULL;
	for (const cJSON *item = v->child; item; item = item->next, index++) {
		int verdict =
			wv_schema_run_child(run, contains->schema, item, index);
		found += verdict == 1;
		unknown += verdict < 0;
		if (verdict == 1 && evaluates)
			wv_seen_add(run, index);
		if (found >= enough && !evaluates)
			break;
	}
	run->report = report;
	run->steps += index / CHILDREN_A_STEP;
	if (found + unknown >= contains->min && found <= contains->max) {
		if (unknown == 0 ||
			(found >= contains->min && !evaluates &&
				found + unknown <= contains->max))
			return 1;
		return -1;
	}
	if (report != NULL)
		wv_explain_contains(report, schema, op, v, found);
	return 0;
}

/* propertyNames: the report is about the name, not the member. */
static int
member_name(struct run *run, const struct wv_schema *schema, const cJSON *name,
	uint32_t index)
{
	struct report *report = run->report;
	int verdict;

	if (report != NULL)
		report->of_name = true;
	verdict = wv_schema_run_child(run, schema, name, index);
	if (report != NULL)
		report->of_name = false;
	return verdict;
}

/* patternProperties, additionalProperties and propertyNames for a member. */
COLD static int
other_member(struct run *run, const struct wv_schema *schema,
	const struct members *m, const cJSON *v, const cJSON *member,
	uint32_t index, bool known)
{
	cJSON name = {
		.type = cJSON_String,
		.valuestring = member->string,
		.valueint = (int)strlen(member->string),
		.string = member->string,
	};
	int verdict = 1;

	if (m->member_name != NULL)
		verdict = member_name(run, m->member_name, &name, index);
	for (uint32_t i = 0; i < m->pattern_count; i++) {
		int found = wv_check_pattern(m->patterns[i].regex, &name);
		if (found == 0)
			continue;
		if (found == 1)
			found = wv_schema_run_child(
				run, m->patterns[i].schema, member, index);
		else
			found = wv_schema_run_doubt(run, DOUBT_PATTERN, schema,
				"patternProperties");
		known = true;
		verdict = both(verdict, found);
	}
	if (known || m->additional != NULL)
		wv_seen_add(run, index);
	if (known || m->additional == NULL || !goes_on(run, verdict))
		return verdict;
	if (m->additional->types != 0)
		return both(verdict,
			wv_schema_run_child(run, m->additional, member, index));
	if (run->report != NULL)
		wv_explain_unknown_member(run->report, schema,
			"additionalProperties", v, member, index);
	return both(verdict, 0);
}

static int
members(struct run *run, const struct wv_schema *schema, const struct op *op,
	const cJSON *v)
{
	const struct members *m = op->members;
	const cJSON *member = v->child;
	uint32_t found = 0, index = 0, next = 0;
	int verdict = 1;

	if (m->names.count == 0 && !m->others)
		member = NULL; /* they may be anything */
	for (; member != NULL; member = member->next, index++) {
		int64_t i = wv_names_find_next(&m->names, member->string, next);
		const struct wv_schema *sub = NULL;
		if (i >= 0) {
			next = (uint32_t)i + 1;
			sub = m->properties[i].schema;
			found += m->properties[i].required;
		}
		if (sub != NULL) {
			verdict = both(verdict,
				wv_schema_run_child(run, sub, member, index));
			wv_seen_add(run, index);
		}
		if (m->others && goes_on(run, verdict))
			verdict = both(verdict,
				other_member(run, schema, m, v, member, index,
					sub != NULL));
		if (!goes_on(run, verdict))
			return verdict;
	}
	run->steps += index / CHILDREN_A_STEP;
	if (m->covers)
		wv_seen_all(run);
	if (found == m->required)
		return verdict;
	if (run->report != NULL)
		wv_explain_required(run->report, schema, m, v);
	return both(verdict, 0);
}

/* What fails by itself, and is told here. */
COLD static int
check(struct run *run, const struct wv_schema *schema, const struct op *op,
	const cJSON *v)
{
	int verdict = wv_check(op, v);

	if (verdict == 0 && run->report != NULL)
		wv_explain_op(run->report, schema, op, v);
	/* Only patterns do not know by themselves. */
	return verdict < 0
		? wv_schema_run_doubt(run, DOUBT_PATTERN, schema, op->keyword)
		: verdict;
}

static int
step(struct run *run, const struct wv_schema *schema, const struct op *op,
	const cJSON *v)
{
	switch ((enum op_code)op->code) {
	case OP_ITEMS:
		return items(run, schema, op, v);
	case OP_CONTAINS:
		return contains(run, schema, op, v);
	case OP_MEMBERS:
		return members(run, schema, op, v);
	case OP_DEPENDENT_REQUIRED:
		return wv_schema_run_dependent_required(run, schema, op, v);
	case OP_REF:
		return wv_schema_run(run, op->subs[0], v);
	case OP_DYNAMIC_REF:
		return wv_schema_run_dynamic_ref(run, op, v);
	case OP_ALL_OF:
		return wv_schema_run_all_of(run, op, v);
	case OP_ANY_OF:
	case OP_ONE_OF:
		return wv_schema_run_branches(run, schema, op, v);
	case OP_NOT:
		return wv_schema_run_not(run, schema, op, v);
	case OP_IF:
		return wv_schema_run_if(run, op, v);
	case OP_DEPENDENT_SCHEMAS:
		return wv_schema_run_dependent_schemas(run, op, v);
	case OP_UNEVALUATED_ITEMS:
	case OP_UNEVALUATED_PROPERTIES:
		return wv_schema_run_unevaluated(run, schema, op, v);
	default:
		return check(run, schema, op, v);
	}
}

static inline int
run_ops(struct run *run, const struct wv_schema *schema, const cJSON *v)
{
	const struct op *op = schema->ops, *end = op + schema->op_count;
	int verdict = 1;

	for (; op < end && goes_on(run, verdict); op++) {
		if (op->types & v->type)
			verdict = both(verdict, step(run, schema, op, v));
	}
	return verdict;
}

static bool
is_in_scope(const struct scope *scope, const struct resource *resource)
{
	while (scope != NULL && scope->resource != resource)
		scope = scope->up;
	return scope != NULL;
}

/* A schema that asks what has been looked at, or one of another resource than
 * the one that refers to it. */
COLD static int
enter(struct run *run, const struct wv_schema *schema, const cJSON *v)
{
	const struct seen *outer = run->seen;
	struct scope scope = { schema->resource, run->scope };
	struct seen seen = { 0 };
	int verdict;

	if (schema->resource->dynamic_count > 0 &&
		!is_in_scope(run->scope, schema->resource))
		run->scope = &scope;
	if (schema->collects)
		wv_seen_open(run, &seen, v);
	verdict = run_ops(run, schema, v);
	if (schema->collects)
		wv_seen_close(run, outer, verdict == 1);
	run->scope = scope.up;
	return verdict;
}

static inline bool
has_type(const struct wv_schema *schema, const cJSON *v)
{
	if (schema->types & v->type)
		return true;
	return v->type == cJSON_Number && (schema->types & T_INTEGER) &&
		wv_num_is_integer(v);
}

static inline bool
is_plain(const struct run *run, const struct wv_schema *schema)
{
	return !schema->collects &&
		(schema->resource->dynamic_count == 0 ||
			(run->scope != NULL &&
				run->scope->resource == schema->resource));
}

int
wv_schema_run(struct run *run, const struct wv_schema *schema, const cJSON *v)
{
	int verdict;

	if (!has_type(schema, v)) {
		if (run->report != NULL)
			wv_explain_type(run->report, schema, v);
		return 0;
	}
	if (schema->op_count == 0)
		return 1;
	if (run->depth == MAX_DEPTH ||
		(uintptr_t)__builtin_frame_address(0) < run->floor)
		return wv_schema_run_doubt(run, DOUBT_DEPTH, schema, NULL);
	if (run->steps >= MAX_STEPS)
		return wv_schema_run_doubt(run, DOUBT_STEPS, schema, NULL);
	run->steps++;
	run->depth++;
	verdict = is_plain(run, schema) ? run_ops(run, schema, v)
					: enter(run, schema, v);
	run->depth--;
	return verdict;
}
