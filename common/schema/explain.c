/* SPDX-License-Identifier: Apache-2.0 */
/* Faults in the user's words. */
#include "schema/explain.h"

#include <stdio.h>
#include <string.h>

enum {
	MAX_VALUE = 60,  /* bytes of a value that a message shows */
	MAX_VALUES = 16, /* of an enum */
};

void
wv_explain_name(struct wv_str *out, const char *name)
{
	if (*name == '\0')
		wv_str_cat(out, "\"\"");
	wv_str_foreign(out, name, strlen(name), MAX_VALUE);
}

void
wv_explain_value(struct wv_str *out, const cJSON *value)
{
	struct wv_str json = { 0 };

	wv_json_write(&json, value);
	wv_str_foreign(out, json.s, json.n, MAX_VALUE);
	wv_str_free(&json);
}

static const struct {
	unsigned types;
	const char *name;
} type_names[] = {
	{ cJSON_String, "a string" },
	{ cJSON_Number, "a number" },
	{ T_INTEGER, "a whole number" },
	{ T_BOOLEAN, "true or false" },
	{ cJSON_Array, "an array" },
	{ cJSON_Object, "an object" },
	{ cJSON_NULL, "null" },
};
enum { TYPE_NAMES = sizeof type_names / sizeof type_names[0] };

/* "a string, an array or null" */
static void
list_types(struct wv_str *out, unsigned types)
{
	size_t left = 0;

	if (types & cJSON_Number)
		types &= ~(unsigned)T_INTEGER;
	for (size_t i = 0; i < TYPE_NAMES; i++)
		left += (types & type_names[i].types) != 0;
	for (size_t i = 0; i < TYPE_NAMES; i++) {
		if (!(types & type_names[i].types))
			continue;
		wv_str_cat(out, type_names[i].name);
		if (--left > 0)
			wv_str_cat(out, left > 1 ? ", " : " or ");
	}
}

/* "must be a string or null, not a number" */
void
wv_explain_types(struct wv_str *out, unsigned types, const cJSON *v)
{
	if (types == 0) {
		wv_str_cat(out, "is not allowed here");
		return;
	}
	wv_str_cat(out, "must be ");
	list_types(out, types);
	wv_str_cat(out, ", not ");
	if (v->type & T_BOOLEAN)
		wv_str_cat(out, v->type == cJSON_True ? "true" : "false");
	else if (v->type == cJSON_Number && (types & T_INTEGER))
		wv_str_cat(out, "a fraction");
	else
		list_types(out, (unsigned)v->type);
}

void
wv_explain_type(
	struct report *report, const struct wv_schema *schema, const cJSON *v)
{
	struct wv_str text = { 0 };

	wv_explain_types(&text, schema->types, v);
	/* A schema that is just false has no keyword to blame. */
	wv_fault_add(report, schema,
		wv_is_object(schema->source) ? "type" : NULL, text.s)
		->of_type = true;
	wv_str_free(&text);
}

void
wv_explain_suggestion(struct wv_str *out, const char *near)
{
	if (near == NULL)
		return;
	wv_str_cat(out, " (did you mean \"");
	wv_explain_name(out, near);
	wv_str_cat(out, "\"?)");
}

/* In the order in which the schema has them. */
static size_t
list_values(const struct choice *choice, const cJSON **list)
{
	const cJSON *values = wv_get(choice->schema->source, "enum");
	size_t n = 0;

	if (choice->op->code == OP_CONST) {
		list[0] = choice->op->value;
		return 1;
	}
	wv_json_each(one, values)
		list[n++] = one;
	return n;
}

static size_t
count_values(const struct choice *choice)
{
	return choice->op->code == OP_CONST
		? 1
		: wv_count(wv_get(choice->schema->source, "enum"));
}

static const char *
nearest_value(struct wv_arena *arena, const cJSON *const *values, size_t count,
	const cJSON *v)
{
	const char **words = wv_alloc(arena, (count + 1) * sizeof *words);
	size_t n = 0;

	if (!wv_is_string(v))
		return NULL;
	for (size_t i = 0; i < count; i++) {
		if (wv_is_string(values[i]))
			words[n++] = values[i]->valuestring;
	}
	words[n] = NULL;
	return wv_nearest(v->valuestring, words);
}

void
wv_explain_choice(struct report *report, struct wv_str *out,
	const struct choice *choices, uint32_t count, const cJSON *v)
{
	const cJSON **values;
	size_t n = 0;

	for (uint32_t i = 0; i < count; i++)
		n += count_values(&choices[i]);
	values = wv_alloc(report->arena, n * sizeof *values);
	n = 0;
	for (uint32_t i = 0; i < count; i++)
		n += list_values(&choices[i], values + n);
	wv_str_cat(out,
		n == 0           ? "must not be here"
			: n == 1 ? "must be "
				 : "must be one of ");
	for (size_t i = 0; i < n && i < MAX_VALUES; i++) {
		wv_str_cat(out, i > 0 ? ", " : "");
		wv_explain_value(out, values[i]);
	}
	if (n > MAX_VALUES)
		wv_str_fmt(out, " and %zu more", n - MAX_VALUES);
	wv_explain_suggestion(out, nearest_value(report->arena, values, n, v));
}

static void
explain_format(struct wv_str *out, const struct wv_schema *schema)
{
	static const struct {
		const char *name, *example;
	} examples[] = {
		{ "date-time", "2026-01-31T23:59:59Z" },
		{ "date", "2026-01-31" },
		{ "time", "23:59:59Z" },
		{ "duration", "P1DT12H" },
		{ "email", "ann@example.org" },
		{ "hostname", "www.example.org" },
		{ "ipv4", "192.0.2.1" },
		{ "ipv6", "2001:db8::1" },
		{ "uri", "https://example.org/a" },
		{ "uri-reference", "../a?b=c" },
		{ "uuid", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" },
		{ "json-pointer", "/a/0" },
	};
	const char *name = wv_get_string(schema->source, "format");

	wv_str_cat(out, strchr("aeio", name[0]) ? "must be an " : "must be a ");
	wv_explain_name(out, name);
	for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
		if (strcmp(name, examples[i].name) == 0)
			wv_str_fmt(out, " such as %s", examples[i].example);
	}
}

static void
explain_not(struct report *report, struct wv_str *out, const struct op *op,
	const cJSON *v)
{
	const struct wv_schema *sub = op->subs[0];
	const struct members *demand = wv_explain_demand(sub);
	const struct choice choice = { sub, sub->ops };
	struct wv_str text = { 0 };

	if (demand != NULL) {
		wv_str_cat(out, "must not have ");
		wv_explain_names(out, demand);
		if (demand->names.count > 1)
			wv_str_cat(out, " together");
	} else if (sub->op_count == 1 && sub->ops[0].code <= OP_ENUM) {
		wv_explain_choice(report, &text, &choice, 1, NULL);
		wv_str_fmt(out, "must not %s", text.s + strlen("must "));
	} else if (sub->op_count == 0 && sub->types != T_ANY) {
		wv_str_cat(out, "must not be ");
		list_types(out, sub->types);
	} else {
		wv_str_cat(out, "is what the schema excludes");
	}
	wv_str_free(&text);
}

static void
explain_equal_items(struct wv_str *out, const cJSON *v)
{
	size_t equal[2] = { 0 };

	wv_check_find_equal(v, equal);
	wv_str_fmt(out, "must not have two equal items, as %zu and %zu are",
		equal[0] < equal[1] ? equal[0] : equal[1],
		equal[0] < equal[1] ? equal[1] : equal[0]);
}

static const char *const bounds[OP_COUNT] = {
	[OP_MINIMUM] = "at least",
	[OP_EXCLUSIVE_MINIMUM] = "more than",
	[OP_MAXIMUM] = "at most",
	[OP_EXCLUSIVE_MAXIMUM] = "less than",
	[OP_MULTIPLE_OF] = "a multiple of",
};

static const struct {
	const char *how, *what;
} counts[OP_COUNT] = {
	[OP_MIN_LENGTH] = { "least", "character" },
	[OP_MAX_LENGTH] = { "most", "character" },
	[OP_MIN_ITEMS] = { "least", "item" },
	[OP_MAX_ITEMS] = { "most", "item" },
	[OP_MIN_PROPERTIES] = { "least", "member" },
	[OP_MAX_PROPERTIES] = { "most", "member" },
};

/* Of a keyword whose value is a number. */
static void
explain_number(struct wv_str *out, const struct op *op)
{
	if (bounds[op->code] != NULL) {
		wv_str_fmt(out, "must be %s ", bounds[op->code]);
		wv_explain_value(out, op->value);
	} else {
		wv_str_fmt(out, "must have at %s %llu %s%s",
			counts[op->code].how, (unsigned long long)op->limit,
			counts[op->code].what, op->limit == 1 ? "" : "s");
	}
}

static void
op_text(struct report *report, struct wv_str *out,
	const struct wv_schema *schema, const struct op *op, const cJSON *v)
{
	const struct choice choice = { schema, op };

	switch ((enum op_code)op->code) {
	case OP_CONST:
	case OP_ENUM:
		wv_explain_choice(report, out, &choice, 1, v);
		break;
	case OP_FORMAT:
		explain_format(out, schema);
		break;
	case OP_PATTERN:
		wv_str_cat(out, "must match the pattern ");
		wv_explain_name(out, wv_get_string(schema->source, "pattern"));
		break;
	case OP_UNIQUE_ITEMS:
		explain_equal_items(out, v);
		break;
	case OP_NOT:
		explain_not(report, out, op, v);
		break;
	default:
		explain_number(out, op);
		break;
	}
}

void
wv_explain_op(struct report *report, const struct wv_schema *schema,
	const struct op *op, const cJSON *v)
{
	struct wv_str text = { 0 };
	struct fault *fault;

	op_text(report, &text, schema, op, v);
	fault = wv_fault_add(report, schema, op->keyword, text.s);
	fault->of_const = op->code == OP_CONST ||
		(op->code == OP_ENUM &&
			op->values->strings.count + op->values->other_count ==
				1);
	fault->of_choice = op->code == OP_ENUM && !fault->of_const;
	wv_str_free(&text);
}

/* What an item has to be, if that is one value. */
static void
add_wanted_item(struct wv_str *out, const struct wv_schema *schema)
{
	wv_str_cat(out, "needs an item ");
	if (schema->op_count > 0 && schema->ops[0].code == OP_CONST)
		wv_explain_value(out, schema->ops[0].value);
	else
		wv_str_cat(out, "that fits");
}

void
wv_explain_contains(struct report *report, const struct wv_schema *schema,
	const struct op *op, const cJSON *v, uint64_t found)
{
	const struct contains *contains = op->contains;
	const char *keyword = "contains";
	struct wv_str text = { 0 };

	if (found > contains->max) {
		keyword = "maxContains";
		wv_str_fmt(&text, "must have at most %llu item%s that fit%s",
			(unsigned long long)contains->max,
			contains->max == 1 ? "" : "s",
			contains->max == 1 ? "s" : "");
	} else if (contains->min > 1) {
		keyword = "minContains";
		wv_str_fmt(&text,
			"needs at least %llu items that fit, has %llu",
			(unsigned long long)contains->min,
			(unsigned long long)found);
	} else {
		add_wanted_item(&text, contains->schema);
		wv_str_cat(&text,
			v->child == NULL ? ", has none at all" : ", none does");
	}
	wv_fault_add(report, schema, keyword, text.s);
	wv_str_free(&text);
}

void
wv_explain_surplus_item(struct report *report, const struct wv_schema *schema,
	const struct op *op, uint32_t index)
{
	size_t before = report->pointer.n;
	const char *keyword = op->keyword;
	char text[80];

	if (op->code == OP_ITEMS)
		keyword = wv_is_array(wv_get(schema->source, "items"))
			? "additionalItems"
			: "items";
	if (op->code == OP_ITEMS)
		snprintf(text, sizeof text,
			"is an item too many: there may be at most %u",
			(unsigned)index);
	else
		snprintf(text, sizeof text,
			"is an item that nothing else allows");
	wv_fault_enter(report, NULL, index);
	wv_fault_add(report, schema, keyword, text);
	wv_fault_leave(report, before);
}
