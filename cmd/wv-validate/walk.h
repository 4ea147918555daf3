/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands as a list of files: folders are replaced by the payload files
 * beneath them (.json, .jsonl, .ndjson), sorted by name at each level.
 * Regular files only; links to folders are not followed.
 */
#ifndef WV_VALIDATE_WALK_H
#define WV_VALIDATE_WALK_H

#include <stdbool.h>
#include <stddef.h>

struct walk {
	char **files; /* NULL-terminated, once anything was added */
	size_t count, cap;
	bool trouble; /* a folder could not be read; it has been said */
};

/* Returns how many files it added. */
size_t walk_add(struct walk *walk, const char *operand);
void walk_free(struct walk *walk);

#endif
