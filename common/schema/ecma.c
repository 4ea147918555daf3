/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/ecma-internal.h"

#include <stdlib.h>
#include <string.h>

#define NO_LINE_END "[^\\n\\r\\x{2028}\\x{2029}]"

enum { COUNT_MAX = 65535 }; /* of PCRE2 */

/* The number of the character at an offset, from 1. */
static size_t
position(const struct ecma *r, size_t offset)
{
	size_t count = 1;

	for (size_t i = 0; i < offset; i++)
		count += ((unsigned char)r->start[i] & 0xc0) != 0x80;
	return count;
}

int
wv_ecma_bad(const struct ecma *r, const char *what)
{
	if (r->err == NULL)
		return -1;
	return wv_err_set(r->err,
		"not a regular expression: %s at character %zu", what,
		position(r, (size_t)(r->s - r->start)));
}

void
wv_ecma_beyond(struct ecma *r, const char *what)
{
	if (r->beyond != NULL)
		return;
	r->beyond = what;
	r->beyond_at = (size_t)(r->s - r->start);
}

void
wv_ecma_emit(struct ecma *r, const char *s, size_t n)
{
	if (r->out != NULL)
		wv_str_add(r->out, s, n);
}

void
wv_ecma_emit_text(struct ecma *r, const char *s)
{
	wv_ecma_emit(r, s, strlen(s));
}

static void
emit_code_point(struct ecma *r, uint32_t cp)
{
	if (r->out != NULL)
		wv_str_fmt(r->out, "\\x{%x}", (unsigned)cp);
}

bool
wv_ecma_emit_range(struct ecma *r, uint32_t first, uint32_t last)
{
	if (first >> 11 == 0xd800 >> 11)
		first = 0xe000;
	if (last >> 11 == 0xd800 >> 11)
		last = 0xd7ff;
	if (first > last)
		return false;
	emit_code_point(r, first);
	if (first < last) {
		wv_ecma_emit_text(r, "-");
		emit_code_point(r, last);
	}
	return true;
}

static int
character(struct ecma *r)
{
	uint32_t cp;

	switch (wv_ecma_character(r, false, &cp)) {
	case 0:
		if (!wv_ecma_emit_range(r, cp, cp))
			wv_ecma_emit_text(r, WV_ECMA_NOTHING);
		return 0;
	case 1:
		return 0;
	default:
		return -1;
	}
}

static int
escape(struct ecma *r)
{
	int c = wv_ecma_peek(r, 0);

	r->quantifiable = r->consumes = true;
	if (c == 'b' || c == 'B') {
		r->quantifiable = r->consumes = false;
		wv_ecma_emit_text(r, c == 'b' ? "\\b" : "\\B");
		r->s++;
		return 0;
	}
	if (c == 'k' || (c >= '1' && c <= '9')) {
		r->consumes = false;
		r->s += c == 'k';
		return wv_ecma_reference(r, c == 'k');
	}
	return character(r);
}

/* A number of any length, as COUNT_MAX + 1 if it is more than that. */
static bool
number(const char **s, const char *end, uint32_t *value)
{
	const char *start = *s;

	for (*value = 0; *s < end && **s >= '0' && **s <= '9'; (*s)++) {
		*value = *value * 10 + (uint32_t)(**s - '0');
		if (*value > COUNT_MAX)
			*value = COUNT_MAX + 1;
	}
	return *s > start;
}

/* If the first of two texts of digits is the greater one. */
static bool
is_greater(const char *a, const char *a_end, const char *b, const char *b_end)
{
	while (a < a_end && *a == '0')
		a++;
	while (b < b_end && *b == '0')
		b++;
	if (a_end - a != b_end - b)
		return a_end - a > b_end - b;
	return memcmp(a, b, (size_t)(a_end - a)) > 0;
}

/* After "{": n, n, or n,m and the brace. */
static int
braces(struct ecma *r, uint32_t *min, uint32_t *max)
{
	const char *p = r->s, *min_end;

	if (!number(&p, r->end, min))
		return wv_ecma_bad(r, "bad quantifier");
	min_end = p;
	*max = *min;
	if (p < r->end && *p == ',') {
		const char *second = ++p;
		if (!number(&p, r->end, max))
			*max = UINT32_MAX;
		else if (is_greater(r->s, min_end, second, p))
			return wv_ecma_bad(r, "quantifier out of order");
	}
	if (p == r->end || *p != '}')
		return wv_ecma_bad(r, "bad quantifier");
	if (*min > COUNT_MAX || (*max > COUNT_MAX && *max != UINT32_MAX))
		wv_ecma_beyond(r, "a count above 65535");
	wv_ecma_emit(r, r->s - 1, (size_t)(p + 2 - r->s));
	r->s = p + 1;
	return 0;
}

static int
quantifier(struct ecma *r, int c)
{
	uint32_t min = c == '+', max = c == '?' ? 1 : UINT32_MAX;

	if (!r->quantifiable) {
		r->s--;
		return wv_ecma_bad(r, "nothing to repeat");
	}
	if (c != '{')
		wv_ecma_emit(r, r->s - 1, 1);
	else if (braces(r, &min, &max) != 0)
		return -1;
	if (wv_ecma_peek(r, 0) == '?') {
		r->s++;
		wv_ecma_emit_text(r, "?");
	}
	r->quantifiable = false;
	r->consumes = r->consumes && min > 0;
	if (r->last != 0) {
		r->groups[r->last].optional = min == 0;
		r->groups[r->last].repeated = max > 1;
	}
	return 0;
}

/* A character that stands for itself, with the rest of its bytes. */
static int
literal(struct ecma *r)
{
	const char *start = r->s - 1;

	while (r->s < r->end && ((unsigned char)*r->s & 0xc0) == 0x80)
		r->s++;
	r->quantifiable = r->consumes = true;
	if (*start == '\0')
		wv_ecma_emit_range(r, 0, 0);
	else
		wv_ecma_emit(r, start, (size_t)(r->s - start));
	return 0;
}

static int
atom(struct ecma *r, int c)
{
	wv_ecma_settle(r);
	switch (c) {
	case '\\':
		return escape(r);
	case '[':
		return wv_ecma_class(r);
	case '(':
		return wv_ecma_open(r);
	case ')':
		return wv_ecma_close(r);
	case ']':
	case '}':
		r->s--;
		return wv_ecma_bad(r, "unmatched bracket");
	case '|':
		wv_ecma_choice(r);
		/* fall through */
	case '^':
	case '$':
		wv_ecma_emit(r, r->s - 1, 1);
		return 0;
	case '.':
		r->quantifiable = r->consumes = true;
		wv_ecma_emit_text(r, NO_LINE_END);
		return 0;
	default:
		return literal(r);
	}
}

static int
translate(struct ecma *r)
{
	if (wv_ecma_find_captures(r) != 0)
		return -1;
	wv_ecma_enter(r);
	while (r->s < r->end) {
		int c = (unsigned char)*r->s++;
		bool repeats = c == '*' || c == '+' || c == '?' || c == '{';
		if ((repeats ? quantifier(r, c) : atom(r, c)) != 0)
			return -1;
	}
	if (r->open != 0)
		return wv_ecma_bad(r, "no ) for a (");
	wv_ecma_check_references(r);
	return 0;
}

static void
free_lists(struct ecma *r)
{
	free(r->groups);
	free(r->captures);
	free(r->by_name);
	free(r->references);
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
	int rc;

	wv_str_cat(out, "");
	rc = translate(&r);
	if (rc == 0 && r.beyond != NULL)
		rc = wv_err_set(err,
			"the regular expression is not supported: %s "
			"at character %zu",
			r.beyond, position(&r, r.beyond_at));
	free_lists(&r);
	return rc;
}

bool
wv_ecma_is_pattern(const char *pattern, size_t n)
{
	struct ecma r = { .s = pattern, .start = pattern, .end = pattern + n };
	int rc = translate(&r);

	free_lists(&r);
	return rc == 0;
}
