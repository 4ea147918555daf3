/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is used of libcrypto beside its hashing (base/digest.c).  A reference
 * to EVP would make the linker take in every algorithm there is, whose tables
 * are then relocated at every start: that is half of the start of a small
 * program.  So the shared library is opened when the first key is used.
 */
#ifndef WV_CONTRACT_CRYPTO_H
#define WV_CONTRACT_CRYPTO_H

#include "base/err.h"

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

/* All of them are there once wv_crypto_start() has returned 0. */
struct wv_crypto {
	__typeof__(CRYPTO_set_mem_functions) *set_memory;
	__typeof__(OPENSSL_init_crypto) *init;
	__typeof__(BIO_new) *new_bio;
	__typeof__(BIO_s_mem) *memory_bio;
	__typeof__(BIO_new_mem_buf) *new_bio_of;
	__typeof__(BIO_ctrl) *control_bio;
	__typeof__(BIO_free) *free_bio;
	__typeof__(EVP_PKEY_Q_keygen) *make_key;
	__typeof__(EVP_PKEY_free) *free_key;
	__typeof__(d2i_PUBKEY) *read_public;
	__typeof__(i2d_PUBKEY) *write_public;
	__typeof__(PEM_read_bio_PKCS8_PRIV_KEY_INFO) *read_info;
	__typeof__(PKCS8_PRIV_KEY_INFO_free) *free_info;
	__typeof__(EVP_PKCS82PKEY) *key_of_info;
	__typeof__(PEM_write_bio_PKCS8PrivateKey) *write_private;
	__typeof__(EVP_MD_CTX_new) *new_context;
	__typeof__(EVP_MD_CTX_free) *free_context;
	__typeof__(EVP_DigestVerifyInit_ex) *start_verify;
	__typeof__(EVP_DigestVerify) *verify;
	__typeof__(EVP_DigestSignInit_ex) *start_sign;
	__typeof__(EVP_DigestSign) *sign;
};
extern struct wv_crypto wv_crypto;

/* Before anything else here; openssl.cnf is not read, and all that libcrypto
 * frees is wiped: its readers and writers of keys leave copies behind. */
int wv_crypto_start(struct wv_err *err);

#endif
