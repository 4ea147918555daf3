/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/program.h"

#include <string.h>

/*
 * Eight bytes in the order of memory.  What follows the NUL is there (the
 * arena's slack) but means nothing, so it is masked away.
 */
static inline uint64_t
load(const char *s)
{
	uint64_t w;

	memcpy(&w, s, sizeof w);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

/* The lowest zero byte is marked exactly, higher ones perhaps wrongly. */
static inline uint64_t
zero_bytes(uint64_t w)
{
	return (w - 0x0101010101010101) & ~w & 0x8080808080808080;
}

static inline uint64_t
mask_end(uint64_t w, uint64_t zeros)
{
	return w & ((zeros ^ (zeros - 1)) >> 8);
}

/*
 * Multiply-shift with a random odd key: the topmost bits are the good ones.
 * head gets the first eight bytes.
 */
static inline uint64_t
hash(const char *s, uint64_t key, uint64_t *head)
{
	uint64_t w = load(s), zeros = zero_bytes(w), h;

	if (zeros != 0)
		w = mask_end(w, zeros);
	*head = w;
	h = (w + (key >> 1)) * key;
	while (zeros == 0) {
		s += sizeof w;
		w = load(s);
		zeros = zero_bytes(w);
		if (zeros != 0)
			w = mask_end(w, zeros);
		h = ((h << 31 | h >> 33) ^ w) * key;
	}
	return h;
}

void
wv_names_make(struct names *names, struct wv_arena *arena,
	const char *const *strings, uint32_t count, uint64_t key)
{
	uint32_t bits = 2, size;

	while (1u << bits < count * 2)
		bits++;
	size = 1u << bits;
	names->key = key | 1;
	names->count = count;
	names->mask = size - 1;
	names->shift = 64 - bits;
	names->strings = wv_alloc(arena, count * sizeof *names->strings);
	names->heads = wv_alloc(arena, count * sizeof *names->heads);
	names->slots = wv_alloc_zero(arena, size * sizeof *names->slots);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t h = hash(strings[i], names->key, &names->heads[i]);
		uint32_t at = (uint32_t)(h >> names->shift);
		names->strings[i] = strings[i];
		while (names->slots[at] != 0)
			at = (at + 1) & names->mask;
		names->slots[at] = i + 1;
	}
}

/* From the ninth byte on; the first eight are the same and hold no NUL. */
static bool
same_rest(const char *a, const char *b)
{
	for (;;) {
		a += sizeof(uint64_t);
		b += sizeof(uint64_t);
		uint64_t x = load(a), y = load(b);
		uint64_t x_end = zero_bytes(x), y_end = zero_bytes(y);
		if (x_end != 0 && y_end != 0)
			return mask_end(x, x_end) == mask_end(y, y_end);
		if (x != y)
			return false;
	}
}

static inline bool
same(const struct names *names, uint32_t i, const char *s, uint64_t head)
{
	return names->heads[i] == head &&
		(zero_bytes(head) != 0 || same_rest(names->strings[i], s));
}

int64_t
wv_names_find_next(
	const struct names *names, const char *string, uint32_t next)
{
	uint64_t head = load(string), zeros = zero_bytes(head);

	if (zeros != 0)
		head = mask_end(head, zeros);
	if (next < names->count && same(names, next, string, head))
		return next;
	return wv_names_find(names, string);
}

int64_t
wv_names_find(const struct names *names, const char *string)
{
	uint64_t head;
	uint32_t at, slot;

	if (names->count == 0)
		return -1;
	at = (uint32_t)(hash(string, names->key, &head) >> names->shift);
	while ((slot = names->slots[at]) != 0) {
		if (same(names, slot - 1, string, head))
			return slot - 1;
		at = (at + 1) & names->mask;
	}
	return -1;
}
