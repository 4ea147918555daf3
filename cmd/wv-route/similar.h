/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Near duplicates: capabilities of one namespace and one safety whose names
 * and descriptions, numbers aside, have nine words in ten in common, and four
 * at least.  Their groups do not depend on the order of the catalogue.  They
 * are found in next to linear time: two that are so alike share one of their
 * rarest words, and a word is looked up for few.
 */
#ifndef WV_ROUTE_SIMILAR_H
#define WV_ROUTE_SIMILAR_H

#include "contract/catalog.h"

struct similar {
	uint32_t *leader; /* by tool: the least id of its group */
	uint32_t *next;   /* by tool: the next of its group by id, in a ring */
};

/* The words of the tools' names and descriptions, by number. */
struct similar_words {
	uint32_t *words; /* by tool; no word twice in one */
	size_t *first;   /* by tool, and where the last one's end */
	size_t count;    /* how many words there are */
	/* Whether one is rarer than the other; a total order. */
	bool (*rarer)(const void *arg, uint32_t a, uint32_t b);
	const void *arg;
};

void similar_build(struct similar *similar, const struct wv_catalog *catalog,
	const struct similar_words *words);
void similar_free(struct similar *similar);

#endif
