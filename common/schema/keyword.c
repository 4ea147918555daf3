/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keywords of all drafts, a row each; and the compiler, which goes through
 * the members of a schema with them.
 */
#include "schema/keyword.h"

#include <stdlib.h>
#include <string.h>

struct op *
wv_keyword_other_op(struct compiler *c, enum op_code code, uint16_t types)
{
	struct op *op = &c->ops[code];

	c->present |= 1u << code;
	*op = (struct op){
		.code = code,
		.types = types,
		.keyword = c->row->name,
	};
	return op;
}

struct op *
wv_keyword_op(struct compiler *c)
{
	return wv_keyword_other_op(c, c->row->op, c->row->types);
}

const cJSON *
wv_keyword_value(const struct compiler *c, const char *name)
{
	if (wv_keyword_find(c->node->resource->dialect, name) == NULL)
		return NULL;
	return wv_get(c->node->source, name);
}

/* What ids and anchors are for was done when the document was scanned. */
static int
compile_string(struct compiler *c)
{
	return wv_is_string(c->value) ? 0 : BAD(c, "must be a string");
}

static int
compile_object(struct compiler *c)
{
	return wv_is_object(c->value) ? 0 : BAD(c, "must be an object");
}

static int
compile_boolean(struct compiler *c)
{
	return wv_is_true(c->value) || wv_is_false(c->value)
		? 0
		: BAD(c, "must be true or false");
}

/* A letter or "_", then letters, digits and "-._"; 2019-09 allows ":" in
 * place of a first "_". */
static int
compile_plain_name(struct compiler *c)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	static const char more[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
				   "0123456789-.:";
	bool old = c->draft == WV_DRAFT_2019_09;
	const char *s;

	if (!wv_is_string(c->value))
		return BAD(c, "must be a string");
	s = c->value->valuestring;
	if (s[0] == '\0' || strchr(letters, s[0]) == NULL ||
		(old && s[0] == '_') || s[strspn(s, more)] != '\0' ||
		(!old && strchr(s, ':') != NULL))
		return BAD(c, "\"%s\" is no plain name", s);
	return 0;
}

enum {
	ONLY_4 = 1 << WV_DRAFT_4,
	ONLY_2019_09 = 1 << WV_DRAFT_2019_09,
	ONLY_2020_12 = 1 << WV_DRAFT_2020_12,
	SINCE_2019_09 = ONLY_2019_09 | ONLY_2020_12,
	SINCE_7 = SINCE_2019_09 | 1 << WV_DRAFT_7,
	SINCE_6 = SINCE_7 | 1 << WV_DRAFT_6,
	ALL = SINCE_6 | ONLY_4,
	UNTIL_2019_09 = ALL & ~ONLY_2020_12,
};

/* By name; several of a name are of different drafts. */
static const struct keyword keywords[] = {
	{ "$anchor", SINCE_2019_09, V_CORE, HOLDS_NONE, compile_plain_name, 0,
		0 },
	{ "$comment", SINCE_7, V_CORE, HOLDS_NONE, NULL, 0, 0 },
	{ "$defs", SINCE_2019_09, V_CORE, HOLDS_MAP, wv_compile_definitions, 0,
		0 },
	{ "$dynamicAnchor", ONLY_2020_12, V_CORE, HOLDS_NONE,
		compile_plain_name, 0, 0 },
	{ "$dynamicRef", ONLY_2020_12, V_CORE, HOLDS_NONE,
		wv_compile_dynamic_ref, OP_DYNAMIC_REF, T_ANY },
	{ "$id", SINCE_6, V_CORE, HOLDS_NONE, compile_string, 0, 0 },
	{ "$recursiveAnchor", ONLY_2019_09, V_CORE, HOLDS_NONE, compile_boolean,
		0, 0 },
	{ "$recursiveRef", ONLY_2019_09, V_CORE, HOLDS_NONE,
		wv_compile_dynamic_ref, OP_DYNAMIC_REF, T_ANY },
	{ "$ref", ALL, V_CORE, HOLDS_NONE, wv_compile_ref, OP_REF, T_ANY },
	{ "$schema", ALL, V_CORE, HOLDS_NONE, compile_string, 0, 0 },
	{ "$vocabulary", SINCE_2019_09, V_CORE, HOLDS_NONE, compile_object, 0,
		0 },
	{ "additionalItems", UNTIL_2019_09, V_APPLICATOR, HOLDS_SCHEMA,
		wv_compile_items, OP_ITEMS, cJSON_Array },
	{ "additionalProperties", ALL, V_APPLICATOR, HOLDS_SCHEMA,
		wv_compile_members, OP_MEMBERS, cJSON_Object },
	{ "allOf", ALL, V_APPLICATOR, HOLDS_LIST, wv_compile_branches,
		OP_ALL_OF, T_ANY },
	{ "anyOf", ALL, V_APPLICATOR, HOLDS_LIST, wv_compile_branches,
		OP_ANY_OF, T_ANY },
	{ "const", SINCE_6, V_VALIDATION, HOLDS_NONE, wv_compile_const,
		OP_CONST, T_ANY },
	{ "contains", SINCE_6, V_APPLICATOR, HOLDS_SCHEMA, wv_compile_contains,
		OP_CONTAINS, cJSON_Array },
	{ "contentEncoding", SINCE_7, V_CONTENT, HOLDS_NONE, compile_string, 0,
		0 },
	{ "contentMediaType", SINCE_7, V_CONTENT, HOLDS_NONE, compile_string, 0,
		0 },
	{ "contentSchema", SINCE_2019_09, V_CONTENT, HOLDS_SCHEMA, NULL, 0, 0 },
	{ "default", ALL, V_META_DATA, HOLDS_NONE, NULL, 0, 0 },
	{ "definitions", ALL, V_CORE, HOLDS_MAP, wv_compile_definitions, 0, 0 },
	{ "dependencies", ALL, V_APPLICATOR, HOLDS_MAP, wv_compile_dependents,
		0, 0 },
	{ "dependentRequired", SINCE_2019_09, V_VALIDATION, HOLDS_NONE,
		wv_compile_dependents, OP_DEPENDENT_REQUIRED, cJSON_Object },
	{ "dependentSchemas", SINCE_2019_09, V_APPLICATOR, HOLDS_MAP,
		wv_compile_dependents, OP_DEPENDENT_SCHEMAS, cJSON_Object },
	{ "deprecated", SINCE_2019_09, V_META_DATA, HOLDS_NONE, NULL, 0, 0 },
	{ "description", ALL, V_META_DATA, HOLDS_NONE, NULL, 0, 0 },
	{ "else", SINCE_7, V_APPLICATOR, HOLDS_SCHEMA, wv_compile_then_else, 0,
		0 },
	{ "enum", ALL, V_VALIDATION, HOLDS_NONE, wv_compile_enum, OP_ENUM,
		T_ANY },
	{ "examples", SINCE_6, V_META_DATA, HOLDS_NONE, NULL, 0, 0 },
	{ "exclusiveMaximum", ONLY_4, V_VALIDATION, HOLDS_NONE, compile_boolean,
		0, 0 },
	{ "exclusiveMaximum", SINCE_6, V_VALIDATION, HOLDS_NONE,
		wv_compile_bound, OP_EXCLUSIVE_MAXIMUM, cJSON_Number },
	{ "exclusiveMinimum", ONLY_4, V_VALIDATION, HOLDS_NONE, compile_boolean,
		0, 0 },
	{ "exclusiveMinimum", SINCE_6, V_VALIDATION, HOLDS_NONE,
		wv_compile_bound, OP_EXCLUSIVE_MINIMUM, cJSON_Number },
	{ "format", ALL, V_FORMAT, HOLDS_NONE, wv_compile_format, OP_FORMAT,
		cJSON_String },
	{ "id", ONLY_4, V_CORE, HOLDS_NONE, compile_string, 0, 0 },
	{ "if", SINCE_7, V_APPLICATOR, HOLDS_SCHEMA, wv_compile_if, OP_IF,
		T_ANY },
	{ "items", UNTIL_2019_09, V_APPLICATOR, HOLDS_SCHEMA_OR_LIST,
		wv_compile_items, OP_ITEMS, cJSON_Array },
	{ "items", ONLY_2020_12, V_APPLICATOR, HOLDS_SCHEMA, wv_compile_items,
		OP_ITEMS, cJSON_Array },
	{ "maxContains", SINCE_2019_09, V_VALIDATION, HOLDS_NONE,
		wv_compile_contains, OP_CONTAINS, cJSON_Array },
	{ "maxItems", ALL, V_VALIDATION, HOLDS_NONE, wv_compile_limit,
		OP_MAX_ITEMS, cJSON_Array },
	{ "maxLength", ALL, V_VALIDATION, HOLDS_NONE, wv_compile_limit,
		OP_MAX_LENGTH, cJSON_String },
	{ "maxProperties", ALL, V_VALIDATION, HOLDS_NONE, wv_compile_limit,
		OP_MAX_PROPERTIES, cJSON_Object },
	{ "maximum", ONLY_4, V_VALIDATION, HOLDS_NONE, wv_compile_bound_4,
		OP_MAXIMUM, cJSON_Number },
	{ "maximum", SINCE_6, V_VALIDATION, HOLDS_NONE, wv_compile_bound,
		OP_MAXIMUM, cJSON_Number },
	{ "minContains", SINCE_2019_09, V_VALIDATION, HOLDS_NONE,
		wv_compile_contains, OP_CONTAINS, cJSON_Array },
	{ "minItems", ALL, V_VALIDATION, HOLDS_NONE, wv_compile_limit,
		OP_MIN_ITEMS, cJSON_Array },
	{ "minLength", ALL, V_VALIDATION, HOLDS_NONE, wv_compile_limit,
		OP_MIN_LENGTH, cJSON_String },
	{ "minProperties", ALL, V_VALIDATION, HOLDS_NONE, wv_compile_limit,
		OP_MIN_PROPERTIES, cJSON_Object },
	{ "minimum", ONLY_4, V_VALIDATION, HOLDS_NONE, wv_compile_bound_4,
		OP_MINIMUM, cJSON_Number },
	{ "minimum", SINCE_6, V_VALIDATION, HOLDS_NONE, wv_compile_bound,
		OP_MINIMUM, cJSON_Number },
	{ "multipleOf", ALL, V_VALIDATION, HOLDS_NONE, wv_compile_multiple_of,
		OP_MULTIPLE_OF, cJSON_Number },
	{ "not", ALL, V_APPLICATOR, HOLDS_SCHEMA, wv_compile_not, OP_NOT,
		T_ANY },
	{ "oneOf", ALL, V_APPLICATOR, HOLDS_LIST, wv_compile_branches,
		OP_ONE_OF, T_ANY },
	{ "pattern", ALL, V_VALIDATION, HOLDS_NONE, wv_compile_pattern,
		OP_PATTERN, cJSON_String },
	{ "patternProperties", ALL, V_APPLICATOR, HOLDS_MAP, wv_compile_members,
		OP_MEMBERS, cJSON_Object },
	{ "prefixItems", ONLY_2020_12, V_APPLICATOR, HOLDS_LIST,
		wv_compile_items, OP_ITEMS, cJSON_Array },
	{ "properties", ALL, V_APPLICATOR, HOLDS_MAP, wv_compile_members,
		OP_MEMBERS, cJSON_Object },
	{ "propertyNames", SINCE_6, V_APPLICATOR, HOLDS_SCHEMA,
		wv_compile_members, OP_MEMBERS, cJSON_Object },
	{ "readOnly", SINCE_7, V_META_DATA, HOLDS_NONE, NULL, 0, 0 },
	{ "required", ALL, V_VALIDATION, HOLDS_NONE, wv_compile_members,
		OP_MEMBERS, cJSON_Object },
	{ "then", SINCE_7, V_APPLICATOR, HOLDS_SCHEMA, wv_compile_then_else, 0,
		0 },
	{ "title", ALL, V_META_DATA, HOLDS_NONE, NULL, 0, 0 },
	{ "type", ALL, V_VALIDATION, HOLDS_NONE, wv_compile_type, 0, 0 },
	{ "unevaluatedItems", SINCE_2019_09, V_UNEVALUATED, HOLDS_SCHEMA,
		wv_compile_unevaluated, OP_UNEVALUATED_ITEMS, cJSON_Array },
	{ "unevaluatedProperties", SINCE_2019_09, V_UNEVALUATED, HOLDS_SCHEMA,
		wv_compile_unevaluated, OP_UNEVALUATED_PROPERTIES,
		cJSON_Object },
	{ "uniqueItems", ALL, V_VALIDATION, HOLDS_NONE, wv_compile_unique_items,
		OP_UNIQUE_ITEMS, cJSON_Array },
	{ "writeOnly", SINCE_7, V_META_DATA, HOLDS_NONE, NULL, 0, 0 },
};
enum { KEYWORD_COUNT = sizeof keywords / sizeof keywords[0] };

static bool
is_known(const struct dialect *dialect, const struct keyword *row)
{
	return row->drafts & 1u << dialect->draft &&
		row->vocabulary & dialect->vocabularies;
}

static int
by_name(const void *name, const void *row)
{
	return strcmp(name, ((const struct keyword *)row)->name);
}

const struct keyword *
wv_keyword_find(const struct dialect *dialect, const char *name)
{
	const struct keyword *row = bsearch(
		name, keywords, KEYWORD_COUNT, sizeof keywords[0], by_name);

	if (row == NULL)
		return NULL;
	while (row > keywords && strcmp(row[-1].name, name) == 0)
		row--;
	for (; row < keywords + KEYWORD_COUNT && strcmp(row->name, name) == 0;
		row++) {
		if (is_known(dialect, row))
			return row;
	}
	return NULL;
}

bool
wv_keyword_ref_hides(const struct dialect *dialect, const cJSON *source)
{
	return !wv_dialect_has_siblings(dialect) &&
		wv_get(source, "$ref") != NULL;
}

const char *
wv_keyword_nearest(const struct dialect *dialect, const char *name)
{
	const char *names[KEYWORD_COUNT + 1];
	size_t n = 0;

	for (size_t i = 0; i < KEYWORD_COUNT; i++) {
		if (is_known(dialect, &keywords[i]))
			names[n++] = keywords[i].name;
	}
	names[n] = NULL;
	return wv_nearest(name, names);
}

static int
bad_keyword(struct compiler *c, const char *name)
{
	const char *near = wv_keyword_nearest(c->node->resource->dialect, name);

	return wv_schema_bad(c->set, c->err, c->node, name,
		"keyword is not supported%s", wv_schema_meant(c->set, near));
}

static int
compile_keyword(struct compiler *c, const cJSON *member)
{
	c->row = wv_keyword_find(c->node->resource->dialect, member->string);
	if (c->row == NULL) {
		if (c->set->options.strict_keywords &&
			strncmp(member->string, "x_", 2) != 0)
			return bad_keyword(c, member->string);
		return 0;
	}
	c->value = member;
	return c->row->compile == NULL ? 0 : c->row->compile(c);
}

static int
compile_members(struct compiler *c)
{
	const cJSON *source = c->node->source;

	if (wv_keyword_ref_hides(c->node->resource->dialect, source))
		return compile_keyword(c, wv_get(source, "$ref"));
	wv_json_each(member, source) {
		if (compile_keyword(c, member) != 0)
			return -1;
	}
	return 0;
}

static void
keep_ops(struct compiler *c)
{
	struct wv_schema *node = c->node;

	node->op_count = (uint16_t)__builtin_popcount(c->present);
	node->ops =
		wv_alloc(&c->set->arena, node->op_count * sizeof *node->ops);
	for (unsigned code = 0, n = 0; code < OP_COUNT; code++) {
		if (c->present & 1u << code)
			node->ops[n++] = c->ops[code];
	}
}

int
wv_keywords_compile(
	struct wv_schema_set *set, struct wv_schema *node, struct wv_err *err)
{
	const struct resource *resource = node->resource;
	struct compiler c = { .set = set, .node = node, .err = err };

	if (resource->wrong != NULL) {
		set->blame = resource->blame;
		return wv_err_set(err, "%s", resource->wrong);
	}
	c.draft = resource->dialect->draft;
	node->types = wv_is_false(node->source) ? 0 : T_ANY;
	if (compile_members(&c) != 0)
		return -1;
	keep_ops(&c);
	return 0;
}
