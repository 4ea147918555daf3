/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/content-table.h"

#include "json/utf8.h"

enum {
	QUOTED_MAX = 64 << 10, /* bytes of a quoted cell */
	TRIED = 10,            /* rows that have to agree */
};

/* `""` within quotes is one of them. */
static struct wv_line
unescape(struct wv_arena *arena, const char *s, size_t n)
{
	char *copy, *to;

	if (arena == NULL || n < 2 || memmem(s, n, "\"\"", 2) == NULL)
		return (struct wv_line){ s, n };
	to = copy = wv_alloc(arena, n);
	for (size_t i = 0; i < n; i++) {
		*to++ = s[i];
		i += i + 1 < n && s[i] == '"' && s[i + 1] == '"';
	}
	return (struct wv_line){ copy, (size_t)(to - copy) };
}

/* The quote that ends the cell that begins behind s; NULL: it never ends, and
 * is no quoted cell. */
static const char *
closing_quote(const char *s, const char *end)
{
	const char *stop = end - s > QUOTED_MAX ? s + QUOTED_MAX : end;

	while (s < stop) {
		const char *quote = memchr(s, '"', (size_t)(stop - s));
		if (quote == NULL || quote + 1 == end || quote[1] != '"')
			return quote;
		s = quote + 2;
	}
	return NULL;
}

/* A cell that begins at s, and where it ends. */
static const char *
read_cell(struct wv_arena *arena, char delimiter, const char *s,
	const char *end, struct wv_line *cell)
{
	const char *quote = NULL, *stop;

	if (s < end && *s == '"' && delimiter != '|')
		quote = closing_quote(s + 1, end);
	if (quote != NULL &&
		(quote + 1 == end || quote[1] == delimiter ||
			quote[1] == '\n')) {
		*cell = unescape(arena, s + 1, (size_t)(quote - s - 1));
		WV_STEP(quote - s);
		return quote + 1;
	}
	for (stop = s; stop < end && *stop != delimiter && *stop != '\n';)
		stop++;
	WV_STEP(stop - s + 1);
	*cell = delimiter == '\t' ? (struct wv_line){ s, (size_t)(stop - s) }
				  : wv_trim(s, (size_t)(stop - s));
	return stop;
}

/* +----+----+ and the like, or what a database says below its rows */
bool
wv_table_is_rule(const char *s, const char *end)
{
	const char *from = s;

	if (s < end && *s == '(')
		return true;
	while (s < end && strchr("-+|:= ", *s) != NULL && *s != '\0')
		s++;
	return (s == end || *s == '\n') && s > from;
}

static const char *
skip_line(const char *s, const char *end)
{
	const char *lf = memchr(s, '\n', (size_t)(end - s));

	return lf != NULL ? lf + 1 : end;
}

static size_t
delimited_row(char delimiter, struct wv_arena *arena, const char **at,
	const char *end, struct wv_line cells[WV_COLUMNS])
{
	const char *s = *at;
	struct wv_line cell;
	size_t count = 0;
	bool boxed;

	while (s < end &&
		(*s == '\n' || (delimiter == '|' && wv_table_is_rule(s, end))))
		s = skip_line(s, end);
	if (s == end) {
		*at = end;
		return 0;
	}
	boxed = delimiter == '|' && *s == '|';
	s += boxed;
	for (;;) {
		s = read_cell(arena, delimiter, s, end,
			count < WV_COLUMNS ? &cells[count] : &cell);
		count++;
		if (s == end || *s == '\n')
			break;
		s++;
		if (boxed && (s == end || *s == '\n'))
			break;
	}
	*at = s < end ? s + 1 : end;
	return count;
}

size_t
wv_table_row(const struct wv_table *t, struct wv_arena *arena, const char **s,
	const char *end, struct wv_line cells[WV_COLUMNS])
{
	return t->delimiter != 0
		? delimited_row(t->delimiter, arena, s, end, cells)
		: wv_table_aligned_row(t, s, end, cells);
}

static bool
equal(const struct wv_line *a, const struct wv_line *b)
{
	return a->n == b->n && memcmp(a->s, b->s, a->n) == 0;
}

/* Whether the first row names the columns: no values, none twice, and none
 * that comes again below it. */
static bool
has_names(const struct wv_line *names, const struct wv_line *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (wv_table_is_value(&names[i]) || equal(&names[i], &row[i]) ||
			names[i].n > WV_VALUE_MAX)
			return false;
		for (size_t k = 0; k < i; k++)
			if (equal(&names[i], &names[k]))
				return false;
	}
	return true;
}

/* A cell that begins with a space, not within quotes, is prose. */
static bool
is_prose(const struct wv_line *line, char delimiter, bool *quoted)
{
	for (size_t i = 0; delimiter != '|' && i + 1 < line->n; i++) {
		*quoted = *quoted != (line->s[i] == '"');
		if (!*quoted && line->s[i] == delimiter &&
			line->s[i + 1] == ' ')
			return true;
	}
	*quoted = *quoted != (line->n > 0 && line->s[line->n - 1] == '"');
	return false;
}

/* Without a line between names and rows, | is no table's. */
static bool
is_ruled(const struct wv_sample *sample)
{
	for (size_t i = 0; i < 2 && i < sample->count; i++) {
		const struct wv_line *line = &sample->lines[i];
		if (line->n > 2 && wv_table_is_rule(line->s, line->s + line->n))
			return true;
	}
	return false;
}

static bool
find_delimited(struct wv_table *t, struct wv_arena *arena,
	const struct wv_sample *sample, char delimiter)
{
	const char *s = sample->s, *begin = NULL;
	const char *end =
		sample->end - s > WV_SAMPLE ? s + WV_SAMPLE : sample->end;
	struct wv_line cells[WV_COLUMNS], first[WV_COLUMNS];
	size_t rows = 0, width = 0;
	bool quoted = false;

	if (delimiter == '|' && !is_ruled(sample))
		return false;
	for (size_t i = 0; i < sample->count && i < TRIED; i++)
		if (is_prose(&sample->lines[i], delimiter, &quoted) ||
			(delimiter == ',' && *sample->lines[i].s == ' '))
			return false;
	for (; rows < TRIED; rows++) {
		struct wv_line *into = rows == 0 ? first : cells;
		size_t n = delimited_row(delimiter, arena, &s, end, into);
		if (n == 0 || (s == end && end < sample->end))
			break;
		if (n < 2 || (rows > 0 && n != width))
			return false;
		if (rows == 1) {
			size_t seen = n < WV_COLUMNS ? n : WV_COLUMNS;
			t->named = has_names(first, cells, seen);
		}
		width = n;
		begin = rows == 0 ? s : begin;
	}
	if (rows < 2)
		return false;
	t->delimiter = delimiter;
	t->width = width;
	t->count = width < WV_COLUMNS ? width : WV_COLUMNS;
	memcpy(t->names, first, t->count * sizeof(*first));
	t->body = t->named ? begin : sample->s;
	return true;
}

bool
wv_table_find(struct wv_table *t, struct wv_arena *arena,
	const struct wv_sample *sample)
{
	static const char delimiters[] = ",\t;|";

	for (const char *d = delimiters; *d != '\0'; d++) {
		*t = (struct wv_table){ 0 };
		if (find_delimited(t, arena, sample, *d))
			return true;
	}
	*t = (struct wv_table){ 0 };
	return wv_table_find_aligned(t, sample);
}
