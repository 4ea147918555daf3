/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "firewall/normal-internal.h"
#include "json/utf8.h"

#include <stdlib.h>

/* The rules are our own: a fault in them is found by the first test.  Room
 * that is not used costs nothing. */
enum { NODES = 8192 };

static inline uint16_t
new_node(struct wv_words *words, uint32_t cp, uint16_t next)
{
	if (words->node_count == NODES)
		abort();
	words->nodes[words->node_count] =
		(struct wv_word_node){ .cp = cp, .next = next };
	return words->node_count++;
}

struct wv_words *
wv_words_new(void)
{
	struct wv_words *words = wv_xcalloc(1, sizeof(*words));

	words->nodes = wv_xmalloc(NODES * sizeof(*words->nodes));
	new_node(words, 0, 0); /* 0 is none */
	words->count = WV_SHAPES - 1;
	return words;
}

uint16_t
wv_words_count(const struct wv_words *words)
{
	return words->count;
}

static inline uint16_t
grow(struct wv_words *words, uint16_t from, uint32_t cp)
{
	uint16_t at = wv_words_step(words, from, cp);

	if (at != 0)
		return at;
	if (from == 0) {
		uint16_t *slot = &words->first[cp % WV_WORDS_FIRST];
		at = new_node(words, cp, *slot);
		*slot = at;
	} else {
		at = new_node(words, cp, words->nodes[from].child);
		words->nodes[from].child = at;
	}
	return at;
}

/* A word on its way into the tree. */
struct growth {
	struct wv_words *words;
	uint16_t node;
	size_t depth; /* letters */
	size_t place; /* in start[], of the first three */
	bool placed;  /* all of those are a to z */
};

static inline void
add_letter(struct growth *g, uint32_t letter)
{
	static const size_t weights[] = { 27 * 27, 27, 1 };
	struct wv_words *words = g->words;

	g->node = grow(words, g->node, letter);
	if (g->depth < 3) {
		g->placed = g->placed && letter >= 'a' && letter <= 'z';
		if (g->placed) {
			g->place += (letter - '`') * weights[g->depth];
			words->start[g->place] = g->node;
		}
	} else if (g->depth == 3 && g->placed) {
		words->fourth[g->place] |= (uint8_t)(1u << letter % 8);
	}
	g->depth++;
}

/* The letters of the character at s; its length. */
static size_t
add_character(struct growth *g, const char *s, size_t n)
{
	uint32_t cp, out[WV_FOLD_MAX];
	int count, len = wv_utf8_get((const unsigned char *)s, n, &cp);

	if (len == 0)
		abort();
	if (wv_normal_fold(cp, out, &count) >= WV_FOLD_LETTER)
		for (int i = 0; i < count; i++)
			add_letter(g, out[i]);
	return (size_t)len;
}

/* Three letters that another word begins with too; how many bytes. */
static size_t
begin_alike(struct growth *g, const char *s, size_t n)
{
	unsigned char l[3];
	size_t place;

	if (n < 3)
		return 0;
	for (size_t i = 0; i < 3; i++) {
		l[i] = wv_letters[(unsigned char)s[i]];
		if (l[i] == 0)
			return 0;
	}
	place = wv_words_start(l[0], l[1], l[2]);
	if (g->words->start[place] == 0)
		return 0;
	g->node = g->words->start[place];
	g->place = place;
	g->depth = 3;
	return 3;
}

uint16_t
wv_words_add(struct wv_words *words, const char *word, size_t n)
{
	bool beginning = n > 0 && word[n - 1] == '*';
	struct growth g = { .words = words, .placed = true };

	n -= beginning;
	for (size_t i = begin_alike(&g, word, n); i < n;) {
		unsigned char plain = wv_letters[(unsigned char)word[i]];
		if (plain != 0 || word[i] == '_') {
			add_letter(&g, plain != 0 ? plain : '_');
			i++;
		} else {
			i += add_character(&g, word + i, n - i);
		}
	}
	if (beginning && g.depth < 3)
		abort(); /* start[] passes over it */
	uint16_t *id = beginning ? &words->nodes[g.node].beginning
				 : &words->nodes[g.node].whole;
	if (*id == 0)
		*id = ++words->count;
	return *id;
}

uint64_t
wv_word_key(const char *word, size_t n, size_t *letters)
{
	uint64_t key = 0;
	unsigned char plain;
	size_t i = 0;

	for (; i < n && (plain = wv_letters[(unsigned char)word[i]]) != 0; i++)
		if (i < WV_KEY_LETTERS)
			key |= (uint64_t)plain << 8 * i;
	*letters = i;
	while (i < n) {
		plain = wv_letters[(unsigned char)word[i]];
		if (plain != 0 || word[i] == '_') {
			key = wv_key_add(
				key, (*letters)++, plain ? plain : '_');
			i++;
			continue;
		}
		uint32_t cp, out[WV_FOLD_MAX];
		int count;
		i += (size_t)wv_utf8_get(
			(const unsigned char *)word + i, n - i, &cp);
		enum wv_folded folded = wv_normal_fold(cp, out, &count);
		if (folded == WV_FOLD_ALONE)
			return WV_KEY_ALONE | cp;
		if (folded != WV_FOLD_LETTER)
			continue;
		for (int k = 0; k < count; k++)
			key = wv_key_add(key, (*letters)++, out[k]);
	}
	return key;
}

size_t
wv_alone_length(const char *s, size_t n)
{
	uint32_t cp, out[WV_FOLD_MAX];
	int count, len;

	if (n == 0 || (unsigned char)s[0] < WV_ALONE_LEAST)
		return 0;
	len = wv_utf8_get((const unsigned char *)s, n, &cp);
	if (len == 0 || wv_normal_fold(cp, out, &count) != WV_FOLD_ALONE)
		return 0;
	return (size_t)len;
}
