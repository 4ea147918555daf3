/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/prune.h"

#include "kernel/folder.h"
#include "kernel/store.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum {
	EVERY_MS = 60 * 60 * 1000,
	KEEP_MS = 24 * EVERY_MS,
	MOST = 2048,
	MOST_FILES = 1024,
};

/* The file first: one that nothing names would stay for ever. */
static int
drop(struct wv_state *state, int artifacts, const struct wv_store_artifact *old,
	struct wv_err *err)
{
	if (unlinkat(artifacts, old->file, 0) < 0 && errno != ENOENT)
		return wv_err_sys(err, "artifacts/%s", old->file);
	return wv_store_drop_artifact(state->store, old->handle_id, err);
}

static int
drop_expired(struct wv_state *state, int artifacts, struct wv_time before,
	struct wv_err *err)
{
	struct wv_store_artifact old = { .handle_id = "" };

	for (int n = 0; n < MOST_FILES; n++) {
		int found = wv_store_next_expired(state->store, &state->arena,
			old.handle_id, before, &old, err);
		if (found != 1)
			return found;
		if (drop(state, artifacts, &old, err) < 0)
			return -1;
	}
	return 1;
}

/* 1: there may be more; 0: there is not. */
static int
prune_artifacts(
	struct wv_state *state, struct wv_time before, struct wv_err *err)
{
	int artifacts = wv_folder_at(
		state->dir, "artifacts", O_RDONLY | O_DIRECTORY, err);

	if (artifacts < 0)
		return -1;
	int more = drop_expired(state, artifacts, before, err);
	close(artifacts);
	return more;
}

int
wv_prune(struct wv_state *state, struct wv_summit *summit, struct wv_err *err)
{
	struct wv_time due = wv_time_add_ms(summit->pruned, EVERY_MS);
	struct wv_time before = wv_time_add_ms(state->now, -(int64_t)KEEP_MS);

	if (wv_time_cmp(state->now, due) < 0)
		return 0;
	int more = wv_store_prune(state->store, before, MOST, err);
	int files = more < 0 ? -1 : prune_artifacts(state, before, err);
	if (more == 0 && files == 0)
		summit->pruned = state->now;
	return files < 0 ? -1 : 0;
}
