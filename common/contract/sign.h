/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signatures of contracts.md: over the RFC 8785 form of an object without the
 * member that holds the signature.  ed25519 (RFC 8032) signs those bytes,
 * es256 is ECDSA P-256 over their SHA-256, r and s in 64 bytes; base64url
 * without padding.
 *
 * A keyring is {"keys":[{"kid","alg","public_key_b64url"}]}: 32 raw bytes for
 * ed25519, a SEC1 point, compressed or not, for es256.  An entry may limit
 * its key: use (an array of token, bundle, checkpoint), principals (an array
 * of globs over ids, base/glob.h), scope (an array as a token's), not_after
 * (a time, until which its signatures count).  What is absent does not limit;
 * but principals and scope are about tokens, and an entry that has them and
 * no use is for tokens only.  Other members but x_... are refused, since they
 * could be meant to forbid something.
 *
 * A private key is a PKCS#8 document in PEM, without a password.
 *
 * libcrypto's EVP is loaded with the first keyring or private key, so that a
 * tool that is given none does not pay for it at its start.  openssl.cnf is never
 * read.
 */
#ifndef WV_CONTRACT_SIGN_H
#define WV_CONTRACT_SIGN_H

#include "base/clock.h"
#include "json/json.h"

struct wv_keyring;
struct wv_signer;

/* NULL and an error with source, line and column if it cannot be read, names
 * a kid twice, holds a key that is none, or limits one in a way that is not
 * understood.  At most 1 MiB, 4,096 keys, and 256 entries in a list of a
 * key.  path is kept. */
struct wv_keyring *wv_keyring_load(const char *path, struct wv_err *err);
void wv_keyring_free(struct wv_keyring *keyring);
/* The entry of a kid, or NULL.  A keyring of NULL has none. */
const cJSON *wv_keyring_entry(
	const struct wv_keyring *keyring, const char *kid);
/* Appends the document of a keyring (NULL: one without keys) with a key more,
 * a line each.  -1: it has that kid, is full, or is YAML, whose remarks would
 * be lost. */
int wv_keyring_add(const struct wv_keyring *keyring, const char *kid,
	const struct wv_signer *signer, struct wv_str *text,
	struct wv_err *err);

enum wv_key_use { WV_KEY_TOKEN, WV_KEY_BUNDLE, WV_KEY_CHECKPOINT };
/* What a key has signed. */
struct wv_key_claim {
	enum wv_key_use use;
	const char *principal; /* of a token; else NULL */
	const cJSON *scope;    /* of a token; else NULL */
	struct wv_time now;    /* whoever judges it; signed_at is never read */
};
/* 0, or -1 and which limit of its entry forbids it. */
int wv_keyring_permits(const struct wv_keyring *keyring, const char *kid,
	const struct wv_key_claim *claim, struct wv_err *why);

enum wv_signature {
	WV_SIGNED,        /* by a key of the keyring */
	WV_NOT_SIGNED,    /* there is no such member, or it is null */
	WV_KEY_UNKNOWN,   /* whether it is right cannot be said */
	WV_SIGNATURE_BAD, /* malformed, another alg than its key's, or wrong */
};
/* Of the member of an object: "x_weaver_signature" of a CapabilityToken,
 * "signature" of a TraceBundle.  why says what is wrong unless WV_SIGNED.
 * What RFC 8785 cannot write was never signed: WV_SIGNATURE_BAD. */
enum wv_signature wv_signature_check(const cJSON *object, const char *member,
	const struct wv_keyring *keyring, struct wv_err *why);
/* The bytes that are signed: the object without that member. */
int wv_signature_text(struct wv_str *out, const cJSON *object,
	const char *member, struct wv_err *err);

/* A kid that can name a file, too: [A-Za-z0-9._-]{1,64}, no dot first. */
bool wv_kid_is_valid(const char *kid);

/* A private key; what is freed is wiped. */
/* alg as in a keyring; NULL names those that there are. */
struct wv_signer *wv_signer_new(const char *alg, struct wv_err *err);
struct wv_signer *wv_signer_read(
	const char *pem, size_t len, struct wv_err *err);
void wv_signer_free(struct wv_signer *signer);
const char *wv_signer_alg(const struct wv_signer *signer);
/* Its PEM, to be wiped by the caller: an empty string is never moved. */
int wv_signer_pem(
	const struct wv_signer *signer, struct wv_str *pem, struct wv_err *err);
/* Its public half as a keyring has it. */
void wv_signer_public(const struct wv_signer *signer, struct wv_str *b64url);
/* Puts the signature as a member into the object; it has been verified. */
int wv_signature_make(struct wv_arena *arena, cJSON *object, const char *member,
	const struct wv_signer *signer, const char *kid,
	struct wv_time signed_at, struct wv_err *err);

#endif
