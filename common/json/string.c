/* SPDX-License-Identifier: Apache-2.0 */
/* String literals, RFC 8259 section 7. */
#include "json/internal.h"

#include "json/block.h"
#include "json/utf8.h"

static int
hex_digit(char c)
{
	if (wv_json_is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The value of \uXXXX at p, or -1. */
static int
hex_escape(const char *p, const char *end)
{
	int value = 0;

	if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
		return -1;
	for (int i = 2; i < 6; i++) {
		int digit = hex_digit(p[i]);
		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

static bool
is_high(int unit)
{
	return unit >= 0xd800 && unit < 0xdc00;
}

static bool
is_low(int unit)
{
	return unit >= 0xdc00 && unit < 0xe000;
}

static size_t
unescape_hex(const char *p, const char *end, char out[4], size_t *n)
{
	int unit = hex_escape(p, end), low;

	if (unit < 0 || is_low(unit))
		return 0;
	if (unit == 0) {
		out[0] = (char)0xc0;
		out[1] = (char)0x80;
		*n = 2;
		return 6;
	}
	if (!is_high(unit)) {
		*n = (size_t)wv_utf8_put(out, (uint32_t)unit);
		return 6;
	}
	low = hex_escape(p + 6, end);
	if (!is_low(low))
		return 0;
	unit = 0x10000 + ((unit & 0x3ff) << 10 | (low & 0x3ff));
	*n = (size_t)wv_utf8_put(out, (uint32_t)unit);
	return 12;
}

/* What an escape of one letter stands for; NUL: it is none. */
static const char letters[256] = {
	['"'] = '"',
	['\\'] = '\\',
	['/'] = '/',
	['b'] = '\b',
	['f'] = '\f',
	['n'] = '\n',
	['r'] = '\r',
	['t'] = '\t',
};

size_t
wv_json_unescape(const char *p, const char *end, char out[4], size_t *n)
{
	if (end - p < 2)
		return 0;
	if (p[1] == 'u')
		return unescape_hex(p, end, out, n);
	out[0] = letters[(unsigned char)p[1]];
	*n = 1;
	return out[0] != '\0' ? 2 : 0;
}

/* What is there of \uXXXX at p is right and the text ends within it. */
static bool
is_escape_cut(const char *p, const char *end)
{
	if (end - p >= 6)
		return false;
	for (int i = 0; p < end; p++, i++)
		if (i == 0               ? *p != '\\'
				: i == 1 ? *p != 'u'
					 : hex_digit(*p) < 0)
			return false;
	return true;
}

static void
bad_escape(const char *text, const char *p, const char *end, struct wv_err *err)
{
	int unit = hex_escape(p, end);

	if (is_escape_cut(p, end) ||
		(is_high(unit) && is_escape_cut(p + 6, end))) {
		wv_json_ends(err, text, end, "a string");
	} else if (unit >= 0) {
		wv_json_fault(err, text, p, "lone surrogate %.6s", p);
	} else if (p[1] == 'u') {
		wv_json_fault(err, text, p,
			"bad escape \\u: four hexadecimal digits must follow");
	} else if (p[1] > ' ' && p[1] < 0x7f) {
		wv_json_fault(err, text, p, "bad escape \\%c", p[1]);
	} else {
		wv_json_fault(err, text, p,
			"bad escape: a backslash must be written as \\\\");
	}
}

/* The text ends within a character that is well-formed so far. */
static bool
is_character_cut(const char *p, const char *end)
{
	unsigned char low[4] = { 0x80, 0x80, 0x80, 0x80 };
	unsigned char high[4] = { 0xbf, 0xbf, 0xbf, 0xbf };
	size_t n = (size_t)(end - p);

	if (n >= sizeof(low))
		return false;
	memcpy(low, p, n);
	memcpy(high, p, n);
	return wv_utf8_len(low, 4) > (int)n || wv_utf8_len(high, 4) > (int)n;
}

/* The byte at p cannot stand in a string. */
static const char *
refuse(const char *text, const char *p, const char *end, struct wv_err *err)
{
	unsigned char c = (unsigned char)*p;

	if (c == '\\')
		bad_escape(text, p, end, err);
	else if (c < ' ')
		wv_json_fault(err, text, p,
			"raw control character U+%04X in a string", c);
	else if (is_character_cut(p, end))
		wv_json_ends(err, text, end, "a string");
	else
		wv_json_fault(err, text, p, "invalid UTF-8: byte 0x%02x", c);
	return NULL;
}

/* Copies up to a control, a quote or a backslash, or a little past the end;
 * *wide is set if there may be bytes past ASCII. */
static const char *
copy_run(const char *p, const char *end, char **to, int *wide)
{
	unsigned n = 2 * WV_BLOCK;

	while (n == 2 * WV_BLOCK && end - p >= WV_BLOCK) {
		n = wv_block_copy_pair(*to, p, wide);
		*to += n;
		p += n;
	}
	if (n < 2 * WV_BLOCK)
		return p;
	/* What may be read behind the end does not suffice for a pair. */
	for (; p < end && (unsigned char)*p >= ' ' && *p != '"' && *p != '\\';
		p++) {
		*wide |= (signed char)*p < 0;
		*(*to)++ = *p;
	}
	return p;
}

/* The first byte of a string that is not of well-formed text, or its end. */
static const char *
skip_good(const char *p, const char *end)
{
	int n = 1;

	while (p < end && n > 0) {
		p += wv_block_ascii(p);
		for (; p < end && (signed char)*p < 0; p += n) {
			n = wv_utf8_len(
				(const unsigned char *)p, (size_t)(end - p));
			if (n == 0)
				break;
		}
	}
	return p < end ? p : end;
}

/* Copies the escape at p, or none of it if it is not valid; a letter behind
 * the end makes it go past the end. */
static inline const char *
copy_escape(const char *p, const char *end, char **to)
{
	char letter = letters[(unsigned char)p[1]];
	size_t n = 0;

	if (letter != '\0') {
		*(*to)++ = letter;
		return p + 2;
	}
	p += wv_json_unescape(p, end, *to, &n);
	*to += n;
	return p;
}

const char *
wv_json_string_rest(const char *text, const char *p, const char *end,
	char **copy, struct wv_err *err)
{
	const char *begin = p, *at;
	char *to = *copy;
	int wide = 0;

	do {
		at = p = copy_run(p, end, &to, &wide);
		if (p < end && *p == '\\')
			p = copy_escape(p, end, &to);
	} while (p > at);
	p = p < end ? p : end;
	if (wide) {
		at = skip_good(begin, p);
		if (at < p)
			return refuse(text, at, end, err);
	}
	if (p == end) {
		wv_json_ends(err, text, end, "a string");
		return NULL;
	}
	if (*p != '"')
		return refuse(text, p, end, err);
	*to = '\0';
	*copy = to + 1;
	return p + 1;
}
