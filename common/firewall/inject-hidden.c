/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/inject-internal.h"
#include "json/utf8.h"

#include <string.h>

enum {
	TAGS = 2,      /* of a run, but for a flag's */
	FLAG_TAGS = 7, /* most of a flag, with the last */
	SELECTORS = 4, /* of a payload */
	ZEROS = 8,     /* one by one they are bits */
	PARTED = 5,    /* letters of a word */
	TURNED = 3,    /* letters that are shown from right to left */
	APART = 24,    /* bytes between marks of a payload */
};

/* What a run of characters has shown so far. */
struct run {
	size_t start, end, count;
};

struct hidden {
	const unsigned char *s;
	size_t n, at;
	struct wv_injection *found;
	size_t max, count;
	uint32_t before; /* the character before */
	struct run selectors, zeros, parted, turned;
	bool letter_before; /* a letter, then a zero-width character */
	bool strong;        /* an override, not an embedding or isolate */
};

static bool
is_letter(uint32_t cp)
{
	return (cp | 0x20) >= 'a' && (cp | 0x20) <= 'z';
}

static bool
is_tag(uint32_t cp)
{
	return cp >= 0xE0000 && cp <= 0xE007F;
}

static bool
is_selector(uint32_t cp)
{
	return (cp >= 0xFE00 && cp <= 0xFE0F) ||
		(cp >= 0xE0100 && cp <= 0xE01EF);
}

static bool
is_zero(uint32_t cp)
{
	return (cp >= 0x200B && cp <= 0x200D) ||
		(cp >= 0x2060 && cp <= 0x2064) || cp == 0xFEFF ||
		cp == 0x180E || cp == 0x115F || cp == 0x1160 || cp == 0x3164 ||
		cp == 0x34F || cp == 0xFFA0;
}

/* Hebrew, Arabic and their neighbours. */
static bool
is_right_to_left(uint32_t cp)
{
	return (cp >= 0x590 && cp <= 0x8FF) || (cp >= 0xFB1D && cp <= 0xFDFF) ||
		(cp >= 0xFE70 && cp <= 0xFEFC) ||
		(cp >= 0x10800 && cp <= 0x10FFF) ||
		(cp >= 0x1E800 && cp <= 0x1EFFF);
}

static void
tell(struct hidden *h, size_t start, size_t end)
{
	struct wv_injection *last = h->count ? &h->found[h->count - 1] : NULL;

	if (last != NULL && start <= last->end) {
		if (end > last->end)
			last->end = end;
	} else if (h->count < h->max) {
		h->found[h->count++] =
			(struct wv_injection){ "injection-hidden", start, end };
	}
}

/* One more of a run that goes on while its members are near. */
static void
more(struct hidden *h, struct run *run, size_t at, size_t len, size_t apart,
	size_t enough)
{
	if (run->count == 0 || at - run->end > apart)
		*run = (struct run){ .start = at };
	run->end = at + len;
	if (++run->count >= enough)
		tell(h, run->start, run->end);
}

/* Tags from h->at on, of a character: where they end.  A flag is a black one,
 * small letters and digits, and the end. */
static size_t
tags(struct hidden *h)
{
	size_t at = h->at, count = 0;
	bool flag = h->before == 0x1F3F4;
	uint32_t cp = 0, last = 0;
	int len;

	while ((len = wv_utf8_get(h->s + at, h->n - at, &cp)) > 0 &&
		is_tag(cp)) {
		uint32_t c = cp - 0xE0000;
		flag &= (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
			c == 0x7F;
		last = c;
		count++;
		at += (size_t)len;
	}
	flag &= last == 0x7F && count <= FLAG_TAGS;
	if (count >= TAGS && !flag)
		tell(h, h->at, at);
	return at;
}

static void
selector(struct hidden *h, size_t len)
{
	/* an emoji or Han takes one; a letter or another selector takes none */
	if (is_letter(h->before) || h->before == ' ' || is_selector(h->before))
		more(h, &h->selectors, h->at, len, APART, SELECTORS);
}

static void
zero(struct hidden *h, size_t len)
{
	more(h, &h->zeros, h->at, len, 0, ZEROS);
	if (is_letter(h->before))
		h->letter_before = true;
}

/* i​g​n​o​r​e, with something between each. */
static void
letter(struct hidden *h)
{
	if (h->letter_before && is_zero(h->before))
		more(h, &h->parted, h->at, 1, APART, PARTED - 1);
	else
		h->parted.count = 0;
	h->letter_before = false;
}

/* Bidi controls that turn text; Latin letters alone do not need them. */
static void
turn(struct hidden *h, uint32_t cp, size_t len)
{
	bool begins =
		cp == 0x202B || cp == 0x202D || cp == 0x202E || cp == 0x2067;
	bool ends = cp == 0x202C || cp == 0x2069 || cp == '\n';

	if (begins) {
		h->turned = (struct run){ .start = h->at, .end = h->at + len };
		h->strong = cp == 0x202D || cp == 0x202E;
	} else if (h->turned.end == 0) {
		return;
	} else if (ends || (is_right_to_left(cp) && !h->strong)) {
		h->turned.end = 0;
	} else if (is_letter(cp) && ++h->turned.count >= TURNED && h->strong) {
		tell(h, h->turned.start, h->at + len);
		h->turned.end = 0;
	}
}

/* ESC [ … 8 … m conceals until another of its kind. */
static void
conceal(struct hidden *h)
{
	size_t at = h->at + 2;
	bool eight = false, colour = false;

	if (h->n - h->at < 4 || h->s[h->at + 1] != '[')
		return;
	for (size_t start = at; at < h->n && at - h->at < 24; at++) {
		unsigned char c = h->s[at];
		if (c >= '0' && c <= '9')
			continue;
		eight |= at - start == 1 && h->s[start] == '8';
		colour |= at - start == 2 && h->s[start + 1] == '8';
		start = at + 1;
		if (c != ';')
			break;
	}
	if (at < h->n && h->s[at] == 'm' && eight && !colour)
		tell(h, h->at, at + 1);
}

/* Where the next byte that is not plain ASCII stands. */
static size_t
ascii_end(const unsigned char *s, size_t at, size_t n)
{
	uint64_t w;

	for (; n - at >= 8; at += 8) {
		memcpy(&w, s + at, 8);
		if ((w & 0x8080808080808080u) != 0)
			break;
		/* ESC */
		w ^= 0x1B1B1B1B1B1B1B1Bu;
		if (((w - 0x0101010101010101u) & ~w & 0x8080808080808080u) != 0)
			break;
	}
	while (at < n && s[at] < 0x80 && s[at] != 0x1B)
		at++;
	return at;
}

static bool
goes_on(unsigned char c)
{
	return (c & 0xC0) == 0x80;
}

/* The same of what hides nothing: Latin letters, too, and most of those of
 * Asia (to U+033F; U+4000 to U+D7FF). */
static size_t
plain_end(const unsigned char *s, size_t at, size_t n)
{
	while ((at = ascii_end(s, at, n)) < n) {
		if (s[at] >= 0xC2 && s[at] <= 0xCC && n - at >= 2 &&
			goes_on(s[at + 1]))
			at += 2;
		else if (s[at] >= 0xE4 && s[at] <= 0xED && n - at >= 3 &&
			goes_on(s[at + 1]) && goes_on(s[at + 2]) &&
			(s[at] != 0xED || s[at + 1] < 0xA0))
			at += 3;
		else
			break;
	}
	return at;
}

/* Nothing that plain text could end is open. */
static bool
is_calm(const struct hidden *h)
{
	return h->turned.end == 0 && !h->letter_before && h->parted.count == 0;
}

static void
character(struct hidden *h)
{
	uint32_t cp;
	size_t len = (size_t)wv_utf8_get(h->s + h->at, h->n - h->at, &cp);

	if (len == 0) {
		len = 1;
		cp = 0xFFFD;
	}
	turn(h, cp, len);
	if (is_letter(cp))
		letter(h);
	else if (!is_zero(cp))
		h->letter_before = false;
	if (is_tag(cp)) {
		len = tags(h) - h->at;
	} else if (is_selector(cp)) {
		selector(h, len);
	} else if (is_zero(cp)) {
		zero(h, len);
	} else if (cp == 0x1B) {
		conceal(h);
	}
	h->before = cp;
	h->at += len;
}

size_t
wv_inject_hidden(
	const char *raw, size_t n, struct wv_injection *found, size_t max)
{
	struct hidden h = { .s = (const unsigned char *)raw,
		.n = n,
		.found = found,
		.max = max };

	while (h.at < n) {
		if (is_calm(&h)) {
			size_t end = plain_end(h.s, h.at, n);
			if (end > h.at) {
				h.at = end;
				h.before = h.s[end - 1];
				continue;
			}
		}
		character(&h);
	}
	return h.count;
}
