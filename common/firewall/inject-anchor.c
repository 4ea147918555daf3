/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/inject-anchor.h"

#include <stddef.h>
#include <string.h>

enum {
	CHUNK = WV_CHUNK,
	NEAR = 320, /* a match, and the name of a place */
};

static bool
begins_alike(uint64_t key, uint64_t other, uint64_t care)
{
	return ((key ^ other) & care) == 0;
}

/* Behind it, in the same sentence, is a URL, an address, or one that was
 * redacted. */
static bool
has_place(struct wv_anchor_look *look, size_t at)
{
	const struct wv_normal *p = &look->events.normal;
	size_t end = p->n - at > NEAR ? at + NEAR : p->n;
	size_t from = at < look->placeless ? look->placeless : at;

	if (from >= end)
		return false;
	if (!wv_has_place(p, from, end)) {
		look->placeless = end;
		return false;
	}
	if (look->parted)
		end = at + strnlen((const char *)p->s + at, end - at);
	end = wv_sentence_end(p, at, end);
	return from < end && wv_has_place(p, from, end);
}

/* What is around a word, as far as it was asked. */
struct around {
	size_t at;
	bool asked[WV_SIDES];
	uint64_t keys[WV_SIDES]; /* 0: it cannot be told */
};

static uint64_t
key_beside(const struct wv_normal *p, struct around *around,
	enum wv_anchor_side side)
{
	if (!around->asked[side])
		around->keys[side] = side == WV_BEFORE_IT
			? wv_key_before(p, around->at)
			: wv_key_behind(p, around->at);
	around->asked[side] = true;
	return around->keys[side];
}

/* By a letter of the word beside it. */
static bool
may_stand(const struct wv_normal *p, const struct wv_anchor *anchor, size_t at)
{
	switch (anchor->side) {
	case WV_BEHIND_IT:
		return wv_may_be_behind(p, at, anchor->beside);
	case WV_BEFORE_IT:
		return anchor->beside_care != ~UINT64_C(0) ||
			wv_may_be_before(p, at, anchor->beside);
	default:
		return true;
	}
}

static bool
stands(struct wv_anchor_look *look, const struct wv_anchor *anchor,
	struct around *around)
{
	const struct wv_normal *p = &look->events.normal;

	if (anchor->side == WV_COLON) {
		look->seen = false;
		wv_event_role(&look->events, around->at);
		return look->seen;
	}
	if (anchor->side != WV_ANY_SIDE) {
		uint64_t key = key_beside(p, around, anchor->side);
		if (key != 0 &&
			!begins_alike(key, anchor->beside, anchor->beside_care))
			return false;
	}
	return !anchor->place || has_place(look, around->at);
}

/* The next that begins like it, of those from i on; 0: none. */
static inline size_t
follow(const struct wv_anchors *a, uint64_t key, size_t i)
{
	while (i != 0 && !begins_alike(key, a->at[i].key, a->at[i].care))
		i = a->at[i].next;
	return i;
}

static inline size_t
first_like(const struct wv_anchors *a, uint64_t key)
{
	return follow(a, key,
		a->slots[wv_anchor_hash(key) >> (64 - WV_ANCHOR_SLOT_BITS)]);
}

/* The word at at, which begins like anchor i: whether what has to be around it
 * is. */
static bool
is_anchor(struct wv_anchor_look *look, uint64_t key, size_t at, size_t i)
{
	const struct wv_anchors *a = look->anchors;
	const struct wv_normal *p = &look->events.normal;
	struct around around = { .at = at };

	while (i != 0 && !may_stand(p, &a->at[i], at))
		i = follow(a, key, a->at[i].next);
	if (i == 0 || (!wv_key_is_alone(key) && !wv_is_plain_word(p, at)))
		return false;
	for (; i != 0; i = follow(a, key, a->at[i].next))
		if (may_stand(p, &a->at[i], at) &&
			stands(look, &a->at[i], &around))
			return true;
	return false;
}

static bool
has_bit(const struct wv_anchors *a, uint64_t key)
{
	uint64_t bit = wv_anchor_hash(key) >> (64 - WV_ANCHOR_BITS);

	return (a->bits[bit / 64] >> bit % 64 & 1) != 0;
}

/* A word with other than plain letters. */
static void
see_word(struct wv_events *events, uint64_t key, size_t at)
{
	struct wv_anchor_look *look = (struct wv_anchor_look *)events;

	if (look->seen || !has_bit(look->anchors, key))
		return;
	size_t i = first_like(look->anchors, key);
	look->seen = i != 0 &&
		(!wv_key_is_alone(key) || is_anchor(look, key, at, i));
}

static void
see_shape(struct wv_events *events, enum wv_shape shape)
{
	struct wv_anchor_look *look = (struct wv_anchor_look *)events;

	look->seen |= look->anchors->shapes[shape];
}

void
wv_anchor_start(
	struct wv_anchor_look *look, const char *s, size_t n, size_t from)
{
	memset(look, 0, offsetof(struct wv_anchor_look, masks));
	look->events.normal.s = (const unsigned char *)s;
	look->events.normal.n = n;
	look->events.word = see_word;
	look->events.shape = see_shape;
	look->anchors = wv_inject_anchors();
	look->at = from;
	look->fresh = true;
	memset(look->letters + 2 * CHUNK, 0, WV_KEY_LETTERS);
}

void
wv_anchor_skip(struct wv_anchor_look *look, size_t to)
{
	if (to >= look->at) {
		look->hits = 0;
		look->at = to;
		look->fresh = true;
	} else if (to + CHUNK > look->at) {
		look->hits &= ~UINT64_C(0) << (to + CHUNK - look->at);
	}
}

/* Of words, where those are that may be anchors: how many. */
static inline size_t
find(const struct wv_anchors *a, const unsigned char *letters, uint64_t starts,
	uint64_t found[CHUNK / 2])
{
	size_t count = 0;

	for (; starts != 0; starts &= starts - 1) {
		uint64_t at = (uint64_t)__builtin_ctzll(starts);
		found[count] = at;
		count += has_bit(a, wv_raw_key(letters + at));
	}
	return count;
}

static void
see_chunk(struct wv_anchor_look *look, const struct wv_raw_words *w)
{
	const unsigned char *letters = look->letters;
	size_t from = look->at;
	uint64_t events = w->events | w->spaced, hits = 0, found[CHUNK / 2];
	size_t count = find(look->anchors, letters, w->starts, found);

	for (size_t k = 0; k < count; k++) {
		uint64_t at = found[k], key = wv_raw_key(letters + at);
		size_t i = first_like(look->anchors, key);
		if (i != 0 && is_anchor(look, key, from + at, i))
			hits |= UINT64_C(1) << at;
	}
	for (; events != 0; events &= events - 1) {
		unsigned at = (unsigned)__builtin_ctzll(events);
		look->seen = false;
		if (w->spaced >> at & 1)
			wv_event_spaced(&look->events, from + at);
		else
			wv_event(&look->events, from + at);
		hits |= (uint64_t)look->seen << at;
	}
	look->hits = hits;
}

static void
next_chunk(struct wv_anchor_look *look)
{
	static const uint8_t behind[] = { 1, 2, 0, 1 };
	const struct wv_normal *text = &look->events.normal;
	struct wv_raw_masks *last = &look->masks[look->turn];
	struct wv_raw_masks *m = &look->masks[behind[look->turn]];
	struct wv_raw_masks *next = &look->masks[behind[look->turn + 1]];
	unsigned char *letters = look->letters;

	if (look->fresh) {
		*last = (struct wv_raw_masks){ 0 };
		wv_raw_read(text, look->at, letters, false, m);
		look->word = 0;
	} else {
		memcpy(letters, letters + CHUNK, CHUNK);
	}
	look->fresh = false;
	wv_raw_read(text, look->at + CHUNK, letters + CHUNK, false, next);
	struct wv_raw_words w =
		wv_raw_words(last, look->word, m, next, letters);
	look->turn = behind[look->turn];
	look->word = w.word;
	/* a letter alone is none */
	w.starts &= w.word >> 1 | next->letter << 63;
	see_chunk(look, &w);
	look->at += CHUNK;
}

bool
wv_anchor_next(struct wv_anchor_look *look, size_t *at)
{
	while (look->hits == 0) {
		if (look->at >= look->events.normal.n)
			return false;
		next_chunk(look);
	}
	*at = look->at - CHUNK + (size_t)__builtin_ctzll(look->hits);
	look->hits &= look->hits - 1;
	return true;
}
