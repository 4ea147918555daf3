/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizers of the blocks of private keys, whole or cut. */
#include "firewall/scan-internal.h"

#include <string.h>

static const char footer[] = "-----END ";

/* Of a PEM label: "RSA PRIVATE KEY" or "PGP PRIVATE KEY BLOCK"; where the
 * dashes after it end, or 0. */
static size_t
private_label(struct wv_text *t, size_t at)
{
	enum { LONGEST = 64 };
	size_t end = at;

	while (end - at < LONGEST &&
		(wv_byte(t, end) == ' ' || wv_is_at(t, end, WV_UPPER_DIGIT)))
		end++;
	if (end - at == LONGEST || !wv_stands(t, end, "-----", 5) ||
		memmem(t->s + at, end - at, "PRIVATE KEY", 11) == NULL)
		return 0;
	return end + 5;
}

/* A header is followed by its body, on the next line or on its own; one that
 * is followed by anything else is only spoken of. */
static bool
body_follows(struct wv_text *t, size_t at)
{
	enum { FAR = 80, SHORTEST = 16 };
	bool is_next_line = false;

	for (size_t end = at + FAR; at < end; at++) {
		int c = wv_byte(t, at);
		if (c == '\\') {
			int next = wv_byte(t, at + 1);
			if (next < 0 || !strchr("nrt\\\"'", next))
				return false;
			is_next_line = is_next_line || next == 'n';
			at += next != '\\';
		} else if (c == '\n') {
			is_next_line = true;
		} else if (c != ' ' && c != '\r' &&
			(!is_next_line || c < 0 || !strchr("\t+>|\"'", c))) {
			break;
		}
	}
	size_t n = wv_run(t, at, WV_BASE64, SHORTEST) - at;
	return n >= (is_next_line ? 1 : SHORTEST);
}

/* How far a block can reach: to the end of the quotes around it (a body has
 * none), unless the quotes hold one line each; else to that of the text. */
static size_t
block_limit(struct wv_text *t, size_t start, size_t body)
{
	enum { ONE_LINE = 16 };

	if (start == t->from || !wv_is_quote(t->s[start - 1]))
		return t->n;
	const char *quote = memchr(t->s + body, t->s[start - 1], t->n - body);
	WV_STEPS(quote ? (size_t)(quote - t->s) - body : t->n - body);
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
	struct wv_text text = { .s = s, .n = n };

	for (;;) {
		const char *p =
			memmem(s + from, n - from, footer, strlen(footer));
		WV_STEPS(p ? (size_t)(p - s) - from : n - from);
		if (p == NULL)
			return 0;
		from = (size_t)(p - s) + strlen(footer);
		size_t end = private_label(&text, from);
		if (end != 0)
			return end;
	}
}

bool
wv_private_key(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	size_t body = private_label(t, at + rule->length);

	if (body == 0 || !body_follows(t, body))
		return false;
	/* Without a footer the block was cut, and all that can be its body
	 * goes. */
	size_t limit = block_limit(t, at, body);
	size_t end = wv_key_end(t->s, limit, body);
	t->open = end == 0 && limit == t->n;
	*hit = (struct wv_hit){ at, end != 0 ? end : limit, rule->kind };
	return true;
}

/* Whether a line break ends at *i, also an escaped one, with what may stand at
 * the beginning of lines behind it; then *i is where it begins. */
static bool
break_before(const struct wv_text *t, size_t low, size_t *i)
{
	enum { FAR = 64 };
	size_t at = *i;

	while (at > low && *i - at < FAR &&
		strchr(" \t+>|\"'", t->s[at - 1]) != NULL)
		at--;
	size_t end = at;
	if (at > low && t->s[at - 1] == '\n') {
		at--;
		at -= at > low && t->s[at - 1] == '\r';
	} else {
		while (at > low + 1 && t->s[at - 2] == '\\' &&
			strchr("nr", t->s[at - 1]) != NULL)
			for (at--; at > low && t->s[at - 1] == '\\';)
				at--;
	}
	WV_STEPS(*i - at);
	if (at == end)
		return false;
	*i = at;
	return true;
}

size_t
wv_key_lines(const struct wv_text *t, size_t at)
{
	enum { LONGEST = 8192, SHORTEST = 40 };
	size_t low = at - t->from > LONGEST ? at - LONGEST : t->from;
	size_t start = at, i = at;
	bool is_long = false;

	for (bool first = true;; first = false) {
		if (!break_before(t, low, &i) && !first)
			break;
		size_t end = i;
		while (i > low &&
			(wv_is_class(t->s[i - 1], WV_BASE64) ||
				t->s[i - 1] == '='))
			i--;
		WV_STEPS(end - i + 1);
		/* The letter of an escape looks like base64. */
		i += i > low && i < end && t->s[i - 1] == '\\';
		/* Only the last one is short. */
		if (!first && end - i < SHORTEST)
			break;
		is_long = is_long || end - i >= SHORTEST;
		start = i;
	}
	return is_long ? start : at;
}

/* The end of a block whose beginning is not there: it goes with the lines of
 * base64 before it. */
bool
wv_private_tail(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	size_t end = private_label(t, at + rule->length), line = at;

	if (end == 0 || !break_before(t, t->from, &line))
		return false;
	size_t start = wv_key_lines(t, at);
	if (start < t->low)
		t->low = start;
	if (start == at)
		return false;
	*hit = (struct wv_hit){ start, end, rule->kind };
	return true;
}
