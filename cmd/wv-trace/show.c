/* SPDX-License-Identifier: Apache-2.0 */
#include "query.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
	CELL_MAX = 1024, /* bytes */
	GAP = 2,         /* between columns of a table */
	LEAST = 8,       /* of a terminal's width, for the last column */
};

/* The columns; width 0: not in a table. */
static const struct column {
	const char *name, *pointer;
	size_t width;
} columns[SHOW_COLUMNS] = {
	{ "timestamp", "/timestamp", 24 },
	{ "event_type", "/event_type", 21 },
	{ "outcome", "/outcome", 7 },
	{ "code", "/metadata/x_wv_code", 20 },
	{ "principal", "/principal", 20 },
	{ "capability_id", "/capability_id", 32 },
	{ "decision_id", "/decision_id", 30 },
	{ "frame_id", "/frame_id", 0 },
	{ "handle_id", "/handle_id", 0 },
	{ "token_id", "/metadata/x_wv_token_id", 0 },
	{ "run_id", "/metadata/x_wv_run/run_id", 0 },
	{ "trace_id", "/metadata/telemetry/trace_id", 0 },
	{ "event_id", "/event_id", 0 },
	{ "error_message", "/error_message", 0 },
};
enum { TABLE_COLUMNS = 7 };

size_t
show_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) ||
		ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0)
		return 0;
	return size.ws_col;
}

/* What stands in a cell, made harmless, at the end of cell. */
static void
add_text(struct wv_str *cell, const struct found *found)
{
	struct wv_str json = { 0 };

	if (found->kind == FOUND_STRING || found->kind == FOUND_NUMBER) {
		wv_str_foreign(cell, found->text.s, found->text.n, CELL_MAX);
	} else if (found->kind == FOUND_NODE && !wv_is_null(found->node)) {
		wv_json_write(&json, found->node);
		wv_str_foreign(cell, json.s, json.n, CELL_MAX);
		wv_str_free(&json);
	}
}

/* CSV */

/* What spreadsheets take for a formula, also in its wide form. */
static bool
is_formula(const char *s, size_t n)
{
	static const char *const begins[] = { "=", "+", "-", "@", "＝", "＋",
		"－", "＠" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (n >= strlen(begins[i]) &&
			memcmp(s, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static void
add_quoted(struct wv_str *row, const char *s, size_t n)
{
	bool is_plain = n == 0 ||
		(strcspn(s, "\",;'") == n && s[0] != ' ' && s[n - 1] != ' ');

	if (!is_plain)
		wv_str_chr(row, '"');
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"')
			wv_str_chr(row, '"');
		wv_str_chr(row, s[i]);
	}
	if (!is_plain)
		wv_str_chr(row, '"');
}

void
show_csv_cell(struct wv_str *row, const struct found *found)
{
	struct wv_str cell = { 0 };
	bool is_number = found->kind == FOUND_NUMBER ||
		(found->kind == FOUND_NODE && wv_is_number(found->node));

	add_text(&cell, found);
	if (cell.n > 0 && !is_number && is_formula(cell.s, cell.n)) {
		struct wv_str safe = { 0 };
		wv_str_chr(&safe, '\'');
		wv_str_add(&safe, cell.s, cell.n);
		wv_str_free(&cell);
		cell = safe;
	}
	add_quoted(row, cell.n > 0 ? cell.s : "", cell.n);
	wv_str_free(&cell);
}

static void
add_csv(struct query *q, const struct line *line, struct wv_str *row)
{
	for (size_t i = 0; i < SHOW_COLUMNS; i++) {
		struct found found = line_at(line, q->columns[i]);
		if (i > 0)
			wv_str_chr(row, ',');
		show_csv_cell(row, &found);
	}
}

/* tables */

static bool
begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* Characters, and how many bytes the first max of them have. */
static size_t
width_of(const char *s, size_t n, size_t max, size_t *bytes)
{
	size_t width = 0;

	*bytes = n;
	for (size_t i = 0; i < n; i++) {
		if (!begins_character(s[i]))
			continue;
		if (width == max)
			*bytes = i;
		width++;
	}
	return width;
}

void
show_cell(struct wv_str *row, const char *s, size_t n, size_t width, bool cut)
{
	size_t bytes, has = width_of(s, n, width, &bytes);

	if (cut && has > width && width > 0) {
		width_of(s, n, width - 1, &bytes);
		wv_str_add(row, s, bytes);
		wv_str_cat(row, "…");
		has = width;
	} else {
		wv_str_add(row, s, n);
	}
	for (; has < width; has++)
		wv_str_chr(row, ' ');
}

/* What is left of a terminal's width for a column; the last one has it all. */
static size_t
room_for(const struct query *q, size_t i, size_t used)
{
	size_t left = q->width > used ? q->width - used : 0;
	size_t width = columns[i].width;

	if (q->width == 0)
		return i == TABLE_COLUMNS - 1 ? 0 : width;
	return width < left ? width : left;
}

static void
add_cells(struct query *q, struct wv_str *row, const struct wv_str *cells)
{
	size_t used = 0;

	for (size_t i = 0; i < TABLE_COLUMNS; i++) {
		size_t width = room_for(q, i, used);
		if (q->width > 0 && (width == 0 || width < LEAST / 2))
			break;
		show_cell(row, cells[i].n > 0 ? cells[i].s : "", cells[i].n,
			width, q->width > 0);
		used += width + GAP;
		for (size_t gap = 0; gap < GAP; gap++)
			wv_str_chr(row, ' ');
	}
	while (row->n > 0 && row->s[row->n - 1] == ' ')
		row->n--;
}

static void
add_table(struct query *q, const struct line *line, struct wv_str *row)
{
	struct wv_str cells[TABLE_COLUMNS] = { { 0 } };
	char time[WV_TIME_TEXT];

	wv_time_print(time, line->time);
	wv_str_cat(&cells[0], time);
	for (size_t i = 1; i < TABLE_COLUMNS; i++) {
		struct found found = line_at(line, q->columns[i]);
		add_text(&cells[i], &found);
		if (cells[i].n == 0)
			wv_str_chr(&cells[i], '-');
	}
	add_cells(q, row, cells);
	for (size_t i = 0; i < TABLE_COLUMNS; i++)
		wv_str_free(&cells[i]);
}

void
show_init(struct query *q)
{
	if (q->format == FORMAT_LINES || q->sums || q->count)
		return;
	for (size_t i = 0; i < SHOW_COLUMNS; i++)
		q->columns[i] =
			(size_t)places_add(&q->places, columns[i].pointer);
	q->width = show_width();
}

void
show_heading(struct query *q)
{
	struct wv_str row = { 0 };

	if (q->format == FORMAT_LINES)
		return;
	if (q->format == FORMAT_CSV) {
		for (size_t i = 0; i < SHOW_COLUMNS; i++)
			wv_str_fmt(&row, "%s%s", i > 0 ? "," : "",
				columns[i].name);
	} else {
		struct wv_str cells[TABLE_COLUMNS] = { { 0 } };
		for (size_t i = 0; i < TABLE_COLUMNS; i++)
			wv_str_cat(&cells[i], columns[i].name);
		add_cells(q, &row, cells);
		for (size_t i = 0; i < TABLE_COLUMNS; i++)
			wv_str_free(&cells[i]);
	}
	wv_out_line(&q->out, row.s, row.n);
	wv_str_free(&row);
}

void
show_line(struct query *q, const struct line *line)
{
	struct wv_str row = { 0 };

	if (q->turn != NULL)
		turn_hold(q);
	if (q->format == FORMAT_LINES) {
		wv_out_line(&q->out, line->s, line->n);
		return;
	}
	if (q->format == FORMAT_CSV)
		add_csv(q, line, &row);
	else
		add_table(q, line, &row);
	wv_out_line(&q->out, row.s, row.n);
	wv_str_free(&row);
}
