/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Capability tokens: what one says, and what the store knows of it.  Calls
 * marked (group) are made between wv_state_begin() and wv_state_commit().
 */
#ifndef WV_KERNEL_TOKEN_H
#define WV_KERNEL_TOKEN_H

#include "kernel/state.h"

struct wv_token {
	const cJSON *node;
	const char *id, *principal, *issuer; /* issuer may be NULL */
	const cJSON *scope;
	bool single_use;
	bool expires;
	struct wv_time issued_at, expires_at, not_before;
	bool has_not_before;
	const char *arguments_sha256; /* bound to exactly these; NULL = free */
	char digest[WV_SHA256_HEX];   /* of the whole token */
};

/* Shape and I-06; -1 with a reason in plain words. */
int wv_token_read(
	struct wv_token *token, const cJSON *node, struct wv_err *err);
/* Exact ids, or `a.b.*`: the whole last segment, one or more segments deep. */
bool wv_token_covers(const struct wv_token *token, const char *capability_id);
/* What a scope entry may look like; for wv-token issue. */
bool wv_scope_is_valid(const char *scope);

/* (group) Records an issued token; its token_issued event is the caller's. */
int wv_token_record(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err);
/* 1: the store holds exactly this token; 0: not this id; -1: error;
 * 2: this id with another digest. */
int wv_token_issued(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err);
/* 1 if the token, its principal (issued before the cut-off) is revoked. */
int wv_token_revoked(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err);
/* (group) 1 if this call spent it, 0 if it was spent before. */
int wv_token_spend(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err);
/* (group) 1 if newly revoked, 0 if it was. */
int wv_token_revoke(
	struct wv_state *state, const char *token_id, struct wv_err *err);
/* (group) Every token of the principal issued before `before`. */
int wv_token_revoke_principal(struct wv_state *state, const char *principal,
	struct wv_time before, struct wv_err *err);

#endif
