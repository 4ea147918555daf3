/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands as a list of files: folders are replaced by the files beneath them
 * that are wanted, sorted by name at each level.  Regular files only; links to
 * folders are not followed.
 */
#ifndef WV_BASE_WALK_H
#define WV_BASE_WALK_H

#include "base/err.h"

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
	char **files;
	size_t count;
	bool has_stdin;
	bool trouble; /* a folder could not be read; it has been told */
};

/* Whether a path is meant by a pattern (base/glob.h): one without a slash is
 * about the last segment. */
bool wv_walk_matches(const char *pattern, const char *path);

void wv_walk_exclude(struct wv_walk *walk, const char *pattern);
/* Tells of a folder in which there is nothing: it is no pass, whatever else
 * there is. */
void wv_walk_add(struct wv_walk *walk, const char *operand);
/* The operands that a file lists, each ended by a NUL; "-" is standard input.
 * -1 and an error. */
int wv_walk_add_list(
	struct wv_walk *walk, const char *path, struct wv_err *err);
void wv_walk_free(struct wv_walk *walk);

#endif
