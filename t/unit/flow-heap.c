/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queue of wv-flow: by key, and in turn where keys are the same.
 * links: cmd/wv-flow/heap.c
 */
#include "../../cmd/wv-flow/heap.h"
#include "tap.h"

#include <stdlib.h>

enum { COUNT = 2000 };

static void
test_order(unsigned keys, const char *what)
{
	static size_t numbers[COUNT]; /* what is added: its own turn */
	static int64_t key_of[COUNT];
	struct heap heap = { 0 };
	int64_t last_key = -1;
	size_t last = 0, wrong = 0;

	for (size_t i = 0; i < COUNT; i++) {
		numbers[i] = i;
		key_of[i] = rand() % (int)keys;
		heap_add(&heap, key_of[i], &numbers[i]);
	}
	while (heap.count > 0) {
		int64_t key = heap_first(&heap)->key;
		size_t n = *(size_t *)heap_take(&heap);
		wrong += key != key_of[n] || key < last_key ||
			(key == last_key && n < last);
		last_key = key;
		last = n;
	}
	ok(wrong == 0, "%s", what);
	heap_free(&heap);
}

int
main(void)
{
	srand(1);
	test_order(1, "all keys the same: in turn");
	test_order(7, "few keys");
	test_order(1 << 30, "many keys");
	return done();
}
