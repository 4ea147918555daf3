/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stage 7: whole units, best first, within the budget: an item with all that
 * it cannot stand without.  What the user said last comes first, then what is
 * pinned, refused or failed, then policies, then the rest by score.  First as many as fit,
 * those with much data in brief; then their data, in the same order.
 *
 * Costs are counted on what would be written (output.h).
 */
#include "focus.h"
#include "output.h"
#include "stages.h"

#include <stdlib.h>
#include <string.h>

enum {
	LEAST_DATA = 80, /* bytes that are worth showing */
	ROOM = 256,      /* for what stands around them, mostly */
	SHARE = 8,       /* of the budget that one may have at once, */
	FOCUS_SHARE = 4, /* with what the query is about in it */
	FACTS_MAX = 64,
	EPISODES_MAX = 3,
};

struct packing {
	struct build *b;
	size_t *members; /* of the unit at hand, and what is to be followed */
	size_t count;
	uint32_t *seen, epoch;
	size_t in_section[SECTION_EPISODES + 1];
};

static size_t
cost_of_block(const struct build *b, struct wv_str *block)
{
	struct wv_str quoted = { 0 };
	size_t cost;

	if (b->settings->output->is_json) {
		wv_json_write_string(&quoted, block->s, block->n);
		cost = b->settings->count(quoted.s, quoted.n);
	} else {
		cost = b->settings->count(block->s, block->n);
	}
	wv_str_free(&quoted);
	wv_str_free(block);
	return cost;
}

/* Of the blocks that an item needs and that are not there yet. */
static size_t
cost_of_heads(const struct build *b, const struct item *item)
{
	struct wv_str block = { 0 };
	enum section section = item->label.section;

	if (section != SECTION_TURNS && !b->has[section])
		block_section(&block, section);
	if (item->handles != NULL && !b->has_handles)
		block_handles(&block);
	if (has_artifact(b, item) && !b->has_artifacts)
		block_artifacts(&block);
	return block.n > 0 ? cost_of_block(b, &block) : 0;
}

static size_t
cost_of_references(const struct build *b, const struct item *item)
{
	struct wv_str lines = { 0 };

	block_references(&lines, b, item);
	return lines.n > 0 ? cost_of_block(b, &lines) : 0;
}

static size_t
cost_of(const struct build *b, struct item *item, enum form form, size_t shown)
{
	struct item as = *item;
	struct wv_str text = { 0 };
	size_t cost;

	as.form = form;
	as.shown = shown;
	wv_str_room(&text, item->summary.n + shown + ROOM);
	if (item->label.section != SECTION_TURNS) {
		block_item(&text, b, &as);
		return cost_of_block(b, &text) + cost_of_references(b, item);
	}
	b->settings->output->item(&text, b, &as);
	cost = b->settings->count(text.s ? text.s : "", text.n);
	wv_str_free(&text);
	return cost + cost_of_references(b, item);
}

static size_t
left(const struct build *b)
{
	return b->settings->budget - b->used;
}

static void
show(struct build *b, struct item *item, enum form form, size_t shown,
	size_t cost)
{
	if (!is_shown(item))
		b->used += cost_of_heads(b, item);
	b->used += cost - item->cost;
	item->form = form;
	item->shown = shown;
	item->cost = cost;
	b->has[item->label.section] = true;
	b->has_handles = b->has_handles || item->handles != NULL;
	b->has_artifacts = b->has_artifacts || has_artifact(b, item);
}

/* Takes a form if the budget allows it in place of the present one. */
static bool
take_form(struct build *b, struct item *item, enum form form, size_t shown,
	size_t most)
{
	size_t cost = cost_of(b, item, form, shown);
	size_t heads = is_shown(item) ? 0 : cost_of_heads(b, item);

	if (cost > most || cost + heads > left(b) + item->cost)
		return false;
	show(b, item, form, shown, cost);
	return true;
}

/* The least that says anything. */
static enum form
least_form(const struct item *item, size_t *shown)
{
	*shown = item->data.n < LEAST_DATA ? item->data.n : LEAST_DATA;
	if (*shown == item->data.n)
		return FORM_FULL;
	return item->summary.n > 0 ? FORM_BRIEF : FORM_CUT;
}

/* Asked for again whenever another hangs on it. */
static size_t
least_cost(const struct build *b, struct item *item)
{
	size_t shown;
	enum form form = least_form(item, &shown);

	if (item->least == 0)
		item->least = cost_of(b, item, form, shown);
	return item->least;
}

static void
follow(struct packing *p, ptrdiff_t at)
{
	if (at == NOWHERE || p->seen[at] == p->epoch ||
		is_shown(&p->b->items[at]))
		return;
	p->seen[at] = p->epoch;
	p->members[p->count++] = (size_t)at;
}

/* The unit of an item; false if something of it cannot be had, or all of it
 * costs more than there is. */
static bool
gather(struct packing *p, size_t first)
{
	struct build *b = p->b;
	size_t cost = 0;

	p->count = 0;
	p->epoch++;
	follow(p, (ptrdiff_t)first);
	for (size_t i = 0; i < p->count; i++) {
		struct item *item = &b->items[p->members[i]];
		if (item->reason != REASON_NONE)
			return false;
		cost += least_cost(b, item) + cost_of_heads(b, item);
		if (cost > left(b))
			return false;
		follow(p, item->label.up);
		/* Of a call, and of a result: the other results. */
		follow(p, item->label.result);
	}
	return true;
}

static void
take_members(struct packing *p)
{
	for (size_t i = 0; i < p->count; i++) {
		struct item *item = &p->b->items[p->members[i]];
		size_t shown;
		enum form form = least_form(item, &shown);
		show(p->b, item, form, shown, least_cost(p->b, item));
		p->in_section[item->label.section]++;
	}
}

/* More at once for what has little to add, and for what the query is about. */
static void
take_share(struct packing *p)
{
	struct build *b = p->b;
	size_t share = b->settings->budget / SHARE;

	for (size_t i = 0; i < p->count; i++) {
		struct item *item = &b->items[p->members[i]];
		if (item->form == FORM_FULL ||
			(item->data.n / 8 <= share &&
				take_form(b, item, FORM_FULL, item->data.n,
					share)))
			continue;
		focus_find(b, item);
		if (item->focus.n > 0)
			take_form(b, item, FORM_FOCUS, 0,
				b->settings->budget / FOCUS_SHARE);
	}
}

/* As much of the data as there is room for, from `low` bytes on. */
static void
take_data(struct build *b, struct item *item, size_t low)
{
	size_t high = item->data.n;

	if (take_form(b, item, FORM_FULL, item->data.n, SIZE_MAX) ||
		item->form == FORM_FOCUS || high <= low ||
		!take_form(b, item, FORM_CUT, low, SIZE_MAX))
		return;
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;
		if (take_form(b, item, FORM_CUT, mid, SIZE_MAX))
			low = mid;
		else
			high = mid;
	}
}

/* What comes before what is left to scores. */
enum { RANK_LAST_TURN, RANK_WANTED, RANK_POLICY, RANK_REST };

static int
rank_of(const struct build *b, const struct item *item)
{
	if (item - b->items == b->last_turn)
		return RANK_LAST_TURN;
	if (item->label.is_pinned ||
		(item->label.is_now && item->label.outcome != OUTCOME_FINE))
		return RANK_WANTED;
	return item->label.kind == KIND_POLICY ? RANK_POLICY : RANK_REST;
}

/* Of what has to be there, and of the first if nothing else is: what stands
 * in one with others is of no use without them. */
static bool
may_cut(const struct build *b, const struct item *item)
{
	return item->label.up == NOWHERE && item->label.result == NOWHERE &&
		(rank_of(b, item) <= RANK_WANTED || b->used == b->base);
}

/* What is always shown whole is cut then too. */
static bool
take_cut(struct build *b, struct item *item)
{
	if (item->summary.n > 0) {
		wv_str_free(&item->data);
		wv_str_free(&item->note);
		item->data = item->summary;
		item->summary = (struct wv_str){ 0 };
	}
	take_data(b, item, 1);
	return is_shown(item);
}

static bool
is_over_limit(const struct packing *p, const struct item *item)
{
	static const size_t most[] = { SIZE_MAX, FACTS_MAX, EPISODES_MAX };

	return p->in_section[item->label.section] >= most[item->label.section];
}

static void
drop(struct build *b, struct item *item, enum reason reason)
{
	item->reason = reason;
	b->left_out++;
	build_drop(b, &item->label, reason);
}

static void
take(struct packing *p, size_t i)
{
	struct build *b = p->b;
	struct item *item = &b->items[i];

	if (is_shown(item) || item->reason != REASON_NONE)
		return;
	if (is_over_limit(p, item)) {
		drop(b, item, REASON_LIMIT);
	} else if (gather(p, i)) {
		take_members(p);
		take_share(p);
	} else if (!may_cut(b, item) || !take_cut(b, item)) {
		drop(b, item, REASON_BUDGET);
	}
}

struct place {
	size_t item;
	int rank;
	double score;
};

static int
by_worth(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank - y->rank;
	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return (x->item < y->item) - (x->item > y->item);
}

static struct place *
rank(struct build *b)
{
	struct place *places =
		wv_alloc(&b->arena, b->item_count * sizeof(*places));

	for (size_t i = 0; i < b->item_count; i++)
		places[i] = (struct place){ i, rank_of(b, &b->items[i]),
			b->items[i].score };
	if (b->item_count > 0)
		qsort(places, b->item_count, sizeof(*places), by_worth);
	return places;
}

static void
reserve_note(struct build *b)
{
	struct wv_str note = { 0 };

	block_left_out(&note, b->left_out);
	size_t cost = cost_of_block(b, &note);
	b->says_left_out = b->left_out > 0 && cost <= left(b);
	if (b->says_left_out)
		b->used += cost;
}

/* What is there whatever is shown. */
static bool
pay_base(struct build *b)
{
	struct wv_str text = { 0 };

	if (!b->settings->output->whole(&text, b)) {
		wv_str_free(&text);
		return false;
	}
	b->base = b->used = b->settings->count(text.s ? text.s : "", text.n);
	wv_str_free(&text);
	return b->used <= b->settings->budget;
}

void
stage_select(struct build *b)
{
	size_t n = b->item_count;
	struct packing p = { .b = b,
		.members = wv_alloc(&b->arena, n * sizeof(*p.members)),
		.seen = wv_alloc_zero(&b->arena, n * sizeof(*p.seen)) };
	struct place *places = rank(b);

	if (!pay_base(b)) {
		for (size_t i = 0; i < n; i++)
			if (b->items[i].reason == REASON_NONE)
				drop(b, &b->items[i], REASON_BUDGET);
		return;
	}
	for (size_t i = 0; i < n; i++)
		take(&p, places[i].item);
	reserve_note(b);
	for (size_t i = 0; i < n; i++) {
		struct item *item = &b->items[places[i].item];
		if (is_shown(item) && item->form != FORM_FULL)
			take_data(b, item,
				item->shown > LEAST_DATA ? item->shown
							 : LEAST_DATA);
	}
}
