/* SPDX-License-Identifier: Apache-2.0 */
#include "paths.h"

#include "base/glob.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40 }; /* that the system follows in one path */

/* NUL (held as C0 80), C0, DEL, C1: what a path that is meant has not. */
static bool
has_control(const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p < 0x20 || *p == 0x7f || (*p == 0xc0 && p[1] == 0x80) ||
			(*p == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f))
			return true;
	}
	return false;
}

/* NULL if it cannot be told: a shell's ~, a URL or another scheme, a relative
 * path of a tool whose folder is not known, one that no system call takes. */
static const char *
make_absolute(const struct policy_paths *paths, const char *text)
{
	if (*text == '\0' || strnlen(text, PATH_MAX) == PATH_MAX ||
		has_control(text))
		return NULL;
	if (*text == '/')
		return text;
	if (*text == '~' || text[strcspn(text, ":/")] == ':' ||
		paths->folder == NULL)
		return NULL;
	return wv_printf(paths->arena, "%s/%s", paths->folder, text);
}

/* Appends the segments of a path to one that has no slash at its end. */
static void
add_segments(struct wv_str *out, const char *path)
{
	while (*(path += strspn(path, "/")) != '\0') {
		size_t n = strcspn(path, "/");
		bool is_dot = n == 1 && path[0] == '.';

		if (n == 2 && memcmp(path, "..", 2) == 0) {
			while (out->n > 0 && out->s[out->n - 1] != '/')
				out->n--;
			out->n -= out->n > 0;
		} else if (!is_dot) {
			wv_str_chr(out, '/');
			wv_str_add(out, path, n);
		}
		path += n;
	}
}

/* `.` and `..` worked out of one path behind another. */
static const char *
join(struct wv_arena *arena, const char *head, const char *tail)
{
	struct wv_str path = { 0 };

	add_segments(&path, head);
	add_segments(&path, tail);
	const char *joined = path.n > 0 ? wv_dupn(arena, path.s, path.n)
					: wv_dup(arena, "/");
	wv_str_free(&path);
	return joined;
}

/* The longest part of path that exists, resolved; *rest is what follows it.
 * NULL if the file system does not tell. */
static char *
resolve(char *path, const char **rest)
{
	char *end = path + strlen(path), *real;
	struct stat st;

	*rest = end;
	while ((real = realpath(path, NULL)) == NULL) {
		/* there, and yet not to be resolved: it leads nowhere */
		if (errno != ENOENT || lstat(path, &st) == 0)
			return NULL;
		while (*--end != '/')
			;
		if (**rest != '\0')
			path[strlen(path)] = '/';
		*rest = end + 1;
		if (end == path)
			return wv_xstrdup("/");
		*end = '\0';
	}
	return real;
}

static void
add_resolved(
	struct wv_arena *arena, struct policy_path *path, const char *absolute)
{
	const char *rest;
	char *real = resolve(wv_dup(arena, absolute), &rest);

	if (real == NULL)
		path->is_unknown = true;
	else
		path->forms[path->count++] = join(arena, real, rest);
	free(real);
}

/* What a name there leads to depends on which process asks. */
static bool
is_of_process(const char *path)
{
	static const char *const folders[] = { "/proc", "/dev/fd" };

	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		size_t n = strlen(folders[i]);
		if (strncmp(path, folders[i], n) == 0 &&
			(path[n] == '\0' || path[n] == '/'))
			return true;
	}
	return strncmp(path, "/dev/std", 8) == 0;
}

/* Where a link leads to, as it says; NULL if it is none. */
static const char *
link_target(struct wv_arena *arena, const char *path)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof target);

	return n > 0 ? wv_dupn(arena, target, (size_t)n) : NULL;
}

/* Whether the way to it goes through such a folder: a link may lead there, and
 * on from there to where it cannot be seen any more. */
static bool
passes_process(struct wv_arena *arena, const char *rest)
{
	struct wv_str at = { 0 }; /* so far, without links */
	bool passes = false;
	int links = 0;

	while (!passes && *(rest += strspn(rest, "/")) != '\0') {
		size_t n = strcspn(rest, "/"), had = at.n;
		add_segments(&at, wv_dupn(arena, rest, n));
		rest += n;
		const char *here = wv_dupn(arena, at.s, at.n), *target;
		passes = is_of_process(here);
		target = passes ? NULL : link_target(arena, here);
		if (target == NULL)
			continue;
		passes = ++links > LINKS_MAX;
		at.n = *target == '/' ? 0 : had;
		rest = wv_printf(arena, "%s/%s", target, rest);
	}
	wv_str_free(&at);
	return passes;
}

static void
add_spelling(
	struct policy_paths *paths, struct policy_path *path, const char *text)
{
	const char *absolute = make_absolute(paths, text), *lexical;

	if (absolute == NULL) {
		path->is_unknown = true;
		return;
	}
	lexical = join(paths->arena, absolute, "");
	path->forms[path->count++] = lexical;
	if (passes_process(paths->arena, lexical) ||
		passes_process(paths->arena, absolute))
		path->is_unknown = true;
	add_resolved(paths->arena, path, absolute);
	/* `..` behind a link: some tools work it out before they open it */
	if (strstr(absolute, "/..") != NULL)
		add_resolved(paths->arena, path, lexical);
}

static int
hex_digit(char c)
{
	const char *digits = "0123456789abcdef0123456789ABCDEF", *at;

	at = c != '\0' ? strchr(digits, c) : NULL;
	return at != NULL ? (int)(at - digits) % 16 : -1;
}

/* Decoded once; NULL if there is nothing to decode.  A NUL in it is held as
 * elsewhere in a tree. */
static const char *
decode(struct wv_arena *arena, const char *text)
{
	struct wv_str decoded = { 0 };
	bool any = false;

	for (; *text != '\0'; text++) {
		int high = *text == '%' ? hex_digit(text[1]) : -1;
		int low = high >= 0 ? hex_digit(text[2]) : -1;
		if (low < 0) {
			wv_str_chr(&decoded, *text);
			continue;
		}
		any = true;
		text += 2;
		if (high == 0 && low == 0)
			wv_str_cat(&decoded, "\xc0\x80");
		else
			wv_str_chr(&decoded, (char)(high << 4 | low));
	}
	const char *result = any ? wv_dupn(arena, decoded.s, decoded.n) : NULL;
	wv_str_free(&decoded);
	return result;
}

static void
add_path(struct policy_paths *paths, struct policy_value *value,
	const cJSON *node)
{
	struct policy_path *path = &value->paths[value->count++];
	const char *decoded;

	*path = (struct policy_path){ 0 };
	add_spelling(paths, path, node->valuestring);
	decoded = decode(paths->arena, node->valuestring);
	if (decoded != NULL)
		add_spelling(paths, path, decoded);
	for (size_t i = 0; i < path->count && !value->is_protected; i++)
		value->is_protected =
			policy_is_protected(paths->places, path->forms[i]);
}

static void
read_list(struct policy_paths *paths, struct policy_value *value)
{
	size_t count = wv_count(value->node);

	if (count > POLICY_PATHS_MAX) {
		value->is_unknown = true;
		return;
	}
	value->paths = wv_alloc(paths->arena, count * sizeof *value->paths);
	wv_json_each(node, value->node) {
		if (wv_is_string(node))
			add_path(paths, value, node);
		else
			value->is_unknown = true;
	}
}

const struct policy_value *
policy_value_read(struct policy_paths *paths, const cJSON *node)
{
	struct policy_value *value = paths->values;

	while (value != NULL && value->node != node)
		value = value->next;
	if (value != NULL)
		return value;
	value = wv_alloc_zero(paths->arena, sizeof *value);
	value->node = node;
	value->next = paths->values;
	paths->values = value;
	if (wv_is_array(node)) {
		read_list(paths, value);
	} else if (wv_is_string(node)) {
		value->paths = wv_alloc(paths->arena, sizeof *value->paths);
		add_path(paths, value, node);
	} else {
		value->is_unknown = true;
	}
	return value;
}

static bool
glob_any(const cJSON *globs, const char *path)
{
	wv_json_each(glob, globs) {
		if (wv_glob_match(glob->valuestring, path, '/'))
			return true;
	}
	return false;
}

/* The first form that settles it does: one that matches where any will do,
 * one that does not where all must. */
enum policy_match
policy_value_match(
	const struct policy_value *value, const cJSON *globs, bool any)
{
	bool is_unknown = value->is_unknown;

	for (size_t i = 0; i < value->count; i++) {
		const struct policy_path *path = &value->paths[i];
		for (size_t k = 0; k < path->count; k++) {
			if (glob_any(globs, path->forms[k]) == any)
				return any ? POLICY_YES : POLICY_NO;
		}
		is_unknown = is_unknown || path->is_unknown;
	}
	if (is_unknown)
		return POLICY_UNKNOWN;
	return any || value->count == 0 ? POLICY_NO : POLICY_YES;
}
