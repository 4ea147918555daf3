/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/decision.h"

#include "kernel/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static int
open_run(const struct wv_state *state, struct wv_err *err)
{
	return wv_folder_at(state->dir, "run", O_RDONLY | O_DIRECTORY, err);
}

/* The file of a plan, open; -1 and errno. */
static int
open_plan(const struct wv_state *state, const char *plan, int flags,
	struct wv_err *err)
{
	if (strchr(plan, '/') != NULL || *plan == '.') {
		errno = EINVAL;
		return wv_err_set(err, "run: not the name of a plan");
	}
	int run = open_run(state, err);
	if (run < 0) {
		errno = EPERM; /* ENOENT would say that the plan is gone */
		return -1;
	}
	int fd = wv_folder_at(run, plan, flags, err);
	int cause = errno;
	close(run);
	errno = cause;
	return fd;
}

static void
remove_plan(const struct wv_state *state, const char *plan)
{
	int run = open_run(state, NULL);

	if (run < 0)
		return;
	unlinkat(run, plan, 0);
	close(run);
}

int
wv_plan_start(struct wv_state *state, const char *plan, struct wv_err *err)
{
	int fd = open_plan(state, plan, O_RDWR | O_CREAT | O_EXCL, err);

	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		wv_err_sys(err, "run/%s", plan);
		close(fd);
		return -1;
	}
	state->plan = fd;
	return 0;
}

void
wv_plan_end(struct wv_state *state, const char *plan)
{
	if (state->plan < 0)
		return;
	remove_plan(state, plan);
	close(state->plan);
	state->plan = -1;
}

int
wv_plan_is_dead(struct wv_state *state, const char *plan, struct wv_err *err)
{
	struct wv_err inner = WV_ERR_INIT;
	int fd = open_plan(state, plan, O_RDWR, &inner);

	if (fd < 0)
		return errno == ENOENT ? 1 : wv_err_set(err, "%s", inner.text);
	int free = flock(fd, LOCK_EX | LOCK_NB) == 0;
	int status = free || errno == EWOULDBLOCK
		? free
		: wv_err_sys(err, "run/%s", plan);
	if (free)
		remove_plan(state, plan);
	close(fd);
	return status;
}
