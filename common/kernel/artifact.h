/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Artifacts: the stored output behind a Handle.  Files are named by ULIDs of
 * our own, made O_EXCL and synced before the group that records them; length
 * and digest stand in the store.  An id from outside is never a path.
 */
#ifndef WV_KERNEL_ARTIFACT_H
#define WV_KERNEL_ARTIFACT_H

#include "kernel/state.h"

/* How long a Handle is good. */
enum { WV_HANDLE_MS = 24 * 60 * 60 * 1000 };

struct wv_artifact {
	char handle_id[64];
	char file[64]; /* name in artifacts/ */
	const char *capability_id, *principal, *decision_id, *media_type;
	size_t size;
	char digest[WV_SHA256_HEX];
	struct wv_time expires_at; /* sec 0 = never */
};

/* Writes and syncs the bytes (before a group); fills handle_id, file, size
 * and digest. */
int wv_artifact_write(struct wv_state *state, struct wv_artifact *artifact,
	const void *p, size_t n, struct wv_err *err);
/* (group) Makes it reachable; handle_created is the caller's event. */
int wv_artifact_record(struct wv_state *state,
	const struct wv_artifact *artifact, const cJSON *obligations,
	struct wv_err *err);
/* Removes the file of one that was written but never recorded. */
void wv_artifact_drop(struct wv_state *state, struct wv_artifact *artifact);

#endif
