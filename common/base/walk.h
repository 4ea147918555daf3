/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands as a list of files: folders are replaced by the files beneath them
 * that are wanted, sorted by name at each level.  Regular files only; links to
 * folders are not followed.
 */
#ifndef WV_BASE_WALK_H
#define WV_BASE_WALK_H

#include "base/err.h"
#include "base/opt.h"

#include <stdbool.h>
#include <stddef.h>

struct wv_walk {
	/* Of files and folders in folders, by their names; NULL: all are. */
	bool (*wants_file)(const char *name);
	bool (*wants_folder)(const char *name);
	bool no_links;    /* to files, in folders */
	const char *what; /* a folder should have, or NULL: it may have none */
	void (*tell)(const struct wv_err *fault);

	const char **exclude; /* patterns */
	size_t exclude_count;
	const char *list; /* a file of further operands, or NULL */
	char **files;     /* NULL-terminated, by wv_walk_operands() */
	size_t count;
	bool has_stdin;
	bool trouble; /* a folder could not be read; it has been told */
};

/* Whether a path is meant by a pattern (base/glob.h): one without a slash is
 * about the last segment. */
bool wv_walk_matches(const char *pattern, const char *path);

/* The options: rows for a tool's wv_opt table and the switch arm that takes
 * them. */
/* clang-format off */
#define WV_WALK_OPTS \
	{ WV_OPT_FILES0_FROM, "files0-from", "FILE", \
		"read further operands from FILE, each ended by a NUL" }, \
	{ WV_OPT_EXCLUDE, "exclude", "GLOB", \
		"leave out files and folders of such a name; may be repeated" }
/* clang-format on */
enum { WV_OPT_FILES0_FROM = 1300, WV_OPT_EXCLUDE };
/* True if id was one of them and has been taken. */
bool wv_walk_option(struct wv_walk *walk, int id, const struct wv_opts *opts);
bool wv_walk_has_options(const struct wv_walk *walk);

/* Fills files: of the operands, those listed, or, if there are neither, "-",
 * standard input.  Tells of a folder in which there is nothing: it is no pass,
 * whatever else there is.  Ends the process if the list cannot be read. */
void wv_walk_operands(struct wv_walk *walk, const struct wv_opts *opts);
void wv_walk_free(struct wv_walk *walk);

#endif
