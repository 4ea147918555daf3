/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keywords of draft 2020-12, a row each.  What has no row is refused.
 */
#include "schema/keyword.h"

#include "json/jcs.h"
#include "json/num.h"

#include <stdlib.h>
#include <string.h>

#define DIALECT "https://json-schema.org/draft/2020-12/schema"

struct op *
wv_keyword_op(struct compiler *c)
{
	struct op *op = &c->ops[c->row->op];

	c->present |= 1u << c->row->op;
	*op = (struct op){
		.code = c->row->op,
		.types = c->row->types,
		.keyword = c->row->name,
	};
	return op;
}

static int
compile_schema_uri(struct compiler *c)
{
	if (!wv_is_string(c->value))
		return BAD(c, "must be a string");
	if (strcmp(c->value->valuestring, DIALECT) != 0 &&
		strcmp(c->value->valuestring, DIALECT "#") != 0)
		return BAD(c, "\"%s\" is not supported: only %s is",
			c->value->valuestring, DIALECT);
	return 0;
}

static int
compile_id(struct compiler *c)
{
	if (!wv_is_string(c->value))
		return BAD(c, "must be a string");
	if (c->node->source != c->node->document->root)
		return BAD(c, "is not supported within a schema");
	return 0;
}

static int
compile_type(struct compiler *c)
{
	static const char *const names[] = { "array", "boolean", "integer",
		"null", "number", "object", "string", NULL };
	static const uint16_t bits[] = { cJSON_Array, T_BOOLEAN, T_INTEGER,
		cJSON_NULL, cJSON_Number | T_INTEGER, cJSON_Object,
		cJSON_String };
	const cJSON *one = c->value;

	if (wv_is_array(one) && one->child != NULL)
		one = one->child;
	c->node->types = 0;
	for (; one != NULL; one = one == c->value ? NULL : one->next) {
		size_t i = 0;
		if (!wv_is_string(one))
			return BAD(c, "must be a name of a type, or a list");
		while (names[i] && strcmp(names[i], one->valuestring) != 0)
			i++;
		if (names[i] == NULL) {
			const char *near = wv_nearest(one->valuestring, names);
			return BAD(c, "\"%s\" is no type%s%s%s",
				one->valuestring,
				near ? " (did you mean \"" : "",
				near ? near : "", near ? "\"?)" : "");
		}
		c->node->types |= bits[i];
	}
	return 0;
}

static int
compile_const(struct compiler *c)
{
	wv_keyword_op(c)->value = c->value;
	return 0;
}

static void
keep_texts(struct compiler *c, struct values *values)
{
	struct wv_arena *arena = &c->set->arena;
	const char **texts =
		wv_alloc(arena, values->other_count * sizeof *texts);

	for (uint32_t i = 0; i < values->other_count; i++) {
		struct wv_str text = { 0 };
		wv_json_canonical(&text, values->others[i]);
		texts[i] = wv_dupn(arena, text.s, text.n);
		wv_str_free(&text);
	}
	wv_names_make(
		&values->texts, arena, texts, values->other_count, c->set->key);
}

static int
compile_enum(struct compiler *c)
{
	struct wv_arena *arena = &c->set->arena;
	struct values *values = wv_alloc_zero(arena, sizeof *values);
	size_t n = wv_count(c->value);
	const char **strings;
	uint32_t string_count = 0;

	if (!wv_is_array(c->value))
		return BAD(c, "must be a list of values");
	strings = wv_alloc(arena, n * sizeof *strings);
	values->others = wv_alloc(arena, n * sizeof *values->others);
	wv_json_each(one, c->value) {
		if (wv_is_string(one))
			strings[string_count++] = one->valuestring;
		else
			values->others[values->other_count++] = one;
	}
	wv_names_make(
		&values->strings, arena, strings, string_count, c->set->key);
	if (values->other_count > FEW_VALUES)
		keep_texts(c, values);
	wv_keyword_op(c)->values = values;
	return 0;
}

/* A length or a count. */
static int
compile_limit(struct compiler *c)
{
	int64_t limit;

	if (!wv_is_number(c->value) || !wv_num_is_integer(c->value) ||
		wv_num_double(c->value) < 0)
		return BAD(c, "must be a whole number, 0 or more");
	/* What does not fit is more than anything can have. */
	if (!wv_num_int64(c->value, &limit))
		limit = INT64_MAX;
	wv_keyword_op(c)->limit = (uint64_t)limit;
	return 0;
}

static int
compile_bound(struct compiler *c)
{
	if (!wv_is_number(c->value))
		return BAD(c, "must be a number");
	wv_keyword_op(c)->value = c->value;
	return 0;
}

static int
compile_multiple_of(struct compiler *c)
{
	if (!wv_is_number(c->value) ||
		wv_num_cmp(c->value, wv_json_int(&c->set->arena, 0)) <= 0)
		return BAD(c, "must be a number above 0");
	wv_keyword_op(c)->value = c->value;
	return 0;
}

const struct wv_regex *
wv_keyword_regex(struct compiler *c, const cJSON *pattern)
{
	struct wv_schema_set *set = c->set;
	struct wv_err err = WV_ERR_INIT;
	struct wv_str bytes = { 0 };
	struct wv_regex *regex;

	wv_json_bytes(pattern, &bytes);
	regex = wv_regex_compile(bytes.s ? bytes.s : "", bytes.n, &err);
	wv_str_free(&bytes);
	if (regex == NULL) {
		BAD(c, "%s", err.text);
		return NULL;
	}
	set->regexes = wv_xrealloc(
		set->regexes, (set->regex_count + 1) * sizeof *set->regexes);
	return set->regexes[set->regex_count++] = regex;
}

static int
compile_pattern(struct compiler *c)
{
	if (!wv_is_string(c->value))
		return BAD(c, "must be a string");
	const struct wv_regex *regex = wv_keyword_regex(c, c->value);
	if (regex == NULL)
		return -1;
	wv_keyword_op(c)->regex = regex;
	return 0;
}

static int
compile_format(struct compiler *c)
{
	wv_format_check *check;

	if (!wv_is_string(c->value))
		return BAD(c, "must be a string");
	if (!c->node->assert_format)
		return 0;
	check = wv_format_find(c->value->valuestring);
	if (check == NULL)
		return BAD(c, "format \"%s\" is not supported",
			c->value->valuestring);
	wv_keyword_op(c)->format = check;
	return 0;
}

static int
compile_unique_items(struct compiler *c)
{
	if (!wv_is_true(c->value) && !wv_is_false(c->value))
		return BAD(c, "must be true or false");
	if (wv_is_true(c->value))
		wv_keyword_op(c);
	return 0;
}

/* By name. */
static const struct keyword keywords[] = {
	{ "$comment", NULL, 0, 0 },
	{ "$defs", wv_compile_definitions, 0, 0 },
	{ "$id", compile_id, 0, 0 },
	{ "$ref", wv_compile_ref, OP_REF, T_ANY },
	{ "$schema", compile_schema_uri, 0, 0 },
	{ "additionalProperties", wv_compile_members, OP_MEMBERS,
		cJSON_Object },
	{ "allOf", wv_compile_branches, OP_ALL_OF, T_ANY },
	{ "anyOf", wv_compile_branches, OP_ANY_OF, T_ANY },
	{ "const", compile_const, OP_CONST, T_ANY },
	{ "contentEncoding", NULL, 0, 0 },
	{ "contentMediaType", NULL, 0, 0 },
	{ "contentSchema", NULL, 0, 0 },
	{ "default", NULL, 0, 0 },
	{ "deprecated", NULL, 0, 0 },
	{ "description", NULL, 0, 0 },
	{ "else", wv_compile_then_else, 0, 0 },
	{ "enum", compile_enum, OP_ENUM, T_ANY },
	{ "examples", NULL, 0, 0 },
	{ "exclusiveMaximum", compile_bound, OP_EXCLUSIVE_MAXIMUM,
		cJSON_Number },
	{ "exclusiveMinimum", compile_bound, OP_EXCLUSIVE_MINIMUM,
		cJSON_Number },
	{ "format", compile_format, OP_FORMAT, cJSON_String },
	{ "if", wv_compile_if, OP_IF, T_ANY },
	{ "items", wv_compile_items, OP_ITEMS, cJSON_Array },
	{ "maxItems", compile_limit, OP_MAX_ITEMS, cJSON_Array },
	{ "maxLength", compile_limit, OP_MAX_LENGTH, cJSON_String },
	{ "maxProperties", compile_limit, OP_MAX_PROPERTIES, cJSON_Object },
	{ "maximum", compile_bound, OP_MAXIMUM, cJSON_Number },
	{ "minItems", compile_limit, OP_MIN_ITEMS, cJSON_Array },
	{ "minLength", compile_limit, OP_MIN_LENGTH, cJSON_String },
	{ "minProperties", compile_limit, OP_MIN_PROPERTIES, cJSON_Object },
	{ "minimum", compile_bound, OP_MINIMUM, cJSON_Number },
	{ "multipleOf", compile_multiple_of, OP_MULTIPLE_OF, cJSON_Number },
	{ "not", wv_compile_not, OP_NOT, T_ANY },
	{ "oneOf", wv_compile_branches, OP_ONE_OF, T_ANY },
	{ "pattern", compile_pattern, OP_PATTERN, cJSON_String },
	{ "patternProperties", wv_compile_members, OP_MEMBERS, cJSON_Object },
	{ "properties", wv_compile_members, OP_MEMBERS, cJSON_Object },
	{ "propertyNames", wv_compile_members, OP_MEMBERS, cJSON_Object },
	{ "readOnly", NULL, 0, 0 },
	{ "required", wv_compile_members, OP_MEMBERS, cJSON_Object },
	{ "then", wv_compile_then_else, 0, 0 },
	{ "title", NULL, 0, 0 },
	{ "type", compile_type, 0, 0 },
	{ "uniqueItems", compile_unique_items, OP_UNIQUE_ITEMS, cJSON_Array },
	{ "writeOnly", NULL, 0, 0 },
};
enum { KEYWORD_COUNT = sizeof keywords / sizeof keywords[0] };

static int
by_name(const void *name, const void *row)
{
	return strcmp(name, ((const struct keyword *)row)->name);
}

static int
bad_keyword(struct compiler *c, const char *name)
{
	const char *names[KEYWORD_COUNT + 1] = { NULL };
	const char *near;

	for (size_t i = 0; i < KEYWORD_COUNT; i++)
		names[i] = keywords[i].name;
	near = wv_nearest(name, names);
	return wv_schema_bad(c->err, c->node, name,
		"keyword is not supported%s%s%s",
		near ? " (did you mean \"" : "", near ? near : "",
		near ? "\"?)" : "");
}

static int
compile_keyword(struct compiler *c, const cJSON *member)
{
	c->row = bsearch(member->string, keywords, KEYWORD_COUNT,
		sizeof keywords[0], by_name);
	if (c->row == NULL) {
		if (strncmp(member->string, "x_", 2) == 0)
			return 0;
		return bad_keyword(c, member->string);
	}
	c->value = member;
	return c->row->compile == NULL ? 0 : c->row->compile(c);
}

static void
keep_ops(struct compiler *c)
{
	struct wv_schema *node = c->node;

	node->op_count = (uint16_t)__builtin_popcount(c->present);
	node->ops =
		wv_alloc(&c->set->arena, node->op_count * sizeof *node->ops);
	for (unsigned code = 0, n = 0; code <= OP_IF; code++) {
		if (c->present & 1u << code)
			node->ops[n++] = c->ops[code];
	}
}

int
wv_keywords_compile(
	struct wv_schema_set *set, struct wv_schema *node, struct wv_err *err)
{
	struct compiler c = { .set = set, .node = node, .err = err };

	node->types = wv_is_false(node->source) ? 0 : T_ANY;
	wv_json_each(member, node->source) {
		if (compile_keyword(&c, member) != 0)
			return -1;
	}
	keep_ops(&c);
	return 0;
}
