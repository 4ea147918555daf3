/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a name is found in struct names: by trees, whose strings end with a NUL
 * (names.c), and by the scan, whose strings have a length and no NUL in them.
 * All are read by whole words: eight bytes from any of theirs, and from the
 * end, are readable.  Private to this folder.
 */
#ifndef WV_SCHEMA_NAMES_H
#define WV_SCHEMA_NAMES_H

#include "schema/program.h"

#include <string.h>

/* Eight bytes in the order of memory. */
static inline uint64_t
wv_names_load(const char *s)
{
	uint64_t w;

	memcpy(&w, s, sizeof w);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

/* The first n of them, the others 0. */
static inline uint64_t
wv_names_word(const char *s, size_t n)
{
	uint64_t w = wv_names_load(s);

	return n < sizeof w ? w & ((UINT64_C(1) << 8 * n) - 1) : w;
}

/*
 * Multiply-shift with a random odd key: the topmost bits are the good ones.
 * head: wv_names_word() of the beginning.
 */
static inline uint64_t
wv_names_hash(const char *s, size_t n, uint64_t head, uint64_t key)
{
	uint64_t h = (head + (key >> 1)) * key;

	while (n >= sizeof h) {
		s += sizeof h;
		n -= sizeof h;
		h = ((h << 31 | h >> 33) ^ wv_names_word(s, n)) * key;
	}
	return h;
}

/* Whether string, which ends with a NUL, has the n bytes of s from the ninth
 * on, and no more. */
static inline bool
wv_names_same_rest(const char *string, const char *s, size_t n)
{
	while (n > sizeof(uint64_t)) {
		string += sizeof(uint64_t);
		s += sizeof(uint64_t);
		n -= sizeof(uint64_t);
		if (wv_names_word(string, n) != wv_names_word(s, n))
			return false;
	}
	return string[n] == '\0';
}

static inline bool
wv_names_same(const struct names *names, uint32_t i, const char *s, size_t n,
	uint64_t head)
{
	return names->heads[i] == head &&
		(n < sizeof head ||
			wv_names_same_rest(names->strings[i], s, n));
}

/* The index of the n bytes at s, or -1. */
static inline int64_t
wv_names_lookup(const struct names *names, const char *s, size_t n)
{
	uint64_t head = wv_names_word(s, n);
	uint32_t at, slot;

	if (names->count == 0)
		return -1;
	at = (uint32_t)(wv_names_hash(s, n, head, names->key) >> names->shift);
	while ((slot = names->slots[at]) != 0) {
		if (wv_names_same(names, slot - 1, s, n, head))
			return slot - 1;
		at = (at + 1) & names->mask;
	}
	return -1;
}

#endif
