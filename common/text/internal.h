/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of text/ share among themselves and with nobody else. */
#ifndef WV_TEXT_INTERNAL_H
#define WV_TEXT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/* Shortens a word of lower-case ASCII letters to its stem, in place; other
 * words stay.  Returns the new length. */
size_t wv_stem(char *word, size_t n);

/* Words of n letters, folded, that say nothing about a subject. */
bool wv_is_stop_word(const char *word, size_t n);

#endif
