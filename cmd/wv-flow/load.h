/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that load a flow share. */
#ifndef WV_FLOW_LOAD_H
#define WV_FLOW_LOAD_H

#include "flow.h"

/* One load: the file that is asked for and those it names. */
struct load {
	struct wv_arena *arena;
	const struct flow_limits *limits;
	size_t bytes;        /* of the files so far */
	struct wv_map index; /* real path to place */
	struct flow **flows; /* in the order they were begun */
	struct flow **open;  /* of which these are being read */
	size_t count, depth;
	struct flow *last; /* of the list that ->next makes */
};

/* The flow of the file that a step of `flow` names; NULL and a fault at the
 * pointer. */
const struct flow *load_inner(struct load *load, struct flow *flow,
	const char *pointer, const char *path);

/* load-flow.c: all that a flow says, whose document is there and fits the
 * schema. */
void load_flow(struct load *load, struct flow *flow);
/* load-step.c: what a step says by itself; then what it needs, once all ids
 * are known. */
void load_step(
	struct load *load, struct flow *flow, const cJSON *node, size_t index);
void load_needs(struct flow *flow, struct wv_arena *arena, const cJSON *node,
	struct flow_step *step);
/* A schema that a flow holds at a pointer; NULL and a fault. */
const struct wv_schema *load_schema(
	struct flow *flow, const cJSON *schema, const char *pointer);
/* A duration, which is more than 0; 0 and a fault; 0 if it is not there. */
int64_t load_duration(struct flow *flow, const cJSON *node, const char *name,
	const char *pointer);

#endif
