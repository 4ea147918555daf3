/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/format-internal.h"

#include "json/utf8.h"

#include <string.h>

enum {
	UNRESERVED = 1,
	SUB_DELIM = 2,
	COLON = 4,
	AT = 8,
	SLASH = 16,
	QUESTION = 32,
	UCS = 64,      /* ucschar, in an IRI */
	PRIVATE = 128, /* iprivate, in the query of an IRI */
	PCHAR = UNRESERVED | SUB_DELIM | COLON | AT,
};

static const uint8_t kinds[128] = {
	['a' ... 'z'] = UNRESERVED,
	['A' ... 'Z'] = UNRESERVED,
	['0' ... '9'] = UNRESERVED,
	['-'] = UNRESERVED,
	['.'] = UNRESERVED,
	['_'] = UNRESERVED,
	['~'] = UNRESERVED,
	['!'] = SUB_DELIM,
	['$'] = SUB_DELIM,
	['&' ... ','] = SUB_DELIM, /* & ' ( ) * + , */
	[';'] = SUB_DELIM,
	['='] = SUB_DELIM,
	[':'] = COLON,
	['@'] = AT,
	['/'] = SLASH,
	['?'] = QUESTION,
};

bool
wv_format_is_ucschar(uint32_t cp)
{
	if (cp < 0x10000)
		return (cp >= 0xa0 && cp <= 0xd7ff) ||
			(cp >= 0xf900 && cp <= 0xfdcf) ||
			(cp >= 0xfdf0 && cp <= 0xffef);
	return cp < 0xf0000 && (cp & 0xffff) <= 0xfffd &&
		(cp < 0xe0000 || cp >= 0xe1000);
}

bool
wv_format_is_iprivate(uint32_t cp)
{
	return (cp >= 0xe000 && cp <= 0xf8ff) ||
		(cp >= 0xf0000 && (cp & 0xffff) <= 0xfffd);
}

/* RFC 3987 section 4.1 keeps these out though its grammar has them. */
static bool
is_bidi_control(uint32_t cp)
{
	return cp == 0x200e || cp == 0x200f || (cp >= 0x202a && cp <= 0x202e);
}

/* The length of one character of these kinds, or 0. */
static int
wide(const char *s, const char *end, unsigned allowed)
{
	uint32_t cp;
	int n = wv_utf8_get((const unsigned char *)s, (size_t)(end - s), &cp);

	if (n > 0 && (allowed & UCS) && wv_format_is_ucschar(cp) &&
		!is_bidi_control(cp))
		return n;
	return (allowed & PRIVATE) && wv_format_is_iprivate(cp) ? n : 0;
}

/* Returns the first character that is not of these kinds. */
static const char *
run(const char *s, const char *end, unsigned allowed)
{
	while (s < end) {
		unsigned char c = (unsigned char)*s;
		if (c >= 0x80) {
			int n = wide(s, end, allowed);
			if (n == 0)
				return s;
			s += n;
		} else if (kinds[c] & allowed) {
			s++;
		} else if (c == '%' && end - s > 2 && wv_format_is_hex(s[1]) &&
			wv_format_is_hex(s[2])) {
			s += 3;
		} else {
			return s;
		}
	}
	return s;
}

/* What stands between the brackets. */
static bool
is_ip_literal(const char *s, size_t n)
{
	size_t i = 1;

	if (n == 0 || (*s | 0x20) != 'v')
		return wv_format_ipv6(s, n);
	while (i < n && wv_format_is_hex(s[i]))
		i++;
	if (i == 1 || n - i < 2 || s[i] != '.' || memchr(s, '%', n) != NULL)
		return false;
	return run(s + i + 1, s + n, UNRESERVED | SUB_DELIM | COLON) == s + n;
}

static bool
is_authority(const char *s, const char *end, unsigned wide_kinds)
{
	const unsigned name = UNRESERVED | SUB_DELIM | wide_kinds;
	const char *at = memchr(s, '@', (size_t)(end - s));

	if (at != NULL) {
		if (run(s, at, name | COLON) != at)
			return false;
		s = at + 1;
	}
	if (s < end && *s == '[') {
		const char *close = memchr(s, ']', (size_t)(end - s));
		if (close == NULL ||
			!is_ip_literal(s + 1, (size_t)(close - s - 1)))
			return false;
		s = close + 1;
	} else {
		s = run(s, end, name);
	}
	if (s < end && *s++ != ':')
		return false;
	while (s < end && wv_format_is_digit(*s))
		s++;
	return s == end;
}

/* Past "scheme:", or s itself if it begins with none. */
static const char *
scheme(const char *s, const char *end)
{
	const char *p = s;

	if (s == end || !wv_format_is_alpha(*s))
		return s;
	while (p < end &&
		(wv_format_is_alpha(*p) || wv_format_is_digit(*p) ||
			*p == '+' || *p == '-' || *p == '.'))
		p++;
	return p < end && *p == ':' ? p + 1 : s;
}

static const char *
authority_end(const char *s, const char *end)
{
	while (s < end && *s != '/' && *s != '?' && *s != '#')
		s++;
	return s;
}

static bool
is_reference(const char *text, size_t n, unsigned wide_kinds, bool relative)
{
	const char *end = text + n, *s = scheme(text, end);

	if (s == text && !relative)
		return false;
	if (end - s > 1 && s[0] == '/' && s[1] == '/') {
		const char *authority = s + 2;
		s = authority_end(authority, end);
		if (!is_authority(authority, s, wide_kinds))
			return false;
	} else if (s == text) {
		/* Its first segment would be taken for a scheme. */
		s = run(s, end, (PCHAR & ~(unsigned)COLON) | wide_kinds);
		if (s < end && *s == ':')
			return false;
	}
	s = run(s, end, PCHAR | SLASH | wide_kinds);
	if (s < end && *s == '?')
		s = run(s + 1, end,
			PCHAR | SLASH | QUESTION | wide_kinds |
				(wide_kinds ? PRIVATE : 0));
	if (s < end && *s == '#')
		s = run(s + 1, end, PCHAR | SLASH | QUESTION | wide_kinds);
	return s == end;
}

bool
wv_format_uri(const char *s, size_t n)
{
	return is_reference(s, n, 0, false);
}

bool
wv_format_uri_reference(const char *s, size_t n)
{
	return is_reference(s, n, 0, true);
}

bool
wv_format_iri(const char *s, size_t n)
{
	return is_reference(s, n, UCS, false);
}

bool
wv_format_iri_reference(const char *s, size_t n)
{
	return is_reference(s, n, UCS, true);
}
