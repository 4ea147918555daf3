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
	/* Milliseconds: */
	SHORT_TICK = 10, /* where no descriptor tells of an end */
	KILL_WAIT = 900, /* for the killed to be gone */
};

void
wv_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int64_t
wv_ticks_after(int64_t ms)
{
	int64_t then;

	return __builtin_add_overflow(wv_ticks(), ms, &then) ? INT64_MAX : then;
}

void
wv_child_init(struct wv_child *child, pid_t pid)
{
	*child = (struct wv_child){
		.pid = pid,
		.pidfd = -1,
		.deadline = INT64_MAX,
	};
#ifdef SYS_pidfd_open
	child->pidfd = (int)syscall(SYS_pidfd_open, pid, 0U);
#endif
}

static bool
has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	/* An error would mean that someone else has waited for it. */
	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) !=
		0 ||
		info.si_pid != 0;
}

void
wv_child_notice(struct wv_child *child, bool told)
{
	if (child->ended ||
		!(told || (child->pidfd < 0 && has_ended(child->pid))))
		return;
	child->ended = true;
	/* Its children outside the group are strays only now. */
	if (child->phase == WV_CHILD_TERMINATING)
		wv_children_sweep(child->pid, SIGTERM);
}

bool
wv_child_is_alone(const struct wv_child *child)
{
	return child->ended && wv_children_sweep(child->pid, 0) == 0;
}

void
wv_child_terminate(struct wv_child *child, int64_t grace_ms)
{
	kill(-child->pid, SIGTERM);
	/* What is stopped could not heed it. */
	kill(-child->pid, SIGCONT);
	wv_children_sweep(child->pid, SIGTERM);
	child->phase = WV_CHILD_TERMINATING;
	child->deadline = wv_ticks_after(grace_ms);
}

void
wv_child_advance(struct wv_child *child, int64_t now)
{
	bool late = now >= child->deadline;

	if (child->phase == WV_CHILD_TERMINATING) {
		if (wv_child_is_alone(child)) {
			child->phase = WV_CHILD_GONE;
		} else if (late) {
			child->phase = WV_CHILD_KILLING;
			child->deadline = wv_ticks_after(KILL_WAIT);
			late = false;
		}
	}
	if (child->phase == WV_CHILD_KILLING) {
		/* Again and again: who dies leaves its children to us. */
		kill(-child->pid, SIGKILL);
		size_t left = wv_children_sweep(child->pid, SIGKILL);
		if (late || (child->ended && left == 0))
			child->phase = WV_CHILD_GONE;
	}
}

int64_t
wv_child_patience(const struct wv_child *child, int64_t now)
{
	int64_t wait = child->deadline - now;
	/* The end of what it left is told by nothing. */
	bool untold = child->ended || child->pidfd < 0;

	if (((untold && child->phase != WV_CHILD_LINGERING) ||
		    child->phase == WV_CHILD_KILLING) &&
		wait > SHORT_TICK)
		wait = SHORT_TICK;
	return wait < 0 ? 0 : wait;
}

int
wv_child_reap(struct wv_child *child)
{
	int status = SIGKILL; /* of one that even this has not ended yet */

	/* For systems where strays cannot be seen. */
	kill(-child->pid, SIGKILL);
	while (waitpid(child->pid, &status, WNOHANG) < 0 && errno == EINTR)
		;
	wv_children_forget(child->pid);
	wv_close_fd(&child->pidfd);
	return status;
}

int
wv_proc_stop(struct wv_proc *proc, int64_t grace_ms)
{
	struct wv_child child;

	wv_child_init(&child, proc->pid);
	wv_child_terminate(&child, grace_ms);
	while (child.phase != WV_CHILD_GONE) {
		struct pollfd end = {
			.fd = child.ended ? -1 : child.pidfd,
			.events = POLLIN,
		};
		int64_t wait = wv_child_patience(&child, wv_ticks());
		int ready = poll(&end, 1, wait < INT32_MAX ? (int)wait : -1);
		wv_child_notice(&child, ready > 0);
		wv_child_advance(&child, wv_ticks());
	}
	return wv_child_reap(&child);
}
