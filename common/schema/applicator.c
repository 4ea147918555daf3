/* SPDX-License-Identifier: Apache-2.0 */
/* The keywords that hold schemas. */
#include "schema/keyword.h"

#include <stdio.h>

/* The value of the keyword is a schema. */
static struct wv_schema *
sub(struct compiler *c, const cJSON *source, const char *name)
{
	return wv_schema_sub(
		c->set, c->node, source, c->row->name, name, c->err);
}

int
wv_compile_items(struct compiler *c)
{
	struct wv_schema *items = sub(c, c->value, NULL);

	if (items == NULL)
		return -1;
	wv_keyword_op(c)->sub = items;
	return 0;
}

/* $defs: nothing by itself, but what stands there must be right. */
int
wv_compile_definitions(struct compiler *c)
{
	if (!wv_is_object(c->value))
		return BAD(c, "must be an object");
	wv_json_each(one, c->value) {
		if (sub(c, one, one->string) == NULL)
			return -1;
	}
	return 0;
}

static int
in_place(struct compiler *c, struct wv_schema *one)
{
	struct op *op;

	if (one == NULL)
		return -1;
	op = wv_keyword_op(c);
	op->count = 1;
	op->subs = wv_alloc(&c->set->arena, sizeof(struct wv_schema *));
	op->subs[0] = one;
	return 0;
}

int
wv_compile_ref(struct compiler *c)
{
	struct wv_schema *target;

	if (!wv_is_string(c->value))
		return BAD(c, "must be a string");
	target = wv_schema_ref(c->set, c->node, c->value->valuestring, c->err);
	return in_place(c, target);
}

int
wv_compile_not(struct compiler *c)
{
	return in_place(c, sub(c, c->value, NULL));
}

int
wv_compile_branches(struct compiler *c)
{
	size_t n = wv_count(c->value);
	struct wv_schema **subs;
	uint32_t count = 0;
	struct op *op;

	if (!wv_is_array(c->value) || n == 0)
		return BAD(c, "must be a list of at least one schema");
	subs = wv_alloc(&c->set->arena, n * sizeof(struct wv_schema *));
	wv_json_each(one, c->value) {
		char index[16];
		snprintf(index, sizeof index, "%u", count);
		subs[count] = sub(c, one, index);
		if (subs[count++] == NULL)
			return -1;
	}
	op = wv_keyword_op(c);
	op->count = count;
	op->subs = subs;
	return 0;
}

/* if, with then and else beside it; those two mean nothing without it. */
int
wv_compile_if(struct compiler *c)
{
	static const char *const names[] = { "if", "then", "else" };
	struct wv_schema **subs =
		wv_alloc_zero(&c->set->arena, 3 * sizeof(struct wv_schema *));
	struct op *op;

	for (int i = 0; i < 3; i++) {
		const cJSON *source = wv_get(c->node->source, names[i]);
		if (source == NULL)
			continue;
		subs[i] = wv_schema_sub(
			c->set, c->node, source, names[i], NULL, c->err);
		if (subs[i] == NULL)
			return -1;
	}
	op = wv_keyword_op(c);
	op->count = 3;
	op->subs = subs;
	return 0;
}

int
wv_compile_then_else(struct compiler *c)
{
	return sub(c, c->value, NULL) == NULL ? -1 : 0;
}

/* The names of properties and of required, those of properties first. */
static int
name_members(struct compiler *c, struct members *m, const cJSON *properties,
	const cJSON *required)
{
	struct wv_arena *arena = &c->set->arena;
	size_t room = wv_count(properties) + wv_count(required);
	const char **strings = wv_alloc(arena, room * sizeof *strings);
	uint32_t count = 0;

	wv_json_each(one, properties)
		strings[count++] = one->string;
	wv_names_make(&m->names, arena, strings, count, c->set->key);
	wv_json_each(one, required) {
		if (!wv_is_string(one))
			return wv_schema_bad(c->err, c->node, "required",
				"must be a list of names");
		if (wv_names_find(&m->names, one->valuestring) < 0)
			strings[count++] = one->valuestring;
	}
	if (count > m->names.count)
		wv_names_make(&m->names, arena, strings, count, c->set->key);
	m->properties = wv_alloc_zero(arena, count * sizeof *m->properties);
	return 0;
}

static int
require_members(struct compiler *c, struct members *m, const cJSON *required)
{
	wv_json_each(one, required) {
		int64_t i = wv_names_find(&m->names, one->valuestring);
		if (m->properties[i].required)
			return wv_schema_bad(c->err, c->node, "required",
				"names \"%s\" twice", one->valuestring);
		m->properties[i].required = true;
		m->required++;
	}
	return 0;
}

static int
compile_properties(struct compiler *c, struct members *m)
{
	const cJSON *properties = wv_get(c->node->source, "properties");
	const cJSON *required = wv_get(c->node->source, "required");
	struct property *property;

	if (properties != NULL && !wv_is_object(properties))
		return wv_schema_bad(
			c->err, c->node, "properties", "must be an object");
	if (required != NULL && !wv_is_array(required))
		return wv_schema_bad(
			c->err, c->node, "required", "must be a list of names");
	if (name_members(c, m, properties, required) != 0)
		return -1;
	property = m->properties;
	wv_json_each(one, properties) {
		property->schema = wv_schema_sub(c->set, c->node, one,
			"properties", one->string, c->err);
		if (property++->schema == NULL)
			return -1;
	}
	return require_members(c, m, required);
}

static int
compile_patterns(struct compiler *c, struct members *m)
{
	const cJSON *patterns = wv_get(c->node->source, "patternProperties");
	struct pattern_property *p;

	if (patterns == NULL)
		return 0;
	if (!wv_is_object(patterns))
		return wv_schema_bad(c->err, c->node, "patternProperties",
			"must be an object");
	p = wv_alloc(&c->set->arena, wv_count(patterns) * sizeof *p);
	m->patterns = p;
	wv_json_each(one, patterns) {
		p->regex = wv_keyword_regex(
			c, wv_json_string(&c->set->arena, one->string));
		p->schema = wv_schema_sub(c->set, c->node, one,
			"patternProperties", one->string, c->err);
		if (p->regex == NULL || p->schema == NULL)
			return -1;
		p++;
		m->pattern_count++;
	}
	return 0;
}

static int
compile_other_members(struct compiler *c, struct members *m)
{
	const cJSON *additional =
		wv_get(c->node->source, "additionalProperties");
	const cJSON *name = wv_get(c->node->source, "propertyNames");

	if (additional != NULL && !wv_is_true(additional)) {
		m->additional = wv_schema_sub(c->set, c->node, additional,
			"additionalProperties", NULL, c->err);
		if (m->additional == NULL)
			return -1;
	}
	if (name != NULL) {
		m->member_name = wv_schema_sub(
			c->set, c->node, name, "propertyNames", NULL, c->err);
		if (m->member_name == NULL)
			return -1;
	}
	return compile_patterns(c, m);
}

/* Whichever of the keywords of struct members comes first compiles all. */
int
wv_compile_members(struct compiler *c)
{
	struct members *m;

	if (c->present & 1u << OP_MEMBERS)
		return 0;
	m = wv_alloc_zero(&c->set->arena, sizeof *m);
	if (compile_properties(c, m) != 0 || compile_other_members(c, m) != 0)
		return -1;
	m->others = m->additional || m->member_name || m->pattern_count > 0;
	wv_keyword_op(c)->members = m;
	return 0;
}
