/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which capabilities fit a query: BM25 (k1 1.2, b 0.75, smoothed IDF) over
 * name, id, description, tags, argument names and example queries, each with
 * a weight of its own (index.c).  A query costs what its words' postings
 * cost.  The order depends on the catalogue's content and the query alone: by
 * exact name, score, id (bytewise).
 */
#ifndef WV_ROUTE_RANK_H
#define WV_ROUTE_RANK_H

#include "index.h"
#include "request.h"

enum { RANK_MAX = 20 }; /* what a ChoiceCard holds */

struct rank {
	const struct index *index;
	struct score *scores; /* by tool; of the last query that touched it */
	uint32_t *touched;    /* tools that have any of the query's words */
	size_t touched_count;
	uint32_t *seen; /* by term: the last query that had it */
	uint32_t query; /* counts queries */
};

struct rank_hit {
	const struct wv_capability *tool;
	double score;
	bool exact; /* the query is its name or its id */
};

/*
 * Nothing fits (count 0) unless for some capability
 *  - the query is its name or id, in small or capital letters,
 *  - or a word of the query is in its name, the last segment of its id, its
 *    tags or its examples,
 *  - or its other texts have two of the query's words, or half of them, or
 *    one of more than four.
 */
struct rank_result {
	struct rank_hit hits[RANK_MAX];
	size_t count;
	size_t found;  /* allowed capabilities that have any of the words */
	double margin; /* of the first over the second: 0 (equal) … 1 */
	const char **unmatched; /* words of the query, as they stand there, */
	size_t unmatched_count; /* that no capability has */
};

void rank_init(struct rank *rank, const struct index *index);
/* At most limit <= RANK_MAX hits among those the filter allows; results live
 * in the arena. */
void rank_query(struct rank *rank, struct wv_arena *arena, const char *query,
	const struct filter *filter, size_t limit, struct rank_result *result);
void rank_free(struct rank *rank);

#endif
