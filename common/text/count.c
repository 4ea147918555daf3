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
	BLANK,
	SMALL,
	CAPITAL,
	DIGIT,
	SIGN,
	OTHER,
	ALONE, /* each is one */
};
static const unsigned char per_token[] = {
	[SMALL] = 8, [CAPITAL] = 3, [DIGIT] = 3, [SIGN] = 3, [OTHER] = 2
};

static enum char_kind
class_of(unsigned char c)
{
	if (c >= 'a' && c <= 'z')
		return SMALL;
	if (c == ' ')
		return BLANK;
	if (c >= '0' && c <= '9')
		return DIGIT;
	if (c >= 'A' && c <= 'Z')
		return CAPITAL;
	return c < ' ' || c == 0x7F ? ALONE : SIGN;
}

/* Beyond ASCII: the length, and what it costs if it stands alone.  What is no
 * character costs one a byte, so that a text cut within one never costs
 * less. */
static size_t
look(const unsigned char *s, size_t n, enum char_kind *kind, size_t *cost)
{
	uint32_t cp;
	int len = wv_utf8_get(s, n, &cp);

	*kind = len == 0 || is_wide(cp) ? ALONE : OTHER;
	*cost = len > 0 && (cp >= 0x1F000 || (cp >= 0x2600 && cp <= 0x27BF))
		? 2
		: 1;
	return len > 0 ? (size_t)len : 1;
}

struct run {
	enum char_kind kind;
	size_t length; /* characters */
};

static size_t
cost_of(const struct run *run)
{
	size_t per = per_token[run->kind];

	if (run->kind == BLANK)
		return run->length > 1;
	return (run->length + per - 1) / per;
}

static size_t
count_approx(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	struct run run = { BLANK, 0 };
	size_t tokens = 0;

	for (size_t i = 0, len; i < n; i += len) {
		enum char_kind kind;
		size_t cost = 1;
		len = 1;
		if (s[i] < 0x80)
			kind = class_of(s[i]);
		else
			len = look(s + i, n - i, &kind, &cost);
		if (kind == run.kind) {
			run.length++;
			continue;
		}
		if (kind == SMALL && run.kind == CAPITAL && run.length == 1) {
			run.kind = SMALL; /* Word */
			run.length++;
			continue;
		}
		tokens += cost_of(&run);
		run = (struct run){ kind, 1 };
		if (kind == ALONE) {
			run = (struct run){ BLANK, 0 };
			tokens += cost;
		}
	}
	return tokens + cost_of(&run);
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
