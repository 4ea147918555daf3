/* SPDX-License-Identifier: Apache-2.0 */
/* Where the value stands that a name is given. */
#include "firewall/assign-internal.h"

#include <string.h>

/* Where a value ends that began after a quote with `level` backslashes before
 * it: at a quote that closes it, or closes what is around it. */
static size_t
quoted_end(struct wv_text *t, const struct wv_assigned *a, size_t limit)
{
	size_t run = 0;

	for (size_t i = a->start; i < limit; i++) {
		char c = t->s[i];
		WV_STEPS(1);
		if (c == '\n')
			return i;
		if (c == a->quote && a->level == 0 && run % 2 == 0)
			return i;
		if (c == a->quote && a->level > 0 && run <= a->level)
			return i - run;
		run = c == '\\' ? run + 1 : 0;
	}
	return limit;
}

/* An & that a further parameter, or nothing, follows. */
static bool
is_next_parameter(struct wv_text *t, size_t at)
{
	enum { LONGEST = 40 };
	size_t end = wv_run(t, at + 1, WV_DOTTED, LONGEST);
	int c = wv_byte(t, end);

	if (end == at + 1)
		return c < 0 || c == '&' || wv_is_class(c, WV_SPECIAL);
	return c == '=' || c == ';' || c == '[';
}

/* A mark belongs to the value that it stands in. */
static size_t
bare_end(struct wv_text *t, size_t i, size_t limit)
{
	while (i < limit) {
		char c = t->s[i];
		size_t mark = c == '[' ? wv_mark_length(t->s + i, t->n - i) : 0;
		WV_STEPS(1);
		if (wv_is_class(c, WV_SPECIAL) &&
			(c != '&' || is_next_parameter(t, i)))
			break;
		i += mark != 0 ? mark : 1;
	}
	return i < t->n || limit < t->n ? i : t->n;
}

/* To the end of the line or of the quotes around it. */
static size_t
line_end(struct wv_text *t, size_t i, size_t limit, bool to_semicolon)
{
	while (i < limit && strchr("\r\n\"'`\\", t->s[i]) == NULL &&
		!(to_semicolon && t->s[i] == ';'))
		i++;
	return i;
}

/* The end of the value, at most WV_PROBE bytes on if it is only to be judged. */
void
wv_find_end(struct wv_text *t, struct wv_assigned *a, bool probe)
{
	size_t limit = probe && t->n - a->start > WV_PROBE ? a->start + WV_PROBE
							   : t->n;
	const char *end;

	switch (a->extent) {
	case WV_QUOTED:
		a->end = quoted_end(t, a, limit);
		break;
	case WV_BARE:
		a->end = bare_end(t, a->start, limit);
		break;
	case WV_ELEMENT:
		end = memchr(t->s + a->start, '<', limit - a->start);
		a->end = end ? (size_t)(end - t->s) : limit;
		WV_STEPS(a->end - a->start);
		break;
	case WV_PARAMETERS:
		a->end = a->start;
		while (a->end < limit && t->s[a->end] != a->quote &&
			t->s[a->end] != '\n' && t->s[a->end] != '\r')
			a->end++;
		WV_STEPS(a->end - a->start);
		break;
	case WV_LINE:
	case WV_FIRST:
		a->end = line_end(t, a->start, limit, a->extent == WV_FIRST);
		WV_STEPS(a->end - a->start);
		break;
	}
	t->open = t->open || a->end == t->n;
}

size_t
wv_skip_blanks(struct wv_text *t, size_t i)
{
	enum { FAR = 64 };

	for (size_t end = i + FAR; i < end; i++) {
		int c = wv_byte(t, i);
		if (c != ' ' && c != '\t')
			break;
	}
	return i;
}

static size_t
skip_slashes(struct wv_text *t, size_t i)
{
	enum { FAR = 16 };

	for (size_t end = i + FAR; i < end && wv_byte(t, i) == '\\';)
		i++;
	return i;
}

/* A quote with or without backslashes; false if there is none. */
static bool
skip_quote(struct wv_text *t, size_t *i)
{
	size_t at = skip_slashes(t, *i);

	if (!wv_is_quote(wv_byte(t, at)))
		return false;
	*i = at + 1;
	return true;
}

/* The value that begins at i: in quotes or bare. */
static bool
begin_value(struct wv_text *t, size_t i, struct wv_assigned *a)
{
	i = wv_skip_blanks(t, i);
	/* b"…" and the like */
	if (wv_is_at(t, i, WV_ALNUM) && wv_is_quote(wv_byte(t, i + 1)) &&
		strchr("bfru", t->s[i] | 0x20) != NULL)
		i++;
	size_t quote = skip_slashes(t, i);
	a->level = quote - i;
	a->quote = (char)wv_byte(t, quote);
	a->extent = wv_is_quote(a->quote) && quote < t->n ? WV_QUOTED : WV_BARE;
	a->start = a->extent == WV_QUOTED ? quote + 1 : i;
	return a->extent == WV_QUOTED || a->level == 0;
}

/* : = := => ==; a comparison with a variable gives nothing away. */
static bool
after_sign(struct wv_text *t, size_t at, struct wv_assigned *a)
{
	size_t i = at + 1;
	bool compares = false;
	int c;

	a->sign = t->s[at];
	if (a->sign == ':' && wv_byte(t, i) == ':')
		return false;
	while ((c = wv_byte(t, i)) == '=' || c == '>') {
		compares = compares || (a->sign == '=' && c == '=');
		i++;
		if (i - at > 4)
			return false;
	}
	return begin_value(t, i, a) && (a->extent == WV_QUOTED || !compares);
}

/* "NAME", "value": "VALUE" and key="NAME" value="VALUE". */
static bool
after_value_name(struct wv_text *t, size_t i, struct wv_assigned *a)
{
	if (wv_byte(t, i) == ',')
		i = wv_skip_blanks(t, i + 1);
	skip_quote(t, &i);
	if ((wv_byte(t, i) | 0x20) != 'v' || !wv_stands(t, i + 1, "alue", 4))
		return false;
	i += 5;
	skip_quote(t, &i);
	i = wv_skip_blanks(t, i);
	int c = wv_byte(t, i);
	return (c == ':' || c == '=') && after_sign(t, i, a);
}

/* --password VALUE; the name is of several words otherwise. */
static bool
is_option(const struct wv_text *t, const struct wv_assigned *a)
{
	size_t start = a->name_end;

	while (start > a->name && !wv_is_blank(t->s[start - 1]))
		start--;
	return a->name_end - start > 2 && t->s[start] == '-' &&
		t->s[start + 1] == '-';
}

/* Where the value of the name begins, and how it is bounded. */
bool
wv_find_value(struct wv_text *t, struct wv_assigned *a)
{
	size_t i = a->name_end;
	bool closed = skip_quote(t, &i);

	if (closed && wv_byte(t, i) == ']')
		i++;
	int c = wv_byte(t, i);
	if (!closed && c == '>' && a->name > t->from &&
		strchr("<:", t->s[a->name - 1]) != NULL) {
		a->sign = '>';
		a->extent = WV_ELEMENT;
		a->start = i + 1;
		return true;
	}
	size_t after = wv_skip_blanks(t, i);
	c = wv_byte(t, after);
	if (c == ':' || c == '=')
		return after_sign(t, after, a);
	if (closed && after_value_name(t, after, a))
		return true;
	a->sign = ' ';
	if (closed && c == ',') {
		a->sign = ',';
		return begin_value(t, after + 1, a) && a->extent == WV_QUOTED;
	}
	if (closed || after == i)
		return false;
	if (is_option(t, a))
		return begin_value(t, after, a);
	/* SQL */
	return c == '\'' && t->s[a->name_end - 1] == 'D' &&
		begin_value(t, after, a);
}

/* Of "password: |", the lines that are indented below it. */
bool
wv_find_block(struct wv_text *t, struct wv_assigned *a)
{
	size_t i = a->start;
	int c = wv_byte(t, i);

	if (a->sign != ':' || a->extent != WV_BARE || (c != '|' && c != '>'))
		return false;
	for (i++; i - a->start < 4 && (c = wv_byte(t, i)) != '\n'; i++)
		if (c < 0 || (!wv_is_digit(c) && !strchr("+-\r", c)))
			return false;
	if (wv_byte(t, i) != '\n')
		return false;
	size_t line = i + 1, text = wv_skip_blanks(t, line);
	size_t indent = text - line, end = text;
	c = wv_byte(t, text);
	if (indent == 0 || c < 0 || wv_is_blank(c) || c == '\n' || c == '\r')
		return false;
	a->start = text;
	for (;;) {
		const char *lf = memchr(t->s + text, '\n', t->n - text);
		end = lf ? (size_t)(lf - t->s) : t->n;
		WV_STEPS(end - text);
		line = end + 1;
		text = line < t->n ? wv_skip_blanks(t, line) : t->n;
		if (end == t->n || text - line < indent || text >= t->n ||
			t->s[text] == '\n')
			break;
	}
	t->open = t->open || text >= t->n;
	while (end > a->start && t->s[end - 1] == '\r')
		end--;
	a->end = end;
	return true;
}
