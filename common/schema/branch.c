/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to say when no branch of an anyOf or oneOf holds: the faults of the
 * branch that was probably meant, unless something shorter says it all.
 */
#include "schema/explain.h"

#include <stdio.h>
#include <string.h>

/* How far a branch is from the value; the least is best, in this order. */
struct distance {
	unsigned types;  /* the value has not even the type */
	unsigned values; /* a const or enum of it or of a member: not meant */
	unsigned here;   /* faults of the value itself; deeper is nearer */
	size_t all;
};

static struct distance
distance(const struct report *report, const struct faults *faults)
{
	struct distance d = { .all = faults->count };
	size_t here = report->order.n, member = here + 4;

	/* No reason was found: as far as can be. */
	d.types = faults->count == 0 ? 2 : 0;
	for (const struct fault *f = faults->first; f; f = f->next) {
		d.types += f->of_type && f->order_len == here;
		d.values += f->of_value && f->order_len <= member;
		d.here += f->order_len == here;
	}
	return d;
}

static bool
is_nearer(struct distance a, struct distance b)
{
	if (a.types != b.types)
		return a.types < b.types;
	if (a.values != b.values)
		return a.values < b.values;
	if (a.here != b.here)
		return a.here < b.here;
	return a.all < b.all;
}

static struct faults *
best_branch(const struct report *report, struct faults *lists, uint32_t count)
{
	struct faults *best = &lists[0];

	for (uint32_t i = 1; i < count; i++) {
		if (is_nearer(distance(report, &lists[i]),
			    distance(report, best)))
			best = &lists[i];
	}
	return best;
}

static bool
is_told(const struct report *report, const struct fault *fault)
{
	for (const struct fault *f = report->faults->first; f; f = f->next) {
		if (strcmp(f->error.instance, fault->error.instance) == 0)
			return true;
	}
	return false;
}

/* Something is wrong with these values anyway, and has been said. */
static bool
all_told(const struct report *report, const struct faults *faults)
{
	for (const struct fault *f = faults->first; f; f = f->next) {
		if (!is_told(report, f))
			return false;
	}
	return faults->first != NULL;
}

/* The branch only asks for members: "needs this, or that". */
static const struct members *
demand_of(const struct wv_schema *branch)
{
	const struct members *m;

	if (branch->op_count != 1 || branch->ops[0].code != OP_MEMBERS)
		return NULL;
	m = branch->ops[0].members;
	for (uint32_t i = 0; i < m->names.count; i++) {
		if (!m->properties[i].required)
			return NULL;
	}
	return m->required > 0 && !m->others ? m : NULL;
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
	for (uint32_t i = 0; i < op->count; i++) {
		if (demand_of(op->subs[i]) == NULL)
			return false;
	}
	for (int with_value = 0; with_value < 2; with_value++) {
		for (uint32_t i = 0; i < op->count; i++) {
			const struct members *m = demand_of(op->subs[i]);
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

void
wv_explain_branches(struct report *report, const struct wv_schema *schema,
	const struct op *op, const cJSON *v, struct faults *lists)
{
	struct faults *best = best_branch(report, lists, op->count);
	struct wv_str text = { 0 };

	if (all_told(report, best))
		return;
	if (best->first == NULL)
		wv_str_fmt(&text, "fits none of %u alternatives",
			(unsigned)op->count);
	if (best->first == NULL || (wv_is_object(v) && add_demands(&text, op)))
		wv_report_add(report, schema, op->keyword, text.s);
	else if (add_types(&text, op, v, distance(report, best)))
		wv_report_add(report, schema, op->keyword, text.s)->of_type =
			true;
	else
		wv_report_merge(report, best);
	wv_str_free(&text);
}

void
wv_explain_overlap(struct report *report, const struct wv_schema *schema,
	const struct op *op, const uint32_t held[2])
{
	char text[96];

	snprintf(text, sizeof text,
		"must fit only one of %u alternatives, fits %u and %u",
		(unsigned)op->count, (unsigned)held[0] + 1,
		(unsigned)held[1] + 1);
	wv_report_add(report, schema, op->keyword, text);
}
