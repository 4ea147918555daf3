/* SPDX-License-Identifier: Apache-2.0 */
#include "base/run.h"

#include "base/clock.h"
#include "base/run-internal.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* standard input */

void
wv_run_drop_input(struct wv_run *run)
{
	wv_close_fd(&run->in);
	wv_str_free(&run->unsent);
	run->sent = 0;
}

void
wv_run_feed(struct wv_run *run)
{
	if (run->unsent.n == 0)
		return;
	ssize_t n = write(
		run->in, run->unsent.s + run->sent, run->unsent.n - run->sent);
	if (n >= 0) {
		run->sent += (size_t)n;
	} else if (errno != EAGAIN && errno != EINTR) {
		wv_run_drop_input(run);
		return;
	}
	if (run->sent < run->unsent.n)
		return;
	/* Freed, as a big one would stay for as long as a server runs. */
	wv_str_free(&run->unsent);
	run->sent = 0;
	if (run->closing)
		wv_close_fd(&run->in);
}

void
wv_run_send(struct wv_run *run, const void *p, size_t n)
{
	struct wv_str *unsent = &run->unsent;
	bool waiting = unsent->n > 0;

	if (run->in < 0 || run->closing || n == 0)
		return;
	/* Never more moved than was sent, so it is linear. */
	if (run->sent > unsent->n / 2) {
		unsent->n -= run->sent;
		memmove(unsent->s, unsent->s + run->sent, unsent->n);
		run->sent = 0;
	}
	wv_str_add(unsent, p, n);
	if (!waiting)
		wv_run_feed(run);
}

size_t
wv_run_unsent(const struct wv_run *run)
{
	return run->unsent.n - run->sent;
}

void
wv_run_close(struct wv_run *run, int64_t ms)
{
	int64_t by = wv_ticks_after(ms);

	if (by < run->close_by)
		run->close_by = by;
	run->closing = true;
	if (wv_run_unsent(run) == 0)
		wv_close_fd(&run->in);
}

/* start and end */

static struct wv_stream
stream(int fd, size_t max, int (*sink)(void *, const char *, size_t), void *arg,
	struct wv_str *kept)
{
	return (struct wv_stream){
		.fd = fd,
		.max = max ? max : SIZE_MAX,
		.sink = sink,
		.arg = arg,
		.kept = kept,
	};
}

struct wv_run *
wv_run_start(const struct wv_proc_spec *spec,
	const struct wv_run_limits *limits, struct wv_err *err)
{
	struct wv_proc proc;

	if (wv_proc_start(&proc, spec, err) < 0)
		return NULL;
	struct wv_run *run = wv_xcalloc(1, sizeof *run);
	wv_child_init(&run->child, proc.pid);
	if (limits->timeout_ms)
		run->child.deadline = wv_ticks_after(limits->timeout_ms);
	run->grace_ms = limits->grace_ms;
	run->out = stream(proc.out, limits->max_out, limits->sink, limits->arg,
		&run->result.out);
	run->err = stream(proc.err, limits->max_err, limits->sink_err,
		limits->arg, &run->result.err);
	run->in = proc.in;
	run->close_by = INT64_MAX;
	wv_run_enlist(run);
	return run;
}

bool
wv_run_is_over(const struct wv_run *run)
{
	return run->child.phase == WV_CHILD_GONE;
}

struct wv_run_result *
wv_run_result(struct wv_run *run)
{
	return &run->result;
}

void
wv_run_free(struct wv_run *run)
{
	if (!run)
		return;
	if (!wv_run_is_over(run)) {
		run->out.deaf = run->err.deaf = true;
		wv_run_stop(run);
		wv_run_see_off(run);
	}
	wv_str_free(&run->result.out);
	wv_str_free(&run->result.err);
	free(run);
}
