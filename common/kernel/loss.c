/* SPDX-License-Identifier: Apache-2.0 */
/* A log that lost what the store recorded: how, see audit.h. */
#include "base/file.h"
#include "kernel/audit.h"
#include "kernel/folder.h"
#include "kernel/reader.h"
#include "kernel/segment.h"

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
open_log(struct wv_state *state, struct wv_summit *summit, struct wv_err *err)
{
	struct wv_err inner = WV_ERR_INIT;
	int fd = wv_segment_live(state->dir, O_RDWR | O_APPEND, summit, &inner);

	if (fd < 0 && errno != ENOENT)
		wv_err_set(err, "%s", inner.text);
	return fd;
}

static int
walk(struct wv_reader *in, struct wv_chain *chain, struct wv_err *err)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_link link;
	int more;

	while ((more = wv_reader_next(in, err)) == 1) {
		wv_arena_reset(&arena);
		if (wv_link_read(&link, &arena, in->line, in->len, NULL) == 0 &&
			wv_chain_follows(chain, &link) <= WV_FOLLOWS_GAP)
			wv_chain_accept(chain, link.seq, in->line, in->len);
		else
			wv_chain_skip(chain, in->line, in->len);
	}
	wv_arena_free(&arena);
	wv_reader_free(in);
	return more;
}

static int
walk_segment(int dir, const struct wv_segment *segment, struct wv_chain *chain,
	struct wv_err *err)
{
	struct wv_reader in = { .left = UINT64_MAX, .max_line = SIZE_MAX };
	int status = -1;

	in.fd = wv_segment_open(dir, segment, err);
	if (in.fd < 0)
		return -1;
	if (!segment->gz || (in.gz = wv_gz_new(in.fd, err)) != NULL)
		status = walk(&in, chain, err);
	wv_gz_free(in.gz);
	close(in.fd);
	return status;
}

/* The last line of the last segment, if that is there: the live log goes on
 * from it. */
static int
start_after(struct wv_state *state, uint64_t number, struct wv_err *err)
{
	struct wv_audit *audit = state->audit;
	struct wv_chain *chain = &audit->chain;
	struct wv_segments segments;
	int status;

	chain->is_open = true;
	status = wv_segments_read(&segments, state->dir, number, err);
	size_t n = segments.count;
	if (status == 0 && n > 0 && segments.list[n - 1].number == number)
		status = walk_segment(
			state->dir, &segments.list[n - 1], chain, err);
	wv_segments_free(&segments);
	chain->torn_lines = chain->torn_bytes = 0;
	audit->last.seq = chain->seq;
	if (chain->seq > 0)
		memcpy(audit->last.hash, chain->hash, WV_SHA256_HEX);
	return status;
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
find_head(struct wv_state *state, int fd, const struct wv_summit *summit,
	struct wv_head *head, struct wv_err *err)
{
	const struct wv_summit from_start = { .segment = summit->segment };
	struct wv_arena scratch = WV_ARENA_INIT;
	struct wv_audit *audit = state->audit;
	int status = wv_audit_begin(audit, fd, &from_start, err);

	if (status == 0 && summit->segment > 0)
		status = start_after(state, summit->segment, err);
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
	int fd = open_log(state, summit, err);

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
	if (summit->head.end == 0) {
		/* Nothing of it was recorded. */
		close(fd);
		return 0;
	}
	lose(summit);
	if (find_head(state, fd, summit, &summit->head, err) < 0 ||
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
