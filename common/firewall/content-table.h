/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in text: cells between delimiters, quoted or not, or aligned under a
 * header by white space. */
#ifndef WV_FIREWALL_CONTENT_TABLE_H
#define WV_FIREWALL_CONTENT_TABLE_H

#include "firewall/summarize.h"

struct wv_table {
	char delimiter; /* 0: aligned */
	bool by_place;  /* aligned: cells begin where the names do; or each is
			   a word and the last one the rest */
	bool named;     /* the first row has names */
	bool is_header; /* aligned: the first line is known to be one */
	size_t width;   /* columns, also those past WV_COLUMNS */
	size_t count;   /* of them that are looked at */
	size_t starts[WV_COLUMNS]; /* in characters */
	struct wv_line names[WV_COLUMNS];
	const char *body; /* rows begin here */
};

bool wv_table_find(struct wv_table *table, struct wv_arena *arena,
	const struct wv_sample *sample);

/* The cells of the row that begins at *s; a quoted cell is without its quotes.
 * Returns how many there are (those past WV_COLUMNS are only counted), 0 at
 * the end.  arena NULL: all cells stand in the text, with doubled quotes. */
size_t wv_table_row(const struct wv_table *table, struct wv_arena *arena,
	const char **s, const char *end, struct wv_line cells[WV_COLUMNS]);

/* content-aligned.c */
bool wv_table_find_aligned(
	struct wv_table *table, const struct wv_sample *sample);
size_t wv_table_aligned_row(const struct wv_table *table, const char **s,
	const char *end, struct wv_line cells[WV_COLUMNS]);

/* A line at s of dashes and the like, or what a database says below rows. */
bool wv_table_is_rule(const char *s, const char *end);
/* A cell that is no name: empty, a number, a date. */
bool wv_table_is_value(const struct wv_line *cell);

#endif
