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

const char *
wv_tool_place(const cJSON *entry, const char *pointer)
{
	static const struct {
		const char *pointer, *member, *file;
	} files[] = {
		{ "/input_schema", "input_schema_file", "/input_schema_file" },
		{ "/output_schema", "output_schema_file",
			"/output_schema_file" },
	};

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		if (strncmp(pointer, files[i].pointer,
			    strlen(files[i].pointer)) == 0 &&
			wv_get(entry, files[i].member) != NULL)
			return files[i].file;
	if (strcmp(wv_get_string(entry, "source"), "skill") == 0 &&
		(strcmp(pointer, "/name") == 0 ||
			strcmp(pointer, "/description") == 0))
		return "/dir";
	return pointer;
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

/* Its name, else the last segment of its capability. */
static const char *
name_of(const cJSON *entry)
{
	const char *name = wv_get_string(entry, "name");
	const char *id = wv_get_string(entry, "capability");
	const char *dot;

	if (name != NULL)
		return name;
	dot = strrchr(id, '.');
	return dot != NULL && dot[1] != '\0' ? dot + 1 : id;
}

/* Its description, else what is known of it, at least its name. */
static const char *
description_of(const cJSON *entry)
{
	const char *text = wv_get_string(entry, "description");
	const char *id = wv_get_string(entry, "capability");

	if (text != NULL)
		return text;
	if (strcmp(id, "wv.handle.resolve") == 0)
		return "Read a part of the stored output behind a Handle.";
	if (strcmp(id, "wv.capability.list") == 0)
		return "List the tools that can be called.";
	return name_of(entry);
}

static const char *
safety_of(const cJSON *entry)
{
	const char *safety = wv_get_string(entry, "safety");

	if (safety != NULL)
		return safety;
	if (wv_is_true(wv_get(entry, "writes")))
		return "write";
	return wv_tool_harmless(entry) != NULL ? "read" : NULL;
}

void
wv_tool_describe(struct wv_capability *c)
{
	const cJSON *entry = c->node;

	c->id = wv_get_string(entry, "capability");
	c->name = name_of(entry);
	c->version = wv_get_string(entry, "version");
	if (c->version == NULL)
		c->version = "1";
	c->description = description_of(entry);
	c->safety = safety_of(entry);
	c->risk = wv_get_string(entry, "risk");
	c->tags = wv_get(entry, "tags");
	c->input_schema = wv_get(entry, "input_schema");
	c->output_schema = wv_get(entry, "output_schema");
	c->examples = wv_get(entry, "examples");
	c->depends_on = wv_get(entry, "depends_on");
}

cJSON *
wv_tool_capability(
	struct wv_arena *arena, const cJSON *entry, const char *fingerprint)
{
	struct wv_capability c = { .node = entry, .fingerprint = fingerprint };

	wv_tool_describe(&c);
	return wv_capability_record(arena, &c);
}
