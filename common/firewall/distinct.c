/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/distinct.h"

#include "json/mask.h"

#include <string.h>

enum {
	SHORT = 32, /* bytes of a string that may come again */
	SLOT_BITS = 10,
	FIRST_ROOM = 256,
};

struct gatherer {
	struct wv_distinct *d;
	struct wv_arena *arena;
	const char *all;
	size_t room;                  /* for strings */
	uint32_t met[1 << SLOT_BITS]; /* short ones: places, from 1 on */
};

/* Of at most 16 bytes both together are all; n > 0. */
struct key {
	uint64_t first, last;
};

static inline uint64_t
eight_at(const char *s)
{
	uint64_t word;

	memcpy(&word, s, sizeof(word));
	return word;
}

static inline uint64_t
four_at(const char *s)
{
	uint32_t word;

	memcpy(&word, s, sizeof(word));
	return word;
}

static inline struct key
key_of(const char *s, size_t n)
{
	const unsigned char *u = (const unsigned char *)s;

	if (n >= 8)
		return (struct key){ eight_at(s), eight_at(s + n - 8) };
	if (n >= 4)
		return (struct key){ four_at(s), four_at(s + n - 4) };
	return (struct key){ (uint64_t)u[0] << 8 | u[n / 2], u[n - 1] };
}

static inline size_t
slot_of(const struct key *key, size_t n)
{
	uint64_t hash = (key->first ^ (key->last << 29 | key->last >> 35) ^ n) *
		UINT64_C(0x9E3779B97F4A7C15);

	return (size_t)(hash >> (64 - SLOT_BITS));
}

/* Whether the n bytes at s are those of a string that came before. */
static inline bool
is_met(const char *met, const char *s, size_t n, const struct key *key)
{
	struct key other = key_of(met, n);

	return other.first == key->first && other.last == key->last &&
		met[n] == '\0' && (n <= 16 || memcmp(met, s, n) == 0);
}

/* Of count elements. */
static void *
double_room(struct wv_arena *arena, const void *list, size_t count, size_t room,
	size_t size)
{
	void *more = wv_alloc(arena, room * size);

	if (count > 0)
		memcpy(more, list, count * size);
	return more;
}

/* For as many more strings as end in the bytes of a mask. */
static inline void
make_room(struct gatherer *g)
{
	struct wv_distinct *d = g->d;

	if (g->room - d->place_count > WV_MASK)
		return;
	g->room = g->room == 0 ? FIRST_ROOM : 2 * g->room;
	d->starts = double_room(
		g->arena, d->starts, d->count, g->room, sizeof(*d->starts));
	d->places = double_room(g->arena, d->places, d->place_count, g->room,
		sizeof(*d->places));
}

static inline void
add_distinct(struct wv_distinct *d, const char *s, size_t n)
{
	d->starts[d->count++] = (uint32_t)d->n;
	memcpy(d->s + d->n, s, n + 1);
	d->n += n + 1;
}

static inline void
add_string(struct gatherer *g, size_t at, size_t n)
{
	const char *s = g->all + at;
	struct wv_distinct *d = g->d;

	if (n == 0)
		return;
	struct wv_distinct_place *place = &d->places[d->place_count++];
	*place = (struct wv_distinct_place){ (uint32_t)at, (uint32_t)d->n };
	if (n <= SHORT) {
		struct key key = key_of(s, n);
		uint32_t *slot = &g->met[slot_of(&key, n)];
		const struct wv_distinct_place *met = &d->places[*slot];
		if (*slot != 0 && is_met(g->all + met[-1].at, s, n, &key)) {
			place->start = met[-1].start;
			return;
		}
		*slot = (uint32_t)d->place_count;
	}
	add_distinct(d, s, n);
}

/* Where strings end, of as many bytes as a mask has. */
static inline uint64_t
ends_in(const char *s, size_t n)
{
	char last[WV_MASK];

	if (n >= WV_MASK)
		return wv_mask_is(s, '\0');
	memset(last, ' ', sizeof(last));
	memcpy(last, s, n);
	return wv_mask_is(last, '\0');
}

static bool
is_set(const uint64_t *bits, size_t at)
{
	return bits != NULL && (bits[at / 64] >> at % 64 & 1) != 0;
}

struct wv_distinct *
wv_distinct(
	struct wv_arena *arena, const char *s, size_t n, const uint64_t *others)
{
	struct wv_distinct *d = wv_alloc_zero(arena, sizeof(*d));
	struct gatherer g = { .d = d, .arena = arena, .all = s };
	size_t at = 0;

	d->s = wv_alloc(arena, n);
	for (size_t base = 0; base < n; base += WV_MASK) {
		make_room(&g);
		for (uint64_t ends = ends_in(s + base, n - base); ends != 0;
			ends &= ends - 1) {
			size_t end = base + wv_mask_before(ends);
			if (!is_set(others, at))
				add_string(&g, at, end - at);
			at = end + 1;
		}
	}
	if (n > 0)
		d->starts[d->count] = (uint32_t)d->n;
	return d;
}
