/* SPDX-License-Identifier: Apache-2.0 */
#include "json/internal.h"

#include "json/quotes.h"

/*
 * UTF-8 as an automaton whose states are shifts: what a byte makes of each is
 * a number of six bits in the word of that byte.  Names say what must follow:
 * so many bytes 80…BF; or the second byte of E0, ED, F0 and F4, which is where
 * overlong forms, surrogates and code points past the end differ.
 */
enum {
	REFUSED = 0,
	WHOLE = 6,
	ONE = 12,
	TWO = 18,
	THREE = 24,
	AFTER_E0 = 30,
	AFTER_ED = 36,
	AFTER_F0 = 42,
	AFTER_F4 = 48,
	STATE = 63, /* the bits that are looked at */
};
#define GO(from, to) ((uint64_t)(to) << (from))
#define NEXT (GO(ONE, WHOLE) | GO(TWO, ONE) | GO(THREE, TWO))

static const uint64_t utf8[256] = {
	[0x00 ... 0x7f] = GO(WHOLE, WHOLE),
	[0x80 ... 0x8f] = NEXT | GO(AFTER_ED, ONE) | GO(AFTER_F4, TWO),
	[0x90 ... 0x9f] = NEXT | GO(AFTER_ED, ONE) | GO(AFTER_F0, TWO),
	[0xa0 ... 0xbf] = NEXT | GO(AFTER_E0, ONE) | GO(AFTER_F0, TWO),
	[0xc2 ... 0xdf] = GO(WHOLE, ONE),
	[0xe0] = GO(WHOLE, AFTER_E0),
	[0xe1 ... 0xec] = GO(WHOLE, TWO),
	[0xed] = GO(WHOLE, AFTER_ED),
	[0xee ... 0xef] = GO(WHOLE, TWO),
	[0xf0] = GO(WHOLE, AFTER_F0),
	[0xf1 ... 0xf3] = GO(WHOLE, THREE),
	[0xf4] = GO(WHOLE, AFTER_F4),
};

/* Nothing is known of what follows p. */
static void
start_at(struct wv_quotes *quotes, const char *p)
{
	quotes->next = quotes->escape = p;
	quotes->utf8 = WHOLE;
	quotes->open = false;
	quotes->window++;
	quotes->taken = quotes->count = 0;
}

void
wv_quotes_begin(struct wv_quotes *quotes, const char *text, size_t n)
{
	quotes->text = text;
	quotes->end = text + n;
	quotes->escapes = false;
	quotes->window = 0;
	start_at(quotes, text);
	if (n < WV_MASK) {
		memset(quotes->small, ' ', WV_MASK);
		memcpy(quotes->small + WV_MASK - n, text, n);
	}
}

void
wv_quotes_go(struct wv_quotes *quotes, struct wv_quotes_place place)
{
	if (place.window == quotes->window)
		quotes->taken = place.taken;
	else
		start_at(quotes, place.p);
}

/* The bytes of one step: n from p on, the topmost ones of the 64 at block. */
struct step {
	const char *p, *block;
	unsigned n;
};

static inline uint64_t
marked(const struct step *step, uint64_t mask)
{
	return mask & UINT64_MAX << (WV_MASK - step->n);
}

/* Of bytes that are not in front of p: those of the step that are. */
static uint64_t
before(const struct step *step, const char *p)
{
	size_t n = (size_t)(p - step->p) + WV_MASK - step->n;

	return n < WV_MASK ? ((uint64_t)1 << n) - 1 : UINT64_MAX;
}

/* From the first byte of the step that is past ASCII. */
static void
check_utf8(struct wv_quotes *quotes, const struct step *step)
{
	uint64_t wide = marked(step, wv_mask_wide(step->block));
	uint64_t state = quotes->utf8;
	const char *end = step->block + WV_MASK, *p = end - step->n;

	if (state == WHOLE && wide == 0)
		return;
	if (state == WHOLE)
		p = step->block + wv_mask_before(wide);
	for (; p < end; p++)
		state = utf8[(unsigned char)*p] >> (state & STATE);
	quotes->utf8 = state & STATE;
}

/* Of the quotes those that are not part of an escape; all escapes must be
 * right. */
static bool
pass_escapes(struct wv_quotes *quotes, const struct step *step, uint64_t *marks)
{
	uint64_t backslashes = marked(step, wv_mask_is(step->block, '\\'));
	uint64_t taken = 0; /* by escapes */
	size_t length, decoded;
	char bytes[4];

	if (quotes->escape > step->p)
		taken = before(step, quotes->escape);
	while ((backslashes &= ~taken) != 0) {
		const char *p = step->p + wv_mask_before(backslashes) -
			(WV_MASK - step->n);
		length = wv_json_unescape(p, quotes->end, bytes, &decoded);
		if (length == 0)
			return false;
		quotes->escape = p + length;
		quotes->escapes = true;
		taken |= before(step, quotes->escape) & ~before(step, p);
	}
	*marks &= ~taken;
	return true;
}

/* The rare bytes of a step; inside: a string goes on at its beginning. */
static bool
pass_odd(struct wv_quotes *quotes, const struct step *step, bool inside,
	uint64_t *marks)
{
	uint64_t controls = marked(step, wv_mask_controls(step->block));

	if (!pass_escapes(quotes, step, marks))
		return false;
	if (controls & (wv_mask_parity(*marks) ^ (inside ? UINT64_MAX : 0)))
		return false;
	check_utf8(quotes, step);
	quotes->open =
		quotes->utf8 != WHOLE || quotes->escape > step->p + step->n;
	return quotes->utf8 != REFUSED;
}

static inline uint64_t
keep_first(uint32_t *to, uint64_t marks, uint32_t offset)
{
	*to = offset + wv_mask_before(marks | (uint64_t)1 << (WV_MASK - 1));
	return marks & (marks - 1);
}

static inline uint64_t
keep_four(uint32_t *to, uint64_t marks, uint32_t offset)
{
	marks = keep_first(to, marks, offset);
	marks = keep_first(to + 1, marks, offset);
	marks = keep_first(to + 2, marks, offset);
	return keep_first(to + 3, marks, offset);
}

/* As many are written as most steps have, without a look at how many there
 * are. */
static inline void
keep(struct wv_quotes *quotes, uint64_t marks, uint32_t offset)
{
	uint32_t *to = quotes->at + quotes->count;

	quotes->count += wv_mask_count(marks);
	marks = keep_four(to, marks, offset);
	marks = keep_four(to + 4, marks, offset);
	marks = keep_four(to + 8, marks, offset);
	for (to += 12; marks != 0; to += 4)
		marks = keep_four(to, marks, offset);
}

/* The last step ends with the text, others may begin before it. */
static inline struct step
next_step(const struct wv_quotes *quotes)
{
	const char *p = quotes->next;
	size_t left = (size_t)(quotes->end - p);

	if (left >= WV_MASK)
		return (struct step){ p, p, WV_MASK };
	if (quotes->end - quotes->text >= WV_MASK)
		return (struct step){ p, quotes->end - WV_MASK,
			(unsigned)left };
	return (struct step){ p, quotes->small, (unsigned)left };
}

static inline bool
pass_step(struct wv_quotes *quotes)
{
	struct step step = next_step(quotes);
	uint64_t marks = marked(&step, wv_mask_is(step.block, '"'));

	if ((wv_mask_is_odd(step.block) || quotes->open) &&
		!pass_odd(quotes, &step, quotes->count & 1, &marks))
		return false;
	keep(quotes, marks,
		(uint32_t)(step.p - quotes->text) - (WV_MASK - step.n));
	quotes->next += step.n;
	return true;
}

/* Strings are taken as pairs, so a count is odd within a string. */
bool
wv_quotes_fill(struct wv_quotes *quotes)
{
	uint32_t left = quotes->count - quotes->taken;

	if (left > 0)
		quotes->at[0] = quotes->at[quotes->taken];
	quotes->window++;
	quotes->taken = 0;
	quotes->count = left;
	for (unsigned n = 0; n < WV_QUOTES_WINDOW || quotes->count < 2; n++) {
		if (quotes->next == quotes->end)
			break;
		if (!pass_step(quotes))
			return false;
	}
	return quotes->count >= 2;
}
