/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-16 and UTF-32. */
#include "firewall/clean.h"
#include "json/utf8.h"

#include <string.h>

enum {
	SAMPLE = 64 << 10, /* bytes that tell */
	SHORTEST = 8,      /* without a mark */
};

static uint32_t
unit(const struct wv_wide *w, const unsigned char *s)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < w->width; i++)
		value = value << 8 | s[w->big ? i : w->width - 1 - i];
	return value;
}

static bool
is_surrogate(uint32_t u)
{
	return u >= 0xD800 && u <= 0xDFFF;
}

/* The character at s, and its bytes; 0: it goes on behind the end. */
static size_t
character(
	const struct wv_wide *w, const unsigned char *s, size_t n, uint32_t *cp)
{
	if (n < w->width)
		return 0;
	*cp = unit(w, s);
	if (w->width == 4 || !is_surrogate(*cp))
		return w->width;
	if (*cp >= 0xDC00)
		return w->width;
	if (n < 4)
		return 0;
	uint32_t low = unit(w, s + 2);
	if (low < 0xDC00 || low > 0xDFFF)
		return w->width;
	*cp = 0x10000 + ((*cp - 0xD800) << 10) + (low - 0xDC00);
	return 4;
}

static bool
is_valid(uint32_t cp)
{
	return cp <= 0x10FFFF && !is_surrogate(cp);
}

/* Of text: no control but those that text and terminals use, no
 * noncharacter. */
static bool
is_text_character(uint32_t cp)
{
	if (cp < ' ')
		return cp != 0 && strchr("\a\b\t\n\f\r\x1B", (int)cp) != NULL;
	return is_valid(cp) && (cp & 0xFFFE) != 0xFFFE;
}

static bool
is_text(const struct wv_wide *w, const unsigned char *s, size_t n)
{
	size_t all = 0, bad = 0, len;
	uint32_t cp;

	n = n < SAMPLE ? n : SAMPLE;
	for (size_t i = w->mark; (len = character(w, s + i, n - i, &cp)) > 0;
		i += len) {
		all++;
		bad += !is_text_character(cp);
	}
	return all > 0 && bad <= all / 32;
}

static const struct {
	const char *bytes;
	struct wv_wide wide;
} marks[] = {
	{ "\xFF\xFE\0\0", { 4, false, 4 } },
	{ "\0\0\xFE\xFF", { 4, true, 4 } },
	{ "\xFF\xFE", { 2, false, 2 } },
	{ "\xFE\xFF", { 2, true, 2 } },
};

/* Without a mark, text of which most is ASCII. */
static const struct wv_wide bare[] = {
	{ 4, false, 0 },
	{ 4, true, 0 },
	{ 2, false, 0 },
	{ 2, true, 0 },
};

/* Bytes that read well as they are: a mark before them proves nothing, and
 * would hide them in letters of other scripts. */
static bool
is_bytes(const struct wv_wide *w, const unsigned char *s, size_t n)
{
	size_t ascii = 0, all = (n < SAMPLE ? n : SAMPLE) - w->mark;

	for (size_t i = 0; i < all; i++)
		ascii += s[w->mark + i] >= ' ' && s[w->mark + i] < 0x7F;
	return ascii > all - all / 8;
}

static bool
is_mostly_ascii(const struct wv_wide *w, const unsigned char *s, size_t n)
{
	size_t all = 0, ascii = 0;

	n = n < SAMPLE ? n : SAMPLE;
	for (size_t i = 0; n - i >= w->width; i += w->width, all++) {
		uint32_t u = unit(w, s + i);
		ascii += u > 0 && u < 0x80;
	}
	return ascii > all - all / 4;
}

bool
wv_wide_read(struct wv_wide *wide, const char *raw, size_t n)
{
	const unsigned char *s = (const unsigned char *)raw;

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		*wide = marks[i].wide;
		if (n > wide->mark &&
			memcmp(s, marks[i].bytes, wide->mark) == 0 &&
			is_text(wide, s, n) && !is_bytes(wide, s, n))
			return true;
	}
	/* A NUL is at most three bytes away from the start of any. */
	bool may_be = n >= SHORTEST && memchr(raw, 0, 4) != NULL;
	for (size_t i = 0; may_be && i < sizeof(bare) / sizeof(bare[0]); i++) {
		*wide = bare[i];
		if (is_mostly_ascii(wide, s, n) && is_text(wide, s, n))
			return true;
	}
	*wide = (struct wv_wide){ 0 };
	return false;
}

size_t
wv_wide_decode(struct wv_str *out, const struct wv_wide *w, const char *raw,
	size_t n, bool is_last, struct wv_findings *findings)
{
	const unsigned char *s = (const unsigned char *)raw;
	size_t i = 0, len;
	uint32_t cp;

	while ((len = character(w, s + i, n - i, &cp)) > 0) {
		char *to = wv_str_room(out, 4);
		bool good = is_valid(cp);
		findings->invalid += !good;
		out->n += (size_t)wv_utf8_put(to, good ? cp : 0xFFFD);
		i += len;
	}
	if (i == n || !is_last)
		return i;
	wv_str_cat(out, "\xEF\xBF\xBD");
	findings->invalid++;
	return n;
}
