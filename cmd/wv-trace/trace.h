/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of wv-trace and what they share. */
#ifndef WV_TRACE_TRACE_H
#define WV_TRACE_TRACE_H

#include "base/opt.h"
#include "json/lines.h"
#include "kernel/reader.h"
#include "kernel/state.h"
#include "kernel/store.h"

/* argv[0] is the command's name, or the tool's; the exit status. */
int query_main(int argc, char **argv);
int append_main(int argc, char **argv);
int verify_main(int argc, char **argv);
int recover_main(int argc, char **argv);

/* A log to read: the state's own, or a FILE ("-" is standard input). */
struct source {
	char *name;    /* for messages */
	bool is_own;   /* read up to where it ended when it was opened */
	uint64_t size; /* of our own */
	struct wv_summit summit; /* what the store says of our own */
	struct wv_reader in;
};
/* The state's own; dies if that cannot be opened.  use: whether it may lack
 * what the store recorded (WV_STATE_VERIFY), or not (WV_STATE_READ). */
void source_own(struct source *source, const char *state, enum wv_state_use use,
	size_t max_line);
/* -1 and a message if it cannot be opened. */
int source_file(struct source *source, const char *file, size_t max_line);
void source_close(struct source *source);

/* Since when, until when: RFC 3339, a date, today, yesterday, or how long
 * ago (15m, 24h, 7d); misuse is told. */
struct wv_time when_read(
	const struct wv_opts *opts, const char *name, const char *s);

/* Which events: conditions of one kind are alternatives, those of different
 * kinds must all hold, and those after --not must not. */
struct filter;
extern const struct wv_opt filter_opts[]; /* ends with {0} */
enum { OPT_FILTER = 512, OPT_FILTER_END = 600 };
struct filter *filter_new(void);
/* Takes an option of the table. */
void filter_add(struct filter *filter, const struct wv_opts *opts, int id);
/* All options are read, --now too. */
void filter_ready(struct filter *filter, const struct wv_opts *opts);
/* 1: it is asked for; 0: it is not; -1: its time is needed and unusable. */
int filter_match(const struct filter *filter, const cJSON *event,
	const char *line, size_t len, struct wv_err *err);
void filter_free(struct filter *filter);

#endif
