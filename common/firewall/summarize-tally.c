/* SPDX-License-Identifier: Apache-2.0 */
/* How often different texts came: exact, in memory that is bounded by how many
 * are told apart. */
#include "firewall/summarize.h"

#include "base/hash.h"

#include <stdlib.h>

/* Quick, and under a key of this process: input cannot foresee where it goes.
 * Nothing that is told depends on it. */
static uint32_t
hash(const struct wv_tally *tally, const char *s, size_t n)
{
	uint64_t h = tally->key ^ n, word = 0;

	for (; n > 8; s += 8, n -= 8) {
		memcpy(&word, s, 8);
		h = (h ^ word) * 0x9E3779B97F4A7C15;
		h ^= h >> 29;
	}
	word = 0;
	memcpy(&word, s, n);
	h = (h ^ word) * 0x9E3779B97F4A7C15;
	h = (h ^ tally->key ^ h >> 32) * 0xD6E8FEB86659FD93;
	return (uint32_t)(h >> 32);
}

static void
make_index(struct wv_tally *tally, struct wv_arena *arena, size_t room)
{
	tally->index = wv_alloc_zero(arena, room * sizeof(*tally->index));
	tally->index_room = room;
	for (size_t i = 0; i < tally->count; i++) {
		size_t at = tally->items[i].hash & (room - 1);
		while (tally->index[at] != 0)
			at = (at + 1) & (room - 1);
		tally->index[at] = (uint32_t)i + 1;
	}
}

static void
grow(struct wv_tally *tally, struct wv_arena *arena)
{
	size_t room = tally->room ? tally->room * 2 : 16;
	struct wv_tallied *items = wv_alloc(arena, room * sizeof(*items));

	if (tally->count > 0)
		memcpy(items, tally->items, tally->count * sizeof(*items));
	tally->items = items;
	tally->room = room;
	make_index(tally, arena, room * 4);
}

struct wv_tallied *
wv_tally_add(
	struct wv_tally *tally, struct wv_arena *arena, const char *s, size_t n)
{
	WV_STEP(n + 1);
	if (tally->room == 0)
		tally->key = wv_hash("", 0);
	if (tally->count == tally->room)
		grow(tally, arena);
	uint32_t h = hash(tally, s, n);
	size_t mask = tally->index_room - 1, at = h & mask;
	for (; tally->index[at] != 0; at = (at + 1) & mask) {
		struct wv_tallied *item = &tally->items[tally->index[at] - 1];
		WV_STEP(1);
		if (item->hash == h && item->n == n &&
			memcmp(item->s, s, n) == 0) {
			item->count++;
			return item;
		}
	}
	if (tally->count == tally->max) {
		tally->more = true;
		return NULL;
	}
	tally->items[tally->count] = (struct wv_tallied){ s, n, 1, h };
	tally->index[at] = (uint32_t)++tally->count;
	return &tally->items[tally->count - 1];
}

/* Items that came equally often stay in order: merge sort is stable, but
 * qsort() need not be. */
static void
merge(struct wv_tallied *to, const struct wv_tallied *from, size_t n,
	size_t width)
{
	for (size_t i = 0; i < n; i += 2 * width) {
		size_t a = i, b = i + width < n ? i + width : n;
		size_t a_end = b, b_end = b + width < n ? b + width : n;
		for (size_t k = i; k < b_end; k++) {
			bool take_b = a == a_end ||
				(b < b_end && from[b].count > from[a].count);
			to[k] = from[take_b ? b++ : a++];
		}
	}
}

void
wv_tally_sort(struct wv_tally *tally)
{
	struct wv_tallied *spare;

	if (tally->count < 2)
		return;
	spare = wv_xmalloc(tally->count * sizeof(*spare));
	for (size_t width = 1; width < tally->count; width *= 2) {
		merge(spare, tally->items, tally->count, width);
		memcpy(tally->items, spare, tally->count * sizeof(*spare));
	}
	free(spare);
}

void
wv_tally_add_top(struct wv_str *out, const struct wv_tally *tally, size_t most,
	size_t width, bool quoted)
{
	for (size_t i = 0; i < tally->count && i < most; i++) {
		const struct wv_tallied *item = &tally->items[i];
		if (i > 0)
			wv_str_cat(out, ", ");
		if (quoted)
			wv_add_quoted(out, item->s, item->n, width);
		else
			wv_add_inline(out, item->s, item->n, width);
		wv_str_fmt(out, " %zu", item->count);
	}
}

void
wv_tally_add_count(struct wv_str *out, const struct wv_tally *tally)
{
	wv_str_fmt(out, "%s%zu different", tally->more ? "more than " : "",
		tally->count);
}
