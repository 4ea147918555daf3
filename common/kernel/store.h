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

/* What is to be done where it is damaged or gone. */
extern const char wv_store_is_gone[];

/* path: absolute, free of links, the file made (it may be empty). */
struct wv_store *wv_store_open(const char *path, struct wv_err *err);
void wv_store_close(struct wv_store *store);
/* What it is; -1 also if a newer program made it. */
enum wv_store_form { WV_STORE_EMPTY, WV_STORE_OLD, WV_STORE_MADE };
int wv_store_form(struct wv_store *store, struct wv_err *err);
/* Makes an empty one a store, and one of an older program one of this;
 * whole or not at all.  Both under the lock. */
int wv_store_make(struct wv_store *store, bool test, struct wv_err *err);
int wv_store_migrate(struct wv_store *store, struct wv_err *err);

int wv_store_begin(struct wv_store *store, struct wv_err *err);
/* -1: whether it is committed will be known when it is opened next. */
int wv_store_commit(struct wv_store *store, struct wv_err *err);
void wv_store_rollback(struct wv_store *store);
/* The open group changed something. */
bool wv_store_changed(const struct wv_store *store);

/* The last line of the log that belongs to the store. */
struct wv_head {
	uint64_t seq; /* 0: none yet */
	uint64_t end; /* offset after its LF; 0: it ends the last segment */
	uint64_t len; /* without its LF */
	char hash[WV_SHA256_HEX];
};

/* A head that the log lost, and that its next line is to tell of. */
struct wv_lost {
	uint64_t seq; /* 0: nothing was lost */
	char hash[WV_SHA256_HEX];
};

struct wv_summit {
	struct wv_head head;
	struct wv_lost lost;
	uint64_t segment;      /* how many are closed: kernel/segment.h */
	struct wv_time newest; /* time of any group */
	struct wv_time pruned; /* when there was nothing more to prune */
	bool test;             /* as given to wv_store_make(); never changed */
};
int wv_store_summit(
	struct wv_store *store, struct wv_summit *summit, struct wv_err *err);
int wv_store_set_summit(struct wv_store *store, const struct wv_summit *summit,
	struct wv_err *err);

/* Tokens.  Times with sec 0 are never. */
struct wv_store_token {
	const char *id, *digest, *principal, *issuer;
	const char *scope;   /* JSON; NULL: recorded before scopes were kept */
	const char *lineage; /* as of a decision, below */
	struct wv_time issued_at, expires_at;
	bool single_use;
};
/* -1 also when the id is taken. */
int wv_store_add_token(struct wv_store *store,
	const struct wv_store_token *token, struct wv_err *err);
/* 1 and the token, or 0. */
int wv_store_token(struct wv_store *store, struct wv_arena *arena,
	const char *id, struct wv_store_token *token, struct wv_err *err);
/* The token after this id in their order ("" is the first): 1, or 0. */
int wv_store_next_token(struct wv_store *store, struct wv_arena *arena,
	const char *after, struct wv_store_token *token, struct wv_err *err);

/* Spent tokens.  until: when the token ends anyway, so that the claim may be
 * forgotten some time after; the latest that was said counts.  1: claimed by
 * this call; 0: it was before. */
int wv_store_claim(struct wv_store *store, const char *issuer, const char *id,
	struct wv_time until, struct wv_err *err);
int wv_store_claimed(struct wv_store *store, const char *issuer, const char *id,
	struct wv_err *err);

/* 1: new; 0: it was so before.  issuer NULL: whoever issued it.  The latest
 * until, and cut-off of a principal, counts. */
int wv_store_revoke_token(struct wv_store *store, const char *issuer,
	const char *id, struct wv_time until, struct wv_err *err);
int wv_store_revoke_principal(struct wv_store *store, const char *principal,
	struct wv_time before, struct wv_err *err);
int wv_store_revoke_key(
	struct wv_store *store, const char *kid, struct wv_err *err);
/* 1 if any of these is; kid NULL: no key.  issuer NULL: not known, so that
 * the id counts whoever issued it. */
int wv_store_token_revoked(struct wv_store *store, const char *issuer,
	const char *id, const char *kid, struct wv_err *err);
int wv_store_principal_revoked(struct wv_store *store, const char *principal,
	struct wv_time issued_at, struct wv_err *err);

/* Decisions. */
enum wv_stage {
	WV_STAGE_RECORDED,
	WV_STAGE_RUNNING, /* consumed; its capability_executed is to come */
	WV_STAGE_DONE,
};
struct wv_store_decision {
	const char *id, *digest, *capability_id, *principal, *token_id;
	const char *trace_id; /* may be NULL */
	const char *issuer;   /* of the token; "" if it names none; NULL: of
				 a store that did not keep it */
	const char *lineage;  /* JSON: [{"token_id", "kid"?}, ...], the token
				 and all that it was made from; NULL: no more
				 than token_id */
	struct wv_time token_issued_at; /* of the root */
	struct wv_time valid_until;
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
	const char *arguments;   /* JSON, or NULL */
	uint64_t size;
	struct wv_time expires_at; /* sec 0 = never */
};
int wv_store_add_artifact(struct wv_store *store,
	const struct wv_store_artifact *artifact, struct wv_err *err);
/* 1 and the artifact, expired or not, or 0. */
int wv_store_artifact(struct wv_store *store, struct wv_arena *arena,
	const char *handle_id, struct wv_store_artifact *artifact,
	struct wv_err *err);
/* The next Handle after this id ("" is the first) that expired before: 1, its
 * id and file, or 0. */
int wv_store_next_expired(struct wv_store *store, struct wv_arena *arena,
	const char *after, struct wv_time before,
	struct wv_store_artifact *artifact, struct wv_err *err);
/* Forgets it, and what was shown of it. */
int wv_store_drop_artifact(
	struct wv_store *store, const char *handle_id, struct wv_err *err);

/* What a principal was shown of a Handle: nothing yet is 0. */
int wv_store_shown(struct wv_store *store, const char *handle_id,
	const char *principal, uint64_t *rows, uint64_t *bytes,
	struct wv_err *err);
int wv_store_add_shown(struct wv_store *store, const char *handle_id,
	const char *principal, uint64_t rows, uint64_t bytes,
	struct wv_err *err);

/*
 * (group) Forgets what can matter no longer, at most `most` rows of a kind:
 * tokens, claims and revocations that ended before `before`, and decisions
 * that were good until then, done or not.  What never ends, and what runs,
 * stays; so do keys and the cut-offs of principals.  A decision that was
 * forgotten is one that was never made (decision_unknown).  1: there may be
 * more; 0: there is not.
 */
int wv_store_prune(struct wv_store *store, struct wv_time before, int most,
	struct wv_err *err);

/* Sliding windows.  The hits of one that are later than `after`. */
int wv_store_hits(struct wv_store *store, const char *name,
	struct wv_time after, int64_t *count, struct wv_err *err);
/* One hit more; those that are not later than `after` are forgotten. */
int wv_store_add_hit(struct wv_store *store, const char *name,
	struct wv_time at, struct wv_time after, struct wv_err *err);

#endif
