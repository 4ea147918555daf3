/* SPDX-License-Identifier: Apache-2.0 */
/* A Handle before who reads it: whether it is theirs, and how much of it they
 * may be shown under the obligations that it was kept under. */
#ifndef WV_CALL_HANDLE_H
#define WV_CALL_HANDLE_H

#include "call.h"

/* Of a Handle, in all or that is left; UINT64_MAX: any number. */
struct allowance {
	bool is_counted;
	uint64_t rows, bytes;
};

struct handle {
	struct wv_artifact artifact;
	const cJSON *obligations; /* may be NULL */
	struct allowance allowed; /* in all */
};

/* A number of an obligation, if it states one. */
bool obligation_stated(
	const cJSON *obligations, const char *name, uint64_t *limit);
/* They limit rows, fields or depth. */
bool obligations_limit(const cJSON *obligations);

/* STEP_FAILED: there is none with this id for who calls; id may be NULL. */
enum step handle_find(struct call *call, const char *id, struct handle *handle);
/* What is left of what may be shown; STEP_FAILED: nothing, or that cannot be
 * told. */
enum step handle_left(
	struct call *call, const struct handle *handle, struct allowance *left);
/* (group) */
int handle_use(struct call *call, const struct handle *handle,
	const struct wv_artifact_use *use, struct wv_err *err);
/* It would be more than what is left: STEP_FAILED. */
enum step handle_exceeded(
	struct call *call, const char *of, uint64_t more, uint64_t left);
/* The obligations of the decision and of the Handle, but for how it is shown:
 * who reads has asked for that by itself. */
cJSON *handle_meet(struct call *call, const struct handle *handle);

#endif
