/* SPDX-License-Identifier: Apache-2.0 */
/* What keyring.c and sign.c share: a public key. */
#ifndef WV_CONTRACT_SIGN_INTERNAL_H
#define WV_CONTRACT_SIGN_INTERNAL_H

#include "contract/sign.h"

enum { WV_SIGNATURE = 64 }; /* bytes */

struct wv_alg;

struct wv_key {
	const cJSON *entry; /* of the keyring */
	const struct wv_alg *alg;
	void *pkey; /* libcrypto's */
};

/* Of a keyring, which has it. */
const struct wv_key *wv_keyring_find(
	const struct wv_keyring *keyring, const char *kid);

/* NULL if there is no algorithm of that name: wv_alg_names says which. */
const struct wv_alg *wv_alg_find(const char *name);
extern const char wv_alg_names[];

/* Before any key is read. */
int wv_key_start(struct wv_err *err);
/* Reads base64url text; -1 and what it should be. */
int wv_key_read(struct wv_key *key, const struct wv_alg *alg, const char *text,
	struct wv_err *err);
bool wv_key_verify(const struct wv_key *key, const unsigned char *sig,
	const void *text, size_t len);
void wv_key_free(struct wv_key *key);

#endif
