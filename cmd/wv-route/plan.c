/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How much the kinds of probes weigh beside a word, and when more of the same
 * adds little (BM25's k1); found on the first half of the queries that
 * t/bench/route.sh measures with. */
static const double word_k = 0.6, topic_k = 8, pair_weight = 0.3,
		    part_weight = 0.4, synonym_weight = 0.4,
		    topic_weight = 0.48;
enum {
	PARTS_WORDS_MAX = 32, /* of a query that parts are looked up for */
	CLEAR_WORDS = 2, /* of a query that make it clear what it is about */
};
static const uint32_t anywhere = UINT32_MAX;

/* One query at work. */
struct work {
	struct plan *plan;
	struct planner *planner;
	struct wv_arena *arena;
	const char *query;
	const struct synonyms *synonyms;
	struct wv_tokens tokens;
	bool *covered; /* by token: it, or the whole it is part of, is known */
	struct wv_map unknown;
	struct topic {
		size_t words; /* of it */
		bool clear;   /* one is of no other subject */
	} * topics;
	size_t parts; /* words that parts were looked up for */
	uint32_t word;
	bool only_common; /* all its words are */
};

void
planner_init(struct planner *planner, const struct index *index)
{
	*planner = (struct planner){ .index = index, .grams = { index, NULL } };
	planner->seen =
		wv_xcalloc(index->term_count + 1, sizeof(*planner->seen));
}

void
planner_free(struct planner *planner)
{
	free(planner->seen);
	grams_free(&planner->grams);
}

double
probe_points(const struct probe *probe, const struct posting *posting)
{
	double often = posting->weight;

	return probe->weight * probe->term->idf * often * (probe->k + 1) /
		(often + probe->k);
}

static struct probe *
add_probe(struct work *work, const struct term *term, enum probe_kind kind,
	double weight)
{
	struct plan *plan = work->plan;

	if (plan->count == plan->cap) {
		struct probe *old = plan->probes;
		plan->cap = plan->cap ? plan->cap * 2 : 64;
		plan->probes = wv_alloc(
			work->arena, plan->cap * sizeof(*plan->probes));
		if (plan->count > 0)
			memcpy(plan->probes, old, plan->count * sizeof(*old));
	}
	plan->probes[plan->count] = (struct probe){ .term = term,
		.kind = kind,
		.weight = weight,
		.k = word_k,
		.word = work->word };
	return &plan->probes[plan->count++];
}

/* As it stands in the query. */
static const char *
spelling(const struct work *work, size_t i)
{
	const struct wv_span *span = &work->tokens.spans[i];

	return wv_dupn(work->arena, work->query + span->at, span->len);
}

/* A whole run that is known stands for its parts, which come before it. */
static void
cover(struct work *work, size_t i)
{
	const struct wv_span *spans = work->tokens.spans;

	work->covered[i] = true;
	if (spans[i].whole)
		for (size_t j = i; j-- > 0 && spans[j].at >= spans[i].at;)
			work->covered[j] = true;
}

static void
add_synonyms(struct work *work, size_t i)
{
	const struct index *index = work->planner->index;
	const struct synonyms *synonyms = work->synonyms;
	const size_t *number = synonyms == NULL
		? NULL
		: wv_map_find(&synonyms->numbers, work->tokens.words[i]);

	if (number == NULL)
		return;
	for (size_t j = 0; j < synonyms->lists[*number].count; j++) {
		const char *word = synonyms->lists[*number].words[j];
		const size_t *term = wv_map_find(&index->numbers, word);
		struct probe *probe;
		if (term == NULL)
			continue;
		probe = add_probe(work, &index->terms[*term], PROBE_SYNONYM,
			synonym_weight);
		probe->what = spelling(work, i);
		probe->proves = anywhere;
	}
}

/* What is like a word.  One that is English is no typing error of another. */
static void
add_parts(struct work *work, size_t i, const struct wv_meaning *meaning)
{
	const struct index *index = work->planner->index;
	struct gram_match found[GRAMS_MAX];
	size_t n;

	if (meaning->common || work->parts++ >= PARTS_WORDS_MAX)
		return;
	n = grams_find(&work->planner->grams, work->tokens.words[i], found);
	for (size_t j = 0; j < n; j++) {
		double likeness = found[j].likeness;
		struct probe *probe =
			add_probe(work, &index->terms[found[j].term],
				PROBE_PART, part_weight * likeness);
		probe->what = spelling(work, i);
		if (found[j].typed && meaning->topic_count == 0)
			probe->proves = anywhere;
	}
}

/* What has the word and the next one beside each other gets more. */
static void
add_pair(struct work *work, size_t i)
{
	const struct index *index = work->planner->index;
	const char *pair = index_pair(work->arena, &work->tokens, i);
	const size_t *number =
		pair != NULL ? wv_map_find(&index->numbers, pair) : NULL;
	struct probe *probe;

	if (number == NULL ||
		work->planner->seen[*number] == work->planner->query)
		return;
	work->planner->seen[*number] = work->planner->query;
	work->word++;
	probe = add_probe(
		work, &index->terms[*number], PROBE_PAIR, pair_weight);
	probe->what = wv_printf(
		work->arena, "%s %s", spelling(work, i), spelling(work, i + 1));
	work->plan->reach += pair_weight * probe->term->idf * (word_k + 1);
}

static void
count_word(struct work *work, double idf)
{
	work->plan->reach += idf * (word_k + 1);
	work->plan->square += idf * idf;
}

static void
add_known(struct work *work, size_t i, size_t number)
{
	const struct term *term = &work->planner->index->terms[number];
	bool proves = !term->meaning.common || work->only_common;
	struct probe *probe;

	cover(work, i);
	if (work->planner->seen[number] == work->planner->query)
		return;
	work->planner->seen[number] = work->planner->query;
	work->word++;
	probe = add_probe(work, term, PROBE_WORD, 1);
	probe->what = spelling(work, i);
	probe->proves = proves ? anywhere : 0;
	if (!work->tokens.spans[i].whole)
		work->plan->words += proves;
	count_word(work, term->idf);
	add_synonyms(work, i);
}

static void
add_unknown(struct work *work, size_t i, const struct wv_meaning *meaning)
{
	const struct index *index = work->planner->index;
	const char *word = work->tokens.words[i];

	if (*wv_map_add(&work->unknown, word, i) != i)
		return;
	work->word++;
	count_word(work,
		index_idf((double)index->catalog->count, 0, meaning->common));
	add_synonyms(work, i);
	add_parts(work, i, meaning);
}

static void
add_word(struct work *work, size_t i)
{
	const struct index *index = work->planner->index;
	const char *word = work->tokens.words[i];
	const size_t *number = wv_map_find(&index->numbers, word);
	struct wv_meaning meaning = number != NULL
		? index->terms[*number].meaning
		: wv_lexicon_find(index->lexicon, word);

	for (size_t j = 0; j < meaning.topic_count; j++) {
		struct topic *topic = &work->topics[meaning.topics[j]];
		topic->words++;
		topic->clear |= !meaning.common && meaning.subject_count == 1;
	}
	if (number != NULL)
		add_known(work, i, *number);
	else if (!work->tokens.spans[i].whole)
		add_unknown(work, i, &meaning);
}

/* Of which capabilities a subject of the query alone makes a match. */
static uint32_t
proof_of(const struct work *work, size_t i)
{
	const struct topic *topic = &work->topics[i];

	if (i >= work->planner->index->lexicon->subjects)
		return 0;
	if (topic->words >= CLEAR_WORDS)
		return SUBJECT_CLEAR;
	return topic->clear ? SUBJECT_NAMED : 0;
}

static void
add_topics(struct work *work)
{
	const struct index *index = work->planner->index;

	for (size_t i = 0; i < index->lexicon->topics; i++) {
		const struct term *term = &index->terms[i];
		double weight =
			topic_weight * sqrt((double)work->topics[i].words);
		struct probe *probe;
		if (weight == 0)
			continue;
		work->plan->reach += weight * term->idf * (topic_k + 1);
		if (term->count == 0)
			continue;
		work->word++;
		probe = add_probe(work, term, PROBE_TOPIC, weight);
		probe->k = topic_k;
		probe->what = index->lexicon->list[i].name;
		probe->proves = proof_of(work, i);
	}
}

static bool
is_common(const struct work *work, size_t i)
{
	const struct wv_lexicon *lexicon = work->planner->index->lexicon;

	return wv_lexicon_find(lexicon, work->tokens.words[i]).common;
}

/* Lists, in the query's own spelling, the words that nothing has. */
static void
list_unmatched(struct work *work)
{
	struct plan *plan = work->plan;
	const struct wv_tokens *tokens = &work->tokens;

	plan->unmatched =
		wv_alloc(work->arena, (tokens->count + 1) * sizeof(char *));
	for (size_t i = 0; i < tokens->count; i++) {
		const size_t *first =
			wv_map_find(&work->unknown, tokens->words[i]);
		if (first == NULL || *first != i || work->covered[i])
			continue;
		plan->unmatched[plan->unmatched_count++] = spelling(work, i);
		plan->words += work->only_common || !is_common(work, i);
	}
}

void
plan_query(struct plan *plan, struct planner *planner, struct wv_arena *arena,
	const char *query, const struct synonyms *synonyms)
{
	struct work work = { .plan = plan,
		.planner = planner,
		.arena = arena,
		.query = query,
		.synonyms = synonyms,
		.only_common = true };
	struct wv_tokens *tokens = &work.tokens;

	*plan = (struct plan){ 0 };
	planner->query++;
	wv_tokenize(tokens, arena, query, strlen(query), false);
	if (tokens->count == 0)
		wv_tokenize(tokens, arena, query, strlen(query), true);
	work.covered = wv_alloc_zero(arena, tokens->count + 1);
	work.topics = wv_alloc_zero(
		arena, planner->index->lexicon->topics * sizeof(*work.topics));
	for (size_t i = 0; i < tokens->count && work.only_common; i++)
		work.only_common = is_common(&work, i);
	for (size_t i = 0; i < tokens->count; i++) {
		add_word(&work, i);
		add_pair(&work, i);
	}
	add_topics(&work);
	list_unmatched(&work);
	wv_map_free(&work.unknown);
}
