/* SPDX-License-Identifier: Apache-2.0 */
#include "tools.h"

#include "base/clock.h"
#include "base/digest.h"
#include "contract/catalog.h"

#include <string.h>

enum { TIMEOUT_MS = 30000 };

static void
set_items(struct tools *tools, const cJSON *list)
{
	size_t i = 0;

	tools->count = wv_count(list);
	tools->items = wv_alloc_zero(
		&tools->arena, tools->count * sizeof *tools->items);
	wv_json_each(entry, list) {
		tools->items[i].entry = entry;
		wv_map_add(
			&tools->index, wv_get_string(entry, "capability"), i);
		i++;
	}
}

int
tools_load(struct tools *tools, const char *path, struct wv_err *err)
{
	if (wv_tools_load(&tools->doc, &tools->arena, path, err) < 0)
		return -1;
	set_items(tools, wv_get(tools->doc.root, "tools"));
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
		wv_tool_fingerprint(tool->sha256, tool->entry);
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

int
tool_activate(struct tools *tools, struct tool *tool, struct wv_err *err)
{
	const char *source = wv_get_string(tool->entry, "source");
	const char *timeout = wv_get_string(tool->entry, "timeout");
	const cJSON *schema = wv_get(tool->entry, "input_schema");
	struct wv_err inner = WV_ERR_INIT;

	if (tool->activated)
		return 0;
	if (strcmp(source, "exec") != 0)
		return wv_err_set(
			err, "this version runs no tool of source %s", source);
	tool->timeout_ms = TIMEOUT_MS;
	if (timeout != NULL &&
		wv_duration_parse(&tool->timeout_ms, timeout, &inner) < 0)
		return wv_err_set(err, "timeout: %s", inner.text);
	if (tool->timeout_ms == 0)
		return wv_err_set(err, "timeout: no time at all");
	if (schema != NULL) {
		if (tools->schemas == NULL)
			tools->schemas = wv_schema_set_new(NULL);
		tool->input = wv_schema_compile(tools->schemas, schema, &inner);
		if (tool->input == NULL)
			return wv_err_set(err, "input_schema: %s", inner.text);
	}
	tool->activated = true;
	return 0;
}
