/* SPDX-License-Identifier: Apache-2.0 */
#include "walk.h"

#include "base/mem.h"
#include "base/msg.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_DEPTH = 64 };

static void
add_file(struct walk *walk, const char *path)
{
	if (walk->count + 2 > walk->cap) {
		walk->cap = walk->cap ? walk->cap * 2 : 16;
		walk->files = wv_xrealloc(
			walk->files, walk->cap * sizeof *walk->files);
	}
	walk->files[walk->count++] = wv_xstrdup(path);
	walk->files[walk->count] = NULL;
}

static bool
is_payload(const char *name)
{
	static const char *const endings[] = { ".json", ".jsonl", ".ndjson" };
	size_t n = strlen(name);

	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
		size_t len = strlen(endings[i]);
		if (n > len && strcmp(name + n - len, endings[i]) == 0)
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
cannot_read(struct walk *walk, const char *path)
{
	wv_warn("%s: %s", path, strerror(errno));
	walk->trouble = true;
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
	if (lstat(path.s, &st) == 0 && S_ISDIR(st.st_mode))
		add_folder(walk, path.s, depth + 1);
	else if (is_payload(name) && stat(path.s, &st) == 0 &&
		S_ISREG(st.st_mode))
		add_file(walk, path.s);
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
		cannot_read(walk, path);
		return;
	}
	for (int i = 0; i < count; i++) {
		add_entry(walk, path, entries[i]->d_name, depth);
		free(entries[i]);
	}
	free(entries);
}

size_t
walk_add(struct walk *walk, const char *operand)
{
	size_t before = walk->count;
	struct stat st;

	if (strcmp(operand, "-") != 0 && stat(operand, &st) == 0 &&
		S_ISDIR(st.st_mode))
		add_folder(walk, operand, 1);
	else
		add_file(walk, operand);
	return walk->count - before;
}

void
walk_free(struct walk *walk)
{
	for (size_t i = 0; i < walk->count; i++)
		free(walk->files[i]);
	free(walk->files);
}
