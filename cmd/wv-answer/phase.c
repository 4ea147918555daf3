/* SPDX-License-Identifier: Apache-2.0 */
#include "phase.h"

#include "contract/record.h"
#include "output.h"
#include "purify.h"

#include <string.h>

enum { LABEL_MAX = 64, DESCRIPTION_MAX = 200 }; /* bytes */

/* Cleaning may make a line end of what was none. */
static void
purify_line(struct wv_str *out, struct wv_arena *arena, const char *s, size_t n,
	enum purify what)
{
	size_t from = out->n;

	purify_text(arena, out, s, n, what);
	for (size_t i = from; i < out->n; i++)
		if (out->s[i] == '\n' || out->s[i] == '\t')
			out->s[i] = ' ';
}

/* A card is foreign text: one line of it, clean and bounded; where a brace
 * opens a schema may begin, and the rest is left out (I-03). */
static void
add_line(struct wv_str *out, struct wv_arena *arena, const char *s, size_t max)
{
	struct wv_str text = { 0 };
	size_t n, end;

	purify_line(&text, arena, s, strlen(s), PURIFY_ALL);
	n = strcspn(text.s, "{");
	end = wv_text_cut(text.s, n, max);
	wv_str_add(out, text.s, end);
	if (end < text.n)
		wv_str_cat(out, "…");
	wv_str_free(&text);
}

static void
add_choice(struct wv_str *out, struct wv_arena *arena, const cJSON *item,
	size_t number, size_t count)
{
	const char *description = wv_get_string(item, "description");

	wv_str_fmt(out, "| [%zu/%zu] ", number, count);
	add_id(out, wv_get_string(item, "id"));
	wv_str_cat(out, " - ");
	add_line(out, arena, wv_get_string(item, "label"), LABEL_MAX);
	wv_str_cat(out, ": ");
	add_line(out, arena, description != NULL ? description : "",
		DESCRIPTION_MAX);
	wv_str_chr(out, '\n');
}

static void
add_menu(struct wv_str *out, struct wv_arena *arena, const cJSON *decision)
{
	size_t count = 0, number = 0;

	wv_json_each(card, wv_get(decision, "choice_cards"))
		count += wv_count(wv_get(card, "items"));
	wv_str_cat(out, "\n[CHOICES]\n");
	wv_json_each(card, wv_get(decision, "choice_cards"))
		wv_json_each(item, wv_get(card, "items"))
			add_choice(out, arena, item, ++number, count);
}

/* The operator's own, so only its form is seen to. */
static void
add_tool(struct wv_str *out, struct wv_arena *arena,
	const struct wv_capability *tool)
{
	struct wv_str schema = { 0 };

	wv_str_cat(out, "\n[TOOL ");
	add_id(out, tool->id);
	wv_str_cat(out, "]\n| ");
	add_line(out, arena, tool->name, LABEL_MAX);
	wv_str_cat(out, ": ");
	add_line(out, arena, tool->description, 2000);
	wv_str_cat(out, "\n| arguments: ");
	if (tool->input_schema != NULL) {
		wv_json_write(
			&schema, purify_schema(arena, tool->input_schema));
		purify_line(out, arena, schema.s, schema.n, PURIFY_SECRETS);
	} else {
		wv_str_cat(out, "any object");
	}
	wv_str_chr(out, '\n');
	wv_str_free(&schema);
}

static int
add_chosen(struct build *b, struct wv_err *err)
{
	const struct settings *settings = b->settings;
	const struct wv_capability *tool;
	struct wv_selection selection;

	wv_selection_read(&selection, settings->choices);
	if (selection.end != WV_SELECTED)
		return wv_err_set(err, "the choices select no tool%s%s",
			selection.why != NULL ? ": " : "",
			selection.why != NULL ? selection.why : "");
	tool = settings->catalog != NULL
		? wv_catalog_find(settings->catalog, selection.capability_id)
		: NULL;
	if (tool == NULL)
		return wv_err_set(
			err, "no catalog has %s", selection.capability_id);
	add_tool(&b->header, &b->arena, tool);
	return 0;
}

int
phase_header(struct build *b, struct wv_err *err)
{
	if (b->settings->choices == NULL)
		return 0;
	if (b->settings->phase == PHASE_CALL)
		return add_chosen(b, err);
	if (b->settings->phase == PHASE_ROUTE)
		add_menu(&b->header, &b->arena, b->settings->choices);
	return 0;
}
