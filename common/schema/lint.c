/* SPDX-License-Identifier: Apache-2.0 */
/* What a schema may say but can hardly mean. */
#include "schema/document.h"

#include "schema/keyword.h"

#include <stdlib.h>
#include <string.h>

struct lint {
	struct wv_schema_set *set;
	struct wv_arena *arena;
	struct wv_schema_error **tail;
};

/* A warning about a keyword of a schema. */
__attribute__((format(printf, 5, 6))) static void
warn(struct lint *lint, const struct wv_schema *node, const char *keyword,
	const char *rule, const char *fmt, ...)
{
	struct wv_schema_error *one = wv_alloc_zero(lint->arena, sizeof *one);
	struct wv_str text = { 0 }, raw = { 0 };
	va_list ap;

	wv_str_cat(&text, node->pointer);
	wv_pointer_add(&text, keyword);
	one->instance = wv_dup(lint->arena, text.s);
	text.n = 0;
	va_start(ap, fmt);
	wv_str_vfmt(&raw, fmt, ap);
	va_end(ap);
	wv_str_foreign(&text, raw.s, raw.n, WV_ERR_TEXT - 1);
	one->message = wv_dup(lint->arena, text.s);
	one->keyword = rule;
	one->warning = true;
	*lint->tail = one;
	lint->tail = &one->next;
	wv_str_free(&text);
	wv_str_free(&raw);
}

static bool
is_of_another_draft(const char *name)
{
	for (int draft = WV_DRAFT_4; draft <= WV_DRAFT_2020_12; draft++) {
		const struct keyword *row = wv_keyword_find(
			wv_dialect_of_draft((enum wv_draft)draft), name);
		if (row != NULL && row->compile != NULL)
			return true;
	}
	return false;
}

static void
check_unknown(struct lint *lint, const struct wv_schema *node, const char *name)
{
	const struct dialect *dialect = node->resource->dialect;
	const char *near;

	if (is_of_another_draft(name)) {
		warn(lint, node, name, "no-effect",
			"\"%s\" has no effect in this dialect of %s", name,
			wv_draft_names()[dialect->draft]);
		return;
	}
	near = wv_keyword_nearest(dialect, name);
	if (near != NULL && strncmp(name, "x-", 2) != 0 &&
		strncmp(name, "x_", 2) != 0)
		warn(lint, node, name, "unknown-keyword",
			"unknown keyword \"%s\" (did you mean \"%s\"?)", name,
			near);
}

static void
check_need(struct lint *lint, const struct wv_schema *node, const char *name)
{
	static const char *const needs[][2] = {
		{ "then", "if" },
		{ "else", "if" },
		{ "minContains", "contains" },
		{ "maxContains", "contains" },
		{ "contentSchema", "contentMediaType" },
	};
	const cJSON *items = wv_get(node->source, "items");

	for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
		if (strcmp(name, needs[i][0]) == 0 &&
			wv_get(node->source, needs[i][1]) == NULL)
			warn(lint, node, name, "no-effect",
				"\"%s\" has no effect without \"%s\"", name,
				needs[i][1]);
	}
	if (strcmp(name, "additionalItems") == 0 && !wv_is_array(items))
		warn(lint, node, name, "no-effect",
			"\"additionalItems\" has no effect unless \"items\" "
			"is a list");
}

/* Annotations and what is only referred to may stand beside any $ref. */
static bool
is_hidden(const struct keyword *row)
{
	return row->compile != NULL && row->compile != wv_compile_definitions &&
		strcmp(row->name, "$ref") != 0 &&
		strcmp(row->name, "$schema") != 0;
}

static void
check_keyword(struct lint *lint, const struct wv_schema *node, const char *name)
{
	const struct dialect *dialect = node->resource->dialect;
	const struct keyword *row = wv_keyword_find(dialect, name);

	if (row == NULL)
		check_unknown(lint, node, name);
	else if (!wv_keyword_ref_hides(dialect, node->source))
		check_need(lint, node, name);
	else if (is_hidden(row))
		warn(lint, node, name, "hidden",
			"\"%s\" has no effect beside \"$ref\" in %s", name,
			wv_draft_names()[dialect->draft]);
}

static void
check_required(struct lint *lint, const struct wv_schema *node)
{
	const cJSON *properties = wv_get(node->source, "properties");
	const cJSON *required = wv_get(node->source, "required");
	struct wv_map names = { 0 };

	if (!wv_is_false(wv_get(node->source, "additionalProperties")) ||
		wv_get(node->source, "patternProperties") != NULL ||
		!wv_is_array(required) ||
		wv_keyword_ref_hides(node->resource->dialect, node->source))
		return;
	wv_json_each(one, properties)
		wv_map_add(&names, one->string, 0);
	wv_json_each(one, required) {
		if (wv_is_string(one) &&
			wv_map_find(&names, one->valuestring) == NULL)
			warn(lint, node, "required", "impossible",
				"needs \"%s\", which \"additionalProperties\" "
				"refuses",
				one->valuestring);
	}
	wv_map_free(&names);
}

/* A member of an object that is a schema. */
static void
check_member(struct lint *lint, const cJSON *object, const cJSON *member)
{
	const struct wv_schema *node =
		object ? wv_place_find(lint->set, object) : NULL;

	if (node == NULL)
		return;
	check_keyword(lint, node, member->string);
	if (strcmp(member->string, "required") == 0)
		check_required(lint, node);
}

void
wv_schema_lint(struct wv_schema_set *set, const cJSON *root,
	struct wv_arena *arena, struct wv_schema_error **warnings)
{
	struct lint lint = { set, arena, warnings };
	const cJSON **above = NULL, *value = root;
	size_t depth = 0;

	*warnings = NULL;
	wv_document_scan(set, wv_document_of(set, root, NULL));
	while (value != NULL) {
		check_member(&lint, depth > 0 ? above[depth - 1] : NULL, value);
		if (value->child != NULL) {
			above = wv_list_room(above, depth, sizeof *above);
			above[depth++] = value;
			value = value->child;
			continue;
		}
		while (depth > 0 && value->next == NULL)
			value = above[--depth];
		value = value == root ? NULL : value->next;
	}
	free(above);
}
