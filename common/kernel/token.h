/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Capability tokens: what one says, and what the store knows of it.  Calls
 * marked (group) are made between wv_state_begin() and wv_state_commit().
 *
 * A narrowed token names those it was made from in metadata.x_wv_parent, the
 * root first: [{"token_id", "issued_at", "kid"?}, ...], with its own issuer.
 * What is spent is the root, and what revokes any of them revokes it.
 */
#ifndef WV_KERNEL_TOKEN_H
#define WV_KERNEL_TOKEN_H

#include "kernel/state.h"

enum {
	WV_LINEAGE_MAX = 16, /* tokens that one may be narrowed from */
	WV_ROLES_MAX = 64,
};

struct wv_token {
	const cJSON *node;
	const char *id, *principal;
	const char *issuer; /* "" if it names none */
	const char *kid;    /* of the key that signed it; NULL */
	const cJSON *scope;
	const cJSON *roles;      /* metadata.roles: strings; or NULL */
	const cJSON *attributes; /* metadata.attributes: of strings; or NULL */
	const cJSON *parents;    /* metadata.x_wv_parent; or NULL */
	bool single_use;
	bool expires;
	struct wv_time issued_at, expires_at, not_before;
	struct wv_time root_issued_at; /* its own, or its root's */
	bool has_not_before;
	const char *arguments_sha256; /* bound to exactly these; NULL = free */
	char digest[WV_SHA256_HEX];   /* of the whole token */
};

/* Shape, I-06, and ids that the kernel accepts; -1 with a reason in plain
 * words. */
int wv_token_read(
	struct wv_token *token, const cJSON *node, struct wv_err *err);
/* The token whose use is counted: its own id, or that of its root. */
const char *wv_token_root(const struct wv_token *token);

/*
 * Why a token is believed, in rising order of trust.  Issued: the store holds
 * the digest of exactly this one.  Signed: by a key of the keyring that may.
 */
enum wv_trust { WV_UNTRUSTED, WV_UNSIGNED, WV_ISSUED, WV_SIGNATURE };
const char *wv_trust_name(enum wv_trust trust); /* x_wv_trust */
struct wv_trust_rules {
	const struct wv_keyring *keyring; /* may be NULL */
	bool unsigned_too;                /* --trust-unsigned */
	bool signed_only;                 /* --require-signed */
};
/* The value of --leeway, in milliseconds; misuse if that is more than 10m. */
int64_t wv_leeway_option(const struct wv_opts *opts);
/* 1 and *trust; 0: *code (token_untrusted, token_signature_invalid,
 * signature_required) and why; -1: could not tell, why is the error.  Without
 * a state nothing was issued. */
int wv_token_trust(struct wv_state *state, const struct wv_trust_rules *rules,
	const struct wv_token *token, struct wv_time now, enum wv_trust *trust,
	const char **code, struct wv_err *why);

/* For the store: [{"token_id", "kid"?}, ...], the token and then those that it
 * was made from, as it names them; NULL if it is alone and no key signed it. */
const char *wv_token_lineage(
	struct wv_arena *arena, const struct wv_token *token);
/* 1 if any of them, or a key that signed any, is revoked.  lineage is as the
 * store gave it. */
int wv_lineage_revoked(struct wv_state *state, const char *issuer,
	const char *token_id, const char *lineage, struct wv_err *err);

/* (group) Records an issued token; its token_issued event is the caller's. */
int wv_token_record(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err);
/* 1 if the token, one that it was made from, their principal (issued before
 * the cut-off) or a key that signed any is revoked. */
int wv_token_revoked(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err);
/* (group) 1 if this call spent it, 0 if it was spent before. */
int wv_token_spend(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err);
/* 1 if it was spent. */
int wv_token_spent(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err);

#endif
