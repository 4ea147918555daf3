/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One evaluator for both runs: without a report it stops at the first fault
 * and allocates nothing; with one it goes on and collects.  A verdict is 1,
 * 0, or -1 where it could not be found.
 */
#include "schema/explain.h"

#include "json/num.h"

#include <string.h>

enum {
	/* Evaluations within one another, two a level for values as deep as
	 * the reader allows; within a stack of 256 KiB. */
	MAX_DEPTH = 1200,
	/* Evaluations a value: what anyOf within anyOf can multiply. */
	MAX_STEPS = 1 << 25,
};

/* Why there was no verdict. */
enum doubt { DOUBT_NONE, DOUBT_DEPTH, DOUBT_STEPS, DOUBT_PATTERN };

struct run {
	struct report *report; /* NULL: verdict only */
	unsigned depth, steps;
	enum doubt doubt; /* the first */
	const struct wv_schema *doubtful;
	const char *keyword;
};

/* Kept out of evaluate(), whose frame is what depth costs. */
#define COLD __attribute__((noinline))

static int evaluate(
	struct run *run, const struct wv_schema *schema, const cJSON *v);

static int
doubt(struct run *run, enum doubt why, const struct wv_schema *schema,
	const char *keyword)
{
	if (run->doubt == DOUBT_NONE) {
		run->doubt = why;
		run->doubtful = schema;
		run->keyword = keyword;
	}
	return -1;
}

/* The first verdict that is not "valid" is that of all. */
static inline int
both(int verdict, int next)
{
	return verdict == 1 ? next : verdict;
}

/* After a fault only a report goes on, until it is full. */
static inline bool
goes_on(const struct run *run, int verdict)
{
	return verdict == 1 ||
		(run->report != NULL &&
			run->report->faults->count < run->report->max);
}

static int
child(struct run *run, const struct wv_schema *schema, const cJSON *v,
	uint32_t index)
{
	struct report *report = run->report;
	size_t before;
	int verdict;

	if (report == NULL)
		return evaluate(run, schema, v);
	before = report->pointer.n;
	wv_report_enter(report, v->string, index);
	verdict = evaluate(run, schema, v);
	wv_report_leave(report, before);
	return verdict;
}

/* In the same place, and whatever is wrong is not to be told. */
static int
quietly(struct run *run, const struct wv_schema *schema, const cJSON *v)
{
	struct report *report = run->report;
	int verdict;

	run->report = NULL;
	verdict = evaluate(run, schema, v);
	run->report = report;
	return verdict;
}

static int
items(struct run *run, const struct wv_schema *schema, const cJSON *v)
{
	uint32_t index = 0;
	int verdict = 1;

	wv_json_each(item, v) {
		verdict = both(verdict, child(run, schema, item, index++));
		if (!goes_on(run, verdict))
			break;
	}
	return verdict;
}

/* patternProperties, additionalProperties and propertyNames for a member. */
COLD static int
other_member(struct run *run, const struct wv_schema *schema,
	const struct members *m, const cJSON *member, uint32_t index,
	bool known)
{
	cJSON name = {
		.type = cJSON_String,
		.valuestring = member->string,
		.valueint = (int)strlen(member->string),
		.string = member->string,
	};
	int verdict = 1;

	if (m->member_name != NULL)
		verdict = child(run, m->member_name, &name, index);
	for (uint32_t i = 0; i < m->pattern_count; i++) {
		int found = wv_check_pattern(m->patterns[i].regex, &name);
		if (found == 0)
			continue;
		if (found == 1)
			found = child(
				run, m->patterns[i].schema, member, index);
		else
			found = doubt(run, DOUBT_PATTERN, schema,
				"patternProperties");
		known = true;
		verdict = both(verdict, found);
	}
	if (known || m->additional == NULL || !goes_on(run, verdict))
		return verdict;
	if (m->additional->types != 0)
		return both(verdict, child(run, m->additional, member, index));
	if (run->report != NULL) {
		size_t before = run->report->pointer.n;
		wv_report_enter(run->report, member->string, index);
		wv_explain_unknown_member(run->report, schema, m, member);
		wv_report_leave(run->report, before);
	}
	return both(verdict, 0);
}

static int
members(struct run *run, const struct wv_schema *schema, const struct op *op,
	const cJSON *v)
{
	const struct members *m = op->members;
	uint32_t found = 0, index = 0;
	int verdict = 1;

	wv_json_each(member, v) {
		int64_t i = wv_names_find(&m->names, member->string);
		const struct wv_schema *sub = NULL;
		if (i >= 0) {
			sub = m->properties[i].schema;
			found += m->properties[i].required;
		}
		if (sub != NULL)
			verdict = both(verdict, child(run, sub, member, index));
		if (m->others && goes_on(run, verdict))
			verdict = both(verdict,
				other_member(run, schema, m, member, index,
					sub != NULL));
		if (!goes_on(run, verdict))
			return verdict;
		index++;
	}
	if (found == m->required)
		return verdict;
	if (run->report != NULL)
		wv_explain_op(run->report, schema, op, v);
	return both(verdict, 0);
}

static int
all_of(struct run *run, const struct op *op, const cJSON *v)
{
	int verdict = 1;

	for (uint32_t i = 0; i < op->count && goes_on(run, verdict); i++)
		verdict = both(verdict, evaluate(run, op->subs[i], v));
	return verdict;
}

/* How many branches hold, as far as it matters; -1: it cannot be known. */
static int
count_branches(
	struct run *run, const struct op *op, const cJSON *v, uint32_t held[2])
{
	int enough = op->code == OP_ANY_OF ? 1 : 2, count = 0;
	bool unknown = false;

	for (uint32_t i = 0; i < op->count && count < enough; i++) {
		int verdict = quietly(run, op->subs[i], v);
		if (verdict == 1)
			held[count++] = i;
		unknown |= verdict < 0;
	}
	return count < enough && unknown ? -1 : count;
}

/* What each branch has to say goes to a list of its own. */
COLD static void
explain_branches(struct run *run, const struct wv_schema *schema,
	const struct op *op, const cJSON *v)
{
	struct report *report = run->report;
	struct faults *list = report->faults, *lists;

	if (list->count == report->max)
		return;
	lists = wv_alloc_zero(report->arena, op->count * sizeof *lists);
	for (uint32_t i = 0; i < op->count; i++) {
		report->faults = &lists[i];
		evaluate(run, op->subs[i], v);
	}
	report->faults = list;
	wv_explain_branches(report, schema, op, v, lists);
}

static int
branches(struct run *run, const struct wv_schema *schema, const struct op *op,
	const cJSON *v)
{
	uint32_t held[2];
	int count = count_branches(run, op, v, held);

	if (count < 0 || count == 1)
		return count;
	if (run->report != NULL && count == 0)
		explain_branches(run, schema, op, v);
	else if (run->report != NULL)
		wv_explain_overlap(run->report, schema, op, held);
	return 0;
}

COLD static int
if_then_else(struct run *run, const struct op *op, const cJSON *v)
{
	int holds = quietly(run, op->subs[0], v);
	const struct wv_schema *next;

	if (holds < 0)
		return -1;
	next = op->subs[holds ? 1 : 2];
	return next ? evaluate(run, next, v) : 1;
}

static int
negation(struct run *run, const struct op *op, const cJSON *v)
{
	int verdict = quietly(run, op->subs[0], v);

	return verdict < 0 ? -1 : !verdict;
}

/* What fails by itself, and is told here. */
COLD static int
check(struct run *run, const struct wv_schema *schema, const struct op *op,
	const cJSON *v)
{
	int verdict =
		op->code == OP_NOT ? negation(run, op, v) : wv_check(op, v);

	if (verdict == 0 && run->report != NULL)
		wv_explain_op(run->report, schema, op, v);
	/* Only patterns do not know by themselves. */
	return verdict < 0 ? doubt(run, DOUBT_PATTERN, schema, op->keyword)
			   : verdict;
}

static int
step(struct run *run, const struct wv_schema *schema, const struct op *op,
	const cJSON *v)
{
	switch ((enum op_code)op->code) {
	case OP_ITEMS:
		return items(run, op->sub, v);
	case OP_MEMBERS:
		return members(run, schema, op, v);
	case OP_REF:
		return evaluate(run, op->subs[0], v);
	case OP_ALL_OF:
		return all_of(run, op, v);
	case OP_ANY_OF:
	case OP_ONE_OF:
		return branches(run, schema, op, v);
	case OP_IF:
		return if_then_else(run, op, v);
	default:
		return check(run, schema, op, v);
	}
}

static inline bool
has_type(const struct wv_schema *schema, const cJSON *v)
{
	if (schema->types & v->type)
		return true;
	return v->type == cJSON_Number && (schema->types & T_INTEGER) &&
		wv_num_is_integer(v);
}

static int
evaluate(struct run *run, const struct wv_schema *schema, const cJSON *v)
{
	const struct op *op = schema->ops, *end = op + schema->op_count;
	int verdict = 1;

	if (!has_type(schema, v)) {
		if (run->report != NULL)
			wv_explain_type(run->report, schema, v);
		return 0;
	}
	if (op == end)
		return 1;
	if (run->depth == MAX_DEPTH)
		return doubt(run, DOUBT_DEPTH, schema, NULL);
	if (run->steps++ == MAX_STEPS) {
		run->steps--;
		return doubt(run, DOUBT_STEPS, schema, NULL);
	}
	run->depth++;
	for (; op < end && goes_on(run, verdict); op++) {
		if (op->types & v->type)
			verdict = both(verdict, step(run, schema, op, v));
	}
	run->depth--;
	return verdict;
}

int
wv_schema_valid(const struct wv_schema *schema, const cJSON *instance)
{
	struct run run = { 0 };

	return evaluate(&run, schema, instance);
}

static struct wv_schema_error *
explain_doubt(const struct run *run, struct wv_arena *arena)
{
	static const char *const messages[] = {
		[DOUBT_DEPTH] = "is nested too deeply for this schema",
		[DOUBT_STEPS] = "gave up: too many alternatives to try",
		[DOUBT_PATTERN] = "gave up: the pattern is too hard to match",
	};

	return wv_explain_whole(
		arena, run->doubtful, run->keyword, messages[run->doubt]);
}

static struct wv_schema_error *
collect(const struct wv_schema *schema, const cJSON *instance,
	struct wv_arena *arena, size_t max)
{
	struct faults faults = { 0 };
	struct report report = {
		.arena = arena, .max = max, .faults = &faults
	};
	struct run run = { .report = &report };
	struct wv_schema_error *first, **tail = &first;

	wv_str_cat(&report.pointer, "");
	wv_str_cat(&report.order, "");
	evaluate(&run, schema, instance);
	for (struct fault *fault = faults.first; fault; fault = fault->next) {
		*tail = &fault->error;
		tail = &fault->error.next;
	}
	*tail = NULL;
	wv_str_free(&report.pointer);
	wv_str_free(&report.order);
	return first;
}

int
wv_schema_errors(const struct wv_schema *schema, const cJSON *instance,
	struct wv_arena *arena, size_t max, struct wv_schema_error **errors)
{
	struct run run = { 0 };
	int verdict = evaluate(&run, schema, instance);

	*errors = NULL;
	if (verdict < 0)
		*errors = explain_doubt(&run, arena);
	else if (verdict == 0)
		*errors = collect(schema, instance, arena, max);
	/* The search for reasons gave up where the verdict did not. */
	if (verdict == 0 && *errors == NULL)
		*errors = wv_explain_whole(arena, schema, NULL, "is not valid");
	return verdict;
}
