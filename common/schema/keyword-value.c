/* SPDX-License-Identifier: Apache-2.0 */
/* The compile functions of keywords that look at the value alone. */
#include "schema/keyword.h"

#include "json/jcs.h"
#include "json/num.h"

#include <string.h>

int
wv_compile_type(struct compiler *c)
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
			return BAD(c, "\"%s\" is no type%s", one->valuestring,
				wv_schema_meant(c->set, near));
		}
		c->node->types |= bits[i];
	}
	return 0;
}

int
wv_compile_const(struct compiler *c)
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

int
wv_compile_enum(struct compiler *c)
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

int
wv_keyword_limit(struct compiler *c, const char *name, const cJSON *value,
	uint64_t *limit)
{
	int64_t n;

	if (!wv_is_number(value) || !wv_num_is_integer(value) ||
		wv_num_double(value) < 0)
		return wv_schema_bad(c->set, c->err, c->node, name,
			"must be a whole number, 0 or more");
	/* What does not fit is more than anything can have. */
	*limit = wv_num_int64(value, &n) ? (uint64_t)n : INT64_MAX;
	return 0;
}

int
wv_compile_limit(struct compiler *c)
{
	uint64_t limit;

	if (wv_keyword_limit(c, c->row->name, c->value, &limit) != 0)
		return -1;
	wv_keyword_op(c)->limit = limit;
	return 0;
}

int
wv_compile_bound(struct compiler *c)
{
	if (!wv_is_number(c->value))
		return BAD(c, "must be a number");
	wv_keyword_op(c)->value = c->value;
	return 0;
}

int
wv_compile_bound_4(struct compiler *c)
{
	bool low = strcmp(c->row->name, "minimum") == 0;
	bool exclusive = wv_is_true(wv_keyword_value(
		c, low ? "exclusiveMinimum" : "exclusiveMaximum"));

	if (!exclusive)
		return wv_compile_bound(c);
	if (!wv_is_number(c->value))
		return BAD(c, "must be a number");
	wv_keyword_other_op(c,
		low ? OP_EXCLUSIVE_MINIMUM : OP_EXCLUSIVE_MAXIMUM, cJSON_Number)
		->value = c->value;
	return 0;
}

int
wv_compile_multiple_of(struct compiler *c)
{
	if (!wv_is_number(c->value) ||
		wv_num_cmp(c->value, wv_json_int(&c->set->arena, 0)) <= 0)
		return BAD(c, "must be a number above 0");
	wv_keyword_op(c)->value = c->value;
	return 0;
}

const struct wv_regex *
wv_keyword_regex(struct compiler *c, const char *name, const cJSON *pattern)
{
	struct wv_schema_set *set = c->set;
	struct wv_err err = WV_ERR_INIT;
	struct wv_str bytes = { 0 };
	struct wv_regex *regex;

	wv_json_bytes(pattern, &bytes);
	regex = wv_regex_compile(bytes.s ? bytes.s : "", bytes.n, &err);
	wv_str_free(&bytes);
	if (regex == NULL) {
		wv_schema_bad(c->set, c->err, c->node, name, "%s", err.text);
		return NULL;
	}
	set->regexes = wv_list_room(
		set->regexes, set->regex_count, sizeof *set->regexes);
	return set->regexes[set->regex_count++] = regex;
}

int
wv_compile_pattern(struct compiler *c)
{
	const struct wv_regex *regex;

	if (!wv_is_string(c->value))
		return BAD(c, "must be a string");
	regex = wv_keyword_regex(c, c->row->name, c->value);
	if (regex == NULL)
		return -1;
	wv_keyword_op(c)->regex = regex;
	return 0;
}

static bool
is_asserted(const struct compiler *c, const char *format)
{
	const char *const *never = c->set->options.no_formats;

	for (; never != NULL && *never != NULL; never++) {
		if (strcmp(*never, format) == 0)
			return false;
	}
	return c->set->options.assert_format ||
		c->node->resource->dialect->vocabularies & V_FORMAT_ASSERTION;
}

int
wv_compile_format(struct compiler *c)
{
	wv_format_check *check;

	if (!wv_is_string(c->value))
		return BAD(c, "must be a string");
	if (!is_asserted(c, c->value->valuestring))
		return 0;
	check = wv_format_find(c->value->valuestring);
	if (check != NULL)
		wv_keyword_op(c)->format = check;
	else if (c->set->options.strict_keywords)
		return BAD(c, "format \"%s\" is not supported",
			c->value->valuestring);
	return 0;
}

int
wv_compile_unique_items(struct compiler *c)
{
	if (!wv_is_true(c->value) && !wv_is_false(c->value))
		return BAD(c, "must be true or false");
	if (wv_is_true(c->value))
		wv_keyword_op(c);
	return 0;
}
