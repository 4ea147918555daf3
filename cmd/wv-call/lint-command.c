/* SPDX-License-Identifier: Apache-2.0 */
#include "lint-command.h"

#include "base/hash.h"
#include "base/proc.h"
#include "contract/catalog.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct command {
	const cJSON *words;
	const char *program; /* without its folder and version */
	const char *pointer;
	wv_descriptor_hear *hear;
	void *arg;
};

__attribute__((format(printf, 3, 4))) static void
say(const struct command *c, size_t word, const char *fmt, ...)
{
	char pointer[96], what[WV_ERR_TEXT];
	va_list ap;

	snprintf(pointer, sizeof pointer, "%s/%zu", c->pointer, word);
	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	c->hear(c->arg, pointer, what);
}

static bool
is_one_of(const char *s, const char *const *list)
{
	while (*list != NULL && strcmp(*list, s) != 0)
		list++;
	return *list != NULL;
}

/* What takes a word for code, or for another command. */
static bool
is_launcher(const char *program)
{
	static const char *const names[] = { "ash", "awk", "bash", "bun",
		"bunx", "busybox", "chroot", "csh", "dash", "deno", "doas",
		"docker", "env", "expect", "fish", "gawk", "guile", "irb",
		"java", "jshell", "ksh", "lua", "make", "mawk", "nice", "node",
		"nodejs", "nohup", "npm", "npx", "nsenter", "osascript",
		"parallel", "perl", "php", "pipx", "pnpm", "podman", "pwsh",
		"pypy", "python", "R", "Rscript", "rsh", "ruby", "script",
		"setsid", "sh", "ssh", "stdbuf", "strace", "su", "sudo",
		"systemd-run", "tclsh", "tcsh", "time", "timeout", "tsx",
		"unshare", "uv", "uvx", "watch", "xargs", "yarn", "zsh", NULL };

	return is_one_of(program, names);
}

/* find runs nothing unless it is told to. */
static bool
runs_others(const struct command *c)
{
	static const char *const runs[] = { "-exec", "-execdir", "-ok",
		"-okdir", NULL };

	if (strcmp(c->program, "find") != 0)
		return is_launcher(c->program);
	wv_json_each(word, c->words)
		if (is_one_of(word->valuestring, runs))
			return true;
	return false;
}

static void
lint_places(const struct command *c)
{
	size_t i = 0;

	if (!runs_others(c))
		return;
	wv_json_each(word, c->words) {
		if (i > 0 && wv_tool_is_place(word->valuestring))
			say(c, i, "%s could take %s for code or for a command",
				c->program, word->valuestring);
		i++;
	}
}

/* name@1.2.3, @scope/name@1.2.3, name==1.2.3: all of a version. */
static bool
is_pinned(const char *package)
{
	const char *at = strchr(package + (*package == '@'), '@');
	int dots = 0;

	if (at == NULL)
		at = strstr(package, "==");
	if (at == NULL)
		return *package == '/' || *package == '.'; /* a folder's */
	at += strspn(at, "@=");
	if (*at < '0' || *at > '9')
		return false;
	for (; *at != '\0'; at++)
		dots += *at == '.';
	return dots >= 2;
}

/* The first word that is no option names the package, unless an option did. */
static void
lint_package(const struct command *c)
{
	static const char *const runners[] = { "npx", "bunx", "uvx", NULL };
	static const char *const options[] = { "-p", "--package", "--from",
		NULL };
	bool next = false;
	size_t i = 0;

	if (!is_one_of(c->program, runners))
		return;
	wv_json_each(word, c->words) {
		const char *s = word->valuestring;
		if (i++ == 0)
			continue;
		if (*s == '-' && !next) {
			next = is_one_of(s, options);
			if (!next && strchr(s, '=') != NULL &&
				(strncmp(s, "--package=", 10) == 0 ||
					strncmp(s, "--from=", 7) == 0))
				s = strchr(s, '=') + 1;
			else
				continue;
		}
		if (!is_pinned(s))
			say(c, i - 1,
				"%s is not pinned: %s takes whatever version "
				"is newest; write all of it, as name@1.2.3",
				s, c->program);
		return;
	}
}

/* As what starts it looks it up. */
static bool
is_found(const char *program, const char *dir)
{
	char path[4096];
	const char *at = WV_PROC_PATH;

	if (strchr(program, '/') != NULL) {
		snprintf(path, sizeof path, "%s%s%s",
			*program != '/' && dir != NULL ? dir : "",
			*program != '/' && dir != NULL ? "/" : "", program);
		return access(path, X_OK) == 0;
	}
	for (;;) {
		int n = (int)strcspn(at, ":");
		snprintf(path, sizeof path, "%.*s/%s", n, at, program);
		if (access(path, X_OK) == 0)
			return true;
		if (at[n] == '\0')
			return false;
		at += n + 1;
	}
}

/* python3.11 is python, /usr/bin/env is env. */
static char *
base_name(struct wv_arena *arena, const char *program)
{
	const char *slash = strrchr(program, '/');
	char *name = wv_dup(arena, slash != NULL ? slash + 1 : program);
	size_t n = strlen(name);

	while (n > 1 && strchr("0123456789.-", name[n - 1]) != NULL)
		n--;
	name[n] = '\0';
	return name;
}

void
lint_command(const cJSON *command, const char *dir, const char *pointer,
	wv_descriptor_hear *hear, void *arg)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct command c = {
		.words = command, .pointer = pointer, .hear = hear, .arg = arg
	};
	const char *program;

	if (command == NULL)
		return;
	program = command->child->valuestring;
	c.program = base_name(&arena, program);
	if (!is_found(program, dir))
		say(&c, 0, "%s is not found%s", program,
			strchr(program, '/') != NULL ? ""
						     : " on " WV_PROC_PATH);
	lint_places(&c);
	lint_package(&c);
	wv_arena_free(&arena);
}

/* No argument but its properties is meant. */
static bool
names_all(const cJSON *schema)
{
	static const char *const others[] = { "$ref", "$dynamicRef", "allOf",
		"anyOf", "oneOf", "if", "patternProperties", "dependentSchemas",
		NULL };
	const cJSON *more = wv_get(schema, "additionalProperties");

	for (size_t i = 0; others[i] != NULL; i++)
		if (wv_get(schema, others[i]) != NULL)
			return false;
	return more == NULL || wv_is_false(more);
}

/* `{name}` within a longer word is itself: told where it names an argument. */
static void
lint_within(const struct command *c, size_t i, const char *word,
	const struct wv_map *names, struct wv_arena *arena)
{
	for (const char *at = strchr(word, '{'); at != NULL;
		at = strchr(at + 1, '{')) {
		size_t n = strcspn(at + 1, "{}");
		const char *name = wv_dupn(arena, at + 1, n);
		if (at[1 + n] != '}' || wv_map_find(names, name) == NULL)
			continue;
		say(c, i, "{%s} is no word of its own: it stays as it is",
			name);
		return;
	}
}

void
lint_arguments(const cJSON *command, const cJSON *schema, const char *pointer,
	wv_descriptor_hear *hear, void *arg)
{
	const cJSON *properties = wv_get(schema, "properties");
	bool all = names_all(schema);
	const struct command c = {
		.pointer = pointer, .hear = hear, .arg = arg
	};
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_map names = { 0 };
	size_t i = 0;

	if (properties == NULL)
		return;
	wv_json_each(property, properties)
		wv_map_add(&names, property->string, 0);
	wv_json_each(word, command) {
		const char *s = word->valuestring;
		if (!wv_tool_is_place(s)) {
			lint_within(&c, i, s, &names, &arena);
		} else if (i > 0 && all) {
			const char *name =
				wv_dupn(&arena, s + 1, strlen(s) - 2);
			if (wv_map_find(&names, name) == NULL)
				say(&c, i, "input_schema has no property %s",
					name);
		}
		i++;
	}
	wv_map_free(&names);
	wv_arena_free(&arena);
}
