/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/decision.h"

#include "base/file.h"
#include "kernel/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_SIZE = 128, LABEL_SIZE = 512 };

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
cancel_name(char name[NAME_SIZE], const char *plan)
{
	snprintf(name, NAME_SIZE, "%s.cancel", plan);
}

static void
remove_plan(int run, const char *plan)
{
	char name[NAME_SIZE];

	cancel_name(name, plan);
	unlinkat(run, name, 0);
	unlinkat(run, plan, 0);
}

/* 1 and a lock on it, 0: another has one. */
static int
lock_plan(int fd, const char *plan, struct wv_err *err)
{
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return 1;
	return errno == EWOULDBLOCK ? 0 : wv_err_sys(err, "run/%s", plan);
}

static int
make_plan(struct wv_state *state, const char *plan, const char *label,
	struct wv_err *err)
{
	int fd = open_plan(state, plan, O_RDWR | O_CREAT | O_EXCL, err);

	if (fd < 0)
		return -1;
	if (lock_plan(fd, plan, err) != 1) {
		close(fd);
		return wv_err_set(err, "run/%s: somebody holds it", plan);
	}
	if (label != NULL && wv_write_all(fd, label, strlen(label)) < 0) {
		wv_err_sys(err, "run/%s", plan);
		close(fd);
		return -1;
	}
	state->plan = fd;
	return 0;
}

/* Whoever looks for plans that live must not find one half made. */
int
wv_plan_start(struct wv_state *state, const char *plan, const char *label,
	struct wv_err *err)
{
	if (wv_state_lock(state, err) < 0)
		return -1;
	int status = make_plan(state, plan, label, err);
	wv_state_unlock(state);
	return status;
}

void
wv_plan_end(struct wv_state *state, const char *plan)
{
	if (state->plan < 0)
		return;
	bool locked = wv_state_lock(state, NULL) == 0;
	int run = open_run(state, NULL);
	if (run >= 0) {
		remove_plan(run, plan);
		close(run);
	}
	if (locked)
		wv_state_unlock(state);
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
	int dead = lock_plan(fd, plan, err);
	int run = dead == 1 ? open_run(state, NULL) : -1;
	if (run >= 0) {
		remove_plan(run, plan);
		close(run);
	}
	close(fd);
	return dead;
}

static bool
is_called(int fd, const char *plan, const char *name)
{
	char label[LABEL_SIZE];
	ssize_t n;

	if (strcmp(plan, name) == 0)
		return true;
	n = pread(fd, label, sizeof label, 0);
	return n > 0 && (size_t)n == strlen(name) &&
		memcmp(label, name, (size_t)n) == 0;
}

/* Empty, also if there is one for the tools. */
static int
ask_to_end(int run, const char *plan, struct wv_err *err)
{
	char name[NAME_SIZE];
	int status = 0;

	cancel_name(name, plan);
	int fd = wv_folder_at(run, name, O_RDWR | O_CREAT, err);
	if (fd < 0)
		return -1;
	if (ftruncate(fd, 0) < 0)
		status = wv_err_sys(err, "run/%s", name);
	close(fd);
	return status;
}

/* 1: it is one of those, and lives. */
static int
cancel_one(int run, const char *plan, const char *name, struct wv_err *err)
{
	struct wv_err inner = WV_ERR_INIT;
	int status = 0;

	if (strncmp(plan, "plan-", 5) != 0 ||
		wv_ends_with(plan, strlen(plan), ".cancel"))
		return 0;
	int fd = wv_folder_at(run, plan, O_RDWR, &inner);
	if (fd < 0)
		return wv_err_set(err, "%s", inner.text);
	if (is_called(fd, plan, name) &&
		(status = lock_plan(fd, plan, err)) >= 0) {
		if (status == 1) {
			remove_plan(run, plan);
			status = 0;
		} else {
			status = ask_to_end(run, plan, err) < 0 ? -1 : 1;
		}
	}
	close(fd);
	return status;
}

static int
cancel_all(int run, const char *name, struct wv_err *err)
{
	DIR *dir = fdopendir(run);
	struct dirent *entry;
	int count = 0, one = 0;

	if (dir == NULL) {
		wv_err_sys(err, "run");
		close(run);
		return -1;
	}
	while (one >= 0 && (errno = 0, entry = readdir(dir)) != NULL) {
		one = cancel_one(run, entry->d_name, name, err);
		count += one;
	}
	if (one >= 0 && errno != 0)
		one = wv_err_sys(err, "run");
	closedir(dir);
	return one < 0 ? -1 : count;
}

int
wv_plan_cancel(struct wv_state *state, const char *name, struct wv_err *err)
{
	if (wv_state_lock(state, err) < 0)
		return -1;
	int run = open_run(state, err);
	int count = run < 0 ? -1 : cancel_all(run, name, err);
	wv_state_unlock(state);
	return count;
}

static int
stat_cancel(const struct wv_state *state, const char *plan, struct stat *st)
{
	char name[NAME_SIZE];

	snprintf(name, sizeof name, "run/%s.cancel", plan);
	return fstatat(state->dir, name, st, AT_SYMLINK_NOFOLLOW);
}

bool
wv_plan_is_cancelled(const struct wv_state *state, const char *plan)
{
	struct stat st;

	if (stat_cancel(state, plan, &st) < 0)
		return errno != ENOENT;
	return !S_ISREG(st.st_mode) || st.st_size == 0;
}

const char *
wv_plan_cancel_file(
	struct wv_arena *arena, const struct wv_state *state, const char *plan)
{
	return wv_printf(arena, "%s/run/%s.cancel", state->path, plan);
}

void
wv_plan_mark(struct wv_state *state, const char *plan)
{
	char name[NAME_SIZE];

	cancel_name(name, plan);
	int fd = open_plan(state, name, O_RDWR | O_CREAT | O_EXCL, NULL);
	if (fd < 0)
		return;
	wv_write_all(fd, "stop\n", 5);
	close(fd);
}

/* Under the lock, so that no wish is lost. */
void
wv_plan_unmark(struct wv_state *state, const char *plan)
{
	char name[NAME_SIZE];
	struct stat st;

	if (wv_state_lock(state, NULL) < 0)
		return;
	snprintf(name, sizeof name, "run/%s.cancel", plan);
	if (stat_cancel(state, plan, &st) == 0 && st.st_size > 0)
		unlinkat(state->dir, name, 0);
	wv_state_unlock(state);
}
