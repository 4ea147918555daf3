/* SPDX-License-Identifier: Apache-2.0 */
#include "lint.h"

#include "json/num.h"

#include <string.h>

enum { MOST_DEPTH = 16 };

static bool nothing_fits(const cJSON *schema, int depth);

static bool
are_crossed(const cJSON *schema)
{
	static const char *const pairs[][2] = { { "minimum", "maximum" },
		{ "minLength", "maxLength" }, { "minItems", "maxItems" },
		{ "minProperties", "maxProperties" } };

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		const cJSON *least = wv_get(schema, pairs[i][0]);
		const cJSON *most = wv_get(schema, pairs[i][1]);
		if (wv_is_number(least) && wv_is_number(most) &&
			wv_num_cmp(least, most) > 0)
			return true;
	}
	return false;
}

static size_t
count_hopeless(const cJSON *schemas, int depth)
{
	size_t count = 0;

	wv_json_each(one, schemas)
		count += nothing_fits(one, depth);
	return count;
}

static bool
needs_hopeless(const cJSON *schema, int depth)
{
	wv_json_each(name, wv_get(schema, "required")) {
		const cJSON *one = wv_is_string(name)
			? wv_get(wv_get(schema, "properties"),
				  name->valuestring)
			: NULL;
		if (one != NULL && nothing_fits(one, depth))
			return true;
	}
	return false;
}

/* No value satisfies it, as far as that is plain to see. */
static bool
nothing_fits(const cJSON *schema, int depth)
{
	const cJSON *values = wv_get(schema, "enum");
	const cJSON *any = wv_get(schema, "anyOf");
	const cJSON *one = wv_get(schema, "oneOf");

	if (wv_is_false(schema))
		return true;
	if (!wv_is_object(schema) || depth == 0)
		return false;
	depth--;
	return (wv_is_array(values) && wv_count(values) == 0) ||
		are_crossed(schema) || needs_hopeless(schema, depth) ||
		count_hopeless(wv_get(schema, "allOf"), depth) > 0 ||
		(any != NULL && count_hopeless(any, depth) == wv_count(any)) ||
		(one != NULL && count_hopeless(one, depth) == wv_count(one));
}

/* Arguments are an object. */
static bool
refuses_objects(const cJSON *schema)
{
	const cJSON *type = wv_get(schema, "type");
	const cJSON *constant = wv_get(schema, "const");

	if (constant != NULL && !wv_is_object(constant))
		return true;
	if (wv_is_string(type))
		return strcmp(type->valuestring, "object") != 0;
	wv_json_each(one, type) {
		if (wv_is_string(one) &&
			strcmp(one->valuestring, "object") == 0)
			return false;
	}
	return type != NULL;
}

static bool
is_hopeless(const struct lint_condition *c, const cJSON *schema,
	const char *pointer)
{
	const char *why = NULL;

	if (nothing_fits(schema, MOST_DEPTH))
		why = "no value satisfies this schema";
	else if (refuses_objects(schema))
		why = "arguments are an object, which this schema refuses";
	if (why != NULL)
		lint_tell(
			c->lint, c->rule, pointer, "can never match: %s", why);
	return why != NULL;
}

static bool
is_open(const cJSON *schema, bool is_top)
{
	return wv_get(schema, "additionalProperties") == NULL &&
		wv_get(schema, "unevaluatedProperties") == NULL &&
		wv_get(schema, "$ref") == NULL &&
		wv_get(schema, "enum") == NULL &&
		wv_get(schema, "const") == NULL &&
		(is_top || wv_get(schema, "properties") != NULL);
}

/* ^…$ without an alternative that would have only one of the two. */
static bool
is_anchored(const char *pattern)
{
	bool in_class = false, ends = false;
	int depth = 0;

	if (*pattern != '^')
		return false;
	for (; *pattern != '\0'; pattern++) {
		ends = *pattern == '$' && !in_class;
		if (*pattern == '\\' && pattern[1] != '\0')
			pattern++;
		else if (*pattern == '[' || *pattern == ']')
			in_class = *pattern == '[';
		else if (!in_class && (*pattern == '(' || *pattern == ')'))
			depth += *pattern == '(' ? 1 : -1;
		else if (!in_class && *pattern == '|' && depth == 0)
			return false;
	}
	return ends;
}

static void check_loose(const struct lint_condition *c, const cJSON *schema,
	const char *pointer, int depth);

static void
check_each(const struct lint_condition *c, const cJSON *schema,
	const char *pointer, const char *keyword, int depth)
{
	const cJSON *schemas = wv_get(schema, keyword);
	size_t index = 0;

	wv_json_each(one, schemas) {
		struct wv_str at = { 0 };
		wv_str_fmt(&at, "%s/%s", pointer, keyword);
		if (one->string != NULL)
			wv_pointer_add(&at, one->string);
		else
			wv_str_fmt(&at, "/%zu", index);
		index++;
		check_loose(
			c, one, wv_dupn(&c->lint->arena, at.s, at.n), depth);
		wv_str_free(&at);
	}
}

/* What lets more pass than it seems to. */
static void
check_loose(const struct lint_condition *c, const cJSON *schema,
	const char *pointer, int depth)
{
	const char *pattern = wv_get_string(schema, "pattern");
	struct wv_arena *arena = &c->lint->arena;

	if (!wv_is_object(schema) || depth == 0)
		return;
	if (depth < MOST_DEPTH && is_open(schema, false))
		lint_tell(c->lint, c->rule, pointer,
			"lets any further member pass: additionalProperties: "
			"false would not");
	if (pattern != NULL && !is_anchored(pattern))
		lint_tell(c->lint, c->rule,
			wv_printf(arena, "%s/pattern", pointer),
			"lets anything pass before or after \"%s\": ^(…)$ "
			"would not",
			pattern);
	check_each(c, schema, pointer, "properties", depth - 1);
	check_each(c, schema, pointer, "allOf", depth - 1);
	check_each(c, schema, pointer, "anyOf", depth - 1);
	check_each(c, schema, pointer, "oneOf", depth - 1);
	if (wv_is_object(wv_get(schema, "items")))
		check_loose(c, wv_get(schema, "items"),
			wv_printf(arena, "%s/items", pointer), depth - 1);
}

static void
check_meaning(const struct lint_condition *c, const cJSON *schema,
	const char *pointer)
{
	struct wv_schema_error *warnings;

	wv_schema_lint(
		c->lint->policy->schemas, schema, &c->lint->arena, &warnings);
	for (; warnings != NULL; warnings = warnings->next)
		lint_tell(c->lint, c->rule,
			wv_printf(&c->lint->arena, "%s%s", pointer,
				warnings->instance),
			"has a doubtful argument schema: %s",
			warnings->message);
}

void
lint_schema(const struct lint_condition *c)
{
	const cJSON *schema = wv_get(c->condition->node, "arguments");
	const char *pointer =
		wv_printf(&c->lint->arena, "/%s/arguments", c->member);

	if (schema == NULL)
		return;
	check_meaning(c, schema, pointer);
	if (is_hopeless(c, schema, pointer) || !c->widens)
		return;
	if (wv_is_object(schema) && is_open(schema, true))
		lint_tell(c->lint, c->rule, pointer,
			"lets any further argument pass: "
			"additionalProperties: false would not");
	check_loose(c, schema, pointer, MOST_DEPTH);
}
