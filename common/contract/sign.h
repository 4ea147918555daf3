/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signatures of contracts.md: over the RFC 8785 form of an object without the
 * member that holds the signature.  ed25519 (RFC 8032) signs those bytes,
 * es256 is ECDSA P-256 over their SHA-256, r and s in 64 bytes; base64url
 * without padding.
 *
 * A keyring is {"keys":[{"kid","alg","public_key_b64url"}]}: 32 raw bytes for
 * ed25519, a SEC1 point, compressed or not, for es256.  Other members of an
 * entry are kept for whoever decides what a key may sign.
 *
 * libcrypto's verification is loaded with the first keyring, so that a tool
 * that is given none does not pay for it at its start.  openssl.cnf is never
 * read.
 */
#ifndef WV_CONTRACT_SIGN_H
#define WV_CONTRACT_SIGN_H

#include "json/json.h"

struct wv_keyring;

/* NULL and an error with source, line and column if it cannot be read, names
 * a kid twice, or holds a key that is none.  At most 1 MiB and 4,096 keys. */
struct wv_keyring *wv_keyring_load(const char *path, struct wv_err *err);
void wv_keyring_free(struct wv_keyring *keyring);
/* The entry of a kid, or NULL.  A keyring of NULL has none. */
const cJSON *wv_keyring_entry(
	const struct wv_keyring *keyring, const char *kid);

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

#endif
