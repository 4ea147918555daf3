/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text in blocks: the first two bytes say how long they are.  Nothing is read
 * beyond one, no more is held back than may be, and what comes out is clean.
 */
#include "firewall/firewall.h"
#include "json/utf8.h"

#include "must.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
in_blocks(
	struct wv_str *out, const char *s, size_t n, size_t first, size_t rest)
{
	struct wv_redactor redactor = { 0 };
	size_t block = first;

	for (size_t at = 0; at < n; at += block, block = rest) {
		block = block < n - at ? block : n - at;
		char *copy = wv_xmalloc(block);
		memcpy(copy, s + at, block);
		wv_redactor_add(&redactor, out, copy, block, false);
		free(copy);
	}
	wv_redactor_add(&redactor, out, "", 0, true);
	must(redactor.raw.n + redactor.clean.n + redactor.text.n +
			redactor.units.n ==
		0);
	wv_redactor_free(&redactor);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wv_str out = { 0 };

	if (size < 3)
		return 0;
	in_blocks(&out, (const char *)data + 2, size - 2, 1 + data[0],
		1 + data[1]);
	if (out.n > 0)
		must(wv_utf8_check(out.s, out.n) == out.n);
	for (size_t i = 0; i < out.n; i++)
		must((unsigned char)out.s[i] >= ' ' || out.s[i] == '\n' ||
			out.s[i] == '\t');
	wv_str_free(&out);
	return 0;
}
