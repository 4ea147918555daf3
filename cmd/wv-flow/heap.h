/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What comes next: entries by key, and those with the same key in the order
 * in which they were added.
 */
#ifndef WV_FLOW_HEAP_H
#define WV_FLOW_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct heap {
	struct heap_entry {
		int64_t key;
		uint64_t turn;
		void *what;
	} * entries;
	size_t count;
	uint64_t turns;
};

void heap_add(struct heap *heap, int64_t key, void *what);
/* The first; it is an error to ask an empty one. */
static inline const struct heap_entry *
heap_first(const struct heap *heap)
{
	return &heap->entries[0];
}
void *heap_take(struct heap *heap);
void heap_free(struct heap *heap);

#endif
