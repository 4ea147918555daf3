/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words as numbers: long and short, many, and the same each time.
 *
 * links: cmd/wv-answer/words.c
 */
#include "cmd/wv-answer/words.h"

#include "tap.h"

static struct wv_arena arena = WV_ARENA_INIT;

static const uint32_t *
numbers(struct vocabulary *words, const struct wv_str *text, size_t *count)
{
	return words_of(words, &arena, text->s, text->n, count);
}

/* Numbers go up by one from first. */
static bool
in_order(const uint32_t *set, size_t count, uint32_t first)
{
	for (size_t i = 0; i < count; i++)
		if (set[i] != first + i)
			return false;
	return true;
}

/* Each begins with the one before it; keys hold eight bytes. */
static void
test_lengths(void)
{
	enum { MOST = 40 };
	struct vocabulary *words = words_new();
	struct wv_str text = { 0 };
	size_t count;

	for (int letter = 0; letter < 2; letter++)
		for (int n = 1; n <= MOST; n++) {
			for (int i = 0; i < n; i++)
				wv_str_cat(&text, letter ? "k" : "\xd0\xb6");
			wv_str_chr(&text, ' ');
		}
	ok(in_order(numbers(words, &text, &count), 2 * MOST, 0) &&
			count == 2 * MOST,
		"words that differ in length");
	ok(in_order(numbers(words, &text, &count), 2 * MOST, 0) &&
			count == 2 * MOST,
		"they have the same numbers again");
	words_free(words);
	wv_str_free(&text);
}

/* So many that room is made again and again. */
static void
test_many(void)
{
	enum { MANY = 20000, PART = 5000 };
	struct vocabulary *words = words_new();
	struct wv_str text = { 0 };
	bool good = true;
	size_t count;

	for (int round = 0; round < 2; round++)
		for (uint32_t from = 0; from < MANY; from += PART) {
			text.n = 0;
			for (uint32_t i = from; i < from + PART; i++)
				wv_str_fmt(&text, "%u %u ", i, i);
			good = good &&
				in_order(numbers(words, &text, &count), PART,
					from) &&
				count == PART;
		}
	ok(good, "many words keep their numbers");
	words_free(words);
	wv_str_free(&text);
}

static void
test_marks(void)
{
	struct vocabulary *words = words_new();
	size_t n, m;
	const uint32_t *a = words_of(words, &arena, "kk ll mm", 8, &n);
	const uint32_t *b = words_of(words, &arena, "ll nn mm oo", 11, &m);
	uint32_t all[8];

	words_mark(words, a, n);
	ok(words_marked(words, a, n) == 3 && words_marked(words, b, m) == 2,
		"words of two sets");
	memcpy(all, a, n * sizeof(*a));
	ok(words_add(words, all, n, b, m) == 5 && in_order(all, 5, 0),
		"what a set adds to another");
	words_free(words);
}

int
main(void)
{
	test_lengths();
	test_many();
	test_marks();
	wv_arena_free(&arena);
	return done();
}
