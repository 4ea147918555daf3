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
#include "kernel/reference.h"

/* A value of the token file. */
struct credential {
	struct wv_token token;
	const char *fault;   /* why it is no CapabilityToken; NULL */
	enum wv_trust trust; /* why it is believed, */
	size_t believed;     /* in this view of the state */
	size_t unrevoked;    /* the view in which it was seen to be so */
};

struct authorizer {
	struct policy policy;
	struct wv_catalog catalog;
	bool has_catalog;
	struct credential *tokens;
	size_t token_count;
	struct wv_arena arena; /* of tokens and catalogue */

	struct wv_keyring *keyring; /* the one of the rules; NULL */
	struct wv_trust_rules trust;
	const char *principal; /* who asks; NULL: whom the token names */
	bool explain, dry_run;
	int64_t ttl_ms, leeway_ms;
	struct wv_state *state; /* NULL: of a table, nothing is consumed */
	const char *state_name; /* as --state said it; NULL */
	struct wv_time now;     /* the kernel's */
	size_t view;            /* another one whenever now moves, or what the
				   state says of tokens may have changed */

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
	/* What policy says of reading each reference, as they are there. */
	struct policy_answer *readings;
	size_t reading_count;
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
	const char *references[WV_REFERENCES_MAX]; /* ids of Handles in them */
	size_t reference_count;
	const cJSON *justification;
	int64_t timeout_ms;                     /* 0: none was asked for */
	const struct wv_capability *capability; /* in the catalogue */

	struct verdict *passed; /* with which tokens, in the file's order */
	struct verdict verdict; /* with the one that got furthest */
};

/* load.c: everything is read whole before the first record, so that nothing
 * is decided by half a policy; what cannot be exits with 2. */
struct sources {
	const char *policy, *tokens, *keyring, *state;
	const char **catalogs;
	size_t catalog_count;
};
void load_world(struct authorizer *a, const struct sources *from);
/* For what touches no state: the policy and, if there is one, the catalogue. */
void load_policy(struct authorizer *a, const struct sources *from);
void unload(struct authorizer *a);

/* tokens.c */
/* An id that can be somebody's. */
bool is_principal(const char *id);
/* What it says, its ends moved by the leeway; the fault, if it is none, in
 * the arena. */
void credential_read(const struct authorizer *a, struct credential *credential,
	const cJSON *node, struct wv_arena *arena);
/* Everything in the file; exits with 2 if it cannot be read whole. */
void tokens_load(struct authorizer *a, const char *path);

/* request.c */
/* -1: no RoutingDecision that can be answered. */
int request_check(
	const cJSON *routing, struct wv_arena *arena, struct wv_err *err);
/* Fills a request from a valid RoutingDecision, but for its place; its
 * arguments are taken out of the tree. */
void request_read(const struct authorizer *a, struct request *request,
	cJSON *routing, struct wv_arena *arena);

/* check.c */
/* All checks that consume nothing, with every token. */
int check_request(struct authorizer *a, struct request *request,
	struct wv_arena *arena, struct wv_err *err);
/*
 * (group, but for a dry run) The checks that consume: the first token that
 * passes these too is used up as far as it is to be, and request->verdict
 * says allowed.
 */
int check_consume(struct authorizer *a, struct request *request,
	struct wv_arena *arena, struct wv_err *err);

/* window.c: the sliding windows of an allow's limits */
struct window_use {
	const struct policy_rule *rule; /* that has a limit */
	const char *capability_id;
	size_t times; /* the call, and each reading of what it refers to */
};
/* What a request uses of them, each once; in the arena. */
size_t window_uses(const struct request *request, const struct verdict *verdict,
	struct wv_arena *arena, const struct window_use **uses);
int window_hits(const struct authorizer *a, const struct window_use *use,
	const char *principal, int64_t *hits, struct wv_err *err);
/* The first rule whose window has no room for it: 1 and *full, or 0. */
int window_full(const struct authorizer *a, const struct request *request,
	const struct verdict *verdict, struct wv_arena *arena,
	const struct policy_rule **full, struct wv_err *err);
/* (group) */
int window_add(const struct authorizer *a, const struct request *request,
	struct wv_arena *arena, struct wv_err *err);

/* decide.c */
enum { GROUP_MAX = 1024 };
bool is_allowed(const struct request *request);
/* The whole group in one transaction, then its decisions to out.  -1: nothing
 * of it happened. */
int decide_group(struct authorizer *a, struct request *requests, size_t count,
	struct wv_arena *arena, struct wv_out *out, struct wv_err *err);

/* approve.c: for approval_required, what a person would run to approve; as
 * one line for a shell, whatever the token holds */
void approve_tell(const struct authorizer *a, const struct request *request);

/* case.c, table.c: --test.  Returns the exit status. */
struct wv_reports;
int table_run(struct authorizer *a, const char *path,
	const struct wv_lines_options *options, struct wv_reports *reports,
	bool strict);

/* explain.c: for --explain: a check and what it saw. */
void explain(const struct authorizer *a, const struct request *request,
	const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
