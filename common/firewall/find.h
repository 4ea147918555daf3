/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that has to be redacted in clean text: what the recognizers see, values
 * that are known, and encoded runs in which either is.
 *
 * Decoded are: base64 and base64url, padded or not, wherever in a run it
 * begins, over lines of one length; hexadecimal, over lines too, and byte by
 * byte (67 68, 67:68, 0x67, 0x68); words with %XX, &#XX; &#xXX; or &name;,
 * \uXXXX, \u{X…}, \UXXXXXXXX or \xXX; words of quoted-printable, over soft line
 * breaks.  What comes out is cleaned, searched and decoded again,
 * WV_DECODE_DEPTH times in all.  A run of base64 or hexadecimal that holds a
 * secret goes whole; of the words only what stands for it.
 *
 * Not seen are: runs of fewer than 16 characters; base64 or hexadecimal of
 * which no 12 bytes (8, of hexadecimal) together are ASCII text, or UTF-16 of
 * it; hexadecimal whose lines have an offset or the text beside it, as those of
 * hexdump and xxd; entities of HTML for other than ASCII but by number; one
 * escape of quoted-printable with digits alone; what is compressed or
 * encrypted; other codes.
 */
#ifndef WV_FIREWALL_FIND_H
#define WV_FIREWALL_FIND_H

#include "base/mem.h"
#include "firewall/scan.h"

struct wv_rules;
enum { WV_DECODE_DEPTH = 3 };

/* {0} is none; in order, and none overlaps another. */
struct wv_hits {
	struct wv_hit *at;
	size_t count;
};
void wv_hits_add(
	struct wv_hits *hits, size_t start, size_t end, const char *kind);
void wv_hits_free(struct wv_hits *hits);
/* The first that begins at or behind a place, or NULL. */
const struct wv_hit *wv_hits_behind(const struct wv_hits *hits, size_t at);
/* The same in an arena, and freed here. */
struct wv_hits wv_hits_keep(struct wv_hits *hits, struct wv_arena *arena);

void wv_find_all(const struct wv_rules *rules, const char *s, size_t n,
	struct wv_hits *hits);
/* The same if the first that wv_scan() finds is known, or NULL. */
void wv_find_from(const struct wv_rules *rules, const char *s, size_t n,
	const struct wv_hit *first, struct wv_hits *hits);
/*
 * The same of text that goes on: only what no further text can change.  What
 * begins at or after *live is still open then, and no hit reaches beyond it.
 * What to keep, and what *from and *live have to be, is as for wv_scan_more();
 * both are set for the next time, when other hits than those of the scanner
 * may stand behind *from.
 */
void wv_find_more(const struct wv_rules *rules, const char *s, size_t n,
	size_t *from, struct wv_hits *hits, size_t *live);
/* The same when no more text comes: nothing is open. */
void wv_find_last(const struct wv_rules *rules, const char *s, size_t n,
	size_t from, struct wv_hits *hits, size_t live);

/* Adds what stands in a table below names of secrets: text between delimiters
 * or aligned, whose first line has the names. */
void wv_columns_find(const struct wv_rules *rules, const char *s, size_t n,
	struct wv_hits *hits);

/* The same of what was decoded so often. */
void wv_find_decoded(const struct wv_rules *rules, const char *s, size_t n,
	int depth, struct wv_hits *hits);

/* Adds hits of encoded runs that begin at or after begin, in no order; they may
 * overlap.  live is NULL if no more text comes, else spans are the runs and
 * words that they stand in. */
void wv_decode_find(const struct wv_rules *rules, const char *s, size_t n,
	size_t begin, int depth, struct wv_hits *hits, struct wv_hits *spans,
	size_t *live);

/* The kind of what was decoded, clean text, so often; NULL: none. */
typedef const char *wv_decode_judge(const char *s, size_t n, int depth);
/* Adds the runs of base64 and hexadecimal that judge has a kind for; they may
 * overlap. */
void wv_decode_runs(const char *s, size_t n, int depth, wv_decode_judge *judge,
	struct wv_hits *hits);

/* Of strings that are ended by a NUL each, the next one behind *piece in which
 * there may be anything encoded, the first of it there in the string.  Bytes
 * behind them can be read. */
bool wv_decode_next(
	const char *s, size_t n, struct wv_piece *piece, size_t *first);
/* wv_decode_find() of such a string; whether wv_decode_runs() may find any. */
bool wv_decode_string(const struct wv_rules *rules, const char *s, size_t n,
	size_t first, struct wv_hits *hits);

/* Bytes that were decoded, for tests. */
extern size_t wv_decode_steps;

#endif
