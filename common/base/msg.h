/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a tool speaks to people: on stderr, one write a line, as
 * `wv-tool: SOURCE:LINE:COLUMN: what is wrong`, lower case, no full stop.
 * Every line passes wv_str_foreign() whole, so no message can carry control
 * characters to a terminal whatever it quotes.  Messages never change a
 * status: a stderr that cannot be written to is ignored.
 */
#ifndef WV_BASE_MSG_H
#define WV_BASE_MSG_H

#include "base/err.h"

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
