/* SPDX-License-Identifier: Apache-2.0 */
#include "json/internal.h"

#include "base/hash.h"

#include <string.h>

/* The slot that holds s, or the free one where it belongs. */
static struct wv_name *
find(const struct wv_names *names, const char *s, uint64_t h)
{
	size_t mask = names->room - 1;

	for (size_t i = (size_t)h & mask;; i = (i + 1) & mask) {
		struct wv_name *slot = &names->slot[i];
		if (slot->s == NULL ||
			(slot->hash == h && strcmp(slot->s, s) == 0))
			return slot;
	}
}

static void
grow(struct wv_names *names, struct wv_arena *arena)
{
	struct wv_names old = *names;

	names->room = old.room ? old.room * 2 : 64;
	names->slot = wv_alloc_zero(arena, names->room * sizeof(*names->slot));
	for (size_t i = 0; i < old.room; i++)
		if (old.slot[i].s != NULL)
			*find(names, old.slot[i].s, old.slot[i].hash) =
				old.slot[i];
}

bool
wv_names_add(
	struct wv_names *names, struct wv_arena *arena, const char *s, size_t n)
{
	struct wv_name *slot;
	uint64_t h = wv_hash(s, n);

	if (names->n * 2 >= names->room)
		grow(names, arena);
	slot = find(names, s, h);
	if (slot->s != NULL)
		return false;
	*slot = (struct wv_name){ s, h };
	names->n++;
	return true;
}
