/* SPDX-License-Identifier: Apache-2.0 */
#include "lint.h"

#include "base/glob.h"
#include "contract/record.h"

#include <string.h>

const char *
lint_instance(struct wv_arena *arena, const char *pattern, const char *one,
	const char *many)
{
	struct wv_str text = { 0 };

	wv_str_cat(&text, "");
	for (; *pattern != '\0'; pattern++) {
		if (*pattern != '*') {
			wv_str_chr(&text, *pattern);
		} else if (pattern[1] == '*') {
			wv_str_cat(&text, many);
			pattern++;
		} else {
			wv_str_cat(&text, one);
		}
	}
	const char *instance = wv_dupn(arena, text.s, text.n);
	wv_str_free(&text);
	return instance;
}

/* Tried on instances that nothing but a star can match. */
static bool
covers(struct wv_arena *arena, const char *glob, const char *pattern,
	char separator)
{
	char run[] = { 1, separator, 1, separator, 1, '\0' };
	const char *const tries[][2] = { { "", "" }, { "\1", "\1" },
		{ "\1", run } };

	if (strncmp(glob, pattern, strcspn(glob, "*")) != 0)
		return false;
	for (size_t i = 0; i < 3; i++) {
		const char *instance =
			lint_instance(arena, pattern, tries[i][0], tries[i][1]);
		if (!wv_glob_match(glob, instance, separator))
			return false;
	}
	return true;
}

static bool
any_covers(struct wv_arena *arena, const cJSON *globs, const char *pattern,
	char separator)
{
	wv_json_each(glob, globs) {
		if (covers(arena, glob->valuestring, pattern, separator))
			return true;
	}
	return false;
}

bool
lint_covers(struct wv_arena *arena, const cJSON *globs, const cJSON *patterns,
	char separator)
{
	wv_json_each(pattern, patterns) {
		if (!any_covers(arena, globs, pattern->valuestring, separator))
			return false;
	}
	return true;
}

/* A star that only goes on with the word before or after it means more than
 * one word. */
static bool
is_glued(const char *pattern)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	for (const char *p = pattern; *p != '\0'; p++) {
		if (*p != '*')
			continue;
		if ((p > pattern && strchr(word, p[-1]) != NULL) ||
			(p[1] != '\0' && strchr(word, p[1]) != NULL))
			return true;
	}
	return false;
}

static void
check_glued(const struct lint_condition *c, const char *pointer,
	const char *pattern, const char *one)
{
	if (c->widens && is_glued(pattern))
		lint_tell(c->lint, c->rule, pointer,
			"also means other words: \"%s\" matches \"%s\"",
			pattern,
			lint_instance(&c->lint->arena, pattern, one, one));
}

/* Patterns of ids that the kernel has. */
static void
check_ids(const struct lint_condition *c, const char *member,
	const cJSON *globs, const char *nobody)
{
	size_t index = 0;

	wv_json_each(glob, globs) {
		const char *pattern = glob->valuestring;
		const char *at = lint_pointer(c, member, NULL, index++);
		const char *one =
			lint_instance(&c->lint->arena, pattern, "x", "x");
		if (strcmp(pattern, nobody) == 0)
			lint_tell(c->lint, c->rule, at,
				"can never match: nothing that is judged is "
				"called \"%s\"",
				pattern);
		else if (!wv_id_is_kernel(one))
			lint_tell(c->lint, c->rule, at,
				"can never match: no id looks like \"%s\": %s",
				pattern, wv_id_fault(&c->lint->arena, one));
		else
			check_glued(c, at, pattern, "x");
	}
}

static void
check_words(const struct lint_condition *c, const char *member,
	const char *name, const cJSON *globs)
{
	size_t index = 0;

	wv_json_each(glob, globs)
		check_glued(c, lint_pointer(c, member, name, index++),
			glob->valuestring, "x");
}

/* The forms of a path begin with a slash and have no empty segment, none that
 * is `.` or `..`, and no slash at the end. */
static bool
is_path_pattern(const char *pattern)
{
	if (strcmp(pattern, "/") == 0)
		return true;
	if (*pattern == '*' && pattern[1] != '*' && pattern[1] != '/')
		return false;
	if (*pattern != '*' && *pattern++ != '/')
		return false;
	for (;;) {
		size_t n = strcspn(pattern, "/");
		if (n == 0 || (n == 1 && *pattern == '.') ||
			(n == 2 && memcmp(pattern, "..", 2) == 0))
			return false;
		if (pattern[n] == '\0')
			return true;
		pattern += n + 1;
	}
}

static void
check_paths(const struct lint_condition *c)
{
	wv_json_each(globs, c->condition->paths) {
		size_t index = 0;
		wv_json_each(glob, globs) {
			const char *pattern = glob->valuestring;
			const char *at = lint_pointer(
				c, "paths", globs->string, index++);
			if (!is_path_pattern(pattern))
				lint_tell(c->lint, c->rule, at,
					"can never match: no absolute path "
					"looks like \"%s\"",
					pattern);
			else
				check_glued(c, at, pattern, "x");
		}
	}
}

void
lint_globs(const struct lint_condition *c)
{
	const struct policy_condition *condition = c->condition;

	check_ids(c, "capability", condition->capability, WV_NO_CAPABILITY);
	check_ids(c, "principal", condition->principal, WV_NO_PRINCIPAL);
	check_words(c, "tags", NULL, condition->tags);
	check_words(c, "roles", NULL, condition->roles);
	wv_json_each(globs, condition->attributes)
		check_words(c, "attributes", globs->string, globs);
	check_paths(c);
}
