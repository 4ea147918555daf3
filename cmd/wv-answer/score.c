/* SPDX-License-Identifier: Apache-2.0 */
/* Stage 5: what was refused or failed before what went well, then the newest
 * first. */
#include "build.h"

#include <stdlib.h>

static int
by_importance(const void *a, const void *b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;
	bool x_fine = x->kind == ITEM_RESULT, y_fine = y->kind == ITEM_RESULT;

	if (x_fine != y_fine)
		return x_fine ? 1 : -1;
	int time = wv_time_cmp(y->time, x->time);
	return time != 0 ? time : (x->order < y->order) - (x->order > y->order);
}

void
score(struct build *b)
{
	struct item **order =
		wv_alloc(&b->arena, b->item_count * sizeof(*order));

	for (size_t i = 0; i < b->item_count; i++)
		order[i] = &b->items[i];
	qsort(order, b->item_count, sizeof(*order), by_importance);
	for (size_t i = 0; i < b->item_count; i++)
		order[i]->rank = i;
}
