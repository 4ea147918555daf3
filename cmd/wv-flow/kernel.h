/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel as a flow sees it: a pipe that takes RoutingDecisions and gives
 * for each one Frame or denied PolicyDecision.  It is either
 * `wv-authorize … | wv-call …` or one command of the user's.  Tokens, policy
 * and raw output stay inside it.
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
};

struct kernel {
	const struct kernel_options *options;
	struct wv_proc procs[2];
	const char *names[2];
	size_t count;          /* of processes; 0 = not started */
	int in, out;           /* our ends: RoutingDecisions, answers */
	struct wv_str buf;     /* what came, from `start` on not yet taken */
	size_t start, looked;  /* looked: no line ends before it */
	struct wv_arena arena; /* of its command lines */
};

enum kernel_end {
	KERNEL_ANSWERED,
	KERNEL_BROKEN,  /* err says how */
	KERNEL_STOPPED, /* stop_signal() says by what */
};

void kernel_init(struct kernel *kernel, const struct kernel_options *options);

/* start.c: starts the processes.  After an error, what was started is still
 * to be killed. */
int kernel_start(struct kernel *kernel, struct wv_err *err);

/*
 * Sends one RoutingDecision and waits for its answer, a valid Frame or denied
 * PolicyDecision in the arena.  Starts the pipe if it does not run.  An
 * answer to anything else is a broken kernel.
 */
enum kernel_end kernel_call(struct kernel *kernel, struct wv_arena *arena,
	const cJSON *decision, cJSON **answer, struct wv_err *err);

/* Lets it finish: no more input, then its end.  0, or -1 if that was not a
 * good one (a status of 2 or more, a signal, output nobody asked for). */
int kernel_close(struct kernel *kernel, struct wv_err *err);
/* Ends it: TERM, and KILL to what does not listen. */
void kernel_kill(struct kernel *kernel);

#endif
