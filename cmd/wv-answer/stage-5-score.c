/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stage 5: how much each item is worth, by what may be shown of it: how new
 * it is, how much it shares with the query, what it is, how little it costs.
 * The overlap with the query (Jaccard's) is told as a share of the best, since
 * that of a long text is small however well it fits.
 */
#include "stages.h"
#include "words.h"

#include <string.h>

/* Bytes at which thrift is a half: those of about 500 tokens. */
enum { THRIFT_HALF = 2000 };

static ptrdiff_t
last_turn(const struct build *b)
{
	for (size_t i = b->item_count; i-- > 0;)
		if (b->items[i].label.kind == KIND_USER_TURN)
			return (ptrdiff_t)i;
	return NOWHERE;
}

static void
find_query(struct build *b)
{
	const struct item *turn;

	b->last_turn = last_turn(b);
	b->query = b->settings->query;
	if (b->query != NULL || b->last_turn == NOWHERE)
		return;
	turn = &b->items[b->last_turn];
	if (!turn->label.is_redacted)
		b->query = turn->summary.s;
}

/* Jaccard's overlap with the query, whose words are marked. */
static double
overlap(const struct build *b, const struct item *item)
{
	size_t both = words_marked(b->words, item->words, item->word_count);
	size_t either = b->query_count + item->word_count - both;

	return either > 0 ? (double)both / (double)either : 0;
}

static void
read_words(struct build *b, struct item *item, struct wv_str *text)
{
	text->n = 0;
	wv_str_add(text, item->summary.s, item->summary.n);
	wv_str_chr(text, '\n');
	wv_str_add(text, item->data.s, item->data.n);
	item->words = words_of(
		b->words, &b->arena, text->s, text->n, &item->word_count);
}

static void
match(struct build *b)
{
	const char *query = b->query != NULL ? b->query : "";
	double best = 0;

	b->query_words = words_of(
		b->words, &b->arena, query, strlen(query), &b->query_count);
	words_mark(b->words, b->query_words, b->query_count);
	for (size_t i = 0; i < b->item_count; i++) {
		struct item *item = &b->items[i];
		item->match = overlap(b, item);
		/* The query itself is no measure of what fits it. */
		if ((ptrdiff_t)i != b->last_turn && item->match > best)
			best = item->match;
	}
	for (size_t i = 0; best > 0 && i < b->item_count; i++) {
		struct item *item = &b->items[i];
		item->match = item->match < best ? item->match / best : 1;
	}
}

void
stage_score(struct build *b)
{
	const struct weights *w = &b->settings->weights;
	struct wv_str text = { 0 };

	b->words = words_new();
	find_query(b);
	for (size_t i = 0; i < b->item_count; i++)
		read_words(b, &b->items[i], &text);
	wv_str_free(&text);
	match(b);
	for (size_t i = 0; i < b->item_count; i++) {
		struct item *item = &b->items[i];
		double bytes = (double)(item->summary.n + item->data.n);
		item->recency = (double)(i + 1) / (double)b->item_count;
		item->priority = w->kinds[item->label.kind];
		item->thrift = 1 / (1 + bytes / THRIFT_HALF);
		item->score = w->recency * item->recency +
			w->match * item->match + w->kind * item->priority +
			w->cost * item->thrift;
	}
}
