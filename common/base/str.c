/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *
wv_str_room(struct wv_str *str, size_t n)
{
	if (n >= str->cap - str->n) {
		size_t need =
			n > SIZE_MAX - 1 - str->n ? SIZE_MAX : str->n + n + 1;
		size_t cap = str->cap < 64 ? 64 : str->cap;
		while (cap < need)
			cap = cap > SIZE_MAX / 2 ? SIZE_MAX : cap * 2;
		str->s = wv_xrealloc(str->s, cap);
		str->cap = cap;
	}
	return str->s + str->n;
}

void
wv_str_add(struct wv_str *str, const void *p, size_t n)
{
	char *to = wv_str_room(str, n);

	if (n)
		memcpy(to, p, n);
	str->n += n;
	str->s[str->n] = '\0';
}

void
wv_str_cat(struct wv_str *str, const char *s)
{
	wv_str_add(str, s, strlen(s));
}

void
wv_str_chr(struct wv_str *str, char c)
{
	wv_str_add(str, &c, 1);
}

void
wv_str_num(struct wv_str *str, size_t number)
{
	char digits[3 * sizeof number], *end = digits + sizeof digits;
	char *p = end;

	do
		*--p = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	wv_str_add(str, p, (size_t)(end - p));
}

void
wv_str_vfmt(struct wv_str *str, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	char *to = wv_str_room(str, 64);
	size_t room = str->cap - str->n;
	int n = vsnprintf(to, room, fmt, ap);
	if (n > 0 && (size_t)n >= room)
		vsnprintf(
			wv_str_room(str, (size_t)n), (size_t)n + 1, fmt, again);
	va_end(again);
	if (n > 0)
		str->n += (size_t)n;
	str->s[str->n] = '\0';
}

void
wv_str_fmt(struct wv_str *str, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	wv_str_vfmt(str, fmt, ap);
	va_end(ap);
}

void
wv_str_free(struct wv_str *str)
{
	free(str->s);
	*str = (struct wv_str){ 0 };
}

bool
wv_ends_with(const char *s, size_t n, const char *end)
{
	size_t m = strlen(end);

	return n >= m && memcmp(s + n - m, end, m) == 0;
}

/* The well-formed character at s (RFC 3629), its length, or 0. */
static size_t
decode(const unsigned char *s, size_t n, uint32_t *cp)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = s[0] < 0x80 ? 1
		: s[0] < 0xc0    ? 0
		: s[0] < 0xe0    ? 2
		: s[0] < 0xf0    ? 3
		: s[0] < 0xf8    ? 4
				 : 0;

	if (len == 0 || len > n)
		return 0;
	*cp = len == 1 ? s[0] : s[0] & (0x7fU >> len);
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*cp = *cp << 6 | (s[i] & 0x3f);
	}
	if (*cp < least[len] || *cp > 0x10ffff ||
		(*cp >= 0xd800 && *cp <= 0xdfff))
		return 0;
	return len;
}

/* DEL, C1, breaks, bidi controls and what shows as nothing, in order. */
bool
wv_is_unseen(uint32_t cp)
{
	static const struct {
		uint32_t first, last;
	} table[] = {
		{ 0x7f, 0x9f },
		{ 0xad, 0xad },
		{ 0x34f, 0x34f },
		{ 0x61c, 0x61c },
		{ 0x115f, 0x1160 },
		{ 0x17b4, 0x17b5 },
		{ 0x180b, 0x180e },
		{ 0x200b, 0x200f },
		{ 0x2028, 0x202e },
		{ 0x2060, 0x206f },
		{ 0x3164, 0x3164 },
		{ 0xfe00, 0xfe0f },
		{ 0xfeff, 0xfeff },
		{ 0xffa0, 0xffa0 },
		{ 0xfff9, 0xfffb },
		{ 0x1d173, 0x1d17a },
		{ 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (cp <= table[i].last)
			return cp >= table[i].first;
	}
	return false;
}

/* What the character at s is written as, in out if not itself; its length
 * in *len. */
static const char *
show(const unsigned char *s, size_t n, size_t *used, size_t *len, char out[16])
{
	uint32_t cp;

	*used = decode(s, n, &cp);
	if (*used == 0) {
		*used = 1;
		*len = (size_t)snprintf(out, 16, "\\x%02x", s[0]);
	} else if (cp == '\n' || cp == '\t' || cp == '\r') {
		const char *c = cp == '\n' ? "\\n" : cp == '\t' ? "\\t" : "\\r";
		*len = 2;
		return c;
	} else if (cp < 0x20 || cp == 0x7f) {
		*len = (size_t)snprintf(out, 16, "\\x%02x", (unsigned)cp);
	} else if (wv_is_unseen(cp)) {
		*len = (size_t)snprintf(out, 16, "\\u{%x}", (unsigned)cp);
	} else {
		*len = *used;
		return (const char *)s;
	}
	return out;
}

/* How many bytes lead that are written as they are, of ASCII. */
static size_t
plain_run(const char *s, size_t n)
{
	const uint64_t ones = 0x0101010101010101u;
	size_t i = 0;

	/* One that is not sets its highest bit in one of the three. */
	for (uint64_t w; n - i >= sizeof w; i += sizeof w) {
		memcpy(&w, s + i, sizeof w);
		if (((w | (w - ones * ' ') | (w + ones)) & ones << 7) != 0)
			break;
	}
	while (i < n && s[i] >= ' ' && s[i] < 0x7f)
		i++;
	return i;
}

void
wv_str_foreign(struct wv_str *str, const char *s, size_t n, size_t max)
{
	static const char mark[] = "…";
	const size_t mark_len = sizeof mark - 1;
	size_t start = str->n, fits = start; /* fits: the mark still would */

	wv_str_room(str, n < max ? n : max);
	while (n > 0) {
		char out[16];
		size_t used, len, left = max - (str->n - start);
		size_t most = left > mark_len ? left - mark_len : 0;
		size_t run = plain_run(s, n < most ? n : most);
		const char *text = s;
		if (run > 0)
			used = len = run;
		else
			text = show(
				(const unsigned char *)s, n, &used, &len, out);
		if (len > max - (str->n - start)) {
			str->n = fits;
			if (max >= mark_len)
				wv_str_add(str, mark, mark_len);
			break;
		}
		wv_str_add(str, text, len);
		if (max - (str->n - start) >= mark_len)
			fits = str->n;
		s += used;
		n -= used;
	}
	wv_str_add(str, "", 0);
}

enum { NEAR_MAX = 256 };

static size_t
min(size_t a, size_t b)
{
	return a < b ? a : b;
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Optimal string alignment: edits and swaps of neighbours; case is free. */
static size_t
distance(const char *a, size_t m, const char *b, size_t n)
{
	size_t rows[3][NEAR_MAX + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];

	for (size_t j = 0; j <= n; j++)
		above[j] = j;
	for (size_t i = 1; i <= m; i++) {
		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			char x = lower(a[i - 1]), y = lower(b[j - 1]);
			size_t d = min(above[j], row[j - 1]) + 1;
			d = min(d, above[j - 1] + (x != y));
			if (i > 1 && j > 1 && x == lower(b[j - 2]) &&
				y == lower(a[i - 2]))
				d = min(d, before[j - 2] + 1);
			row[j] = d;
		}
		size_t *spare = before;
		before = above;
		above = row;
		row = spare;
	}
	return above[n];
}

static const char *
unique_completion(const char *word, const char *const *list)
{
	size_t n = strlen(word);
	const char *found = NULL;

	if (n < 3)
		return NULL;
	for (; *list; list++) {
		if (strncmp(word, *list, n) != 0)
			continue;
		if (found)
			return NULL;
		found = *list;
	}
	return found;
}

const char *
wv_nearest(const char *word, const char *const *list)
{
	const char *best = unique_completion(word, list);
	size_t m = strlen(word), best_distance = SIZE_MAX;

	if (best || m > NEAR_MAX)
		return best;
	for (; *list; list++) {
		size_t n = strlen(*list), most = n / 3;
		if (n > NEAR_MAX || m > n + most || n > m + most)
			continue;
		size_t d = distance(word, m, *list, n);
		if (d <= most && d < best_distance) {
			best = *list;
			best_distance = d;
		}
	}
	return best;
}
