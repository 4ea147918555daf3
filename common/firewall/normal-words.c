/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "firewall/normal-internal.h"
#include "json/utf8.h"

#include <stdlib.h>

static uint16_t
new_node(struct wv_words *words, uint32_t cp, uint16_t next)
{
	words->nodes = wv_list_room(
		words->nodes, words->node_count, sizeof(*words->nodes));
	words->nodes[words->node_count] =
		(struct wv_word_node){ .cp = cp, .next = next };
	return words->node_count++;
}

struct wv_words *
wv_words_new(void)
{
	struct wv_words *words = wv_xcalloc(1, sizeof(*words));

	new_node(words, 0, 0); /* 0 is none */
	words->count = WV_SHAPES - 1;
	return words;
}

uint16_t
wv_words_count(const struct wv_words *words)
{
	return words->count;
}

static uint16_t
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

/* Fills the place of a word's first three letters. */
static void
start(struct wv_words *words, const uint32_t *letters, size_t n, uint16_t node)
{
	unsigned char l[3] = { '`', '`', '`' };

	for (size_t i = 0; i < n; i++) {
		if (letters[i] < 'a' || letters[i] > 'z')
			return;
		l[i] = (unsigned char)letters[i];
	}
	words->start[wv_words_start(l[0], l[1], l[2])] = node;
}

static void
fourth(struct wv_words *words, const uint32_t *letters, uint32_t letter)
{
	for (size_t i = 0; i < 3; i++)
		if (letters[i] < 'a' || letters[i] > 'z')
			return;
	words->fourth[wv_words_start((unsigned char)letters[0],
		(unsigned char)letters[1], (unsigned char)letters[2])] |=
		(uint8_t)(1u << letter % 8);
}

uint16_t
wv_words_add(struct wv_words *words, const char *word, size_t n)
{
	bool beginning = n > 0 && word[n - 1] == '*';
	uint16_t node = 0;
	uint32_t first[3];
	size_t depth = 0;

	n -= beginning;
	for (size_t i = 0; i < n;) {
		uint32_t cp, out[WV_FOLD_MAX];
		int count;
		int len = wv_utf8_get(
			(const unsigned char *)word + i, n - i, &cp);
		if (len == 0)
			abort(); /* the rules are our own */
		i += (size_t)len;
		count = 1;
		if (cp < 0x80 && (wv_letters[cp] != 0 || cp == '_')) {
			out[0] = cp == '_' ? cp : wv_letters[cp];
		} else if (wv_normal_fold(cp, out, &count) < WV_FOLD_LETTER) {
			continue;
		}
		for (int k = 0; k < count; k++) {
			if (depth == 3)
				fourth(words, first, out[k]);
			node = grow(words, node, out[k]);
			if (depth < 3)
				first[depth] = out[k];
			if (++depth <= 3)
				start(words, first, depth, node);
		}
	}
	if (beginning && depth < 3)
		abort(); /* start[] passes over it */
	uint16_t *id = beginning ? &words->nodes[node].beginning
				 : &words->nodes[node].whole;
	if (*id == 0)
		*id = ++words->count;
	return *id;
}

uint64_t
wv_word_key(const char *word, size_t n, size_t *letters)
{
	uint64_t key = 0;

	*letters = 0;
	for (size_t i = 0; i < n;) {
		unsigned char plain = wv_letters[(unsigned char)word[i]];
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
	int count, len = wv_utf8_get((const unsigned char *)s, n, &cp);

	if (len == 0 || wv_normal_fold(cp, out, &count) != WV_FOLD_ALONE)
		return 0;
	return (size_t)len;
}
