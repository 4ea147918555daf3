/* SPDX-License-Identifier: Apache-2.0 */
#include "things.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* A table is full when its half is. */
enum { SLOTS_FIRST = 1 << 10, SLOTS_MOST = 1 << 21 };

static struct thing *
slot_of(const struct things *t, uint64_t key)
{
	size_t at = key / KINDS & (t->room - 1);

	while (t->slots[at].key != 0 && t->slots[at].key != key)
		at = (at + 1) & (t->room - 1);
	return &t->slots[at];
}

bool
thing_is_over(const struct thing *thing)
{
	return (thing->value & (ENDED | VOID)) != 0;
}

static void
rehash(struct things *t, size_t room, bool forget)
{
	struct thing *old = t->slots;
	size_t n = t->room;

	t->slots = wv_xcalloc(room, sizeof(*t->slots));
	t->room = room;
	t->count = 0;
	for (size_t i = 0; i < n; i++) {
		if (old[i].key == 0 || (forget && thing_is_over(&old[i])))
			continue;
		*slot_of(t, old[i].key) = old[i];
		t->count++;
	}
	free(old);
}

static void
make_room(struct things *t)
{
	if (t->count < t->room / 2)
		return;
	if (t->room < SLOTS_MOST) {
		rehash(t, t->room > 0 ? t->room * 2 : SLOTS_FIRST, false);
		return;
	}
	rehash(t, t->room, true);
	t->is_full = t->count > THINGS_MOST;
}

/* The ids are apart, whatever is in them. */
uint64_t
things_hash(struct things *t, const char *const *ids)
{
	t->key.n = 0;
	for (; *ids != NULL; ids++)
		wv_str_add(&t->key, *ids, strlen(*ids) + 1);
	return wv_hash(t->key.s, t->key.n);
}

struct thing *
things_find(struct things *t, enum kind kind, const char *const *ids)
{
	uint64_t key = things_hash(t, ids) / KINDS * KINDS + kind;

	if (key < KINDS)
		key += KINDS; /* 0 is a free slot */
	make_room(t);
	struct thing *thing = slot_of(t, key);
	if (thing->key == 0) {
		thing->key = key;
		t->count++;
	}
	return thing;
}

void
things_free(struct things *t)
{
	wv_str_free(&t->key);
	free(t->slots);
}
