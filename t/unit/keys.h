/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, and keyrings in a file of this test's own. */
#ifndef WV_TEST_KEYS_H
#define WV_TEST_KEYS_H

#include "tap.h"

#include "contract/sign-internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define ED25519 "I_Ck9eQ2Xta7KeU3ykivPnNZt8EtrWt0OTN3AoY_9qI"
#define ES256 \
	"BFueoMZP6ovadcW4ZcfGPXWmVm2PBy75TKCIowCeoEHexsmf4-T28P7MRNHmClr-" \
	"H43fzZzTXMnpoJF2HRjatpk"
#define ES256_SHORT "A1ueoMZP6ovadcW4ZcfGPXWmVm2PBy75TKCIowCeoEHe"
#define ENTRY(kid, alg, key) \
	"{\"kid\":\"" kid "\",\"alg\":\"" alg \
	"\",\"public_key_b64url\":\"" key "\"}"
#define KEYS(entries) "{\"keys\":[" entries "]}"

static char path[] = "/tmp/wv-sign-XXXXXX";

/* Before all others; unlink() it in the end. */
static inline void
make_path(void)
{
	int fd = mkstemp(path);

	if (fd < 0 || close(fd) != 0)
		abort();
}

static inline void
write_keyring(const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	ssize_t n = write(fd, text, strlen(text));

	if (n != (ssize_t)strlen(text) || close(fd) != 0)
		abort();
}

static inline struct wv_keyring *
load(const char *text)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_keyring *keyring;

	write_keyring(text);
	keyring = wv_keyring_load(path, &err);
	if (keyring == NULL)
		printf("# %zu:%zu: %s\n", err.line, err.column, err.text);
	return keyring;
}

static inline void
refused(const char *text, size_t column, const char *want)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_keyring *keyring;

	write_keyring(text);
	keyring = wv_keyring_load(path, &err);
	ok(keyring == NULL && strstr(err.text, want) != NULL, "refused: %s",
		want);
	ok(err.source != NULL && strcmp(err.source, path) == 0 &&
			err.column == column,
		"at its place");
	if (keyring != NULL || strstr(err.text, want) == NULL ||
		err.column != column)
		printf("# %zu:%zu: %s\n", err.line, err.column, err.text);
	wv_keyring_free(keyring);
}

#endif
