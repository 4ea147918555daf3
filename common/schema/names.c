/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/names.h"

/* The lowest zero byte is marked exactly, higher ones perhaps wrongly. */
static inline uint64_t
zero_bytes(uint64_t w)
{
	return (w - 0x0101010101010101) & ~w & 0x8080808080808080;
}

/* As strlen(), without a call: most names are short. */
static inline size_t
length(const char *s)
{
	size_t n = 0;
	uint64_t zeros;

	while ((zeros = zero_bytes(wv_names_load(s + n))) == 0)
		n += sizeof zeros;
	return n + (size_t)__builtin_ctzll(zeros) / 8;
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
		size_t n = length(strings[i]);
		uint64_t head = wv_names_word(strings[i], n);
		uint64_t h = wv_names_hash(strings[i], n, head, names->key);
		uint32_t at = (uint32_t)(h >> names->shift);
		names->strings[i] = strings[i];
		names->heads[i] = head;
		while (names->slots[at] != 0)
			at = (at + 1) & names->mask;
		names->slots[at] = i + 1;
	}
}

int64_t
wv_names_find_next(const struct names *names, const char *string, uint32_t next)
{
	size_t n = length(string);
	uint64_t head = wv_names_word(string, n);

	if (next < names->count && wv_names_same(names, next, string, n, head))
		return next;
	return wv_names_lookup(names, string, n);
}

int64_t
wv_names_find(const struct names *names, const char *string)
{
	return wv_names_lookup(names, string, length(string));
}
