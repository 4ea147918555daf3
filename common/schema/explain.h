/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults in the user's words.  Private to this folder.
 */
#ifndef WV_SCHEMA_EXPLAIN_H
#define WV_SCHEMA_EXPLAIN_H

#include "schema/program.h"

struct fault {
	struct wv_schema_error error;
	struct fault *before; /* told before this one */
	size_t number;
	const char *order; /* indexes from the root, four bytes each */
	size_t order_len;
	bool of_type;   /* the value has not even the type */
	bool of_const;  /* nor the one value that it may have */
	bool of_choice; /* nor one of several */
	bool beside;    /* of a branch that is told after the nearest */
};

struct faults {
	struct fault *last;
	size_t count;
};

struct report {
	struct wv_arena *arena;
	size_t max;
	enum wv_schema_branches branches;
	struct faults *faults; /* the list in use */
	/* of the value that is being judged */
	struct wv_str pointer, order;
	bool of_name; /* the value is the name of a member */
};

/* fault.c */
/* Into a member (name), or an item (NULL), and out again. */
void wv_fault_enter(struct report *report, const char *name, uint32_t index);
void wv_fault_leave(struct report *report, size_t pointer_len);
/* A fault of the value that is being judged; message is clean already. */
struct fault *wv_fault_add(struct report *report,
	const struct wv_schema *schema, const char *keyword,
	const char *message);
/* Copies the faults of another list, in their order; beside: what to put
 * before each message if they are told beside others, else NULL. */
void wv_fault_merge(
	struct report *report, const struct faults *faults, const char *beside);
/* All, in the order of the instance, a value before what is in it. */
struct wv_schema_error *wv_fault_errors(struct report *report);
/* An error about the whole value; message is kept. */
struct wv_schema_error *wv_fault_whole(struct wv_arena *arena,
	const struct wv_schema *schema, const char *keyword,
	const char *message);

/* explain.c */
void wv_explain_type(
	struct report *report, const struct wv_schema *schema, const cJSON *v);
/* An operation that failed by itself, not by a subschema. */
void wv_explain_op(struct report *report, const struct wv_schema *schema,
	const struct op *op, const cJSON *v);
/* found: as far as it was counted. */
void wv_explain_contains(struct report *report, const struct wv_schema *schema,
	const struct op *op, const cJSON *v, uint64_t found);
/* The first item that there is no room for. */
void wv_explain_surplus_item(struct report *report,
	const struct wv_schema *schema, const struct op *op, uint32_t index);

/* explain-member.c */
/* Each that is required and missing. */
void wv_explain_required(struct report *report, const struct wv_schema *schema,
	const struct members *members, const cJSON *v);
/* member is there and needs the one of that name. */
void wv_explain_dependency(struct report *report,
	const struct wv_schema *schema, const char *keyword, const char *member,
	const char *name);
/* A member of v that additionalProperties or unevaluatedProperties refuse. */
void wv_explain_unknown_member(struct report *report,
	const struct wv_schema *schema, const char *keyword, const cJSON *v,
	const cJSON *member, uint32_t index);
/* The schema only asks for members: which; else NULL. */
const struct members *wv_explain_demand(const struct wv_schema *schema);
/* "a, b and c" */
void wv_explain_names(struct wv_str *out, const struct members *members);
/* These two branches of a oneOf hold. */
void wv_explain_overlap(struct report *report, const struct wv_schema *schema,
	const struct op *op, const uint32_t held[2]);

/* Parts of messages: bounded and cleaned. */
void wv_explain_name(struct wv_str *out, const char *name);
void wv_explain_value(struct wv_str *out, const cJSON *value);
void wv_explain_types(struct wv_str *out, unsigned types, const cJSON *v);
/* A schema and its const or enum. */
struct choice {
	const struct wv_schema *schema;
	const struct op *op;
};
/* What they allow, and which of it v (NULL: nothing) may mean. */
void wv_explain_choice(struct report *report, struct wv_str *out,
	const struct choice *choices, uint32_t count, const cJSON *v);
void wv_explain_suggestion(struct wv_str *out, const char *near);

#endif
