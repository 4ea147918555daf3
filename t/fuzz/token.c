/* SPDX-License-Identifier: Apache-2.0 */
/* Words are not empty, hold no byte of a gap, and stand within the text. */
#include "text/token.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
check(const struct wv_tokens *tokens, size_t size)
{
	for (size_t i = 0; i < tokens->count; i++) {
		const struct wv_span *span = &tokens->spans[i];
		const char *word = tokens->words[i];
		if (word[0] == '\0' || strpbrk(word, " \t\n.,<>_-") != NULL)
			abort();
		if (span->len == 0 || span->at > size ||
			span->len > size - span->at)
			abort();
	}
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_tokens few = { 0 }, all = { 0 };
	char *text = malloc(size + 1); /* no slack to look into */

	memcpy(text, data, size);
	wv_tokenize(&few, &arena, text, size, false);
	wv_tokenize(&all, &arena, text, size, true);
	check(&few, size);
	check(&all, size);
	if (few.count > all.count)
		abort();
	free(text);
	wv_arena_free(&arena);
	return 0;
}
