/* SPDX-License-Identifier: Apache-2.0 */
#include "purify.h"

#include "firewall/find.h"
#include "firewall/firewall.h"
#include "text/count.h"

#include <string.h>

/* Bytes of an item's data that a budget may choose from. */
enum { MAX_DATA = 1 << 20 };

/* Whether JSON goes on within a string behind n bytes more. */
static bool
is_within(bool within, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"')
			within = !within;
		else if (s[i] == '\\')
			i++;
	}
	return within;
}

/* What is about people stays.  Of JSON a mark in place of a number is a string
 * too. */
static void
add_without_secrets(struct wv_str *out, const char *s, size_t n, bool is_json)
{
	struct wv_hits hits = { 0 };
	size_t at = 0;
	bool within = !is_json;

	wv_find_all(NULL, s, n, &hits);
	for (size_t i = 0; i < hits.count; i++) {
		const struct wv_hit *hit = &hits.at[i];
		const char *quote;
		if (wv_kind_is_pii(hit->kind))
			continue;
		if (is_json)
			within = is_within(within, s + at, hit->start - at);
		quote = within ? "" : "\"";
		wv_str_add(out, s + at, hit->start - at);
		wv_str_fmt(out, "%s[REDACTED:%s]%s", quote, hit->kind, quote);
		at = hit->end;
	}
	wv_str_add(out, s + at, n - at);
	wv_hits_free(&hits);
}

void
purify_text(struct wv_arena *arena, struct wv_str *out, const char *s, size_t n,
	enum purify what)
{
	struct wv_findings findings = { 0 };
	struct wv_str clean = { 0 };

	wv_str_cat(&clean, "");
	wv_clean(&clean, s, n, &findings);
	if (what == PURIFY_ALL)
		wv_redact(out, clean.s, clean.n, arena, NULL);
	else
		add_without_secrets(out, clean.s, clean.n, false);
	wv_str_free(&clean);
}

struct todo {
	struct todo *next;
	cJSON *node;
	bool has_names; /* of what a schema is about, as its members */
};

static struct todo *
push(struct wv_arena *arena, struct todo *todo, cJSON *node, bool has_names)
{
	struct todo *first = wv_alloc(arena, sizeof *first);

	*first = (struct todo){ todo, node, has_names };
	return first;
}

static bool
holds_names(const cJSON *node)
{
	static const char *const holders[] = { "properties",
		"patternProperties", "dependentSchemas", "dependentRequired",
		"dependencies", "$defs", "definitions" };

	for (size_t i = 0; i < sizeof(holders) / sizeof(*holders); i++)
		if (node->string != NULL &&
			strcmp(node->string, holders[i]) == 0)
			return true;
	return false;
}

/* At every depth: what a program left for programs is not for the model. */
static bool
drop_private(struct wv_arena *arena, cJSON *root, bool is_schema)
{
	struct todo *todo = push(arena, NULL, root, false);
	bool any = false;

	while (todo != NULL) {
		cJSON *node = todo->node, *next;
		bool has_names = todo->has_names;
		todo = todo->next;
		for (cJSON *item = node->child; item != NULL; item = next) {
			next = item->next;
			if (!has_names && item->string != NULL &&
				strncmp(item->string, "x_", 2) == 0) {
				cJSON_DetachItemViaPointer(node, item);
				any = true;
			} else if (item->child != NULL) {
				todo = push(arena, todo, item,
					is_schema && !has_names &&
						holds_names(item));
			}
		}
	}
	return any;
}

static char *
pure(struct wv_arena *arena, const char *s, size_t n)
{
	struct wv_str out = { 0 };
	char *text;

	purify_text(arena, &out, s, n, PURIFY_SECRETS);
	text = wv_dupn(arena, out.n > 0 ? out.s : "", out.n);
	wv_str_free(&out);
	return text;
}

static void
purify_strings(struct wv_arena *arena, cJSON *root)
{
	struct todo *todo = push(arena, NULL, root, false);

	while (todo != NULL) {
		cJSON *node = todo->node;
		todo = todo->next;
		if (node->string != NULL)
			node->string =
				pure(arena, node->string, strlen(node->string));
		if (wv_is_string(node)) {
			node->valuestring = pure(arena, node->valuestring,
				(size_t)node->valueint);
			node->valueint = (int)strlen(node->valuestring);
		}
		wv_json_each(item, node)
			todo = push(arena, todo, item, false);
	}
}

cJSON *
purify_schema(struct wv_arena *arena, const cJSON *schema)
{
	struct wv_str text = { 0 }, out = { 0 };
	cJSON *copy = wv_json_copy(arena, schema);

	drop_private(arena, copy, true);
	purify_strings(arena, copy);
	/* A value may be a secret for what stands around it. */
	wv_json_write(&text, copy);
	add_without_secrets(&out, text.s, text.n, true);
	memset(wv_str_room(&out, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	copy = wv_json_read(arena, out.s, out.n, &wv_json_defaults, NULL);
	wv_str_free(&text);
	wv_str_free(&out);
	return copy;
}

/* A document; false, and nothing appended, if it is none or has none. */
static bool
add_public(struct wv_arena *arena, struct wv_str *out, const char *s, size_t n)
{
	const cJSON *tree;
	size_t first = 0;
	bool any;

	while (first < n && strchr(" \t\r\n", s[first]) != NULL)
		first++;
	if (first == n || (s[first] != '{' && s[first] != '['))
		return false;
	tree = wv_json_read(arena, s, n, &wv_json_defaults, NULL);
	any = tree != NULL && drop_private(arena, (cJSON *)tree, false);
	if (any)
		wv_json_write(out, tree);
	wv_arena_reset(arena);
	return any;
}

/* The same of a text with a document on some lines. */
static bool
add_public_lines(
	struct wv_arena *arena, struct wv_str *out, const char *s, size_t n)
{
	const char *end = s + n;
	bool any = false;

	while (s < end) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		const char *stop = lf != NULL ? lf : end;
		if (add_public(arena, out, s, (size_t)(stop - s)))
			any = true;
		else
			wv_str_add(out, s, (size_t)(stop - s));
		if (lf != NULL)
			wv_str_chr(out, '\n');
		s = stop + 1;
	}
	return any;
}

static bool
add_public_text(struct wv_str *out, const char *s, size_t n)
{
	struct wv_arena arena = WV_ARENA_INIT;
	size_t from = out->n;
	bool any = add_public(&arena, out, s, n) ||
		add_public_lines(&arena, out, s, n);

	if (!any)
		out->n = from;
	wv_arena_free(&arena);
	return any;
}

bool
purify_private(struct wv_str *out, const char *s, size_t n)
{
	struct wv_findings findings = { 0 };
	struct wv_str clean = { 0 };
	bool any;

	/* Names may be written in other ways than this. */
	if (memchr(s, '{', n) == NULL ||
		(memmem(s, n, "x_", 2) == NULL && memchr(s, '\\', n) == NULL))
		return false;
	if (add_public_text(out, s, n))
		return true;
	/* Colours and the like may be all that keeps it from being JSON. */
	wv_clean(&clean, s, n, &findings);
	memset(wv_str_room(&clean, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	any = (clean.n != n || memcmp(clean.s, s, n) != 0) &&
		add_public_text(out, clean.s, clean.n);
	wv_str_free(&clean);
	return any;
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

static void
add_member(struct wv_arena *arena, struct wv_str *out, const cJSON *frame,
	const char *name, bool is_ours)
{
	const cJSON *member = wv_get(frame, name);

	if (!wv_is_string(member))
		return;
	if (is_ours)
		wv_str_add(out, member->valuestring, (size_t)member->valueint);
	else
		purify_text(arena, out, member->valuestring,
			(size_t)member->valueint, PURIFY_ALL);
}

void
purify_frame(
	struct wv_arena *arena, struct item *item, cJSON *frame, bool is_ours)
{
	cJSON *data = wv_get(frame, "structured_data");
	struct wv_str text = { 0 };

	add_member(arena, &item->summary, frame, "summary", is_ours);
	add_member(arena, &item->note, frame, "redaction_notes", is_ours);
	if (data == NULL)
		return;
	if (is_ours) {
		add_data(&item->data, data);
	} else {
		drop_private(arena, data, false);
		wv_redact_tree(arena, data, NULL);
		wv_str_cat(&text, "");
		add_data(&text, data);
		purify_text(arena, &item->data, text.s, text.n, PURIFY_ALL);
		wv_str_free(&text);
	}
	if (item->data.n > MAX_DATA) {
		item->data.n =
			wv_text_cut(item->data.s, item->data.n, MAX_DATA);
		wv_str_cat(&item->data, "…");
	}
}
