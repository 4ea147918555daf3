/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A path is judged in two forms: as it is written, with `.` and `..` worked
 * out, and as the file system resolves it now.  When they disagree (a link, a
 * `..` behind a link) what the tool will open is not known.
 */
#include "policy.h"

#include "base/glob.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool
glob_any(const cJSON *globs, const char *path)
{
	wv_json_each(glob, globs) {
		if (wv_glob_match(glob->valuestring, path, '/'))
			return true;
	}
	return false;
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

static const char *
or_root(struct wv_str *path)
{
	if (path->n == 0)
		wv_str_chr(path, '/');
	path->s[path->n] = '\0';
	return path->s;
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

static enum policy_match
match_one(const cJSON *globs, const cJSON *value)
{
	struct wv_str lexical = { 0 }, copy = { 0 }, resolved = { 0 };
	enum policy_match match = POLICY_UNKNOWN;
	const char *rest;
	char *real = NULL;

	if (!wv_is_string(value) || value->valuestring[0] != '/' ||
		strstr(value->valuestring, "\xc0\x80") != NULL)
		return POLICY_UNKNOWN;
	add_segments(&lexical, value->valuestring);
	wv_str_cat(&copy, value->valuestring);
	real = resolve(copy.s, &rest);
	if (real != NULL) {
		add_segments(&resolved, real);
		add_segments(&resolved, rest);
		bool as_written = glob_any(globs, or_root(&lexical));
		bool as_resolved = glob_any(globs, or_root(&resolved));
		if (as_written == as_resolved)
			match = as_written ? POLICY_YES : POLICY_NO;
	}
	free(real);
	wv_str_free(&lexical);
	wv_str_free(&copy);
	wv_str_free(&resolved);
	return match;
}

enum policy_match
policy_path_match(const cJSON *globs, const cJSON *value)
{
	if (value == NULL)
		return POLICY_NO;
	if (!wv_is_array(value))
		return match_one(globs, value);

	bool first = true;
	enum policy_match all = POLICY_NO;
	wv_json_each(item, value) {
		enum policy_match one = match_one(globs, item);
		if (first)
			all = one;
		else if (one != all)
			return POLICY_UNKNOWN;
		first = false;
	}
	return all;
}
