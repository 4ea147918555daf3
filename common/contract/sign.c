/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/sign-internal.h"

#include "json/jcs.h"

#include <dlfcn.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#include <openssl/x509.h>
#include <stddef.h>
#include <string.h>

enum {
	MAX_SHOWN = 60,          /* bytes of a foreign word in a message */
	HALF = WV_SIGNATURE / 2, /* r or s */
	DER_HALF = HALF + 3,     /* most bytes of an INTEGER */
	MAX_DER = 2 + 2 * DER_HALF,
	MAX_PREFIX = 26,
	MAX_KEY = 65,
};

/*
 * libcrypto reads a key as a SubjectPublicKeyInfo (RFC 5280), which is a
 * constant (of RFC 8410, RFC 5480) and the bytes of the key.
 */
struct key_form {
	size_t bytes;      /* 0: there is no such form */
	const char *first; /* what the first byte may be; NULL: anything */
	size_t prefix;
	const char *der;
};

#define P256 \
	"\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01" \
	"\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07"

static const struct wv_alg {
	const char *name;
	const char *key;    /* what one is, for people */
	const char *digest; /* of the bytes that are signed; NULL: none */
	struct key_form forms[2];
} algs[] = {
	{ "ed25519", "32 bytes, which are 43 characters", NULL,
		{ { 32, NULL, 12,
			"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\0" } } },
	{ "es256", "a SEC1 point of P-256, which is 87 or 44 characters",
		"SHA256",
		{ { 65, "\x04", 26, "\x30\x59" P256 "\x03\x42\0" },
			{ 33, "\x02\x03", 26,
				"\x30\x39" P256 "\x03\x22\0" } } },
};
const char wv_alg_names[] = "ed25519, es256";

/*
 * What is used of libcrypto.  A reference to EVP would make the linker take
 * in every algorithm there is, whose tables are then relocated at every
 * start: that is half of the start of a small program.
 */
static struct {
	__typeof__(OPENSSL_init_crypto) *init;
	__typeof__(d2i_PUBKEY) *read_key;
	__typeof__(EVP_PKEY_free) *free_key;
	__typeof__(EVP_MD_CTX_new) *new_context;
	__typeof__(EVP_MD_CTX_free) *free_context;
	__typeof__(EVP_DigestVerifyInit_ex) *start;
	__typeof__(EVP_DigestVerify) *verify;
} crypto;

/* The last one is there when all are. */
static const struct {
	const char *name;
	size_t offset;
} calls[] = {
	{ "d2i_PUBKEY", offsetof(__typeof__(crypto), read_key) },
	{ "EVP_PKEY_free", offsetof(__typeof__(crypto), free_key) },
	{ "EVP_MD_CTX_new", offsetof(__typeof__(crypto), new_context) },
	{ "EVP_MD_CTX_free", offsetof(__typeof__(crypto), free_context) },
	{ "EVP_DigestVerifyInit_ex", offsetof(__typeof__(crypto), start) },
	{ "EVP_DigestVerify", offsetof(__typeof__(crypto), verify) },
	{ "OPENSSL_init_crypto", offsetof(__typeof__(crypto), init) },
};

#define TEXT_OF(number) #number
#define LIBCRYPTO(version) "libcrypto.so." TEXT_OF(version)

int
wv_key_start(struct wv_err *err)
{
	static const char cannot[] = "cannot verify signatures";
	void *library, *call;

	if (crypto.init != NULL)
		return 0;
	library = dlopen(LIBCRYPTO(OPENSSL_SHLIB_VERSION), RTLD_NOW);
	if (library == NULL)
		return wv_err_set(err, "%s: %s", cannot, dlerror());
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
		call = dlsym(library, calls[i].name);
		if (call == NULL)
			return wv_err_set(err, "%s: %s", cannot, dlerror());
		memcpy((char *)&crypto + calls[i].offset, &call, sizeof call);
	}
	if (crypto.init(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT,
		    NULL) == 1)
		return 0;
	crypto.init = NULL;
	return wv_err_set(err, "%s: libcrypto does not start", cannot);
}

static int
sextet(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '-' ? 62 : c == '_' ? 63 : -1;
}

/* RFC 4648 section 5, `bytes` of them: no padding, and none of the bits that
 * are left over is set, so that nothing has two texts. */
static bool
decode(unsigned char *out, size_t bytes, const char *text)
{
	unsigned held = 0, bits = 0;
	size_t n = 0;
	int value;

	for (; *text != '\0'; text++) {
		value = sextet(*text);
		if (value < 0 || n == bytes)
			return false;
		held = held << 6 | (unsigned)value;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			out[n++] = (unsigned char)(held >> bits);
			held &= (1u << bits) - 1;
		}
	}
	return n == bytes && held == 0;
}

const struct wv_alg *
wv_alg_find(const char *name)
{
	for (size_t i = 0; i < sizeof algs / sizeof algs[0]; i++) {
		if (strcmp(algs[i].name, name) == 0)
			return &algs[i];
	}
	return NULL;
}

/* libcrypto refuses a point that is not on the curve. */
static EVP_PKEY *
read_form(const struct key_form *form, const char *text)
{
	unsigned char der[MAX_PREFIX + MAX_KEY];
	unsigned char *key = der + form->prefix;
	const unsigned char *p = der;

	if (form->bytes == 0 || !decode(key, form->bytes, text))
		return NULL;
	if (form->first != NULL &&
		(key[0] == 0 || strchr(form->first, key[0]) == NULL))
		return NULL;
	memcpy(der, form->der, form->prefix);
	return crypto.read_key(NULL, &p, (long)(form->prefix + form->bytes));
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

	if (alg->digest != NULL || !decode(key, sizeof key, text))
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
		crypto.free_key(key->pkey);
}

/* An INTEGER of DER: as short as it can be, and not negative. */
static size_t
put_integer(unsigned char *to, const unsigned char half[HALF])
{
	size_t skip = 0, pad;

	while (skip < HALF - 1 && half[skip] == 0)
		skip++;
	pad = half[skip] >> 7;
	to[0] = 2;
	to[1] = (unsigned char)(HALF - skip + pad);
	to[2] = 0;
	memcpy(to + 2 + pad, half + skip, HALF - skip);
	return 2 + to[1];
}

/* ECDSA-Sig-Value of RFC 3279; its length. */
static size_t
put_pair(unsigned char der[MAX_DER], const unsigned char sig[WV_SIGNATURE])
{
	size_t n = put_integer(der + 2, sig);

	n += put_integer(der + 2 + n, sig + HALF);
	der[0] = 0x30;
	der[1] = (unsigned char)n;
	return 2 + n;
}

bool
wv_key_verify(const struct wv_key *key, const unsigned char *sig,
	const void *text, size_t len)
{
	EVP_MD_CTX *context = crypto.new_context();
	unsigned char der[MAX_DER];
	size_t n = WV_SIGNATURE;
	bool good;

	/* ECDSA wants r and s in DER; it refuses those that are out of range. */
	if (key->alg->digest != NULL) {
		n = put_pair(der, sig);
		sig = der;
	}
	good = context != NULL &&
		crypto.start(context, NULL, key->alg->digest, NULL, NULL,
			key->pkey, NULL) == 1 &&
		crypto.verify(context, sig, n, text, len) == 1;
	crypto.free_context(context);
	return good;
}

int
wv_signature_text(struct wv_str *out, const cJSON *object, const char *member,
	struct wv_err *err)
{
	struct wv_arena arena = WV_ARENA_INIT;
	cJSON *rest = wv_json_object(&arena), *copy;
	int result;

	/* Members beside new siblings; what is in them is shared. */
	wv_json_each(one, object) {
		if (strcmp(one->string, member) == 0)
			continue;
		copy = wv_alloc(&arena, sizeof *copy);
		*copy = *one;
		wv_push(rest, copy);
	}
	result = wv_jcs(out, rest, err);
	wv_arena_free(&arena);
	return result;
}

/* The algorithm of a signature that is well-formed, or NULL. */
static const struct wv_alg *
check_form(const cJSON *signature, unsigned char sig[WV_SIGNATURE],
	struct wv_err *why)
{
	const char *name = wv_get_string(signature, "alg");
	const char *kid = wv_get_string(signature, "kid");
	const char *text = wv_get_string(signature, "sig");
	const cJSON *form = wv_get(signature, "canonicalization");
	const struct wv_alg *alg = name ? wv_alg_find(name) : NULL;

	if (!wv_is_object(signature))
		wv_err_set(why, "a signature is an object");
	else if (name == NULL)
		wv_err_set(why, "the signature has no alg");
	else if (alg == NULL)
		wv_err_set(why, "alg \"%.*s\" is none of %s", MAX_SHOWN, name,
			wv_alg_names);
	else if (form != NULL &&
		(!wv_is_string(form) || strcmp(form->valuestring, "JCS") != 0))
		wv_err_set(why, "canonicalization must be \"JCS\"");
	else if (kid == NULL || kid[0] == '\0')
		wv_err_set(why, "the signature has no kid");
	else if (text == NULL || !decode(sig, WV_SIGNATURE, text))
		wv_err_set(why,
			"sig must be 64 bytes, which are 86 characters of "
			"base64url, without padding");
	else
		return alg;
	return NULL;
}

static enum wv_signature
check_content(const struct wv_key *key, const unsigned char sig[WV_SIGNATURE],
	const cJSON *object, const char *member, struct wv_err *why)
{
	struct wv_str text = { 0 };
	enum wv_signature result = WV_SIGNATURE_BAD;

	if (wv_signature_text(&text, object, member, why) == 0 &&
		wv_key_verify(key, sig, text.s, text.n))
		result = WV_SIGNED;
	else
		wv_err_set(why,
			"the signature does not match: what it signs was "
			"changed, or another key signed it");
	wv_str_free(&text);
	return result;
}

enum wv_signature
wv_signature_check(const cJSON *object, const char *member,
	const struct wv_keyring *keyring, struct wv_err *why)
{
	const cJSON *signature = wv_get(object, member);
	unsigned char sig[WV_SIGNATURE];
	const struct wv_alg *alg;
	const struct wv_key *key;
	const char *kid;

	if (signature == NULL || wv_is_null(signature)) {
		wv_err_set(why, "not signed: there is no %s", member);
		return WV_NOT_SIGNED;
	}
	alg = check_form(signature, sig, why);
	if (alg == NULL)
		return WV_SIGNATURE_BAD;
	kid = wv_get_string(signature, "kid");
	key = wv_keyring_find(keyring, kid);
	if (key == NULL) {
		wv_err_set(why, "key \"%.*s\" is not in the keyring", MAX_SHOWN,
			kid);
		return WV_KEY_UNKNOWN;
	}
	if (key->alg != alg) {
		wv_err_set(why, "key \"%.*s\" is of %s, the signature of %s",
			MAX_SHOWN, kid, key->alg->name, alg->name);
		return WV_SIGNATURE_BAD;
	}
	return check_content(key, sig, object, member, why);
}
