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
	uint64_t upper;  /* A-Z a-f: the first six bits of ASCII in base64 */
	uint64_t digit;  /* 2-7: the first four bits of ASCII in hexadecimal */
	uint64_t escape; /* % \\ & = */
	uint64_t apart;  /* four of digit, as far apart as those of pairs are */
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

static __m128i
is_byte(__m128i v, char c)
{
	return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}

static uint64_t
bits(__m128i v)
{
	return (uint64_t)(uint16_t)_mm_movemask_epi8(v);
}

static inline void
look_at_lane(struct masks *m, const char *s, int shift)
{
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)s);

	m->upper |= bits(_mm_or_si128(within(v, 'A', 'Z'), within(v, 'a', 'f')))
		<< shift;
	m->digit |= bits(within(v, '2', '7')) << shift;
	m->escape |= bits(_mm_or_si128(
			     _mm_or_si128(is_byte(v, '%'), is_byte(v, '\\')),
			     _mm_or_si128(is_byte(v, '&'), is_byte(v, '='))))
		<< shift;
}

#else

static inline void
look_at_lane(struct masks *m, const char *s, int shift)
{
	for (int i = 0; i < LANE; i++) {
		uint64_t bit = (uint64_t)1 << (shift + i);
		bool upper = (s[i] >= 'A' && s[i] <= 'Z') ||
			(s[i] >= 'a' && s[i] <= 'f');
		m->upper |= upper ? bit : 0;
		m->digit |= s[i] >= '2' && s[i] <= '7' ? bit : 0;
		m->escape |= s[i] == '%' || s[i] == '\\' || s[i] == '&' ||
				s[i] == '='
			? bit
			: 0;
	}
}

#endif

static uint64_t
four_apart(uint64_t bits, int far)
{
	bits &= bits >> far;
	return bits & bits >> 2 * far;
}

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
	m->apart = four_apart(m->digit, 3) | four_apart(m->digit, 4) |
		four_apart(m->digit, 5) | four_apart(m->digit, 6);
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

/* The same of eight bytes of hexadecimal, each of which is so far behind the
 * one before. */
static uint64_t
hex_starts(uint64_t low, uint64_t high, int far)
{
	uint64_t two_low = low & moved(low, high, far);
	uint64_t two_high = high & high >> far;
	uint64_t four_low = two_low & moved(two_low, two_high, 2 * far);
	uint64_t four_high = two_high & two_high >> 2 * far;

	return four_low & moved(four_low, four_high, 4 * far);
}

/* "67 68", "67, 68", "0x67,0x68", "0x67, 0x68"; of eight, four are in one
 * block. */
static uint64_t
pair_starts(const struct masks *m, const struct masks *next)
{
	uint64_t low = m->digit, high = next->digit;

	if ((m->apart | next->apart) == 0)
		return 0;
	return hex_starts(low, high, 3) | hex_starts(low, high, 4) |
		hex_starts(low, high, 5) | hex_starts(low, high, 6);
}

static void
examine_escape(struct wv_decoder *d, size_t at)
{
	if (d->s[at] == '=')
		wv_examine_quoted(d, at);
	else
		wv_examine_escape(d, at);
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
	uint64_t hex = hex_starts(m->digit, next->digit, 2);
	uint64_t pairs = pair_starts(m, next);

	if ((base64 | hex | pairs | m->escape) == 0)
		return;
	each_bit(d, base64, base, wv_examine_base64);
	each_bit(d, hex, base, wv_examine_hex);
	each_bit(d, pairs, base, wv_examine_pairs);
	each_bit(d, m->escape, base, examine_escape);
}

/* What follows may belong to the last word, or to pairs of digits. */
static void
hold_last(struct wv_decoder *d)
{
	size_t start = d->n;

	while (start > d->begin && !wv_ends_word(d->s, start - 1))
		start--;
	wv_decode_hold(d, start);
	wv_decode_hold_pairs(d);
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
		hold_last(&d);
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

void
wv_decode_runs(const char *s, size_t n, int depth, wv_decode_judge *judge,
	struct wv_hits *hits)
{
	struct wv_decoder d = {
		.judge = judge, .s = s, .n = n, .depth = depth, .hits = hits
	};
	struct masks now, next;

	if (n < LANE)
		return; /* too few for any */
	look_at(&next, s, n);
	for (size_t base = 0; base < n; base += BLOCK) {
		now = next;
		next = (struct masks){ 0 };
		if (n - base > BLOCK)
			look_at(&next, s + base + BLOCK, n - base - BLOCK);
		each_bit(&d, base64_starts(now.upper, next.upper), base,
			wv_examine_base64);
		each_bit(&d, hex_starts(now.digit, next.digit, 2), base,
			wv_examine_hex);
	}
	wv_str_free(&d.bytes);
	wv_str_free(&d.text);
}

/* The places of a block where there is something to decode. */
static uint64_t
coded_places(const struct masks *m, const struct masks *next, const char *s)
{
	uint64_t places = pair_starts(m, next), escapes = m->escape;
	uint64_t base64 = base64_starts(m->upper, next->upper);
	uint64_t hex = hex_starts(m->digit, next->digit, 2);

	for (; base64 != 0; base64 &= base64 - 1)
		if (wv_base64_is_text(s + __builtin_ctzll(base64)))
			places |= base64 & -base64;
	for (; hex != 0; hex &= hex - 1)
		if (wv_hex_is_text(s + __builtin_ctzll(hex)))
			places |= hex & -hex;
	/* The padding of base64 escapes nothing. */
	for (; escapes != 0; escapes &= escapes - 1) {
		char after = s[__builtin_ctzll(escapes) + 1];
		if (after != '\0' && after != '=')
			places |= escapes & -escapes;
	}
	return places;
}

bool
wv_decode_next(const char *s, size_t n, struct wv_piece *piece)
{
	struct masks now, next;
	size_t base = piece->end;

	look_at(&next, s + base, n - base);
	for (; base < n; base += BLOCK) {
		now = next;
		next = (struct masks){ 0 };
		if (n - base > BLOCK)
			look_at(&next, s + base + BLOCK, n - base - BLOCK);
		uint64_t places = coded_places(&now, &next, s + base);
		if (places == 0)
			continue;
		wv_piece_at(
			piece, s, n, base + (size_t)__builtin_ctzll(places));
		return true;
	}
	return false;
}
