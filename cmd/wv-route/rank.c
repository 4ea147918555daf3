/* SPDX-License-Identifier: Apache-2.0 */
#include "rank-internal.h"

#include <stdlib.h>
#include <string.h>

enum { SHORT_QUERY = 4 }; /* words of which one in passing proves nothing */

void
rank_init(struct rank *rank, const struct index *index)
{
	size_t tools = index->catalog->count;

	*rank = (struct rank){ .index = index };
	planner_init(&rank->planner, index);
	rank->scores = wv_xcalloc(tools + 1, sizeof(*rank->scores));
	rank->touched = wv_xcalloc(tools + 1, sizeof(*rank->touched));
	rank->best = wv_xcalloc(tools + 1, sizeof(*rank->best));
	rank->shared =
		wv_xcalloc(index->texts.count + 1, sizeof(*rank->shared));
	rank->like = wv_xcalloc(index->texts.count + 1, sizeof(*rank->like));
}

void
rank_free(struct rank *rank)
{
	planner_free(&rank->planner);
	free(rank->scores);
	free(rank->touched);
	free(rank->best);
	free(rank->shared);
	free(rank->like);
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
score_probe(struct rank *rank, const struct probe *probe)
{
	const struct term *term = probe->term;
	const struct posting *p = rank->index->postings + term->first;

	for (const struct posting *end = p + term->count; p < end; p++) {
		struct score *score = touch(rank, p->tool);
		if (score->last == probe->word)
			continue; /* something liker was there */
		score->last = probe->word;
		score->points += probe_points(probe, p);
		if ((p->fields & probe->proves) == 0)
			continue;
		score->words++;
		score->telling |= (p->fields & TELLING) != 0;
	}
}

static void
mark_exact(struct rank *rank, struct wv_arena *arena, const char *query)
{
	const uint32_t *tools;
	size_t n = names_find(&rank->index->names, arena, query, &tools);

	for (size_t i = 0; i < n; i++)
		touch(rank, tools[i])->exact = true;
}

static bool
is_match(const struct score *score, uint32_t words)
{
	if (score->exact || score->telling || score->words >= 2)
		return true;
	return score->words > 0 &&
		(words > SHORT_QUERY || score->words * 2 >= words);
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

static struct rank_hit
hit_of(const struct hints *hints, uint32_t tool)
{
	const struct score *score = &hints->rank->scores[tool];
	struct boosts boosts = hints_of(hints, tool);
	double share = 1, reach = hints->plan->reach, value = 0;

	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		share += boosts.share[i];
	if (reach > 0)
		value = (score->points + score->nearest) * share / reach;
	return (struct rank_hit){
		.tool = &hints->rank->index->catalog->items[tool],
		.score = score->exact || value > 1 ? 1 : value,
		.exact = score->exact,
	};
}

/* Remembers the best of each group of near duplicates. */
static void
note_best(struct rank *rank, const struct hints *hints, uint32_t tool)
{
	struct best *best = &rank->best[rank->index->similar.leader[tool]];
	struct rank_hit hit, other;

	if (best->query == rank->query) {
		hit = hit_of(hints, tool);
		other = hit_of(hints, best->tool);
		if (!before(&hit, &other))
			return;
	}
	*best = (struct best){ rank->query, tool };
}

/* Of each group of near duplicates the best one is offered, and those that
 * the query names. */
static void
choose(struct rank *rank, const struct hints *hints, const struct rank_ask *ask,
	struct rank_result *result)
{
	/* one more than asked for, since the margin needs a second */
	size_t room = ask->limit > 1 ? ask->limit : 2, n = 0;
	bool matched = false;

	for (size_t i = 0; i < rank->touched_count; i++) {
		uint32_t tool = rank->touched[i];
		if (!filter_allows(
			    ask->filter, &rank->index->catalog->items[tool]))
			continue;
		matched |= is_match(&rank->scores[tool], hints->plan->words);
		if (rank->index->similar.next[tool] != tool)
			note_best(rank, hints, tool);
		rank->touched[n++] = tool;
	}
	rank->touched_count = result->found = n;
	for (size_t i = 0; i < n && matched; i++) {
		uint32_t tool = rank->touched[i];
		uint32_t leader = rank->index->similar.leader[tool];
		struct rank_hit hit = hit_of(hints, tool);
		if (hit.exact || rank->index->similar.next[tool] == tool ||
			rank->best[leader].tool == tool)
			insert(result, room, &hit);
	}
	set_margin(result);
	if (result->count > ask->limit)
		result->count = ask->limit;
}

/* Those that a hit stands for, by id. */
static void
list_similar(const struct rank *rank, struct wv_arena *arena,
	const struct filter *filter, struct rank_hit *hit)
{
	const struct wv_capability *items = rank->index->catalog->items;
	const uint32_t *next = rank->index->similar.next;
	uint32_t tool = (uint32_t)(hit->tool - items);
	uint32_t leader = rank->index->similar.leader[tool], i = leader;

	do {
		uint32_t member = i;
		i = next[i];
		if (member == tool || !filter_allows(filter, &items[member]))
			continue;
		if (hit->similar == NULL)
			hit->similar = wv_alloc(
				arena, RANK_MAX * sizeof(*hit->similar));
		if (hit->similar_count < RANK_MAX)
			hit->similar[hit->similar_count] = &items[member];
		hit->similar_count++;
	} while (i != leader);
}

void
rank_find(struct rank *rank, struct wv_arena *arena, const struct rank_ask *ask,
	struct rank_result *result)
{
	struct plan plan;
	struct hints hints;

	*result = (struct rank_result){ 0 };
	rank->query++;
	rank->touched_count = 0;
	plan_query(&plan, &rank->planner, arena, ask->query, ask->synonyms);
	for (size_t i = 0; i < plan.count; i++)
		score_probe(rank, &plan.probes[i]);
	rank_nearest(rank, &plan);
	mark_exact(rank, arena, ask->query);
	hints_init(&hints, rank, arena, &plan, ask->signals);
	result->unmatched = plan.unmatched;
	result->unmatched_count = plan.unmatched_count;
	choose(rank, &hints, ask, result);
	for (size_t i = 0; i < result->count; i++) {
		list_similar(rank, arena, ask->filter, &result->hits[i]);
		if (ask->explain)
			rank_explain(
				rank, arena, &plan, &hints, &result->hits[i]);
	}
	hints_free(&hints);
}
