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
	const char
		*obligations;  /* JSON that its reading stays under, or NULL */
	const char *arguments; /* JSON: of the call that made it, for a policy
	                            to judge its reading by; NULL: not known */
	uint64_t size;
	char digest[WV_SHA256_HEX];
	struct wv_time expires_at; /* sec 0 = never */

	int fd; /* while it is written */
	struct wv_sha256 sha256;
};

/* Most bytes of all that is stored, unless the state says otherwise. */
#define WV_ARTIFACT_QUOTA ((uint64_t)10 << 30)
/* Whether so much more can be stored; else an error.  What other processes
 * store meanwhile is not counted. */
bool wv_artifact_has_room(
	struct wv_state *state, uint64_t bytes, struct wv_err *err);

/* Longer arguments than this are not kept. */
enum { WV_ARTIFACT_ARGUMENTS_MAX = 64 << 10 };

/* Writing, before a group: open fills handle_id and file; close syncs file and
 * folder and fills size and digest.  What fails removes the file. */
int wv_artifact_open(struct wv_state *state, struct wv_artifact *artifact,
	struct wv_err *err);
int wv_artifact_add(struct wv_state *state, struct wv_artifact *artifact,
	const void *p, size_t n, struct wv_err *err);
int wv_artifact_close(struct wv_state *state, struct wv_artifact *artifact,
	struct wv_err *err);
/* (group) Makes it reachable; handle_created is the caller's event. */
int wv_artifact_record(struct wv_state *state,
	const struct wv_artifact *artifact, struct wv_err *err);
/* Removes the file of one that was opened but never recorded. */
void wv_artifact_drop(struct wv_state *state, struct wv_artifact *artifact);

/* 1 and what it is, strings in the arena; 0: there is none with this id, or it
 * has expired at now. */
int wv_artifact_find(struct wv_state *state, struct wv_arena *arena,
	const char *handle_id, struct wv_time now, struct wv_artifact *artifact,
	struct wv_err *err);
/* A descriptor to read it with, of the length that was recorded. */
int wv_artifact_read(struct wv_state *state, const struct wv_artifact *artifact,
	struct wv_err *err);

/* What a principal has been shown of a Handle. */
struct wv_artifact_use {
	uint64_t rows, bytes;
};
int wv_artifact_used(struct wv_state *state, const char *handle_id,
	const char *principal, struct wv_artifact_use *use, struct wv_err *err);
/* (group) So much more. */
int wv_artifact_add_use(struct wv_state *state, const char *handle_id,
	const char *principal, const struct wv_artifact_use *more,
	struct wv_err *err);

#endif
