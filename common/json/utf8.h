/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8, RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF. */
#ifndef WV_JSON_UTF8_H
#define WV_JSON_UTF8_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* wv_utf8_len() of fewer than four bytes. */
int wv_utf8_short_len(const unsigned char *s, size_t n);

/* Length of the well-formed character at s (1-4), or 0.  The second byte is
 * the one that overlong forms, surrogates and code points past the end differ
 * in. */
static inline int
wv_utf8_len(const unsigned char *s, size_t n)
{
	uint32_t w, plane;

	if (n < sizeof(w))
		return wv_utf8_short_len(s, n);
	memcpy(&w, s, sizeof(w));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap32(w);
#endif
	if ((w & 0x80) == 0)
		return 1;
	if ((w & 0xc0e0) == 0x80c0)
		return (w & 0x1e) != 0 ? 2 : 0;
	if ((w & 0xc0c0f0) == 0x8080e0) {
		w &= 0x200f;
		return w != 0 && w != 0x200d ? 3 : 0;
	}
	plane = (w & 0x07) << 2 | (w >> 12 & 0x03);
	return (w & 0xc0c0c0f8) == 0x808080f0 && plane - 1 < 16 ? 4 : 0;
}

/* Same, and decodes it. */
int wv_utf8_get(const unsigned char *s, size_t n, uint32_t *cp);
/* Writes cp (not a surrogate) to out, returns the length. */
int wv_utf8_put(char out[4], uint32_t cp);
/* Offset of the first byte that does not belong to well-formed text, or n. */
size_t wv_utf8_check(const char *s, size_t n);
/* Characters in s, a NUL-terminated string of a tree (C0 80 is one). */
size_t wv_utf8_count(const char *s);
/* All but the bytes that go on with a character. */
size_t wv_utf8_count_n(const char *s, size_t n);

#endif
