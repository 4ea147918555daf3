/* SPDX-License-Identifier: Apache-2.0 */
/* Members that are missing, and such that must not be there. */
#include "schema/explain.h"

#include <string.h>

enum {
	MAX_NAMES = 4096, /* that a member is compared with */
	MAX_NODES = 1024, /* that are searched for them */
	MAX_DEMAND = 8,   /* that one message names */
	MIN_BEGINNING = 4,
};

void
wv_explain_required(struct report *report, const struct wv_schema *schema,
	const struct members *m, const cJSON *v)
{
	for (uint32_t i = 0; i < m->names.count; i++) {
		struct wv_str text = { 0 };
		if (!m->properties[i].required ||
			wv_get(v, m->names.strings[i]) != NULL)
			continue;
		wv_str_cat(&text, "needs ");
		wv_explain_name(&text, m->names.strings[i]);
		wv_fault_add(report, schema, "required", text.s);
		wv_str_free(&text);
	}
}

void
wv_explain_dependency(struct report *report, const struct wv_schema *schema,
	const char *keyword, const char *member, const char *name)
{
	struct wv_str text = { 0 };

	wv_str_cat(&text, "needs ");
	wv_explain_name(&text, name);
	wv_str_cat(&text, ", because ");
	wv_explain_name(&text, member);
	wv_str_cat(&text, " is there");
	wv_fault_add(report, schema, keyword, text.s);
	wv_str_free(&text);
}

const struct members *
wv_explain_demand(const struct wv_schema *schema)
{
	const struct members *m;

	if (schema->op_count != 1 || schema->ops[0].code != OP_MEMBERS)
		return NULL;
	m = schema->ops[0].members;
	for (uint32_t i = 0; i < m->names.count; i++) {
		if (!m->properties[i].required)
			return NULL;
	}
	return m->required > 0 && m->required <= MAX_DEMAND && !m->others
		? m
		: NULL;
}

/* What the members of the value may be called. */
struct known {
	const char **names;
	uint32_t count, nodes;
};

static void
add_names(struct known *known, const struct members *m)
{
	for (uint32_t i = 0; i < m->names.count && known->count < MAX_NAMES;
		i++)
		known->names[known->count++] = m->names.strings[i];
}

/* Of the schema, and for unevaluatedProperties of what it applies in place;
 * never deeper than there are nodes to go. */
static void
find_names(struct known *known, const struct wv_schema *schema, bool in_place)
{
	if (schema == NULL || known->nodes++ >= MAX_NODES)
		return;
	for (uint16_t i = 0; i < schema->op_count; i++) {
		const struct op *op = &schema->ops[i];
		if (op->code == OP_MEMBERS)
			add_names(known, op->members);
		if (!in_place || !wv_op_in_place(op->code))
			continue;
		for (uint32_t n = 0; n < op->count; n++)
			find_names(known, op->subs[n], true);
	}
}

/* The longest known name that the unknown one begins with. */
static const char *
longest_beginning(const struct known *known, const char *name)
{
	const char *best = NULL;
	size_t best_len = MIN_BEGINNING - 1;

	for (uint32_t i = 0; i < known->count; i++) {
		size_t n = strlen(known->names[i]);
		if (n > best_len && strncmp(name, known->names[i], n) == 0) {
			best = known->names[i];
			best_len = n;
		}
	}
	return best;
}

static const char *
nearest_name(struct report *report, const struct wv_schema *schema,
	bool in_place, const cJSON *v, const char *name)
{
	struct known known = { 0 };
	const char *near;

	known.names =
		wv_alloc(report->arena, (MAX_NAMES + 1) * sizeof *known.names);
	find_names(&known, schema, in_place);
	known.names[known.count] = NULL;
	near = wv_nearest(name, known.names);
	if (near == NULL)
		near = longest_beginning(&known, name);
	/* What is there already was not meant. */
	return near != NULL && wv_get(v, near) != NULL ? NULL : near;
}

void
wv_explain_unknown_member(struct report *report, const struct wv_schema *schema,
	const char *keyword, const cJSON *v, const cJSON *member,
	uint32_t index)
{
	bool in_place = strcmp(keyword, "unevaluatedProperties") == 0;
	size_t before = report->pointer.n;
	struct wv_str text = { 0 };

	wv_str_cat(&text, "unknown member \"");
	wv_explain_name(&text, member->string);
	wv_str_chr(&text, '"');
	wv_explain_suggestion(&text,
		nearest_name(report, schema, in_place, v, member->string));
	wv_fault_enter(report, member->string, index);
	wv_fault_add(report, schema, keyword, text.s);
	wv_fault_leave(report, before);
	wv_str_free(&text);
}

void
wv_explain_names(struct wv_str *out, const struct members *m)
{
	for (uint32_t i = 0; i < m->names.count; i++) {
		if (i > 0)
			wv_str_cat(
				out, i + 1 < m->names.count ? ", " : " and ");
		wv_explain_name(out, m->names.strings[i]);
	}
}

/* Both hold: what to take away if they only ask for members. */
void
wv_explain_overlap(struct report *report, const struct wv_schema *schema,
	const struct op *op, const uint32_t held[2])
{
	const struct members *a = wv_explain_demand(op->subs[held[0]]);
	const struct members *b = wv_explain_demand(op->subs[held[1]]);
	struct wv_str text = { 0 };

	if (a != NULL && b != NULL) {
		wv_str_cat(&text, "must have only one of: ");
		wv_explain_names(&text, a);
		wv_str_cat(&text, ", or ");
		wv_explain_names(&text, b);
	} else {
		wv_str_fmt(&text,
			"must fit only one of %u alternatives, fits %u and %u",
			(unsigned)op->count, (unsigned)held[0] + 1,
			(unsigned)held[1] + 1);
	}
	wv_fault_add(report, schema, op->keyword, text.s);
	wv_str_free(&text);
}
