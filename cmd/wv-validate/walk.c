/* SPDX-License-Identifier: Apache-2.0 */
#include "walk.h"

#include "base/file.h"
#include "base/glob.h"
#include "base/mem.h"
#include "base/msg.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_DEPTH = 64, MAX_LIST = 1 << 30 };

bool
walk_matches(const char *pattern, const char *path)
{
	const char *last = strrchr(path, '/');

	if (strncmp(path, "./", 2) == 0)
		path += 2;
	if (strchr(pattern, '/') == NULL && last != NULL)
		path = last + 1;
	return wv_glob_match(pattern, path, '/');
}

void
walk_exclude(struct walk *walk, const char *pattern)
{
	walk->exclude = wv_list_room(
		walk->exclude, walk->exclude_count, sizeof *walk->exclude);
	walk->exclude[walk->exclude_count++] = pattern;
}

static bool
is_excluded(const struct walk *walk, const char *path)
{
	for (size_t i = 0; i < walk->exclude_count; i++) {
		if (walk_matches(walk->exclude[i], path))
			return true;
	}
	return false;
}

static void
add_file(struct walk *walk, const char *path)
{
	walk->files =
		wv_list_room(walk->files, walk->count, sizeof *walk->files);
	walk->files[walk->count++] = wv_xstrdup(path);
}

/* By its ending; there is something before it. */
static bool
is_payload(const char *name)
{
	static const char *const endings[] = { ".json", ".jsonl", ".ndjson",
		".yaml", ".yml" };
	size_t n = strlen(++name);

	if (wv_ends_with(name, n, ".gz"))
		n -= strlen(".gz");
	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
		if (wv_ends_with(name, n, endings[i]))
			return true;
	}
	return false;
}

static int
keep(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 &&
		strcmp(entry->d_name, "..") != 0;
}

/* Not alphasort(), which is a matter of locale. */
static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void
cannot_look(struct walk *walk, const char *path)
{
	wv_warn("%s: %s", path, strerror(errno));
	walk->trouble = true;
}

/* A link that leads nowhere is no reason to pass. */
static void
add_payload(struct walk *walk, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		cannot_look(walk, path);
	else if (S_ISREG(st.st_mode))
		add_file(walk, path);
}

static void add_folder(struct walk *walk, const char *path, int depth);

static void
add_entry(struct walk *walk, const char *folder, const char *name, int depth)
{
	struct wv_str path = { 0 };
	struct stat st;

	wv_str_cat(&path, folder);
	if (path.s[path.n - 1] != '/')
		wv_str_chr(&path, '/');
	wv_str_cat(&path, name);
	if (is_excluded(walk, path.s))
		;
	else if (lstat(path.s, &st) < 0)
		cannot_look(walk, path.s);
	else if (S_ISDIR(st.st_mode))
		add_folder(walk, path.s, depth + 1);
	else if (is_payload(name))
		add_payload(walk, path.s);
	wv_str_free(&path);
}

static void
add_folder(struct walk *walk, const char *path, int depth)
{
	struct dirent **entries;
	int count;

	if (depth > MAX_DEPTH) {
		wv_warn("%s: folders are nested deeper than %d", path,
			MAX_DEPTH);
		walk->trouble = true;
		return;
	}
	count = scandir(path, &entries, keep, by_name);
	if (count < 0) {
		cannot_look(walk, path);
		return;
	}
	for (int i = 0; i < count; i++) {
		add_entry(walk, path, entries[i]->d_name, depth);
		free(entries[i]);
	}
	free(entries);
}

/* Standard input can be read once only. */
static void
add_stdin(struct walk *walk)
{
	if (!walk->has_stdin)
		add_file(walk, "-");
	walk->has_stdin = true;
}

void
walk_add(struct walk *walk, const char *operand, bool allow_empty)
{
	size_t before = walk->count;
	struct stat st;

	if (strcmp(operand, "-") == 0) {
		add_stdin(walk);
		return;
	}
	if (is_excluded(walk, operand))
		return;
	if (stat(operand, &st) < 0 || !S_ISDIR(st.st_mode)) {
		add_file(walk, operand);
		return;
	}
	add_folder(walk, operand, 1);
	if (walk->count > before || allow_empty || walk->trouble)
		return;
	wv_warn("%s: no .json, .jsonl, .ndjson, .yaml or .yml file", operand);
	walk->trouble = true;
}

int
walk_add_list(struct walk *walk, const char *path, bool allow_empty,
	struct wv_err *err)
{
	struct wv_arena arena = WV_ARENA_INIT;
	size_t len, at = 0;
	char *names = wv_file_read(&arena, path, MAX_LIST, &len, err);

	if (names == NULL)
		return -1;
	while (at < len && names[at] != '\0') {
		walk_add(walk, names + at, allow_empty);
		at += strlen(names + at) + 1;
	}
	wv_arena_free(&arena);
	if (at < len)
		return wv_err_at(err, path, 0, 0, "lists a file without name");
	return 0;
}

void
walk_free(struct walk *walk)
{
	for (size_t i = 0; i < walk->count; i++)
		free(walk->files[i]);
	free(walk->files);
	free(walk->exclude);
}
