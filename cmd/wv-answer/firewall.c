/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stage 4: a Frame is not trusted because it says that it is one.  What it
 * says is cleaned and redacted again, which changes nothing of a Frame that
 * went through the firewall; metadata and x_… members stay behind (I-04).
 */
#include "build.h"

#include "firewall/firewall.h"

#include <string.h>

/* Bytes of an item's data that a budget may choose from. */
enum { MAX_DATA = 1 << 20 };

static void
add_clean(struct build *b, struct wv_str *out, const char *s, size_t n)
{
	struct wv_findings findings = { 0 };
	struct wv_str clean = { 0 };

	wv_clean(&clean, s, n, &findings);
	wv_redact(out, clean.s, clean.n, &b->arena, NULL);
	wv_str_free(&clean);
}

static void
add_member(struct build *b, struct wv_str *out, const cJSON *record,
	const char *name)
{
	const cJSON *member = wv_get(record, name);

	if (wv_is_string(member))
		add_clean(
			b, out, member->valuestring, (size_t)member->valueint);
}

static void
add_lines(struct wv_str *out, const cJSON *lines)
{
	wv_json_each(line, lines) {
		if (wv_is_string(line))
			wv_str_add(
				out, line->valuestring, (size_t)line->valueint);
		else
			wv_json_write(out, line);
		wv_str_chr(out, '\n');
	}
}

/* As lines where it is lines or rows, else as JSON. */
static void
add_data(struct wv_str *out, const cJSON *data)
{
	const cJSON *lines = wv_get(data, "lines");
	const cJSON *rows = wv_get(data, "rows") ? wv_get(data, "rows")
						 : wv_get(data, "items");

	if (wv_is_array(lines) && wv_get(data, "line_count") != NULL) {
		add_lines(out, lines);
		if (wv_get(data, "last_lines") != NULL)
			wv_str_cat(out, "…\n");
		add_lines(out, wv_get(data, "last_lines"));
	} else if (wv_is_array(rows) && wv_count(data) == 2) {
		add_lines(out, rows);
	} else if (wv_is_object(data) && data->child != NULL) {
		wv_json_write(out, data);
	}
}

struct todo {
	struct todo *next;
	cJSON *node;
};

static struct todo *
push(struct wv_arena *arena, struct todo *todo, cJSON *node)
{
	struct todo *first = wv_alloc(arena, sizeof *first);

	*first = (struct todo){ todo, node };
	return first;
}

/* At every depth: what a program left for programs is not for the model. */
static void
drop_private(struct wv_arena *arena, cJSON *root)
{
	struct todo *todo = push(arena, NULL, root);

	while (todo != NULL) {
		cJSON *node = todo->node, *next;
		todo = todo->next;
		for (cJSON *item = node->child; item != NULL; item = next) {
			next = item->next;
			if (item->string != NULL &&
				strncmp(item->string, "x_", 2) == 0)
				cJSON_DetachItemViaPointer(node, item);
			else if (item->child != NULL)
				todo = push(arena, todo, item);
		}
	}
}

static void
frame_through(struct build *b, struct item *item)
{
	cJSON *data = wv_get(item->record, "structured_data");
	struct wv_str text = { 0 };

	add_member(b, &item->summary, item->record, "summary");
	add_member(b, &item->note, item->record, "redaction_notes");
	item->handles = wv_get(item->record, "handle_refs");
	if (data == NULL)
		return;
	drop_private(&b->arena, data);
	wv_redact_tree(&b->arena, data, NULL);
	add_data(&text, data);
	add_clean(b, &item->data, text.s ? text.s : "", text.n);
	if (item->data.n > MAX_DATA) {
		item->data.n =
			wv_text_cut(item->data.s, item->data.n, MAX_DATA);
		wv_str_cat(&item->data, "…");
	}
	wv_str_free(&text);
}

static void
denial_through(struct build *b, struct item *item)
{
	const char *reason = wv_get_string(item->record, "reason");

	wv_str_cat(&item->summary, "denied: ");
	if (reason == NULL || *reason == '\0')
		wv_str_cat(&item->summary, "no reason was given");
	add_member(b, &item->summary, item->record, "reason");
}

void
firewall(struct build *b)
{
	for (size_t i = 0; i < b->item_count; i++) {
		if (b->items[i].kind == ITEM_DENIED)
			denial_through(b, &b->items[i]);
		else
			frame_through(b, &b->items[i]);
	}
}
