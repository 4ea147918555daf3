/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/sign-internal.h"

#include "contract/base64url.h"
#include "contract/crypto.h"

#include <string.h>

#define P256 \
	"\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01" \
	"\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07"

static const struct wv_alg algs[] = {
	{
		.name = "ed25519",
		.key = "32 bytes, which are 43 characters",
		.type = "ED25519",
		.forms = { { 32, NULL, 12,
			"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\0" } },
	},
	{
		.name = "es256",
		.key = "a SEC1 point of P-256, which is 87 or 44 characters",
		.type = "EC",
		.curve = "P-256",
		.digest = "SHA256",
		.forms = { { 65, "\x04", 26, "\x30\x59" P256 "\x03\x42\0" },
			{ 33, "\x02\x03", 26, "\x30\x39" P256 "\x03\x22\0" } },
	},
};
const char wv_alg_names[] = "ed25519, es256";

const struct wv_alg *
wv_alg_find(const char *name)
{
	for (size_t i = 0; i < sizeof algs / sizeof algs[0]; i++) {
		if (strcmp(algs[i].name, name) == 0)
			return &algs[i];
	}
	return NULL;
}

static bool
is_of_form(const struct wv_key_form *form, const unsigned char *der, size_t n)
{
	return form->bytes != 0 && n == form->prefix + form->bytes &&
		memcmp(der, form->der, form->prefix) == 0;
}

const struct wv_alg *
wv_alg_of(const unsigned char *der, size_t n, size_t *prefix)
{
	for (size_t i = 0; i < sizeof algs / sizeof algs[0]; i++) {
		*prefix = algs[i].forms[0].prefix;
		if (is_of_form(&algs[i].forms[0], der, n) ||
			is_of_form(&algs[i].forms[1], der, n))
			return &algs[i];
	}
	return NULL;
}

/* libcrypto refuses a point that is not on the curve. */
static EVP_PKEY *
read_form(const struct wv_key_form *form, const char *text)
{
	unsigned char der[WV_KEY_PREFIX + WV_KEY_BYTES];
	unsigned char *key = der + form->prefix;
	const unsigned char *p = der;

	if (form->bytes == 0 || !wv_base64url_read(key, form->bytes, text))
		return NULL;
	if (form->first != NULL &&
		(key[0] == 0 || strchr(form->first, key[0]) == NULL))
		return NULL;
	memcpy(der, form->der, form->prefix);
	return wv_crypto.read_public(
		NULL, &p, (long)(form->prefix + form->bytes));
}

/*
 * A point of Ed25519 whose order divides 8, or one that is not written as RFC
 * 8032 section 5.1.2 has it: under such a key a signature may fit any text,
 * and libcrypto takes it.  The highest bit is the sign of x.
 */
static bool
is_weak(const struct wv_alg *alg, const char *text)
{
	static const unsigned char ys[][32] = { { 0 }, { 1 },
		{ 0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3,
			0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac,
			0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88,
			0x6d, 0x53, 0xfc, 0x05 },
		{ 0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c,
			0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20, 0x53,
			0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77,
			0x92, 0xac, 0x03, 0x7a } };
	unsigned char key[32];
	size_t n = sizeof key - 1;

	if (alg->digest != NULL || !wv_base64url_read(key, sizeof key, text))
		return false;
	key[n] &= 0x7f;
	for (size_t i = 0; i < sizeof ys / sizeof ys[0]; i++) {
		if (memcmp(key, ys[i], sizeof key) == 0)
			return true;
	}
	/* 2^255 - 20, the y of order 2, and all that is greater */
	if (key[n] != 0x7f)
		return false;
	while (n > 1 && key[n - 1] == 0xff)
		n--;
	return n == 1 && key[0] >= 0xec;
}

int
wv_key_read(struct wv_key *key, const struct wv_alg *alg, const char *text,
	struct wv_err *err)
{
	key->alg = alg;
	if (is_weak(alg, text))
		return wv_err_set(err,
			"a weak key of %s: whoever likes can sign for it",
			alg->name);
	key->pkey = read_form(&alg->forms[0], text);
	if (key->pkey == NULL)
		key->pkey = read_form(&alg->forms[1], text);
	if (key->pkey == NULL)
		return wv_err_set(err,
			"not a key of %s: that is %s of base64url, without "
			"padding",
			alg->name, alg->key);
	return 0;
}

void
wv_key_free(struct wv_key *key)
{
	if (key->pkey != NULL)
		wv_crypto.free_key(key->pkey);
}

bool
wv_key_verify(const struct wv_key *key, const unsigned char *sig,
	const void *text, size_t len)
{
	EVP_MD_CTX *context = wv_crypto.new_context();
	unsigned char der[WV_ECDSA_DER];
	size_t n = WV_SIGNATURE_BYTES;
	bool good;

	/* ECDSA wants r and s in DER; it refuses those that are out of range. */
	if (key->alg->digest != NULL) {
		n = wv_ecdsa_write(der, sig);
		sig = der;
	}
	good = context != NULL &&
		wv_crypto.start_verify(context, NULL, key->alg->digest, NULL,
			NULL, key->pkey, NULL) == 1 &&
		wv_crypto.verify(context, sig, n, text, len) == 1;
	wv_crypto.free_context(context);
	return good;
}
