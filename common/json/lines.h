/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record loop, the same in every tool:
 *
 *	struct wv_lines in;
 *	wv_lines_open(&in, files, &options, &out);
 *	while (wv_lines_next(&in, &arena, &rec) == 1) { … }
 *	status = wv_worse(status, wv_lines_close(&in));
 *
 * Sources are FILE operands in order ("-" is stdin; none means stdin).
 * Files named .jsonl or .ndjson, and stdin, are lines; other files, and stdin
 * under -m, are documents (any layout, several concatenated); .yaml and .yml
 * are one document of our YAML subset, at most --max-yaml long.  A file named
 * .gz is uncompressed, and its name counts without that ending.  Blank lines
 * are skipped, a BOM at the start of a source too.  A file named .json, .yaml
 * or .yml that holds no value is malformed, unless allow_empty.
 *
 * A record that cannot be read is reported here with source, line and column
 * and skipped; the stream goes on and the status becomes 2.  An unterminated
 * last line that is not whole JSON is reported as incomplete, not corrupt.
 * Input is read in blocks into one buffer that is reused; memory is that of
 * the longest record.  Before a read that may block, `out` is flushed.
 */
#ifndef WV_JSON_LINES_H
#define WV_JSON_LINES_H

#include "base/file.h"
#include "json/json.h"

struct wv_record;

struct wv_lines_options {
	size_t max_line; /* bytes; 64 MiB */
	struct wv_json_limits json;
	bool multi;       /* stdin holds documents, not lines */
	bool all_lines;   /* every source is lines, whatever its name */
	bool fail_fast;   /* stop at the first bad record */
	bool allow_empty; /* no record at all is not an error */
	bool no_trees;    /* lines come without: see wv_lines_tree() */

	/* Of a single regular file its bytes [first, last), whose lines are
	 * counted from 1; last 0: up to its end. */
	off_t first, last;

	/* Told, in place of a message, of each record that cannot be read or
	 * is given to wv_lines_bad(), with its place in err; and of a source:
	 * then rec is NULL. */
	void (*bad)(void *arg, const struct wv_record *rec,
		const struct wv_err *err);
	void *bad_arg;
};
/* clang-format off */
#define WV_LINES_OPTIONS_INIT \
	{ .max_line = (size_t)64 << 20, .json = WV_JSON_LIMITS_INIT }
/* clang-format on */

struct wv_record {
	const char *source;
	size_t line;      /* of its first byte, from 1 */
	size_t column;    /* 1 but for a document that begins within a line */
	const char *text; /* its bytes without the LF, valid until the next
	                     wv_lines_next() that is not preceded by
	                     wv_lines_ready() */
	size_t len;
	bool one_line; /* text holds no line break: may leave as it came */
	bool yaml;     /* it is YAML: never one_line */
	cJSON *tree;   /* in the arena given to wv_lines_next(); NULL under
			  no_trees, but for a document */
};

struct wv_lines_counts {
	size_t records;   /* read and handed out */
	size_t malformed; /* reported and skipped */
	size_t lines;     /* of the last source, once that has ended */
};

struct wv_lines {
	struct wv_lines_options options;
	struct wv_lines_counts counts;
	int status;
	struct wv_lines_state *state;
};

/* files is NULL-terminated and kept; out may be NULL. */
void wv_lines_open(struct wv_lines *in, char *const *files,
	const struct wv_lines_options *options, struct wv_out *out);

/*
 * 1 and a record; 0 at the end (or after the first bad record under
 * fail_fast); WV_LINES_WAIT when the source is non-blocking and has nothing
 * yet (only after wv_lines_nonblocking()), or when wv_lines_ready() was true
 * but all that was there was bad: then nothing was read, and earlier texts
 * still stand.  The arena is not reset here: the caller decides how long a
 * tree lives.  A file that cannot be opened or read is reported, makes the
 * status 2, and the loop goes on with the next.
 */
enum { WV_LINES_WAIT = 2 };
int wv_lines_next(
	struct wv_lines *in, struct wv_arena *arena, struct wv_record *rec);

/*
 * Under no_trees: reads the record that wv_lines_next() has just handed out
 * without a tree.  False if it is malformed: that is reported, counted and
 * makes the status 2, as if it had never been handed out.
 */
bool wv_lines_tree(
	struct wv_lines *in, struct wv_arena *arena, struct wv_record *rec);

/* A whole further record of the same source lies in the buffer: the next
 * call of wv_lines_next() will not read, nor move earlier records' text. */
bool wv_lines_ready(struct wv_lines *in);

/* For poll loops: the descriptor to wait for, made non-blocking; -1 = end.
 * What is uncompressed is waited for all the same. */
int wv_lines_nonblocking(struct wv_lines *in);

/* Reports err for a record, at its place unless err has one: err->line and
 * column are taken as relative to the record's first byte.  Sets status 2. */
void wv_lines_bad(
	struct wv_lines *in, const struct wv_record *rec, struct wv_err *err);

/* Frees; returns the status: 2 after any bad record or source, and when there
 * was no record at all without allow_empty ("no records"); a caller with a
 * hook counts for itself. */
int wv_lines_close(struct wv_lines *in);

/* Emits the record's own bytes if it is one line, else its tree compactly. */
void wv_lines_pass(const struct wv_record *rec, struct wv_out *out);

/* The options every filter has (--max-line, --max-depth, --max-values,
 * --max-digits, --fail-fast, --allow-empty, -m): rows for its wv_opt table
 * and the switch arm that takes them. */
/* clang-format off */
#define WV_LINES_OPTS \
	{ 'm', "multi", NULL, "standard input holds documents, not lines" }, \
	{ WV_OPT_FAIL_FAST, "fail-fast", NULL, "stop at the first bad record" }, \
	{ WV_OPT_ALLOW_EMPTY, "allow-empty", NULL, "no input is not an error" }, \
	{ WV_OPT_MAX_LINE, "max-line", "BYTES", "longest record (64M)" }, \
	{ WV_OPT_MAX_DEPTH, "max-depth", "N", "deepest nesting (512)" }, \
	{ WV_OPT_MAX_VALUES, "max-values", "N", "most values a record (1048576)" }, \
	{ WV_OPT_MAX_DIGITS, "max-digits", "N", "most digits a number (4096)" }
/* clang-format on */
enum {
	WV_OPT_FAIL_FAST = 1000,
	WV_OPT_ALLOW_EMPTY,
	WV_OPT_MAX_LINE,
	WV_OPT_MAX_DEPTH,
	WV_OPT_MAX_VALUES,
	WV_OPT_MAX_DIGITS,
};
struct wv_opts;
/* True if id was one of them and has been taken. */
bool wv_lines_option(
	struct wv_lines_options *options, int id, const struct wv_opts *opts);

#endif
