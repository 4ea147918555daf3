/* SPDX-License-Identifier: Apache-2.0 */
#include "rank.h"

#include "text/token.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double k1 = 1.2, b = 0.75;
enum { SHORT_QUERY = 4 }; /* words of which one in passing proves nothing */

struct score {
	double value;
	uint32_t query; /* the one these numbers are for */
	uint32_t words; /* of the query that it has */
	bool telling;
	bool exact;
};

/* The words of one query. */
struct words {
	uint32_t counted; /* distinct ones, without wholes */
	const struct wv_tokens *tokens;
	bool *covered; /* by token: it, or the whole it is part of, is known */
};

void
rank_init(struct rank *rank, const struct index *index)
{
	size_t tools = index->catalog->count;

	*rank = (struct rank){ .index = index };
	rank->scores = wv_xcalloc(tools + 1, sizeof(*rank->scores));
	rank->touched = wv_xcalloc(tools + 1, sizeof(*rank->touched));
	rank->seen = wv_xcalloc(index->numbers.count + 1, sizeof(*rank->seen));
}

void
rank_free(struct rank *rank)
{
	free(rank->scores);
	free(rank->touched);
	free(rank->seen);
}

static struct score *
touch(struct rank *rank, uint32_t tool)
{
	struct score *score = &rank->scores[tool];

	if (score->query != rank->query) {
		*score = (struct score){ .query = rank->query };
		rank->touched[rank->touched_count++] = tool;
	}
	return score;
}

static void
score_term(struct rank *rank, const struct term *term)
{
	const struct index *index = rank->index;
	double tools = (double)index->catalog->count;
	double df = (double)term->count;
	double idf = log(1 + (tools - df + 0.5) / (df + 0.5));

	for (size_t i = term->first; i < term->first + term->count; i++) {
		const struct posting *p = &index->postings[i];
		struct score *score = touch(rank, p->tool);
		double w = p->weight;
		double length = index->lengths[p->tool] / index->average;
		score->value +=
			idf * w * (k1 + 1) / (w + k1 * (1 - b + b * length));
		score->words++;
		score->telling |= p->telling;
	}
}

/* A whole run that is known stands for its parts, which come before it. */
static void
cover(struct words *words, size_t i)
{
	const struct wv_span *spans = words->tokens->spans;

	words->covered[i] = true;
	if (spans[i].whole)
		for (size_t j = i; j-- > 0 && spans[j].at >= spans[i].at;)
			words->covered[j] = true;
}

static void
score_words(struct rank *rank, struct wv_arena *arena, struct words *words)
{
	const struct index *index = rank->index;
	const struct wv_tokens *tokens = words->tokens;

	words->covered = wv_alloc_zero(arena, tokens->count + 1);
	for (size_t i = 0; i < tokens->count; i++) {
		const size_t *number =
			wv_map_find(&index->numbers, tokens->words[i]);
		if (number == NULL)
			continue;
		cover(words, i);
		if (rank->seen[*number] == rank->query)
			continue;
		rank->seen[*number] = rank->query;
		words->counted += !tokens->spans[i].whole;
		score_term(rank, &index->terms[*number]);
	}
}

/* Lists, in the query's own spelling, the words that nothing has. */
static void
list_unmatched(struct wv_arena *arena, const char *query, struct words *words,
	struct rank_result *result)
{
	const struct wv_tokens *tokens = words->tokens;
	struct wv_map seen = { 0 };

	result->unmatched =
		wv_alloc(arena, (tokens->count + 1) * sizeof(char *));
	for (size_t i = 0; i < tokens->count; i++) {
		const struct wv_span *span = &tokens->spans[i];
		if (words->covered[i] || span->whole)
			continue;
		if (*wv_map_add(&seen, tokens->words[i], i) != i)
			continue;
		result->unmatched[result->unmatched_count++] =
			wv_dupn(arena, query + span->at, span->len);
	}
	wv_map_free(&seen);
	words->counted += (uint32_t)result->unmatched_count;
}

static void
mark_exact(struct rank *rank, struct wv_arena *arena, const char *query)
{
	const struct index *index = rank->index;
	const size_t *first =
		wv_map_find(&index->names, index_name(arena, query));

	for (uint32_t entry = first ? (uint32_t)*first : 0; entry != 0;
		entry = index->next_named[entry])
		touch(rank, (entry - 1) / 2)->exact = true;
}

static bool
is_match(const struct score *score, const struct words *words)
{
	if (score->exact || score->telling || score->words >= 2)
		return true;
	return score->words > 0 &&
		(words->counted > SHORT_QUERY ||
			score->words * 2 >= words->counted);
}

static bool
before(const struct rank_hit *x, const struct rank_hit *y)
{
	if (x->exact != y->exact)
		return x->exact;
	if (x->score != y->score)
		return x->score > y->score;
	return strcmp(x->tool->id, y->tool->id) < 0;
}

/* Keeps the best `room` hits in order. */
static void
insert(struct rank_result *result, size_t room, const struct rank_hit *hit)
{
	size_t i = result->count;

	if (i == room) {
		if (!before(hit, &result->hits[i - 1]))
			return;
		i--;
	} else {
		result->count++;
	}
	for (; i > 0 && before(hit, &result->hits[i - 1]); i--)
		result->hits[i] = result->hits[i - 1];
	result->hits[i] = *hit;
}

static void
set_margin(struct rank_result *result)
{
	const struct rank_hit *hits = result->hits;

	result->margin = 1;
	if (result->count < 2 || hits[0].exact != hits[1].exact)
		return;
	if (hits[0].score > 0)
		result->margin =
			(hits[0].score - hits[1].score) / hits[0].score;
	else
		result->margin = 0;
}

void
rank_query(struct rank *rank, struct wv_arena *arena, const char *query,
	const struct filter *filter, size_t limit, struct rank_result *result)
{
	struct wv_tokens tokens = { 0 };
	struct words words = { .tokens = &tokens };
	bool matched = false;

	*result = (struct rank_result){ 0 };
	rank->query++;
	rank->touched_count = 0;
	wv_tokenize(&tokens, arena, query, strlen(query), false);
	if (tokens.count == 0)
		wv_tokenize(&tokens, arena, query, strlen(query), true);
	score_words(rank, arena, &words);
	list_unmatched(arena, query, &words, result);
	mark_exact(rank, arena, query);
	for (size_t i = 0; i < rank->touched_count; i++) {
		const struct score *score = &rank->scores[rank->touched[i]];
		struct rank_hit hit = {
			&rank->index->catalog->items[rank->touched[i]],
			score->value, score->exact
		};
		if (!filter_allows(filter, hit.tool))
			continue;
		result->found++;
		matched |= is_match(score, &words);
		/* one more than asked for, since the margin needs a second */
		insert(result, limit > 1 ? limit : 2, &hit);
	}
	if (!matched)
		result->count = 0;
	set_margin(result);
	if (result->count > limit)
		result->count = limit;
}
