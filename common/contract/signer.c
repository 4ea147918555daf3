/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/sign-internal.h"

#include "contract/base64url.h"
#include "contract/crypto.h"
#include "contract/record.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct wv_signer {
	struct wv_key key; /* both halves */
	unsigned char public[WV_KEY_BYTES];
	size_t public_bytes;
};

bool
wv_kid_is_valid(const char *kid)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz"
				      "0123456789._-";
	size_t n = strlen(kid);

	return n >= 1 && n <= 64 && kid[0] != '.' && strspn(kid, allowed) == n;
}

/* Takes the key. */
static struct wv_signer *
make_signer(EVP_PKEY *pkey, struct wv_err *err)
{
	struct wv_signer *signer = wv_xcalloc(1, sizeof *signer);
	unsigned char der[WV_KEY_PREFIX + WV_KEY_BYTES], *to = der;
	int n = wv_crypto.write_public(pkey, NULL);
	size_t prefix;

	signer->key.pkey = pkey;
	if (n > 0 && n <= (int)sizeof der &&
		wv_crypto.write_public(pkey, &to) == n)
		signer->key.alg = wv_alg_of(der, (size_t)n, &prefix);
	if (signer->key.alg == NULL) {
		wv_err_set(err, "not a private key of %s", wv_alg_names);
		wv_signer_free(signer);
		return NULL;
	}
	signer->public_bytes = (size_t)n - prefix;
	memcpy(signer->public, der + prefix, signer->public_bytes);
	return signer;
}

struct wv_signer *
wv_signer_new(const char *alg_name, struct wv_err *err)
{
	const struct wv_alg *alg = wv_alg_find(alg_name);
	EVP_PKEY *pkey;

	if (alg == NULL) {
		wv_err_set(err, "alg \"%.*s\" is none of %s", WV_SIGN_SHOWN,
			alg_name, wv_alg_names);
		return NULL;
	}
	if (wv_crypto_start(err) != 0)
		return NULL;
	pkey = wv_crypto.make_key(NULL, NULL, alg->type, alg->curve);
	if (pkey == NULL) {
		wv_err_set(err, "libcrypto makes no key of %s", alg->name);
		return NULL;
	}
	return make_signer(pkey, err);
}

/* Nobody is ever asked. */
static int
no_password(char *text, int size, int writing, void *data)
{
	return -1;
}

static EVP_PKEY *
read_pem(const char *pem, size_t len)
{
	BIO *bio = wv_crypto.new_bio_of(pem, (int)len);
	PKCS8_PRIV_KEY_INFO *info = NULL;
	EVP_PKEY *pkey = NULL;

	if (bio != NULL)
		info = wv_crypto.read_info(bio, NULL, no_password, NULL);
	if (info != NULL)
		pkey = wv_crypto.key_of_info(info);
	wv_crypto.free_info(info);
	wv_crypto.free_bio(bio);
	return pkey;
}

static bool
has_line(const char *text, size_t len, const char *line)
{
	return memmem(text, len, line, strlen(line)) != NULL;
}

struct wv_signer *
wv_signer_read(const char *pem, size_t len, struct wv_err *err)
{
	EVP_PKEY *pkey = NULL;

	if (wv_crypto_start(err) != 0)
		return NULL;
	if (has_line(pem, len, "-----BEGIN ENCRYPTED PRIVATE KEY-----"))
		wv_err_set(err,
			"the key has a password: only one without can be used");
	else if (len > INT_MAX ||
		!has_line(pem, len, "-----BEGIN PRIVATE KEY-----"))
		wv_err_set(err,
			"not a private key in PEM: there is no BEGIN PRIVATE "
			"KEY");
	else if ((pkey = read_pem(pem, len)) == NULL)
		wv_err_set(err, "not a private key of %s", wv_alg_names);
	return pkey != NULL ? make_signer(pkey, err) : NULL;
}

void
wv_signer_free(struct wv_signer *signer)
{
	if (signer == NULL)
		return;
	wv_key_free(&signer->key);
	free(signer);
}

const char *
wv_signer_alg(const struct wv_signer *signer)
{
	return signer->key.alg->name;
}

int
wv_signer_pem(
	const struct wv_signer *signer, struct wv_str *pem, struct wv_err *err)
{
	BIO *bio = wv_crypto.new_bio(wv_crypto.memory_bio());
	char *text = NULL;
	long n = 0;

	if (bio != NULL &&
		wv_crypto.write_private(bio, signer->key.pkey, NULL, NULL, 0,
			no_password, NULL) == 1)
		n = wv_crypto.control_bio(bio, BIO_CTRL_INFO, 0, &text);
	if (n > 0)
		wv_str_add(pem, text, (size_t)n);
	wv_crypto.free_bio(bio);
	return n > 0 ? 0 : wv_err_set(err, "the key cannot be written");
}

void
wv_signer_public(const struct wv_signer *signer, struct wv_str *b64url)
{
	wv_base64url_write(b64url, signer->public, signer->public_bytes);
}

/* What libcrypto makes is DER where the algorithm has a digest. */
static bool
sign(const struct wv_key *key, unsigned char sig[WV_SIGNATURE_BYTES],
	const void *text, size_t len)
{
	EVP_MD_CTX *context = wv_crypto.new_context();
	unsigned char made[WV_ECDSA_DER];
	size_t n = sizeof made;
	bool good = context != NULL &&
		wv_crypto.start_sign(context, NULL, key->alg->digest, NULL,
			NULL, key->pkey, NULL) == 1 &&
		wv_crypto.sign(context, made, &n, text, len) == 1;

	wv_crypto.free_context(context);
	if (!good)
		return false;
	if (key->alg->digest != NULL)
		return wv_ecdsa_read(sig, made, n);
	memcpy(sig, made, WV_SIGNATURE_BYTES);
	return n == WV_SIGNATURE_BYTES;
}

int
wv_signer_sign(const struct wv_signer *signer,
	unsigned char sig[WV_SIGNATURE_BYTES], const void *text, size_t len,
	struct wv_err *err)
{
	/* A faulty signature could give the key away; and the public half that
	 * a P-256 file names need not be that of its key. */
	if (sign(&signer->key, sig, text, len) &&
		wv_key_verify(&signer->key, sig, text, len))
		return 0;
	return wv_err_set(err, "the key makes no signature that is right");
}

/* Members in the order of the contract. */
static cJSON *
make_member(struct wv_arena *arena, const struct wv_signer *signer,
	const char *kid, struct wv_time signed_at,
	const unsigned char sig[WV_SIGNATURE_BYTES])
{
	cJSON *member = wv_json_object(arena);
	struct wv_str text = { 0 };

	wv_base64url_write(&text, sig, WV_SIGNATURE_BYTES);
	wv_put_string(arena, member, "alg", wv_signer_alg(signer));
	wv_put_string(arena, member, "kid", kid);
	wv_put_string(arena, member, "sig", text.s);
	wv_put_string(arena, member, "canonicalization", "JCS");
	wv_put(arena, member, "signed_at", wv_json_time(arena, signed_at));
	wv_str_free(&text);
	return member;
}

int
wv_signature_make(struct wv_arena *arena, cJSON *object, const char *member,
	const struct wv_signer *signer, const char *kid,
	struct wv_time signed_at, struct wv_err *err)
{
	unsigned char sig[WV_SIGNATURE_BYTES];
	struct wv_str text = { 0 };
	int result = wv_signature_text(&text, object, member, err);

	if (result == 0)
		result = wv_signer_sign(signer, sig, text.s, text.n, err);
	wv_str_free(&text);
	if (result == 0)
		wv_put(arena, object, member,
			make_member(arena, signer, kid, signed_at, sig));
	return result;
}
