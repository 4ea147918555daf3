/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/format-internal.h"

#include <string.h>

bool
wv_format_json_pointer(const char *s, size_t n)
{
	const char *end = s + n;

	if (n > 0 && *s != '/')
		return false;
	while (s < end && (s = memchr(s, '~', (size_t)(end - s))) != NULL) {
		if (end - s < 2 || (s[1] != '0' && s[1] != '1'))
			return false;
		s += 2;
	}
	return true;
}

bool
wv_format_relative_json_pointer(const char *s, size_t n)
{
	size_t digits = 0;

	while (digits < n && wv_format_is_digit(s[digits]))
		digits++;
	if (digits == 0 || (s[0] == '0' && digits > 1))
		return false;
	if (n - digits == 1 && s[digits] == '#')
		return true;
	return wv_format_json_pointer(s + digits, n - digits);
}
