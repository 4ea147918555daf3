/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include "base/hash.h"
#include "text/token.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a text whose words count. */
enum { LOOK_MAX = 64 << 10 };

struct vocabulary {
	struct wv_arena arena, scratch;
	struct wv_map map;
	uint32_t *marks; /* by word: the last set it was found or marked in */
	uint32_t mark;
};

struct vocabulary *
words_new(void)
{
	return wv_xcalloc(1, sizeof(struct vocabulary));
}

void
words_free(struct vocabulary *words)
{
	if (words == NULL)
		return;
	wv_map_free(&words->map);
	free(words->marks);
	wv_arena_free(&words->arena);
	wv_arena_free(&words->scratch);
	free(words);
}

static uint32_t
number_of(struct vocabulary *words, const char *word)
{
	size_t *found = wv_map_find(&words->map, word), n = words->map.count;

	if (found != NULL)
		return (uint32_t)*found;
	wv_map_add(&words->map, wv_dup(&words->arena, word), n);
	words->marks = wv_list_room(words->marks, n, sizeof(*words->marks));
	words->marks[n] = 0;
	return (uint32_t)n;
}

const uint32_t *
words_of(struct vocabulary *words, struct wv_arena *arena, const char *s,
	size_t n, size_t *count)
{
	struct wv_tokens tokens = { 0 };
	uint32_t *set, number;

	wv_arena_reset(&words->scratch);
	wv_tokenize(&tokens, &words->scratch, s, n < LOOK_MAX ? n : LOOK_MAX,
		false);
	set = wv_alloc(arena, tokens.count * sizeof(*set));
	*count = 0;
	words->mark++;
	for (size_t i = 0; i < tokens.count; i++) {
		number = number_of(words, tokens.words[i]);
		*count = words_add(words, set, *count, &number, 1);
	}
	return set;
}

void
words_mark(struct vocabulary *words, const uint32_t *set, size_t count)
{
	words->mark++;
	for (size_t i = 0; i < count; i++)
		words->marks[set[i]] = words->mark;
}

size_t
words_add(struct vocabulary *words, uint32_t *all, size_t n,
	const uint32_t *set, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (words->marks[set[i]] == words->mark)
			continue;
		words->marks[set[i]] = words->mark;
		all[n++] = set[i];
	}
	return n;
}

size_t
words_marked(const struct vocabulary *words, const uint32_t *set, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += words->marks[set[i]] == words->mark;
	return n;
}
