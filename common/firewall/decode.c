/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encoded runs.  A filter of a few operations for each 16 bytes finds where
 * one may be that holds text; hardly any other text passes it.
 */
#include "firewall/decode.h"
#include "firewall/scan-internal.h"

#include <stdlib.h>
#include <string.h>

size_t wv_decode_steps;

enum { BLOCK = 64, SHORTEST = 16 };

struct masks {
	struct wv_code_masks of;
	/* Four of digit that are as far apart as those of hexadecimal are, or
	 * those of pairs, which all but the last of eight have something
	 * behind: of seven, four are in one block. */
	bool is_hex, is_pairs;
};

static uint64_t
four_apart(uint64_t bits, int far)
{
	bits &= bits >> far;
	return bits & bits >> 2 * far;
}

static bool
has_pairs(uint64_t pairs)
{
	uint64_t few = pairs & (pairs - 1);

	return (few & (few - 1)) != 0 &&
		(four_apart(pairs, 3) | four_apart(pairs, 4) |
			four_apart(pairs, 5) | four_apart(pairs, 6)) != 0;
}

static void
look_at(struct masks *m, const char *s, size_t n)
{
	char last[BLOCK] = { 0 };

	if (n < BLOCK)
		s = memcpy(last, s, n);
	wv_code_masks_of(s, &m->of);
	uint64_t digit = m->of.digit;
	m->is_hex = four_apart(digit, 2) != 0;
	m->is_pairs = has_pairs(digit & ~(~m->of.between >> 2));
}

/* From the block before to the one at s. */
static inline void
go_on(struct masks *now, struct masks *next, const char *s, size_t n)
{
	*now = *next;
	if (n > BLOCK)
		look_at(next, s + BLOCK, n - BLOCK);
	else
		*next = (struct masks){ 0 };
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
eight_apart(uint64_t low, uint64_t high, int far)
{
	uint64_t two_low = low & moved(low, high, far);
	uint64_t two_high = high & high >> far;
	uint64_t four_low = two_low & moved(two_low, two_high, 2 * far);
	uint64_t four_high = two_high & two_high >> 2 * far;

	return four_low & moved(four_low, four_high, 4 * far);
}

static uint64_t
hex_starts(const struct masks *m, const struct masks *next)
{
	if (!m->is_hex && !next->is_hex)
		return 0;
	return eight_apart(m->of.digit, next->of.digit, 2);
}

/* "67 68", "67, 68", "0x67,0x68", "0x67, 0x68". */
static uint64_t
pair_starts(const struct masks *m, const struct masks *next)
{
	uint64_t low = m->of.digit, high = next->of.digit;

	if (!m->is_pairs && !next->is_pairs)
		return 0;
	return eight_apart(low, high, 3) | eight_apart(low, high, 4) |
		eight_apart(low, high, 5) | eight_apart(low, high, 6);
}

/* Whether an escape may go on so; of several backslashes the last one tells,
 * and the padding of base64 escapes nothing. */
static inline bool
goes_on(char c, char next)
{
	switch (c) {
	case '=':
		return next == '\n' || wv_is_digit(next) ||
			(next >= 'A' && next <= 'F');
	case '%':
		return wv_hex_values[(unsigned char)next] >= 0;
	case '&':
		return next == '#' || wv_is_letter(next);
	default:
		return next == 'x' || (next | 0x20) == 'u';
	}
}

/* Those of a block of n bytes that may be escapes. */
static uint64_t
escapes(const struct masks *m, const char *s, size_t n)
{
	uint64_t good = 0;

	for (uint64_t left = m->of.escape; left != 0; left &= left - 1) {
		size_t i = (size_t)__builtin_ctzll(left);
		if (i + 1 < n && goes_on(s[i], s[i + 1]))
			good |= left & -left;
	}
	return good;
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
	each_bit(d, base64_starts(m->of.upper, next->of.upper), base,
		wv_examine_base64);
	each_bit(d, hex_starts(m, next), base, wv_examine_hex);
	each_bit(d, pair_starts(m, next), base, wv_examine_pairs);
	each_bit(d, escapes(m, d->s + base, d->n - base), base, examine_escape);
}

static void
examine_from(struct wv_decoder *d, size_t at)
{
	struct masks now, next;

	look_at(&next, d->s + at, d->n - at);
	for (; at < d->n; at += BLOCK) {
		go_on(&now, &next, d->s + at, d->n - at);
		examine_block(d, &now, &next, at);
	}
	wv_str_free(&d->bytes);
	wv_str_free(&d->text);
	free(d->places);
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

	if (live != NULL)
		hold_last(&d);
	examine_from(&d, begin);
}

bool
wv_decode_string(const struct wv_rules *rules, const char *s, size_t n,
	size_t first, struct wv_hits *hits)
{
	struct wv_decoder d = { .rules = rules, .s = s, .n = n, .hits = hits };

	examine_from(&d, first);
	return d.has_run;
}

void
wv_decode_runs(const char *s, size_t n, int depth, wv_decode_judge *judge,
	struct wv_hits *hits)
{
	struct wv_decoder d = {
		.judge = judge, .s = s, .n = n, .depth = depth, .hits = hits
	};
	struct masks now, next;

	if (n < SHORTEST)
		return; /* too few for any */
	look_at(&next, s, n);
	for (size_t base = 0; base < n; base += BLOCK) {
		go_on(&now, &next, s + base, n - base);
		each_bit(&d, base64_starts(now.of.upper, next.of.upper), base,
			wv_examine_base64);
		each_bit(&d, hex_starts(&now, &next), base, wv_examine_hex);
	}
	wv_str_free(&d.bytes);
	wv_str_free(&d.text);
}

/* The places of a block where there is something to decode. */
static uint64_t
coded_places(const struct masks *m, const struct masks *next, const char *s,
	size_t n)
{
	uint64_t places = pair_starts(m, next) | escapes(m, s, n);
	uint64_t base64 = base64_starts(m->of.upper, next->of.upper);
	uint64_t hex = hex_starts(m, next);

	for (; base64 != 0; base64 &= base64 - 1)
		if (wv_base64_is_text(s + __builtin_ctzll(base64)))
			places |= base64 & -base64;
	for (; hex != 0; hex &= hex - 1)
		if (wv_hex_is_text(s + __builtin_ctzll(hex)))
			places |= hex & -hex;
	return places;
}

bool
wv_decode_next(const char *s, size_t n, struct wv_piece *piece, size_t *first)
{
	struct masks now, next;
	size_t base = piece->end;

	look_at(&next, s + base, n - base);
	for (; base < n; base += BLOCK) {
		go_on(&now, &next, s + base, n - base);
		uint64_t places = coded_places(&now, &next, s + base, n - base);
		if (places == 0)
			continue;
		size_t at = base + (size_t)__builtin_ctzll(places);
		wv_piece_at(piece, s, n, at);
		*first = at - piece->start;
		return true;
	}
	return false;
}
