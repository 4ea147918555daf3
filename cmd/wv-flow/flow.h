/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow files: wv-flow(5).  A flow that is loaded has been checked: ids are
 * unique, needs exist and have no cycle, every reference is to a value that
 * will be there, and it says nothing that this version does not do.
 */
#ifndef WV_FLOW_FLOW_H
#define WV_FLOW_FLOW_H

#include "base/hash.h"
#include "json/doc.h"
#include "schema/schema.h"

struct flow_step {
	const char *id, *capability;
	const cJSON *arguments; /* as written; NULL: none */
	size_t index;           /* of its declaration */
	size_t *needs;          /* indices of declarations */
	size_t need_count;
	bool is_needed;     /* by another step */
	bool may_fail;      /* on_error: continue */
	int64_t timeout_ms; /* 0: the tool's */
};

struct flow {
	struct wv_doc doc;
	const char *name, *capability;
	const struct wv_schema *input_schema; /* NULL: anything goes */
	struct wv_schema_set *schemas;
	struct flow_step *steps; /* as declared */
	size_t count;
	size_t *order;     /* indices: every step behind what it needs, else as
	                      declared */
	struct wv_map ids; /* id of a step to its index */
	const char **id_list; /* as declared, NULL-terminated */
	const cJSON *outputs; /* as written, or NULL */
};

/* Everything lives in the arena.  Every fault is told as a message: 0 none,
 * 1 some, 2 the file cannot be read. */
int flow_load(struct flow *flow, struct wv_arena *arena, const char *path);
void flow_free(struct flow *flow);

/* A fault at a pointer of the flow's file, counted, and told if it is among
 * the first. */
struct flow_faults {
	const struct flow *flow;
	size_t count;
};
enum { FLOW_FAULTS_MAX = 100 };
void flow_fault(struct flow_faults *faults, const char *pointer,
	const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* ", did you mean "x"?" or "", in the arena. */
const char *flow_nearest(const struct flow_faults *faults,
	struct wv_arena *arena, const char *word, const char *const *list);

/* graph.c: fills order; cycles are told. */
void flow_sort(
	struct flow *flow, struct wv_arena *arena, struct flow_faults *faults);

#endif
