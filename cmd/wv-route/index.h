/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a catalogue: for each word the capabilities that have it, in
 * the catalogue's order.  Built once, in linear time.
 */
#ifndef WV_ROUTE_INDEX_H
#define WV_ROUTE_INDEX_H

#include "contract/catalog.h"

struct posting {
	uint32_t tool;   /* place in the catalogue */
	uint32_t weight; /* times the word stands there, by weight of field */
	bool telling;    /* also in a field that says what the tool is for */
};

struct term {
	size_t first, count; /* its postings */
};

struct index {
	const struct wv_catalog *catalog;
	struct wv_map numbers; /* word to number of its term */
	struct term *terms;
	struct posting *postings; /* by term, then tool */
	uint32_t *lengths;        /* sum of weights, by tool */
	double average;           /* of lengths, never 0 */
	struct wv_map names; /* name or id in small letters to its first tool */
	uint32_t *next_named;  /* by entry, two a tool: the next entry of the
	                         same name, 0 = none */
	struct wv_arena arena; /* the words */
};

void index_build(struct index *index, const struct wv_catalog *catalog);
void index_free(struct index *index);

/* Text without white space around it, ASCII letters small; in the arena. */
char *index_name(struct wv_arena *arena, const char *text);

#endif
