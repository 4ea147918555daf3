/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/ecma-internal.h"

#include <string.h>

#define NO_LINE_END "[^\\n\\r\\x{2028}\\x{2029}]"

int
wv_ecma_bad(const struct ecma *r, const char *what)
{
	return wv_err_set(r->err,
		"not a regular expression: %s at character %zu", what,
		(size_t)(r->s - r->start) + 1);
}

void
wv_ecma_put(struct ecma *r, uint32_t cp)
{
	wv_str_fmt(r->out, "\\x{%x}", (unsigned)cp);
}

static bool
looking_at(const struct ecma *r, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(r->end - r->s) >= n && memcmp(r->s, word, n) == 0;
}

/* After "[". */
static int
char_class(struct ecma *r)
{
	bool negated = wv_ecma_peek(r, 0) == '^';

	r->s += negated;
	r->quantifiable = true;
	if (wv_ecma_peek(r, 0) == ']') {
		r->s++;
		wv_str_cat(r->out, negated ? "[\\x{0}-\\x{10ffff}]" : "(?!)");
		return 0;
	}
	wv_str_cat(r->out, negated ? "[^" : "[");
	while (wv_ecma_peek(r, 0) >= 0) {
		int c = (unsigned char)*r->s++;
		if (c == ']') {
			wv_str_chr(r->out, ']');
			return 0;
		}
		if (c == '\\') {
			if (wv_ecma_class_escape(r) != 0)
				return -1;
		} else {
			/* PCRE2 would begin a [:class:] here. */
			if (c == '[')
				wv_str_chr(r->out, '\\');
			wv_str_chr(r->out, (char)c);
		}
	}
	return wv_ecma_bad(r, "no ] for a [");
}

/* After "(". */
static int
group(struct ecma *r)
{
	static const char *const openings[] = { "?:", "?=", "?!",
		"?<=", "?<!" };

	r->quantifiable = false;
	wv_str_chr(r->out, '(');
	if (wv_ecma_peek(r, 0) == '*')
		return wv_ecma_bad(r, "nothing to repeat");
	if (wv_ecma_peek(r, 0) != '?')
		return 0;
	for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
		if (looking_at(r, openings[i])) {
			wv_str_cat(r->out, openings[i]);
			r->s += strlen(openings[i]);
			return 0;
		}
	}
	if (!looking_at(r, "?<"))
		return wv_ecma_bad(r, "unknown kind of group");
	wv_str_cat(r->out, "?<");
	r->s += 2;
	return 0;
}

/* After "{": n, n, or n,m and the brace. */
static int
braces(struct ecma *r)
{
	const char *p = r->s;

	while (p < r->end && ((*p >= '0' && *p <= '9') || *p == ','))
		p++;
	if (p == r->end || *p != '}' || *r->s < '0' || *r->s > '9')
		return wv_ecma_bad(r, "bad quantifier");
	wv_str_chr(r->out, '{');
	wv_str_add(r->out, r->s, (size_t)(p + 1 - r->s));
	r->s = p + 1;
	return 0;
}

static int
quantifier(struct ecma *r, int c)
{
	if (!r->quantifiable)
		return wv_ecma_bad(r, "nothing to repeat");
	r->quantifiable = false;
	if (c != '{')
		wv_str_chr(r->out, (char)c);
	else if (braces(r) != 0)
		return -1;
	if (wv_ecma_peek(r, 0) == '?') {
		r->s++;
		wv_str_chr(r->out, '?');
	}
	return 0;
}

static int
term(struct ecma *r)
{
	int c = (unsigned char)*r->s++;

	switch (c) {
	case '\\':
		return wv_ecma_escape(r);
	case '[':
		return char_class(r);
	case '(':
		return group(r);
	case '*':
	case '+':
	case '?':
	case '{':
		return quantifier(r, c);
	case ']':
	case '}':
		return wv_ecma_bad(r, "unmatched bracket");
	case '.':
		r->quantifiable = true;
		wv_str_cat(r->out, NO_LINE_END);
		return 0;
	case '\0':
		r->quantifiable = true;
		wv_ecma_put(r, 0);
		return 0;
	default:
		r->quantifiable = c != '^' && c != '$' && c != '|';
		wv_str_chr(r->out, (char)c);
		return 0;
	}
}

int
wv_ecma_translate(
	struct wv_str *out, const char *pattern, size_t n, struct wv_err *err)
{
	struct ecma r = { .s = pattern,
		.start = pattern,
		.end = pattern + n,
		.out = out,
		.err = err };

	wv_str_cat(out, "");
	while (r.s < r.end) {
		if (term(&r) != 0)
			return -1;
	}
	return 0;
}
