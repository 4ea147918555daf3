/* SPDX-License-Identifier: Apache-2.0 */
/* A log that lost what the store recorded: how, see audit.h. */
#include "base/file.h"
#include "kernel/audit.h"
#include "kernel/folder.h"
#include "kernel/state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Durable before the store speaks of it. */
static int
make_log(struct wv_state *state, struct wv_err *err)
{
	int fd = wv_folder_at(state->dir, "audit.jsonl", O_RDWR | O_CREAT, err);

	if (fd < 0)
		return -1;
	if (fsync(fd) == 0 && fsync(state->dir) == 0)
		return fd;
	wv_err_sys(err, "audit.jsonl");
	close(fd);
	return -1;
}

/* The log, which may be missing: -1 and ENOENT then. */
static int
open_log(struct wv_state *state, struct wv_err *err)
{
	struct wv_err inner = WV_ERR_INIT;
	int fd = wv_folder_at(
		state->dir, "audit.jsonl", O_RDWR | O_APPEND, &inner);

	if (fd < 0 && errno != ENOENT)
		wv_err_set(err, "%s", inner.text);
	return fd;
}

static int
pass(void *arg, const struct wv_link *link, struct wv_err *err)
{
	struct wv_arena *arena = arg;

	wv_arena_reset(arena);
	return 0;
}

/* The last line that is left may have lost its LF alone: no head ends beyond
 * its log. */
static int
end_line(const struct wv_audit *audit, struct wv_err *err)
{
	if (audit->last.end <= audit->size ||
		(wv_write_all(audit->fd, "\n", 1) == 0 &&
			fsync(audit->fd) == 0))
		return 0;
	return wv_err_sys(err, "audit.jsonl");
}

/* Where the log, read from its beginning, has its last line. */
static int
find_head(struct wv_state *state, int fd, struct wv_head *head,
	struct wv_err *err)
{
	static const struct wv_head none;
	static const struct wv_lost nothing;
	struct wv_arena scratch = WV_ARENA_INIT;
	struct wv_audit *audit = state->audit;
	int status = wv_audit_begin(audit, fd, &none, &nothing, err);

	if (status == 0)
		status = wv_audit_tail(audit, &scratch, pass, &scratch, err);
	if (status == 0)
		status = end_line(audit, err);
	*head = audit->last;
	wv_audit_end(audit);
	wv_arena_free(&scratch);
	return status;
}

/* Of two losses that no line tells of yet the later one covers the other. */
static void
lose(struct wv_summit *summit)
{
	if (summit->lost.seq > summit->head.seq)
		return;
	summit->lost.seq = summit->head.seq;
	memcpy(summit->lost.hash, summit->head.hash, WV_SHA256_HEX);
}

static int
settle(struct wv_state *state, struct wv_summit *summit, struct wv_err *err)
{
	int fd = open_log(state, err);

	if (fd < 0 && errno != ENOENT)
		return -1;
	int holds = wv_audit_holds(fd, &summit->head, NULL);
	if (holds != 0) {
		if (fd >= 0)
			close(fd);
		return holds < 0 ? wv_err_sys(err, "audit.jsonl") : 0;
	}
	if (fd < 0 && (fd = make_log(state, err)) < 0)
		return -1;
	lose(summit);
	if (find_head(state, fd, &summit->head, err) < 0 ||
		wv_store_set_summit(state->store, summit, err) < 0)
		return -1;
	return 1;
}

static int
recover(struct wv_state *state, struct wv_summit *summit, struct wv_err *err)
{
	if (wv_store_begin(state->store, err) < 0)
		return -1;
	int lost = wv_store_summit(state->store, summit, err);
	if (lost == 0)
		lost = settle(state, summit, err);
	if (lost == 1)
		return wv_store_commit(state->store, err) < 0 ? -1 : 1;
	wv_store_rollback(state->store);
	return lost;
}

int
wv_state_recover(
	struct wv_state *state, struct wv_summit *summit, struct wv_err *err)
{
	struct wv_err inner = WV_ERR_INIT;

	if (wv_state_lock(state, err) < 0)
		return -1;
	int lost = recover(state, summit, &inner);
	wv_state_unlock(state);
	return lost < 0 ? wv_err_set(err, "%s: %s", state->path, inner.text)
			: lost;
}
