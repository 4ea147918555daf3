/* SPDX-License-Identifier: Apache-2.0 */
/* Words with escapes: %XX, and those of programs. */
#include "firewall/clean.h"
#include "firewall/decode.h"
#include "json/utf8.h"

#include <string.h>

bool
wv_ends_word(const char *s, size_t at)
{
	char c = s[at];

	if (c == '"' || c == '\'' || c == '`')
		return at == 0 || s[at - 1] != '\\';
	return (c >= 0 && c <= ' ') || c == '<' || c == '>' || c == 0x7F;
}

static int
digit(const struct wv_decoder *d, size_t at)
{
	return at < d->n ? wv_hex_values[(unsigned char)d->s[at]] : -1;
}

/* n digits, or as many as there are up to -n; -1: there are none. */
static int32_t
number(const struct wv_decoder *d, size_t at, int n, size_t *end)
{
	int32_t value = 0;
	int i = 0;

	while (i < (n < 0 ? -n : n) && digit(d, at + (size_t)i) >= 0)
		value = value << 4 | digit(d, at + (size_t)i++);
	*end = at + (size_t)i;
	return i == n || (n < 0 && i > 0) ? value : -1;
}

/* The byte that %XX is, and where it ends. */
static int32_t
read_percent(const struct wv_decoder *d, size_t at, size_t *end)
{
	return d->s[at] == '%' ? number(d, at + 1, 2, end) : -1;
}

/* The character that \uXXXX, \u{X…}, \UXXXXXXXX or \xXX is, whatever the
 * number of backslashes: each level of strings in strings doubles them. */
static int32_t
read_code(const struct wv_decoder *d, size_t at, size_t *end)
{
	enum { LONGEST = 6, MOST_SLASHES = 16 };
	size_t most = d->n - at < MOST_SLASHES ? d->n : at + MOST_SLASHES;

	while (at < most && d->s[at] == '\\') {
		wv_decode_steps++;
		at++;
	}
	if (d->n - at < 2)
		return -1;
	if (d->s[at] == 'u' && d->s[at + 1] == '{') {
		int32_t cp = number(d, at + 2, -LONGEST, end);
		if (*end == d->n || d->s[*end] != '}')
			return -1;
		++*end;
		return cp;
	}
	switch (d->s[at]) {
	case 'u':
		return number(d, at + 1, 4, end);
	case 'U':
		return number(d, at + 1, 8, end);
	case 'x':
		return number(d, at + 1, 2, end);
	}
	return -1;
}

/* The other escapes, which alone make no word one to decode. */
static int32_t
read_backslash(const struct wv_decoder *d, size_t at, size_t *end)
{
	static const char from[] = "nrtbf/\"'`\\", to[] = "\n\r\t\b\f/\"'`\\";

	if (d->s[at] != '\\')
		return -1;
	int32_t cp = read_code(d, at, end);
	if (cp >= 0)
		return cp;
	const char *known = at + 1 < d->n && d->s[at + 1] != '\0'
		? strchr(from, d->s[at + 1])
		: NULL;
	*end = at + 2;
	return known != NULL ? to[known - from] : -1;
}

/* Two surrogates are one character. */
static int32_t
join(const struct wv_decoder *d, int32_t high, size_t *end)
{
	size_t after;
	int32_t low = *end < d->n && d->s[*end] == '\\'
		? read_code(d, *end, &after)
		: -1;

	if (low < 0xDC00 || low > 0xDFFF)
		return 0xFFFD;
	*end = after;
	return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

static void
put(struct wv_decoder *d, const char *s, size_t n, size_t place)
{
	for (size_t i = 0; i < n; i++)
		d->places[d->bytes.n + i] = place;
	memcpy(d->bytes.s + d->bytes.n, s, n);
	d->bytes.n += n;
}

static void
put_character(struct wv_decoder *d, int32_t cp, size_t place)
{
	char utf8[4];
	bool good = cp <= 0x10FFFF && !(cp >= 0xD800 && cp <= 0xDFFF);

	put(d, utf8, (size_t)wv_utf8_put(utf8, good ? (uint32_t)cp : 0xFFFD),
		place);
}

static void
decode_percent(struct wv_decoder *d, size_t at, size_t end)
{
	while (at < end) {
		size_t after;
		int32_t value = read_percent(d, at, &after);
		char byte = value >= 0 ? (char)value : d->s[at];
		put(d, &byte, 1, at);
		at = value >= 0 ? after : at + 1;
	}
}

static void
decode_backslash(struct wv_decoder *d, size_t at, size_t end)
{
	while (at < end) {
		size_t after;
		int32_t cp = read_backslash(d, at, &after);
		if (cp < 0) {
			put(d, d->s + at, 1, at);
			at++;
			continue;
		}
		if (cp >= 0xD800 && cp <= 0xDBFF)
			cp = join(d, cp, &after);
		put_character(d, cp, at);
		at = after;
	}
}

/* What a hit of the cleaned text is in the word. */
static void
add_hit(struct wv_decoder *d, const struct wv_clean_map *map,
	const struct wv_hit *hit)
{
	size_t start = wv_clean_raw(map, hit->start);
	size_t last = wv_clean_raw(map, hit->end - 1) + 1;

	/* The next byte of another place: a character has one for all. */
	while (last < d->bytes.n && d->places[last] == d->places[last - 1])
		last++;
	wv_hits_add(d->hits, d->places[start], d->places[last], hit->kind);
}

static void
search(struct wv_decoder *d, size_t start, size_t end)
{
	struct wv_findings cleaned = { 0 };
	struct wv_clean_map map = { 0 };
	struct wv_hits hits = { 0 };

	d->text.n = 0;
	wv_clean_mapped(&d->text, d->bytes.s, d->bytes.n, &cleaned, &map);
	if (d->text.n > 0)
		wv_find_decoded(
			d->rules, d->text.s, d->text.n, d->depth + 1, &hits);
	for (size_t i = 0; i < hits.count; i++)
		add_hit(d, &map, &hits.at[i]);
	if (hits.count > 0 && d->spans != NULL)
		wv_hits_add(d->spans, start, end, NULL);
	wv_hits_free(&hits);
	wv_clean_map_free(&map);
}

static void
examine(struct wv_decoder *d, size_t at, size_t *done,
	void (*decode)(struct wv_decoder *, size_t, size_t))
{
	size_t start = at, end = at;

	while (start > *done && !wv_ends_word(d->s, start - 1))
		start--;
	while (end < d->n && !wv_ends_word(d->s, end))
		end++;
	*done = end;
	/* The last word is held back, and an old one was decoded before. */
	if (d->live != NULL && end == d->n)
		return;
	if (start < d->begin)
		return;
	size_t room = end - start + 1;
	d->bytes.n = 0;
	wv_str_room(&d->bytes, room);
	if (room > d->room) {
		d->places = wv_xrealloc(d->places, room * sizeof(*d->places));
		d->room = room;
	}
	decode(d, start, end);
	d->places[d->bytes.n] = end;
	wv_decode_steps += end - start;
	search(d, start, end);
}

void
wv_examine_percent(struct wv_decoder *d, size_t at)
{
	size_t end;

	if (at >= d->percent_end && read_percent(d, at, &end) >= 0)
		examine(d, at, &d->percent_end, decode_percent);
}

void
wv_examine_backslash(struct wv_decoder *d, size_t at)
{
	size_t end;

	if (at >= d->backslash_end && read_code(d, at, &end) >= 0)
		examine(d, at, &d->backslash_end, decode_backslash);
}
