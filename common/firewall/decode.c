/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encoded runs.  A filter of a few operations for each 16 bytes finds where
 * one may be that holds text; hardly any other text passes it.
 */
#include "firewall/decode.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

size_t wv_decode_steps;

/* Of 64 bytes, bit i for byte i. */
struct masks {
	uint64_t upper; /* A-Z a-f: the first six bits of ASCII in base64 */
	uint64_t digit; /* 2-7: the first four bits of ASCII in hexadecimal */
	uint64_t percent;
	uint64_t backslash;
};

enum { BLOCK = 64, LANE = 16 };

#ifdef __SSE2__

static __m128i
within(__m128i v, char first, char last)
{
	__m128i moved = _mm_sub_epi8(v, _mm_set1_epi8(first));

	return _mm_cmpeq_epi8(
		_mm_min_epu8(moved, _mm_set1_epi8((char)(last - first))),
		moved);
}

static uint64_t
bits(__m128i v)
{
	return (uint64_t)(uint16_t)_mm_movemask_epi8(v);
}

static void
look_at_lane(struct masks *m, const char *s, int shift)
{
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)s);

	m->upper |= bits(_mm_or_si128(within(v, 'A', 'Z'), within(v, 'a', 'f')))
		<< shift;
	m->digit |= bits(within(v, '2', '7')) << shift;
	m->percent |= bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('%'))) << shift;
	m->backslash |= bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))) << shift;
}

#else

static void
look_at_lane(struct masks *m, const char *s, int shift)
{
	for (int i = 0; i < LANE; i++) {
		uint64_t bit = (uint64_t)1 << (shift + i);
		bool upper = (s[i] >= 'A' && s[i] <= 'Z') ||
			(s[i] >= 'a' && s[i] <= 'f');
		m->upper |= upper ? bit : 0;
		m->digit |= s[i] >= '2' && s[i] <= '7' ? bit : 0;
		m->percent |= s[i] == '%' ? bit : 0;
		m->backslash |= s[i] == '\\' ? bit : 0;
	}
}

#endif

static void
look_at(struct masks *m, const char *s, size_t n)
{
	*m = (struct masks){ 0 };
	for (size_t i = 0; i < n && i < BLOCK; i += LANE) {
		char last[LANE] = { 0 };
		if (n - i >= LANE) {
			look_at_lane(m, s + i, (int)i);
			continue;
		}
		memcpy(last, s + i, n - i);
		look_at_lane(m, last, (int)i);
	}
}

/* The bits of a mask and, behind them, of the next one, moved down. */
static uint64_t
moved(uint64_t low, uint64_t high, int by)
{
	return low >> by | high << (BLOCK - by);
}

/* Where four groups of base64 may begin that are ASCII. */
static uint64_t
base64_starts(uint64_t low, uint64_t high)
{
	uint64_t two_low = low & moved(low, high, 4);
	uint64_t two_high = high & high >> 4;

	return two_low & moved(two_low, two_high, 8);
}

/* The same of eight bytes of hexadecimal. */
static uint64_t
hex_starts(uint64_t low, uint64_t high)
{
	uint64_t two_low = low & moved(low, high, 2);
	uint64_t two_high = high & high >> 2;
	uint64_t four_low = two_low & moved(two_low, two_high, 4);
	uint64_t four_high = two_high & two_high >> 4;

	return four_low & moved(four_low, four_high, 8);
}

static void
each_bit(struct wv_decoder *d, uint64_t mask, size_t base,
	void (*examine)(struct wv_decoder *, size_t))
{
	for (; mask != 0; mask &= mask - 1)
		examine(d, base + (size_t)__builtin_ctzll(mask));
}

static void
examine_block(struct wv_decoder *d, const struct masks *m,
	const struct masks *next, size_t base)
{
	uint64_t base64 = base64_starts(m->upper, next->upper);
	uint64_t hex = hex_starts(m->digit, next->digit);

	if ((base64 | hex | m->percent | m->backslash) == 0)
		return;
	each_bit(d, base64, base, wv_examine_base64);
	each_bit(d, hex, base, wv_examine_hex);
	each_bit(d, m->percent, base, wv_examine_percent);
	each_bit(d, m->backslash, base, wv_examine_backslash);
}

/* What follows may belong to the last word. */
static void
hold_last_word(struct wv_decoder *d)
{
	size_t start = d->n;

	while (start > d->begin && !wv_ends_word(d->s, start - 1))
		start--;
	wv_decode_hold(d, start);
}

void
wv_decode_hold(struct wv_decoder *d, size_t from)
{
	if (from < *d->live)
		*d->live = from;
}

void
wv_decode_find(const struct wv_rules *rules, const char *s, size_t n,
	size_t begin, int depth, struct wv_hits *hits, struct wv_hits *spans,
	size_t *live)
{
	struct wv_decoder d = { .rules = rules,
		.s = s,
		.n = n,
		.begin = begin,
		.depth = depth,
		.hits = hits,
		.spans = spans,
		.live = live };
	struct masks now, next;

	if (live != NULL)
		hold_last_word(&d);
	look_at(&next, s + begin, n - begin);
	for (size_t base = begin; base < n; base += BLOCK) {
		now = next;
		if (n - base > BLOCK)
			look_at(&next, s + base + BLOCK, n - base - BLOCK);
		else
			next = (struct masks){ 0 };
		examine_block(&d, &now, &next, base);
	}
	wv_str_free(&d.bytes);
	wv_str_free(&d.text);
	free(d.places);
}
