/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stage 6: of two that say nearly the same (Jaccard's overlap of their words),
 * and the same to the letter where it matters (identity.h), the better scored
 * stays.  A call and its results are judged as one; what others hang on stays.
 *
 * Which sets may overlap by so much is told by their smallest words under some
 * hashes, taken ROWS together (MinHash): two sets share the smallest under one
 * with the probability of their overlap, so of those that overlap by 85 % one
 * pair in 2,000 is missed.  A set is compared with a bounded number of others
 * that share such a group and its identity, so the time is linear in the words.
 */
#include "identity.h"
#include "stages.h"
#include "words.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
	NEAR_PERCENT = 85,
	BANDS = 8,
	ROWS = 3,
	COMPARED_MAX = 8, /* in a band */
};

struct unit {
	size_t first; /* a call, or an item of its own */
	double score;
	uint64_t identity;
	const uint32_t *words;
	size_t word_count;
};

/* Kept units by identity and band, chained. */
struct posting {
	uint64_t key;
	uint32_t unit, next; /* + 1; 0: none */
};
struct index {
	uint32_t *heads;
	size_t mask;
	struct posting *postings;
	size_t count;
};

/* What a unit must not lose, or something would hang in the air. */
static bool *
find_needed(struct build *b)
{
	bool *needed = wv_alloc_zero(&b->arena, b->item_count);

	for (size_t i = 0; i < b->item_count; i++) {
		const struct item *item = &b->items[i];
		ptrdiff_t up = item->label.up;
		needed[i] = needed[i] || item->label.is_pinned ||
			(ptrdiff_t)i == b->last_turn ||
			item->label.is_redacted ||
			(item->label.is_now &&
				item->label.outcome != OUTCOME_FINE);
		if (up != NOWHERE &&
			(item->label.kind != KIND_TOOL_RESULT ||
				b->items[up].label.kind != KIND_TOOL_CALL))
			needed[up] = true;
	}
	return needed;
}

static bool
is_part(const struct build *b, const struct item *item)
{
	return item->label.kind == KIND_TOOL_RESULT &&
		item->label.up != NOWHERE &&
		b->items[item->label.up].label.kind == KIND_TOOL_CALL;
}

static void
add_identity(struct wv_str *identity, const struct item *item)
{
	const struct label *label = &item->label;
	const char *id = label->capability_id ? label->capability_id : "";
	char kind[] = { (char)('a' + label->kind), (char)('a' + label->outcome),
		(char)('a' + label->section) };

	identity_add(identity, kind, sizeof(kind));
	identity_add(identity, id, strlen(id));
	identity_of(identity, item->summary.s, item->summary.n);
	identity_of(identity, item->data.s, item->data.n);
}

/* The words of a call and its results. */
static void
join_words(struct build *b, struct unit *unit)
{
	const struct item *call = &b->items[unit->first];
	size_t room = call->word_count;
	uint32_t *all;

	for (ptrdiff_t i = call->label.result; i != NOWHERE;
		i = b->items[i].label.result)
		room += b->items[i].word_count;
	all = wv_alloc(&b->arena, room * sizeof(*all));
	words_mark(b->words, NULL, 0);
	unit->word_count =
		words_add(b->words, all, 0, call->words, call->word_count);
	for (ptrdiff_t i = call->label.result; i != NOWHERE;
		i = b->items[i].label.result)
		unit->word_count = words_add(b->words, all, unit->word_count,
			b->items[i].words, b->items[i].word_count);
	unit->words = all;
}

/* The identity is put together in a string, whose room is used again. */
static struct unit
unit_of(struct build *b, size_t first, struct wv_str *identity)
{
	const struct item *item = &b->items[first];
	struct unit unit = { .first = first,
		.score = item->score,
		.words = item->words,
		.word_count = item->word_count };
	ptrdiff_t i = item->label.kind == KIND_TOOL_CALL ? item->label.result
							 : NOWHERE;

	identity->n = 0;
	add_identity(identity, item);
	if (i != NOWHERE)
		join_words(b, &unit);
	for (; i != NOWHERE; i = b->items[i].label.result) {
		const struct item *result = &b->items[i];
		add_identity(identity, result);
		if (unit.score < result->score)
			unit.score = result->score;
	}
	unit.identity = wv_hash(identity->s, identity->n);
	return unit;
}

static bool
may_go(const struct build *b, const struct unit *unit, const bool *needed)
{
	const struct item *item = &b->items[unit->first];

	if (needed[unit->first])
		return false;
	if (item->label.kind != KIND_TOOL_CALL)
		return true;
	for (ptrdiff_t i = item->label.result; i != NOWHERE;
		i = b->items[i].label.result)
		if (needed[i])
			return false;
	return true;
}

static bool
same_text(const struct item *a, const struct item *b)
{
	return a->summary.n == b->summary.n && a->data.n == b->data.n &&
		(a->summary.n == 0 ||
			memcmp(a->summary.s, b->summary.s, a->summary.n) ==
				0) &&
		(a->data.n == 0 ||
			memcmp(a->data.s, b->data.s, a->data.n) == 0);
}

/* The words of x are marked.  Texts without words, of signs alone, have to be
 * the same. */
static bool
are_near(const struct build *b, const struct unit *x, const struct unit *y)
{
	size_t both;

	if (x->identity != y->identity)
		return false;
	if (x->word_count == 0 || y->word_count == 0)
		return same_text(&b->items[x->first], &b->items[y->first]);
	both = words_marked(b->words, y->words, y->word_count);
	return both * 100 >=
		(x->word_count + y->word_count - both) * NEAR_PERCENT;
}

/* An odd number for each hash. */
static uint32_t
factor(uint32_t i)
{
	return (i * 0x85EBCA6BU + 0x9E3779B9U) | 1;
}

static void
find_bands(const struct unit *unit, uint64_t bands[BANDS])
{
	uint32_t least[BANDS * ROWS], factors[BANDS * ROWS];

	for (uint32_t i = 0; i < BANDS * ROWS; i++) {
		least[i] = UINT32_MAX;
		factors[i] = factor(i);
	}
	for (size_t i = 0; i < unit->word_count; i++) {
		uint32_t word = (unit->words[i] + 1) * 0xCC9E2D51U;
		word ^= word >> 15;
		for (size_t j = 0; j < BANDS * ROWS; j++) {
			uint32_t hash = (word ^ word >> 7) * factors[j];
			hash ^= hash >> 16;
			hash *= 0x1B873593U;
			least[j] = hash < least[j] ? hash : least[j];
		}
	}
	for (size_t i = 0; i < BANDS; i++) {
		bands[i] = unit->identity + i;
		for (size_t j = 0; j < ROWS; j++)
			bands[i] = (bands[i] ^ least[i * ROWS + j]) *
				0x9E3779B97F4A7C15U;
		bands[i] ^= bands[i] >> 29;
	}
}

static bool
is_known(const struct build *b, const struct index *index,
	const struct unit *units, const struct unit *unit,
	const uint64_t bands[BANDS])
{
	words_mark(b->words, unit->words, unit->word_count);
	for (size_t i = 0; i < BANDS; i++) {
		size_t compared = 0;
		for (uint32_t at = index->heads[bands[i] & index->mask];
			at != 0 && compared < COMPARED_MAX;
			at = index->postings[at - 1].next) {
			const struct posting *p = &index->postings[at - 1];
			if (p->key != bands[i])
				continue;
			compared++;
			if (are_near(b, unit, &units[p->unit]))
				return true;
		}
	}
	return false;
}

static void
remember(struct index *index, size_t number, const uint64_t bands[BANDS])
{
	for (size_t i = 0; i < BANDS; i++) {
		uint32_t *head = &index->heads[bands[i] & index->mask];
		index->postings = wv_list_room(index->postings, index->count,
			sizeof(*index->postings));
		index->postings[index->count++] =
			(struct posting){ bands[i], (uint32_t)number, *head };
		*head = (uint32_t)index->count;
	}
}

static void
drop(struct build *b, struct item *item)
{
	item->reason = REASON_DUPLICATE;
	build_drop(b, &item->label, REASON_DUPLICATE);
}

static void
drop_unit(struct build *b, const struct unit *unit)
{
	struct item *item = &b->items[unit->first];

	drop(b, item);
	if (item->label.kind != KIND_TOOL_CALL)
		return;
	for (ptrdiff_t i = item->label.result; i != NOWHERE;
		i = b->items[i].label.result)
		drop(b, &b->items[i]);
}

/* Leaves those whose identity others have, or what falls on it: most texts
 * have some number or name that no other has, and stay.  How many. */
static size_t
keep_alike(struct build *b, struct unit *units, size_t count, size_t mask)
{
	enum { NONE, ONE, MORE };
	uint8_t *found = wv_alloc_zero(&b->arena, mask + 1);
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		uint8_t *n = &found[units[i].identity & mask];
		*n = *n == NONE ? ONE : MORE;
	}
	for (size_t i = 0; i < count; i++)
		if (found[units[i].identity & mask] == MORE)
			units[kept++] = units[i];
	return kept;
}

/* The best first; what may not go before all that may. */
static int
by_score(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return (x->first < y->first) - (x->first > y->first);
}

void
stage_deduplicate(struct build *b)
{
	struct index index = { .mask = 1023 };
	bool *needed;
	struct unit *units;
	struct wv_str identity = { 0 };
	size_t count = 0;

	if (b->item_count == 0 || b->words == NULL)
		return;
	needed = find_needed(b);
	units = wv_alloc(&b->arena, b->item_count * sizeof(*units));
	for (size_t i = 0; i < b->item_count; i++)
		if (!is_part(b, &b->items[i]))
			units[count++] = unit_of(b, i, &identity);
	wv_str_free(&identity);
	while (index.mask < BANDS * count)
		index.mask = 2 * index.mask + 1;
	count = keep_alike(b, units, count, index.mask);
	for (size_t i = 0; i < count; i++)
		if (!may_go(b, &units[i], needed))
			units[i].score += 2;
	qsort(units, count, sizeof(*units), by_score);
	index.heads = wv_xcalloc(index.mask + 1, sizeof(*index.heads));
	for (size_t i = 0; i < count; i++) {
		uint64_t bands[BANDS];
		find_bands(&units[i], bands);
		if (may_go(b, &units[i], needed) &&
			is_known(b, &index, units, &units[i], bands))
			drop_unit(b, &units[i]);
		else
			remember(&index, i, bands);
	}
	free(index.heads);
	free(index.postings);
}
