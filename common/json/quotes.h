/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the strings of a record begin and end, found ahead of who reads it: a
 * window of the text at a time, 64 bytes in one go.  What is between two
 * quotes is then known to be right: escapes, UTF-8, no raw controls.  What is
 * outside of strings is the reader's business.  Private to json/skim.
 */
#ifndef WV_JSON_QUOTES_H
#define WV_JSON_QUOTES_H

#include "json/mask.h"

#include <stdbool.h>

enum { WV_QUOTES_WINDOW = 16 }; /* times WV_MASK bytes */

struct wv_quotes {
	const char *text, *end; /* the record */
	const char *next;       /* behind the window */
	const char *escape;     /* behind the last escape */
	uint64_t utf8;          /* state at next */
	bool open;              /* a character or an escape goes on at next */
	bool escapes;           /* there are some, up to next */
	uint32_t window;        /* which it is */
	uint32_t taken, count;
	/* Offsets; in front of each window's what was left of the last. */
	uint32_t at[1 + WV_QUOTES_WINDOW * WV_MASK + WV_MASK];
	char small[WV_MASK]; /* a record that is shorter */
};

/* text[0 … n) and the reader at its beginning. */
void wv_quotes_begin(struct wv_quotes *quotes, const char *text, size_t n);
/* Where the reader is, which is at p, outside of strings; and back to it. */
struct wv_quotes_place {
	const char *p;
	uint32_t window, taken;
};
static inline struct wv_quotes_place
wv_quotes_place(const struct wv_quotes *quotes, const char *p)
{
	return (struct wv_quotes_place){ p, quotes->window, quotes->taken };
}
void wv_quotes_go(struct wv_quotes *quotes, struct wv_quotes_place place);
/* Makes two quotes ready; false if there are none, or the text is wrong. */
bool wv_quotes_fill(struct wv_quotes *quotes);

/* The reader passes the next string; NULL, or the place of the closing
 * quote. */
static inline const char *
wv_quotes_take(struct wv_quotes *quotes)
{
	if (quotes->taken + 2 > quotes->count && !wv_quotes_fill(quotes))
		return NULL;
	quotes->taken += 2;
	return quotes->text + quotes->at[quotes->taken - 1];
}

#endif
