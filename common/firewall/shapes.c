/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizers of secrets that are known by their shape. */
#include "firewall/scan.h"

#include <string.h>
#include <strings.h>

static bool
is_letter(char c)
{
	return ((c | 0x20) >= 'a') && ((c | 0x20) <= 'z');
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Of a PEM label: "RSA PRIVATE KEY" or "PGP PRIVATE KEY BLOCK"; where the
 * dashes after it end, or 0. */
static size_t
private_label(const struct wv_text *t, size_t at)
{
	enum { LONGEST = 64 };
	size_t end = at;

	while (end < t->n && end - at < LONGEST &&
		(t->s[end] == ' ' || wv_is_class(t->s[end], WV_UPPER_DIGIT)))
		end++;
	if (memmem(t->s + at, end - at, "PRIVATE KEY", 11) == NULL ||
		t->n - end < 5 || memcmp(t->s + end, "-----", 5) != 0)
		return 0;
	return end + 5;
}

/* A header is followed by its body, on the next line or on its own; one that
 * is followed by anything else is only spoken of. */
static bool
body_follows(const struct wv_text *t, size_t at)
{
	while (at < t->n && t->s[at] == ' ')
		at++;
	return at < t->n &&
		(t->s[at] == '\n' || t->s[at] == '\r' ||
			wv_is_class(t->s[at], WV_TOKEN68) ||
			(t->s[at] == '\\' && at + 1 < t->n &&
				strchr("nr\\", t->s[at + 1]) != NULL));
}

/* How far a block can reach: to the end of the quotes around it (a body has
 * none), unless the quotes hold one line each; else to that of the text. */
static size_t
block_limit(const struct wv_text *t, size_t start, size_t body)
{
	enum { ONE_LINE = 16 };

	if (start == t->from || strchr("\"'`", t->s[start - 1]) == NULL)
		return t->n;
	const char *quote = memchr(t->s + body, t->s[start - 1], t->n - body);
	if (quote == NULL || quote - (t->s + body) < ONE_LINE)
		return t->n;
	size_t end = (size_t)(quote - t->s);
	while (t->s[end - 1] == '\\')
		end--;
	return end;
}

size_t
wv_key_end(const char *s, size_t n, size_t from)
{
	static const char footer[] = "-----END ";
	struct wv_text text = { s, n, 0 };

	for (;;) {
		const char *p =
			memmem(s + from, n - from, footer, strlen(footer));
		if (p == NULL)
			return 0;
		from = (size_t)(p - s) + strlen(footer);
		size_t end = private_label(&text, from);
		if (end != 0)
			return end;
	}
}

bool
wv_private_key(const struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	size_t body = private_label(t, at + rule->length);

	if (body == 0 || !body_follows(t, body))
		return false;
	/* Without a footer the block was cut, and all that can be its body
	 * goes. */
	size_t limit = block_limit(t, at, body);
	size_t end = wv_key_end(t->s, limit, body);
	*hit = (struct wv_hit){ at, end != 0 ? end : limit, rule->kind };
	return true;
}

/* Two or three parts of base64url, the first two of which are objects; the
 * signature may be empty or cut. */
bool
wv_jwt(const struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { SHORTEST = 10 };

	if (!wv_word_starts(t, at, WV_BASE64URL))
		return false;
	size_t end = wv_run(t, at, WV_BASE64URL);
	if (end - at < SHORTEST || t->n - end < 4 ||
		memcmp(t->s + end, ".eyJ", 4) != 0)
		return false;
	end = wv_run(t, end + 1, WV_BASE64URL);
	if (end < t->n && t->s[end] == '.')
		end = wv_run(t, end + 1, WV_BASE64URL);
	*hit = (struct wv_hit){ at, end, rule->kind };
	return true;
}

/* "Bearer" and something that is no English word ("bearer of bad news"). */
bool
wv_bearer(const struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { SHORTEST = 16 };
	size_t start = at + rule->length;

	if (!wv_word_starts(t, at, WV_ALNUM) || start == t->n ||
		t->s[start] != ' ')
		return false;
	while (start < t->n && t->s[start] == ' ')
		start++;
	size_t end = wv_run(t, start, WV_TOKEN68), digits = 0;
	for (size_t i = start; i < end; i++)
		digits += is_digit(t->s[i]);
	if (end - start < SHORTEST || digits == 0)
		return false;
	while (end < t->n && t->s[end] == '=')
		end++;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}

/* scheme://user:PASSWORD@host; an unencoded @ belongs to the password. */
bool
wv_url_password(const struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	size_t start = 0, end = 0;

	if (at == t->from || !wv_is_class(t->s[at - 1], WV_ALNUM))
		return false;
	for (size_t i = at + rule->length;
		i < t->n && wv_is_class(t->s[i], WV_AUTHORITY); i++) {
		if (start == 0 && t->s[i] == '[') /* IPv6, or a mark */
			break;
		if (start == 0 && t->s[i] == ':')
			start = i + 1;
		else if (t->s[i] == '@')
			end = i;
	}
	if (start == 0 || end <= start)
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}

/* Letters of Latin scripts beyond ASCII: U+00C0 to U+024F. */
static bool
is_latin_pair(unsigned char lead, unsigned char trail)
{
	return lead >= 0xC3 && lead <= 0xC9 && (trail & 0xC0) == 0x80;
}

static size_t
local_start(const struct wv_text *t, size_t at)
{
	const unsigned char *s = (const unsigned char *)t->s;
	size_t start = at;

	while (start > t->from) {
		if (wv_is_class(t->s[start - 1], WV_LOCAL))
			start--;
		else if (start - t->from >= 2 &&
			is_latin_pair(s[start - 2], s[start - 1]))
			start -= 2;
		else
			break;
	}
	/* The letter of an escape is not part of what follows it. */
	size_t slashes = 0;
	while (slashes < start - t->from && s[start - 1 - slashes] == '\\')
		slashes++;
	if (slashes % 2 == 1 && start < at && strchr("nrtbf", s[start]) != NULL)
		start++;
	else if (slashes % 2 == 1 && s[start] == 'u' && at - start >= 5)
		start += 5;
	while (start < at && t->s[start] == '.')
		start++;
	return start;
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

	while (i < n && (is_digit(s[i]) || s[i] == '.'))
		dots += s[i++] == '.';
	return dots >= 2 || (dots == 1 && i > 0 && is_digit(s[i - 1]));
}

/* Where the domain that starts at `at` ends, or 0: dotted labels, the last
 * of them two letters or more; a dash may follow it. */
static size_t
domain_end(const struct wv_text *t, size_t at)
{
	size_t end = at, good = 0, label = at;
	bool letters = true;

	for (;; end++) {
		char c = end < t->n ? t->s[end] : ' ';
		if (letters && !is_letter(c)) {
			if (label > at && end - label >= 2 && !is_digit(c))
				good = end;
			letters = false;
		}
		if (c == '.' && end > label) {
			label = end + 1;
			letters = true;
		} else if (!wv_is_class(c, WV_ALNUM_DASH)) {
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
wv_email(const struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	size_t start = local_start(t, at);

	if (start == at)
		return false;
	/* git@host is how everybody spells a repository. */
	if (at - start == 3 && memcmp(t->s + start, "git", 3) == 0)
		return false;
	size_t end = domain_end(t, at + 1);
	if (end == 0)
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}
