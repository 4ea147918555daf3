/* SPDX-License-Identifier: Apache-2.0 */
/* What is freed of a private key is nowhere in memory: neither it nor its
 * PEM. */
#include "tap.h"

#include "contract/base64url.h"
#include "contract/sign-internal.h"

#include <stdlib.h>

/* What is looked for is only ever held like this. */
enum {
	MASK = 0x5a,
	SECRET = 32,
	HEAD = sizeof "-----BEGIN PRIVATE KEY-----\n" - 1,
};

/* In heap, stack and data; what is huge is a sanitizer's. */
__attribute__((no_sanitize("address"))) static int
count_in_memory(const unsigned char *masked, size_t n)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long start, end;
	char line[512], mode[8];
	int found = 0;

	while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
		if (sscanf(line, "%lx-%lx %7s", &start, &end, mode) != 3 ||
			strncmp(mode, "rw", 2) != 0 || end - start > 16 << 20)
			continue;
		for (unsigned long at = start; at + n <= end; at++) {
			const unsigned char *p = (const unsigned char *)at;
			size_t i = 0;
			while (i < n && (p[i] ^ MASK) == masked[i])
				i++;
			found += i == n;
		}
	}
	if (maps != NULL)
		fclose(maps);
	return found;
}

static void
mask(unsigned char *out, const void *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = ((const unsigned char *)p)[i] ^ MASK;
}

/* A new key's PEM, and what to look for: the line of the PEM that is within
 * it, its bytes and, as a number is held, the same backwards. */
struct traces {
	unsigned char line[64], secret[SECRET], back[SECRET];
};

/* n bytes of the DER, from its base64. */
static void
from_pem(unsigned char *der, size_t n, const char *pem)
{
	char text[128] = "";

	for (size_t i = 0; i < n / 3 * 4; pem++) {
		if (*pem != '\n')
			text[i++] = *pem == '+' ? '-'
				: *pem == '/'   ? '_'
						: *pem;
	}
	if (!wv_base64url_read(der, n, text))
		abort();
	explicit_bzero(text, sizeof text);
}

static void
make_pem(struct wv_str *pem, struct traces *traces, const char *alg)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_signer *signer = wv_signer_new(alg, &err);
	unsigned char der[72] = { 0 };
	bool is_p256 = strcmp(alg, "es256") == 0;

	wv_signer_pem(signer, pem, &err);
	wv_signer_free(signer);
	from_pem(der, is_p256 ? 72 : 48, pem->s + HEAD);
	mask(traces->secret, der + (is_p256 ? 36 : 16), SECRET);
	for (size_t i = 0; i < SECRET; i++)
		traces->back[i] = traces->secret[SECRET - 1 - i];
	mask(traces->line, pem->s + HEAD, sizeof traces->line);
	explicit_bzero(der, sizeof der);
}

static int
count_key(const struct traces *traces)
{
	return count_in_memory(traces->secret, SECRET) +
		count_in_memory(traces->back, SECRET);
}

static void
test_wiped(const char *alg)
{
	unsigned char sig[WV_SIGNATURE_BYTES];
	struct wv_err err = WV_ERR_INIT;
	struct wv_str pem = { 0 };
	struct wv_signer *signer;
	struct traces traces;

	make_pem(&pem, &traces, alg);
	ok(count_key(&traces) == 0, "%s: nothing is left of making it", alg);
	signer = wv_signer_read(pem.s, pem.n, &err);
	ok(count_in_memory(traces.line, sizeof traces.line) == 1,
		"%s: its PEM is there once", alg);
	explicit_bzero(pem.s, pem.cap);
	ok(count_key(&traces) > 0, "%s: in use it is there", alg);
	wv_signer_sign(signer, sig, "x", 1, &err);
	wv_signer_free(signer);
	wv_str_free(&pem);
	ok(count_in_memory(traces.line, sizeof traces.line) == 0 &&
			count_key(&traces) == 0,
		"%s: then it is nowhere", alg);
}

int
main(void)
{
	test_wiped("ed25519");
	test_wiped("es256");
	return done();
}
