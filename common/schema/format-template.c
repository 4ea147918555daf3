/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/format-internal.h"

#include "json/utf8.h"

#include <string.h>

static bool
is_triplet(const char *s, const char *end)
{
	return end - s > 2 && *s == '%' && wv_format_is_hex(s[1]) &&
		wv_format_is_hex(s[2]);
}

/* The length of one character outside expressions, or 0. */
static int
literal(const char *s, const char *end)
{
	unsigned char c = (unsigned char)*s;
	uint32_t cp;
	int n;

	if (c == '%')
		return is_triplet(s, end) ? 3 : 0;
	if (c < 0x80)
		return c > ' ' && c < 0x7f && strchr("\"<>\\^`{|}", c) == NULL;
	n = wv_utf8_get((const unsigned char *)s, (size_t)(end - s), &cp);
	return n > 0 && (wv_format_is_ucschar(cp) || wv_format_is_iprivate(cp))
		? n
		: 0;
}

/* Returns what follows the name, or NULL. */
static const char *
variable_name(const char *s, const char *end)
{
	for (;; s++) {
		const char *start = s;
		for (;;) {
			if (is_triplet(s, end))
				s += 3;
			else if (s < end &&
				(wv_format_is_alpha(*s) ||
					wv_format_is_digit(*s) || *s == '_'))
				s++;
			else
				break;
		}
		if (s == start)
			return NULL;
		if (s == end || *s != '.')
			return s;
	}
}

/* ":" and 1 to 9999, or "*", or nothing. */
static const char *
modifier(const char *s, const char *end)
{
	const char *start = s;

	if (s < end && *s == '*')
		return s + 1;
	if (s == end || *s != ':')
		return s;
	for (s++; s < end && wv_format_is_digit(*s); s++)
		;
	return s - start < 2 || s - start > 5 || start[1] == '0' ? NULL : s;
}

/* After "{"; returns what follows the "}", or NULL. */
static const char *
expression(const char *s, const char *end)
{
	/* Those of level 2 and 3, and what is reserved for more. */
	if (s < end && *s != '\0' && strchr("+#./;?&=,!@|", *s) != NULL)
		s++;
	for (;; s++) {
		s = variable_name(s, end);
		if (s != NULL)
			s = modifier(s, end);
		if (s == NULL || s == end)
			return NULL;
		if (*s == '}')
			return s + 1;
		if (*s != ',')
			return NULL;
	}
}

bool
wv_format_uri_template(const char *s, size_t n)
{
	const char *end = s + n;

	while (s < end) {
		if (*s == '{') {
			s = expression(s + 1, end);
			if (s == NULL)
				return false;
		} else {
			int length = literal(s, end);
			if (length == 0)
				return false;
			s += length;
		}
	}
	return true;
}
