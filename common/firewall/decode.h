/* SPDX-License-Identifier: Apache-2.0 */
/* What the files decode*.c share: the search for encoded runs of a text. */
#ifndef WV_FIREWALL_DECODE_H
#define WV_FIREWALL_DECODE_H

#include "firewall/find.h"

#include "base/str.h"

/* The last run of characters of one code that was looked at. */
struct wv_run {
	size_t start, end;
	unsigned tried; /* bit k: from its k-th character */
};

struct wv_decoder {
	const struct wv_rules *rules;
	const char *s;
	size_t n;
	size_t begin; /* nothing is looked for that begins before this */
	int depth;
	struct wv_hits *hits;
	struct wv_hits *spans; /* in which they are; NULL as live */
	size_t *live;          /* NULL: the text is all there is */
	struct wv_run base64, hex;
	size_t percent_end, backslash_end; /* of the last word */
	/* scratch: what was decoded, and cleaned, and where each byte of a
	 * word stood */
	struct wv_str bytes, text;
	size_t *places, room;
	bool is_text; /* all that was decoded last */
};

/* At a place that passed the filter. */
void wv_examine_base64(struct wv_decoder *d, size_t at);
void wv_examine_hex(struct wv_decoder *d, size_t at);
void wv_examine_percent(struct wv_decoder *d, size_t at);
void wv_examine_backslash(struct wv_decoder *d, size_t at);

/* Words end with white space, and at quotes that no backslash is before. */
bool wv_ends_word(const char *s, size_t at);

/* What begins at or after this is not decided yet. */
void wv_decode_hold(struct wv_decoder *d, size_t from);

/* The kind of a secret in d->bytes, which a run was, or NULL. */
const char *wv_decoded_kind(struct wv_decoder *d);

/* Value of a character, -1: it is none. */
extern const signed char wv_hex_values[256];

#endif
