/* SPDX-License-Identifier: Apache-2.0 */
/* For run*.c only. */
#ifndef WV_BASE_RUN_INTERNAL_H
#define WV_BASE_RUN_INTERNAL_H

#include "base/proc-internal.h"
#include "base/run.h"

/* What comes out of a process. */
struct wv_stream {
	int fd;           /* -1: at its end, or it was never ours */
	size_t seen, max; /* bytes taken, bytes to take */
	int (*sink)(void *arg, const char *p, size_t n);
	void *arg;
	struct wv_str *kept; /* where there is no sink */
	bool deaf;           /* read, and dropped */
};

struct wv_run {
	struct wv_child child;
	struct wv_run_result result;
	struct wv_stream out, err;
	int64_t grace_ms;
	bool cut_short; /* result.end says why */

	int in;
	struct wv_str unsent;
	size_t sent; /* of unsent */
	bool closing;
	int64_t close_by; /* when it is stopped if it still runs, in ticks */
};

/* run.c: closes standard input and drops what waits for it. */
void wv_run_drop_input(struct wv_run *run);
/* Writes what the pipe takes. */
void wv_run_feed(struct wv_run *run);

/* run-wait.c: makes it one that wv_run_wait() steps. */
void wv_run_enlist(struct wv_run *run);
/* Steps it alone until it is over. */
void wv_run_see_off(struct wv_run *run);

#endif
