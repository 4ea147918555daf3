/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel as a flow sees it: a pipe that takes RoutingDecisions and gives
 * for each one Frame or denied PolicyDecision, in whatever order.  It is
 * either `wv-authorize … | wv-call …` or one command of the user's.  Tokens,
 * policy and raw output stay inside it.
 */
#ifndef WV_FLOW_KERNEL_H
#define WV_FLOW_KERNEL_H

#include "base/proc.h"
#include "json/json.h"

struct kernel_options {
	const char *command; /* --kernel; NULL: the pipe of our tools */
	const char *tools, *policy, *tokens; /* NULL: their environment's */
	const char *catalog; /* of wv-authorize; NULL: its environment's, or
	                        the one that is fixed */
	const char *now;     /* --now, or NULL */
	unsigned jobs;       /* calls at a time */
};

struct kernel {
	const struct kernel_options *options;
	struct wv_proc procs[2];
	const char *names[2];
	size_t count;         /* of processes; 0 = not started */
	int in, out;          /* our ends: RoutingDecisions, answers */
	struct wv_str unsent; /* lines, from `sent` on not yet written */
	size_t sent;
	struct wv_str buf;     /* what came, from `start` on not yet taken */
	size_t start, looked;  /* looked: no line ends before it */
	struct wv_arena arena; /* of its command lines */
};

enum kernel_end {
	KERNEL_ANSWERED,
	KERNEL_WAITED,  /* it is time, and there is no answer */
	KERNEL_BROKEN,  /* err says how; it has been killed */
	KERNEL_STOPPED, /* a signal came: stop.h */
};

void kernel_init(struct kernel *kernel, const struct kernel_options *options);

/* start.c: starts the processes, if they do not run.  -1: it is killed. */
int kernel_start(struct kernel *kernel, struct wv_err *err);

/* For it to read, by and by: a RoutingDecision. */
void kernel_send(struct kernel *kernel, const cJSON *decision);
/*
 * Sends, and waits until wv_ticks() is `until` for the next answer, a valid
 * Frame or denied PolicyDecision in the arena; *to is the id of the
 * RoutingDecision that it is to.  A kernel that does not run gives none.
 */
enum kernel_end kernel_next(struct kernel *kernel, struct wv_arena *arena,
	int64_t until, cJSON **answer, const char **to, struct wv_err *err);
/* Ends a kernel that does not keep to its part: KERNEL_BROKEN, and err. */
enum kernel_end kernel_break(
	struct kernel *kernel, const char *how, struct wv_err *err);

/* Lets it finish: no more input, then its end.  0, or -1 if that was not a
 * good one (a status of 2 or more, a signal, output nobody asked for). */
int kernel_close(struct kernel *kernel, struct wv_err *err);
/* Ends it: TERM, and KILL to what does not listen. */
void kernel_kill(struct kernel *kernel);

#endif
