/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/state.h"

#include "base/file.h"
#include "base/id.h"
#include "base/msg.h"
#include "base/opt.h"
#include "kernel/audit.h"
#include "kernel/folder.h"
#include "kernel/harden.h"
#include "kernel/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_WAIT_MS = 30000 };

/* The files that the store opens by name are judged before it does. */
static int
open_store(struct wv_state *state, struct wv_err *err)
{
	static const char *const files[] = { "kernel.db-wal", "kernel.db-shm",
		"kernel.db-journal", NULL };
	struct wv_str path = { 0 };

	for (size_t i = 0; files[i] != NULL; i++)
		if (wv_folder_check(state->dir, files[i], err) < 0)
			return -1;
	wv_str_fmt(&path, "%s/kernel.db", state->path);
	state->store = wv_store_open(path.s, err);
	wv_str_free(&path);
	return state->store == NULL ? -1 : 0;
}

static bool
is_for_writing(enum wv_state_use use)
{
	return use >= WV_STATE_RECOVER;
}

/* 1: there is a store of this program; 0: not yet. */
static int
examine_store(struct wv_state *state, enum wv_state_use use, struct wv_err *err)
{
	int there = wv_folder_check(state->dir, "kernel.db", err);

	if (there != 1)
		return there;
	if (open_store(state, err) < 0)
		return -1;
	int form = wv_store_form(state->store, err);
	if (form != WV_STORE_OLD)
		return form < 0 ? -1 : form == WV_STORE_MADE;
	if (is_for_writing(use))
		return wv_store_migrate(state->store, err) < 0 ? -1 : 1;
	return wv_err_set(err,
		"kernel.db is of an older program: the first tool that writes "
		"brings it up to date, for one `wv-trace recover`");
}

/*
 * Whether there is a state: 1, 0 (also if its making was cut short, which
 * loses nothing: no line is recorded yet), or -1: half of one is gone.  log:
 * -1 is none.
 */
static int
examine_log(bool made, int log, enum wv_state_use use,
	const struct wv_summit *summit, struct wv_err *err)
{
	struct stat st = { 0 };

	if (log >= 0 && fstat(log, &st) < 0)
		return wv_err_sys(err, "audit.jsonl");
	if (!made)
		return st.st_size > 0 ? wv_err_set(err,
						"audit.jsonl is there without "
						"kernel.db: %s",
						wv_store_is_gone)
				      : 0;
	if (use == WV_STATE_VERIFY || use == WV_STATE_RECOVER)
		return 1;
	if (wv_audit_holds(log, &summit->head, err) != 1)
		return -1;
	return log >= 0;
}

static int
examine(struct wv_state *state, enum wv_state_use use, struct wv_summit *summit,
	struct wv_err *err)
{
	int made = examine_store(state, use, err);
	struct wv_err none = WV_ERR_INIT;

	if (made < 0 ||
		(made == 1 && wv_store_summit(state->store, summit, err) < 0))
		return -1;
	int log = wv_segment_live(state->dir, O_RDONLY, summit, &none);
	if (log < 0 && errno != ENOENT)
		return wv_err_set(err, "%s", none.text);
	made = examine_log(made == 1, log, use, summit, err);
	if (log >= 0)
		close(log);
	return made;
}

static int
make_key(int keys, struct wv_err *err)
{
	unsigned char key[WV_SHA256];
	struct stat st;
	int fd = wv_folder_at(keys, "digest.key", O_RDWR | O_CREAT, err);

	if (fd < 0)
		return -1;
	wv_random(key, sizeof(key));
	int status = fstat(fd, &st);
	if (status == 0 && st.st_size != sizeof(key))
		status = ftruncate(fd, 0) < 0 ||
				wv_write_all(fd, key, sizeof(key)) < 0 ||
				fsync(fd) < 0 || fsync(keys) < 0
			? -1
			: 0;
	if (status < 0)
		wv_err_sys(err, "keys/digest.key");
	close(fd);
	return status;
}

static int
make_file(struct wv_state *state, const char *name, struct wv_err *err)
{
	int fd = wv_folder_at(state->dir, name, O_RDWR | O_CREAT, err);

	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

/* Every step is taken only if it was not taken before; the store, which says
 * that there is a state, comes last. */
static int
make(struct wv_state *state, bool test, struct wv_err *err)
{
	static const char *const folders[] = { "artifacts", "flows", "run",
		"keys", NULL };
	int fd = -1;

	for (size_t i = 0; folders[i] != NULL; i++) {
		if (fd >= 0)
			close(fd);
		fd = wv_folder_at(state->dir, folders[i],
			O_RDONLY | O_DIRECTORY | O_CREAT, err);
		if (fd < 0)
			return -1;
	}
	int status = make_key(fd, err);
	close(fd);
	if (status < 0 || make_file(state, "audit.jsonl", err) < 0 ||
		make_file(state, "kernel.db", err) < 0)
		return -1;
	if (fsync(state->dir) < 0)
		return wv_err_sys(err, "%s", state->path);
	if (state->store == NULL && open_store(state, err) < 0)
		return -1;
	int form = wv_store_form(state->store, err);
	if (form != WV_STORE_EMPTY)
		return form < 0 ? -1 : 0;
	return wv_store_make(state->store, test, err);
}

int
wv_state_key(struct wv_state *state, struct wv_err *err)
{
	int keys =
		wv_folder_at(state->dir, "keys", O_RDONLY | O_DIRECTORY, err);
	int fd =
		keys < 0 ? -1 : wv_folder_at(keys, "digest.key", O_RDONLY, err);

	if (keys >= 0)
		close(keys);
	if (fd < 0)
		return -1;
	ssize_t n = read(fd, state->digest_key, sizeof(state->digest_key));
	close(fd);
	if (n < 0)
		return wv_err_sys(err, "keys/digest.key");
	if (n != sizeof(state->digest_key))
		return wv_err_set(err, "keys/digest.key is too short");
	return 0;
}

static void
set_time(struct wv_state *state, struct wv_time newest)
{
	struct wv_time clock = wv_now();

	state->now = clock;
	if (wv_time_cmp(newest, clock) <= 0)
		return;
	state->now = newest;
	state->ahead_s = (uint64_t)newest.sec - (uint64_t)clock.sec;
}

/* Under the lock. */
static int
settle_in(struct wv_state *state, enum wv_state_use use, bool test,
	struct wv_err *err)
{
	struct wv_summit summit = { .test = test };
	struct stat st;
	int made = examine(state, use, &summit, err);

	if (made < 0)
		return -1;
	if (made && use == WV_STATE_INIT)
		return wv_err_set(err, "there is a state already");
	if (!made && use < WV_STATE_WRITE)
		return wv_err_set(err, "there is no state");
	if (!made &&
		(make(state, test, err) < 0 ||
			wv_store_summit(state->store, &summit, err) < 0))
		return -1;
	state->test = summit.test;
	if (fstatat(state->dir, "kernel.db", &st, AT_SYMLINK_NOFOLLOW) < 0)
		return wv_err_sys(err, "kernel.db");
	state->store_file = st.st_ino;
	set_time(state, summit.newest);
	return is_for_writing(use) ? wv_state_key(state, err) : 0;
}

static bool
is_fixed(void)
{
	return wv_id_is_test() || wv_time_is_fixed();
}

static int
enter(struct wv_state *state, const char *name, enum wv_state_use use,
	bool test, struct wv_err *err)
{
	struct wv_err inner = WV_ERR_INIT;
	bool write = is_for_writing(use);
	bool may_make = use >= WV_STATE_WRITE && (test || !is_fixed());
	int flags = write ? O_RDWR : O_RDONLY;
	struct wv_str real = { 0 };

	if (use == WV_STATE_INIT && !may_make)
		return wv_err_set(err, "--now and WV_IDS need --test");
	state->dir = wv_folder_open(name, may_make, &real, err);
	state->path = real.s;
	if (state->dir < 0)
		return -1;
	state->lock = wv_folder_at(
		state->dir, "lock", may_make ? flags | O_CREAT : flags, &inner);
	if (state->lock < 0)
		return errno == ENOENT
			? wv_err_set(err, "there is no state in %s", real.s)
			: wv_err_set(err, "%s: %s", real.s, inner.text);
	if (wv_state_lock(state, err) < 0)
		return -1;
	int status = settle_in(state, use, test, &inner);
	wv_state_unlock(state);
	if (status < 0)
		return wv_err_set(err, "%s: %s", real.s, inner.text);
	if (write && is_fixed() && !state->test)
		return wv_err_set(err,
			"%s: --now and WV_IDS are for a state made by "
			"`wv-token init --test`",
			real.s);
	return 0;
}

struct wv_state *
wv_state_open(
	const char *path, enum wv_state_use use, bool test, struct wv_err *err)
{
	wv_process_harden();
	struct wv_state *state = wv_xcalloc(1, sizeof(*state));
	char *name = wv_folder_name(path, err);

	state->dir = state->lock = state->plan = -1;
	state->lock_wait_ms = LOCK_WAIT_MS;
	state->audit = wv_xcalloc(1, sizeof(*state->audit));
	state->audit->fd = -1;
	signal(SIGXFSZ, SIG_IGN);
	if (name == NULL || enter(state, name, use, test, err) < 0) {
		wv_state_close(state);
		state = NULL;
	}
	free(name);
	return state;
}

/* A clock that was wrong once; nothing expires before it has caught up. */
static void
tell_time(const struct wv_state *state)
{
	enum { TELL_S = 60 };
	uint64_t s = state->ahead_s;

	if (s >= TELL_S)
		wv_warn("note: the time of the kernel is %ju h %ju min %ju s "
			"ahead of the clock, which was set to it once; it "
			"stands still until the clock has caught up, so what "
			"is made meanwhile lasts that much longer; if that is "
			"too long, make a new state",
			(uintmax_t)(s / 3600), (uintmax_t)(s / 60 % 60),
			(uintmax_t)(s % 60));
}

struct wv_state *
wv_state_need(const char *path, enum wv_state_use use, bool test)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_state *state = wv_state_open(path, use, test, &err);

	if (state == NULL)
		wv_die_err(&err);
	tell_time(state);
	return state;
}

bool
wv_state_option(const char **path, int id, const struct wv_opts *opts)
{
	switch (id) {
	case WV_OPT_STATE:
		*path = opts->value;
		return true;
	case WV_OPT_NOW:
		wv_opt_now(opts);
		return true;
	default:
		return false;
	}
}

void
wv_state_close(struct wv_state *state)
{
	if (state == NULL)
		return;
	if (state->in_group)
		wv_state_rollback(state);
	wv_store_close(state->store);
	wv_audit_free(state->audit);
	free(state->audit);
	if (state->plan >= 0)
		close(state->plan);
	if (state->lock >= 0)
		close(state->lock);
	if (state->dir >= 0)
		close(state->dir);
	wv_arena_free(&state->arena);
	free(state->path);
	explicit_bzero(state->digest_key, sizeof(state->digest_key));
	free(state);
}

bool
wv_state_stopped(const struct wv_state *state)
{
	struct stat st;

	return fstatat(state->dir, "stop", &st, AT_SYMLINK_NOFOLLOW) == 0 ||
		errno != ENOENT;
}
