/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of normal share among themselves and with nobody else. */
#ifndef WV_FIREWALL_NORMAL_INTERNAL_H
#define WV_FIREWALL_NORMAL_INTERNAL_H

#include "firewall/normal.h"

/* A tree of letters; nodes of a level are linked. */
struct wv_word_node {
	uint32_t cp;
	uint16_t child, next;
	uint16_t whole, beginning; /* ids, or 0 */
};

enum {
	WV_WORDS_FIRST = 256,
	WV_WORDS_START = 27 * 27 * 27, /* three letters, or fewer and 0 */
};

struct wv_words {
	struct wv_word_node *nodes; /* [0] is none */
	uint16_t node_count, count;
	uint16_t first[WV_WORDS_FIRST]; /* letters, by their low byte */
	uint16_t start[WV_WORDS_START]; /* the node after three letters */
	uint8_t fourth[WV_WORDS_START]; /* bits of the letters after those */
};

/* The node after from (0: none yet) and cp, or 0. */
static inline uint16_t
wv_words_step(const struct wv_words *words, uint16_t from, uint32_t cp)
{
	uint16_t at = from ? words->nodes[from].child
			   : words->first[cp % WV_WORDS_FIRST];

	while (at != 0 && words->nodes[at].cp != cp)
		at = words->nodes[at].next;
	return at;
}

/* Where in start[] three letters of a to z, or '`' for none, are. */
static inline size_t
wv_words_start(unsigned char a, unsigned char b, unsigned char c)
{
	return ((a - '`') * 27u + (b - '`')) * 27u + (c - '`');
}

/* What an ASCII letter or digit is read as; 0 for what ends a word. */
extern const uint8_t wv_letters[256];

/* The byte at at, 0 after the end. */
static inline unsigned char
wv_peek(const struct wv_normal *p, size_t at)
{
	return at < p->n ? p->s[at] : 0;
}

/* Or the beginning of one that is not ASCII. */
static inline bool
wv_may_be_letter(unsigned char c)
{
	return wv_letters[c] != 0 || c >= 0x80;
}

/* The character at at, written out, as an entity, \uXXXX or, of ASCII, %XX:
 * its length, or 0. */
size_t wv_character(const struct wv_normal *p, size_t at, uint32_t *cp);

static inline void
wv_normal_add(struct wv_token *token, uint16_t id)
{
	if (id != 0 && token->count < WV_TOKEN_WORDS)
		token->words[token->count++] = id;
}
/* The token that begins at p->at, with no words yet. */
void wv_normal_begin(struct wv_normal *p, struct wv_token *token);
/* Digits and nothing else stand for no letters, but one alone may. */
bool wv_normal_is_number(const struct wv_normal *p, size_t start, size_t end);
/* The word, URL or address at p->at, which is a letter. */
void wv_normal_word(struct wv_normal *p, struct wv_token *token);

/*
 * The length of the mark at s, of n bytes, with what it is, or 0.  line: it
 * is the first of its line.  Looks at WV_MARK_MAX bytes at most.
 */
enum { WV_MARK_MAX = 64 };
size_t wv_shape_mark(const unsigned char *s, size_t n, bool line,
	enum wv_shape *shape, bool *ends);

/* Whether the URL of n bytes has a place in its query, or in braces, for what
 * was said.  broad: any data will do. */
bool wv_url_carries(const unsigned char *s, size_t n, bool broad);

/*
 * The first letters of a word, eight bits each: words that are not equal may
 * have the same.  A character that is a word by itself has its own mark.
 */
enum { WV_KEY_LETTERS = 8 };
#define WV_KEY_ALONE (UINT64_C(1) << 56) /* no letter */

static inline bool
wv_key_is_alone(uint64_t key)
{
	return key >> 56 == 1;
}

static inline uint64_t
wv_key_add(uint64_t key, size_t at, uint32_t letter)
{
	if (at >= WV_KEY_LETTERS)
		return key;
	if (letter >= 0x80)
		letter = 0x80 | (letter & 0x7f);
	return key | (uint64_t)letter << 8 * at;
}

/* Of a word of the rules, of n bytes; *letters: how many it has. */
uint64_t wv_word_key(const char *word, size_t n, size_t *letters);
/* Of the word of a text that begins at at. */
struct wv_key_read {
	uint64_t key;
	size_t end;  /* of its letters, as far as it was read */
	size_t pure; /* up to here there is nothing but letters in it */
};
struct wv_key_read wv_normal_key(struct wv_normal *p, size_t at);
/* The length of the first character if it is a word by itself, or 0.  Their
 * scripts are all beyond U+0800: bytes below this never begin one. */
enum { WV_ALONE_LEAST = 0xE0 };
size_t wv_alone_length(const char *s, size_t n);

enum {
	WV_PLACE_NAME = 64,  /* bytes of the word that makes a place one */
	WV_IMAGE_SPAN = 512, /* from where an image begins to its URL */
};
/* The end of the URL whose host begins at from. */
size_t wv_url_end(struct wv_normal *p, size_t from);
/* What the URL with "://" at at may be: WV_SHAPE_LINK, WV_SHAPE_IMAGE (if
 * there is an image), or a mere place.  *end: where it ends, if there are
 * brackets in it. */
enum wv_shape wv_url_shape(struct wv_normal *p, size_t at, size_t *end);

/* Whether wv_shape_mark() may find what begins at s with < or [. */
bool wv_shape_may_be(const unsigned char *s, size_t n);

/* The length of a tag that does not part words (<b>), or of a comment, if it
 * is no longer than most; or 0. */
size_t wv_tag_within(const unsigned char *s, size_t n, size_t most);

#endif
