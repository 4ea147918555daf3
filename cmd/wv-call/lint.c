/* SPDX-License-Identifier: Apache-2.0 */
#include "discover.h"

#include "base/msg.h"
#include "contract/catalog.h"
#include "contract/skill.h"
#include "firewall/descriptor.h"
#include "firewall/scan.h"
#include "lint-command.h"

#include <stdio.h>
#include <string.h>

struct linter {
	struct tools tools;
	const struct tool *tool;
	int status;
};

static void
say(void *arg, const char *pointer, const char *what)
{
	struct linter *l = arg;
	struct wv_err err = WV_ERR_INIT;
	struct wv_str at = { 0 };

	wv_str_fmt(&at, "/tools/%zu%s", (size_t)(l->tool - l->tools.items),
		wv_tool_place(l->tool->entry, pointer));
	wv_doc_err(
		&l->tools.doc, &err, at.s, "%s: %s", l->tool->capability, what);
	wv_str_free(&at);
	wv_warn_err(&err);
	l->status = WV_NO;
}

static bool
has(const struct linter *l, const char *member)
{
	return wv_get(l->tool->entry, member) != NULL;
}

/* Of a builtin we know it, of a server's tool the server has the schema. */
static void
lint_members(struct linter *l)
{
	if (l->tool->source != &source_builtin && !has(l, "description"))
		say(l, "", "has no description");
	if (!has(l, "input_schema") &&
		(l->tool->source == &source_exec || l->tool->source == NULL))
		say(l, "",
			"has no input_schema: its arguments are not checked");
	if (!has(l, "read_only") && !has(l, "writes") && !has(l, "validation"))
		say(l, "",
			"does not say whether it is read_only: it is taken "
			"for one that writes");
}

static void
lint_env(struct linter *l, const cJSON *env, const char *pointer)
{
	char at[64], what[WV_ERR_TEXT];
	size_t i = 0;

	wv_json_each(name, env) {
		const char *s = name->valuestring;
		snprintf(at, sizeof at, "%s/%zu", pointer, i++);
		if (wv_secret_name(s, strlen(s)) == NULL)
			continue;
		snprintf(what, sizeof what,
			"%s looks like a secret, and the tool gets it", s);
		say(l, at, what);
	}
}

static void
lint_schema(struct linter *l, const char *member)
{
	const cJSON *schema = wv_get(l->tool->entry, member);
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_schema_error *warnings = NULL;

	if (schema != NULL)
		wv_schema_lint(l->tools.schemas, schema, &arena, &warnings);
	for (; warnings != NULL; warnings = warnings->next)
		say(l, wv_printf(&arena, "/%s%s", member, warnings->instance),
			warnings->message);
	wv_arena_free(&arena);
}

/* What the load does not tell: references, patterns, typos. */
static void
lint_schemas(struct linter *l)
{
	struct wv_err err = WV_ERR_INIT;
	struct tool *tool = &l->tools.items[l->tool - l->tools.items];

	if (tool_compile(&l->tools, tool, &err) == 0) {
		lint_schema(l, "input_schema");
		lint_schema(l, "output_schema");
		return;
	}
	say(l,
		strncmp(err.text, "input", 5) == 0 ? "/input_schema"
						   : "/output_schema",
		err.text);
}

static void
lint_skill(struct linter *l)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;

	const char *dir = wv_tools_beside(
		&arena, l->tool->file, wv_get_string(l->tool->entry, "dir"));
	struct wv_skill skill;

	if (wv_skill_load(&skill, &arena, dir, &err) < 0)
		say(l, "/dir", err.text);
	wv_arena_free(&arena);
}

static void
lint_tool(struct linter *l)
{
	static const char *const commands[] = { "command", "activate",
		"deactivate", "checkpoint" };
	const cJSON *entry = l->tool->entry, *server = wv_get(entry, "server");
	char pointer[64];

	lint_members(l);
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		snprintf(pointer, sizeof pointer, "/%s", commands[i]);
		lint_command(wv_get(entry, commands[i]),
			wv_get_string(entry, "dir"), pointer, say, l);
	}
	lint_arguments(wv_get(entry, "command"), wv_get(entry, "input_schema"),
		"/command", say, l);
	lint_command(wv_get(server, "command"), wv_get_string(server, "dir"),
		"/server/command", say, l);
	lint_env(l, wv_get(entry, "env"), "/env");
	lint_env(l, wv_get(server, "env"), "/server/env");
	if (l->tool->source == &source_skill)
		lint_skill(l);
	lint_schemas(l);
	wv_descriptor_check(entry, say, l);
}

int
lint(const char *path)
{
	struct linter l = { .tools = { .arena = WV_ARENA_INIT } };
	struct wv_err err = WV_ERR_INIT;

	if (tools_load(&l.tools, path, &err) < 0) {
		wv_warn_err(&err);
		l.status = WV_TROUBLE;
	}
	for (size_t i = 0; l.status != WV_TROUBLE && i < l.tools.count; i++) {
		l.tool = &l.tools.items[i];
		lint_tool(&l);
	}
	tools_free(&l.tools);
	return l.status;
}
