/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/internal.h"
#include "firewall/scan.h"

#include "base/id.h"
#include "contract/record.h"
#include "text/count.h"

#include <string.h>

enum { MAX_MESSAGE = 2000 }; /* bytes of an error message */

const char *const wv_firewall_modes[] = { "summary", "table", "handle_only",
	NULL };
const char *const wv_injection_modes[] = { "flag", "withhold", NULL };

/* An object holds any output: an array becomes {items, item_count}, a scalar
 * {value}. */
static cJSON *
wrap(struct wv_arena *arena, cJSON *tree)
{
	cJSON *object = wv_json_object(arena);

	if (wv_is_object(tree))
		return tree;
	if (!wv_is_array(tree)) {
		wv_put(arena, object, "value", tree);
		return object;
	}
	wv_put(arena, object, "items", tree);
	wv_put(arena, object, "item_count",
		wv_json_int(arena, (int64_t)wv_count(tree)));
	return object;
}

/* The longest array of objects among the members, else the first array. */
static cJSON *
rows_of(cJSON *object)
{
	cJSON *best = NULL;
	size_t most = 0;

	wv_json_each(member, object) {
		size_t rows =
			wv_is_object(member->child) ? wv_count(member) : 0;
		if (!wv_is_array(member))
			continue;
		if (best == NULL || rows > most) {
			best = member;
			most = rows;
		}
	}
	return best;
}

static bool
is_listed(const char *name, const char *const *list, uint64_t *met)
{
	size_t i = 0;

	while (list[i] != NULL && strcmp(list[i], name) != 0)
		i++;
	if (list[i] != NULL && i < 64)
		*met |= UINT64_C(1) << i;
	return list[i] != NULL;
}

/* Of an object its listed members, of an array what holds such. */
static void
project(cJSON *node, const char *const *fields, struct wv_findings *findings)
{
	cJSON *item = node->child, *next;
	bool is_object = wv_is_object(node);

	node->child = NULL;
	for (; item != NULL; item = next) {
		next = item->next;
		if (is_object ? !is_listed(item->string, fields, &findings->met)
			      : !wv_is_object(item) && !wv_is_array(item)) {
			findings->left_out++;
			continue;
		}
		if (!is_object)
			project(item, fields, findings);
		wv_push(node, item);
	}
}

/* What has no members shows nothing. */
static void
keep_fields(struct wv_content *content, const char *const *fields,
	struct wv_findings *findings)
{
	if (fields == NULL || content->kind == WV_CONTENT_EMPTY)
		return;
	if (wv_is_object(content->tree) || wv_is_array(content->tree)) {
		project(content->tree, fields, findings);
		return;
	}
	findings->left_out++;
	content->kind = WV_CONTENT_BINARY;
	content->tree = NULL;
}

/* {rows, row_count}: every row an object, what is none as {value}. */
static cJSON *
make_table(struct wv_arena *arena, cJSON *object, size_t max_rows)
{
	cJSON *table = wv_json_object(arena), *source = rows_of(object);
	cJSON *rows = wv_json_array(arena);
	size_t count = source ? wv_count(source) : 1, taken = 0;

	/* One row more than may stay, so that cutting it is noted. */
	for (cJSON *row = source ? source->child : object, *next;
		row != NULL && taken <= max_rows; row = next, taken++) {
		next = source ? row->next : NULL;
		if (wv_is_object(row)) {
			wv_push(rows, row);
		} else {
			cJSON *cell = wv_json_object(arena);
			wv_put(arena, cell, "value", row);
			wv_push(rows, cell);
		}
	}
	wv_put(arena, table, "rows", rows);
	wv_put(arena, table, "row_count", wv_json_int(arena, (int64_t)count));
	return table;
}

static cJSON *
describe(struct wv_arena *arena, const struct wv_content *content)
{
	cJSON *data = wv_json_object(arena);

	wv_put_string(arena, data, "media_type", content->media_type);
	wv_put(arena, data, "size_bytes",
		wv_json_int(arena, (int64_t)content->size));
	return data;
}

struct parts {
	const char *capability_id, *version, *handle_id;
	const char *summary;
	cJSON *data;
	cJSON *cut; /* pointers to what was cut */
	const struct wv_rules *rules;
	const cJSON *cause;
};

static cJSON *
make_frame(struct wv_arena *arena, const struct parts *parts,
	const struct wv_findings *findings)
{
	cJSON *frame = wv_json_object(arena), *metadata, *refs;
	char id[WV_ID_MAX];

	wv_id_new(id, "frm");
	wv_put_string(arena, frame, "frame_id", id);
	wv_put_string(arena, frame, "capability_id",
		parts->capability_id ? parts->capability_id : WV_NO_CAPABILITY);
	wv_put_string(arena, frame, "summary", parts->summary);
	wv_put(arena, frame, "structured_data", parts->data);
	refs = wv_put(arena, frame, "handle_refs", wv_json_array(arena));
	if (parts->handle_id != NULL)
		wv_push(refs, wv_json_string(arena, parts->handle_id));
	wv_add_notes(arena, frame, findings);
	wv_put(arena, frame, "created_at", wv_json_time(arena, wv_now()));
	metadata = wv_put_object(arena, frame, "metadata");
	wv_put(arena, metadata, "redaction_policy",
		wv_redaction_policy(arena, findings, parts->rules, parts->cut));
	wv_put(arena, metadata, "telemetry", wv_telemetry(arena, parts->cause));
	if (parts->version != NULL)
		wv_put_string(arena, metadata, "source_capability_version",
			parts->version);
	return frame;
}

static cJSON *
make_data(struct wv_arena *arena, const struct wv_content *content,
	cJSON *object, const struct wv_firewall_options *options,
	struct wv_findings *findings, cJSON **cut)
{
	if (options->mode == WV_MODE_HANDLE_ONLY ||
		content->kind == WV_CONTENT_BINARY)
		object = describe(arena, content);
	else if (options->mode == WV_MODE_TABLE && object != NULL)
		object = make_table(arena, object, options->max_rows);
	else if (options->mode == WV_MODE_TABLE && content->seen == 0)
		object = wv_content_rows(arena, content, options->max_rows + 1);
	if (object != NULL)
		return wv_bound_tree(arena, object, options, findings, cut);
	return wv_bound_text(arena, content, options, findings, cut);
}

/* What its source says of it counts, unless that is that it is text. */
static void
read_content(struct wv_content *content, struct wv_arena *arena,
	const struct wv_firewall_input *input, struct wv_findings *findings)
{
	const char *type = input->media_type != NULL
		? wv_content_type(arena, input->media_type)
		: NULL;

	if (type != NULL && !wv_is_text_type(type))
		*content = (struct wv_content){ .kind = WV_CONTENT_BINARY,
			.size = input->len };
	else if (input->size > input->len)
		wv_content_begin(
			content, arena, input->raw, input->len, findings);
	else
		wv_content_read(
			content, arena, input->raw, input->len, findings);
	if (type != NULL)
		content->media_type = type;
	if (input->size > input->len)
		content->size = (size_t)input->size;
}

/* Pointers are those of the object that it becomes. */
static cJSON *
purify(struct wv_arena *arena, struct wv_content *content,
	const struct wv_firewall_input *input,
	const struct wv_firewall_options *options, struct wv_findings *findings)
{
	cJSON *tree = content->tree, *object = NULL;

	if (tree != NULL)
		object = content->tree = wrap(arena, tree);
	wv_content_purify(
		content, arena, input->raw, input->len, options, findings);
	if (content->tree != object)
		return wrap(arena, content->tree);
	content->tree = tree;
	return object;
}

/* What stands apart in the output may be together in its summary: the name of
 * a column and its values, letters between tags. */
static void
summarize(struct wv_str *summary, struct wv_arena *arena,
	const struct wv_content *content,
	const struct wv_firewall_options *options, struct wv_findings *findings)
{
	struct wv_str first = { 0 };

	wv_summarize(&first, content);
	if (wv_redact_changes(
		    summary, first.s, first.n, options->rules, arena, findings))
		wv_summary_limit(summary);
	else
		wv_str_add(summary, first.s, first.n);
	wv_str_free(&first);
}

cJSON *
wv_firewall_frame(struct wv_arena *arena, const struct wv_firewall_input *input,
	const struct wv_firewall_options *options, struct wv_findings *findings)
{
	struct parts parts = { .capability_id = input->capability_id,
		.version = input->version,
		.handle_id = input->handle_id,
		.rules = options->rules,
		.cause = input->cause };
	struct wv_content content;
	struct wv_str summary = { 0 };

	read_content(&content, arena, input, findings);
	keep_fields(&content, options->fields, findings);
	cJSON *object = purify(arena, &content, input, options, findings);
	if (options->mode == WV_MODE_HANDLE_ONLY)
		findings->path_count = 0;
	if (options->mode == WV_MODE_HANDLE_ONLY)
		wv_str_fmt(&summary, "%s, %zu bytes, not shown",
			content.media_type, content.size);
	else
		summarize(&summary, arena, &content, options, findings);
	parts.summary = summary.s;
	parts.data = make_data(
		arena, &content, object, options, findings, &parts.cut);
	cJSON *frame = make_frame(arena, &parts, findings);
	wv_str_free(&summary);
	wv_str_free(&content.text);
	return frame;
}

static cJSON *
error_data(struct wv_arena *arena, const char *class, const char *message,
	size_t kept, bool retriable)
{
	cJSON *data = wv_json_object(arena);

	wv_put_string(arena, data, "status", "error");
	wv_put_string(arena, data, "error_class", class);
	wv_put(arena, data, "error_message",
		wv_json_stringn(arena, message, kept));
	wv_put(arena, data, "retriable", wv_json_bool(arena, retriable));
	return data;
}

/* Within the budget, but for status and class. */
static cJSON *
bound_error(struct wv_arena *arena, const char *class,
	const struct wv_str *text, bool retriable, size_t max, cJSON *cut)
{
	size_t kept = wv_text_cut(text->s, text->n, MAX_MESSAGE);
	struct wv_str json = { 0 };
	cJSON *data;

	for (;;) {
		data = error_data(arena, class, text->s, kept, retriable);
		json.n = 0;
		wv_json_write(&json, data);
		if (json.n <= max || kept == 0)
			break;
		kept = wv_text_cut(text->s, kept, kept / 2);
	}
	if (json.n > max) {
		wv_take(data, "error_message");
		wv_take(data, "retriable");
	}
	if (kept < text->n)
		wv_push(cut, wv_json_string(arena, "/error_message"));
	wv_str_free(&json);
	return data;
}

/* A message as it may be seen. */
static void
purify_message(struct wv_str *text, struct wv_arena *arena, const char *message,
	const struct wv_firewall_options *options, struct wv_findings *findings)
{
	struct wv_str clean = { 0 }, left = { 0 };

	wv_clean(&clean, message, strlen(message), findings);
	wv_str_cat(text, "");
	if (clean.n > 0 &&
		!wv_redact_changes(text, clean.s, clean.n, options->rules,
			arena, findings))
		wv_str_add(text, clean.s, clean.n);
	if (findings->total > 0)
		wv_findings_path(findings, arena, "/error_message");
	if (wv_guard_text(&left, arena, text->s, text->n, options, findings)) {
		text->n = 0;
		wv_str_add(text, left.s, left.n);
	}
	wv_str_free(&clean);
	wv_str_free(&left);
}

cJSON *
wv_firewall_error_frame(struct wv_arena *arena, const char *capability_id,
	const char *error_class, const char *message, bool retriable,
	const struct wv_firewall_options *options, const cJSON *cause,
	struct wv_findings *findings)
{
	static const struct wv_firewall_options standard =
		WV_FIREWALL_OPTIONS_INIT;
	struct wv_str text = { 0 };
	struct parts parts = { .capability_id = capability_id,
		.cut = wv_json_array(arena),
		.cause = cause };

	if (options == NULL)
		options = &standard;
	parts.rules = options->rules;
	purify_message(&text, arena, message, options, findings);
	parts.data = bound_error(arena, error_class, &text, retriable,
		options->max_bytes, parts.cut);
	size_t most = options->max_bytes < 400 ? options->max_bytes : 400;
	parts.summary = wv_printf(arena, "failed (%s): %.*s", error_class,
		(int)wv_text_cut(text.s, text.n, most), text.s);
	cJSON *frame = make_frame(arena, &parts, findings);
	wv_str_free(&text);
	return frame;
}
