/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a card shows of a text of somebody else: one line, bounded, without
 * control and invisible characters, addresses, and JSON or schemas (I-03).
 * All else stays as it is, white space apart.
 */
#ifndef WV_CARD_SHOWN_H
#define WV_CARD_SHOWN_H

#include "base/str.h"

/* Of a text no more than this is looked at. */
enum { WV_SHOWN_LOOK_MAX = 8192 };

/*
 * Appends at most max characters that count no more than `tokens` by the
 * counter approx.  What does not fit is cut behind a sentence if a third of it
 * can stay, else with "…" at the end.
 */
void wv_shown_text(
	struct wv_str *out, const char *text, size_t max, size_t tokens);
/* What a text costs by the counter approx. */
size_t wv_shown_tokens(const char *text, size_t n);

#endif
