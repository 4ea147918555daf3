/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scanner: 64 bytes at a time a filter says where an anchor or a number
 * may begin, and the recognizers of that anchor look closer.
 */
#include "firewall/scan-internal.h"

#include <string.h>
#include <strings.h>

enum {
	BLOCK = 64,
	SPAN = 24,     /* bytes from the first digit of a number … */
	FEWEST = 8,    /* … that have as many digits at least */
	NEAR_END = 48, /* where more digits may follow */
};

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
	size_t n = at < t->n ? t->n - at : 0;

	*masks = (struct wv_masks){ 0 };
	if (n >= BLOCK + WV_WINDOW - 1) {
		wv_masks_of(&t->rules->filter, (const unsigned char *)t->s + at,
			BLOCK, masks);
	} else if (n > 0) {
		size_t have = n < BLOCK ? n : BLOCK;
		memcpy(end, t->s + at, n);
		memset(end + n, 0, sizeof(end) - n);
		wv_masks_of(&t->rules->filter, end, have, masks);
	}
}

/* Bit i: what bit i + k of now, and then of next, is. */
static uint64_t
ahead(uint64_t now, uint64_t next, int k)
{
	return now >> k | next << (BLOCK - k);
}

static uint64_t
behind(uint64_t before, uint64_t now)
{
	return now << 1 | before >> (BLOCK - 1);
}

/* Whether FEWEST bits are set. */
static inline bool
is_long(uint64_t digits)
{
	for (int i = 1; i < FEWEST; i++)
		digits &= digits - 1;
	return digits != 0;
}

/* Numbers that are long enough; all of them where the text ends. */
static uint64_t
long_numbers(uint64_t starts, const struct wv_masks *now,
	const struct wv_masks *next, size_t left)
{
	uint64_t good = 0;

	for (uint64_t m = starts; m != 0; m &= m - 1) {
		int i = __builtin_ctzll(m);
		uint64_t digits = now->digits >> i, marks = now->between >> i;
		if (i > 0) {
			digits |= next->digits << (BLOCK - i);
			marks |= next->between << (BLOCK - i);
		}
		uint64_t end = ~(digits | marks) | UINT64_C(1) << SPAN;
		if (is_long(digits & ((end & -end) - 1)) ||
			left - (size_t)i < NEAR_END)
			good |= m & -m;
	}
	return good;
}

/* Text that is scanned, block by block. */
struct walk {
	struct wv_text text;
	struct wv_masks before, now, next;
	bool more; /* text follows */
};

static void
candidates(const struct walk *w, size_t base, uint64_t *numbers,
	uint64_t *countries)
{
	const struct wv_masks *now = &w->now, *next = &w->next;
	const struct wv_rules *rules = w->text.rules;
	uint64_t letters = behind(w->before.letters, now->letters);
	uint64_t words = letters | behind(w->before.digits, now->digits);

	*numbers = *countries = 0;
	if (rules->card || rules->phone || rules->ssn || rules->addresses)
		*numbers = now->digits & ~words;
	if (*numbers != 0 && !rules->addresses)
		*numbers = long_numbers(*numbers, now, next,
			w->more ? w->text.n - base : SIZE_MAX);
	if (rules->iban)
		*countries = now->capitals & ~words &
			ahead(now->capitals, next->capitals, 1) &
			ahead(now->digits, next->digits, 2) &
			ahead(now->digits, next->digits, 3);
}

static unsigned
what_at(const struct wv_masks *masks, uint64_t numbers, uint64_t countries,
	int i)
{
	return (masks->anchors >> i & 1 ? ANCHOR : 0) |
		(numbers >> i & 1 ? NUMBER : 0) |
		(countries >> i & 1 ? COUNTRY : 0);
}

/* The first place of the block at base, from `at` on, that decides anything:
 * a hit (1), an open one (-1), or none (0). */
static int
walk_block(struct walk *w, size_t base, struct wv_hit *hit)
{
	struct wv_text *t = &w->text;
	uint64_t numbers, countries;

	candidates(w, base, &numbers, &countries);
	uint64_t all = w->now.anchors | numbers | countries;
	for (; all != 0; all &= all - 1) {
		int i = __builtin_ctzll(all);
		if (base + (size_t)i >= t->n)
			break;
		unsigned what = what_at(&w->now, numbers, countries, i);
		bool found = judge(t, base + (size_t)i, what, hit);
		if (w->more && t->open)
			return -1;
		if (found)
			return 1;
	}
	return 0;
}

/* As walk_block(), of all from `at` on. */
static int
walk(struct walk *w, size_t at, struct wv_hit *hit)
{
	struct wv_text *t = &w->text;
	int decided = 0;

	w->before = (struct wv_masks){ 0 };
	if (at > t->from) {
		uint64_t last = UINT64_C(1) << (BLOCK - 1);
		w->before.letters = wv_is_letter(t->s[at - 1]) ? last : 0;
		w->before.digits = wv_is_digit(t->s[at - 1]) ? last : 0;
	}
	masks_at(t, at, &w->now);
	for (; at < t->n && decided == 0; at += BLOCK) {
		masks_at(t, at + BLOCK, &w->next);
		WV_STEPS(BLOCK);
		decided = walk_block(w, at, hit);
		w->before = w->now;
		w->now = w->next;
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

/* Where a line break at the end of the text, or what there is of a footer
 * behind it, begins: -----END PRIV */
static size_t
footer_start(const struct wv_text *t)
{
	size_t at = t->n, low = t->n > WV_REACH ? t->n - WV_REACH : 0;

	if (low < t->from)
		low = t->from;
	while (at > low &&
		(t->s[at - 1] == '-' || t->s[at - 1] == ' ' ||
			(t->s[at - 1] >= 'A' && t->s[at - 1] <= 'Z')))
		at--;
	while (at < t->n && t->s[at] == ' ')
		at++;
	if (at < t->n && t->s[at] == '-')
		return at;
	at = t->n;
	while (at > low && (t->s[at - 1] == '\\' || t->s[at - 1] == '\r'))
		at--;
	return at;
}

/* From where on an anchor that is still to come may have its hit. */
static size_t
tail(const struct wv_text *t)
{
	size_t start = t->n;

	while (start > t->from && t->n - start < WV_REACH &&
		(unsigned char)t->s[start - 1] > ' ')
		start--;
	for (size_t i = 0; i < t->rules->count; i++) {
		const struct wv_rule *rule = &t->rules->rows[i];
		size_t n = rule->spaced;
		if (n > t->n - t->from)
			n = t->n - t->from;
		for (; n > 0 && n > t->n - start; n--)
			if (strncasecmp(rule->anchor, t->s + t->n - n, n) == 0)
				start = t->n - n;
	}
	size_t footer = footer_start(t), lines = wv_key_lines(t, footer);
	return lines < start && lines < footer ? lines : start;
}

static bool
scan(struct walk *w, size_t at, struct wv_hit *hit, size_t *live)
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
		*live = tail(t);
		if (decided < 0 && t->low < *live)
			*live = t->low;
		if (*live < first)
			*live = first;
	}
	return decided > 0;
}

/* As walk_block(), but each place is judged in the string it is in. */
static bool
walk_pieces(struct walk *w, size_t base, struct wv_piece *piece)
{
	const char *s = w->text.s;
	uint64_t numbers, countries;
	struct wv_hit hit;

	candidates(w, base, &numbers, &countries);
	uint64_t all = w->now.anchors | numbers | countries;
	for (; all != 0; all &= all - 1) {
		int i = __builtin_ctzll(all);
		size_t at = base + (size_t)i;
		if (at >= w->text.n)
			break;
		wv_piece_at(piece, s, w->text.n, at);
		struct wv_text one = { .s = s + piece->start,
			.n = piece->end - piece->start,
			.rules = w->text.rules };
		unsigned what = what_at(&w->now, numbers, countries, i);
		if (s[at] != '\0' && judge(&one, at - piece->start, what, &hit))
			return true;
	}
	return false;
}

bool
wv_scan_pieces(const struct wv_rules *rules, const char *s, size_t n,
	struct wv_piece *piece)
{
	struct walk w = { .text = { s, n, 0, wv_rules_or_built_in(rules), false,
				  0 } };
	size_t at = piece->end;
	bool found = false;

	masks_at(&w.text, at, &w.now);
	for (; at < n && !found; at += BLOCK) {
		masks_at(&w.text, at + BLOCK, &w.next);
		found = walk_pieces(&w, at, piece);
		w.before = w.now;
		w.now = w.next;
	}
	return found;
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
	struct walk w = { .text = { s, n, from, wv_rules_or_built_in(rules),
				  false, 0 },
		.more = false };

	return scan(&w, live > from ? live : from, hit, &live);
}

bool
wv_scan_more(const struct wv_rules *rules, const char *s, size_t n, size_t from,
	struct wv_hit *hit, size_t *live)
{
	struct walk w = { .text = { s, n, from, wv_rules_or_built_in(rules),
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
