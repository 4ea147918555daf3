/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizers of credentials in URLs, in headers and on command lines. */
#include "firewall/scan-internal.h"
#include "json/utf8.h"

#include <string.h>

/* "Bearer" and something that is no English word ("bearer of bad news"). */
bool
wv_bearer(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { SHORTEST = 16 };
	size_t start = at + rule->length, digits = 0;

	if (!wv_word_starts(t, at, WV_ALNUM))
		return false;
	while (wv_byte(t, start) == ' ')
		start++;
	size_t end = wv_run(t, start, WV_TOKEN68, t->n);
	while (wv_byte(t, end) == '=')
		end++;
	for (size_t i = start; i < end; i++)
		digits += wv_is_digit(t->s[i]);
	if (end - start < SHORTEST || digits == 0 ||
		wv_is_dull(t->s + start, end - start))
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}

static int
base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (wv_is_digit(c))
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool
is_utf8(const unsigned char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		int length = wv_utf8_len(s + i, n - i);
		if (length == 0 || s[i] < ' ' || s[i] == 0x7F)
			return false;
		i += (size_t)length;
	}
	return true;
}

bool
wv_is_user_password(const char *s, size_t n)
{
	enum { SHORTEST = 8, LONGEST = 1024 };
	unsigned char bytes[LONGEST / 4 * 3];
	unsigned bits = 0, have = 0;
	size_t count = 0;

	if (n < SHORTEST || n > LONGEST || wv_is_example(s, n))
		return false;
	while (n > 0 && s[n - 1] == '=')
		n--;
	for (size_t i = 0; i < n; i++) {
		int value = base64_value(s[i]);
		if (value < 0)
			return false;
		bits = (bits << 6 | (unsigned)value) & 0xFFFF;
		have += 6;
		if (have >= 8)
			bytes[count++] = (unsigned char)(bits >> (have -= 8));
	}
	const unsigned char *colon = memchr(bytes, ':', count);
	return colon != NULL && colon + 1 < bytes + count &&
		is_utf8(bytes, count);
}

bool
wv_basic(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	size_t start = at + rule->length;

	if (!wv_word_starts(t, at, WV_ALNUM))
		return false;
	size_t end = wv_run(t, start, WV_BASE64, t->n);
	while (wv_byte(t, end) == '=')
		end++;
	if (!wv_is_user_password(t->s + start, end - start))
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}

/* password, your-password, ${PASSWORD}: examples in documentation */
static bool
is_nobody(const char *s, size_t n)
{
	static const struct wv_word examples[] = { WV_W("pass"), WV_W("passwd"),
		WV_W("password"), WV_W("pwd"), WV_W("secret"), WV_W("token"),
		WV_NO_WORD };

	return wv_is_like_one_of(s, n, examples) || wv_is_placeholder(s, n) ||
		(s[0] == '{' && s[n - 1] == '}') || s[0] == '$';
}

/* scheme://user:PASSWORD@host; an unencoded @ belongs to the password, and a #
 * does unless a port stands before it. */
bool
wv_url_password(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	size_t start = 0, end = 0, i = at + rule->length;
	bool is_port = true;

	if (at == t->from || !wv_is_class(t->s[at - 1], WV_ALNUM))
		return false;
	for (; wv_is_at(t, i, WV_AUTHORITY) || wv_byte(t, i) == '{' ||
		wv_byte(t, i) == '}';
		i++) {
		char c = t->s[i];
		if (start == 0 && c == '[') /* IPv6, or a mark */
			break;
		if (c == '#' && is_port)
			break;
		if (start == 0 && c == ':')
			start = i + 1;
		else if (start != 0 && c == '@')
			end = i;
		else if (start != 0 && !wv_is_digit(c))
			is_port = false;
	}
	if (start == 0 || end <= start || is_nobody(t->s + start, end - start))
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}

/* ?sig=…, &sig=…, X-Amz-Signature=… */
bool
wv_url_signature(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { SHORTEST = 20 };
	size_t start = at + rule->length;

	if (*rule->anchor == 's' &&
		(at == t->from ||
			(strchr("?&;", t->s[at - 1]) == NULL &&
				(at - t->from < 5 ||
					memcmp(t->s + at - 5, "u0026", 5) !=
						0))))
		return false;
	size_t end = wv_run(t, start, WV_ENCODED, t->n);
	if (end - start < SHORTEST || wv_is_dull(t->s + start, end - start))
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}

/* hooks.slack.com/services/T…/B…/TOKEN: what comes after a word that is in
 * lower case, if that is there, and is not of words alone. */
bool
wv_webhook(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { SHORTEST = 24, LONGEST = 512 };
	size_t start = at + rule->length;

	for (size_t i = start; i - start < 16; i++) {
		int c = wv_byte(t, i);
		if (c == '/') {
			start = i + 1;
			break;
		}
		if (c < 'a' || c > 'z')
			break;
	}
	size_t end = start;
	while (end - start < LONGEST &&
		(wv_is_at(t, end, WV_BASE64URL) || wv_byte(t, end) == '/'))
		end++;
	if (end - start < SHORTEST || !wv_is_mixed(t->s + start, end - start) ||
		wv_is_dull(t->s + start, end - start))
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}

/* curl -u user:PASSWORD, in quotes or not. */
bool
wv_command_user(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	static const struct wv_word commands[] = { WV_W("curl"), WV_W("wget"),
		WV_W("http"), WV_W("https"), WV_NO_WORD };
	enum { FAR = 200, LONGEST_USER = 128, LONGEST = 256 };
	size_t i = at + rule->length;

	if (at > t->from && t->s[at - 1] != ' ')
		return false;
	if (!wv_word_before(t, at, FAR, commands))
		return false;
	while (wv_byte(t, i) == '\\')
		i++;
	int quote = wv_byte(t, i);
	i += wv_is_quote(quote);
	for (size_t limit = i + LONGEST_USER; wv_byte(t, i) != ':'; i++)
		if (i == limit || wv_is_at(t, i, WV_SPECIAL) || i >= t->n)
			return false;
	size_t start = i + 1, end = start;
	while (end - start < LONGEST) {
		int c = wv_byte(t, end);
		if (c < 0 || c == '\n' ||
			(wv_is_quote(quote) ? c == quote
					    : wv_is_class(c, WV_SPECIAL) &&
						c != '&'))
			break;
		end++;
	}
	while (end > start && t->s[end - 1] == '\\')
		end--;
	if (end == start || is_nobody(t->s + start, end - start))
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}
