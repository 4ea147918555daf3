/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizers of tokens that are known by their shape, and their tools. */
#include "firewall/scan-internal.h"

#include <string.h>

#define LETTER \
	(WV_ALNUM | WV_WORD | WV_BASE64URL | WV_ALNUM_DASH | WV_TOKEN68 | \
		WV_NAME | WV_LOCAL | WV_AUTHORITY | WV_BASE64 | WV_DOTTED | \
		WV_ENCODED)
#define DIGIT (LETTER | WV_UPPER_DIGIT | WV_HEX | WV_DIGIT)
#define SPECIAL (WV_SPECIAL | WV_AUTHORITY) /* but no end of a URL */

/* clang-format off */
const uint16_t wv_char_classes[256] = {
	['A' ... 'Z'] = LETTER | WV_UPPER_DIGIT,
	['a' ... 'f'] = LETTER | WV_HEX,
	['g' ... 'z'] = LETTER,
	['0' ... '9'] = DIGIT,
	['_'] = WV_WORD | WV_BASE64URL | WV_TOKEN68 | WV_NAME | WV_LOCAL |
		WV_AUTHORITY | WV_DOTTED | WV_ENCODED,
	['-'] = WV_BASE64URL | WV_ALNUM_DASH | WV_TOKEN68 | WV_NAME |
		WV_LOCAL | WV_AUTHORITY | WV_DOTTED | WV_ENCODED,
	['.'] = WV_TOKEN68 | WV_NAME | WV_LOCAL | WV_AUTHORITY | WV_DOTTED |
		WV_ENCODED,
	['+'] = WV_TOKEN68 | WV_LOCAL | WV_AUTHORITY | WV_BASE64 | WV_ENCODED,
	['%'] = WV_LOCAL | WV_AUTHORITY | WV_ENCODED,
	['~'] = WV_TOKEN68 | WV_AUTHORITY | WV_ENCODED,
	['/'] = WV_TOKEN68 | WV_BASE64 | WV_ENCODED,
	['='] = WV_AUTHORITY | WV_ENCODED,
	['!'] = WV_AUTHORITY, ['$'] = WV_AUTHORITY, ['('] = WV_AUTHORITY,
	['*'] = WV_AUTHORITY, [':'] = WV_AUTHORITY, ['#'] = WV_AUTHORITY,
	['@'] = WV_AUTHORITY, ['['] = WV_AUTHORITY, ['^'] = WV_AUTHORITY,
	[0x80 ... 0xFF] = WV_AUTHORITY,
	[' '] = WV_NAME | WV_SPECIAL,
	[0 ... 31] = WV_SPECIAL,
	['"'] = WV_SPECIAL, ['\''] = WV_SPECIAL, ['`'] = WV_SPECIAL,
	['<'] = WV_SPECIAL, ['>'] = WV_SPECIAL, ['\\'] = WV_SPECIAL,
	[','] = SPECIAL, [';'] = SPECIAL, ['&'] = SPECIAL,
	[')'] = SPECIAL, [']'] = SPECIAL, ['|'] = SPECIAL,
	['{'] = SPECIAL, ['}'] = SPECIAL,
};
/* clang-format on */

bool
wv_word_starts(struct wv_text *t, size_t at, enum wv_chars chars)
{
	if (at == t->from || !wv_is_class(t->s[at - 1], chars | WV_WORD))
		return true;
	return at - t->from >= 2 && t->s[at - 2] == '\\' &&
		strchr("nrt", t->s[at - 1]) != NULL;
}

size_t
wv_run(struct wv_text *t, size_t at, enum wv_chars chars, size_t max)
{
	size_t end = at, limit = t->n - at > max ? at + max : t->n;

	while (end < limit && wv_is_class(t->s[end], chars))
		end++;
	WV_STEPS(end - at + 1);
	t->open = t->open || end == t->n;
	return end;
}

size_t
wv_run_before(struct wv_text *t, size_t at, enum wv_chars chars, size_t max)
{
	size_t start = at, limit = at - t->from > max ? at - max : t->from;

	while (start > limit && wv_is_class(t->s[start - 1], chars))
		start--;
	WV_STEPS(at - start + 1);
	if (start < t->low)
		t->low = start;
	return start;
}

bool
wv_stands(struct wv_text *t, size_t at, const char *text, size_t n)
{
	size_t have = at < t->n ? t->n - at : 0;

	WV_STEPS(n);
	if (have >= n)
		return memcmp(t->s + at, text, n) == 0;
	if (memcmp(t->s + at, text, have) == 0)
		t->open = true;
	return false;
}

bool
wv_is_mixed(const char *s, size_t n)
{
	bool letter = false, digit = false;

	for (size_t i = 0; i < n && !(letter && digit); i++) {
		digit = digit || wv_is_digit(s[i]);
		letter = letter || wv_is_letter(s[i]);
	}
	return letter && digit;
}

/* Of capitals, small letters and digits random text has two or more. */
static bool
is_random(const char *s, size_t n)
{
	bool small = false, capital = false;

	for (size_t i = 0; i < n && !(small && capital); i++) {
		small = small || (s[i] >= 'a' && s[i] <= 'z');
		capital = capital || (s[i] >= 'A' && s[i] <= 'Z');
	}
	return (small && capital) || wv_is_mixed(s, n);
}

bool
wv_is_dull(const char *s, size_t n)
{
	enum { FEW = 5, ENOUGH = 64 };
	char seen[FEW];
	size_t count = 0;

	for (size_t i = 0; i < n && i < ENOUGH && count < FEW; i++)
		if (memchr(seen, s[i], count) == NULL)
			seen[count++] = s[i];
	return count < FEW;
}

/* A word ends at i: before what is no letter, or at a camelCase hump. */
static bool
word_ends(const struct wv_text *t, size_t i, size_t at)
{
	unsigned char last = (unsigned char)t->s[i - 1];
	unsigned char next = i < at ? (unsigned char)t->s[i] : ' ';

	if ((last | 0x80) != last && !wv_is_letter(last))
		return false;
	if (next >= 0x80 || wv_is_letter(next))
		return last >= 'a' && next >= 'A' && next <= 'Z';
	return true;
}

static bool
ends_mark(const struct wv_text *t, size_t end)
{
	enum { LONGEST = 48 };
	size_t i = end - 1;

	while (i > t->from && end - i < LONGEST &&
		strchr("[]", t->s[i - 1]) == NULL) {
		WV_STEPS(1);
		i--;
	}
	return i > t->from &&
		wv_mark_length(t->s + i - 1, t->n - i + 1) == end - i + 1;
}

bool
wv_word_before(
	struct wv_text *t, size_t at, size_t max, const struct wv_word *words)
{
	size_t low = at - t->from > max ? at - max : t->from;

	for (size_t i = at; i > low && t->s[i - 1] != '\n'; i--) {
		WV_STEPS(1);
		/* What stands before a hit is not looked at either. */
		if (t->s[i - 1] == ']' && ends_mark(t, i))
			return false;
		if (!word_ends(t, i, at))
			continue;
		size_t start = i - 1;
		while (start > low && !word_ends(t, start, at) &&
			(wv_is_letter(t->s[start - 1]) ||
				(t->s[start - 1] & 0x80)))
			start--;
		if (wv_is_like_one_of(t->s + start, i - start, words))
			return true;
	}
	return false;
}

/* The end of a run, less the punctuation after it. */
static size_t
token_end(const struct wv_text *t, size_t start, size_t end)
{
	while (end > start && (t->s[end - 1] == '.' || t->s[end - 1] == '%'))
		end--;
	return end;
}

/* xghp_…, of which cleaning may have taken what parted it: no other word is
 * like that, and what follows cannot begin again within. */
static bool
is_telling(const struct wv_rule *rule)
{
	char last = rule->anchor[rule->length - 1];

	return rule->length >= 4 && (last == '_' || last == '-') &&
		!wv_is_class(last, rule->chars);
}

bool
wv_prefixed(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	size_t max = rule->max != 0 ? rule->max + 1 : t->n;

	/* A run that fails may not be read again from within. */
	if (!is_telling(rule) &&
		!wv_word_starts(t, at,
			rule->chars == WV_DOTTED ? WV_BASE64URL : rule->chars))
		return false;
	size_t start = at + rule->length;
	size_t end = wv_run(t, start, rule->chars, max);
	size_t run = token_end(t, start, end) - start;
	if (run < rule->min || (rule->max != 0 && run > rule->max) ||
		wv_is_dull(t->s + start, run))
		return false;
	end = start + run;
	if (rule->chars & (WV_BASE64 | WV_ENCODED))
		while (wv_byte(t, end) == '=')
			end++;
	if (wv_is_at(t, end, WV_ALNUM))
		return false;
	if (rule->mixed && !is_random(t->s + start, run))
		return false;
	if (wv_is_placeholder(t->s + start, run) ||
		wv_is_example(t->s + at, end - at))
		return false;
	*hit = (struct wv_hit){ at, end, rule->kind };
	return true;
}

/* Two parts of base64url that are objects, and what follows them: nothing, a
 * signature, which may be empty or cut; or an encrypted token's five parts. */
bool
wv_jwt(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { SHORTEST = 10, PARTS = 5 };
	size_t ends[PARTS], count = 0, start = at;

	if (!wv_word_starts(t, at, WV_BASE64URL))
		return false;
	while (count < PARTS) {
		ends[count] = wv_run(t, start, WV_BASE64URL, t->n);
		if (ends[count] - at < SHORTEST)
			return false;
		if (wv_byte(t, ends[count++]) != '.')
			break;
		start = ends[count - 1] + 1;
	}
	if (count < 2)
		return false;
	bool is_signed =
		ends[1] - ends[0] > 4 && memcmp(t->s + ends[0], ".eyJ", 4) == 0;
	if (!is_signed && count < PARTS)
		return false;
	size_t end = is_signed ? ends[count < 3 ? 1 : 2] : ends[PARTS - 1];
	if (is_signed && count == 2 && wv_byte(t, end) == '.')
		end++;
	if (wv_is_example(t->s + at, end - at))
		return false;
	*hit = (struct wv_hit){ at, end, rule->kind };
	return true;
}

bool
wv_github_app(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { LONGEST_ID = 12 };

	if (!wv_word_starts(t, at, WV_ALNUM))
		return false;
	size_t id = at + rule->length;
	size_t end = wv_run(t, id, WV_DIGIT, LONGEST_ID);
	if (end == id || !wv_stands(t, end, "_eyJ", 4))
		return false;
	/* Behind the _ a JWT stands as behind the beginning of a text. */
	size_t from = t->from;
	t->from = end + 1;
	bool found = wv_jwt(t, end + 1, rule, hit);
	t->from = from;
	hit->start = at;
	return found;
}

/* sk-proj-…, sk-svcacct-…, sk-admin-… and the like; else one run that no
 * word is. */
bool
wv_openai(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	static const struct wv_word owners[] = { WV_W("proj-"),
		WV_W("svcacct-"), WV_W("admin-"), WV_W("service-"),
		WV_W("None-"), WV_NO_WORD };
	enum { SHORTEST = 20, SHORTEST_BARE = 32, LONGEST = 512 };
	size_t start = at + rule->length, min = SHORTEST_BARE;

	if (!wv_word_starts(t, at, WV_BASE64URL))
		return false;
	size_t end = wv_run(t, start, WV_BASE64URL, LONGEST);
	for (const struct wv_word *w = owners; w->s != NULL; w++)
		if (end - start > w->n && memcmp(t->s + start, w->s, w->n) == 0)
			min = SHORTEST;
	if (min == SHORTEST_BARE)
		end = wv_run(t, start, WV_ALNUM, LONGEST);
	if (end - start < min || wv_is_at(t, end, WV_BASE64URL) ||
		!wv_is_mixed(t->s + start, end - start) ||
		wv_is_dull(t->s + start, end - start))
		return false;
	*hit = (struct wv_hit){ at, end, rule->kind };
	return true;
}

bool
wv_two_parts(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { SHORTEST = 8, LONGEST = 80 };
	size_t start = at + rule->length;

	if (!wv_word_starts(t, at, rule->chars))
		return false;
	size_t end = wv_run(t, start, rule->chars, LONGEST);
	if (end - start < rule->min || wv_byte(t, end) != t->s[start - 1])
		return false;
	size_t second = end + 1;
	end = wv_run(t, second, rule->chars, LONGEST);
	if (end - second < SHORTEST || wv_is_at(t, end, WV_ALNUM) ||
		wv_is_dull(t->s + second, end - second))
		return false;
	*hit = (struct wv_hit){ at, end, rule->kind };
	return true;
}

/* Three characters before 8Q~ and 31 to 34 after it. */
bool
wv_azure_secret(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { BEFORE = 3, MIN = 31, MAX = 34 };
	size_t start = wv_run_before(t, at, WV_TOKEN68, BEFORE + 1);

	/* One more is a delimiter that is also of the class. */
	if (at - start < BEFORE)
		return false;
	start = at - BEFORE;
	size_t end = wv_run(t, at + rule->length, WV_TOKEN68, MAX + 1);
	end = token_end(t, at, end);
	size_t n = end - at - rule->length;
	if (n < MIN || n > MAX || wv_is_dull(t->s + at, n))
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}

bool
wv_azure_key(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { SHORTEST = 32, LONGEST = 90 };
	size_t start = wv_run_before(t, at, WV_ALNUM, LONGEST + 1);
	size_t end = wv_run(t, at, WV_ALNUM, LONGEST);

	if (at - start < SHORTEST || at - start > LONGEST ||
		end - at < rule->length + rule->min ||
		wv_is_at(t, end, WV_ALNUM))
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}

/* The id of the bot, which may follow "bot", and 35 characters. */
bool
wv_telegram(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { SHORTEST_ID = 8, LONGEST_ID = 10, TOKEN = 35 };
	size_t start = wv_run_before(t, at, WV_DIGIT, LONGEST_ID + 1);

	if (at - start < SHORTEST_ID || at - start > LONGEST_ID)
		return false;
	size_t end = wv_run(t, at + 1, WV_BASE64URL, TOKEN + 1);
	if (end - at - 1 != TOKEN || wv_is_dull(t->s + at + 1, TOKEN))
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}

bool
wv_mailchimp(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { HEX = 32, CENTER = 2 };
	size_t start = wv_run_before(t, at, WV_HEX, HEX + 1);
	size_t end = wv_run(t, at + rule->length, WV_DIGIT, CENTER);

	if (at - start != HEX || !wv_word_starts(t, start, WV_ALNUM) ||
		wv_is_at(t, end, WV_BASE64URL) || wv_is_dull(t->s + start, HEX))
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}

bool
wv_terraform(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { ID = 14, LONGEST = 100 };
	size_t start = wv_run_before(t, at, WV_ALNUM, ID + 1);
	size_t end = wv_run(t, at + rule->length, WV_BASE64URL, LONGEST);

	if (at - start != ID || end - at - rule->length < rule->min)
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}
