/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which numbers may be those of a card, a person or a telephone, told by the
 * lengths of their first two groups and by what stands around them.  Most of
 * what is written in digits is a fraction, a time or an id.
 */
#include "firewall/shapes-number.h"

enum {
	SPAN = 24,     /* bytes from the first digit of a number … */
	FEWEST = 8,    /* … that have as many digits at least */
	NEAR_END = 48, /* where more digits may follow */
	LONGEST_GAP = 3,
	SHORTEST_CARD = 12,
	LONGEST_PHONE = 13,
	SSN = 9,
};

/* A number, from its first digit on. */
struct number {
	uint64_t digits, marks;    /* a bit for each byte */
	size_t first, gap, second; /* groups, and what is between them */
	char before;               /* NUL: nothing */
	char digit;                /* the first one */
};

static size_t
ones(uint64_t bits)
{
	return ~bits == 0 ? 64 : (size_t)__builtin_ctzll(~bits);
}

/* FEWEST digits are near. */
static bool
has_many(const struct number *x)
{
	uint64_t end = ~(x->digits | x->marks) | UINT64_C(1) << SPAN;
	uint64_t digits = x->digits & ((end & -end) - 1);

	for (int i = 1; i < FEWEST; i++)
		digits &= digits - 1;
	return digits != 0;
}

static void
read_second(struct number *x)
{
	uint64_t rest = x->digits >> x->first;

	if (rest == 0)
		return;
	x->gap = (size_t)__builtin_ctzll(rest);
	if (x->gap <= LONGEST_GAP && ones(x->marks >> x->first) >= x->gap)
		x->second = ones(rest >> x->gap);
}

/* By the digit that those of an issuer begin with: a bit for each. */
static bool
may_be_card(const struct number *x)
{
	enum { D2 = 4, D3 = 8, D4 = 16, D5 = 32, D6 = 64, D8 = 256 };
	static const uint16_t issuers[] = { D5 | D6, D4 | D5 | D6, D3 | D5 | D6,
		D3 | D5 | D6, D2 | D3 | D4 | D5 | D6 | D8, D5 | D6, D5 | D6,
		D4 | D5 | D6 };
	size_t digits = x->first;

	if (x->first == 4 && (x->second == 4 || x->second == 6))
		digits = 16;
	return digits >= SHORTEST_CARD &&
		issuers[digits - SHORTEST_CARD] >> (x->digit - '0') & 1;
}

/* Without a word that says so. */
static bool
may_be_known(const struct number *x)
{
	if (x->first == 3)
		return x->second == 2 || x->second == 3;
	return x->first == 1 && x->digit == '1' && x->second == 3;
}

static bool
may_be_told(const struct number *x)
{
	size_t both = x->first + x->second;

	if (x->first == SSN)
		return true;
	return x->first <= LONGEST_PHONE &&
		!(x->gap == 1 && both > LONGEST_PHONE && both <= WV_DIGITS);
}

/* Behind a joint it is a card or none, at the beginning no word tells. */
static bool
may_be(struct number *x, const struct wv_text *t, size_t at)
{
	const uint32_t telling =
		1u << 1 | 1u << 3 | 1u << 4 | ~0u << SHORTEST_CARD;
	char c = x->before;
	bool joint = c == '-' || c == '.' || c == '/';

	if (c == '+')
		return true;
	x->first = ones(x->digits);
	if (x->first > WV_DIGITS || c == '%' || c == '$' || c == '_' ||
		((joint || c == '\0') && !(telling >> x->first & 1)))
		return false;
	read_second(x);
	if (may_be_card(x)) /* but for a fraction */
		return x->first == 4 || c != '.' || at - t->from < 2 ||
			!wv_is_digit(t->s[at - 2]);
	return !joint && (may_be_known(x) || (c != '\0' && may_be_told(x)));
}

/* Bits from i on, and those of the next block. */
static uint64_t
from_bit(uint64_t now, uint64_t next, int i)
{
	return i == 0 ? now : now >> i | next << (64 - i);
}

/* Where a run of FEWEST bits begins. */
static uint64_t
runs(uint64_t now, uint64_t next)
{
	for (int k = 1; k < FEWEST; k *= 2) {
		now &= now >> k | next << (64 - k);
		next &= next >> k;
	}
	return now;
}

/* A NUL between strings has nothing before it. */
static char
before(const struct wv_walk *w, size_t at)
{
	const struct wv_text *t = &w->text;

	if (at == t->from)
		return '\0';
	return t->s[at - 1] != '\0' || w->apart ? t->s[at - 1] : ' ';
}

/* Bits of the block at base that are too near to where more text follows. */
static uint64_t
near_end(const struct wv_walk *w, size_t base)
{
	size_t left = w->text.n - base;

	if (!w->more || left >= 64 + NEAR_END)
		return 0;
	return left < NEAR_END ? ~UINT64_C(0)
			       : ~UINT64_C(0) << (left - NEAR_END) << 1;
}

uint64_t
wv_scan_numbers(const struct wv_walk *w, size_t base, uint64_t starts)
{
	const struct wv_masks *now = &w->now, *next = &w->next;
	uint64_t open = near_end(w, base), good = starts & open;

	starts &= ~open &
		runs(now->digits | now->between, next->digits | next->between);
	for (; starts != 0; starts &= starts - 1) {
		int i = __builtin_ctzll(starts);
		size_t at = base + (size_t)i;
		struct number x = {
			.digits = from_bit(now->digits, next->digits, i),
			.marks = from_bit(now->between, next->between, i),
			.before = before(w, at),
			.digit = w->text.s[at],
		};
		if (may_be(&x, &w->text, at) && has_many(&x))
			good |= starts & -starts;
	}
	return good;
}
