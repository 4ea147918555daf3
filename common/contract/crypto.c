/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/crypto.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct wv_crypto wv_crypto;

#define CALL(name, member) \
	{ \
		name, offsetof(struct wv_crypto, member) \
	}

/* The last one is there when all are. */
static const struct {
	const char *name;
	size_t offset;
} calls[] = {
	CALL("CRYPTO_set_mem_functions", set_memory),
	CALL("BIO_new", new_bio),
	CALL("BIO_s_mem", memory_bio),
	CALL("BIO_new_mem_buf", new_bio_of),
	CALL("BIO_ctrl", control_bio),
	CALL("BIO_free", free_bio),
	CALL("EVP_PKEY_Q_keygen", make_key),
	CALL("EVP_PKEY_free", free_key),
	CALL("d2i_PUBKEY", read_public),
	CALL("i2d_PUBKEY", write_public),
	CALL("PEM_read_bio_PKCS8_PRIV_KEY_INFO", read_info),
	CALL("PKCS8_PRIV_KEY_INFO_free", free_info),
	CALL("EVP_PKCS82PKEY", key_of_info),
	CALL("PEM_write_bio_PKCS8PrivateKey", write_private),
	CALL("EVP_MD_CTX_new", new_context),
	CALL("EVP_MD_CTX_free", free_context),
	CALL("EVP_DigestVerifyInit_ex", start_verify),
	CALL("EVP_DigestVerify", verify),
	CALL("EVP_DigestSignInit_ex", start_sign),
	CALL("EVP_DigestSign", sign),
	CALL("OPENSSL_init_crypto", init),
};

#define TEXT_OF(number) #number
#define LIBCRYPTO(version) "libcrypto.so." TEXT_OF(version)

static void *
get_memory(size_t n, const char *file, int line)
{
	return malloc(n);
}

static void
wipe(void *p, const char *file, int line)
{
	if (p != NULL)
		explicit_bzero(p, malloc_usable_size(p));
	free(p);
}

static void *
resize(void *p, size_t n, const char *file, int line)
{
	size_t held = p != NULL ? malloc_usable_size(p) : 0;
	void *new = malloc(n);

	if (new != NULL && p != NULL) {
		memcpy(new, p, held < n ? held : n);
		wipe(p, file, line);
	}
	return new;
}

int
wv_crypto_start(struct wv_err *err)
{
	static const char cannot[] = "cannot use keys";
	void *library, *call;

	if (wv_crypto.init != NULL)
		return 0;
	library = dlopen(LIBCRYPTO(OPENSSL_SHLIB_VERSION), RTLD_NOW);
	if (library == NULL)
		return wv_err_set(err, "%s: %s", cannot, dlerror());
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
		call = dlsym(library, calls[i].name);
		if (call == NULL)
			return wv_err_set(err, "%s: %s", cannot, dlerror());
		memcpy((char *)&wv_crypto + calls[i].offset, &call,
			sizeof call);
	}
	if (wv_crypto.set_memory(get_memory, resize, wipe) == 1 &&
		wv_crypto.init(
			OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT,
			NULL) == 1)
		return 0;
	wv_crypto.init = NULL;
	return wv_err_set(err, "%s: libcrypto does not start", cannot);
}
