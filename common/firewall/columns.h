/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in text of which a column has the name of a secret. */
#ifndef WV_FIREWALL_COLUMNS_H
#define WV_FIREWALL_COLUMNS_H

#include "firewall/content-table.h"
#include "firewall/find.h"

struct wv_columns {
	struct wv_table table;
	const char *kinds[WV_COLUMNS]; /* NULL: no secrets */
	bool is_marked; /* marks are ours: nothing is left to find in a row
			   with one, in which cells may stand elsewhere now */
};

/* Bytes behind a row that may say where it ends. */
enum { WV_ROW_AHEAD = (64 << 10) + 2 };

/* Whether the first two lines that are not blank may be the header of one. */
bool wv_columns_are_likely(
	const struct wv_rules *rules, const struct wv_sample *sample);
/* By the first WV_SAMPLE bytes; columns->is_marked is set. */
bool wv_columns_read(struct wv_columns *columns, const struct wv_rules *rules,
	const char *s, size_t n);
/* Adds what has to go of the row that begins at *at; false at the end. */
bool wv_columns_row(const struct wv_columns *columns,
	const struct wv_rules *rules, const char *s, const char **at,
	const char *end, struct wv_hits *hits);

#endif
