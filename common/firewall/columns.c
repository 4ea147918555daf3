/* SPDX-License-Identifier: Apache-2.0 */
/* Secrets in tables of text: what stands below a telling name. */
#include "firewall/columns.h"

#include <strings.h>

enum {
	NAME_WORDS = 3,        /* of a name; more are a sentence */
	SHORTEST_TOKEN = 8,    /* that is none of a language */
	SHORTEST_LETTERS = 20, /* or has no digit */
};

static bool
is_name_char(char c)
{
	return wv_is_letter(c) || wv_is_digit(c) || strchr(" _-.", c) != NULL;
}

static const char *
name_kind(const struct wv_rules *rules, const struct wv_line *name)
{
	for (size_t i = 0; i < name->n; i++)
		if (name->s[i] == '\0' || !is_name_char(name->s[i]))
			return NULL;
	return wv_name_kind(rules, name->s, name->n);
}

static bool
is_name(struct wv_line cell, size_t most_words)
{
	size_t words = 0, n = cell.n;

	while (wv_take_word(&cell).n > 0)
		words++;
	return n <= WV_VALUE_MAX && words <= most_words;
}

/* Whether all can be names, and one is that of a secret. */
static bool
read_names(struct wv_columns *c, const struct wv_rules *rules,
	const struct wv_line *names, size_t most_words)
{
	bool any = false;

	for (size_t i = 0; i < c->table.count; i++) {
		if (!is_name(names[i], most_words))
			return false;
		c->kinds[i] = name_kind(rules, &names[i]);
		any = any || c->kinds[i] != NULL;
	}
	return any;
}

/* Words between `, ` or ` | ` are prose or commands unless they are alone, or
 * there is a line below them. */
static bool
is_spaced(const struct wv_line *names, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (names[i].n > 0 && names[i].s[-1] == ' ')
			return true;
	return false;
}

static bool
is_ruled(const struct wv_sample *sample)
{
	for (size_t i = 0; i < 2; i++) {
		const struct wv_line *line = &sample->lines[i];
		if (line->n > 2 && wv_table_is_rule(line->s, line->s + line->n))
			return true;
	}
	return false;
}

static bool
find_delimited(struct wv_columns *c, const struct wv_rules *rules,
	const struct wv_sample *sample, char delimiter)
{
	struct wv_line names[WV_COLUMNS], row[WV_COLUMNS];
	const char *s = sample->lines[0].s;
	struct wv_table *t = &c->table;
	size_t most_words = NAME_WORDS;

	*t = (struct wv_table){ .delimiter = delimiter };
	t->width = wv_table_row(t, NULL, &s, sample->end, names);
	t->count = t->width < WV_COLUMNS ? t->width : WV_COLUMNS;
	t->body = s;
	if (t->width < 2)
		return false;
	if (is_spaced(names, t->count)) {
		if (delimiter == '|' && !is_ruled(sample))
			return false;
		if (delimiter != '|')
			most_words = 1;
	}
	return read_names(c, rules, names, most_words) &&
		wv_table_row(t, NULL, &s, sample->end, row) >= t->width;
}

static bool
find_table(struct wv_columns *c, const struct wv_rules *rules,
	const struct wv_sample *sample)
{
	static const char delimiters[] = ",\t;|";

	for (const char *d = delimiters; *d != '\0'; d++)
		if (find_delimited(c, rules, sample, *d))
			return true;
	c->table = (struct wv_table){ .is_header = true };
	return wv_table_find_aligned(&c->table, sample) &&
		read_names(c, rules, c->table.names, NAME_WORDS);
}

bool
wv_columns_are_likely(
	const struct wv_rules *rules, const struct wv_sample *sample)
{
	for (size_t k = 0; k < 2 && k < sample->count; k++)
		if (wv_has_telling(
			    rules, sample->lines[k].s, sample->lines[k].n))
			return true;
	return false;
}

/* What a cell says that has nothing to hide. */
static bool
says_nothing(const struct wv_line *cell)
{
	static const char *const words[] = { "true", "false", "yes", "no",
		"null", "none", "nil", "n/a", "t", "f", "y", "n", "0", "1", "-",
		"\\N", "(none)", "(null)", "<none>", "<null>", "<unset>" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == cell->n &&
			strncasecmp(words[i], cell->s, cell->n) == 0)
			return true;
	return wv_is_placeholder(cell->s, cell->n);
}

/* Of a text or a grammar. */
static bool
is_plain_token(const struct wv_line *cell, const char *kind)
{
	size_t letters = 0;

	if (strcmp(kind, "token") != 0)
		return false;
	while (letters < cell->n && wv_is_letter(cell->s[letters]))
		letters++;
	return cell->n < SHORTEST_TOKEN ||
		(letters == cell->n && letters < SHORTEST_LETTERS);
}

static void
add_cell(const struct wv_rules *rules, const char *text, struct wv_line cell,
	const char *kind, struct wv_hits *hits)
{
	size_t start;

	cell = wv_trim(cell.s, cell.n);
	if (cell.n == 0 || says_nothing(&cell) || is_plain_token(&cell, kind))
		return;
	kind = wv_told_kind(rules, kind, cell.s, cell.n, true);
	if (kind == NULL)
		return;
	start = (size_t)(cell.s - text);
	wv_hits_add(hits, start, start + cell.n, kind);
}

/* What is longer than its column, or stands beside it. */
static void
widen(struct wv_line *cell, const char *from, const char *to)
{
	if (cell->n == 0)
		return;
	while (cell->s > from && !wv_is_blank(cell->s[-1])) {
		cell->s--;
		cell->n++;
	}
	while (cell->s + cell->n < to && !wv_is_blank(cell->s[cell->n]))
		cell->n++;
}

static void
add_row(const struct wv_columns *c, const struct wv_rules *rules,
	const char *text, struct wv_line *cells, size_t count, const char *end,
	struct wv_hits *hits)
{
	const struct wv_table *t = &c->table;
	bool is_ragged = count > t->width && t->delimiter != '|';

	for (size_t i = 0; i < t->count && i < count; i++) {
		if (c->kinds[i] == NULL)
			continue;
		if (t->by_place)
			widen(&cells[i], text, end);
		/* A delimiter in a cell: which it was cannot be told. */
		if (is_ragged)
			cells[i].n = (size_t)(end - cells[i].s);
		add_cell(rules, text, cells[i], c->kinds[i], hits);
		if (is_ragged)
			break;
	}
}

static bool
has_marks(const struct wv_sample *sample)
{
	for (size_t i = 0; i < sample->count; i++)
		if (wv_has_mark(sample->lines[i].s, sample->lines[i].n))
			return true;
	return false;
}

/* Where the second line that is not blank ends. */
static const char *
first_lines(const char *s, const char *end)
{
	struct wv_line line;

	for (int count = 0; count < 2 && wv_next_line(&s, end, &line);)
		count += wv_trim(line.s, line.n).n > 0;
	return s;
}

bool
wv_columns_read(struct wv_columns *c, const struct wv_rules *rules,
	const char *s, size_t n)
{
	const char *end = s + (n < WV_SAMPLE ? n : WV_SAMPLE);
	struct wv_sample sample;

	wv_sample(&sample, s, first_lines(s, end));
	if (sample.count < 2 || !wv_columns_are_likely(rules, &sample))
		return false;
	wv_sample(&sample, s, end);
	return !(c->is_marked && has_marks(&sample)) &&
		find_table(c, rules, &sample);
}

bool
wv_columns_row(const struct wv_columns *c, const struct wv_rules *rules,
	const char *s, const char **at, const char *end, struct wv_hits *hits)
{
	struct wv_line cells[WV_COLUMNS];
	const char *row = *at;
	size_t count = wv_table_row(&c->table, NULL, at, end, cells);
	const char *stop = *at > s && (*at)[-1] == '\n' ? *at - 1 : *at;

	if (count > 0 &&
		!(c->is_marked && wv_has_mark(row, (size_t)(*at - row))))
		add_row(c, rules, s, cells, count, stop, hits);
	return count > 0;
}

static void
find_columns(const struct wv_rules *rules, const char *s, size_t n,
	struct wv_hits *hits)
{
	struct wv_columns c = { .is_marked = true };
	const char *at, *end = s + n;

	if (!wv_columns_read(&c, rules, s, n))
		return;
	at = c.table.body;
	while (wv_columns_row(&c, rules, s, &at, end, hits))
		;
}

void
wv_columns_find(const struct wv_rules *rules, const char *s, size_t n,
	struct wv_hits *hits)
{
	if (n > 0 && memchr(s, '\n', n) != NULL)
		find_columns(rules, s, n, hits);
}
