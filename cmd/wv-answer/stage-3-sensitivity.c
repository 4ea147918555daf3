/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stage 3: what is labelled at or above the floor is dropped, or keeps its
 * place and loses all that it says.  What cannot stand without something that
 * was dropped goes too.
 */
#include "raw.h"
#include "stages.h"

static void
drop(struct build *b, struct raw_item *item, enum reason reason)
{
	item->is_dropped = true;
	build_drop(b, &item->label, reason);
}

static void
filter(struct build *b, struct raw_item *item)
{
	if (!item->is_candidate || item->label.level < b->settings->floor)
		return;
	if (b->settings->redacts)
		item->label.is_redacted = true;
	else
		drop(b, item, REASON_SENSITIVITY);
}

/* A call of which a result is gone would look unanswered. */
static void
drop_call(struct build *b, const struct raw_item *result)
{
	struct raw_item *up;

	if (!result->is_dropped || result->label.kind != KIND_TOOL_RESULT ||
		result->label.up == NOWHERE)
		return;
	up = &b->intake->items[result->label.up];
	if (up->label.kind == KIND_TOOL_CALL && !up->is_dropped)
		drop(b, up, REASON_PAIR);
}

/* Follows what an item hangs on up to what is known already, and then settles
 * all of them: each is looked at once. */
static void
settle(struct build *b, size_t start, bool *known)
{
	struct raw_item *items = b->intake->items;
	ptrdiff_t at = (ptrdiff_t)start;
	bool is_doomed;

	while (at != NOWHERE && !known[at]) {
		known[at] = true;
		if (items[at].is_dropped)
			break;
		at = items[at].label.up;
	}
	is_doomed = at != NOWHERE && items[at].is_dropped;
	for (ptrdiff_t i = (ptrdiff_t)start; is_doomed && i != at;
		i = items[i].label.up)
		if (items[i].is_candidate)
			drop(b, &items[i], REASON_PAIR);
}

void
stage_sensitivity(struct build *b)
{
	size_t n = b->intake->count;
	bool *known = wv_alloc_zero(&b->arena, n);

	for (size_t i = 0; i < n; i++)
		filter(b, &b->intake->items[i]);
	for (size_t i = 0; i < n; i++)
		drop_call(b, &b->intake->items[i]);
	for (size_t i = 0; i < n; i++)
		if (b->intake->items[i].is_candidate)
			settle(b, i, known);
}
