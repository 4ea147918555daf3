/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/sign-internal.h"

#include "contract/base64url.h"
#include "json/jcs.h"

#include <string.h>

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
check_form(const cJSON *signature, unsigned char sig[WV_SIGNATURE_BYTES],
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
		wv_err_set(why, "alg \"%.*s\" is none of %s", WV_SIGN_SHOWN,
			name, wv_alg_names);
	else if (form != NULL &&
		(!wv_is_string(form) || strcmp(form->valuestring, "JCS") != 0))
		wv_err_set(why, "canonicalization must be \"JCS\"");
	else if (kid == NULL || kid[0] == '\0')
		wv_err_set(why, "the signature has no kid");
	else if (text == NULL ||
		!wv_base64url_read(sig, WV_SIGNATURE_BYTES, text))
		wv_err_set(why,
			"sig must be 64 bytes, which are 86 characters of "
			"base64url, without padding");
	else
		return alg;
	return NULL;
}

static enum wv_signature
check_content(const struct wv_key *key,
	const unsigned char sig[WV_SIGNATURE_BYTES], const cJSON *object,
	const char *member, struct wv_err *why)
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
	unsigned char sig[WV_SIGNATURE_BYTES];
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
		wv_err_set(why, "key \"%.*s\" is not in the keyring",
			WV_SIGN_SHOWN, kid);
		return WV_KEY_UNKNOWN;
	}
	if (key->alg != alg) {
		wv_err_set(why, "key \"%.*s\" is of %s, the signature of %s",
			WV_SIGN_SHOWN, kid, key->alg->name, alg->name);
		return WV_SIGNATURE_BAD;
	}
	return check_content(key, sig, object, member, why);
}
