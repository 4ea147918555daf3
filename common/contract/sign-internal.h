/* SPDX-License-Identifier: Apache-2.0 */
/* What the files behind sign.h share: algorithms, keys, limits. */
#ifndef WV_CONTRACT_SIGN_INTERNAL_H
#define WV_CONTRACT_SIGN_INTERNAL_H

#include "base/hash.h"
#include "contract/sign.h"
#include "json/doc.h"

enum {
	WV_SIGNATURE_BYTES = 64,
	WV_KEY_BYTES = 65,  /* the most that a public key has */
	WV_KEY_PREFIX = 26, /* the most that stands before it in its DER */
	WV_ECDSA_DER = 72,  /* the most that a signature of P-256 has */
	WV_SIGN_SHOWN = 60, /* bytes of a foreign word in a message */
	WV_KEYRING_BYTES = 1 << 20,
	WV_KEYRING_KEYS = 4096,
	WV_KEYRING_LIST = 256, /* entries of a list that limits a key */
};

/*
 * libcrypto reads a key as a SubjectPublicKeyInfo (RFC 5280), which is a
 * constant (of RFC 8410, RFC 5480) and the bytes of the key.
 */
struct wv_key_form {
	size_t bytes;      /* 0: there is no such form */
	const char *first; /* what the first byte may be; NULL: anything */
	size_t prefix;
	const char *der;
};

struct wv_alg {
	const char *name;
	const char *key;  /* what one is, for people */
	const char *type; /* libcrypto's name; and of its curve, or NULL */
	const char *curve;
	const char *digest; /* of the bytes that are signed; NULL: none */
	struct wv_key_form forms[2];
};
/* NULL if there is no algorithm of that name: wv_alg_names says which. */
const struct wv_alg *wv_alg_find(const char *name);
extern const char wv_alg_names[];
/* The algorithm whose key this SubjectPublicKeyInfo is, and where its bytes
 * begin; NULL if it is of none. */
const struct wv_alg *wv_alg_of(
	const unsigned char *der, size_t n, size_t *prefix);

/* keyring-limit.c: what a key may sign; a list of NULL does not limit. */
struct wv_key_limits {
	unsigned uses; /* bits: 1 << enum wv_key_use */
	const cJSON *principals, *scope;
	bool ends;
	struct wv_time not_after;
};
/* Of the entry at a pointer of the document: all that it says but kid, alg
 * and public_key_b64url. */
int wv_key_limits_read(struct wv_key_limits *limits, const struct wv_doc *doc,
	const char *pointer, const cJSON *entry, struct wv_err *err);

struct wv_key {
	const cJSON *entry; /* of the keyring */
	const struct wv_alg *alg;
	void *pkey; /* libcrypto's */
	struct wv_key_limits limits;
};

struct wv_keyring {
	struct wv_arena arena;
	struct wv_doc doc;
	struct wv_map kids; /* to indices of keys */
	struct wv_key *keys;
	size_t count;
};
/* Of a keyring, which has it. */
const struct wv_key *wv_keyring_find(
	const struct wv_keyring *keyring, const char *kid);

/* key.c: reads base64url text; -1 and what it should be.  wv_crypto_start()
 * comes first. */
int wv_key_read(struct wv_key *key, const struct wv_alg *alg, const char *text,
	struct wv_err *err);
bool wv_key_verify(const struct wv_key *key, const unsigned char *sig,
	const void *text, size_t len);
void wv_key_free(struct wv_key *key);

/* signer.c: signs, and verifies what it signed. */
int wv_signer_sign(const struct wv_signer *signer,
	unsigned char sig[WV_SIGNATURE_BYTES], const void *text, size_t len,
	struct wv_err *err);

/* ecdsa.c: r and s as ECDSA-Sig-Value of RFC 3279; its length. */
size_t wv_ecdsa_write(unsigned char der[WV_ECDSA_DER],
	const unsigned char sig[WV_SIGNATURE_BYTES]);
/* Back again; false if it is none. */
bool wv_ecdsa_read(unsigned char sig[WV_SIGNATURE_BYTES],
	const unsigned char *der, size_t n);

#endif
