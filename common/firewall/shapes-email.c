/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizer of e-mail addresses. */
#include "firewall/scan-internal.h"

#include <string.h>

/* Letters of scripts beyond ASCII: of two bytes, U+00C0 to U+052F. */
static bool
is_letter_pair(const char *s)
{
	unsigned char lead = (unsigned char)s[0];

	return lead >= 0xC3 && lead <= 0xD4 && ((unsigned char)s[1] >> 6) == 2;
}

/* o'brien, but not the quote around an address */
static bool
is_apostrophe(const struct wv_text *t, size_t at, size_t i)
{
	return t->s[i] == '\'' && i > t->from && i + 1 < at &&
		wv_is_letter(t->s[i - 1]) && wv_is_letter(t->s[i + 1]);
}

static size_t
local_start(struct wv_text *t, size_t at)
{
	enum { LONGEST = 64 };
	size_t low = at - t->from > LONGEST ? at - LONGEST : t->from;
	size_t start = at;

	while (start > low) {
		if (wv_is_class(t->s[start - 1], WV_LOCAL) ||
			is_apostrophe(t, at, start - 1))
			start--;
		else if (start - low >= 2 && is_letter_pair(t->s + start - 2))
			start -= 2;
		else
			break;
	}
	WV_STEPS(at - start);
	/* The letter of an escape is not part of what follows it. */
	size_t slashes = 0;
	while (slashes < start - low && t->s[start - 1 - slashes] == '\\')
		slashes++;
	if (slashes % 2 == 1 && start < at && strchr("nrtbf", t->s[start]))
		start++;
	else if (slashes % 2 == 1 && t->s[start] == 'u' && at - start >= 5)
		start += 5;
	while (start < at && t->s[start] == '.')
		start++;
	return start;
}

/* Of a URL: scheme://user:password@host */
static bool
is_userinfo(struct wv_text *t, size_t start)
{
	enum { FAR = 64 };
	size_t low = start - t->from > FAR ? start - FAR : t->from;

	while (start > low && wv_is_class(t->s[start - 1], WV_AUTHORITY))
		start--;
	WV_STEPS(FAR);
	return start - low >= 2 && memcmp(t->s + start - 2, "//", 2) == 0;
}

/* Last labels that are names of files and units, never of domains. */
static const struct wv_word no_domains[] = { WV_W("css"), WV_W("gif"),
	WV_W("gz"), WV_W("html"), WV_W("jpeg"), WV_W("jpg"), WV_W("js"),
	WV_W("json"), WV_W("log"), WV_W("mount"), WV_W("path"), WV_W("png"),
	WV_W("scope"), WV_W("service"), WV_W("slice"), WV_W("socket"),
	WV_W("svg"), WV_W("target"), WV_W("timer"), WV_W("txt"), WV_W("webp"),
	WV_W("xml"), WV_W("yaml"), WV_W("yml"), WV_NO_WORD };

/* A version such as 1.2.3-rc in name@version. */
static bool
is_version(const char *s, size_t n)
{
	size_t i = 0, dots = 0;

	while (i < n && (wv_is_digit(s[i]) || s[i] == '.'))
		dots += s[i++] == '.';
	return dots >= 2 || (dots == 1 && i > 0 && wv_is_digit(s[i - 1]));
}

/* Where the domain that starts at `at` ends, or 0: dotted labels, the last
 * of them two letters or more; a dash may follow it. */
static size_t
domain_end(struct wv_text *t, size_t at)
{
	enum { LONGEST = 255 };
	size_t end = at, good = 0, label = at;
	bool letters = true;

	for (; end - at <= LONGEST; end++) {
		int c = wv_byte(t, end);
		if (wv_is_letter(c))
			continue;
		if (c >= 0x80 && wv_byte(t, end + 1) >= 0 &&
			is_letter_pair(t->s + end)) {
			end++;
			continue;
		}
		if (letters) {
			if (label > at && end - label >= 2 && !wv_is_digit(c))
				good = end;
			letters = false;
		}
		if (c == '.' && end > label) {
			label = end + 1;
			letters = true;
		} else if (c < 0 || !wv_is_class(c, WV_ALNUM_DASH)) {
			break;
		}
	}
	if (good == 0 || t->s[at] == '-')
		return 0;
	label = good;
	while (t->s[label - 1] != '.')
		label--;
	return wv_is_like_one_of(t->s + label, good - label, no_domains) ||
			is_version(t->s + at, good - at)
		? 0
		: good;
}

bool
wv_email(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	size_t start = local_start(t, at);

	(void)rule;
	if (start < t->low)
		t->low = start;
	if (start == at)
		return false;
	/* git@host is how everybody spells a repository. */
	if (at - start == 3 && memcmp(t->s + start, "git", 3) == 0)
		return false;
	size_t end = domain_end(t, at + 1);
	if (end == 0 || is_userinfo(t, start))
		return false;
	*hit = (struct wv_hit){ start, end, "email" };
	return true;
}
