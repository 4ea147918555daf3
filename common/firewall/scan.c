/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scanner: 64 bytes at a time a filter says where an anchor or a number
 * may begin, and the recognizers of that anchor look closer.
 */
#include "firewall/scan-internal.h"

#include <string.h>
#include <strings.h>

enum { BLOCK = 64 };

#ifdef WV_SCAN_STEPS
size_t wv_scan_steps;
#endif

/* The first 8 bytes from `at` on, with zeros behind the end. */
static inline uint64_t
eight_at(const struct wv_text *t, size_t at)
{
	uint64_t eight = 0;

	if (t->n - at >= sizeof(eight))
		memcpy(&eight, t->s + at, sizeof(eight));
	else
		memcpy(&eight, t->s + at, t->n - at);
	return eight;
}

/* The 8 bytes may begin the anchor. */
static inline bool
fits(uint64_t eight, const struct wv_rule *rule)
{
	return ((eight | rule->fold) & rule->mask) == rule->first;
}

static bool
anchored(const struct wv_text *t, size_t at, const struct wv_rule *rule)
{
	size_t n = rule->length;

	if (n <= sizeof(rule->first))
		return true;
	if (n > t->n - at)
		return false;
	return rule->any_case ? strncasecmp(t->s + at, rule->anchor, n) == 0
			      : memcmp(t->s + at, rule->anchor, n) == 0;
}

static inline bool
try_rows(struct wv_text *t, size_t at, bool shapes, struct wv_hit *hit)
{
	const struct wv_rules *rules = t->rules;

	if (t->n - at < 2)
		return false;
	uint64_t eight = eight_at(t, at);
	size_t slot = wv_rule_slot(t->s + at), end = rules->slots[slot + 1];
	for (size_t i = rules->slots[slot]; i < end; i++) {
		const struct wv_rule *rule = &rules->rows[i];
		WV_STEPS(1);
		if (!fits(eight, rule) || !anchored(t, at, rule) ||
			(shapes && rule->kind == NULL))
			continue;
		if (rule->recognize(t, at, rule, hit))
			return true;
	}
	return false;
}

bool
wv_scan_shape(struct wv_text *t, size_t at, struct wv_hit *hit)
{
	size_t low = t->low;
	bool found =
		at < t->n && try_rows(t, at, true, hit) && hit->start == at;

	t->low = low;
	return found;
}

/* What the recognizers of a place say; bits of what may begin there. */
enum { ANCHOR = 1, NUMBER = 2, COUNTRY = 4 };

static bool
judge(struct wv_text *t, size_t at, unsigned what, struct wv_hit *hit)
{
	const struct wv_rules *rules = t->rules;
	char c = t->s[at];

	t->open = false;
	t->low = at;
	if (what & ANCHOR) {
		if (c == '@' && rules->email && wv_email(t, at, NULL, hit))
			return true;
		if (c == ':' && rules->addresses &&
			wv_address(t, at, NULL, hit))
			return true;
		if (try_rows(t, at, false, hit))
			return true;
	}
	if (what & NUMBER) {
		if (rules->addresses && wv_address(t, at, NULL, hit))
			return true;
		if (wv_number(t, at, NULL, hit))
			return true;
	}
	return (what & COUNTRY) && wv_iban(t, at, NULL, hit);
}

static void
masks_at(const struct wv_text *t, size_t at, struct wv_masks *masks)
{
	unsigned char end[BLOCK + WV_WINDOW];
	const unsigned char *s = (const unsigned char *)t->s + at;
	size_t n = at < t->n ? t->n - at : 0;

	if (n == 0) {
		*masks = (struct wv_masks){ 0 };
		return;
	}
	if (n < BLOCK + WV_WINDOW - 1) {
		memcpy(end, s, n);
		memset(end + n, 0, sizeof(end) - n);
		s = end;
	}
	wv_masks_of(&t->rules->filter, s, masks);
}

/* Bit i: what bit i + k of now, and then of next, is. */
static uint64_t
ahead(uint64_t now, uint64_t next, int k)
{
	return now >> k | next << (BLOCK - k);
}

/* An anchor of a row begins there, or one that is a byte. */
static inline bool
is_anchor(const struct wv_text *t, size_t at)
{
	const struct wv_rules *rules = t->rules;
	const unsigned char *single = rules->filter.single;
	unsigned char c = (unsigned char)t->s[at];

	if (c == single[0] || c == single[1])
		return true;
	if (t->n - at < 2)
		return false;
	uint64_t eight = eight_at(t, at);
	size_t slot = wv_rule_slot(t->s + at), end = rules->slots[slot + 1];
	size_t i = rules->slots[slot];
	while (i < end && !fits(eight, &rules->rows[i]))
		i++;
	return i < end;
}

/* Of those that passed the filter. */
static uint64_t
anchors(const struct wv_walk *w, size_t base)
{
	uint64_t good = 0;

	for (uint64_t m = w->now.anchors; m != 0; m &= m - 1) {
		size_t at = base + (size_t)__builtin_ctzll(m);
		if (at >= w->text.n)
			break;
		if (is_anchor(&w->text, at))
			good |= m & -m;
	}
	return good;
}

/* What may begin in a block. */
struct candidates {
	uint64_t anchors, numbers, countries;
};

static struct candidates
candidates(const struct wv_walk *w, size_t base)
{
	const struct wv_masks *now = &w->now, *next = &w->next;
	const struct wv_rules *rules = w->text.rules;
	struct candidates c = { .anchors = anchors(w, base) };
	uint64_t letters = now->letters << 1 | w->letter;
	uint64_t words = letters | now->digits << 1 | w->digit;

	if (rules->card || rules->phone || rules->ssn || rules->addresses)
		c.numbers = now->digits & ~words;
	if (c.numbers != 0 && !rules->addresses)
		c.numbers = wv_scan_numbers(w, base, c.numbers);
	if (rules->iban)
		c.countries = now->capitals & ~words &
			ahead(now->capitals, next->capitals, 1) &
			ahead(now->digits, next->digits, 2) &
			ahead(now->digits, next->digits, 3);
	return c;
}

static unsigned
what_at(const struct candidates *c, int i)
{
	return (c->anchors >> i & 1 ? ANCHOR : 0) |
		(c->numbers >> i & 1 ? NUMBER : 0) |
		(c->countries >> i & 1 ? COUNTRY : 0);
}

/* The first place of the block at base, from `at` on, that decides anything:
 * a hit (1), an open one (-1), or none (0). */
static int
walk_block(struct wv_walk *w, size_t base, struct wv_hit *hit)
{
	struct wv_text *t = &w->text;
	struct candidates c = candidates(w, base);
	uint64_t all = c.anchors | c.numbers | c.countries;

	for (; all != 0; all &= all - 1) {
		int i = __builtin_ctzll(all);
		unsigned what = what_at(&c, i);
		bool found = judge(t, base + (size_t)i, what, hit);
		if (w->more && t->open)
			return -1;
		if (found)
			return 1;
	}
	return 0;
}

static void
next_block(struct wv_walk *w)
{
	w->letter = w->now.letters >> (BLOCK - 1);
	w->digit = w->now.digits >> (BLOCK - 1);
	w->now = w->next;
}

/* As walk_block(), of all from `at` on. */
static int
walk(struct wv_walk *w, size_t at, struct wv_hit *hit)
{
	struct wv_text *t = &w->text;
	int decided = 0;

	w->letter = at > t->from && wv_is_letter(t->s[at - 1]);
	w->digit = at > t->from && wv_is_digit(t->s[at - 1]);
	masks_at(t, at, &w->now);
	for (; at < t->n && decided == 0; at += BLOCK) {
		masks_at(t, at + BLOCK, &w->next);
		WV_STEPS(BLOCK);
		decided = walk_block(w, at, hit);
		next_block(w);
	}
	return decided;
}

/* A hit that is none: a mark, behind which the scan goes on as behind what
 * stood there, or a value that is allowed. */
static bool
is_passed(struct wv_text *t, const struct wv_hit *hit)
{
	const char *s = t->s + hit->start;
	size_t n = hit->end - hit->start;

	if (wv_mark_length(s, n) == n) {
		t->from = hit->end;
		return true;
	}
	return wv_rules_allows(t->rules, hit->kind, s, n);
}

static bool
scan(struct wv_walk *w, size_t at, struct wv_hit *hit, size_t *live)
{
	struct wv_text *t = &w->text;
	size_t first = at;
	int decided;

	for (;;) {
		decided = walk(w, at, hit);
		if (decided <= 0 || !is_passed(t, hit))
			break;
		at = hit->end;
	}
	if (decided > 0) {
		/* What stands before was let go. */
		if (hit->start < first)
			hit->start = first;
		*live = hit->end;
	} else if (w->more) {
		*live = wv_scan_tail(t);
		if (decided < 0 && t->low < *live)
			*live = t->low;
		if (*live < first)
			*live = first;
	}
	return decided > 0;
}

/* Strings that are walked through together. */
struct pieces {
	struct wv_piece piece;
	size_t done; /* all before is */
	wv_scan_told *told;
	void *arg;
};

static void
tell_piece(struct pieces *p, struct wv_text *one, const struct wv_hit *hit)
{
	struct wv_hit here = { hit->start + p->piece.start,
		hit->end + p->piece.start, hit->kind };

	p->done = p->piece.end;
	p->told(p->arg, &p->piece, is_passed(one, hit) ? NULL : &here);
}

/* As walk_block(), but each place is judged in the string it is in. */
static void
walk_pieces(const struct wv_walk *w, size_t base, struct pieces *p)
{
	const char *s = w->text.s;
	struct candidates c = candidates(w, base);
	uint64_t all = c.anchors | c.numbers | c.countries;
	struct wv_hit hit;

	for (; all != 0; all &= all - 1) {
		int i = __builtin_ctzll(all);
		size_t at = base + (size_t)i;
		if (at < p->done)
			continue;
		wv_piece_at(&p->piece, s, w->text.n, at);
		size_t start = p->piece.start;
		struct wv_text one = { .s = s + start,
			.n = p->piece.end - start,
			.rules = w->text.rules };
		if (judge(&one, at - start, what_at(&c, i), &hit))
			tell_piece(p, &one, &hit);
	}
}

void
wv_scan_pieces(const struct wv_rules *rules, const char *s, size_t from,
	size_t n, wv_scan_told *told, void *arg)
{
	struct wv_walk w = { .text = { s, n, 0, wv_rules_or_built_in(rules),
				     false, 0 },
		.apart = true };
	struct pieces p = { { from, from }, from, told, arg };

	masks_at(&w.text, from, &w.now);
	while (from < n) {
		masks_at(&w.text, from + BLOCK, &w.next);
		walk_pieces(&w, from, &p);
		next_block(&w);
		from += BLOCK;
		if (p.done <= from + BLOCK)
			continue;
		/* The rest of a long one is passed over. */
		from = p.done;
		masks_at(&w.text, from, &w.now);
		w.letter = w.digit = 0;
	}
}

bool
wv_scan(const struct wv_rules *rules, const char *s, size_t n, size_t from,
	struct wv_hit *hit)
{
	return wv_scan_last(rules, s, n, from, hit, from);
}

bool
wv_scan_last(const struct wv_rules *rules, const char *s, size_t n, size_t from,
	struct wv_hit *hit, size_t live)
{
	struct wv_walk w = { .text = { s, n, from, wv_rules_or_built_in(rules),
				     false, 0 },
		.more = false };

	return scan(&w, live > from ? live : from, hit, &live);
}

bool
wv_scan_more(const struct wv_rules *rules, const char *s, size_t n, size_t from,
	struct wv_hit *hit, size_t *live)
{
	struct wv_walk w = { .text = { s, n, from, wv_rules_or_built_in(rules),
				     false, 0 },
		.more = true };

	return scan(&w, *live > from ? *live : from, hit, live);
}

size_t
wv_mark_length(const char *s, size_t n)
{
	static const char open[] = "[REDACTED:";
	size_t i = sizeof(open) - 1;

	if (n <= i || memcmp(s, open, i) != 0)
		return 0;
	while (i < n &&
		((s[i] >= 'a' && s[i] <= 'z') || wv_is_digit(s[i]) ||
			s[i] == '-'))
		i++;
	return i < n && s[i] == ']' && i >= sizeof(open) ? i + 1 : 0;
}
