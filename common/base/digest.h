/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104) as lower-case hex, and
 * comparison in constant time.  libcrypto does the hashing, in hardware
 * where there is any; its low-level calls are used because they need neither
 * providers nor configuration to be loaded, which costs more than a
 * millisecond a start.
 */
#ifndef WV_BASE_DIGEST_H
#define WV_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WV_SHA256 = 32, WV_SHA256_HEX = 65 };

struct wv_sha256 {
	_Alignas(8) unsigned char state[128]; /* libcrypto's, see digest.c */
};

void wv_sha256_start(struct wv_sha256 *ctx);
void wv_sha256_add(struct wv_sha256 *ctx, const void *p, size_t n);
void wv_sha256_end(struct wv_sha256 *ctx, unsigned char out[WV_SHA256]);
void wv_sha256_hex(char hex[WV_SHA256_HEX], const void *p, size_t n);
void wv_hmac_hex(char hex[WV_SHA256_HEX], const void *key, size_t key_len,
	const void *p, size_t n);

void wv_hex(char *out, const void *p, size_t n); /* 2n characters and a NUL */
/* 64 lower-case hex digits and nothing else. */
bool wv_is_sha256_hex(const char *s);
/* Time depends on n only. */
bool wv_equal_const_time(const void *a, const void *b, size_t n);

#endif
