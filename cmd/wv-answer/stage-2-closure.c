/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stage 2: the ancestors of the candidates, to any depth and of any kind.
 * They are marked, and pass all that follows like anything else: a raw result
 * that joins here is no less raw.
 */
#include "raw.h"
#include "stages.h"

/* The next one that joins, or NOWHERE. */
static ptrdiff_t
join(struct build *b, ptrdiff_t at)
{
	struct raw_item *item;

	if (at == NOWHERE || b->intake->items[at].is_candidate)
		return NOWHERE;
	item = &b->intake->items[at];
	item->is_candidate = true;
	item->label.is_closure = true;
	b->candidates++;
	b->closures++;
	if (phase_allows(b->settings->phase, item->label.kind))
		b->by_selection--;
	else
		b->by_phase--;
	return at;
}

void
stage_closure(struct build *b)
{
	size_t n = b->intake->count, count = 0;
	size_t *todo = wv_alloc(&b->arena, n * sizeof(*todo));

	for (size_t i = 0; i < n; i++)
		if (b->intake->items[i].is_candidate)
			todo[count++] = i;
	while (count > 0) {
		const struct raw_item *item = &b->intake->items[todo[--count]];
		ptrdiff_t links[] = { item->parent, item->label.up };
		for (size_t i = 0; i < 2; i++)
			if (join(b, links[i]) != NOWHERE)
				todo[count++] = (size_t)links[i];
	}
}
