/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_ANSWER_IDENTITY_H
#define WV_ANSWER_IDENTITY_H

#include "base/str.h"

/*
 * Appends what texts that say nearly the same must share to the letter: in
 * order, words with digits of any script, ids and names (anything with
 * _ / @ : # . or a capital within), numerals, and words that turn a meaning
 * around (not, without, off).
 */
void identity_of(struct wv_str *identity, const char *s, size_t n);
/* Any bytes. */
void identity_add(struct wv_str *identity, const void *p, size_t n);

#endif
