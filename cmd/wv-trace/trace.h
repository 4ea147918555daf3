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
int seal_main(int argc, char **argv);
int rotate_main(int argc, char **argv);
int recover_main(int argc, char **argv);
int explain_main(int argc, char **argv);
int bundle_main(int argc, char **argv);
int otel_main(int argc, char **argv);

/*
 * A log to read: the state's own, one of its rotated segments, or a FILE
 * ("-" is standard input).  Of what is named .gz, the uncompressed bytes.
 */
struct source {
	char *name;       /* for messages */
	bool is_own;      /* the live log of a state: read up to where it ended
			    when it was opened */
	uint64_t size;    /* of our own */
	uint64_t segment; /* its number, if a rotation closed it; else 0 */
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

/*
 * The sources of a run in order: FILEs, or if there are none the state's own
 * log, which is its rotated segments (audit.jsonl.N, also as .gz), the oldest
 * first, and then the live one.
 */
struct sources;
struct sources *sources_open(char *const *files, const char *state,
	enum wv_state_use use, size_t max_line);
/* Closes the last one and opens the next; NULL: there is none.  What cannot
 * be opened is told and passed by. */
struct source *sources_next(struct sources *sources);
/* WV_TROUBLE if something could not be opened. */
int sources_close(struct sources *sources);

/* Since when, until when: RFC 3339, a date, @EPOCH, today, yesterday, or how
 * long ago (15m, 24h, 7d); misuse is told. */
struct wv_time when_read(
	const struct wv_opts *opts, const char *name, const char *s);

#endif
