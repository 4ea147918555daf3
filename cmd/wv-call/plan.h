/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan: the life of one wv-call.  It reads PolicyDecisions, has up to `jobs`
 * calls on their way at once, in one poll loop and one thread, and at its end
 * takes down what it made ready.
 */
#ifndef WV_CALL_PLAN_H
#define WV_CALL_PLAN_H

#include "base/file.h"
#include "base/id.h"
#include "json/lines.h"
#include "kernel/state.h"
#include "lock.h"
#include "tools.h"

struct plan {
	char id[WV_ID_MAX];
	const char *label; /* --plan; NULL: none */
	struct wv_state *state;
	struct tools tools;
	struct lock *lock; /* NULL: tools are not pinned */

	bool read_only, require_checkpoint, strict_output;
	bool trust_unsigned, require_signed;
	bool unordered;
	size_t jobs;
	size_t max_output; /* bytes of a tool's output */
	uint64_t quota;    /* and of all that is stored; 0: the default */

	struct wv_out out;
	const char *cancelled; /* why nothing new begins: a signal, --cancel,
	                          nobody reads; NULL: it does */
	bool is_marked;        /* the cancel file is there for the tools */

	struct call **calls; /* taken and not yet said, in their order */
	size_t call_count, under_way;
	bool stirred; /* something that calls wait for has changed */
	bool is_busy; /* a call could go on at once */

	struct call *bound;   /* the one that has its resources */
	struct tool **active; /* in the order of their activation */
	size_t active_count;

	struct {
		size_t succeeded, failed, denied, malformed;
	} counts;
};

/* Answers every decision of the files; the status.  Whatever it ends by, exit
 * included, what was made ready is taken down. */
int plan_run(struct plan *plan, char *const *files,
	const struct wv_lines_options *options);

/* deactivate.c: what is active, in reverse order, each within a bound; what
 * goes wrong is told, and changes no status.  A second time does nothing. */
void plan_deactivate(struct plan *plan);

/* cancel.c: signals that end us wait until what runs is recorded. */
void cancel_init(void);
/* Readable once one has come. */
int cancel_fd(void);
/* The signal that waits, or 0. */
int cancel_signal(void);
/* Why a plan shall end, or NULL. */
const char *cancel_reason(const struct plan *plan);
_Noreturn void cancel_die(int signal);
/* The reader of our output is gone: dies of SIGPIPE. */
_Noreturn void cancel_broken_pipe(void);

#endif
