/* SPDX-License-Identifier: Apache-2.0 */
/* A query: what is asked for, and what has been found so far. */
#ifndef WV_TRACE_QUERY_H
#define WV_TRACE_QUERY_H

#include "filter.h"
#include "scan.h"

enum { SHOW_COLUMNS = 14 };

struct kept;
struct summary;
struct turn;

enum format {
	FORMAT_LINES,
	FORMAT_TABLE,
	FORMAT_CSV,
};

struct counts {
	uint64_t seen, matched;
	uint64_t malformed;
	int status;
};

struct query {
	/* What is asked for. */
	struct filter *filter;
	struct places places;
	struct wv_lines_options lines;
	const char *state;
	uint64_t limit; /* UINT64_MAX: none */
	uint64_t tail;  /* so many of the last; UINT64_MAX: not asked for */
	bool count, reverse, follow, sums;
	enum format format;
	bool has_format; /* it was asked for */
	size_t jobs;

	/* How far it is. */
	struct counts counts;
	struct wv_out out;
	struct shapes *shapes;
	struct minute minute;
	struct line line;
	struct scan scan;
	struct wv_err err; /* empty: making one costs more than a line */
	struct summary *summary;
	struct kept *kept;
	bool is_fresh;     /* no line of the piece has been read yet */
	struct turn *turn; /* one of several processes; NULL: it is alone */
	uint64_t base; /* lines of the source before those of this process */
	size_t columns[SHOW_COLUMNS]; /* places */
	size_t width;                 /* of a terminal; 0: there is none */
};

/* query-read.c */

/* Reads a source to its end: 1; or until no more is wanted: 0.  -1: it cannot
 * be read, which is told. */
int query_read(struct query *q, struct source *source);
/* The lines that begin before an offset. */
int query_read_until(struct query *q, struct source *source, uint64_t end);
/* struct scan's tell; arg: the query. */
void query_tell(void *arg, struct wv_err *err);
bool query_is_over(const struct query *q);
/* Reads again what has matched, to show it. */
bool query_reread(struct query *q, const char *s, size_t n);

/* show.c: what has matched, in the format */

/* Its columns become places. */
void show_init(struct query *q);
void show_heading(struct query *q);
void show_line(struct query *q, const struct line *line);
/* Of a terminal that standard output is; 0: it is none. */
size_t show_width(void);
/* A cell of CSV: no formula, no control characters, quoted. */
void show_csv_cell(struct wv_str *row, const struct found *found);
/* A cell of a table, filled up to its width; cut: not more than that. */
void show_cell(
	struct wv_str *row, const char *s, size_t n, size_t width, bool cut);

/* kept.c: what is shown when everything has been read (--tail, --reverse). */
enum { KEPT_RING_MAX = 1 << 20 };
struct kept *kept_new(const struct query *q);
/* The next lines are of this source. */
void kept_source(struct kept *kept, const struct source *source);
void kept_add(struct kept *kept, const struct source *source,
	const struct line *line);
void kept_show(struct kept *kept, struct query *q);
void kept_free(struct kept *kept);

/* follow.c: goes on with the own log or a FILE for ever, or until no more is
 * wanted. */
void follow(struct query *q, char *const *files);

/* jobs.c */
enum { JOBS_MAX = 64 };
/* Whether the source can be read by several processes, and is worth it. */
bool jobs_can(const struct query *q, const struct source *source);
void jobs_read(struct query *q, struct source *source);
/* Until everything before what this process reads has been told and shown. */
void turn_wait(struct query *q);
/* Before something is added to the output: not too much is held back. */
void turn_hold(struct query *q);

#endif
