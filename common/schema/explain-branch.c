/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to say when no branch of an anyOf or oneOf holds: the faults of the
 * branch that was probably meant, unless something shorter says it all.
 */
#include "schema/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_FAULTS = 32,  /* of a branch: more make it no worse */
	LOOK_BACK = 1000, /* faults that may say already what is wrong */
	MAX_DEMANDS = 8,  /* that one message names */
	MAX_MEMBERS = 8,  /* that might say which branch is meant */
	BLOCK_SIZE = 4096,
};

/* How far a branch is from the value; the least is best, in this order. */
struct distance {
	unsigned types;   /* the value has not even the type */
	unsigned consts;  /* another value of it or a member: not meant */
	unsigned choices; /* none of its values: perhaps not meant */
	unsigned here;    /* faults of the value itself; deeper is nearer */
	size_t all;
};

/* The best branch so far and one that is tried, each with its own memory. */
struct contest {
	struct faults best, tried;
	struct wv_arena arenas[2];
	struct distance distance; /* of the best */
	uint32_t nearest;         /* which that is */
};

static struct distance
distance(const struct report *report, const struct faults *faults)
{
	struct distance d = { .all = faults->count };
	size_t here = report->order.n, member = here + 4;

	/* No reason was found: as far as can be. */
	d.types = faults->count == 0 ? 2 : 0;
	for (const struct fault *f = faults->last; f; f = f->before) {
		d.types += f->of_type && f->order_len == here;
		d.consts += f->of_const && f->order_len <= member;
		d.choices += f->of_choice && f->order_len <= member;
		d.here += f->order_len == here;
	}
	return d;
}

static bool
is_nearer(struct distance a, struct distance b)
{
	if (a.types != b.types)
		return a.types < b.types;
	if (a.consts != b.consts)
		return a.consts < b.consts;
	if (a.choices != b.choices)
		return a.choices < b.choices;
	if (a.here != b.here)
		return a.here < b.here;
	return a.all < b.all;
}

/* A branch once more, with a report, into contest->tried. */
static void
try_branch(struct run *run, struct contest *contest, int at,
	const struct wv_schema *branch, const cJSON *v)
{
	struct report *report = run->report;
	struct faults *faults = report->faults;
	struct wv_arena *arena = report->arena;
	enum wv_schema_branches branches = report->branches;
	size_t max = report->max;

	report->max = MAX_FAULTS;
	report->branches = WV_BRANCH_NEAREST;
	report->faults = &contest->tried;
	report->arena = &contest->arenas[at];
	wv_arena_reset(report->arena);
	contest->tried = (struct faults){ 0 };
	wv_schema_run(run, branch, v);
	report->max = max;
	report->branches = branches;
	report->faults = faults;
	report->arena = arena;
}

/* Each, but one is remembered at a time. */
static void
find_best(struct run *run, struct contest *contest, const struct op *op,
	const cJSON *v)
{
	int at = 0;

	for (uint32_t i = 0; i < op->count; i++) {
		struct distance d;
		try_branch(run, contest, at, op->subs[i], v);
		d = distance(run->report, &contest->tried);
		if (i > 0 && !is_nearer(d, contest->distance))
			continue;
		contest->best = contest->tried;
		contest->nearest = i;
		contest->distance = d;
		at = !at;
	}
}

static bool
is_told(const struct report *report, const struct fault *fault)
{
	const struct fault *f = report->faults->last;

	for (int i = 0; f != NULL && i < LOOK_BACK; i++, f = f->before) {
		if (!f->beside && f->order_len == fault->order_len &&
			memcmp(f->order, fault->order, f->order_len) == 0)
			return true;
	}
	return false;
}

/* Something is wrong with these values anyway, and has been said. */
static bool
all_told(const struct report *report, const struct faults *faults)
{
	for (const struct fault *f = faults->last; f; f = f->before) {
		if (!is_told(report, f))
			return false;
	}
	return faults->last != NULL;
}

static const cJSON *
demanded_value(const struct property *property)
{
	const struct wv_schema *schema = property->schema;

	if (schema == NULL || schema->op_count == 0 ||
		schema->ops[0].code != OP_CONST)
		return NULL;
	return schema->ops[0].value;
}

static bool
demands_value(const struct members *m)
{
	for (uint32_t i = 0; i < m->names.count; i++) {
		if (demanded_value(&m->properties[i]) != NULL)
			return true;
	}
	return false;
}

static void
add_demand(struct wv_str *text, const struct members *m)
{
	wv_str_cat(text, text->n == 0 ? "needs " : ", or ");
	for (uint32_t i = 0; i < m->names.count; i++) {
		const cJSON *value = demanded_value(&m->properties[i]);
		wv_str_cat(text, i > 0 ? " and " : "");
		wv_explain_name(text, m->names.strings[i]);
		if (value != NULL) {
			wv_str_cat(text, ": ");
			wv_explain_value(text, value);
		}
	}
}

/* Branches that want a member come before those that also want its value. */
static bool
add_demands(struct wv_str *text, const struct op *op)
{
	if (op->count > MAX_DEMANDS)
		return false;
	for (uint32_t i = 0; i < op->count; i++) {
		if (wv_explain_demand(op->subs[i]) == NULL)
			return false;
	}
	for (int with_value = 0; with_value < 2; with_value++) {
		for (uint32_t i = 0; i < op->count; i++) {
			const struct members *m =
				wv_explain_demand(op->subs[i]);
			if (demands_value(m) == with_value)
				add_demand(text, m);
		}
	}
	return true;
}

/* Every branch wants another type. */
static bool
add_types(struct wv_str *text, const struct op *op, const cJSON *v,
	struct distance best)
{
	unsigned types = 0;

	if (best.types != 1 || best.all != 1)
		return false;
	for (uint32_t i = 0; i < op->count; i++)
		types |= op->subs[i]->types;
	/* The wrong type may stand in a branch of the branch. */
	if (types & (unsigned)v->type)
		return false;
	wv_explain_types(text, types, v);
	return true;
}

/* The const or enum of a schema, or of a member that it speaks of. */
static struct choice
choice_of(const struct wv_schema *schema, const char *name)
{
	struct choice none = { 0 };

	for (uint16_t i = 0; name != NULL && i < schema->op_count; i++) {
		const struct members *m = schema->ops[i].members;
		int64_t at;
		if (schema->ops[i].code != OP_MEMBERS)
			continue;
		at = wv_names_find(&m->names, name);
		return at < 0 || m->properties[at].schema == NULL
			? none
			: choice_of(m->properties[at].schema, NULL);
	}
	if (name != NULL || schema->op_count == 0 ||
		schema->ops[0].code > OP_ENUM)
		return none;
	return (struct choice){ schema, &schema->ops[0] };
}

/* One for each branch that speaks of values of this type, if none of them
 * allows this one. */
static uint32_t
all_choices(const struct op *op, const cJSON *v, const cJSON *value,
	const char *name, struct choice *choices)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < op->count; i++) {
		if (!(op->subs[i]->types & v->type))
			continue;
		choices[count] = choice_of(op->subs[i], name);
		if (choices[count].op == NULL ||
			wv_check(choices[count].op, value) != 0)
			return 0;
		count++;
	}
	return count;
}

static void
explain_choices(struct report *report, const struct wv_schema *schema,
	const struct op *op, const struct choice *choices, uint32_t count,
	const cJSON *value)
{
	struct wv_str text = { 0 };

	wv_explain_choice(report, &text, choices, count, value);
	wv_fault_add(report, schema, op->keyword, text.s)->of_choice = true;
	wv_str_free(&text);
}

static const struct members *
members_of(const struct wv_schema *schema)
{
	for (uint16_t i = 0; i < schema->op_count; i++) {
		if (schema->ops[i].code == OP_MEMBERS)
			return schema->ops[i].members;
	}
	return NULL;
}

static uint32_t
index_of(const cJSON *parent, const cJSON *child)
{
	uint32_t index = 0;

	for (const cJSON *one = parent->child; one != child; one = one->next)
		index++;
	return index;
}

/* A member that all branches have values for, and it has none of them. */
static bool
explain_member_choice(struct report *report, const struct wv_schema *schema,
	const struct op *op, const cJSON *v, struct choice *choices)
{
	const struct members *m = members_of(op->subs[0]);
	int tried = 0;

	for (uint32_t i = 0; m && i < m->names.count && tried < MAX_MEMBERS;
		i++) {
		const char *name = m->names.strings[i];
		const cJSON *value = NULL;
		size_t before = report->pointer.n;
		uint32_t count;
		if (choice_of(op->subs[0], name).op != NULL)
			value = wv_get(v, name);
		if (value == NULL)
			continue;
		tried++;
		count = all_choices(op, v, value, name, choices);
		if (count < 2)
			continue;
		wv_fault_enter(report, name, index_of(v, value));
		explain_choices(report, schema, op, choices, count, value);
		wv_fault_leave(report, before);
		return true;
	}
	return false;
}

/* Every branch wants other values. */
static bool
explain_values(struct report *report, const struct wv_schema *schema,
	const struct op *op, const cJSON *v, struct distance best)
{
	struct choice *choices;
	uint32_t count;

	if (best.types > 0 || best.consts + best.choices == 0)
		return false;
	choices = wv_alloc(report->arena, op->count * sizeof *choices);
	count = all_choices(op, v, v, NULL, choices);
	if (count < 2)
		return explain_member_choice(report, schema, op, v, choices);
	explain_choices(report, schema, op, choices, count, v);
	return true;
}

/* Whether by the faults of the nearest branch. */
static bool
explain(struct report *report, const struct wv_schema *schema,
	const struct op *op, const cJSON *v, const struct contest *contest)
{
	struct wv_str text = { 0 };
	bool of_branch = false;

	if (contest->best.last == NULL)
		wv_str_fmt(&text, "fits none of %u alternatives",
			(unsigned)op->count);
	if (contest->best.last == NULL ||
		(wv_is_object(v) && add_demands(&text, op)))
		wv_fault_add(report, schema, op->keyword, text.s);
	else if (add_types(&text, op, v, contest->distance))
		wv_fault_add(report, schema, op->keyword, text.s)->of_type =
			true;
	else
		of_branch = !explain_values(
			report, schema, op, v, contest->distance);
	if (of_branch)
		wv_fault_merge(report, &contest->best, NULL);
	wv_str_free(&text);
	return of_branch;
}

/* Then what is wrong by each other branch. */
static void
explain_each(struct run *run, const struct wv_schema *schema,
	const struct op *op, const cJSON *v, struct contest *contest)
{
	bool of_branch = explain(run->report, schema, op, v, contest);

	for (uint32_t i = 0; i < op->count && goes_on(run, 0); i++) {
		char beside[48];
		if (of_branch && i == contest->nearest)
			continue;
		try_branch(run, contest, 0, op->subs[i], v);
		snprintf(beside, sizeof beside,
			"alternative %u of %u: ", (unsigned)i + 1,
			(unsigned)op->count);
		wv_fault_merge(run->report, &contest->tried, beside);
	}
}

void
wv_explain_branches(struct run *run, const struct wv_schema *schema,
	const struct op *op, const cJSON *v)
{
	struct report *report = run->report;
	struct contest *contest;

	if (report->faults->count == report->max)
		return;
	/* Not on the stack, of which a branch within a branch takes more. */
	contest = wv_xcalloc(1, sizeof *contest);
	contest->arenas[0].block_size = BLOCK_SIZE;
	contest->arenas[1].block_size = BLOCK_SIZE;
	find_best(run, contest, op, v);
	if (report->branches == WV_BRANCH_EACH)
		explain_each(run, schema, op, v, contest);
	else if (!all_told(report, &contest->best))
		explain(report, schema, op, v, contest);
	wv_arena_free(&contest->arenas[0]);
	wv_arena_free(&contest->arenas[1]);
	free(contest);
}
