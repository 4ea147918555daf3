/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hexadecimal byte by byte: 67 68 70, 67:68:70, 0x67, 0x68, over lines too.  A
 * run is pairs of digits with a few separators between two.
 */
#include "firewall/decode.h"
#include "firewall/scan-internal.h"

#include <string.h>

enum {
	LOOK = 8,       /* pairs that have to be text */
	GAP = 16,       /* bytes between two pairs */
	OPEN = 8 << 10, /* bytes of a run that are waited for */
};

static bool
is_separator(char c)
{
	return c != '\0' && strchr(" \t\n,:;-", c) != NULL;
}

static bool
is_digit(const struct wv_decoder *d, size_t at)
{
	return wv_hex_values[(unsigned char)d->s[at]] >= 0;
}

static bool
is_prefix(const struct wv_decoder *d, size_t at)
{
	return d->s[at] == '0' && (d->s[at + 1] | 0x20) == 'x';
}

static bool
is_pair(const struct wv_decoder *d, size_t at)
{
	return d->n - at >= 2 && is_digit(d, at) && is_digit(d, at + 1) &&
		(d->n - at == 2 || !wv_is_class(d->s[at + 2], WV_ALNUM));
}

/* The pair that follows the one at `at`, without its 0x; 0: none does.  n: it
 * is not there yet. */
static size_t
pair_behind(const struct wv_decoder *d, size_t at)
{
	size_t i = at + 2, most = d->n - i < GAP ? d->n : i + GAP;

	while (i < most && is_separator(d->s[i]))
		i++;
	if (d->n - i < 2 || (d->n - i < 4 && is_prefix(d, i)))
		return d->n;
	if (i == at + 2)
		return 0;
	if (is_prefix(d, i))
		i += 2;
	return is_pair(d, i) ? i : 0;
}

/* Where the pair before `at` begins, with its 0x; `at`: there is none. */
static size_t
pair_before(const struct wv_decoder *d, size_t at, size_t least)
{
	size_t i = at;

	while (i > least && at - i < GAP && is_separator(d->s[i - 1]))
		i--;
	if (i == at || i - least < 2)
		return at;
	i -= 2;
	if (!is_pair(d, i))
		return at;
	if (i - least >= 2 && is_prefix(d, i - 2))
		i -= 2;
	return i > 0 && wv_is_class(d->s[i - 1], WV_ALNUM) ? at : i;
}

static unsigned char
byte_at(const struct wv_decoder *d, size_t at)
{
	return (unsigned char)(wv_hex_values[(unsigned char)d->s[at]] << 4 |
		wv_hex_values[(unsigned char)d->s[at + 1]]);
}

/* LOOK of them. */
static bool
are_text(const struct wv_decoder *d, size_t at)
{
	for (int i = 0; i < LOOK; i++, at = pair_behind(d, at)) {
		if ((i > 0 && at == 0) || at == d->n)
			return false;
		unsigned char byte = byte_at(d, at);
		if (byte < ' ' || byte >= 0x7F)
			return false;
	}
	return true;
}

/* The pairs from `at` on; returns where they end, and whether there may be
 * more of them. */
static size_t
decode_run(struct wv_decoder *d, size_t at, bool *is_open)
{
	size_t next = at;

	d->bytes.n = 0;
	do {
		at = next;
		wv_str_chr(&d->bytes, (char)byte_at(d, at));
		next = pair_behind(d, at);
	} while (next != 0 && next != d->n);
	*is_open = next == d->n;
	return at + 2;
}

void
wv_examine_pairs(struct wv_decoder *d, size_t at)
{
	size_t least = d->pairs_end > d->begin ? d->pairs_end : d->begin;
	size_t before, start = at;
	bool is_open;

	if (at < d->pairs_end || !is_pair(d, at))
		return;
	if (start - least >= 2 && is_prefix(d, start - 2))
		start -= 2;
	if ((start > 0 && wv_is_class(d->s[start - 1], WV_ALNUM)) ||
		!are_text(d, at))
		return;
	while ((before = pair_before(d, start, least)) != start)
		start = before;
	size_t end = decode_run(
		d, is_prefix(d, start) ? start + 2 : start, &is_open);
	wv_decode_steps += end - start;
	d->pairs_end = end;
	if (d->live != NULL && is_open && end - start <= OPEN) {
		wv_decode_hold(d, start);
		return;
	}
	const char *kind = wv_decoded_kind(d);
	if (kind == NULL)
		return;
	wv_hits_add(d->hits, start, end, kind);
	if (d->spans != NULL)
		wv_hits_add(d->spans, start, end, NULL);
}

void
wv_decode_hold_pairs(struct wv_decoder *d)
{
	enum { TOKEN = 4 }; /* 0x67, of which less may be there */
	size_t least = d->n - d->begin > OPEN ? d->n - OPEN : d->begin;
	size_t at = d->n, before;

	while (at > least && d->n - at < TOKEN &&
		(is_digit(d, at - 1) || (d->s[at - 1] | 0x20) == 'x'))
		at--;
	while ((before = pair_before(d, at, least)) != at)
		at = before;
	wv_decode_hold(d, at);
}
