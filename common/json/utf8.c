/* SPDX-License-Identifier: Apache-2.0 */
#include "json/utf8.h"

#include <stdbool.h>
#include <string.h>

static bool
follows(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* The second byte is the one that overlong forms, surrogates and code points
 * past the end differ in. */
static bool
second_is_allowed(const unsigned char *s)
{
	switch (s[0]) {
	case 0xe0:
		return s[1] >= 0xa0;
	case 0xed:
		return s[1] <= 0x9f;
	case 0xf0:
		return s[1] >= 0x90;
	case 0xf4:
		return s[1] <= 0x8f;
	default:
		return true;
	}
}

int
wv_utf8_len(const unsigned char *s, size_t n)
{
	if (n == 0)
		return 0;
	if (s[0] < 0x80)
		return 1;
	if (n < 2 || s[0] < 0xc2 || s[0] > 0xf4 || !follows(s[1]) ||
		!second_is_allowed(s))
		return 0;
	if (s[0] < 0xe0)
		return 2;
	if (n < 3 || !follows(s[2]))
		return 0;
	if (s[0] < 0xf0)
		return 3;
	return n >= 4 && follows(s[3]) ? 4 : 0;
}

int
wv_utf8_get(const unsigned char *s, size_t n, uint32_t *cp)
{
	int len = wv_utf8_len(s, n);
	uint32_t c;

	if (len == 0)
		return 0;
	c = len == 1 ? s[0] : s[0] & (0x7fu >> len);
	for (int i = 1; i < len; i++)
		c = c << 6 | (s[i] & 0x3fu);
	*cp = c;
	return len;
}

int
wv_utf8_put(char out[4], uint32_t cp)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	int len = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	for (int i = len - 1; i > 0; i--, cp >>= 6)
		out[i] = (char)(0x80 | (cp & 0x3f));
	out[0] = (char)(0xf00u >> len | cp);
	return len;
}

size_t
wv_utf8_check(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n) {
		uint64_t w[2];
		if (n - i >= sizeof(w)) {
			memcpy(w, s + i, sizeof(w));
			if (((w[0] | w[1]) & 0x8080808080808080u) == 0) {
				i += sizeof(w);
				continue;
			}
		}
		int len = wv_utf8_len((const unsigned char *)s + i, n - i);
		if (len == 0)
			return i;
		i += (size_t)len;
	}
	return n;
}

size_t
wv_utf8_count(const char *s)
{
	size_t n = strlen(s), count = n, i = 0;

	/* Every byte but 10xxxxxx begins a character. */
	for (uint64_t w; n - i >= sizeof(w); i += sizeof(w)) {
		memcpy(&w, s + i, sizeof(w));
		w = w >> 7 & ~(w >> 6) & 0x0101010101010101u;
		count -= (size_t)(w * 0x0101010101010101u >> 56);
	}
	for (; i < n; i++)
		count -= follows((unsigned char)s[i]);
	return count;
}
