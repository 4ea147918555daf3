/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/format-internal.h"

#include <string.h>

/* "0" to "255" without zeros before it; returns what follows it, or NULL. */
static const char *
octet(const char *s, const char *end)
{
	const char *start = s;
	int value = 0;

	for (; s < end && s - start < 3 && wv_format_is_digit(*s); s++)
		value = value * 10 + (*s - '0');
	if (s == start || value > 255 || (*start == '0' && s - start > 1))
		return NULL;
	return s;
}

bool
wv_format_ipv4(const char *s, size_t n)
{
	const char *end = s + n;

	for (int i = 0; i < 4; i++) {
		if (i > 0 && (s == end || *s++ != '.'))
			return false;
		s = octet(s, end);
		if (s == NULL)
			return false;
	}
	return s == end;
}

/* Groups between colons, 16 bits each, an IPv4 address at the end being two
 * of them; -1 if they are not well-formed. */
static int
groups(const char *s, const char *end, bool may_end_in_ipv4)
{
	int count = 0;

	if (s == end)
		return 0;
	for (;;) {
		const char *start = s;
		while (s < end && s - start < 4 && wv_format_is_hex(*s))
			s++;
		count++;
		if (s == start || count > 8)
			return -1;
		if (s == end)
			return count;
		if (*s == '.' && may_end_in_ipv4 &&
			wv_format_ipv4(start, (size_t)(end - start)))
			return count + 1;
		if (*s++ != ':')
			return -1;
	}
}

bool
wv_format_ipv6(const char *s, size_t n)
{
	const char *end = s + n, *gap = memmem(s, n, "::", 2);
	int before, after;

	if (gap == NULL)
		return groups(s, end, true) == 8;
	before = groups(s, gap, false);
	after = groups(gap + 2, end, true);
	return before >= 0 && after >= 0 && before + after <= 7;
}
