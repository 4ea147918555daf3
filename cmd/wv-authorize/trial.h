/* SPDX-License-Identifier: Apache-2.0 */
/* One token with one request: for check.c, handle.c and explain.c. */
#ifndef WV_TRIAL_H
#define WV_TRIAL_H

#include "authorize.h"

struct trial {
	struct authorizer *a;
	const struct request *request;
	struct credential *credential;
	struct wv_time now;
	struct wv_arena *arena;
	struct wv_err *err; /* filled: could not be told */
	struct verdict *verdict;
	const char *seen; /* handle.c: what is read */
};

/* The verdict is this; false. */
bool trial_no(struct trial *t, const char *code, const char *reason);

/* What the check of this name looked at, for --explain; in the arena. */
const char *trial_value(const struct trial *t, const char *check);
/* What each rule of the policy said to it. */
void trial_explain_rules(
	const struct trial *t, const struct policy_answer *answer);

/* handle.c: the request is to read what is stored behind a Handle, and then
 * the check of it */
bool reads_handle(const struct request *request);
bool is_handle_allowed(struct trial *t);
/* What is kept behind a Handle may be read. */
bool is_handle_readable(struct trial *t, const char *id);
/* Numbers of other obligations hold too, where they are less. */
void trial_meet(struct trial *t, const cJSON *theirs);

/* reference.c: and so may all that the arguments refer to */
bool are_references_allowed(struct trial *t);

#endif
