/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wv-authorize: a RoutingDecision that selects something becomes a
 * PolicyDecision.  Records are taken in groups; each is judged outside the
 * lock by what does not change anything (check.c), and then, under the lock,
 * by what is consumed (decide.c).
 */
#ifndef WV_AUTHORIZE_H
#define WV_AUTHORIZE_H

#include "policy.h"

#include "contract/catalog.h"
#include "contract/record.h"
#include "json/lines.h"

/* A value of the token file. */
struct credential {
	struct wv_token token;
	const char *fault; /* why it is no CapabilityToken; NULL */
	bool issued;       /* the store was seen to hold exactly this one */
};

struct authorizer {
	struct policy policy;
	struct wv_catalog catalog;
	bool has_catalog;
	struct credential *tokens;
	size_t token_count;
	struct wv_arena arena; /* of tokens and catalogue */

	const char *principal; /* who asks; NULL: whom the token names */
	bool trust_unsigned, explain, dry_run;
	int64_t ttl_ms;
	struct wv_state *state;
	struct wv_time now; /* the kernel's, for what is judged unlocked */

	struct {
		size_t allowed, denied, unmatched, malformed;
	} counts;
};

/* What the checks of a request with one token came to. */
struct verdict {
	const char *code; /* allowed, or why not */
	const char *reason;
	const char *principal;
	struct credential *credential; /* once verified; else NULL */
	size_t stage;                  /* how many checks passed */
	struct policy_answer answer;
	struct verdict *next;
};

struct request {
	const char *source;
	size_t line;
	const cJSON *routing;
	struct wv_selection selection;
	const char *fault_code, *fault; /* what rules out any answer but no */
	cJSON *arguments;               /* an object; NULL if it was none */
	char arguments_sha256[WV_SHA256_HEX];
	const cJSON *justification;
	int64_t timeout_ms;                     /* 0: none was asked for */
	const struct wv_capability *capability; /* in the catalogue */

	struct verdict *passed; /* with which tokens, in the file's order */
	struct verdict verdict; /* with the one that got furthest */
};

/* tokens.c */
/* An id that can be somebody's. */
bool is_principal(const char *id);
/* Everything in the file; exits with 2 if it cannot be read whole.  leeway is
 * how much longer a token is good at both of its ends. */
void tokens_load(struct authorizer *a, const char *path, int64_t leeway_ms);

/* request.c */
/* -1: no RoutingDecision that can be answered. */
int request_check(const struct wv_record *rec, struct wv_arena *arena,
	struct wv_err *err);
/* Fills a request from a valid RoutingDecision; its arguments are taken out
 * of the tree. */
void request_read(const struct authorizer *a, struct request *request,
	const struct wv_record *rec, struct wv_arena *arena);

/* check.c */
/* All checks that consume nothing, with every token. */
int check_request(struct authorizer *a, struct request *request,
	struct wv_arena *arena, struct wv_err *err);
/*
 * (group) The checks that consume: the first token that passes these too is
 * used up as far as it is to be, and request->verdict says allowed.
 */
int check_consume(struct authorizer *a, struct request *request,
	struct wv_arena *arena, struct wv_err *err);

/* window.c: (group) the sliding windows of an allow's limits */
/* The first rule whose window is full: 1 and *full, or 0. */
int window_full(struct wv_state *state, const struct request *request,
	const struct verdict *verdict, const struct policy_rule **full,
	struct wv_err *err);
int window_add(struct wv_state *state, const struct request *request,
	struct wv_err *err);

/* decide.c */
enum { GROUP_MAX = 1024 };
/* The whole group in one transaction, then its decisions to out.  -1: nothing
 * of it happened. */
int decide_group(struct authorizer *a, struct request *requests, size_t count,
	struct wv_arena *arena, struct wv_out *out, struct wv_err *err);

/* For --explain: a check and what it saw. */
void explain(const struct authorizer *a, const struct request *request,
	const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
