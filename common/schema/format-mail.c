/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/format-internal.h"

#include "json/utf8.h"

#include <string.h>
#include <strings.h>

/* RFC 5321 section 4.5.3.1: octets, the path without its brackets. */
enum { LOCAL_PART_MAX = 64, MAILBOX_MAX = 254 };

static bool
is_atom_byte(unsigned char c)
{
	return wv_format_is_alpha((char)c) || wv_format_is_digit((char)c) ||
		c >= 0x80 || (c != '\0' && strchr("!#$%&'*+-/=?^_`{|}~", c));
}

/* Returns where it ends, at the "@" or not; NULL if it is none. */
static const char *
dot_string(const char *s, const char *end)
{
	for (;; s++) {
		const char *start = s;
		while (s < end && is_atom_byte((unsigned char)*s))
			s++;
		if (s == start)
			return NULL;
		if (s == end || *s != '.')
			return s;
	}
}

static const char *
quoted_string(const char *s, const char *end)
{
	for (s++; s < end && *s != '"'; s++) {
		unsigned char c = (unsigned char)*s;
		if (c == '\\') {
			if (++s == end || *s < ' ' || *s > '~')
				return NULL;
		} else if (c < ' ' || c == 0x7f) {
			return NULL;
		}
	}
	return s < end ? s + 1 : NULL;
}

/* "IPv6" is the only tag that has been registered. */
static bool
is_address_literal(const char *s, size_t n)
{
	if (n < 2 || s[0] != '[' || s[n - 1] != ']')
		return false;
	s++;
	n -= 2;
	if (n > 5 && strncasecmp(s, "IPv6:", 5) == 0)
		return wv_format_ipv6(s + 5, n - 5);
	return wv_format_ipv4(s, n);
}

static bool
is_mailbox(const char *s, size_t n, wv_format_check *is_domain)
{
	const char *end = s + n, *at;

	if (n == 0 || n > MAILBOX_MAX || wv_utf8_check(s, n) != n)
		return false;
	at = *s == '"' ? quoted_string(s, end) : dot_string(s, end);
	if (at == NULL || at == end || *at != '@' || at - s > LOCAL_PART_MAX)
		return false;
	at++;
	n = (size_t)(end - at);
	return is_address_literal(at, n) || is_domain(at, n);
}

bool
wv_format_email(const char *s, size_t n)
{
	for (size_t i = 0; i < n && i < MAILBOX_MAX; i++) {
		if ((unsigned char)s[i] >= 0x80)
			return false;
	}
	return is_mailbox(s, n, wv_format_hostname);
}

bool
wv_format_idn_email(const char *s, size_t n)
{
	return is_mailbox(s, n, wv_format_mail_domain);
}
