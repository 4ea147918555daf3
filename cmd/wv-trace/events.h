/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a log one after the other, as trees: for what has to look at
 * every one of them, once or several times. */
#ifndef WV_TRACE_EVENTS_H
#define WV_TRACE_EVENTS_H

#include "trace.h"

struct reading;
struct events {
	/* The caller's. */
	struct wv_lines_options lines;
	const char *state;       /* --state */
	char *const *files;      /* none: the log of the state */
	void (*idle)(void *arg); /* called before a wait; may be NULL */
	void *idle_arg;

	/* What was read, of the first reading. */
	uint64_t seen, malformed;
	int status;

	char **kept; /* the operands, if some had to be kept */
	bool stdin_kept;
	off_t stdin_from;
	unsigned readings;
	struct reading *reading; /* while one goes on */
};

/* clang-format off */
/* The rows of its options, and the switch arm that takes them. */
#define EVENTS_OPTS \
	WV_STATE_OPT, \
	{ WV_OPT_NOW, "now", "TIME", "what time it is" }, \
	{ WV_OPT_FAIL_FAST, "fail-fast", NULL, "stop at the first bad line" }, \
	{ WV_OPT_ALLOW_EMPTY, "allow-empty", NULL, "no input is not an error" }, \
	{ WV_OPT_MAX_LINE, "max-line", "BYTES", "longest line (64M)" }, \
	{ WV_OPT_MAX_DEPTH, "max-depth", "N", "deepest nesting (512)" }, \
	{ WV_OPT_MAX_VALUES, "max-values", "N", "most values a line (1048576)" }, \
	{ WV_OPT_MAX_DIGITS, "max-digits", "N", "most digits a number (4096)" }
/* clang-format on */
void events_option(struct events *in, int id, const struct wv_opts *opts);

/* For several readings: what can be read only once is copied to a file that
 * has no name.  Dies if that fails. */
void events_keep(struct events *in);

/*
 * Hands out each TraceEvent, whose tree stands until the next; what is none is
 * told, at the first reading, and passed by.  What a dying writer left and the
 * line after it accounts for is a note.  False: no more is wanted.
 */
typedef bool events_hear(void *arg, cJSON *event);
void events_read(struct events *in, events_hear *hear, void *arg);
/* Tells of an event, the last handed out, that cannot be used. */
void events_bad(struct events *in, struct wv_err *err);

/* Of an event of a FILE, or a record that a flow or a model wrote: it may hold
 * secrets; who it was is none. */
void events_redact(struct wv_arena *arena, cJSON *record);

/* The status, once everything has been read; tells if there was nothing. */
int events_end(struct events *in);

#endif
