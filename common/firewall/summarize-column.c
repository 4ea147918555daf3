/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in one column of a table: types, ranges as exact text, values
 * with counts.  A boolean is no number, a redacted value no value. */
#include "firewall/summarize.h"

enum {
	NUMBER_MAX = 40, /* bytes of a number that are told */
	LISTED = 4,      /* values that are all told */
	TOP = 3,         /* or else the most frequent */
	KEYS = 5,        /* of an object */
};

static void
add_number(struct wv_column *c, const struct wv_measure *m)
{
	if (c->numbers++ == 0) {
		c->low = c->high = *m;
		c->unit = m->unit;
		return;
	}
	if (c->unit != m->unit)
		c->unit = c->unit != '%' && m->unit != '%' ? 'x' : '?';
	if (wv_measure_compare(m, &c->low) < 0)
		c->low = *m;
	else if (wv_measure_compare(m, &c->high) > 0)
		c->high = *m;
}

/* 2026-01-02, or a time that begins so */
static bool
is_date(const char *s, size_t n)
{
	static const char shape[] = "dddd-dd-dd";

	if (n < 10 || (n > 10 && s[10] != 'T' && s[10] != ' ') || n > 35)
		return false;
	for (size_t i = 0; i < 10; i++)
		if (shape[i] == 'd' ? !wv_is_digit(s[i]) : s[i] != '-')
			return false;
	return true;
}

static int
compare_text(const struct wv_line *a, const struct wv_line *b)
{
	int order = memcmp(a->s, b->s, a->n < b->n ? a->n : b->n);

	return order != 0 ? order : (a->n > b->n) - (a->n < b->n);
}

static void
add_date(struct wv_column *c, const struct wv_line *date)
{
	if (c->dates++ == 0)
		c->earliest = c->latest = *date;
	else if (compare_text(date, &c->earliest) < 0)
		c->earliest = *date;
	else if (compare_text(date, &c->latest) > 0)
		c->latest = *date;
}

static void
add_string(struct wv_column *c, struct wv_arena *arena, const char *s, size_t n)
{
	struct wv_line line = { s, n };

	WV_STEP(1);
	if (n == 0) {
		c->empty++;
		return;
	}
	/* Different values may have become equal. */
	if (wv_has_mark(s, n)) {
		c->redacted++;
		return;
	}
	if (c->strings++ == 0)
		c->first = line;
	c->links += wv_begins(&line, "http");
	if (c->dates + 1 == c->strings && is_date(s, n))
		add_date(c, &line);
	c->values.max = WV_DIFFERENT;
	if (!c->values.more)
		wv_tally_add(&c->values, arena, s, n);
}

static void
add_items(struct wv_column *c, const cJSON *array)
{
	size_t items = wv_count(array);

	WV_STEP(items);
	if (c->arrays++ == 0)
		c->fewest = c->longest = items;
	c->fewest = items < c->fewest ? items : c->fewest;
	c->longest = items > c->longest ? items : c->longest;
}

void
wv_column_json(struct wv_column *c, struct wv_arena *arena, const cJSON *value)
{
	WV_STEP(1);
	if (wv_is_string(value)) {
		add_string(
			c, arena, value->valuestring, (size_t)value->valueint);
	} else if (wv_is_number(value)) {
		struct wv_measure m;
		wv_measure_json(&m, value);
		add_number(c, &m);
	} else if (wv_is_array(value)) {
		add_items(c, value);
	} else if (wv_is_object(value)) {
		if (c->objects++ == 0)
			c->object = value;
	} else {
		c->trues += wv_is_true(value);
		c->falses += wv_is_false(value);
		c->nulls += wv_is_null(value);
	}
}

void
wv_column_cell(
	struct wv_column *c, struct wv_arena *arena, const char *s, size_t n)
{
	struct wv_measure m;

	WV_STEP(n + 1);
	if (wv_measure_cell(&m, s, n))
		add_number(c, &m);
	else
		add_string(c, arena, s, n);
}

static void
add_measure(struct wv_str *out, const struct wv_measure *m)
{
	struct wv_str json = { 0 };

	if (m->node == NULL) {
		wv_add_inline(out, m->s, m->n, NUMBER_MAX);
		return;
	}
	wv_json_write(&json, m->node);
	wv_add_inline(out, json.s, json.n, NUMBER_MAX);
	wv_str_free(&json);
}

static void
add_range(struct wv_str *out, const struct wv_column *c)
{
	add_measure(out, &c->low);
	if (wv_measure_compare(&c->low, &c->high) != 0) {
		wv_str_cat(out, " to ");
		add_measure(out, &c->high);
	}
}

static void
add_list(struct wv_str *out, const struct wv_tally *values)
{
	size_t width = values->count == 1 ? WV_VALUE_MAX : 40;

	for (size_t i = 0; i < values->count; i++) {
		if (i > 0)
			wv_str_cat(out, ", ");
		wv_add_quoted(
			out, values->items[i].s, values->items[i].n, width);
	}
}

static void
add_values(struct wv_str *out, struct wv_column *c)
{
	const struct wv_tally *values = &c->values;

	if (c->dates == c->strings && values->count > 1) {
		wv_add_inline(out, c->earliest.s, c->earliest.n, NUMBER_MAX);
		wv_str_cat(out, " to ");
		wv_add_inline(out, c->latest.s, c->latest.n, NUMBER_MAX);
		return;
	}
	wv_tally_sort(&c->values);
	if (!values->more && values->count <= LISTED &&
		values->items[0].count == 1) {
		add_list(out, values);
	} else if (!values->more && values->count <= LISTED) {
		wv_tally_add_top(out, values, LISTED, 30, true);
	} else {
		wv_tally_add_count(out, values);
		if (values->more || values->items[0].count == 1) {
			wv_str_cat(out, ", first ");
			wv_add_quoted(out, c->first.s, c->first.n, 40);
		} else {
			wv_str_cat(out, ", most ");
			wv_tally_add_top(out, values, TOP, 30, true);
		}
	}
}

static void
add_object(struct wv_str *out, const struct wv_column *c, bool counted)
{
	size_t told = 0;

	if (counted)
		wv_add_count(out, c->objects, "object");
	else
		wv_str_cat(out, "object");
	wv_json_each(member, c->object) {
		wv_str_cat(out, told == 0 ? " (" : ", ");
		if (told++ == KEYS) {
			wv_str_cat(out, "…");
			break;
		}
		wv_add_inline(out, member->string, strlen(member->string), 30);
	}
	if (told > 0)
		wv_str_chr(out, ')');
}

static void
add_arrays(struct wv_str *out, const struct wv_column *c, bool counted)
{
	if (counted)
		wv_str_fmt(out, "%zu ", c->arrays);
	wv_str_cat(out, c->arrays == 1 && counted ? "array of " : "arrays of ");
	if (c->fewest < c->longest)
		wv_str_fmt(out, "%zu to ", c->fewest);
	wv_add_count(out, c->longest, "item");
}

static void
separate(struct wv_str *out, size_t from)
{
	if (out->n > from)
		wv_str_cat(out, ", ");
}

static void
add_times(struct wv_str *out, size_t from, size_t n, const char *what)
{
	if (n == 0)
		return;
	separate(out, from);
	wv_str_fmt(out, "%zu %s", n, what);
}

void
wv_column_add(struct wv_str *out, struct wv_column *c, size_t rows)
{
	size_t from = out->n, bools = c->trues + c->falses;
	int types = (c->numbers > 0) + (c->strings > 0) + (bools > 0) +
		(c->objects > 0) + (c->arrays > 0);
	size_t present = c->numbers + c->strings + bools + c->nulls +
		c->objects + c->arrays + c->empty + c->redacted;

	if (c->numbers > 0) {
		if (types > 1) {
			wv_add_count(out, c->numbers, "number");
			wv_str_chr(out, ' ');
		}
		if (c->unit != '?')
			add_range(out, c);
		else if (types == 1)
			wv_str_cat(out, "numbers of different units");
	}
	if (c->strings > 0) {
		separate(out, from);
		if (types > 1) {
			wv_add_count(out, c->strings, "string");
			wv_str_cat(out, ": ");
		}
		add_values(out, c);
	}
	add_times(out, from, c->trues, "true");
	add_times(out, from, c->falses, "false");
	if (c->objects > 0) {
		separate(out, from);
		add_object(out, c, types > 1);
	}
	if (c->arrays > 0) {
		separate(out, from);
		add_arrays(out, c, types > 1);
	}
	add_times(out, from, c->nulls, "null");
	add_times(out, from, c->empty, "empty");
	add_times(out, from, c->redacted, "redacted");
	if (rows > present)
		add_times(out, from, rows - present, "missing");
}

int
wv_column_worth(const struct wv_column *c)
{
	size_t some = c->numbers + c->strings + c->trues + c->falses;

	if (some + c->objects + c->arrays == 0)
		return 3;
	if (c->links > 0 && c->links == c->strings)
		return 3;
	return some > 0 ? 0 : 1;
}

void
wv_columns_tell(struct wv_summary *sum, struct wv_column *columns, size_t count,
	size_t rows)
{
	sum->unit = "column";
	for (int class = 0; class < WV_WORTHS; class ++) {
		for (size_t i = 0; i < count; i++) {
			struct wv_column *c = &columns[i];
			if (wv_column_worth(c) != class)
				continue;
			struct wv_str *part = wv_sum_begin(sum);
			wv_add_inline(part, c->name.s, c->name.n, WV_VALUE_MAX);
			wv_str_cat(part, ": ");
			wv_column_add(part, c, rows);
			wv_sum_end(sum, c->name.s, c->name.n);
		}
	}
}
