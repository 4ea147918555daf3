/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The texts of a catalogue that a query can be like as a whole: the example
 * queries of a capability, or its name and description if it has none.  For
 * each word those that have it, in their order.
 */
#ifndef WV_ROUTE_TEXTS_H
#define WV_ROUTE_TEXTS_H

#include <stddef.h>
#include <stdint.h>

struct text {
	uint32_t tool;    /* place in the catalogue */
	uint32_t example; /* which one, from 1; 0: name and description */
	double square;    /* sum of the squares of what its words say */
};

struct texts {
	struct text *list;
	size_t count;
	uint32_t *postings; /* texts by term, then in order */
	size_t *first;      /* by term: its postings; after the last, the end */

	/* while they are read */
	struct text_word {
		uint32_t term, text;
	} * words;
	size_t word_count, word_cap;
};

void texts_begin(struct texts *texts, uint32_t tool, uint32_t example);
/* A word of the one begun last, once. */
void texts_add(struct texts *texts, size_t term);
/* All are there: sorts them. */
void texts_finish(struct texts *texts, size_t term_count);
void texts_free(struct texts *texts);

#endif
