/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_ANSWER_IDENTITY_H
#define WV_ANSWER_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

/*
 * What texts that say nearly the same must share to the letter, as a hash that
 * goes on from seed: in order, words with digits of any script, ids and names
 * (anything with _ / @ : # . or a capital within), numerals, and words that
 * turn a meaning around (not, without, off).
 */
uint64_t identity_of(uint64_t seed, const char *s, size_t n);
/* Any bytes. */
uint64_t identity_add(uint64_t seed, const void *p, size_t n);

#endif
