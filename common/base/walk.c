/* SPDX-License-Identifier: Apache-2.0 */
#include "base/walk.h"

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
#define TOO_DEEP "64"

bool
wv_walk_matches(const char *pattern, const char *path)
{
	const char *last = strrchr(path, '/');

	if (strncmp(path, "./", 2) == 0)
		path += 2;
	if (strchr(pattern, '/') == NULL && last != NULL)
		path = last + 1;
	return wv_glob_match(pattern, path, '/');
}

bool
wv_walk_option(struct wv_walk *walk, int id, const struct wv_opts *opts)
{
	if (id == WV_OPT_FILES0_FROM) {
		walk->list = opts->value;
		return true;
	}
	if (id != WV_OPT_EXCLUDE)
		return false;
	walk->exclude = wv_list_room(
		walk->exclude, walk->exclude_count, sizeof *walk->exclude);
	walk->exclude[walk->exclude_count++] = opts->value;
	return true;
}

bool
wv_walk_has_options(const struct wv_walk *walk)
{
	return walk->list != NULL || walk->exclude_count > 0;
}

static bool
is_excluded(const struct wv_walk *walk, const char *path)
{
	for (size_t i = 0; i < walk->exclude_count; i++) {
		if (wv_walk_matches(walk->exclude[i], path))
			return true;
	}
	return false;
}

static void
add_file(struct wv_walk *walk, const char *path)
{
	walk->files =
		wv_list_room(walk->files, walk->count, sizeof *walk->files);
	walk->files[walk->count++] = wv_xstrdup(path);
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
tell(struct wv_walk *walk, const char *path, const char *fault)
{
	struct wv_err err = WV_ERR_INIT;

	wv_err_at(&err, path, 0, 0, "%s", fault);
	walk->tell(&err);
	walk->trouble = true;
}

static void
cannot_look(struct wv_walk *walk, const char *path)
{
	tell(walk, path, strerror(errno));
}

/* A link that leads nowhere is no reason to pass. */
static void
add_regular(struct wv_walk *walk, const char *path)
{
	struct stat st;

	if ((walk->no_links ? lstat(path, &st) : stat(path, &st)) < 0)
		cannot_look(walk, path);
	else if (S_ISREG(st.st_mode))
		add_file(walk, path);
}

static bool
wants(bool (*is_wanted)(const char *name), const char *name)
{
	return is_wanted == NULL || is_wanted(name);
}

static void add_folder(struct wv_walk *walk, const char *path, int depth);

static void
add_entry(struct wv_walk *walk, const char *folder, const char *name, int depth)
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
	else if (S_ISDIR(st.st_mode) && wants(walk->wants_folder, name))
		add_folder(walk, path.s, depth + 1);
	else if (!S_ISDIR(st.st_mode) && wants(walk->wants_file, name))
		add_regular(walk, path.s);
	wv_str_free(&path);
}

static void
add_folder(struct wv_walk *walk, const char *path, int depth)
{
	struct dirent **entries;
	int count;

	if (depth > MAX_DEPTH) {
		tell(walk, path, "folders are nested deeper than " TOO_DEEP);
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
add_stdin(struct wv_walk *walk)
{
	if (!walk->has_stdin)
		add_file(walk, "-");
	walk->has_stdin = true;
}

static void
add(struct wv_walk *walk, const char *operand)
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
	if (walk->what == NULL || walk->count > before || walk->trouble)
		return;
	struct wv_str fault = { 0 };
	wv_str_fmt(&fault, "no %s", walk->what);
	tell(walk, operand, fault.s);
	wv_str_free(&fault);
}

/* The operands that a file lists, each ended by a NUL. */
static void
add_list(struct wv_walk *walk, const char *path)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	size_t len, at = 0;
	char *names = wv_file_read(&arena, path, MAX_LIST, &len, &err);

	if (names == NULL)
		wv_die_err(&err);
	while (at < len && names[at] != '\0') {
		add(walk, names + at);
		at += strlen(names + at) + 1;
	}
	wv_arena_free(&arena);
	wv_err_at(&err, path, 0, 0, "lists a file without name");
	if (at < len)
		wv_die_err(&err);
}

void
wv_walk_operands(struct wv_walk *walk, const struct wv_opts *opts)
{
	for (int i = 0; i < opts->operand_count; i++)
		add(walk, opts->operands[i]);
	if (walk->list != NULL)
		add_list(walk, walk->list);
	else if (opts->operand_count == 0)
		add_stdin(walk);
	if (walk->has_stdin && walk->list != NULL &&
		strcmp(walk->list, "-") == 0)
		wv_usage(opts,
			"standard input is the list of files, it cannot be "
			"one of them");
	walk->files =
		wv_list_room(walk->files, walk->count, sizeof *walk->files);
	walk->files[walk->count] = NULL;
}

void
wv_walk_free(struct wv_walk *walk)
{
	for (size_t i = 0; i < walk->count; i++)
		free(walk->files[i]);
	free(walk->files);
	free(walk->exclude);
}
