/* SPDX-License-Identifier: Apache-2.0 */
/* What is around a word, as far as that can be told from bytes. */
#include "firewall/inject-anchor.h"
#include "json/utf8.h"

#include <string.h>
#include <strings.h>

enum {
	GAP = 16,
	LONG = 64,
	TAG = 192, /* no tag or comment that parts no words is longer */
};

/* What may not part words, or be more than it looks like. */
static const bool special[256] = { ['<'] = true,
	['>'] = true,
	['&'] = true,
	[';'] = true,
	['%'] = true,
	['\\'] = true,
	['['] = true,
	['#'] = true,
	['*'] = true,
	['~'] = true,
	['\''] = true,
	[0x80 ... 0xff] = true };

/* The byte at at parts words and does nothing else. */
static bool
is_gap(const struct wv_normal *p, size_t at)
{
	unsigned char c = p->s[at], next = wv_peek(p, at + 1);
	size_t n;

	if (wv_letters[c] != 0)
		return false;
	if (!special[c])
		return true;
	switch (c) {
	case '>': /* what is before it may be a tag */
		n = at < TAG ? at : TAG;
		return memrchr(p->s + at - n, '<', n) == NULL;
	case ';': /* or a letter */
		return !wv_may_be_letter(next);
	case '*':
	case '~':
	case '\'':
		return !wv_may_be_letter(next) && next != '*' && next != '~';
	default:
		return c < 0x80 && (next == ' ' || next == '=' || next == c);
	}
}

static bool
is_letter(const struct wv_normal *p, size_t at)
{
	return wv_may_be_letter(wv_peek(p, at));
}

/* A letter at at may stand alone.  What is before it may be written in another
 * way. */
static bool
is_single(const struct wv_normal *p, size_t at)
{
	enum { ESCAPE = 6 };
	size_t before = at < ESCAPE ? at : ESCAPE;
	const unsigned char *s = p->s + at - before;

	return is_letter(p, at) && !is_letter(p, at + 1) &&
		(at == 0 || !is_letter(p, at - 1) ||
			memchr(s, '\\', before) != NULL ||
			memchr(s, '%', before) != NULL);
}

/* The key of the word that begins at at, 0: it cannot be told here. */
static uint64_t
plain_key(const struct wv_normal *p, size_t at)
{
	uint64_t key = 0;
	uint32_t cp, out[WV_FOLD_MAX];
	size_t count = 0;
	int n;

	if (wv_peek(p, at) >= 0x80)
		return wv_utf8_get(p->s + at, p->n - at, &cp) > 0 &&
				wv_normal_fold(cp, out, &n) == WV_FOLD_ALONE
			? WV_KEY_ALONE | cp
			: 0;
	for (; count < WV_KEY_LETTERS; at++) {
		unsigned char c = wv_peek(p, at), letter = wv_letters[c];
		if (c == '_' && wv_letters[wv_peek(p, at + 1)] != 0)
			letter = c;
		if (letter == 0 && at < p->n && !is_gap(p, at))
			return 0;
		if (letter == 0)
			break;
		key = wv_key_add(key, count++, letter);
	}
	bool spaced = count == 1
		? is_single(p, at + 1) || (at > 2 && is_single(p, at - 3))
		: (key >> 8 & 0xff) == '_'; /* s_o */
	return spaced ? 0 : key;
}

uint64_t
wv_key_behind(const struct wv_normal *p, size_t at)
{
	size_t from = at;

	if (p->s[at] >= 0x80)
		at += wv_alone_length((const char *)p->s + at, p->n - at);
	else
		while (wv_letters[wv_peek(p, at)] != 0 || wv_peek(p, at) == '_')
			at++;
	for (from = at; at < p->n && is_gap(p, at); at++)
		if (at - from == GAP)
			return 0;
	return plain_key(p, at);
}

static bool
is_alpha(unsigned char c)
{
	return c > '9' && wv_letters[c] != 0;
}

bool
wv_may_be_before(const struct wv_normal *p, size_t at, uint64_t key)
{
	enum { ESCAPE = 6 };
	const unsigned char *s = p->s + at;

	if (at <= ESCAPE || key == 0 || key >> 8 * (WV_KEY_LETTERS - 1) != 0 ||
		s[-1] != ' ' || !is_alpha(s[-2]) || !is_alpha(s[-3]) ||
		s[-1 - ESCAPE] == '\\')
		return true;
	unsigned last = (unsigned)(63 - __builtin_clzll(key)) / 8;
	return wv_letters[s[-2]] == (key >> 8 * last & 0xff);
}

bool
wv_may_be_behind(const struct wv_normal *p, size_t at, uint64_t key)
{
	while (wv_letters[wv_peek(p, at)] != 0)
		at++;
	unsigned char first = wv_letters[wv_peek(p, at + 1)];
	bool is_plain = wv_peek(p, at) == ' ' && first != 0 &&
		wv_letters[wv_peek(p, at + 2)] != 0;

	return !is_plain || first == (key & 0xff);
}

uint64_t
wv_key_before(const struct wv_normal *p, size_t at)
{
	const unsigned char *s = p->s;
	size_t from = at;

	for (; at > 0 && is_gap(p, at - 1); at--)
		if (from - at == GAP)
			return 0;
	from = at;
	if (at > 0 && s[at - 1] >= 0x80) {
		do
			at--;
		while (at > 0 && (s[at] & 0xC0) == 0x80 && from - at < 4);
		return plain_key(p, at);
	}
	while (at > 0 && (wv_letters[s[at - 1]] != 0 || s[at - 1] == '_'))
		if (from - --at == LONG)
			return 0;
	if (at > 0 && s[at - 1] != '_' && !is_gap(p, at - 1))
		return 0;
	while (at < from && s[at] == '_')
		at++;
	return plain_key(p, at);
}

size_t
wv_sentence_end(const struct wv_normal *p, size_t from, size_t end)
{
	const unsigned char *s = p->s + from;
	const unsigned char *tag = memchr(s, '<', end - from);
	const unsigned char *to = tag != NULL ? tag : p->s + end;

	while ((s = memchr(s, '.', (size_t)(to - s))) != NULL)
		if (++s < to && *s == ' ')
			return (size_t)(s - p->s);
	return end;
}

/* ://, or REDACTED:email; at is the colon. */
static bool
is_place(const struct wv_normal *p, size_t at)
{
	static const char redacted[] = "REDACTED";
	size_t n = strlen(redacted);
	unsigned char next = wv_peek(p, at + 1);

	return next == '/' ||
		((next | 0x20) == 'e' && at >= n &&
			strncasecmp((const char *)p->s + at - n, redacted, n) ==
				0);
}

bool
wv_has_place(const struct wv_normal *p, size_t from, size_t end)
{
	const unsigned char *s = p->s + from, *to = p->s + end;

	if (memchr(s, '@', end - from) != NULL)
		return true;
	while ((s = memchr(s, ':', (size_t)(to - s))) != NULL)
		if (is_place(p, (size_t)(s++ - p->s)))
			return true;
	return false;
}

/* name@word: none of it is a word. */
static bool
is_address(const struct wv_normal *p, size_t at)
{
	const unsigned char *s = p->s;
	size_t from = at;

	if (at < 2 || s[at - 1] != '@' || wv_letters[s[at - 2]] == 0)
		return false;
	for (at--; at > 0 && wv_letters[s[at - 1]] != 0; at--)
		if (from - at == LONG / 2)
			return false;
	return at == 0 ||
		(wv_begins_word(s[at - 1]) && s[at - 1] != ';' &&
			s[at - 1] != '>');
}

/* [REDACTED:email]: it is a mark, which has no words. */
static bool
is_in_mark(const struct wv_normal *p, size_t at)
{
	static const char before[] = "[REDACTED:", behind[] = "email]";
	size_t n = strlen(before), end = at + strlen(behind);

	return at >= n && p->s[at - 1] == ':' && end <= p->n &&
		wv_peek(p, end) != ']' &&
		memcmp(p->s + at - n, before, n) == 0 &&
		memcmp(p->s + at, behind, strlen(behind)) == 0;
}

/* It goes on a word that began with a letter that is not ASCII: that one is
 * looked for when the letter is seen. */
static bool
is_middle(const struct wv_normal *p, size_t at)
{
	uint32_t cp, out[WV_FOLD_MAX];
	int n;

	if (at == 0 || p->s[at - 1] < 0x80)
		return false;
	size_t from = at - 1;
	while (from > 0 && at - from < 4 && (p->s[from] & 0xC0) == 0x80)
		from--;
	return from + (size_t)wv_utf8_get(p->s + from, p->n - from, &cp) ==
		at &&
		wv_normal_fold(cp, out, &n) == WV_FOLD_LETTER;
}

static bool
is_number(const struct wv_normal *p, size_t at)
{
	size_t end = at;

	if (p->s[at] > '9')
		return false;
	while (wv_letters[wv_peek(p, end)] != 0 || wv_peek(p, end) == '_')
		end++;
	return wv_normal_is_number(p, at, end);
}

bool
wv_is_plain_word(const struct wv_normal *p, size_t at)
{
	return !is_number(p, at) && !is_middle(p, at) && !is_address(p, at) &&
		!is_in_mark(p, at);
}
