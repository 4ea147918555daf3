/* SPDX-License-Identifier: Apache-2.0 */
#include "summary-internal.h"

#include "query.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	TOP = 10,
	HOURS = 24,
	TEXT_WIDTH = 200, /* bytes of a value, to people */
	RUNS = TALLIES,   /* for the order */
};

static int
by_text(const struct entry *a, const struct entry *b)
{
	int order = memcmp(a->text, b->text, a->n < b->n ? a->n : b->n);

	return order != 0 ? order : (a->n > b->n) - (a->n < b->n);
}

static int
by_count(const void *p, const void *q)
{
	const struct entry *a = *(struct entry *const *)p;
	const struct entry *b = *(struct entry *const *)q;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return by_text(a, b);
}

static int
by_hour(const void *p, const void *q)
{
	return by_text(*(struct entry *const *)p, *(struct entry *const *)q);
}

static double
mean(const struct entry *entry)
{
	return entry->runs > 0 ? entry->total / (double)entry->runs : 0;
}

static int
by_mean(const void *p, const void *q)
{
	const struct entry *a = *(struct entry *const *)p;
	const struct entry *b = *(struct entry *const *)q;

	if (mean(a) != mean(b))
		return mean(a) > mean(b) ? -1 : 1;
	return by_text(a, b);
}

/* The entries in order; only those that ran, for RUNS.  Free it. */
static struct entry **
sorted(const struct summary *summary, int kind, size_t *count)
{
	const struct tally *tally =
		&summary->tallies[kind == RUNS ? BY_CAPABILITY : kind];
	struct entry **list = wv_xcalloc(tally->count + 1, sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < tally->room; i++) {
		struct entry *entry = tally->slots[i];
		if (entry == NULL || (kind == RUNS && entry->runs == 0))
			continue;
		list[(*count)++] = entry;
	}
	qsort(list, *count, sizeof(*list),
		kind == RUNS              ? by_mean
			: kind == BY_HOUR ? by_hour
					  : by_count);
	return list;
}

/* for people */

static void
put_row(struct wv_out *out, const char *s, size_t n, uint64_t count)
{
	struct wv_str row = { 0 };

	wv_str_fmt(&row, "%12" PRIu64 "  ", count);
	wv_str_foreign(&row, s, n, TEXT_WIDTH);
	wv_out_line(out, row.s, row.n);
	wv_str_free(&row);
}

static void
put_text(struct wv_out *out, const char *text)
{
	wv_out_line(out, text, strlen(text));
}

static void
put_tally(const struct summary *summary, int kind, struct wv_out *out)
{
	const struct tally *tally = &summary->tallies[kind];
	size_t count, from = 0, most = kind == BY_HOUR ? HOURS : TOP;
	struct entry **list = sorted(summary, kind, &count);
	struct wv_str row = { 0 };

	put_text(out, "");
	put_text(out, summary_names[kind]);
	if (kind == BY_HOUR && count > most)
		from = count - most;
	for (size_t i = from; i < count && i < from + most; i++)
		put_row(out, list[i]->text, list[i]->n, list[i]->count);
	if (tally->none > 0)
		put_row(out, "-", 1, tally->none);
	if (count > most)
		wv_str_fmt(&row, "%12s  %zu %s", "", count - most,
			kind == BY_HOUR ? "hours before" : "more");
	if (row.n > 0)
		wv_out_line(out, row.s, row.n);
	if (tally->others > 0)
		put_row(out, "of values too many to tell apart", 32,
			tally->others);
	wv_str_free(&row);
	free(list);
}

static void
put_runs(const struct summary *summary, struct wv_out *out)
{
	size_t count;
	struct entry **list = sorted(summary, RUNS, &count);
	struct wv_str row = { 0 };

	if (count > 0) {
		put_text(out, "");
		put_text(out, "slowest: mean and most milliseconds, runs");
	}
	for (size_t i = 0; i < count && i < TOP; i++) {
		row.n = 0;
		wv_str_fmt(&row, "%12.1f %12.1f %12" PRIu64 "  ", mean(list[i]),
			list[i]->longest, list[i]->runs);
		wv_str_foreign(&row, list[i]->text, list[i]->n, TEXT_WIDTH);
		wv_out_line(out, row.s, row.n);
	}
	wv_str_free(&row);
	free(list);
}

void
summary_text(struct summary *summary, struct wv_out *out)
{
	char first[WV_TIME_TEXT], last[WV_TIME_TEXT];
	struct wv_str row = { 0 };

	wv_str_fmt(&row, "%" PRIu64 " events", summary->count);
	if (summary->count > 0) {
		wv_time_print(first, summary->first);
		wv_time_print(last, summary->last);
		wv_str_fmt(&row, ", %s to %s", first, last);
	}
	wv_out_line(out, row.s, row.n);
	wv_str_free(&row);
	if (summary->count == 0)
		return;
	for (int kind = 0; kind < TALLIES; kind++)
		put_tally(summary, kind, out);
	put_runs(summary, out);
}

/* for machines */

static void
put_line(struct wv_out *out, const char *by, const struct entry *entry,
	uint64_t count)
{
	struct wv_str row = { 0 };

	wv_str_fmt(&row, "{\"by\":\"%s\",\"value\":", by);
	if (entry != NULL)
		wv_json_write_string(&row, entry->text, entry->n);
	else
		wv_str_cat(&row, "null");
	wv_str_fmt(&row, ",\"count\":%" PRIu64 "}", count);
	wv_out_line(out, row.s, row.n);
	wv_str_free(&row);
}

static void
put_others(struct wv_out *out, const char *by, uint64_t count)
{
	struct wv_str row = { 0 };

	wv_str_fmt(&row,
		"{\"by\":\"%s\",\"others\":true,\"count\":%" PRIu64 "}", by,
		count);
	wv_out_line(out, row.s, row.n);
	wv_str_free(&row);
}

static void
put_run_lines(const struct summary *summary, struct wv_out *out)
{
	size_t count;
	struct entry **list = sorted(summary, RUNS, &count);
	struct wv_str row = { 0 };

	for (size_t i = 0; i < count; i++) {
		row.n = 0;
		wv_str_cat(&row, "{\"by\":\"duration\",\"value\":");
		wv_json_write_string(&row, list[i]->text, list[i]->n);
		wv_str_fmt(&row,
			",\"count\":%" PRIu64
			",\"mean_ms\":%.3f,\"max_ms\":%.3f}",
			list[i]->runs, mean(list[i]), list[i]->longest);
		wv_out_line(out, row.s, row.n);
	}
	wv_str_free(&row);
	free(list);
}

void
summary_lines(struct summary *summary, struct wv_out *out)
{
	put_line(out, "all", NULL, summary->count);
	for (int kind = 0; kind < TALLIES; kind++) {
		const struct tally *tally = &summary->tallies[kind];
		const char *by = summary_names[kind];
		size_t count;
		struct entry **list = sorted(summary, kind, &count);
		for (size_t i = 0; i < count; i++)
			put_line(out, by, list[i], list[i]->count);
		if (tally->none > 0)
			put_line(out, by, NULL, tally->none);
		if (tally->others > 0)
			put_others(out, by, tally->others);
		free(list);
	}
	put_run_lines(summary, out);
}

static void
put_csv(struct wv_out *out, const char *by, const char *s, size_t n,
	uint64_t count)
{
	struct found found = { .kind = FOUND_STRING, .text = { s, n } };
	struct wv_str row = { 0 };

	wv_str_fmt(&row, "%s,", by);
	show_csv_cell(&row, &found);
	wv_str_fmt(&row, ",%" PRIu64, count);
	wv_out_line(out, row.s, row.n);
	wv_str_free(&row);
}

void
summary_csv(struct summary *summary, struct wv_out *out)
{
	put_text(out, "by,value,count");
	for (int kind = 0; kind < TALLIES; kind++) {
		const struct tally *tally = &summary->tallies[kind];
		const char *by = summary_names[kind];
		size_t count;
		struct entry **list = sorted(summary, kind, &count);
		for (size_t i = 0; i < count; i++)
			put_csv(out, by, list[i]->text, list[i]->n,
				list[i]->count);
		if (tally->none + tally->others > 0)
			put_csv(out, by, "", 0, tally->none + tally->others);
		free(list);
	}
}
