/* SPDX-License-Identifier: Apache-2.0 */
#include "phase.h"

#include "card/menu.h"
#include "contract/record.h"
#include "output.h"
#include "purify.h"

#include <string.h>

enum { DESCRIPTION_MAX = 2000 }; /* characters of the one tool's */

/* Cards and catalogues are foreign text. */
static void
purify(struct wv_str *out, const char *text, void *arena)
{
	purify_text(arena, out, text, strlen(text), PURIFY_ALL);
}

static struct wv_menu
menu_of(struct build *b)
{
	return (struct wv_menu){
		.prefix = "| ", .purify = purify, .arg = &b->arena
	};
}

static void
add_menu(struct build *b)
{
	const struct wv_menu menu = menu_of(b);

	wv_str_cat(&b->header, "\n[CHOICES]\n");
	wv_menu_add(&b->header, &menu, b->settings->choices);
}

static const char *
shown(struct build *b, const char *text, size_t max)
{
	const struct wv_menu menu = menu_of(b);
	struct wv_str line = { 0 };
	const char *copy;

	wv_menu_text(&line, &menu, text, max);
	copy = wv_dupn(&b->arena, line.n > 0 ? line.s : "", line.n);
	wv_str_free(&line);
	return copy;
}

/* A schema as the providers take one, which says of an object that it is one;
 * arguments are nothing else. */
static cJSON *
schema_of_object(struct wv_arena *arena, cJSON *schema)
{
	const char *type = wv_get_string(schema, "type");

	if (!wv_is_object(schema))
		schema = wv_json_object(arena);
	if (type == NULL || strcmp(type, "object") != 0)
		wv_put_string(arena, schema, "type", "object");
	wv_put_object(arena, schema, "properties");
	return schema;
}

static void
add_block(struct wv_str *out, const struct tool *tool)
{
	wv_str_cat(out, "\n[TOOL ");
	add_id(out, tool->id);
	wv_str_fmt(out, "]\n| %s: %s\n| arguments: ", tool->name,
		tool->description);
	if (tool->schema != NULL)
		wv_json_write(out, tool->schema);
	else
		wv_str_cat(out, "any object");
	wv_str_chr(out, '\n');
}

static int
add_tool(
	struct build *b, const struct wv_capability *chosen, struct wv_err *err)
{
	struct wv_arena *arena = &b->arena;
	struct tool *tool = wv_alloc(arena, sizeof *tool);
	cJSON *schema = NULL;

	if (chosen->input_schema != NULL) {
		schema = purify_schema(arena, chosen->input_schema);
		if (schema == NULL)
			return wv_err_set(err,
				"the schema of %s is no JSON once it is clean",
				chosen->id);
		if (!wv_is_object(schema) && !wv_is_true(schema) &&
			!wv_is_false(schema))
			return wv_err_set(err, "the schema of %s is no object",
				chosen->id);
	}
	if (b->settings->output->has_tool)
		schema = schema_of_object(arena, schema);
	*tool = (struct tool){
		.id = chosen->id,
		.name = shown(b, chosen->name, WV_CARD_LABEL_MAX),
		.description = shown(b, chosen->description, DESCRIPTION_MAX),
		.schema = schema,
	};
	if (tool->name[0] == '\0')
		tool->name = tool->id;
	if (b->settings->output->has_tool)
		b->tool = tool;
	else
		add_block(&b->header, tool);
	return 0;
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
	return add_tool(b, tool, err);
}

int
phase_header(struct build *b, struct wv_err *err)
{
	if (b->settings->choices == NULL)
		return 0;
	if (b->settings->phase == PHASE_CALL)
		return add_chosen(b, err);
	if (b->settings->phase == PHASE_ROUTE)
		add_menu(b);
	return 0;
}
