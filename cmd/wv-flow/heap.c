/* SPDX-License-Identifier: Apache-2.0 */
#include "heap.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>

static bool
is_before(const struct heap_entry *a, const struct heap_entry *b)
{
	return a->key != b->key ? a->key < b->key : a->turn < b->turn;
}

static void
swap(struct heap_entry *a, struct heap_entry *b)
{
	struct heap_entry kept = *a;

	*a = *b;
	*b = kept;
}

void
heap_add(struct heap *heap, int64_t key, void *what)
{
	size_t i = heap->count;
	struct heap_entry *e = heap->entries =
		wv_list_room(heap->entries, i, sizeof(*heap->entries));

	e[i] = (struct heap_entry){ key, heap->turns++, what };
	heap->count++;
	for (; i > 0 && is_before(&e[i], &e[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&e[i], &e[(i - 1) / 2]);
}

void *
heap_take(struct heap *heap)
{
	struct heap_entry *e = heap->entries;
	size_t n = --heap->count, i = 0, child;
	void *what = e[0].what;

	e[0] = e[n];
	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && is_before(&e[child + 1], &e[child]))
			child++;
		if (!is_before(&e[child], &e[i]))
			break;
		swap(&e[child], &e[i]);
		i = child;
	}
	return what;
}

void
heap_free(struct heap *heap)
{
	free(heap->entries);
	*heap = (struct heap){ 0 };
}
