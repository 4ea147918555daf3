/* SPDX-License-Identifier: Apache-2.0 */
#include "json/utf8.h"

#include "json/block.h"

#include <stdbool.h>
#include <string.h>

static bool
follows(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

int
wv_utf8_short_len(const unsigned char *s, size_t n)
{
	unsigned char padded[4] = { 0 };

	/* What is cut is followed by a byte that cannot follow. */
	memcpy(padded, s, n);
	return n == 0 ? 0 : wv_utf8_len(padded, sizeof(padded));
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
		if (n - i >= WV_BLOCK) {
			unsigned ascii = wv_block_ascii(s + i);
			i += ascii;
			if (ascii == WV_BLOCK)
				continue;
		}
		do {
			int len = wv_utf8_len(
				(const unsigned char *)s + i, n - i);
			if (len == 0)
				return i;
			i += (size_t)len;
		} while (i < n && (signed char)s[i] < 0);
	}
	return n;
}

size_t
wv_utf8_count(const char *s)
{
	return wv_utf8_count_n(s, strlen(s));
}

size_t
wv_utf8_count_n(const char *s, size_t n)
{
	size_t count = n, i = 0;

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
