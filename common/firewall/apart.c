/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/internal.h"

#include <stdlib.h>
#include <string.h>

struct named {
	const char *name;
	cJSON *node;
	size_t order;
};

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name,
		((const struct named *)b)->name);
}

static int
by_name_then_order(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = by_name(a, b);

	return order != 0 ? order
			  : (x->order > y->order) - (x->order < y->order);
}

/* Gives each of a run of equal names but the first one that none has. */
static void
number(struct wv_arena *arena, const struct named *all, size_t count,
	size_t first, size_t end)
{
	size_t suffix = 2;

	for (size_t i = first + 1; i < end; i++) {
		struct named new = { 0 };
		do
			new.name = wv_printf(
				arena, "%s#%zu", all[first].name, suffix++);
		while (bsearch(&new, all, count, sizeof(*all), by_name) !=
			NULL);
		all[i].node->string = (char *)new.name;
	}
}

void
wv_separate_names(struct wv_arena *arena, cJSON *object)
{
	size_t count = wv_count(object), n = 0;
	struct named *all = wv_alloc(arena, count * sizeof(*all));

	wv_json_each(member, object) {
		all[n] = (struct named){ member->string, member, n };
		n++;
	}
	qsort(all, count, sizeof(*all), by_name_then_order);
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count &&
			strcmp(all[end].name, all[first].name) == 0;)
			end++;
		number(arena, all, count, first, end);
	}
}
