/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash that input cannot foresee (SipHash-1-3 under a key of this process)
 * and a table of strings under it.  Values and order differ from run to run:
 * nothing that is written may depend on them.
 */
#ifndef WV_BASE_HASH_H
#define WV_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t wv_hash(const void *p, size_t n);

/*
 * String keys to numbers.  {0} is an empty map; keys are kept, not copied.
 * Pointers to values hold until the next add.
 */
struct wv_map {
	struct wv_map_slot {
		const char *key; /* NULL: free */
		uint64_t hash;
		size_t value;
	} * slots;
	size_t count, room;
};

/* The value of a NUL-terminated key; NULL if it has none. */
size_t *wv_map_find(const struct wv_map *map, const char *key);
/* The value of a key; one that is new gets `value` first. */
size_t *wv_map_add(struct wv_map *map, const char *key, size_t value);
void wv_map_free(struct wv_map *map);

#endif
