/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/ptrmap.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>

/* Fibonacci hashing; what is looked up is 16 bytes apart at least. */
static struct ptrmap_slot *
slot_of(const struct ptrmap *map, const void *key)
{
	uint64_t h = ((uintptr_t)key >> 4) * UINT64_C(0x9e3779b97f4a7c15);
	size_t at = (size_t)(h >> 32) & (map->room - 1);

	while (map->slots[at].key != NULL && map->slots[at].key != key)
		at = (at + 1) & (map->room - 1);
	return &map->slots[at];
}

size_t
wv_ptrmap_find(const struct ptrmap *map, const void *key)
{
	const struct ptrmap_slot *slot;

	if (map->count == 0)
		return SIZE_MAX;
	slot = slot_of(map, key);
	return slot->key != NULL ? slot->value : SIZE_MAX;
}

static void
grow(struct ptrmap *map)
{
	struct ptrmap old = *map;

	map->room = old.room > 0 ? old.room * 2 : 64;
	map->slots = wv_xcalloc(map->room, sizeof *map->slots);
	for (size_t i = 0; i < old.room; i++) {
		if (old.slots[i].key != NULL)
			*slot_of(map, old.slots[i].key) = old.slots[i];
	}
	free(old.slots);
}

void
wv_ptrmap_add(struct ptrmap *map, const void *key, size_t value)
{
	if (map->count * 2 >= map->room)
		grow(map);
	*slot_of(map, key) = (struct ptrmap_slot){ key, value };
	map->count++;
}

void
wv_ptrmap_free(struct ptrmap *map)
{
	free(map->slots);
	*map = (struct ptrmap){ 0 };
}
