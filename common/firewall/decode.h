/* SPDX-License-Identifier: Apache-2.0 */
/* What the files decode*.c share: the search for encoded runs of a text. */
#ifndef WV_FIREWALL_DECODE_H
#define WV_FIREWALL_DECODE_H

#include "firewall/find.h"

#include "base/str.h"

/* The last run of characters of one code that was looked at. */
struct wv_run {
	size_t start, end;
	size_t counted, count; /* the characters before a place */
	unsigned tried;        /* bit k: from its k-th character */
};

struct wv_decoder {
	const struct wv_rules *rules;
	wv_decode_judge *judge; /* NULL: secrets are looked for */
	const char *s;
	size_t n;
	size_t begin; /* nothing is looked for that begins before this */
	int depth;
	struct wv_hits *hits;
	struct wv_hits *spans; /* in which they are; NULL as live */
	size_t *live;          /* NULL: the text is all there is */
	struct wv_run base64, hex;
	/* of the last word, or pairs of digits */
	size_t word_end, quoted_end, pairs_end;
	/* scratch: what was decoded, and cleaned, and where each byte of a
	 * word stood */
	struct wv_str bytes, text;
	size_t *places, room;
	bool is_text; /* all that was decoded last */
	bool has_run; /* of base64 or hexadecimal, that may be text */
};

/* Of 64 bytes, bit i for byte i. */
struct wv_code_masks {
	uint64_t upper;  /* A-Z a-f: the first six bits of ASCII in base64 */
	uint64_t digit;  /* 2-7: the first four bits of ASCII in hexadecimal */
	uint64_t escape; /* % \\ & = */
	/* What may stand between pairs, and a few others. */
	uint64_t between;
};
void wv_code_masks_of(const char *s, struct wv_code_masks *masks);

/* At a place that passed the filter. */
void wv_examine_base64(struct wv_decoder *d, size_t at);
void wv_examine_hex(struct wv_decoder *d, size_t at);
void wv_examine_escape(struct wv_decoder *d, size_t at);
void wv_examine_quoted(struct wv_decoder *d, size_t at);
void wv_examine_pairs(struct wv_decoder *d, size_t at);

/* The 16 characters at s, of which a NUL is none, are those of text. */
bool wv_base64_is_text(const char *s);
bool wv_hex_is_text(const char *s);

/* Words end with white space, but for a blank behind a sign and the line break
 * that quoted-printable puts in, and at quotes that no backslash is before. */
bool wv_ends_word(const char *s, size_t at);
/* The word of `at`, decoded into d->bytes and d->places by what decode puts,
 * unless it ends before *done: then it was seen. */
void wv_examine_word(struct wv_decoder *d, size_t at, size_t *done,
	void (*decode)(struct wv_decoder *d, size_t at, size_t end));
/* What stands at a place. */
void wv_decode_put(struct wv_decoder *d, const char *s, size_t n, size_t place);
/* The character that &#97; is, and where that ends; -1: it is none. */
int32_t wv_read_entity(const struct wv_decoder *d, size_t at, size_t *end);

/* What begins at or after this is not decided yet. */
void wv_decode_hold(struct wv_decoder *d, size_t from);
/* The same of what pairs of digits may follow. */
void wv_decode_hold_pairs(struct wv_decoder *d);

/* The kind of a secret in d->bytes, which a run was, or NULL. */
const char *wv_decoded_kind(struct wv_decoder *d);

/* Value of a character, -1: it is none. */
extern const signed char wv_hex_values[256];

#endif
