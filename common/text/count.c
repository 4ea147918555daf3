/* SPDX-License-Identifier: Apache-2.0 */
#include "text/count.h"

#include "json/utf8.h"

#include <stdbool.h>
#include <string.h>

/* Sorted.  Characters that a model's tokenizer rarely joins: Hangul, CJK,
 * kana, full-width forms, symbols and emoji. */
static const struct {
	uint32_t first, last;
} wide[] = {
	{ 0x1100, 0x115F },
	{ 0x2600, 0x27BF },
	{ 0x2E80, 0x303E },
	{ 0x3041, 0x33FF },
	{ 0x3400, 0x4DBF },
	{ 0x4E00, 0xA4CF },
	{ 0xA960, 0xA97F },
	{ 0xAC00, 0xD7FF },
	{ 0xF900, 0xFAFF },
	{ 0xFE30, 0xFE4F },
	{ 0xFF00, 0xFF60 },
	{ 0xFFE0, 0xFFE6 },
	{ 0x1F000, 0x1FAFF },
	{ 0x20000, 0x3FFFF },
};

static bool
is_wide(uint32_t cp)
{
	size_t low = 0, high = sizeof(wide) / sizeof(wide[0]);

	while (low < high) {
		size_t mid = (low + high) / 2;
		if (cp > wide[mid].last)
			low = mid + 1;
		else if (cp < wide[mid].first)
			high = mid;
		else
			return true;
	}
	return false;
}

/* Of characters that make up a token together. */
enum char_kind {
	ALONE, /* each is one */
	BLANK,
	SMALL,
	CAPITAL,
	DIGIT,
	SIGN,
	OTHER, /* beyond ASCII */
};
static const unsigned char kinds[256] = {
	[' '] = BLANK,
	['!' ... '/'] = SIGN,
	['0' ... '9'] = DIGIT,
	[':' ... '@'] = SIGN,
	['A' ... 'Z'] = CAPITAL,
	['[' ... '`'] = SIGN,
	['a' ... 'z'] = SMALL,
	['{' ... '~'] = SIGN,
	[0x80 ... 0xFF] = OTHER,
};
static const unsigned char per_token[] = {
	[SMALL] = 8, [CAPITAL] = 3, [DIGIT] = 3, [SIGN] = 3, [OTHER] = 2
};

/* Beyond ASCII: the length, and what it costs if it stands alone, or 0.  What
 * is no character costs one a byte, so that a text cut within one never costs
 * less. */
static size_t
look(const unsigned char *s, size_t n, size_t *cost)
{
	uint32_t cp;
	int len = wv_utf8_get(s, n, &cp);

	*cost = 1;
	if (len == 0)
		return 1;
	if (!is_wide(cp))
		*cost = 0;
	else if (cp >= 0x1F000 || (cp >= 0x2600 && cp <= 0x27BF))
		*cost = 2;
	return (size_t)len;
}

/* Of a run of characters. */
static size_t
cost_of(enum char_kind kind, size_t length)
{
	size_t per = per_token[kind];

	if (kind == BLANK)
		return length > 1;
	return length <= per ? 1 : (length + per - 1) / per;
}

static size_t
count_approx(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	enum char_kind kind, before = BLANK;
	size_t length, run = 0, cost, tokens = 0;

	for (size_t i = 0; i < n;) {
		kind = kinds[s[i]];
		length = cost = 1;
		if (kind == OTHER) {
			i += look(s + i, n - i, &cost);
			kind = cost > 0 ? ALONE : OTHER;
		} else {
			while (++i < n && kinds[s[i]] == kind)
				length++;
		}
		if (kind == ALONE) {
			tokens += cost_of(before, run) + cost * length;
			before = BLANK;
			run = 0;
		} else if (kind == before ||
			(kind == SMALL && before == CAPITAL && run == 1)) {
			before = kind; /* Word */
			run += length;
		} else {
			tokens += cost_of(before, run);
			before = kind;
			run = length;
		}
	}
	return tokens + cost_of(before, run);
}

static size_t
count_words(const char *s, size_t n)
{
	size_t words = 0;
	bool in_word = false;

	for (size_t i = 0; i < n; i++) {
		bool space = s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r');
		words += !space && !in_word;
		in_word = !space;
	}
	return words;
}

static size_t
count_bytes(const char *s, size_t n)
{
	return n;
}

const char *const wv_counter_names[] = { "approx", "words", "bytes", NULL };

wv_counter *
wv_counter_find(const char *name)
{
	static wv_counter *const counters[] = { count_approx, count_words,
		count_bytes };

	for (size_t i = 0; wv_counter_names[i] != NULL; i++)
		if (strcmp(wv_counter_names[i], name) == 0)
			return counters[i];
	return NULL;
}

size_t
wv_text_cut(const char *s, size_t n, size_t max)
{
	if (n <= max)
		return n;
	while (max > 0 && ((unsigned char)s[max] & 0xC0) == 0x80)
		max--;
	return max;
}
