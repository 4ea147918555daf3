/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/scan.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#define LETTER \
	(WV_ALNUM | WV_WORD | WV_BASE64URL | WV_ALNUM_DASH | WV_TOKEN68 | \
		WV_NAME | WV_LOCAL | WV_AUTHORITY)
#define SPECIAL (WV_SPECIAL | WV_AUTHORITY) /* but no end of a URL */

/* clang-format off */
const uint16_t wv_char_classes[256] = {
	['A' ... 'Z'] = LETTER | WV_UPPER_DIGIT,
	['a' ... 'z'] = LETTER,
	['0' ... '9'] = LETTER | WV_UPPER_DIGIT,
	['_'] = WV_WORD | WV_BASE64URL | WV_TOKEN68 | WV_NAME | WV_LOCAL |
		WV_AUTHORITY,
	['-'] = WV_BASE64URL | WV_ALNUM_DASH | WV_TOKEN68 | WV_NAME |
		WV_LOCAL | WV_AUTHORITY,
	['.'] = WV_TOKEN68 | WV_NAME | WV_LOCAL | WV_AUTHORITY,
	['+'] = WV_TOKEN68 | WV_LOCAL | WV_AUTHORITY,
	['%'] = WV_LOCAL | WV_AUTHORITY,
	['~'] = WV_TOKEN68 | WV_AUTHORITY,
	['/'] = WV_TOKEN68,
	['!'] = WV_AUTHORITY, ['$'] = WV_AUTHORITY, ['('] = WV_AUTHORITY,
	['*'] = WV_AUTHORITY, [':'] = WV_AUTHORITY, ['='] = WV_AUTHORITY,
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

#define A(s) s, sizeof(s) - 1

/*
 * Where two rows begin alike the first that is confirmed wins.  Anchors that
 * begin alike stand together: neighbours share a bit of the prefilter.
 */
static const struct wv_rule rules[] = {
	{ A("@"), false, wv_email, "email", 0, 0, 0, false },
	{ A(":"), false, wv_assignment, NULL, 0, 0, 0, false },
	{ A("="), false, wv_assignment, NULL, 0, 0, 0, false },
	{ A("://"), false, wv_url_password, "url-password", 0, 0, 0, false },
	{ A("-----BEGIN "), false, wv_private_key, "private-key", 0, 0, 0, false },
	{ A("bearer"), true, wv_bearer, "bearer-token", 0, 0, 0, false },
	{ A("eyJ"), false, wv_jwt, "jwt", 0, 0, 0, false },
	{ A("AIza"), false, wv_prefixed, "google-api-key", WV_BASE64URL, 35, 35, false },
	{ A("AKIA"), false, wv_prefixed, "aws-access-key", WV_UPPER_DIGIT, 16, 16, false },
	{ A("ASIA"), false, wv_prefixed, "aws-access-key", WV_UPPER_DIGIT, 16, 16, false },
	{ A("ghp_"), false, wv_prefixed, "github-token", WV_ALNUM, 36, 255, false },
	{ A("gho_"), false, wv_prefixed, "github-token", WV_ALNUM, 36, 255, false },
	{ A("ghu_"), false, wv_prefixed, "github-token", WV_ALNUM, 36, 255, false },
	{ A("ghs_"), false, wv_prefixed, "github-token", WV_ALNUM, 36, 255, false },
	{ A("ghr_"), false, wv_prefixed, "github-token", WV_ALNUM, 36, 255, false },
	{ A("github_pat_"), false, wv_prefixed, "github-token", WV_WORD, 22, 255, false },
	{ A("sk_live_"), false, wv_prefixed, "stripe-key", WV_ALNUM, 16, 255, false },
	{ A("sk_test_"), false, wv_prefixed, "stripe-key", WV_ALNUM, 16, 255, false },
	{ A("rk_live_"), false, wv_prefixed, "stripe-key", WV_ALNUM, 16, 255, false },
	{ A("rk_test_"), false, wv_prefixed, "stripe-key", WV_ALNUM, 16, 255, false },
	{ A("whsec_"), false, wv_prefixed, "stripe-key", WV_ALNUM, 24, 255, false },
	{ A("sk-ant-"), false, wv_prefixed, "anthropic-api-key", WV_BASE64URL, 20, 0, true },
	{ A("sk-"), false, wv_prefixed, "openai-api-key", WV_BASE64URL, 20, 0, true },
	{ A("xoxa-"), false, wv_prefixed, "slack-token", WV_ALNUM_DASH, 10, 0, true },
	{ A("xoxb-"), false, wv_prefixed, "slack-token", WV_ALNUM_DASH, 10, 0, true },
	{ A("xoxe-"), false, wv_prefixed, "slack-token", WV_ALNUM_DASH, 10, 0, true },
	{ A("xoxe.xox"), false, wv_prefixed, "slack-token", WV_ALNUM_DASH, 10, 0, true },
	{ A("xoxo-"), false, wv_prefixed, "slack-token", WV_ALNUM_DASH, 10, 0, true },
	{ A("xoxp-"), false, wv_prefixed, "slack-token", WV_ALNUM_DASH, 10, 0, true },
	{ A("xoxr-"), false, wv_prefixed, "slack-token", WV_ALNUM_DASH, 10, 0, true },
	{ A("xoxs-"), false, wv_prefixed, "slack-token", WV_ALNUM_DASH, 10, 0, true },
	{ A("xapp-"), false, wv_prefixed, "slack-token", WV_ALNUM_DASH, 10, 0, true },
};

/* Keys that documentation uses, which open nothing. */
static const struct wv_word examples[] = {
	WV_W("AKIAIOSFODNN7EXAMPLE"),
	WV_W("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
	WV_NO_WORD,
};

static const struct wv_word pii[] = { WV_W("email"), WV_NO_WORD };
/* clang-format on */

enum { RULES = sizeof(rules) / sizeof(rules[0]), BUCKETS = 16, LOOK = 3 };

/* Bit b of look[k][c]: a rule of bucket b may have byte c at offset k. */
static uint16_t look[LOOK][256];
static bool ready;

static int
bucket_of(size_t rule)
{
	return (int)(rule * BUCKETS / RULES);
}

static size_t
bucket_start(int bucket)
{
	return ((size_t)bucket * RULES + BUCKETS - 1) / BUCKETS;
}

static void
prepare(void)
{
	for (size_t r = 0; r < RULES; r++) {
		const char *a = rules[r].anchor;
		uint16_t bit = (uint16_t)(1u << bucket_of(r));
		size_t n = rules[r].length;

		for (size_t k = 0; k < LOOK; k++)
			for (int c = 0; c < 256; c++)
				if (k >= n || (unsigned char)a[k] == c ||
					(rules[r].any_case &&
						(c ^ 0x20) == a[k]))
					look[k][c] |= bit;
	}
	ready = true;
}

static bool
anchored(const struct wv_text *t, size_t at, const struct wv_rule *rule)
{
	size_t n = rule->length;

	if (n > t->n - at)
		return false;
	return rule->any_case ? strncasecmp(t->s + at, rule->anchor, n) == 0
			      : memcmp(t->s + at, rule->anchor, n) == 0;
}

static bool
try_rules(const struct wv_text *t, size_t at, unsigned buckets, bool shapes,
	struct wv_hit *hit)
{
	for (; buckets != 0; buckets &= buckets - 1) {
		int b = __builtin_ctz(buckets);
		for (size_t r = bucket_start(b); r < bucket_start(b + 1); r++) {
			const struct wv_rule *rule = &rules[r];
			if (shapes && rule->recognize == wv_assignment)
				continue;
			if (anchored(t, at, rule) &&
				rule->recognize(t, at, rule, hit))
				return true;
		}
	}
	return false;
}

static unsigned
buckets_at(const unsigned char *s)
{
	return look[0][s[0]] & look[1][s[1]] & look[2][s[2]];
}

static bool
is_mark(const char *s, const struct wv_hit *hit)
{
	size_t n = hit->end - hit->start;

	return wv_mark_length(s + hit->start, n) == n;
}

bool
wv_scan(const char *s, size_t n, size_t from, struct wv_hit *hit)
{
	struct wv_text t = { s, n, from };
	const unsigned char *u = (const unsigned char *)s;

	if (!ready)
		prepare();
	/* Nothing that is looked for ends less than LOOK bytes on. */
	for (size_t i = from; i + LOOK <= n; i++) {
		unsigned buckets = buckets_at(u + i);
		if (buckets == 0 || !try_rules(&t, i, buckets, false, hit))
			continue;
		if (!is_mark(s, hit))
			return true;
		/* Go on as after the secret that stood there. */
		t.from = hit->end;
		i = hit->end - 1;
	}
	return false;
}

bool
wv_scan_shape(const struct wv_text *t, size_t at, struct wv_hit *hit)
{
	return at + LOOK <= t->n &&
		try_rules(t, at, buckets_at((const unsigned char *)t->s + at),
			true, hit) &&
		hit->start == at;
}

bool
wv_is_example(const char *s, size_t n)
{
	return wv_is_one_of(s, n, examples);
}

bool
wv_kind_is_pii(const char *kind)
{
	return wv_is_one_of(kind, strlen(kind), pii);
}

size_t
wv_mark_length(const char *s, size_t n)
{
	static const char open[] = "[REDACTED:";
	size_t i = sizeof(open) - 1;

	if (n <= i || memcmp(s, open, i) != 0)
		return 0;
	while (i < n &&
		((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= '0' && s[i] <= '9') ||
			s[i] == '-'))
		i++;
	return i < n && s[i] == ']' && i >= sizeof(open) ? i + 1 : 0;
}

bool
wv_word_starts(const struct wv_text *t, size_t at, enum wv_chars chars)
{
	if (at == t->from || !wv_is_class(t->s[at - 1], chars | WV_WORD))
		return true;
	return at - t->from >= 2 && t->s[at - 2] == '\\' &&
		strchr("nrt", t->s[at - 1]) != NULL;
}

size_t
wv_run(const struct wv_text *t, size_t at, enum wv_chars chars)
{
	size_t end = at;

	while (end < t->n && wv_is_class(t->s[end], chars))
		end++;
	return end;
}

/* Words and random text differ: the latter has letters and digits. */
static bool
is_mixed(const char *s, size_t n)
{
	bool letter = false, digit = false;

	for (size_t i = 0; i < n && !(letter && digit); i++) {
		if (s[i] >= '0' && s[i] <= '9')
			digit = true;
		else if (wv_is_class(s[i], WV_ALNUM))
			letter = true;
	}
	return letter && digit;
}

bool
wv_prefixed(const struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	/* A run that fails may not be read again from within. */
	if (!wv_word_starts(t, at, rule->chars))
		return false;
	size_t start = at + rule->length;
	size_t end = wv_run(t, start, rule->chars);
	if (end - start < rule->min ||
		(rule->max != 0 && end - start > rule->max))
		return false;
	if (end < t->n && wv_is_class(t->s[end], WV_ALNUM))
		return false;
	if (rule->mixed && !is_mixed(t->s + start, end - start))
		return false;
	if (wv_is_example(t->s + at, end - at))
		return false;
	*hit = (struct wv_hit){ at, end, rule->kind };
	return true;
}
