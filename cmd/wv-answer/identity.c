/* SPDX-License-Identifier: Apache-2.0 */
#include "identity.h"

#include "json/utf8.h"
#include "text/fold.h"

#include <stdbool.h>
#include <string.h>

/* By first letter, each with a blank before and behind it. */
static const char *const telling_words[26] = {
	['a' - 'a'] = " above after ",
	['b' - 'a'] = " before below billion ",
	['c' - 'a'] = " cannot ",
	['d' - 'a'] = " disabled down ",
	['e' - 'a'] = " eight eighteen eighth eighty eleven enabled ",
	['f' - 'a'] = " false fifteen fifth fifty first five forty four "
		      "fourteen fourth ",
	['h' - 'a'] = " hundred ",
	['i' - 'a'] = " in ",
	['m' - 'a'] = " million ",
	['n' - 'a'] = " neither never nine nineteen ninety ninth no none nor "
		      "not ",
	['o' - 'a'] = " off on one out over ",
	['s' - 'a'] = " second seven seventeen seventh seventy six sixteen "
		      "sixth sixty ",
	['t' - 'a'] = " ten tenth third thirteen thirty thousand three true "
		      "twelve twenty two ",
	['u' - 'a'] = " under up ",
	['w' - 'a'] = " without ",
	['y' - 'a'] = " yes ",
	['z' - 'a'] = " zero ",
};
enum { TELLING_MAX = 9 };

/* With its length before it, so that nothing can stand for two. */
void
identity_add(struct wv_str *identity, const void *p, size_t n)
{
	wv_str_add(identity, &n, sizeof(n));
	wv_str_add(identity, p, n);
}

/* A character of a number in a script without spaces. */
static bool
is_numeral(uint32_t cp)
{
	static const uint32_t numerals[] = { 0x3007, 0x4E00, 0x4E03, 0x4E07,
		0x4E09, 0x4E24, 0x4E5D, 0x4E8C, 0x4E94, 0x4EBF, 0x516B, 0x516D,
		0x5104, 0x5341, 0x5343, 0x56DB, 0x767E, 0x842C, 0x96F6 };

	for (size_t i = 0; i < sizeof(numerals) / sizeof(*numerals); i++)
		if (numerals[i] == cp)
			return true;
	return false;
}

/* A digit, a fraction, a number in a circle or raised, a Roman one. */
static bool
is_digit(uint32_t cp)
{
	static const struct {
		uint32_t first, last;
	} digits[] = { { 0xB2, 0xB3 }, { 0xB9, 0xB9 }, { 0xBC, 0xBE },
		{ 0x660, 0x669 }, { 0x6F0, 0x6F9 }, { 0x7C0, 0x7C9 },
		{ 0x966, 0x96F }, { 0x9E6, 0x9EF }, { 0xA66, 0xA6F },
		{ 0xAE6, 0xAEF }, { 0xB66, 0xB6F }, { 0xBE6, 0xBF2 },
		{ 0xC66, 0xC6F }, { 0xCE6, 0xCEF }, { 0xD66, 0xD78 },
		{ 0xDE6, 0xDEF }, { 0xE50, 0xE59 }, { 0xED0, 0xED9 },
		{ 0xF20, 0xF33 }, { 0x1040, 0x1049 }, { 0x1090, 0x1099 },
		{ 0x1369, 0x137C }, { 0x17E0, 0x17E9 }, { 0x1810, 0x1819 },
		{ 0x2070, 0x2089 }, { 0x2150, 0x2189 }, { 0x2460, 0x249B },
		{ 0x24EA, 0x24FF }, { 0x2776, 0x2793 }, { 0x3021, 0x3029 },
		{ 0x3220, 0x3229 }, { 0x3248, 0x325F }, { 0x3280, 0x3289 },
		{ 0x32B1, 0x32BF }, { 0xA620, 0xA629 }, { 0xFF10, 0xFF19 },
		{ 0x1D7CE, 0x1D7FF } };

	for (size_t i = 0; i < sizeof(digits) / sizeof(*digits); i++)
		if (cp >= digits[i].first && cp <= digits[i].last)
			return true;
	return false;
}

/* Whether it is one; in small letters, between blanks, in word. */
static bool
is_telling(const char *s, size_t n, char word[TELLING_MAX + 3])
{
	const char *list;

	word[0] = ' ';
	if (n > TELLING_MAX || n < 2)
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = (char)(s[i] | 0x20);
		if (c < 'a' || c > 'z')
			return false;
		word[i + 1] = c;
	}
	word[n + 1] = ' ';
	word[n + 2] = '\0';
	list = telling_words[word[1] - 'a'];
	return list != NULL && strstr(list, word) != NULL;
}

enum char_kind {
	OTHER,
	SPACE, /* ends a run */
	MARK,  /* of ids, within a run */
	LOWER,
	UPPER,
	DIGIT,
	NUMERAL,
	BEYOND,
};

/* Of what stands at s; its length. */
static size_t
classify(const char *s, size_t n, enum char_kind *kind)
{
	static const enum char_kind classes[] = {
		[WV_CHAR_GAP] = OTHER,
		[WV_CHAR_NONE] = OTHER,
		[WV_CHAR_LOWER] = LOWER,
		[WV_CHAR_UPPER] = UPPER,
		[WV_CHAR_DIGIT] = DIGIT,
		[WV_CHAR_UNSPACED] = SPACE,
	};
	char letter[4];
	int width, len;
	uint32_t cp;

	len = wv_utf8_get((const unsigned char *)s, n, &cp);
	*kind = OTHER;
	if (len == 0)
		return 1;
	if (is_numeral(cp))
		*kind = NUMERAL;
	else if (is_digit(cp))
		*kind = DIGIT;
	else if (cp == 0x2212) /* minus */
		*kind = MARK;
	else if (cp == 0xA0 || cp == 0x3000 || (cp >= 0x2000 && cp <= 0x200A))
		*kind = SPACE;
	else
		*kind = classes[wv_char_fold(cp, letter, &width)];
	return (size_t)len;
}

static const unsigned char ascii_kinds[256] = {
	[' '] = SPACE,
	['\t' ... '\r'] = SPACE,
	['_'] = MARK,
	['/'] = MARK,
	['@'] = MARK,
	[':'] = MARK,
	['#'] = MARK,
	['.'] = MARK,
	['='] = MARK,
	['+'] = MARK,
	['-'] = MARK,
	['\\'] = MARK,
	['a' ... 'z'] = LOWER,
	['A' ... 'Z'] = UPPER,
	['0' ... '9'] = DIGIT,
	[0x80 ... 0xFF] = BEYOND,
};

/* How many ASCII characters of a kind stand at s, which begins with one. */
static size_t
alike(const char *s, size_t n, enum char_kind kind)
{
	size_t i = 1;

	while (i < n && ascii_kinds[(unsigned char)s[i]] == kind)
		i++;
	return i;
}

/* A run of characters without a space, or without a script that has none. */
struct run {
	size_t start, end; /* from its first letter or digit to its last */
	size_t sign;       /* + 1: where a sign stands, just before */
	bool is_open, has_digit, has_inner, after_mark, after_lower;
};

static void
end_run(struct run *run, const char *s, struct wv_str *identity)
{
	size_t n = run->end - run->start;
	char word[TELLING_MAX + 3];

	if (!run->is_open)
		return;
	s += run->start;
	if (run->has_digit || run->has_inner ||
		(n > 3 && memcmp(s + n - 3, "n't", 3) == 0))
		identity_add(identity, s, n);
	else if (is_telling(s, n, word))
		identity_add(identity, word, n + 2);
	*run = (struct run){ 0 };
}

static void
add_letter(struct run *run, enum char_kind kind, size_t at, size_t len)
{
	if (!run->is_open)
		run->start =
			kind == DIGIT && run->sign > 0 ? run->sign - 1 : at;
	run->sign = 0;
	run->is_open = true;
	run->has_inner = run->has_inner || run->after_mark ||
		(kind == UPPER && run->after_lower);
	run->has_digit = run->has_digit || kind == DIGIT;
	run->after_mark = false;
	run->after_lower = kind == LOWER;
	run->end = at + len;
}

void
identity_of(struct wv_str *identity, const char *s, size_t n)
{
	struct run run = { 0 };
	size_t len;

	for (size_t i = 0; i < n; i += len) {
		enum char_kind kind = ascii_kinds[(unsigned char)s[i]];
		if (kind != BEYOND)
			len = alike(s + i, n - i, kind);
		else
			len = classify(s + i, n - i, &kind);
		if (kind >= LOWER && kind <= DIGIT)
			add_letter(&run, kind, i, len);
		else if (kind == SPACE || kind == NUMERAL)
			end_run(&run, s, identity);
		else if (kind == MARK)
			run.after_mark = run.is_open;
		if (kind < LOWER)
			run.sign = kind == MARK && !run.is_open ? i + 1 : 0;
		if (kind == NUMERAL)
			identity_add(identity, s + i, len);
	}
	end_run(&run, s, identity);
}
