/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/state.h"

#include "kernel/audit.h"
#include "kernel/folder.h"
#include "kernel/prune.h"
#include "kernel/recover.h"
#include "kernel/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int
wv_state_lock(struct wv_state *state, struct wv_err *err)
{
	int64_t deadline = wv_ticks() + state->lock_wait_ms;
	struct timespec pause = { 0, 200 * 1000 };

	while (flock(state->lock, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return wv_err_sys(err, "%s/lock", state->path);
		if (wv_ticks() >= deadline)
			return wv_err_set(err,
				"%s/lock: another process has held it for "
				"%jd ms",
				state->path, (intmax_t)state->lock_wait_ms);
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 8 * 1000 * 1000)
			pause.tv_nsec *= 2;
	}
	return 0;
}

void
wv_state_unlock(struct wv_state *state)
{
	flock(state->lock, LOCK_UN);
}

/* A store that was put in its place would know nothing of ours. */
static int
check_store(const struct wv_state *state, struct wv_err *err)
{
	struct stat st;

	if (wv_folder_check(state->dir, "kernel.db", err) < 0)
		return -1;
	if (fstatat(state->dir, "kernel.db", &st, AT_SYMLINK_NOFOLLOW) < 0)
		return wv_err_sys(err, "kernel.db");
	if (st.st_ino != state->store_file)
		return wv_err_set(err, "kernel.db was replaced");
	return 0;
}

static struct wv_time
kernel_time(struct wv_time newest)
{
	struct wv_time now = wv_now();

	return wv_time_cmp(newest, now) > 0 ? newest : now;
}

/* The log, or -1 and why; there may be none. */
static int
open_log(struct wv_state *state, int flags, struct wv_summit *summit,
	struct wv_err *err)
{
	struct wv_err absent = WV_ERR_INIT;
	int fd = wv_segment_live(state->dir, flags, summit, &absent);

	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		wv_audit_holds(-1, &summit->head, err);
	return wv_err_set(err, "%s", absent.text);
}

/* What the store knows is all that there is; a copy of that may stand beside
 * it. */
static int
check_segments(struct wv_state *state, const struct wv_summit *summit,
	struct wv_err *err)
{
	struct wv_segments all;
	int status = wv_segments_read(&all, state->dir, UINT64_MAX, err);

	for (size_t i = all.count; i > 0 && status == 0; i--) {
		const struct wv_segment *segment = &all.list[i - 1];
		char name[WV_SEGMENT_NAME];
		if (segment->number <= summit->segment)
			break;
		wv_segment_name(name, segment);
		if (wv_segment_seq(state->dir, segment) > summit->head.seq)
			status = wv_err_set(err,
				"the store is older than the log: %s goes on "
				"beyond line %ju; %s",
				name, (uintmax_t)summit->head.seq,
				wv_store_is_gone);
	}
	wv_segments_free(&all);
	return status;
}

/* Within the lock; what it did is undone by rollback. */
static int
begin(struct wv_state *state, struct wv_err *err)
{
	struct wv_summit summit;

	if (check_store(state, err) < 0 ||
		wv_store_begin(state->store, err) < 0 ||
		wv_store_summit(state->store, &summit, err) < 0)
		return -1;
	wv_arena_reset(&state->arena);
	state->now = kernel_time(summit.newest);
	int log = open_log(state, O_RDWR | O_APPEND, &summit, err);
	if (log < 0 || wv_audit_begin(state->audit, log, &summit, err) < 0 ||
		check_segments(state, &summit, err) < 0)
		return -1;
	return wv_recover(state, err);
}

int
wv_state_begin(struct wv_state *state, struct wv_err *err)
{
	struct wv_err inner = WV_ERR_INIT;

	if (wv_state_lock(state, err) < 0)
		return -1;
	state->in_group = true;
	if (begin(state, &inner) == 0)
		return 0;
	wv_state_rollback(state);
	return wv_err_set(err, "%s: %s", state->path, inner.text);
}

static void
end(struct wv_state *state)
{
	wv_audit_end(state->audit);
	wv_state_unlock(state);
	state->in_group = false;
}

void
wv_state_rollback(struct wv_state *state)
{
	wv_store_rollback(state->store);
	end(state);
}

/* The log first: what the store knows has always been logged. */
static int
commit(struct wv_state *state, struct wv_err *err)
{
	struct wv_audit *audit = state->audit;
	bool ahead = wv_audit_is_ahead(audit);
	struct wv_summit summit;

	if (!ahead && !wv_store_changed(state->store)) {
		wv_store_rollback(state->store);
		return 0;
	}
	if (wv_store_summit(state->store, &summit, err) < 0 ||
		wv_prune(state, &summit, err) < 0)
		return -1;
	if (ahead && wv_audit_write(audit, err) < 0)
		return -1;
	summit.head = audit->last;
	summit.lost = audit->chain.lost;
	summit.segment = audit->segment;
	summit.newest = state->now;
	if (wv_store_set_summit(state->store, &summit, err) < 0) {
		wv_audit_cut(audit);
		return -1;
	}
	return wv_store_commit(state->store, err);
}

int
wv_state_commit(struct wv_state *state, struct wv_err *err)
{
	struct wv_err inner = WV_ERR_INIT;

	if (commit(state, &inner) == 0) {
		end(state);
		return 0;
	}
	wv_state_rollback(state);
	return wv_err_set(err, "%s: %s", state->path, inner.text);
}

int
wv_state_log(struct wv_state *state, struct wv_summit *summit, uint64_t *size,
	struct wv_err *err)
{
	struct wv_err inner = WV_ERR_INIT;
	struct stat st;
	int fd = -1;

	if (wv_state_lock(state, err) < 0)
		return -1;
	if (check_store(state, &inner) == 0 &&
		wv_store_summit(state->store, summit, &inner) == 0)
		fd = open_log(state, O_RDONLY, summit, &inner);
	if (fd >= 0 && fstat(fd, &st) < 0) {
		wv_err_sys(&inner, "audit.jsonl");
		close(fd);
		fd = -1;
	}
	wv_state_unlock(state);
	if (fd < 0)
		return wv_err_set(err, "%s: %s", state->path, inner.text);
	*size = (uint64_t)st.st_size;
	return fd;
}
