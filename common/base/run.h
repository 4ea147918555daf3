/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that run while something else is done: any number of them at
 * once, in one poll loop.
 *
 *	struct wv_run *run = wv_run_start(&spec, &limits, &err);
 *	while (!wv_run_is_over(run))
 *		wv_run_wait(NULL, 0, -1);
 *	… wv_run_result(run) …
 *	wv_run_free(run);
 *
 * Each is ended with its whole group and all that it left: TERM, grace, KILL.
 * When a process has ended by itself, what it left running has the grace
 * (within the time-out) to close the pipes.  A run is over when the process
 * and all its descendants (we are their subreaper) are gone: within time-out,
 * grace and a second, even if a descendant holds a pipe, left the session,
 * ignores TERM or is stopped.  No zombies stay.
 *
 * Whoever sends ignores SIGPIPE.
 */
#ifndef WV_BASE_RUN_H
#define WV_BASE_RUN_H

#include "base/proc.h"

#include <poll.h>
#include <stdbool.h>

struct wv_run;

struct wv_run_limits {
	int64_t timeout_ms; /* 0 = none */
	int64_t grace_ms;   /* between TERM and KILL */
	/* Bytes, of a sink too; 0 = no bound.  stderr is read on beyond it, and
	 * dropped. */
	size_t max_out, max_err;
	/* Takes what comes on stdout, in place of result->out; -1 ends the run.
	 * Called from within wv_run_wait() only; it may start, send to, close and
	 * stop runs, but neither wait nor free.  NULL: none. */
	int (*sink)(void *arg, const char *p, size_t n);
	void *arg;
	/* The same for stderr, whose -1 means nothing; NULL: result->err. */
	int (*sink_err)(void *arg, const char *p, size_t n);
};

enum wv_run_end {
	WV_RUN_EXITED,   /* code = exit status */
	WV_RUN_SIGNALED, /* code = signal */
	WV_RUN_TIMEOUT,  /* ended by us, as below */
	WV_RUN_FLOODED,  /* more output than max_out */
	WV_RUN_REFUSED,  /* the sink said -1 */
	WV_RUN_STOPPED,  /* wv_run_stop(), or late after wv_run_close() */
};

struct wv_run_result {
	enum wv_run_end end;
	int code;
	struct wv_str out, err; /* the run's; out may be moved from it */
	bool err_cut;           /* there was more stderr than max_err */
};

/* NULL: nothing was started.  With spec->stdin_fd == WV_PROC_PIPE it is sent
 * to. */
struct wv_run *wv_run_start(const struct wv_proc_spec *spec,
	const struct wv_run_limits *limits, struct wv_err *err);
bool wv_run_is_over(const struct wv_run *run);
/* Once it is over; the run's. */
struct wv_run_result *wv_run_result(struct wv_run *run);
/* Stops it first, and waits, if it is not over: its sinks get no more, and no
 * other run is stepped meanwhile.  NULL is none. */
void wv_run_free(struct wv_run *run);

/* For its standard input, copied, sent as it is read; what it does not read
 * any more is dropped, and so is all when it is stopped or has ended. */
void wv_run_send(struct wv_run *run, const void *p, size_t n);
/* Bytes that wait to be read. */
size_t wv_run_unsent(const struct wv_run *run);
/* Takes no more to send and closes its standard input once all was sent; it is
 * stopped if it has not ended ms after this. */
void wv_run_close(struct wv_run *run, int64_t ms);
/* TERM, grace, KILL; a second time is none.  If it has ended by itself and
 * only what it left lives, its own end counts. */
void wv_run_stop(struct wv_run *run);

/*
 * Waits until something was done for a run, one of the caller's descriptors
 * is ready (their revents), ms have passed (-1: however long) or a signal
 * came, and steps every run.  May return sooner.  There is nothing to wait
 * for: returns at once.  -1: the descriptors cannot be waited for.
 */
int wv_run_wait(struct pollfd *fds, size_t n, int64_t ms);

#endif
