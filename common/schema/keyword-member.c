/* SPDX-License-Identifier: Apache-2.0 */
/* The keywords of struct members. */
#include "schema/keyword.h"

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
			return wv_schema_bad(c->set, c->err, c->node,
				"required", "must be a list of names");
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
			return wv_schema_bad(c->set, c->err, c->node,
				"required", "names \"%s\" twice",
				one->valuestring);
		m->properties[i].required = true;
		m->required++;
	}
	return 0;
}

static int
compile_properties(struct compiler *c, struct members *m)
{
	const cJSON *properties = wv_keyword_value(c, "properties");
	const cJSON *required = wv_keyword_value(c, "required");
	struct property *property;

	if (properties != NULL && !wv_is_object(properties))
		return wv_schema_bad(c->set, c->err, c->node, "properties",
			"must be an object");
	if (required != NULL && !wv_is_array(required))
		return wv_schema_bad(c->set, c->err, c->node, "required",
			"must be a list of names");
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
compile_pattern(struct compiler *c, struct members *m, const cJSON *one)
{
	struct pattern_property *p = &m->patterns[m->pattern_count++];

	p->regex = wv_keyword_regex(c, "patternProperties",
		wv_json_string(&c->set->arena, one->string));
	if (p->regex == NULL)
		return -1;
	p->schema = wv_schema_sub(
		c->set, c->node, one, "patternProperties", one->string, c->err);
	return p->schema == NULL ? -1 : 0;
}

static int
compile_patterns(struct compiler *c, struct members *m)
{
	const cJSON *patterns = wv_keyword_value(c, "patternProperties");

	if (patterns == NULL)
		return 0;
	if (!wv_is_object(patterns))
		return wv_schema_bad(c->set, c->err, c->node,
			"patternProperties", "must be an object");
	m->patterns = wv_alloc(
		&c->set->arena, wv_count(patterns) * sizeof *m->patterns);
	wv_json_each(one, patterns) {
		if (compile_pattern(c, m, one) != 0)
			return -1;
	}
	return 0;
}

static int
compile_other_members(struct compiler *c, struct members *m)
{
	const cJSON *additional = wv_keyword_value(c, "additionalProperties");
	const cJSON *name = wv_keyword_value(c, "propertyNames");

	m->covers = wv_is_true(additional);
	if (additional != NULL && !m->covers) {
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

int
wv_compile_members(struct compiler *c)
{
	struct members *m;

	if (wv_keyword_has_op(c, OP_MEMBERS))
		return 0;
	m = wv_alloc_zero(&c->set->arena, sizeof *m);
	if (compile_properties(c, m) != 0 || compile_other_members(c, m) != 0)
		return -1;
	m->others = m->additional || m->member_name || m->pattern_count > 0;
	wv_keyword_op(c)->members = m;
	return 0;
}
