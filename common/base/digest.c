/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA256_Init() and its like are marked deprecated since OpenSSL 3.0 in favour
 * of EVP, which loads providers and configuration first: 2 to 3 ms that every
 * start of a tool would pay.
 */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "base/digest.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <string.h>

enum { BLOCK = SHA256_CBLOCK };

_Static_assert(sizeof(SHA256_CTX) <= sizeof(struct wv_sha256),
	"struct wv_sha256 is too small");
_Static_assert(_Alignof(SHA256_CTX) <= _Alignof(struct wv_sha256),
	"struct wv_sha256 is not aligned");
_Static_assert(SHA256_DIGEST_LENGTH == (int)WV_SHA256, "SHA-256 has 32 bytes");

static SHA256_CTX *
sha(struct wv_sha256 *ctx)
{
	return (SHA256_CTX *)(void *)ctx->state;
}

void
wv_sha256_start(struct wv_sha256 *ctx)
{
	SHA256_Init(sha(ctx));
}

void
wv_sha256_add(struct wv_sha256 *ctx, const void *p, size_t n)
{
	if (n)
		SHA256_Update(sha(ctx), p, n);
}

void
wv_sha256_end(struct wv_sha256 *ctx, unsigned char out[WV_SHA256])
{
	SHA256_Final(out, sha(ctx));
}

void
wv_sha256_hex(char hex[WV_SHA256_HEX], const void *p, size_t n)
{
	struct wv_sha256 ctx;
	unsigned char sum[WV_SHA256];

	wv_sha256_start(&ctx);
	wv_sha256_add(&ctx, p, n);
	wv_sha256_end(&ctx, sum);
	wv_hex(hex, sum, sizeof sum);
}

/* RFC 2104: H(K ^ pad, text). */
static void
keyed(unsigned char sum[WV_SHA256], const unsigned char key[BLOCK],
	unsigned char pad, const void *p, size_t n)
{
	struct wv_sha256 ctx;
	unsigned char block[BLOCK];

	for (size_t i = 0; i < BLOCK; i++)
		block[i] = key[i] ^ pad;
	wv_sha256_start(&ctx);
	wv_sha256_add(&ctx, block, sizeof block);
	wv_sha256_add(&ctx, p, n);
	wv_sha256_end(&ctx, sum);
	OPENSSL_cleanse(block, sizeof block);
	OPENSSL_cleanse(&ctx, sizeof ctx);
}

void
wv_hmac_hex(char hex[WV_SHA256_HEX], const void *key, size_t key_len,
	const void *p, size_t n)
{
	unsigned char block[BLOCK] = { 0 }, inner[WV_SHA256], outer[WV_SHA256];
	struct wv_sha256 ctx;

	if (key_len > sizeof block) {
		wv_sha256_start(&ctx);
		wv_sha256_add(&ctx, key, key_len);
		wv_sha256_end(&ctx, block);
		OPENSSL_cleanse(&ctx, sizeof ctx);
	} else if (key_len) {
		memcpy(block, key, key_len);
	}
	keyed(inner, block, 0x36, p, n);
	keyed(outer, block, 0x5c, inner, sizeof inner);
	OPENSSL_cleanse(block, sizeof block);
	wv_hex(hex, outer, sizeof outer);
}

void
wv_hex(char *out, const void *p, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *bytes = p;

	for (size_t i = 0; i < n; i++) {
		*out++ = digits[bytes[i] >> 4];
		*out++ = digits[bytes[i] & 15];
	}
	*out = '\0';
}

bool
wv_is_sha256_hex(const char *s)
{
	return strspn(s, "0123456789abcdef") == WV_SHA256_HEX - 1 &&
		s[WV_SHA256_HEX - 1] == '\0';
}

bool
wv_equal_const_time(const void *a, const void *b, size_t n)
{
	return CRYPTO_memcmp(a, b, n) == 0;
}
