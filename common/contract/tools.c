/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/catalog-internal.h"

#include "base/digest.h"
#include "contract/contract.h"
#include "contract/tools-check.h"
#include "json/jcs.h"

#include <stdio.h>
#include <string.h>

static int
duplicate(const struct wv_doc *doc, size_t first, size_t second, const char *id,
	struct wv_err *err)
{
	char pointer[64];
	size_t line, column;

	snprintf(pointer, sizeof(pointer), "/tools/%zu/capability", first);
	wv_doc_position(doc, pointer, &line, &column);
	snprintf(pointer, sizeof(pointer), "/tools/%zu/capability", second);
	return wv_doc_err(doc, err, pointer,
		"duplicate capability \"%s\", first at line %zu", id, line);
}

/* The schema cannot say that no capability is served twice. */
static int
check_unique(const struct wv_doc *doc, struct wv_err *err)
{
	struct wv_map seen = { 0 };
	size_t i = 0;
	int result = 0;

	wv_json_each(entry, wv_get(doc->root, "tools")) {
		const char *id = wv_get_string(entry, "capability");
		size_t first = *wv_map_add(&seen, id, i);
		if (first != i) {
			result = duplicate(doc, first, i, id, err);
			break;
		}
		i++;
	}
	wv_map_free(&seen);
	return result;
}

int
wv_tools_finish(
	const struct wv_doc *doc, struct wv_arena *arena, struct wv_err *err)
{
	if (wv_config_check(doc, "tools", err) != 0 ||
		wv_tools_check(doc, err) != 0)
		return -1;
	return wv_tools_fill(doc, arena, err);
}

int
wv_tools_load(struct wv_doc *doc, struct wv_arena *arena, const char *path,
	struct wv_err *err)
{
	if (wv_doc_load(doc, arena, path, err) != 0 ||
		wv_tools_finish(doc, arena, err) != 0)
		return -1;
	return check_unique(doc, err);
}

char *
wv_tools_beside(struct wv_arena *arena, const char *source, const char *path)
{
	const char *slash = strrchr(source, '/');

	if (*path == '/' || slash == NULL)
		return wv_dup(arena, path);
	return wv_printf(arena, "%.*s/%s", (int)(slash - source), source, path);
}

void
wv_tool_fingerprint(
	char hex[WV_SHA256_HEX], const cJSON *entry, const char *wrapped)
{
	struct wv_arena arena = WV_ARENA_INIT;
	char own[WV_SHA256_HEX];
	cJSON *both;

	if (wrapped == NULL) {
		wv_json_digest(hex, entry);
		return;
	}
	wv_json_digest(own, entry);
	both = wv_json_object(&arena);
	wv_put_string(&arena, both, "entry", own);
	wv_put_string(&arena, both, "wraps", wrapped);
	wv_json_digest(hex, both);
	wv_arena_free(&arena);
}

const char *
wv_tool_name(const cJSON *entry)
{
	const char *name = wv_get_string(entry, "name");
	const char *id = wv_get_string(entry, "capability");
	const char *dot;

	if (name != NULL)
		return name;
	dot = strrchr(id, '.');
	return dot != NULL && dot[1] != '\0' ? dot + 1 : id;
}

const char *
wv_tool_description(const cJSON *entry)
{
	const char *text = wv_get_string(entry, "description");
	const char *id = wv_get_string(entry, "capability");

	if (text != NULL)
		return text;
	if (strcmp(id, "wv.handle.resolve") == 0)
		return "Read a part of the stored output behind a Handle.";
	if (strcmp(id, "wv.capability.list") == 0)
		return "List the tools that can be called.";
	return wv_tool_name(entry);
}

const char *
wv_tool_safety(const cJSON *entry)
{
	const char *safety = wv_get_string(entry, "safety");

	if (safety != NULL)
		return safety;
	if (wv_is_true(wv_get(entry, "writes")))
		return "write";
	return wv_tool_harmless(entry) != NULL ? "read" : NULL;
}

/* Puts a copy of a member, if there is one. */
static void
put_copy(struct wv_arena *arena, cJSON *object, const char *name,
	const cJSON *value)
{
	if (value != NULL)
		wv_put(arena, object, name, wv_json_copy(arena, value));
}

cJSON *
wv_tool_capability(
	struct wv_arena *arena, const cJSON *entry, const char *fingerprint)
{
	cJSON *capability = wv_json_object(arena);
	cJSON *metadata = wv_json_object(arena);
	const char *text = wv_get_string(entry, "version");

	wv_put_string(
		arena, capability, "id", wv_get_string(entry, "capability"));
	wv_put_string(arena, capability, "name", wv_tool_name(entry));
	wv_put_string(arena, capability, "version", text ? text : "1");
	wv_put_string(
		arena, capability, "description", wv_tool_description(entry));
	put_copy(arena, capability, "tags", wv_get(entry, "tags"));
	put_copy(arena, metadata, "x_wv_examples", wv_get(entry, "examples"));
	put_copy(arena, metadata, "x_wv_input_schema",
		wv_get(entry, "input_schema"));
	put_copy(arena, metadata, "x_wv_output_schema",
		wv_get(entry, "output_schema"));
	if (wv_tool_safety(entry) != NULL)
		wv_put_string(
			arena, metadata, "x_wv_safety", wv_tool_safety(entry));
	text = wv_get_string(entry, "risk");
	if (text != NULL)
		wv_put_string(arena,
			wv_put_object(arena, metadata, "risk_assessment"),
			"risk_level", text);
	wv_put_string(arena, metadata, "x_wv_fingerprint", fingerprint);
	wv_put(arena, capability, "metadata", metadata);
	return capability;
}
