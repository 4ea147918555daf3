/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a tool speaks to people: on stderr, a line each, as
 * `wv-tool: SOURCE:LINE:COLUMN: what is wrong`, lower case, no full stop.
 * Every line passes wv_str_foreign() whole, so no message can carry control
 * characters to a terminal whatever it quotes.  Messages never change a
 * status: a stderr that cannot be written to is ignored.
 *
 * A message is written when its function returns: nothing waits.  Every
 * write(2) ends at the end of a line and is of at most PIPE_BUF bytes, or, if
 * stderr is a regular file, 64 KiB.  So processes that share a pipe, or a
 * file opened to append, do not mix within a line.
 */
#ifndef WV_BASE_MSG_H
#define WV_BASE_MSG_H

#include "base/err.h"
#include "base/str.h"

/* Exit statuses of the whole family; the worst one seen is the answer. */
enum wv_status {
	WV_YES = 0,     /* every record passed */
	WV_NO = 1,      /* denied, invalid, failed, tampered with, no match */
	WV_TROUBLE = 2, /* could not tell: usage, bad input, I/O */
};

static inline int
wv_worse(int a, int b)
{
	return a > b ? a : b;
}

/* name is kept; set once, first thing in main. */
void wv_msg_tool(const char *name);
const char *wv_msg_tool_name(void);
extern bool wv_quiet;  /* -q: no messages at all */
extern int wv_verbose; /* -v: how often */

void wv_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void wv_warn_err(const struct wv_err *err);
/* Each line, ended by a line feed, as by wv_warn("%s"), in fewer writes. */
void wv_warn_lines(const struct wv_str *lines);
/* Only under -v. */
void wv_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/*
 * How far long work has come, "wv-tool: 1200000 records", on a line that is
 * overwritten and goes before the next message: from the second second on,
 * where stderr is a terminal.  To be called for each; most calls only count.
 */
void wv_progress(size_t records);
/* For the world (configuration, state, output): says it and exits with 2. */
_Noreturn void wv_die(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));
_Noreturn void wv_die_err(const struct wv_err *err);

#endif
