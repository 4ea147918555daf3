/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/internal.h"
#include "firewall/scan.h"

#include "base/id.h"
#include "contract/record.h"
#include "text/count.h"

#include <string.h>

/* Of the built-in rules. */
#define POLICY_ID "wv-default"

enum { MAX_MESSAGE = 2000 }; /* bytes of an error message */

const char *const wv_firewall_modes[] = { "summary", "table", "handle_only",
	NULL };

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

/* Redacts content where it stands; JSON comes back wrapped. */
static cJSON *
redact_content(struct wv_arena *arena, struct wv_content *content,
	struct wv_findings *findings)
{
	struct wv_str text = { 0 };
	/* The beginning of a text has been redacted as it was read. */
	size_t before = content->seen > 0 ? 0 : findings->total;

	if (content->tree != NULL) {
		cJSON *object = wrap(arena, content->tree);
		wv_clean_redact_tree(arena, object, findings);
		return object;
	}
	if (content->seen == 0 &&
		wv_redact_changes(&text, content->text.s ? content->text.s : "",
			content->text.n, arena, findings)) {
		wv_str_free(&content->text);
		content->text = text;
	}
	if (findings->total > before)
		wv_findings_path(findings, arena, "/lines");
	return NULL;
}

static void
add_part(struct wv_str *out, const char *part)
{
	if (out->n > 0)
		wv_str_cat(out, "; ");
	wv_str_cat(out, part);
}

/* Kinds and counts, never values. */
static void
add_notes(struct wv_arena *arena, cJSON *frame, const struct wv_findings *f)
{
	struct wv_str notes = { 0 };

	for (size_t i = 0; i < f->kind_count; i++)
		wv_str_fmt(&notes, "%s%s %zu", i == 0 ? "redacted: " : ", ",
			f->kinds[i], f->counts[i]);
	if (f->cleaned > 0)
		add_part(&notes,
			wv_printf(arena,
				"removed: %zu control or invisible characters",
				f->cleaned));
	if (f->invalid > 0)
		add_part(&notes,
			wv_printf(arena,
				"replaced: %zu invalid UTF-8 sequences",
				f->invalid));
	for (size_t i = 0; i < f->cut_count; i++)
		add_part(&notes,
			i == 0 ? wv_printf(arena, "cut: %s", f->cut[i])
			       : f->cut[i]);
	if (notes.n > 0)
		wv_put_string(arena, frame, "redaction_notes", notes.s);
	wv_str_free(&notes);
}

static void
put_list(struct wv_arena *arena, cJSON *object, const char *name, cJSON *list)
{
	if (list->child != NULL)
		wv_put(arena, object, name, list);
}

static cJSON *
redaction_policy(
	struct wv_arena *arena, const struct wv_findings *f, cJSON *cut)
{
	cJSON *policy = wv_json_object(arena), *pii = wv_json_array(arena);
	cJSON *fields = wv_json_array(arena);
	bool secrets = false;

	for (size_t i = 0; i < f->path_count; i++)
		wv_push(fields, wv_json_string(arena, f->paths[i]));
	for (size_t i = 0; i < f->kind_count; i++) {
		if (wv_kind_is_pii(f->kinds[i]))
			wv_push(pii, wv_json_string(arena, f->kinds[i]));
		else
			secrets = true;
	}
	wv_put_string(arena, policy, "policy_id", POLICY_ID);
	put_list(arena, policy, "redacted_fields", fields);
	put_list(arena, policy, "truncated_fields", cut);
	if (f->total > 0)
		wv_put_string(arena, policy, "redaction_reason",
			!pii->child       ? "secrets"
				: secrets ? "secrets and personal data"
					  : "personal data");
	wv_put(arena, policy, "pii_detected",
		wv_json_bool(arena, pii->child != NULL));
	put_list(arena, policy, "pii_types", pii);
	return policy;
}

struct parts {
	const char *capability_id, *version, *handle_id;
	const char *summary;
	cJSON *data;
	cJSON *cut; /* pointers to what was cut */
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
	add_notes(arena, frame, findings);
	wv_put(arena, frame, "created_at", wv_json_time(arena, wv_now()));
	metadata = wv_put_object(arena, frame, "metadata");
	wv_put(arena, metadata, "redaction_policy",
		redaction_policy(arena, findings, parts->cut));
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

cJSON *
wv_firewall_frame(struct wv_arena *arena, const struct wv_firewall_input *input,
	const struct wv_firewall_options *options, struct wv_findings *findings)
{
	struct parts parts = { .capability_id = input->capability_id,
		.version = input->version,
		.handle_id = input->handle_id,
		.cause = input->cause };
	struct wv_content content;
	struct wv_str summary = { 0 };

	read_content(&content, arena, input, findings);
	cJSON *object = redact_content(arena, &content, findings);
	if (options->mode == WV_MODE_HANDLE_ONLY)
		wv_str_fmt(&summary, "%s, %zu bytes, not shown",
			content.media_type, content.size);
	else
		wv_summarize(&summary, &content);
	parts.summary = summary.s;
	parts.data = make_data(
		arena, &content, object, options, findings, &parts.cut);
	cJSON *frame = make_frame(arena, &parts, findings);
	wv_str_free(&summary);
	wv_str_free(&content.text);
	return frame;
}

cJSON *
wv_firewall_error_frame(struct wv_arena *arena, const char *capability_id,
	const char *error_class, const char *message, bool retriable,
	const cJSON *cause)
{
	struct wv_findings findings = { 0 };
	struct wv_str clean = { 0 }, text = { 0 };
	struct parts parts = { .capability_id = capability_id,
		.data = wv_json_object(arena),
		.cut = wv_json_array(arena),
		.cause = cause };

	wv_clean(&clean, message, strlen(message), &findings);
	wv_redact(&text, clean.s, clean.n, arena, &findings);
	size_t kept = wv_text_cut(text.s, text.n, MAX_MESSAGE);
	const char *shown = wv_dupn(arena, text.s, kept);
	if (kept < text.n)
		wv_push(parts.cut, wv_json_string(arena, "/error_message"));
	if (findings.total > 0)
		wv_findings_path(&findings, arena, "/error_message");
	wv_put_string(arena, parts.data, "status", "error");
	wv_put_string(arena, parts.data, "error_class", error_class);
	wv_put_string(arena, parts.data, "error_message", shown);
	wv_put(arena, parts.data, "retriable", wv_json_bool(arena, retriable));
	parts.summary = wv_printf(arena, "failed (%s): %.*s", error_class,
		(int)wv_text_cut(shown, strlen(shown), 400), shown);
	cJSON *frame = make_frame(arena, &parts, &findings);
	wv_str_free(&clean);
	wv_str_free(&text);
	return frame;
}
