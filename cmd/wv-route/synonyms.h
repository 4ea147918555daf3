/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that stand for one another, for queries: lines `word, word, ...` (each
 * for each other) or `word -> word, ...` (one way); # begins a comment.
 */
#ifndef WV_ROUTE_SYNONYMS_H
#define WV_ROUTE_SYNONYMS_H

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"

enum {
	SYNONYMS_FILE_MAX = 1 << 20, /* bytes */
	SYNONYMS_LINE_MAX = 32,      /* words of a line */
};

struct synonyms {
	struct wv_map numbers; /* stem to its place in lists */
	struct synonym_list {
		const char **words; /* stems */
		size_t count;
	} * lists;
	size_t count;
};

/* Words live in the arena; an error has its line. */
int synonyms_load(struct synonyms *synonyms, struct wv_arena *arena,
	const char *path, struct wv_err *err);
void synonyms_free(struct synonyms *synonyms);

#endif
