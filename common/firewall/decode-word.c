/* SPDX-License-Identifier: Apache-2.0 */
/* Words with escapes: %XX, those of programs, the entities of HTML. */
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
	if (at > 0 && c == ' ')
		return s[at - 1] != ':' && s[at - 1] != '=';
	if (at > 0 && c == '\n')
		return s[at - 1] != '=';
	return (c >= 0 && c <= ' ') || c == '<' || c == '>' || c == 0x7F;
}

static int
digit(const struct wv_decoder *d, size_t at)
{
	return at < d->n ? wv_hex_values[(unsigned char)d->s[at]] : -1;
}

/* n digits, or as many as there are up to -n; -1: there are none.  What is more
 * than any character is none. */
static int32_t
number(const struct wv_decoder *d, size_t at, int n, size_t *end)
{
	enum { TOO_MUCH = 0x110000 };
	uint32_t value = 0;
	int i = 0;

	while (i < (n < 0 ? -n : n) && digit(d, at + (size_t)i) >= 0)
		value = value << 4 | (uint32_t)digit(d, at + (size_t)i++);
	*end = at + (size_t)i;
	if (i != n && (n > 0 || i == 0))
		return -1;
	return value < TOO_MUCH ? (int32_t)value : TOO_MUCH;
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

void
wv_decode_put(struct wv_decoder *d, const char *s, size_t n, size_t place)
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

	wv_decode_put(d, utf8,
		(size_t)wv_utf8_put(utf8, good ? (uint32_t)cp : 0xFFFD), place);
}

/* The character that an escape of any code is, or -1. */
static int32_t
read_character(const struct wv_decoder *d, size_t at, size_t *end)
{
	if (d->s[at] == '&')
		return wv_read_entity(d, at, end);
	int32_t cp = read_backslash(d, at, end);
	return cp >= 0xD800 && cp <= 0xDBFF ? join(d, cp, end) : cp;
}

/* All codes at once: each level of them is one. */
static void
decode_escapes(struct wv_decoder *d, size_t at, size_t end)
{
	while (at < end) {
		size_t after;
		int32_t value = read_percent(d, at, &after);
		char byte = value >= 0 ? (char)value : d->s[at];
		int32_t cp = value < 0 ? read_character(d, at, &after) : -1;
		if (cp >= 0)
			put_character(d, cp, at);
		else
			wv_decode_put(d, &byte, 1, at);
		at = value >= 0 || cp >= 0 ? after : at + 1;
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

void
wv_examine_word(struct wv_decoder *d, size_t at, size_t *done,
	void (*decode)(struct wv_decoder *d, size_t at, size_t end))
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

/* Of several backslashes the last one tells. */
static bool
is_code(const struct wv_decoder *d, size_t at)
{
	size_t end;

	if (d->s[at] != '\\')
		return read_percent(d, at, &end) >= 0 ||
			wv_read_entity(d, at, &end) >= 0;
	return d->n - at > 1 && d->s[at + 1] != '\\' &&
		read_code(d, at, &end) >= 0;
}

void
wv_examine_escape(struct wv_decoder *d, size_t at)
{
	if (at >= d->word_end && is_code(d, at))
		wv_examine_word(d, at, &d->word_end, decode_escapes);
}
