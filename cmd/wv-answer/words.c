/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include "base/hash.h"
#include "text/token.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a text whose words count; words there is room for at first. */
enum { LOOK_MAX = 64 << 10, ROOM_BITS = 11 };

/* Most words are no longer than their key is: it is the word then. */
struct word {
	uint64_t key;
	const char *text; /* of one that is longer, or NULL */
	uint32_t next;    /* in its place, + 1; 0: none */
};

struct vocabulary {
	struct wv_arena arena, scratch;
	struct word *list; /* by number */
	size_t count;
	unsigned bits;    /* there is room for 1 << bits */
	uint32_t *places; /* + 1: the first word of each; 0: none */
	uint64_t factor;  /* odd, and not to be foreseen: see place_of() */
	uint32_t *marks;  /* by word: the last set it was found or marked in */
	uint32_t mark;
};

/* Memory that is not touched costs nothing. */
static void
make_room(struct vocabulary *words, unsigned bits)
{
	size_t room = (size_t)1 << bits;

	words->bits = bits;
	words->list = wv_xrealloc(words->list, room * sizeof(*words->list));
	words->marks = wv_xrealloc(words->marks, room * sizeof(*words->marks));
	free(words->places);
	words->places = wv_xcalloc(room, sizeof(*words->places));
}

struct vocabulary *
words_new(void)
{
	struct vocabulary *words = wv_xcalloc(1, sizeof(*words));

	words->factor = wv_hash(NULL, 0) | 1;
	make_room(words, ROOM_BITS);
	return words;
}

void
words_free(struct vocabulary *words)
{
	if (words == NULL)
		return;
	free(words->list);
	free(words->places);
	free(words->marks);
	wv_arena_free(&words->arena);
	wv_arena_free(&words->scratch);
	free(words);
}

static uint64_t
key_of(const char *word, bool *is_long)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t key, ends;

	memcpy(&key, word, sizeof(key)); /* arenas have that much behind it */
	key = le64toh(key);
	ends = (key - ones) & ~key & ones << 7;
	*is_long = ends == 0 && word[sizeof(key)] != '\0';
	if (*is_long)
		return wv_hash(word, strlen(word));
	return ends == 0 ? key : key & ((ends & -ends) - 1);
}

/* Universal hashing: whatever the keys are, few share a place. */
static uint32_t *
place_of(const struct vocabulary *words, uint64_t key)
{
	return &words->places[key * words->factor >> (64 - words->bits)];
}

static void
put(struct vocabulary *words, uint32_t number)
{
	uint32_t *place = place_of(words, words->list[number].key);

	words->list[number].next = *place;
	*place = number + 1;
}

static uint32_t
add(struct vocabulary *words, uint64_t key, const char *text)
{
	uint32_t number = (uint32_t)words->count++;

	if (number >> words->bits != 0) {
		make_room(words, words->bits + 1);
		for (uint32_t i = 0; i < number; i++)
			put(words, i);
	}
	words->list[number] = (struct word){ .key = key, .text = text };
	words->marks[number] = 0;
	put(words, number);
	return number;
}

static uint32_t
number_of(struct vocabulary *words, const char *text)
{
	bool is_long;
	uint64_t key = key_of(text, &is_long);

	for (uint32_t at = *place_of(words, key); at != 0;) {
		const struct word *word = &words->list[at - 1];
		if (word->key == key && is_long == (word->text != NULL) &&
			(!is_long || strcmp(word->text, text) == 0))
			return at - 1;
		at = word->next;
	}
	return add(words, key, is_long ? wv_dup(&words->arena, text) : NULL);
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
