/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses to numbers.  {0} is an empty map.  Private to this folder. */
#ifndef WV_SCHEMA_PTRMAP_H
#define WV_SCHEMA_PTRMAP_H

#include <stddef.h>

struct ptrmap {
	struct ptrmap_slot {
		const void *key; /* NULL: free */
		size_t value;
	} * slots;
	size_t count, room; /* room: a power of two, or 0 */
};

/* SIZE_MAX if it has none. */
size_t wv_ptrmap_find(const struct ptrmap *map, const void *key);
/* key must be new. */
void wv_ptrmap_add(struct ptrmap *map, const void *key, size_t value);
void wv_ptrmap_free(struct ptrmap *map);

#endif
