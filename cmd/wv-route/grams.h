/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of a catalogue that are like one that it does not have: by their
 * three-letter pieces, by typing errors, by their beginnings.
 */
#ifndef WV_ROUTE_GRAMS_H
#define WV_ROUTE_GRAMS_H

#include "index.h"

enum {
	GRAMS_MAX = 8,      /* words that are found for one */
	GRAMS_LETTERS = 32, /* longer words are like none */
	GRAMS_LETTERS_MIN = 4,
};

struct grams {
	const struct index *index;
	uint64_t *signatures; /* by term: the pairs of letters it has; made
	                         when the first word is asked for */
};

struct gram_match {
	uint32_t term;
	double likeness; /* up to 1 */
	bool typed;      /* by an evident typing error */
};

/* The words most like this one, the likest first. */
size_t grams_find(struct grams *grams, const char *word,
	struct gram_match found[GRAMS_MAX]);
void grams_free(struct grams *grams);

#endif
