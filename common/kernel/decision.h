/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PolicyDecisions in the store: recorded by wv-authorize, consumed by
 * wv-call, each at most once.  A decision is executed only if exactly this
 * record was made here: the store keeps the digest of the whole.
 */
#ifndef WV_KERNEL_DECISION_H
#define WV_KERNEL_DECISION_H

#include "kernel/token.h"

/* (group) An allow; valid until the earlier of valid_until and the token's
 * end. */
int wv_decision_record(struct wv_state *state, const cJSON *decision,
	const struct wv_token *token, struct wv_time valid_until,
	struct wv_err *err);

/*
 * (group) Consumes an allow for plan.  1: it is ours and must get exactly one
 * capability_executed; 0: *code says why not (decision_unknown,
 * decision_altered, decision_consumed, decision_expired, token_revoked,
 * stopped); -1: error.
 */
int wv_decision_take(struct wv_state *state, const cJSON *decision,
	const char *plan, const char **code, struct wv_err *err);
/* (group) Its capability_executed is part of this group. */
int wv_decision_done(
	struct wv_state *state, const char *decision_id, struct wv_err *err);

/* Whether the store holds exactly this record: 1; 0: none with its id;
 * WV_DECISION_OTHER: another one. */
enum { WV_DECISION_OTHER = 2 };
int wv_decision_look(
	struct wv_state *state, const cJSON *decision, struct wv_err *err);

/* A plan is the life of one wv-call: holds a lock on run/PLAN until exit.  The
 * file holds its label, may be NULL. */
int wv_plan_start(struct wv_state *state, const char *plan, const char *label,
	struct wv_err *err);
void wv_plan_end(struct wv_state *state, const char *plan);
/* 1: nobody holds its lock, so whoever ran it is gone; 0: it lives. */
int wv_plan_is_dead(
	struct wv_state *state, const char *plan, struct wv_err *err);

/* Asks the plan with this id, or every plan with this label, to end: the file
 * run/PLAN.cancel, empty.  How many of them live, or -1. */
int wv_plan_cancel(
	struct wv_state *state, const char *name, struct wv_err *err);
/* Somebody did, or whether they did cannot be established. */
bool wv_plan_is_cancelled(const struct wv_state *state, const char *plan);
/* The path of that file, for tools to look at; in the arena. */
const char *wv_plan_cancel_file(
	struct wv_arena *arena, const struct wv_state *state, const char *plan);
/* Puts it there for the tools alone, or takes it away: it is not empty then,
 * and no wish that the plan should end. */
void wv_plan_mark(struct wv_state *state, const char *plan);
void wv_plan_unmark(struct wv_state *state, const char *plan);

#endif
