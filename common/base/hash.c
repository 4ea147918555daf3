/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include "base/id.h"
#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_key[2];

static void
make_key(void)
{
	wv_random(hash_key, sizeof(hash_key));
}

static uint64_t
rotate(uint64_t x, int n)
{
	return x << n | x >> (64 - n);
}

static inline void
sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] = rotate(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] = rotate(v[2], 32);
}

/* Up to 7 bytes as a number; a copy of n bytes would be waited for. */
static inline uint64_t
tail(const char *s, size_t n)
{
	const unsigned char *u = (const unsigned char *)s;
	uint32_t first, last;

	if (n == 0)
		return 0;
	if (n < 4)
		return u[0] | (uint64_t)u[n / 2] << 8 * (n / 2) |
			(uint64_t)u[n - 1] << 8 * (n - 1);
	memcpy(&first, s, 4);
	memcpy(&last, s + n - 4, 4);
	return first | (uint64_t)last << 8 * (n - 4);
}

uint64_t
wv_hash(const void *p, size_t n)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const char *s = p;
	uint64_t last = (uint64_t)n << 56, word = 0;

	pthread_once(&once, make_key);
	uint64_t v[4] = { hash_key[0] ^ 0x736f6d6570736575,
		hash_key[1] ^ 0x646f72616e646f6d,
		hash_key[0] ^ 0x6c7967656e657261,
		hash_key[1] ^ 0x7465646279746573 };
	for (; n >= 8; s += 8, n -= 8) {
		memcpy(&word, s, 8);
		v[3] ^= word;
		sip_round(v);
		v[0] ^= word;
	}
	last |= tail(s, n);
	v[3] ^= last;
	sip_round(v);
	v[0] ^= last;
	v[2] ^= 0xff;
	for (int i = 0; i < 3; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* The slot that holds key, or the free one where it belongs. */
static struct wv_map_slot *
slot_of(const struct wv_map *map, const char *key, uint64_t hash)
{
	size_t mask = map->room - 1;

	for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
		struct wv_map_slot *slot = &map->slots[i];
		if (slot->key == NULL ||
			(slot->hash == hash && strcmp(slot->key, key) == 0))
			return slot;
	}
}

static void
grow(struct wv_map *map)
{
	struct wv_map old = *map;

	map->room = old.room ? old.room * 2 : 64;
	map->slots = wv_xcalloc(map->room, sizeof(*map->slots));
	for (size_t i = 0; i < old.room; i++) {
		const struct wv_map_slot *slot = &old.slots[i];
		if (slot->key != NULL)
			*slot_of(map, slot->key, slot->hash) = *slot;
	}
	free(old.slots);
}

size_t *
wv_map_find(const struct wv_map *map, const char *key)
{
	struct wv_map_slot *slot;

	if (map->count == 0)
		return NULL;
	slot = slot_of(map, key, wv_hash(key, strlen(key)));
	return slot->key ? &slot->value : NULL;
}

size_t *
wv_map_add(struct wv_map *map, const char *key, size_t value)
{
	uint64_t hash = wv_hash(key, strlen(key));
	struct wv_map_slot *slot;

	if (map->count * 2 >= map->room)
		grow(map);
	slot = slot_of(map, key, hash);
	if (slot->key == NULL) {
		*slot = (struct wv_map_slot){ key, hash, value };
		map->count++;
	}
	return &slot->value;
}

void
wv_map_free(struct wv_map *map)
{
	free(map->slots);
	*map = (struct wv_map){ 0 };
}
