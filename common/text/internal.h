/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of text/ share among themselves and with nobody else. */
#ifndef WV_TEXT_INTERNAL_H
#define WV_TEXT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wv_char_kind {
	WV_CHAR_GAP,   /* ends a word */
	WV_CHAR_NONE,  /* is not there: accents, invisible characters */
	WV_CHAR_LOWER, /* also letters of scripts without case */
	WV_CHAR_UPPER,
	WV_CHAR_DIGIT,
	WV_CHAR_UNSPACED, /* of a script without spaces */
};

/* What a character is; its lower case, without Latin accents, is written to
 * out: *n bytes, never more than its UTF-8 takes. */
enum wv_char_kind wv_char_fold(uint32_t cp, char out[4], int *n);

/* Shortens a word of lower-case ASCII letters to its stem, in place; other
 * words stay.  Returns the new length. */
size_t wv_stem(char *word, size_t n);

/* Words that say nothing about a subject (NUL-terminated, folded). */
bool wv_is_stop_word(const char *word);

#endif
