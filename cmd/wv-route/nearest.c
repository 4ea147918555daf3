/* SPDX-License-Identifier: Apache-2.0 */
#include "rank-internal.h"

#include <math.h>

/* What the likeness to a text weighs beside all that the query's words give;
 * found as the weights in plan.c were. */
static const double nearest_share = 0.12;

static void
share_word(struct rank *rank, size_t term)
{
	const struct texts *texts = &rank->index->texts;
	double idf = rank->index->terms[term].idf;

	for (size_t i = texts->first[term]; i < texts->first[term + 1]; i++) {
		struct shared *shared = &rank->shared[texts->postings[i]];
		if (shared->query != rank->query) {
			*shared = (struct shared){ .query = rank->query };
			rank->like[rank->like_count++] = texts->postings[i];
		}
		shared->square += idf * idf;
	}
}

/* The cosine of the query and a text, each word once. */
void
rank_nearest(struct rank *rank, struct plan *plan)
{
	const struct index *index = rank->index;
	double most = nearest_share * plan->reach;

	rank->like_count = 0;
	for (size_t i = 0; i < plan->count; i++)
		if (plan->probes[i].kind == PROBE_WORD)
			share_word(rank,
				(size_t)(plan->probes[i].term - index->terms));
	for (size_t i = 0; i < rank->like_count; i++) {
		const struct text *text = &index->texts.list[rank->like[i]];
		struct score *score = &rank->scores[text->tool];
		double likeness = rank->shared[rank->like[i]].square /
			sqrt(plan->square * text->square);
		if (likeness * most <= score->nearest)
			continue;
		score->nearest = likeness * most;
		score->nearest_example = text->example;
	}
	plan->reach += most;
}
