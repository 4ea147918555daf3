/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands as a list of files: folders are replaced by the payload files
 * beneath them (.json, .jsonl, .ndjson, .yaml, .yml, each also with .gz),
 * sorted by name at each level.  Regular files only; links to folders are not
 * followed.
 */
#ifndef WV_VALIDATE_WALK_H
#define WV_VALIDATE_WALK_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct walk {
	const char **exclude; /* patterns */
	size_t exclude_count;
	char **files;
	size_t count;
	bool has_stdin;
	bool trouble; /* a folder could not be read; it has been said */
};

/* Whether a path is meant by a pattern (base/glob.h): one without a slash is
 * about the last segment. */
bool walk_matches(const char *pattern, const char *path);

void walk_exclude(struct walk *walk, const char *pattern);
/* Tells of a folder in which there is nothing unless that is allowed: it is
 * no pass, whatever else there is. */
void walk_add(struct walk *walk, const char *operand, bool allow_empty);
/* The operands that a file lists, each ended by a NUL; "-" is standard input.
 * -1 and an error. */
int walk_add_list(struct walk *walk, const char *path, bool allow_empty,
	struct wv_err *err);
void walk_free(struct walk *walk);

#endif
