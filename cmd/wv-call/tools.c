/* SPDX-License-Identifier: Apache-2.0 */
#include "tools.h"

#include "base/clock.h"
#include "base/digest.h"
#include "contract/catalog.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { TIMEOUT_MS = 30000 };

static const struct source *const sources[] = { &source_exec, &source_mcp,
	&source_skill, &source_builtin };

static const struct source *
find_source(const cJSON *entry)
{
	const char *name = wv_get_string(entry, "source");

	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
		if (strcmp(sources[i]->name, name) == 0)
			return sources[i];
	return NULL;
}

static void
set_items(struct tools *tools, const cJSON *list)
{
	struct tool *tool;
	size_t i = 0;

	tools->count = wv_count(list);
	tools->items = wv_alloc_zero(
		&tools->arena, tools->count * sizeof *tools->items);
	wv_json_each(entry, list) {
		tool = &tools->items[i];
		tool->entry = entry;
		tool->source = find_source(entry);
		tool->capability = wv_get_string(entry, "capability");
		tool->file = tools->doc.source;
		tool->timeout_ms = TIMEOUT_MS;
		wv_map_add(&tools->index, tool->capability, i++);
	}
}

static int
set_timeout(struct tools *tools, struct tool *tool, struct wv_err *err)
{
	const char *text = wv_get_string(tool->entry, "timeout");
	struct wv_err inner = WV_ERR_INIT;
	char pointer[64];

	if (text == NULL)
		return 0;
	if (wv_duration_parse(&tool->timeout_ms, text, &inner) == 0 &&
		tool->timeout_ms > 0)
		return 0;
	snprintf(pointer, sizeof pointer, "/tools/%zu/timeout",
		(size_t)(tool - tools->items));
	return wv_doc_err(&tools->doc, err, pointer, "timeout: %s",
		wv_err_is_set(&inner) ? inner.text : "no time at all");
}

int
tools_load(struct tools *tools, const char *path, struct wv_err *err)
{
	const char *wraps;

	if (wv_tools_load(&tools->doc, &tools->arena, path, err) < 0)
		return -1;
	set_items(tools, wv_get(tools->doc.root, "tools"));
	for (size_t i = 0; i < tools->count; i++) {
		struct tool *tool = &tools->items[i];
		if (set_timeout(tools, tool, err) < 0)
			return -1;
		wraps = wv_get_string(tool->entry, "wraps");
		if (wraps != NULL)
			tool->wrapped = tools_find(tools, wraps);
	}
	return 0;
}

void
tools_command(struct tools *tools, char *const *command)
{
	struct wv_arena *arena = &tools->arena;
	cJSON *list = wv_json_array(arena), *entry = wv_json_object(arena);
	cJSON *words = wv_json_array(arena);

	for (; *command != NULL; command++)
		wv_push(words, wv_json_string(arena, *command));
	wv_put_string(arena, entry, "capability", "*");
	wv_put_string(arena, entry, "source", "exec");
	wv_put(arena, entry, "command", words);
	wv_push(list, entry);
	set_items(tools, list);
	tools->serve_all = true;
}

void
tools_free(struct tools *tools)
{
	if (tools->schemas != NULL)
		wv_schema_set_free(tools->schemas);
	wv_map_free(&tools->index);
	wv_arena_free(&tools->arena);
}

struct tool *
tools_find(const struct tools *tools, const char *capability_id)
{
	const size_t *place;

	if (tools->serve_all)
		return &tools->items[0];
	place = wv_map_find(&tools->index, capability_id);
	return place != NULL ? &tools->items[*place] : NULL;
}

const char *
tool_sha256(struct tool *tool)
{
	if (tool->sha256[0] == '\0')
		wv_tool_fingerprint(tool->sha256, tool->entry,
			tool->wrapped != NULL ? tool_sha256(tool->wrapped)
					      : NULL);
	return tool->sha256;
}

bool
tool_is(struct tool *tool, const char *sha256)
{
	return wv_is_sha256_hex(sha256) &&
		wv_equal_const_time(sha256, tool_sha256(tool), WV_SHA256_HEX);
}

const char *
tool_version(const struct tools *tools, const struct tool *tool)
{
	const char *version = wv_get_string(tool->entry, "version");

	return version != NULL || tools->serve_all ? version : "1";
}

const cJSON *
tool_schema(struct wv_arena *arena, const struct tool *tool)
{
	const char *schema = NULL;

	if (tool->source != NULL && tool->source->schema != NULL)
		schema = tool->source->schema(tool);
	if (schema == NULL)
		return NULL;
	/* Its end is followed by what the reader may look at. */
	return wv_json_read(arena, wv_dup(arena, schema), strlen(schema),
		&wv_json_defaults, NULL);
}

cJSON *
tool_capability(struct wv_arena *arena, struct tool *tool)
{
	cJSON *capability =
		wv_tool_capability(arena, tool->entry, tool_sha256(tool));
	cJSON *metadata = wv_get(capability, "metadata");
	const cJSON *schema = tool_schema(arena, tool);

	if (schema != NULL && wv_get(metadata, "x_wv_input_schema") == NULL)
		wv_put(arena, metadata, "x_wv_input_schema",
			wv_json_copy(arena, schema));
	return capability;
}

int
tool_list(const struct tool *tool, struct wv_arena *arena, const cJSON **listed,
	struct wv_err *err)
{
	*listed = NULL;
	if (tool->source == NULL || tool->source->list == NULL)
		return 0;
	/* A server that is gone is an error of its own, no end of ours. */
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);
	int result = tool->source->list(tool, arena, listed, err);
	signal(SIGPIPE, before);
	return result;
}

static int
compile(struct tools *tools, const struct wv_schema **schema,
	const cJSON *entry, const char *member, struct wv_err *err)
{
	const cJSON *root = wv_get(entry, member);
	struct wv_err inner = WV_ERR_INIT;

	if (root == NULL)
		return 0;
	if (tools->schemas == NULL)
		tools->schemas = wv_schema_set_new(NULL);
	*schema = wv_schema_compile(tools->schemas, root, &inner);
	return *schema != NULL ? 0
			       : wv_err_set(err, "%s: %s", member, inner.text);
}

int
tool_compile(struct tools *tools, struct tool *tool, struct wv_err *err)
{
	if (tool->is_compiled)
		return 0;
	if (compile(tools, &tool->input, tool->entry, "input_schema", err) <
			0 ||
		compile(tools, &tool->output, tool->entry, "output_schema",
			err) < 0)
		return -1;
	tool->is_compiled = true;
	return 0;
}
