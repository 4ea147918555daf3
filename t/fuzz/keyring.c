/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A keyring that is read has each of its keys by its kid, none of which has
 * signed what nobody signed, and can be added to without a loss; one that is
 * not is refused for a reason, at a place.
 */
#include "contract/sign-internal.h"
#include "file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

/* A token with a signature that anybody can write: all zeros. */
static cJSON *
forge(struct wv_arena *arena, const char *kid, const char *alg)
{
	char sig[87];
	cJSON *token = wv_json_object(arena), *signature;

	memset(sig, 'A', 86);
	sig[86] = '\0';
	wv_put_string(arena, token, "token_id", "t");
	signature = wv_put_object(arena, token, "x_weaver_signature");
	wv_put_string(arena, signature, "alg", alg);
	wv_put_string(arena, signature, "kid", kid);
	wv_put_string(arena, signature, "sig", sig);
	wv_put_string(arena, signature, "canonicalization", "JCS");
	return token;
}

static void
ask(const struct wv_keyring *keyring, const struct wv_key *key,
	struct wv_arena *arena)
{
	const char *kid = wv_get_string(key->entry, "kid");
	struct wv_key_claim claim = { .principal = "agent" };
	struct wv_err why = WV_ERR_INIT;
	cJSON *scope = wv_json_array(arena);

	must(wv_keyring_find(keyring, kid) == key);
	must(wv_signature_check(forge(arena, kid, key->alg->name),
		     "x_weaver_signature", keyring, &why) == WV_SIGNATURE_BAD);
	wv_push(scope, wv_json_string(arena, "a.b.c"));
	claim.scope = scope;
	for (int use = WV_KEY_TOKEN; use <= WV_KEY_CHECKPOINT; use++) {
		wv_err_clear(&why);
		claim.use = (enum wv_key_use)use;
		int status = wv_keyring_permits(keyring, kid, &claim, &why);
		must((status == 0) != wv_err_is_set(&why));
	}
}

/* Whatever it held is there, and the new one. */
static void
add(const struct wv_keyring *keyring, const struct wv_signer *signer)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };

	if (wv_keyring_add(keyring, "one-more", signer, &text, &err) == 0) {
		struct wv_keyring *more =
			wv_keyring_load(file_of(text.s, text.n), &err);
		must(more != NULL && more->count == keyring->count + 1);
		must(wv_keyring_entry(more, "one-more") != NULL);
		for (size_t i = 0; i < keyring->count; i++)
			must(wv_json_equal(
				keyring->keys[i].entry, more->keys[i].entry));
		wv_keyring_free(more);
	} else {
		must(wv_err_is_set(&err));
	}
	wv_str_free(&text);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static struct wv_signer *signer;
	static struct wv_arena arena;
	struct wv_err err = WV_ERR_INIT;
	struct wv_keyring *keyring = wv_keyring_load(file_of(data, size), &err);

	if (signer == NULL)
		must((signer = wv_signer_new("ed25519", NULL)) != NULL);
	must((keyring == NULL) == wv_err_is_set(&err));
	if (keyring == NULL)
		return 0;
	for (size_t i = 0; i < keyring->count; i++)
		ask(keyring, &keyring->keys[i], &arena);
	add(keyring, signer);
	wv_keyring_free(keyring);
	wv_arena_reset(&arena);
	return 0;
}
