/* SPDX-License-Identifier: Apache-2.0 */
/* What a card shows of any bytes: bounded, clean, without addresses. */
#include "card/shown.h"

#include "base/mem.h"
#include "json/utf8.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = wv_xmalloc(size + 1);
	struct wv_str out = { 0 };
	size_t characters = 0;

	memcpy(text, data, size);
	text[size] = '\0';
	wv_shown_text(&out, text, 200, 60);
	for (size_t i = 0; i < out.n; i++) {
		unsigned char c = (unsigned char)out.s[i];
		characters += (c & 0xc0) != 0x80;
		if (c < 0x20 || c == 0x7f)
			abort();
	}
	if (characters > 200 || wv_shown_tokens(out.s, out.n) > 60 ||
		wv_utf8_check(out.s, out.n) != out.n ||
		strstr(out.s, "://") != NULL)
		abort();
	wv_str_free(&out);
	free(text);
	return 0;
}
