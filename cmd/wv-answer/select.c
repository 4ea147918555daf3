/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stage 7: first the brief form of as many items as the budget holds, then
 * their data.  Costs are counted on the rendered blocks, and counting pieces
 * never gives less than counting the whole, so the sum is kept below the
 * budget and the text is too.
 */
#include "build.h"

enum { LEAST_DATA = 80 }; /* bytes that are worth showing */

static size_t
cost_of(struct build *b, const struct item *item, enum form form, size_t shown)
{
	struct wv_str block = { 0 };

	render_block(&block, item, form, shown);
	size_t cost = b->count(block.s, block.n);
	wv_str_free(&block);
	return cost;
}

/* Takes a form if the budget allows it in place of the present one. */
static bool
take(struct build *b, struct item *item, enum form form, size_t shown)
{
	size_t cost = cost_of(b, item, form, shown);
	size_t others = b->used - item->cost;

	if (cost > b->budget - others)
		return false;
	item->form = form;
	item->shown = shown;
	item->cost = cost;
	b->used = others + cost;
	return true;
}

/* As much of the data as there is room for. */
static void
take_data(struct build *b, struct item *item)
{
	size_t low = LEAST_DATA, high = item->data.n;

	if (take(b, item, FORM_FULL, item->data.n) || high <= low ||
		!take(b, item, FORM_CUT, low))
		return;
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;
		if (take(b, item, FORM_CUT, mid))
			low = mid;
		else
			high = mid;
	}
}

static void
reserve_note(struct build *b)
{
	struct wv_str note = { 0 };

	render_left_out(&note, b->left_out);
	size_t cost = b->count(note.s, note.n);
	wv_str_free(&note);
	b->says_left_out = b->left_out > 0 && cost <= b->budget - b->used;
	if (b->says_left_out)
		b->used += cost;
}

void
select_items(struct build *b)
{
	struct item **ranked =
		wv_alloc(&b->arena, b->item_count * sizeof(*ranked));

	for (size_t i = 0; i < b->item_count; i++)
		ranked[b->items[i].rank] = &b->items[i];
	for (size_t i = 0; i < b->item_count; i++)
		if (!take(b, ranked[i], FORM_BRIEF, 0))
			b->left_out++;
	reserve_note(b);
	for (size_t i = 0; i < b->item_count; i++)
		if (ranked[i]->form == FORM_BRIEF)
			take_data(b, ranked[i]);
}
