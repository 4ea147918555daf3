/* SPDX-License-Identifier: Apache-2.0 */
/* Faults in the user's words. */
#include "schema/explain.h"

#include <stdarg.h>
#include <string.h>

enum {
	MAX_VALUE = 60,  /* bytes of a value that a message shows */
	MAX_VALUES = 16, /* of an enum */
};

void
wv_report_enter(struct report *report, const char *name, uint32_t index)
{
	unsigned char order[4] = { (unsigned char)(index >> 24),
		(unsigned char)(index >> 16), (unsigned char)(index >> 8),
		(unsigned char)index };

	if (name != NULL)
		wv_pointer_add(&report->pointer, name);
	else
		wv_str_fmt(&report->pointer, "/%u", (unsigned)index);
	wv_str_add(&report->order, order, sizeof order);
}

void
wv_report_leave(struct report *report, size_t pointer_len)
{
	report->pointer.n = pointer_len;
	report->pointer.s[pointer_len] = '\0';
	report->order.n -= 4;
}

/* Parents come before what is in them. */
static bool
is_before(const struct fault *a, const struct fault *b)
{
	size_t n = a->order_len < b->order_len ? a->order_len : b->order_len;
	int order = memcmp(a->order, b->order, n);

	return order < 0 || (order == 0 && a->order_len < b->order_len);
}

/* In the order of the instance; after those of the same place. */
static void
insert(struct report *report, struct fault *fault)
{
	struct fault **at = &report->faults->first;

	if (report->faults->count == report->max)
		return;
	while (*at != NULL && !is_before(fault, *at))
		at = &(*at)->next;
	fault->next = *at;
	*at = fault;
	report->faults->count++;
}

struct fault *
wv_report_add(struct report *report, const struct wv_schema *schema,
	const char *keyword, const char *message)
{
	struct fault *fault = wv_alloc_zero(report->arena, sizeof *fault);
	struct wv_str pointer = { 0 };

	wv_str_cat(&pointer, schema->pointer);
	if (keyword != NULL)
		wv_pointer_add(&pointer, keyword);
	fault->error.instance = wv_dup(report->arena, report->pointer.s);
	fault->error.keyword = wv_dup(report->arena, pointer.s);
	fault->error.message = wv_dup(report->arena, message);
	fault->order = wv_dupn(report->arena, report->order.s, report->order.n);
	fault->order_len = report->order.n;
	wv_str_free(&pointer);
	insert(report, fault);
	return fault;
}

void
wv_explain_name(struct wv_str *out, const char *name)
{
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

void
wv_report_merge(struct report *report, struct faults *faults)
{
	struct fault *next;

	for (struct fault *fault = faults->first; fault; fault = next) {
		next = fault->next;
		insert(report, fault);
	}
}

static void
add_count(struct wv_str *out, const char *how, uint64_t n, const char *what)
{
	wv_str_fmt(out, "must have at %s %llu %s%s", how, (unsigned long long)n,
		what, n == 1 ? "" : "s");
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

/* "must be a string or null, not a number" */
void
wv_explain_types(struct wv_str *out, unsigned types, const cJSON *v)
{
	size_t left = 0;

	if (types & cJSON_Number)
		types &= ~(unsigned)T_INTEGER;
	for (size_t i = 0; i < TYPE_NAMES; i++)
		left += (types & type_names[i].types) != 0;
	if (left == 0) {
		wv_str_cat(out, "is not allowed here");
		return;
	}
	wv_str_cat(out, "must be ");
	for (size_t i = 0; i < TYPE_NAMES; i++) {
		if (!(types & type_names[i].types))
			continue;
		wv_str_cat(out, type_names[i].name);
		if (--left > 0)
			wv_str_cat(out, left > 1 ? ", " : " or ");
	}
	for (size_t i = 0; i < TYPE_NAMES; i++) {
		if ((unsigned)v->type & type_names[i].types)
			wv_str_fmt(out, ", not %s",
				v->type == cJSON_True            ? "true"
					: v->type == cJSON_False ? "false"
					: (types & T_INTEGER) &&
						v->type == cJSON_Number
					? "a fraction"
					: type_names[i].name);
	}
}

void
wv_explain_type(
	struct report *report, const struct wv_schema *schema, const cJSON *v)
{
	struct wv_str text = { 0 };

	wv_explain_types(&text, schema->types, v);
	/* A schema that is just false has no keyword to blame. */
	wv_report_add(report, schema,
		wv_is_object(schema->source) ? "type" : NULL, text.s)
		->of_type = true;
	wv_str_free(&text);
}

static void
suggest(struct wv_str *out, const char *near)
{
	if (near == NULL)
		return;
	wv_str_cat(out, " (did you mean \"");
	wv_explain_name(out, near);
	wv_str_cat(out, "\"?)");
}

static void
explain_enum(struct report *report, struct wv_str *out,
	const struct wv_schema *schema, const cJSON *v)
{
	const cJSON *values = wv_get(schema->source, "enum");
	size_t count = wv_count(values), n = 0, strings = 0;
	const char **list = wv_alloc(report->arena, (count + 1) * sizeof *list);

	wv_str_cat(out,
		count == 0           ? "must not be here"
			: count == 1 ? "must be "
				     : "must be one of ");
	wv_json_each(one, values) {
		if (wv_is_string(one))
			list[strings++] = one->valuestring;
		if (n++ >= MAX_VALUES)
			continue;
		wv_str_cat(out, n > 1 ? ", " : "");
		wv_explain_value(out, one);
	}
	if (n > MAX_VALUES)
		wv_str_fmt(out, " and %zu more", n - MAX_VALUES);
	list[strings] = NULL;
	if (wv_is_string(v))
		suggest(out, wv_nearest(v->valuestring, list));
}

/* Each by itself, so that a reader can count them. */
static void
explain_required(struct report *report, const struct wv_schema *schema,
	const struct members *m, const cJSON *v)
{
	for (uint32_t i = 0; i < m->names.count; i++) {
		struct wv_str text = { 0 };
		if (!m->properties[i].required ||
			wv_get(v, m->names.strings[i]) != NULL)
			continue;
		wv_str_cat(&text, "needs ");
		wv_explain_name(&text, m->names.strings[i]);
		wv_report_add(report, schema, "required", text.s);
		wv_str_free(&text);
	}
}

static void
explain_format(struct wv_str *out, const struct wv_schema *schema)
{
	const char *name = wv_get_string(schema->source, "format");

	wv_str_cat(out, "must be a ");
	wv_explain_name(out, name);
	if (strcmp(name, "date-time") == 0)
		wv_str_cat(out, " such as 2026-01-31T23:59:59Z");
}

static void
op_text(struct report *report, struct wv_str *out,
	const struct wv_schema *schema, const struct op *op, const cJSON *v)
{
	switch ((enum op_code)op->code) {
	case OP_CONST:
		wv_str_cat(out, "must be ");
		wv_explain_value(out, op->value);
		break;
	case OP_ENUM:
		explain_enum(report, out, schema, v);
		break;
	case OP_MIN_LENGTH:
		add_count(out, "least", op->limit, "character");
		break;
	case OP_MAX_LENGTH:
		add_count(out, "most", op->limit, "character");
		break;
	case OP_FORMAT:
		explain_format(out, schema);
		break;
	case OP_PATTERN:
		wv_str_cat(out, "must match the pattern ");
		wv_explain_name(out, wv_get_string(schema->source, "pattern"));
		break;
	case OP_MINIMUM:
		wv_str_cat(out, "must be at least ");
		wv_explain_value(out, op->value);
		break;
	case OP_EXCLUSIVE_MINIMUM:
		wv_str_cat(out, "must be more than ");
		wv_explain_value(out, op->value);
		break;
	case OP_MAXIMUM:
		wv_str_cat(out, "must be at most ");
		wv_explain_value(out, op->value);
		break;
	case OP_EXCLUSIVE_MAXIMUM:
		wv_str_cat(out, "must be less than ");
		wv_explain_value(out, op->value);
		break;
	case OP_MULTIPLE_OF:
		wv_str_cat(out, "must be a multiple of ");
		wv_explain_value(out, op->value);
		break;
	case OP_MIN_ITEMS:
		add_count(out, "least", op->limit, "item");
		break;
	case OP_MAX_ITEMS:
		add_count(out, "most", op->limit, "item");
		break;
	case OP_UNIQUE_ITEMS:
		wv_str_cat(out, "must not have two equal items");
		break;
	case OP_MIN_PROPERTIES:
		add_count(out, "least", op->limit, "member");
		break;
	case OP_MAX_PROPERTIES:
		add_count(out, "most", op->limit, "member");
		break;
	default: /* OP_NOT */
		wv_str_cat(out, "is what the schema excludes");
		break;
	}
}

void
wv_explain_op(struct report *report, const struct wv_schema *schema,
	const struct op *op, const cJSON *v)
{
	struct wv_str text = { 0 };

	if (op->code == OP_MEMBERS) {
		explain_required(report, schema, op->members, v);
		return;
	}
	op_text(report, &text, schema, op, v);
	wv_report_add(report, schema, op->keyword, text.s)->of_value =
		op->code == OP_CONST || op->code == OP_ENUM;
	wv_str_free(&text);
}

/* The longest known name that the unknown one begins with. */
static const char *
longest_beginning(const struct members *m, const char *name)
{
	enum { MIN_LENGTH = 4 };
	const char *best = NULL;
	size_t best_len = MIN_LENGTH - 1;

	for (uint32_t i = 0; i < m->names.count; i++) {
		size_t n = strlen(m->names.strings[i]);
		if (n > best_len &&
			strncmp(name, m->names.strings[i], n) == 0) {
			best = m->names.strings[i];
			best_len = n;
		}
	}
	return best;
}

void
wv_explain_unknown_member(struct report *report, const struct wv_schema *schema,
	const struct members *m, const cJSON *member)
{
	const char **list =
		wv_alloc(report->arena, (m->names.count + 1) * sizeof *list);
	struct wv_str text = { 0 };
	const char *near;

	memcpy(list, m->names.strings, m->names.count * sizeof *list);
	list[m->names.count] = NULL;
	near = wv_nearest(member->string, list);
	if (near == NULL)
		near = longest_beginning(m, member->string);
	wv_str_cat(&text, "unknown member \"");
	wv_explain_name(&text, member->string);
	wv_str_chr(&text, '"');
	suggest(&text, near);
	wv_report_add(report, schema, "additionalProperties", text.s);
	wv_str_free(&text);
}

struct wv_schema_error *
wv_explain_whole(struct wv_arena *arena, const struct wv_schema *schema,
	const char *keyword, const char *message)
{
	struct wv_schema_error *error = wv_alloc_zero(arena, sizeof *error);
	struct wv_str pointer = { 0 };

	wv_str_cat(&pointer, schema->pointer);
	if (keyword != NULL)
		wv_pointer_add(&pointer, keyword);
	error->instance = "";
	error->keyword = wv_dup(arena, pointer.s);
	error->message = message;
	wv_str_free(&pointer);
	return error;
}
