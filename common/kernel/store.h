/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store: what the kernel knows, in one file beside the log.  Nothing here
 * is a word of the database behind it, so that another can stand there.
 *
 * Changes are made between begin and commit, and only by the holder of the
 * state's lock; reading needs neither.  What a reader sees is the last
 * commit, or the open group if it is its own.  Texts are copied in; texts
 * that come out are in the arena given.
 */
#ifndef WV_KERNEL_STORE_H
#define WV_KERNEL_STORE_H

#include "base/clock.h"
#include "base/digest.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

struct wv_store;

/* path: absolute, free of links, the file made (it may be empty). */
struct wv_store *wv_store_open(const char *path, struct wv_err *err);
void wv_store_close(struct wv_store *store);
/* 1: it has been made; 0: it is still empty. */
int wv_store_is_made(struct wv_store *store, struct wv_err *err);
/* Makes an empty one a store, whole or not at all. */
int wv_store_make(struct wv_store *store, bool test, struct wv_err *err);

int wv_store_begin(struct wv_store *store, struct wv_err *err);
/* -1: whether it is committed will be known when it is opened next. */
int wv_store_commit(struct wv_store *store, struct wv_err *err);
void wv_store_rollback(struct wv_store *store);
/* The open group changed something. */
bool wv_store_changed(const struct wv_store *store);

/* The last line of the log that belongs to the store. */
struct wv_head {
	uint64_t seq; /* 0: none yet */
	uint64_t end; /* offset after its LF */
	uint64_t len; /* without its LF */
	char hash[WV_SHA256_HEX];
};

struct wv_summit {
	struct wv_head head;
	struct wv_time newest; /* time of any group */
	bool test;             /* as given to wv_store_make() */
};
int wv_store_summit(
	struct wv_store *store, struct wv_summit *summit, struct wv_err *err);
int wv_store_set_summit(struct wv_store *store, const struct wv_head *head,
	struct wv_time newest, struct wv_err *err);

/* Tokens.  -1 also when the id is taken. */
int wv_store_add_token(struct wv_store *store, const char *id,
	const char *digest, const char *principal, struct wv_err *err);
/* 1 and digest and principal, or 0. */
struct wv_store_token {
	const char *digest, *principal;
};
int wv_store_token(struct wv_store *store, struct wv_arena *arena,
	const char *id, struct wv_store_token *token, struct wv_err *err);
/* 1: claimed by this call; 0: it was before. */
int wv_store_claim(struct wv_store *store, const char *issuer, const char *id,
	struct wv_err *err);
/* 1: new; 0: it was so before.  The latest cut-off of a principal counts. */
int wv_store_revoke_token(
	struct wv_store *store, const char *id, struct wv_err *err);
int wv_store_revoke_principal(struct wv_store *store, const char *principal,
	struct wv_time before, struct wv_err *err);
int wv_store_revoked(struct wv_store *store, const char *token_id,
	const char *principal, struct wv_time issued_at, struct wv_err *err);

/* Decisions. */
enum wv_stage {
	WV_STAGE_RECORDED,
	WV_STAGE_RUNNING, /* consumed; its capability_executed is to come */
	WV_STAGE_DONE,
};
struct wv_store_decision {
	const char *id, *digest, *capability_id, *principal, *token_id;
	const char *trace_id; /* may be NULL */
	struct wv_time token_issued_at, valid_until;
	enum wv_stage stage;
};
int wv_store_add_decision(struct wv_store *store,
	const struct wv_store_decision *decision, struct wv_err *err);
/* 1 and the decision, or 0. */
int wv_store_decision(struct wv_store *store, struct wv_arena *arena,
	const char *id, struct wv_store_decision *decision, struct wv_err *err);
/* plan: who runs it; kept if NULL. */
int wv_store_set_stage(struct wv_store *store, const char *id,
	enum wv_stage stage, const char *plan, struct wv_err *err);
/* The next plan after this name ("" is the first) that has a running
 * decision: 1 and its name, or 0. */
int wv_store_next_plan(struct wv_store *store, struct wv_arena *arena,
	const char *after, const char **plan, struct wv_err *err);
/* Any running decision of a plan: 1 and the decision, or 0. */
int wv_store_running(struct wv_store *store, struct wv_arena *arena,
	const char *plan, struct wv_store_decision *decision,
	struct wv_err *err);

/* Artifacts. */
struct wv_store_artifact {
	const char *handle_id, *file, *capability_id, *principal, *decision_id,
		*media_type, *digest;
	const char *obligations; /* JSON, or NULL */
	uint64_t size;
	struct wv_time expires_at; /* sec 0 = never */
};
int wv_store_add_artifact(struct wv_store *store,
	const struct wv_store_artifact *artifact, struct wv_err *err);

/* Sliding windows.  The hits of one that are later than `after`. */
int wv_store_hits(struct wv_store *store, const char *name,
	struct wv_time after, int64_t *count, struct wv_err *err);
/* One hit more; those that are not later than `after` are forgotten. */
int wv_store_add_hit(struct wv_store *store, const char *name,
	struct wv_time at, struct wv_time after, struct wv_err *err);

#endif
