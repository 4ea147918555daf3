/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tools that are an Agent Skill: calling one reads its instructions, or
 * another file of its folder.  Nothing of it runs.
 */
#include "call.h"

#include "contract/catalog.h"
#include "contract/skill.h"
#include "look.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MAX = 8 << 20 }; /* bytes of another file */

struct active {
	struct wv_arena arena;
	struct wv_skill skill;
	int folder;
};

static const char *
folder_of(const struct tool *tool, struct wv_arena *arena)
{
	return wv_tools_beside(
		arena, tool->file, wv_get_string(tool->entry, "dir"));
}

static void
list_file(struct wv_arena *arena, cJSON *files, const struct seen *seen)
{
	cJSON *file = wv_json_object(arena);
	struct wv_str path = { 0 };
	char hex[WV_SHA256_HEX];

	wv_str_foreign(&path, seen->path, strlen(seen->path), SIZE_MAX);
	wv_put_string(arena, file, "path", path.s);
	wv_str_free(&path);
	wv_hex(hex, seen->sum, sizeof seen->sum);
	wv_put_string(arena, file,
		S_ISLNK(seen->st.st_mode) ? "link" : "sha256", hex);
	wv_push(files, file);
}

/* {files: [{path, sha256}]}, in order of path.  Links are listed too, though
 * none is followed. */
static int
list(const struct tool *tool, struct wv_arena *arena, const cJSON **listed,
	struct wv_err *err)
{
	cJSON *resources = wv_json_array(arena),
	      *folder = wv_json_object(arena);
	cJSON *all = wv_json_object(arena), *files = wv_json_array(arena);
	struct look look = { .arena = WV_ARENA_INIT };
	int result;

	/* The folder itself may be a link. */
	wv_put_string(arena, folder, "name", "skill");
	wv_put_string(arena, folder, "dir",
		wv_printf(arena, "%s/.", folder_of(tool, arena)));
	wv_push(resources, folder);
	result = look_at(&look, resources, NULL, err);
	for (size_t i = 0; result == 0 && i < look.count; i++)
		if (S_ISREG(look.items[i].st.st_mode) ||
			S_ISLNK(look.items[i].st.st_mode))
			list_file(arena, files, &look.items[i]);
	look_free(&look);
	wv_put(arena, all, "files", files);
	*listed = all;
	return result;
}

/* Of what is pinned, only what was listed is read. */
static bool
is_listed(const cJSON *listed, const char *path, const char *text, size_t n)
{
	char hex[WV_SHA256_HEX];

	if (listed == NULL)
		return true;
	wv_sha256_hex(hex, text, n);
	wv_json_each(file, wv_get(listed, "files")) {
		if (strcmp(wv_get_string(file, "path"), path) != 0)
			continue;
		const char *sha256 = wv_get_string(file, "sha256");
		return sha256 != NULL &&
			wv_equal_const_time(sha256, hex, WV_SHA256_HEX);
	}
	return false;
}

static void
free_active(struct active *active)
{
	if (active->folder >= 0)
		close(active->folder);
	wv_arena_free(&active->arena);
	free(active);
}

static int
load(struct active *active, const struct tool *tool, struct wv_err *err)
{
	const char *folder = folder_of(tool, &active->arena);

	active->folder = wv_skill_folder(folder, err);
	if (active->folder < 0)
		return -1;
	return wv_skill_load(&active->skill, &active->arena, folder, err);
}

static enum step
activate(struct call *call)
{
	struct tool *tool = call->target;
	struct active *active = wv_xcalloc(1, sizeof *active);
	struct wv_err err = WV_ERR_INIT;
	const cJSON *listed = NULL;

	active->folder = -1;
	if (load(active, tool, &err) == 0 && call->plan->lock != NULL &&
		list(tool, &call->plan->tools.arena, &listed, &err) == 0 &&
		!is_listed(listed, WV_SKILL_FILE, active->skill.text,
			active->skill.len))
		wv_err_set(&err, "%s changed while it was read", WV_SKILL_FILE);
	if (wv_err_is_set(&err)) {
		free_active(active);
		return call_fail(call, "activation", false, "%s", err.text);
	}
	tool->listed = listed;
	tool->source_data = active;
	return STEP_DONE;
}

static enum step
say(struct call *call, const char *media_type, const char *text, size_t n)
{
	struct wv_err err = WV_ERR_INIT;

	call->output.media_type = media_type;
	if (output_add(&call->output, text, n, &err) < 0)
		return call_fail(call, "execution", false, "%s", err.text);
	return STEP_DONE;
}

static enum step
say_file(struct call *call, const char *path)
{
	const struct active *active = call->target->source_data;
	struct wv_err err = WV_ERR_INIT;
	size_t len;
	const char *text = wv_skill_read(
		active->folder, path, FILE_MAX, &call->arena, &len, &err);

	if (text == NULL)
		return call_fail(
			call, "execution", false, "%s: %s", path, err.text);
	if (!is_listed(call->target->listed, path, text, len))
		return call_fail(call, "execution", false,
			"%s: changed since the skill was activated", path);
	return say(call,
		wv_ends_with(path, strlen(path), ".md") ? "text/markdown"
							: NULL,
		text, len);
}

static enum step
run(struct call *call)
{
	const struct active *active = call->target->source_data;
	const struct wv_skill *skill = &active->skill;
	const char *path = NULL;

	wv_json_each(argument, call->target_arguments) {
		if (strcmp(argument->string, "file") != 0 ||
			!wv_is_string(argument))
			return call_fail(call, "schema_validation", false,
				"a skill takes one argument, file, a text; "
				"not \"%s\"",
				argument->string);
		path = argument->valuestring;
	}
	if (path != NULL)
		return say_file(call, path);
	return say(call, "text/markdown", skill->text + skill->body,
		skill->len - skill->body);
}

static enum step
deactivate(struct plan *plan, struct tool *tool, struct wv_err *err)
{
	(void)plan, (void)err;
	free_active(tool->source_data);
	tool->source_data = NULL;
	return STEP_DONE;
}

static const char *
schema(const struct tool *tool)
{
	(void)tool;
	return "{\"type\":\"object\",\"properties\":{\"file\":{\"type\":"
	       "\"string\"}},\"additionalProperties\":false}";
}

const struct source source_skill = {
	.name = "skill",
	.activate = activate,
	.run = run,
	.deactivate = deactivate,
	.schema = schema,
	.list = list,
};
