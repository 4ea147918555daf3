/* SPDX-License-Identifier: Apache-2.0 */
/* What issue and narrow share: the options that both have, and how a new
 * token is signed, recorded, logged and written. */
#ifndef WV_TOKEN_MINT_H
#define WV_TOKEN_MINT_H

#include "main.h"

struct mint {
	struct wv_arena *arena;
	const char *state, *kid, *out; /* kid and out may be NULL */
	cJSON *scope, *roles;          /* NULL: not given */
	int64_t ttl_ms;                /* 0: not given */
	bool expires, single_use;
	struct wv_time expires_at; /* if expires */
};

/* clang-format off */
#define MINT_OPTS \
	{ MINT_SCOPE, "scope", "CAPABILITY", \
		"what for: an id, or a.b.* for all beneath; may be repeated" }, \
	{ MINT_TTL, "ttl", "D", "until when: 15m, 24h, 7d from now" }, \
	{ MINT_EXPIRES, "expires", "TIME", "until when, as a time" }, \
	{ MINT_SINGLE_USE, "single-use", NULL, "for one call only" }, \
	{ MINT_ROLES, "roles", "ROLE", \
		"as what the principal acts; may be repeated" }, \
	{ MINT_SIGN, "sign", "KID", "sign it with a key of the state" }, \
	{ MINT_OUT, "out", "FILE", \
		"write it to a new file, readable by its owner only" }, \
	WV_STATE_OPT, \
	WV_NOW_OPT
/* clang-format on */
enum {
	MINT_SCOPE = 1400,
	MINT_TTL,
	MINT_EXPIRES,
	MINT_SINGLE_USE,
	MINT_ROLES,
	MINT_SIGN,
	MINT_OUT,
};
/* Takes one of them. */
void mint_option(struct mint *mint, const struct wv_opts *opts, int id);
/* When it is to end: 1, or 0 if no end was given. */
int mint_end(const struct mint *mint, struct wv_time now, struct wv_time *end);
/* metadata.x_wv_nonce, so that nobody can rebuild it from what is logged. */
void mint_nonce(const struct mint *mint, cJSON *metadata);

/*
 * Within a group, makes the token with all but its signature.  NULL: it is
 * refused, which has been told, or err says what went wrong.
 */
typedef cJSON *mint_make(struct wv_state *state, void *arg, struct wv_err *err);
/* The exit status: once it is written, it is recorded. */
int mint_run(const struct mint *mint, mint_make *make, void *arg);

#endif
