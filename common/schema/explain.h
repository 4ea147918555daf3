/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults in the user's words, collected in the order of the instance.
 * Private to this folder.
 */
#ifndef WV_SCHEMA_EXPLAIN_H
#define WV_SCHEMA_EXPLAIN_H

#include "schema/program.h"

struct fault {
	struct wv_schema_error error;
	struct fault *next;
	const char *order; /* indexes from the root, four bytes each */
	size_t order_len;
	bool of_type;  /* the value has not even the type */
	bool of_value; /* a const or an enum: the branch is not meant */
};

struct faults {
	struct fault *first;
	size_t count;
};

struct report {
	struct wv_arena *arena;
	size_t max;
	struct faults *faults; /* the list in use */
	/* of the value that is being judged */
	struct wv_str pointer, order;
};

/* Into a member (name), or an item (NULL), and out again. */
void wv_report_enter(struct report *report, const char *name, uint32_t index);
void wv_report_leave(struct report *report, size_t pointer_len);
/* A fault of the value that is being judged; message is clean already. */
struct fault *wv_report_add(struct report *report,
	const struct wv_schema *schema, const char *keyword,
	const char *message);
/* Takes over the faults of another list. */
void wv_report_merge(struct report *report, struct faults *faults);

void wv_explain_type(
	struct report *report, const struct wv_schema *schema, const cJSON *v);
/* An operation that failed by itself, not by a subschema. */
void wv_explain_op(struct report *report, const struct wv_schema *schema,
	const struct op *op, const cJSON *v);
void wv_explain_unknown_member(struct report *report,
	const struct wv_schema *schema, const struct members *members,
	const cJSON *member);

/* An error about the whole value; message is kept. */
struct wv_schema_error *wv_explain_whole(struct wv_arena *arena,
	const struct wv_schema *schema, const char *keyword,
	const char *message);

/* Parts of messages: bounded and cleaned. */
void wv_explain_name(struct wv_str *out, const char *name);
void wv_explain_value(struct wv_str *out, const cJSON *value);
void wv_explain_types(struct wv_str *out, unsigned types, const cJSON *v);

/* branch.c: no branch of an anyOf or oneOf held; lists: what each said. */
void wv_explain_branches(struct report *report, const struct wv_schema *schema,
	const struct op *op, const cJSON *v, struct faults *lists);
/* Two branches of a oneOf held. */
void wv_explain_overlap(struct report *report, const struct wv_schema *schema,
	const struct op *op, const uint32_t held[2]);

#endif
