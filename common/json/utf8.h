/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8, RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF. */
#ifndef WV_JSON_UTF8_H
#define WV_JSON_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Length of the well-formed character at s (1-4), or 0. */
int wv_utf8_len(const unsigned char *s, size_t n);
/* Same, and decodes it. */
int wv_utf8_get(const unsigned char *s, size_t n, uint32_t *cp);
/* Writes cp (not a surrogate) to out, returns the length. */
int wv_utf8_put(char out[4], uint32_t cp);
/* Offset of the first byte that does not belong to well-formed text, or n. */
size_t wv_utf8_check(const char *s, size_t n);
/* Characters in s, a NUL-terminated string of a tree (C0 80 is one). */
size_t wv_utf8_count(const char *s);

#endif
