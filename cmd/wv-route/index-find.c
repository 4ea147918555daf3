/* SPDX-License-Identifier: Apache-2.0 */
/* What words weigh, and what those that ask an index need of it. */
#include "index.h"

#include <math.h>
#include <string.h>

/* What a word says that all texts are full of, beside another. */
static const double common_share = 0.7;

double
index_idf(double tools, double having, bool common)
{
	/* smoothed: more than nothing even if all have it */
	double idf = log(1 + (tools - having + 0.5) / (having + 0.5));

	return common ? idf * common_share : idf;
}

void
index_weigh(struct index *index)
{
	const struct texts *texts = &index->texts;

	for (size_t i = 0; i < index->term_count; i++) {
		struct term *term = &index->terms[i];
		term->idf = index_idf((double)index->catalog->count,
			(double)term->count, term->meaning.common);
		for (size_t j = texts->first[i]; j < texts->first[i + 1]; j++)
			texts->list[texts->postings[j]].square +=
				term->idf * term->idf;
	}
}

const char *
index_pair(struct wv_arena *arena, const struct wv_tokens *tokens, size_t i)
{
	size_t n, m;
	char *pair;

	if (i + 1 >= tokens->count || tokens->spans[i].whole ||
		tokens->spans[i + 1].whole)
		return NULL;
	n = strlen(tokens->words[i]);
	m = strlen(tokens->words[i + 1]);
	pair = wv_alloc(arena, n + m + 2);
	memcpy(pair, tokens->words[i], n);
	pair[n] = ' ';
	memcpy(pair + n + 1, tokens->words[i + 1], m + 1);
	return pair;
}

const struct posting *
index_posting(const struct index *index, const struct term *term, uint32_t tool)
{
	size_t low = term->first, high = term->first + term->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (index->postings[middle].tool < tool)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == term->first + term->count ||
		index->postings[low].tool != tool)
		return NULL;
	return &index->postings[low];
}
