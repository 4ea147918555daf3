/* SPDX-License-Identifier: Apache-2.0 */
/* Words as pages and mails write them: HTML's entities, quoted-printable. */
#include "firewall/decode.h"
#include "firewall/scan-internal.h"

#include <string.h>

/* Those of ASCII that a page may have; capitals count. */
static const struct {
	char character;
	struct wv_word name;
} entities[] = {
	{ '&', WV_W("amp;") },
	{ '"', WV_W("quot;") },
	{ '\'', WV_W("apos;") },
	{ '<', WV_W("lt;") },
	{ '>', WV_W("gt;") },
	{ ' ', WV_W("nbsp;") },
	{ '\t', WV_W("Tab;") },
	{ '\n', WV_W("NewLine;") },
	{ '!', WV_W("excl;") },
	{ '#', WV_W("num;") },
	{ '$', WV_W("dollar;") },
	{ '%', WV_W("percnt;") },
	{ '(', WV_W("lpar;") },
	{ ')', WV_W("rpar;") },
	{ '*', WV_W("ast;") },
	{ '+', WV_W("plus;") },
	{ ',', WV_W("comma;") },
	{ '-', WV_W("hyphen;") },
	{ '.', WV_W("period;") },
	{ '/', WV_W("sol;") },
	{ ':', WV_W("colon;") },
	{ ';', WV_W("semi;") },
	{ '=', WV_W("equals;") },
	{ '?', WV_W("quest;") },
	{ '@', WV_W("commat;") },
	{ '[', WV_W("lsqb;") },
	{ '\\', WV_W("bsol;") },
	{ ']', WV_W("rsqb;") },
	{ '_', WV_W("lowbar;") },
	{ '`', WV_W("grave;") },
	{ '{', WV_W("lcub;") },
	{ '|', WV_W("verbar;") },
	{ '}', WV_W("rcub;") },
};

/* &#97 or &#x61, whose ; may be missing; from behind the #. */
static int32_t
read_number(const struct wv_decoder *d, size_t at, size_t *end)
{
	enum { LONGEST = 8 };
	int base = at < d->n && (d->s[at] | 0x20) == 'x' ? 16 : 10;
	size_t first = at + (base == 16), i = first;
	int64_t value = 0;

	for (; i < d->n && i - first < LONGEST; i++) {
		int digit = wv_hex_values[(unsigned char)d->s[i]];
		if (digit < 0 || digit >= base)
			break;
		value = value * base + digit;
	}
	*end = i < d->n && d->s[i] == ';' ? i + 1 : i;
	return i > first && value <= 0x10FFFF ? (int32_t)value : -1;
}

int32_t
wv_read_entity(const struct wv_decoder *d, size_t at, size_t *end)
{
	const char *name = d->s + at + 1;
	size_t left = d->n - at - 1;

	if (d->s[at] != '&' || left < 2)
		return -1;
	if (*name == '#')
		return read_number(d, at + 2, end);
	for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
		size_t n = entities[i].name.n;
		if (n <= left && memcmp(name, entities[i].name.s, n) == 0) {
			*end = at + 1 + n;
			return entities[i].character;
		}
	}
	return -1;
}

enum { SOFT = 256 }; /* a line break that is none */

static int
digit(const struct wv_decoder *d, size_t at)
{
	return wv_is_class(d->s[at], WV_UPPER_DIGIT)
		? wv_hex_values[(unsigned char)d->s[at]]
		: -1;
}

/* The byte that =XX is, or SOFT; -1: it is neither. */
static int
read_quoted(const struct wv_decoder *d, size_t at)
{
	if (d->n - at < 2 || d->s[at] != '=')
		return -1;
	if (d->s[at + 1] == '\n')
		return SOFT;
	int high = digit(d, at + 1),
	    low = d->n - at > 2 ? digit(d, at + 2) : -1;
	return high >= 0 && low >= 0 ? high << 4 | low : -1;
}

/* x=40 is more likely an assignment. */
static bool
is_certain(const struct wv_decoder *d, size_t at, int byte)
{
	return byte == SOFT || byte >> 4 > 9 || byte % 16 > 9 ||
		(d->n - at > 3 && read_quoted(d, at + 3) >= 0);
}

/* Nothing else stands behind a =. */
static bool
is_quoted_printable(const struct wv_decoder *d, size_t at, size_t end)
{
	for (; at < end; at++)
		if (d->s[at] == '=' && read_quoted(d, at) < 0)
			return false;
	return true;
}

static bool
has_certain(const struct wv_decoder *d, size_t at, size_t end)
{
	for (; at < end; at++) {
		int value = d->s[at] == '=' ? read_quoted(d, at) : -1;
		if (value >= 0 && value != SOFT && is_certain(d, at, value))
			return true;
	}
	return false;
}

/* Beside a = that escapes nothing only what is certain is an escape, and what
 * directly follows one; a soft line break alone may be the padding of
 * base64. */
static void
decode_quoted(struct wv_decoder *d, size_t at, size_t end)
{
	bool all = is_quoted_printable(d, at, end);
	size_t behind = SIZE_MAX; /* the last escape */

	if (!all && !has_certain(d, at, end))
		return;
	while (at < end) {
		int value = read_quoted(d, at);
		if (value >= 0 && !all && at != behind &&
			!is_certain(d, at, value))
			value = -1;
		char byte = value >= 0 ? (char)value : d->s[at];
		if (value != SOFT)
			wv_decode_put(d, &byte, 1, at);
		at += value == SOFT ? 2 : value >= 0 ? 3 : 1;
		if (value >= 0)
			behind = at;
	}
}

void
wv_examine_quoted(struct wv_decoder *d, size_t at)
{
	int byte = at >= d->quoted_end ? read_quoted(d, at) : -1;

	if (byte >= 0 && is_certain(d, at, byte))
		wv_examine_word(d, at, &d->quoted_end, decode_quoted);
}
