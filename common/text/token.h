/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of a text, for ranking: UTF-8 aware; split at everything that is no
 * letter or digit, at camelCase and letter-digit borders and acronyms
 * (XMLParser: xml parser, and xmlparser whole); lower case, accents of Latin
 * letters folded, a light English stem; stop words dropped.  Text in a script
 * without spaces (CJK, kana, Hangul, Thai) gives its bigrams.  Placeholders
 * (<app_name>) and what an apostrophe adds (what's) are no words.
 */
#ifndef WV_TEXT_TOKEN_H
#define WV_TEXT_TOKEN_H

#include "base/mem.h"

#include <stdbool.h>

struct wv_tokens {
	const char **words; /* NUL-terminated, in the arena, in order */
	struct wv_span {
		size_t at, len; /* of the word's letters in the text */
		bool whole;     /* of the words just before it, in one piece */
	} * spans;              /* one a word */
	size_t count, cap;
};

/* Appends the words of n bytes, in linear time.  keep_stop_words: for a text
 * that is nothing but stop words. */
void wv_tokenize(struct wv_tokens *tokens, struct wv_arena *arena,
	const char *s, size_t n, bool keep_stop_words);

#endif
