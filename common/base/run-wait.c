/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/run-internal.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	READ_SIZE = 64 << 10,
	RUN_FDS = 4, /* descriptors of a run, at most */
};

/* Not over, in the order of their starts. */
static struct wv_run **runs;
static size_t run_count;

void
wv_run_enlist(struct wv_run *run)
{
	runs = wv_list_room(runs, run_count, sizeof *runs);
	runs[run_count++] = run;
}

/* ends */

static void
terminate(struct wv_run *run)
{
	wv_run_drop_input(run);
	wv_child_terminate(&run->child, run->grace_ms);
}

static void
cut_short(struct wv_run *run, enum wv_run_end why)
{
	if (!run->cut_short)
		run->result.end = why;
	run->cut_short = true;
	if (run->child.phase < WV_CHILD_TERMINATING)
		terminate(run);
}

void
wv_run_stop(struct wv_run *run)
{
	if (run->child.phase == WV_CHILD_RUNNING)
		cut_short(run, WV_RUN_STOPPED);
	else if (run->child.phase == WV_CHILD_LINGERING)
		terminate(run);
}

/* standard output and error */

enum taken { TAKEN, TOO_MUCH, REFUSED };

/* One read. */
static enum taken
take(struct wv_stream *from)
{
	static char bytes[READ_SIZE];
	ssize_t n = read(from->fd, bytes, sizeof bytes);
	size_t got = n > 0 ? (size_t)n : 0, room = from->max - from->seen;
	int taken = 0;

	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		wv_close_fd(&from->fd);
	if (got == 0 || from->deaf)
		return TAKEN;
	if (got <= room)
		room = got;
	from->seen += room;
	if (!from->sink)
		wv_str_add(from->kept, bytes, room);
	else if (room > 0)
		taken = from->sink(from->arg, bytes, room);
	from->deaf = got > room;
	return taken < 0 ? REFUSED : got > room ? TOO_MUCH : TAKEN;
}

static void
take_out(struct wv_run *run)
{
	enum taken taken = take(&run->out);

	if (taken == TAKEN)
		return;
	run->out.deaf = true;
	cut_short(run, taken == REFUSED ? WV_RUN_REFUSED : WV_RUN_FLOODED);
}

static void
take_err(struct wv_run *run)
{
	/* Whatever its sink said. */
	take(&run->err);
	run->result.err_cut = run->err.deaf;
}

/* Takes what the pipe holds now: who holds it may still be writing. */
static void
drain(struct wv_run *run, struct wv_stream *from,
	void (*take_it)(struct wv_run *))
{
	int left = 0;

	if (from->fd >= 0 && ioctl(from->fd, FIONREAD, &left) < 0)
		left = 0;
	for (; left > 0 && from->fd >= 0; left -= READ_SIZE)
		take_it(run);
	wv_close_fd(&from->fd);
}

static void
finish(struct wv_run *run)
{
	struct wv_run_result *result = &run->result;
	int status = wv_child_reap(&run->child);

	wv_run_drop_input(run);
	drain(run, &run->out, take_out);
	drain(run, &run->err, take_err);
	if (!run->cut_short)
		result->end =
			WIFSIGNALED(status) ? WV_RUN_SIGNALED : WV_RUN_EXITED;
	result->code =
		WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

/* steps */

/* What to wait for, to fds; how many they are. */
static size_t
watch(const struct wv_run *run, struct pollfd *fds)
{
	size_t n = 0;

	if (run->out.fd >= 0)
		fds[n++] = (struct pollfd){ run->out.fd, POLLIN, 0 };
	if (run->err.fd >= 0)
		fds[n++] = (struct pollfd){ run->err.fd, POLLIN, 0 };
	/* With nothing to send, POLLERR would be all that it tells. */
	if (run->in >= 0 && run->unsent.n > 0)
		fds[n++] = (struct pollfd){ run->in, POLLOUT, 0 };
	if (run->child.pidfd >= 0 && !run->child.ended)
		fds[n++] = (struct pollfd){ run->child.pidfd, POLLIN, 0 };
	return n;
}

static int64_t
patience(const struct wv_run *run, int64_t now)
{
	int64_t wait = wv_child_patience(&run->child, now);

	if (run->child.phase == WV_CHILD_RUNNING && run->close_by - now < wait)
		wait = run->close_by - now;
	return wait < 0 ? 0 : wait;
}

/* The child has ended: what it left has the grace, within the time-out. */
static void
linger(struct wv_run *run)
{
	int64_t by = wv_ticks_after(run->grace_ms);

	wv_run_drop_input(run);
	run->child.phase = WV_CHILD_LINGERING;
	if (by < run->child.deadline)
		run->child.deadline = by;
}

/* What the time or an end make of the phase. */
static void
advance(struct wv_run *run, int64_t now)
{
	struct wv_child *child = &run->child;
	bool quiet = run->out.fd < 0 && run->err.fd < 0;

	if (child->ended && child->phase == WV_CHILD_RUNNING)
		linger(run);
	bool late = now >= child->deadline;
	switch (child->phase) {
	case WV_CHILD_RUNNING:
		if (late)
			cut_short(run, WV_RUN_TIMEOUT);
		else if (now >= run->close_by)
			cut_short(run, WV_RUN_STOPPED);
		break;
	case WV_CHILD_LINGERING:
		if (quiet && wv_child_is_alone(child))
			child->phase = WV_CHILD_GONE;
		else if (quiet || late)
			terminate(run);
		break;
	default:
		wv_child_advance(child, now);
		break;
	}
	if (child->phase == WV_CHILD_GONE)
		finish(run);
}

/* After the wait for its n descriptors. */
static void
step(struct wv_run *run, const struct pollfd *fds, size_t n, int64_t now)
{
	bool told = false;

	for (; n > 0; n--, fds++) {
		if (!fds->revents)
			continue;
		if (fds->fd == run->out.fd)
			take_out(run);
		else if (fds->fd == run->err.fd)
			take_err(run);
		else if (fds->fd == run->in)
			wv_run_feed(run);
		else if (fds->fd == run->child.pidfd)
			told = true;
	}
	wv_child_notice(&run->child, told);
	advance(run, now);
}

/* Waits for the descriptors, of which the first n are the caller's, and for
 * what time makes of the runs. */
static int
wait_for(struct pollfd *fds, size_t n, int64_t ms)
{
	int timeout = ms < INT32_MAX ? (int)ms : INT32_MAX;

	if (poll(fds, n, timeout) >= 0)
		return 0;
	/* What it wrote then is not said. */
	for (size_t i = 0; i < n; i++)
		fds[i].revents = 0;
	return errno == EINTR ? 0 : -1;
}

int
wv_run_wait(struct pollfd *fds, size_t n, int64_t ms)
{
	static struct pollfd *all;
	static size_t *counts, room;
	size_t stepped = run_count, total = n, left = 0;
	int64_t now = wv_ticks(), wait = ms < 0 ? INT64_MAX : ms;

	if (n + run_count == 0)
		return 0;
	if (n + run_count > room) {
		room = n + run_count;
		all = wv_xrealloc(all, room * RUN_FDS * sizeof *all);
		counts = wv_xrealloc(counts, room * sizeof *counts);
	}
	if (n > 0)
		memcpy(all, fds, n * sizeof *all);
	for (size_t i = 0; i < run_count; i++) {
		int64_t own = patience(runs[i], now);
		counts[i] = watch(runs[i], all + total);
		total += counts[i];
		wait = own < wait ? own : wait;
	}
	int result = wait_for(all, total, wait);
	if (n > 0)
		memcpy(fds, all, n * sizeof *all);
	now = wv_ticks();
	/* A sink may start more. */
	total = n;
	for (size_t i = 0; i < stepped; i++) {
		step(runs[i], all + total, counts[i], now);
		total += counts[i];
	}
	for (size_t i = 0; i < run_count; i++) {
		if (!wv_run_is_over(runs[i]))
			runs[left++] = runs[i];
	}
	run_count = left;
	return result;
}

/* The others are not stepped: their sinks must not be called from here. */
void
wv_run_see_off(struct wv_run *run)
{
	while (!wv_run_is_over(run)) {
		struct pollfd fds[RUN_FDS];
		size_t n = watch(run, fds);
		wait_for(fds, n, patience(run, wv_ticks()));
		step(run, fds, n, wv_ticks());
	}
	for (size_t i = 0; i < run_count; i++) {
		if (runs[i] == run) {
			memmove(runs + i, runs + i + 1,
				(--run_count - i) * sizeof *runs);
			return;
		}
	}
}
