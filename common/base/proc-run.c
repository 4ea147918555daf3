/* SPDX-License-Identifier: Apache-2.0 */
#include "base/proc.h"

#include "base/clock.h"
#include "base/proc-internal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

enum {
	READ_SIZE = 64 << 10,
	/* Milliseconds: */
	CANCEL_TICK = 100, /* between two questions to cancel */
	SHORT_TICK = 10,   /* where no descriptor tells of an end */
	KILL_WAIT = 900,   /* for the killed to be gone */
};

struct run {
	struct wv_proc proc;
	const struct wv_proc_limits *limits;
	struct wv_proc_result *result;
	enum phase {
		RUNNING,
		LINGERING, /* the child has ended, someone holds a pipe */
		TERMINATING,
		KILLING,
		GONE,
	} phase;
	int64_t deadline; /* of the phase, in ticks */
	int pidfd;        /* readable when the child has ended; -1 = none */
	bool ended;       /* the child; not reaped, that keeps the group's id */
	bool cut_short;   /* result->end says why */
};

static int
open_pidfd(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0U);
#else
	return -1;
#endif
}

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* One read; keeps what fits below max.  True if there was more than that. */
static bool
take(int *fd, struct wv_str *str, size_t max)
{
	char *to = wv_str_room(str, READ_SIZE);
	ssize_t n = read(*fd, to, READ_SIZE);

	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		close_fd(fd);
	size_t got = n > 0 ? (size_t)n : 0, room = max - str->n;
	str->n += got < room ? got : room;
	str->s[str->n] = '\0';
	return got > room;
}

static void
enter(struct run *run, enum phase phase, int64_t ms)
{
	run->phase = phase;
	if (__builtin_add_overflow(wv_ticks(), ms, &run->deadline))
		run->deadline = INT64_MAX;
}

static void
signal_all(const struct run *run, int sig)
{
	kill(-run->proc.pid, sig);
	wv_children_sweep(run->proc.pid, sig);
}

static void
terminate(struct run *run)
{
	signal_all(run, SIGTERM);
	/* What is stopped could not heed it. */
	signal_all(run, SIGCONT);
	enter(run, TERMINATING, run->limits->grace_ms);
}

static void
cut_short(struct run *run, enum wv_proc_end why)
{
	if (!run->cut_short)
		run->result->end = why;
	run->cut_short = true;
	if (run->phase < TERMINATING)
		terminate(run);
}

static void
notice_end(struct run *run)
{
	siginfo_t info = { 0 };

	/* An error would mean that someone else has waited for it. */
	if (run->ended ||
		(waitid(P_PID, (id_t)run->proc.pid, &info,
			 WEXITED | WNOHANG | WNOWAIT) == 0 &&
			info.si_pid == 0))
		return;
	run->ended = true;
	if (run->phase == RUNNING) {
		int64_t timeout = run->deadline;
		enter(run, LINGERING, run->limits->grace_ms);
		if (run->deadline > timeout)
			run->deadline = timeout;
	} else if (run->phase == TERMINATING) {
		/* Its children outside the group are strays only now. */
		wv_children_sweep(run->proc.pid, SIGTERM);
	}
}

static bool
all_gone(const struct run *run)
{
	return run->ended && wv_children_sweep(run->proc.pid, 0) == 0;
}

static bool
is_cancelled(const struct run *run)
{
	return run->limits->cancel &&
		run->limits->cancel(run->limits->cancel_arg);
}

/* What the time, an end or the caller's wish make of the phase. */
static void
advance(struct run *run)
{
	bool late = wv_ticks() >= run->deadline;
	bool quiet = run->proc.out < 0 && run->proc.err < 0;

	notice_end(run);
	switch (run->phase) {
	case RUNNING:
		if (late)
			cut_short(run, WV_PROC_TIMEOUT);
		else if (is_cancelled(run))
			cut_short(run, WV_PROC_CANCELLED);
		break;
	case LINGERING:
		if (quiet && all_gone(run))
			run->phase = GONE;
		else if (quiet || late || is_cancelled(run))
			terminate(run);
		break;
	case TERMINATING:
		if (all_gone(run))
			run->phase = GONE;
		else if (late)
			enter(run, KILLING, KILL_WAIT);
		break;
	case KILLING:
		/* Again and again: who dies leaves its children to us. */
		signal_all(run, SIGKILL);
		if (late || all_gone(run))
			run->phase = GONE;
		break;
	case GONE:
		break;
	}
}

static int
next_wait(const struct run *run)
{
	int64_t wait = run->deadline - wv_ticks(), most = INT32_MAX;

	if (run->phase >= TERMINATING || (!run->ended && run->pidfd < 0))
		most = SHORT_TICK;
	else if (run->limits->cancel)
		most = CANCEL_TICK;
	if (wait > most)
		wait = most;
	return wait < 0 ? 0 : (int)wait;
}

static void
take_out(struct run *run)
{
	if (take(&run->proc.out, &run->result->out, run->limits->max_out))
		cut_short(run, WV_PROC_FLOODED);
}

static void
take_err(struct run *run)
{
	if (take(&run->proc.err, &run->result->err, run->limits->max_err))
		run->result->err_cut = true;
}

static void
wait_until_gone(struct run *run)
{
	while (run->phase != GONE) {
		struct pollfd fds[] = {
			{ .fd = run->proc.out, .events = POLLIN },
			{ .fd = run->proc.err, .events = POLLIN },
			{ .fd = run->ended ? -1 : run->pidfd,
				.events = POLLIN },
		};
		if (poll(fds, 3, next_wait(run)) > 0) {
			if (fds[0].revents)
				take_out(run);
			if (fds[1].revents)
				take_err(run);
		}
		advance(run);
	}
}

/* What the pipes still hold.  The phase is GONE: nothing is ended by it. */
static void
drain(struct run *run)
{
	size_t before;

	do {
		before = run->result->out.n + run->result->err.n;
		if (run->proc.out >= 0)
			take_out(run);
		if (run->proc.err >= 0)
			take_err(run);
	} while (run->result->out.n + run->result->err.n > before);
	close_fd(&run->proc.out);
	close_fd(&run->proc.err);
}

/* Returns the wait status. */
static int
reap(struct run *run)
{
	int status = SIGKILL; /* of one that even this has not ended yet */

	/* For systems where strays cannot be seen. */
	kill(-run->proc.pid, SIGKILL);
	while (waitpid(run->proc.pid, &status, WNOHANG) < 0 && errno == EINTR)
		;
	wv_children_forget(run->proc.pid);
	close_fd(&run->pidfd);
	return status;
}

int
wv_proc_run(const struct wv_proc_spec *spec,
	const struct wv_proc_limits *limits, struct wv_proc_result *result,
	struct wv_err *err)
{
	struct run run = { .limits = limits, .result = result };

	*result = (struct wv_proc_result){ .end = WV_PROC_EXITED };
	if (wv_proc_start(&run.proc, spec, err) < 0)
		return -1;
	run.pidfd = open_pidfd(run.proc.pid);
	enter(&run, RUNNING,
		limits->timeout_ms ? limits->timeout_ms : INT64_MAX);
	wait_until_gone(&run);
	int status = reap(&run);
	drain(&run);
	if (!run.cut_short && WIFSIGNALED(status))
		result->end = WV_PROC_SIGNALED;
	result->code =
		WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
	return 0;
}

int
wv_proc_stop(struct wv_proc *proc, int64_t grace_ms)
{
	struct wv_proc_limits limits = { .grace_ms = grace_ms };
	struct run run = {
		.proc = { .pid = proc->pid, .out = -1, .err = -1 },
		.limits = &limits,
		.pidfd = open_pidfd(proc->pid),
	};

	terminate(&run);
	wait_until_gone(&run);
	return reap(&run);
}
