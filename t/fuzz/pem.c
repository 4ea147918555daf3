/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A private key: PEM as it is, or, where the first byte is not a hyphen, the
 * DER within it, which is nearer to what has to be understood.  One that is
 * read has an algorithm, can be written and read back as the same key, and
 * signs what its public half verifies, or says that it cannot.
 */
#include "contract/sign-internal.h"
#include "file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
write_base64(struct wv_str *out, const unsigned char *p, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		unsigned v = (unsigned)p[i] << 16;
		if (i + 1 < n)
			v |= (unsigned)p[i + 1] << 8;
		if (i + 2 < n)
			v |= p[i + 2];
		wv_str_chr(out, digits[v >> 18]);
		wv_str_chr(out, digits[v >> 12 & 63]);
		wv_str_chr(out, i + 1 < n ? digits[v >> 6 & 63] : '=');
		wv_str_chr(out, i + 2 < n ? digits[v & 63] : '=');
		if (i % 48 == 45)
			wv_str_chr(out, '\n');
	}
}

static void
write_pem(struct wv_str *pem, const unsigned char *data, size_t size)
{
	if (size == 0 || data[0] == '-') {
		wv_str_add(pem, data, size);
		return;
	}
	wv_str_cat(pem, "-----BEGIN PRIVATE KEY-----\n");
	write_base64(pem, data, size);
	wv_str_cat(pem, "\n-----END PRIVATE KEY-----\n");
}

/* Its public half is one that a keyring would take. */
static void
check_public(const struct wv_signer *signer, const struct wv_str *public,
	const unsigned char sig[WV_SIGNATURE_BYTES], const char *text)
{
	struct wv_key key = { 0 };
	struct wv_err err = WV_ERR_INIT;

	must(wv_key_read(&key, wv_alg_find(wv_signer_alg(signer)), public->s,
		     &err) == 0);
	must(wv_key_verify(&key, sig, text, strlen(text)));
	wv_key_free(&key);
}

static void
check(const struct wv_signer *signer)
{
	static const char text[] = "what is signed";
	unsigned char sig[WV_SIGNATURE_BYTES];
	struct wv_str public = { 0 }, pem = { 0 }, again = { 0 };
	struct wv_err err = WV_ERR_INIT;
	struct wv_signer *same;

	wv_signer_public(signer, &public);
	if (wv_signer_sign(signer, sig, text, strlen(text), &err) == 0)
		check_public(signer, &public, sig, text);
	else
		must(wv_err_is_set(&err));
	must(wv_signer_pem(signer, &pem, &err) == 0);
	same = wv_signer_read(pem.s, pem.n, &err);
	must(same != NULL);
	wv_signer_public(same, &again);
	must(strcmp(public.s, again.s) == 0);
	wv_signer_free(same);
	wv_str_free(&public);
	wv_str_free(&pem);
	wv_str_free(&again);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str pem = { 0 };
	struct wv_signer *signer;
	char *text; /* no byte behind it to look into */

	write_pem(&pem, data, size);
	text = malloc(pem.n + (pem.n == 0));
	must(text != NULL);
	if (pem.n > 0)
		memcpy(text, pem.s, pem.n);
	signer = wv_signer_read(text, pem.n, &err);
	must((signer == NULL) == wv_err_is_set(&err));
	if (signer != NULL)
		check(signer);
	wv_signer_free(signer);
	free(text);
	wv_str_free(&pem);
	return 0;
}
