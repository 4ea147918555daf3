/* SPDX-License-Identifier: Apache-2.0 */
/* A table of text as rows, and as columns for its summary. */
#include "firewall/content-table.h"

enum {
	ROWS_TOLD = 8, /* one by one */
};

static const char *
column_name(struct wv_arena *arena, const struct wv_table *t, size_t i)
{
	return t->named && t->names[i].n > 0
		? wv_dupn(arena, t->names[i].s, t->names[i].n)
		: wv_printf(arena, "column %zu", i + 1);
}

static cJSON *
make_row(struct wv_arena *arena, const cJSON *names,
	const struct wv_line *cells, size_t count)
{
	cJSON *row = wv_json_object(arena);
	const cJSON *name = names->child;

	for (size_t i = 0; name != NULL; i++, name = name->next) {
		cJSON *cell = i < count
			? wv_json_stringn(arena, cells[i].s, cells[i].n)
			: wv_json_null(arena);
		cell->string = name->string;
		wv_push(row, cell);
	}
	return row;
}

/* The names as an array of strings that are all different; each also as the
 * name of its node, for rows. */
static cJSON *
make_names(struct wv_arena *arena, const struct wv_table *t)
{
	cJSON *object = wv_json_object(arena);

	for (size_t i = 0; i < t->count; i++) {
		cJSON *name = wv_json_null(arena);
		name->string = (char *)column_name(arena, t, i);
		wv_push(object, name);
	}
	wv_separate_names(arena, object);
	return object;
}

cJSON *
wv_content_rows(struct wv_arena *arena, const struct wv_content *content,
	size_t max_rows)
{
	struct wv_arena scratch = WV_ARENA_INIT;
	struct wv_line cells[WV_COLUMNS];
	struct wv_sample sample;
	struct wv_table t;
	const char *s = content->text.s, *end;
	size_t count = 0, n;

	if (content->kind != WV_CONTENT_TEXT || content->text.n == 0)
		return NULL;
	end = s + content->text.n;
	if (wv_content_text_kind(content)->tell != wv_tell_table)
		return NULL;
	wv_sample(&sample, s, end);
	if (!wv_table_find(&t, arena, &sample))
		return NULL;
	cJSON *data = wv_json_object(arena), *rows = wv_json_array(arena);
	cJSON *names = make_names(arena, &t);
	for (s = t.body; (n = wv_table_row(&t, &scratch, &s, end, cells)) > 0;
		count++) {
		if (count < max_rows)
			wv_push(rows, make_row(arena, names, cells, n));
		wv_arena_reset(&scratch);
	}
	wv_put(arena, data, "rows", rows);
	wv_put(arena, data, "row_count", wv_json_int(arena, (int64_t)count));
	wv_arena_free(&scratch);
	return data;
}

bool
wv_is_table(const struct wv_sample *sample)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_table t;
	bool found = wv_table_find(&t, &arena, sample);

	wv_arena_free(&arena);
	return found;
}

const char *
wv_table_type(const char *s, size_t n)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_sample sample;
	struct wv_table t;

	wv_sample(&sample, s, s + n);
	wv_table_find(&t, &arena, &sample);
	wv_arena_free(&arena);
	return t.delimiter == ',' || t.delimiter == ';' ? "text/csv"
		: t.delimiter == '\t' ? "text/tab-separated-values"
				      : "text/plain";
}

static void
tell_head(struct wv_summary *sum, const struct wv_table *t, size_t rows)
{
	const char *name = t->delimiter == ',' || t->delimiter == ';' ? "CSV"
		: t->delimiter == '\t'                                ? "TSV"
								      : "table";
	struct wv_str *out = &sum->out;

	if (sum->content->seen > 0) {
		wv_sum_head(sum, name);
		wv_str_cat(out, "; ");
	} else {
		wv_str_fmt(out, "%s, ", name);
	}
	wv_add_count(out, rows, "row");
	wv_str_cat(out, " of ");
	wv_add_count(out, t->width, "column");
	if (!t->named)
		wv_str_cat(out, " without names");
	if (sum->content->seen == 0) {
		wv_str_cat(out, ", ");
		wv_add_count(out, sum->content->size, "byte");
	}
	sum->separator = ": ";
}

/* "Mem: total 16301644, used 5402228": rows that a first column without a name
 * names. */
static void
tell_rows(struct wv_summary *sum, const struct wv_table *t)
{
	struct wv_line cells[WV_COLUMNS];
	const char *s = t->body;
	size_t n;

	sum->unit = "row";
	while ((n = wv_table_row(t, &sum->arena, &s, sum->end, cells)) > 0) {
		struct wv_str *part = wv_sum_begin(sum);
		wv_add_inline(part, cells[0].s, cells[0].n, WV_VALUE_MAX);
		for (size_t i = 1; i < n && i < t->count; i++) {
			if (cells[i].n == 0)
				continue;
			wv_str_cat(part, i == 1 ? " " : ", ");
			wv_add_inline(part, t->names[i].s, t->names[i].n,
				WV_VALUE_MAX);
			wv_str_chr(part, ' ');
			wv_add_inline(
				part, cells[i].s, cells[i].n, WV_VALUE_MAX);
		}
		wv_sum_end(sum, cells[0].s, cells[0].n);
	}
}

void
wv_tell_table(struct wv_summary *sum)
{
	struct wv_line cells[WV_COLUMNS];
	struct wv_column *columns;
	struct wv_sample sample;
	size_t rows = 0, ragged = 0, n;
	const char *s;
	struct wv_table t;

	wv_sample(&sample, sum->s, sum->end);
	wv_table_find(&t, &sum->arena, &sample);
	columns = wv_alloc_zero(&sum->arena, t.count * sizeof(*columns));
	for (size_t i = 0; i < t.count; i++) {
		const char *name = column_name(&sum->arena, &t, i);
		columns[i].name = (struct wv_line){ name, strlen(name) };
	}
	for (s = t.body;
		(n = wv_table_row(&t, &sum->arena, &s, sum->end, cells)) > 0;
		rows++) {
		ragged += n != t.width;
		n = n < t.count ? n : t.count;
		for (size_t i = 0; i < n; i++)
			wv_column_cell(&columns[i], &sum->arena, cells[i].s,
				cells[i].n);
	}
	tell_head(sum, &t, rows);
	if (ragged > 0) {
		struct wv_str *part = wv_sum_begin(sum);
		wv_add_count(part, ragged, "row");
		wv_str_cat(part, " with another number of cells");
		wv_sum_end(sum, NULL, 0);
	}
	if (t.named && t.names[0].n == 0 && rows <= ROWS_TOLD)
		tell_rows(sum, &t);
	else
		wv_columns_tell(sum, columns, t.count, rows);
}
