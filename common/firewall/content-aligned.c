/* SPDX-License-Identifier: Apache-2.0 */
/* Tables without delimiters, under a header, as ps, df and kubectl print. */
#include "firewall/content-table.h"

/* Cells between where characters begin. */
static size_t
placed_row(const struct wv_table *t, const struct wv_line *line,
	struct wv_line cells[WV_COLUMNS])
{
	size_t at = 0, chars = 0, from = 0, column = 0;

	for (; column + 1 < t->count; column++) {
		for (; at < line->n; at++) {
			bool first =
				((unsigned char)line->s[at] & 0xC0) != 0x80;
			if (first && chars == t->starts[column + 1])
				break;
			chars += first;
		}
		cells[column] = wv_trim(line->s + from, at - from);
		from = at;
	}
	cells[column] = wv_trim(line->s + from, line->n - from);
	return t->count;
}

static size_t
worded_row(const struct wv_table *t, struct wv_line rest,
	struct wv_line cells[WV_COLUMNS])
{
	size_t column = 0;

	for (; column + 1 < t->count; column++)
		cells[column] = wv_take_word(&rest);
	cells[column] = wv_trim(rest.s, rest.n);
	return t->count;
}

size_t
wv_table_aligned_row(const struct wv_table *t, const char **s, const char *end,
	struct wv_line cells[WV_COLUMNS])
{
	struct wv_line line;

	do {
		if (!wv_next_line(s, end, &line))
			return 0;
	} while (wv_table_is_rule(line.s, line.s + line.n) ||
		wv_trim(line.s, line.n).n == 0);
	return t->by_place ? placed_row(t, &line, cells)
			   : worded_row(t, line, cells);
}

bool
wv_table_is_value(const struct wv_line *cell)
{
	struct wv_measure m;

	return cell->n == 0 || wv_measure_cell(&m, cell->s, cell->n) ||
		(cell->n >= 10 && wv_digits(cell->s, cell->s + cell->n) == 4);
}

/* Where the names of a header begin: behind two spaces, or one. */
static size_t
split_header(struct wv_table *t, const struct wv_line *header, size_t gap)
{
	size_t spaces = gap, chars = 0;

	t->count = 0;
	for (size_t i = 0; i < header->n; i++) {
		char c = header->s[i];
		if (c == ' ') {
			spaces++;
		} else {
			if (spaces >= gap || t->count == 0) {
				if (t->count == WV_COLUMNS)
					return 0;
				t->starts[t->count] = chars;
				t->names[t->count].s = header->s + i;
				t->count++;
			}
			spaces = 0;
			struct wv_line *name = &t->names[t->count - 1];
			name->n = (size_t)(header->s + i + 1 - name->s);
		}
		chars += ((unsigned char)c & 0xC0) != 0x80;
	}
	return t->count;
}

static bool
is_upper_case(const struct wv_line *line)
{
	bool letters = false;

	for (size_t i = 0; i < line->n; i++) {
		if (line->s[i] >= 'a' && line->s[i] <= 'z')
			return false;
		letters = letters || wv_is_upper(line->s[i]);
	}
	return letters;
}

/* Every row has a space before each place where a name begins. */
static bool
rows_fit_places(const struct wv_table *t, const struct wv_sample *sample)
{
	for (size_t r = 1; r < sample->count; r++) {
		const struct wv_line *line = &sample->lines[r];
		size_t chars = 0, column = 1;
		for (size_t i = 0; i < line->n && column < t->count; i++) {
			if (((unsigned char)line->s[i] & 0xC0) == 0x80)
				continue;
			if (chars + 1 == t->starts[column]) {
				if (line->s[i] != ' ')
					return false;
				column++;
			}
			chars++;
		}
		if (column < 2)
			return false;
	}
	return true;
}

static size_t
count_words(struct wv_line line)
{
	size_t words = 0;

	while (wv_take_word(&line).n > 0)
		words++;
	return words;
}

/* A column other than the last in which all rows have numbers. */
static bool
has_numbers(const struct wv_table *t, const struct wv_sample *sample)
{
	bool numbers[WV_COLUMNS];
	struct wv_line cells[WV_COLUMNS];
	struct wv_measure m;

	memset(numbers, true, sizeof(numbers));
	for (size_t r = 1; r < sample->count; r++) {
		worded_row(t, sample->lines[r], cells);
		for (size_t i = 0; i < t->count; i++)
			numbers[i] = numbers[i] &&
				wv_measure_cell(&m, cells[i].s, cells[i].n);
	}
	for (size_t i = 0; i + 1 < t->count; i++)
		if (numbers[i] && !wv_table_is_value(&t->names[i]))
			return true;
	return false;
}

static bool
find_worded(struct wv_table *t, const struct wv_sample *sample)
{
	size_t fewest = WV_COLUMNS;

	if (split_header(t, &sample->lines[0], 1) < (t->is_header ? 2 : 3))
		return false;
	for (size_t r = 1; r < sample->count; r++) {
		size_t words = count_words(sample->lines[r]);
		fewest = words < fewest ? words : fewest;
	}
	/* "Mounted on" is one name; the last cell may be missing. */
	if (fewest + 1 == t->count && t->count > 3) {
		struct wv_line *last = &t->names[t->count - 1];
		if (!is_upper_case(last)) {
			last[-1].n = (size_t)(last->s + last->n - last[-1].s);
			t->count--;
		}
	} else if (fewest < t->count) {
		return false;
	}
	return t->is_header || has_numbers(t, sample);
}

/* As many as the header, or one less. */
static bool
rows_have_words(const struct wv_sample *sample)
{
	size_t most = count_words(sample->lines[0]);

	for (size_t r = 1; r < sample->count; r++) {
		size_t words = count_words(sample->lines[r]);
		if (words > most || words + 1 < most)
			return false;
	}
	return true;
}

/* Where characters stand in some line: columns are what is between places
 * that are blank in all. */
static void
find_gutters(struct wv_table *t, const struct wv_sample *sample)
{
	bool used[WV_SAMPLE_WIDTH] = { false };
	size_t width = 0;

	for (size_t r = 0; r < sample->count; r++) {
		const struct wv_line *line = &sample->lines[r];
		size_t chars = 0;
		for (size_t i = 0; i < line->n; i++) {
			if (((unsigned char)line->s[i] & 0xC0) == 0x80)
				continue;
			used[chars] = used[chars] || line->s[i] != ' ';
			chars++;
		}
		width = chars > width ? chars : width;
	}
	t->count = 0;
	for (size_t i = 0; i < width; i++) {
		if (!used[i] || (i > 0 && used[i - 1]))
			continue;
		if (t->count == WV_COLUMNS) {
			t->count = 0;
			return;
		}
		t->starts[t->count++] = i;
	}
}

/* Names above cells that end where they do, or have more words; the first may
 * be missing.  A column of numbers is what makes it no other text. */
static bool
find_placed(struct wv_table *t, const struct wv_sample *sample)
{
	struct wv_line cells[WV_COLUMNS];
	bool numbers[WV_COLUMNS], found = false;
	struct wv_measure m;

	find_gutters(t, sample);
	if (t->count < 3)
		return false;
	placed_row(t, &sample->lines[0], t->names);
	for (size_t i = 0; i < t->count; i++) {
		if (wv_table_is_value(&t->names[i]) && (i > 0 || t->names[i].n))
			return false;
		numbers[i] = true;
	}
	for (size_t r = 1; r < sample->count; r++) {
		placed_row(t, &sample->lines[r], cells);
		if (cells[0].n == 0)
			return false;
		for (size_t i = 0; i < t->count; i++)
			numbers[i] = numbers[i] &&
				wv_measure_cell(&m, cells[i].s, cells[i].n);
	}
	for (size_t i = 1; i < t->count; i++)
		found = found || numbers[i];
	return found;
}

/* Some names have two spaces between them. */
static bool
find_spaced(struct wv_table *t, const struct wv_sample *sample, bool ruled)
{
	const struct wv_line *header = &sample->lines[0];
	bool words_first;

	if (memmem(header->s, header->n, "  ", 2) == NULL)
		return false;
	/* Names of two words may be two names. */
	words_first = split_header(t, header, 2) != count_words(*header) &&
		rows_have_words(sample);
	if (words_first && find_worded(t, sample))
		return true;
	t->by_place = split_header(t, header, 2) >= 2 &&
		(t->is_header || is_upper_case(header) || ruled) &&
		rows_fit_places(t, sample);
	return t->by_place || (!words_first && find_worded(t, sample));
}

bool
wv_table_find_aligned(struct wv_table *t, const struct wv_sample *sample)
{
	const struct wv_line *header = &sample->lines[0];
	const struct wv_line *second = &sample->lines[1];
	bool ruled;

	if (sample->count < 2 || header->n == WV_SAMPLE_WIDTH)
		return false;
	ruled = wv_table_is_rule(second->s, second->s + second->n);
	if (ruled && sample->count < 3)
		return false;
	if (!find_spaced(t, sample, ruled)) {
		if (t->is_header || ruled || !find_placed(t, sample))
			return false;
		t->by_place = true;
	}
	t->width = t->count;
	t->named = true;
	t->body = header->s + header->n;
	return true;
}
