/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text as a reader takes it, word by word, for what a writer may disguise.
 * Case, accents, compatibility forms (full width, mathematical, circled
 * letters), Cyrillic and Greek letters that look Latin, digits that stand for
 * letters of a word, invisible characters, emphasis marks and small tags within a word,
 * numeric entities and letters that are s p a c e d make no difference.
 * Every word keeps its place in the text as given.  Linear time; nothing is
 * allocated.
 */
#ifndef WV_FIREWALL_NORMAL_H
#define WV_FIREWALL_NORMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a character is read. */
enum wv_folded {
	WV_FOLD_GAP,    /* ends a word */
	WV_FOLD_NONE,   /* is not there */
	WV_FOLD_LETTER, /* also a digit */
	WV_FOLD_ALONE,  /* a word by itself: Han, kana, Hangul */
};
/* Up to WV_FOLD_MAX letters that cp stands for are written to out: *n. */
enum { WV_FOLD_MAX = 4 };
enum wv_folded wv_normal_fold(uint32_t cp, uint32_t out[WV_FOLD_MAX], int *n);

/* The words that are looked for, each with an id from 1 on; a word that ends
 * with * stands for all that begin so.  They are folded as texts are. */
struct wv_words;
struct wv_words *wv_words_new(void);
/* The id of the n bytes at word, which are one word; added if new. */
uint16_t wv_words_add(struct wv_words *words, const char *word, size_t n);
uint16_t wv_words_count(const struct wv_words *words);

/* Marks that are no words; their ids come first.  In lists of words they
 * stand as "<turn>" and so on. */
enum wv_shape {
	WV_SHAPE_NONE,
	WV_SHAPE_PLACE,    /* a URL or an e-mail address */
	WV_SHAPE_LINK,     /* a URL whose query asks for what was said */
	WV_SHAPE_IMAGE,    /* the same of an image */
	WV_SHAPE_TURN,     /* the mark of a chat template, "System:" */
	WV_SHAPE_BREAKOUT, /* one that ends what has not begun */
	WV_SHAPE_TAG,      /* <important> and the like */
	WV_SHAPES,
};
extern const char *const wv_shape_names[WV_SHAPES];

enum { WV_TOKEN_WORDS = 4 };

struct wv_token {
	size_t start, end;
	size_t number;                  /* of the word in the text, from 1 on */
	uint16_t words[WV_TOKEN_WORDS]; /* ids: itself and its beginnings */
	uint8_t count;                  /* of words; 0: not looked for */
	bool clause;   /* the first of a line, quotation, item, after a colon */
	bool soft;     /* the first after a comma or a single line end */
	bool sentence; /* the first of a sentence */
};

struct wv_normal {
	const struct wv_words *words;
	const unsigned char *s;
	size_t n, at;
	size_t steps;              /* bytes looked at so far */
	size_t long_url, long_end; /* the last that is too long to read again */
	size_t number;             /* of words so far */
	size_t sentence; /* number of the first word of the sentence */
	bool all; /* words that are not looked for are of interest, too */
	bool clause, soft, stop, line;
	size_t image;  /* after where ![…](…) or <img …> begins; 0: not */
	size_t opened; /* up to here no chat template's turn has begun */
};

void wv_normal_start(struct wv_normal *p, const struct wv_words *words,
	const char *s, size_t n);
/* Two plain letters at s[at] begin a word. */
bool wv_normal_is_word(const char *s, size_t n, size_t at);
/* "word": the plain letters from at on are all that is between the marks. */
bool wv_normal_is_quoted(const char *s, size_t n, size_t at);
/* The next word that is looked for, or, with all, the next; false: none. */
bool wv_normal_next(struct wv_normal *p, struct wv_token *token);

#endif
