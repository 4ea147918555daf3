/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A name in the text of a record among those of a schema.  Private to the
 * scan.  names.c finds the same in trees and has made the table: its hash is
 * repeated here for strings that have a length and no NUL.
 */
#ifndef WV_SCHEMA_SCAN_NAMES_H
#define WV_SCHEMA_SCAN_NAMES_H

#include "schema/scan.h"

#include <string.h>

/* The first n of the eight bytes at s, in the order of memory; all eight are
 * there. */
static inline uint64_t
wv_scan_word(const char *s, size_t n)
{
	uint64_t w;

	memcpy(&w, s, sizeof(w));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return n < sizeof(w) ? w & (((uint64_t)1 << 8 * n) - 1) : w;
}

static inline uint64_t
wv_scan_hash(const char *s, size_t n, uint64_t key, uint64_t *head)
{
	uint64_t w = wv_scan_word(s, n), h = (w + (key >> 1)) * key;

	*head = w;
	while (n >= sizeof(w)) {
		s += sizeof(w);
		n -= sizeof(w);
		w = wv_scan_word(s, n);
		h = ((h << 31 | h >> 33) ^ w) * key;
	}
	return h;
}

/* From the ninth byte on; string is NUL-terminated and has slack. */
static inline bool
wv_scan_same_rest(const char *string, const char *s, size_t n)
{
	while (n > sizeof(uint64_t)) {
		string += sizeof(uint64_t);
		s += sizeof(uint64_t);
		n -= sizeof(uint64_t);
		if (wv_scan_word(string, n) != wv_scan_word(s, n))
			return false;
	}
	return string[n] == '\0';
}

/* The index of a string, or -1. */
static inline int64_t
wv_scan_find(const struct names *names, const char *s, size_t n)
{
	uint64_t head;
	uint32_t at, slot;

	if (names->count == 0)
		return -1;
	at = (uint32_t)(wv_scan_hash(s, n, names->key, &head) >> names->shift);
	while ((slot = names->slots[at]) != 0) {
		if (names->heads[slot - 1] == head &&
			(n < sizeof(head) ||
				wv_scan_same_rest(
					names->strings[slot - 1], s, n)))
			return slot - 1;
		at = (at + 1) & names->mask;
	}
	return -1;
}

/* Whether the n bytes at s are this string. */
static inline bool
wv_scan_is(const char *string, const char *s, size_t n)
{
#ifdef WV_JSON_SSE2
	if (n < WV_BLOCK) {
		__m128i same =
			_mm_cmpeq_epi8(wv_mask_load(string), wv_mask_load(s));
		return (~wv_mask_bits(same) & ((1u << n) - 1)) == 0 &&
			string[n] == '\0';
	}
#endif
	return strncmp(string, s, n) == 0 && string[n] == '\0';
}

#endif
