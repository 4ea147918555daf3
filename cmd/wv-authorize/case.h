/* SPDX-License-Identifier: Apache-2.0 */
/* A line of a table of --test: a request, a token, and what is expected. */
#ifndef WV_AUTHORIZE_CASE_H
#define WV_AUTHORIZE_CASE_H

#include "authorize.h"

struct policy_case {
	struct wv_doc doc; /* the line, for places in it */
	const struct wv_record *record;
	const char *name; /* NULL */
	struct request request;
	struct credential token;
	bool has_token;
	struct wv_time now;
	const cJSON *expect;
};

/*
 * A token is believed: what it says of itself, issued unless it is signed.
 * -1: it is no case; err is about the record.
 */
int case_read(const struct authorizer *a, struct policy_case *c,
	const struct wv_record *rec, struct wv_arena *arena,
	struct wv_err *err);

#endif
