/* SPDX-License-Identifier: Apache-2.0 */
/* The names that tell what a value is: names-table.c. */
#ifndef WV_FIREWALL_NAMES_H
#define WV_FIREWALL_NAMES_H

#include "firewall/scan-internal.h"

#include <endian.h>
#include <string.h>

/* A name is judged by its last words, whatever stands before them. */
struct wv_secret_name {
	struct wv_word before, last; /* before WV_NO_WORD: whatever */
	const char *kind;            /* NULL ends a list */
};
extern const struct wv_secret_name wv_secret_names[];
/* Names of what is known by its name and value together. */
extern const struct wv_secret_name wv_member_names[];
/* Each is one with what stands before it. */
extern const struct wv_word wv_password_ends[];
/* Names of what names columns. */
extern const struct wv_word wv_column_names[];

/* Bits of the last three letters of all these words; of two, whatever is
 * before. */
struct wv_name_ends {
	uint32_t bits[32][32];
};
const struct wv_name_ends *wv_name_ends(void);
/* Of eight bytes, the topmost bit of each that is a letter, the first one's is
 * the lowest. */
static inline uint64_t
wv_letters_of(const char *s)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word;

	memcpy(&word, s, sizeof(word));
	word = le64toh(word);
	uint64_t small = (word | ones * 0x20) & ones * 0x7F;
	uint64_t from = small + ones * (0x80 - 'a');
	uint64_t past = small + ones * (0x7F - 'z');
	return from & ~past & ~word & ones * 0x80;
}

/* How many bytes there are to the last letter, with it. */
size_t wv_last_letter(const char *name, size_t n);

/* Few names end as one of the words does: seen before any splitting.  What is
 * behind the last letter does not count. */
static inline bool
wv_ends_as_name(const struct wv_name_ends *ends, const char *name, size_t n)
{
	const char *last;

	if (n > 0 && !wv_is_letter(name[n - 1]))
		n = wv_last_letter(name, n);
	if (n < 3)
		return false;
	last = name + n - 1;
	return (ends->bits[last[-2] & 31][last[-1] & 31] >> (*last & 31) & 1) !=
		0;
}

#endif
