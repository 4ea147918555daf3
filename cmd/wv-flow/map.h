/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where arguments and outputs come from.  Within what is written, an object
 *	{from: POINTER}  stands for a value of the input (/input…) or of a
 *	                 step's Frame (/steps/ID/structured_data…),
 *	{value: X}       stands for X, whatever X looks like,
 * and everything else for itself.
 */
#ifndef WV_FLOW_MAP_H
#define WV_FLOW_MAP_H

#include "flow.h"

/* Room for walks along needs, shared by the checks of a flow. */
struct map_walk {
	uint32_t *seen; /* by step: the last turn that saw it */
	uint32_t turn;
	size_t *stack;
};
void map_walk_init(
	struct map_walk *walk, struct wv_arena *arena, const struct flow *flow);

/* Checks what is written at a pointer of the flow's file for `step`; NULL:
 * for the outputs, which may use every step. */
void map_check(struct flow_faults *faults, struct wv_arena *arena,
	struct map_walk *walk, const cJSON *written, const char *pointer,
	const struct flow_step *step);

/* What references see of a run. */
struct map_scope {
	const struct flow *flow;
	const cJSON *input;
	const cJSON *const *frames; /* by index of step; NULL: has none */
};

/* A copy with the references resolved; NULL and an error that names the one
 * that leads nowhere. */
cJSON *map_resolve(struct wv_arena *arena, const cJSON *written,
	const struct map_scope *scope, struct wv_err *err);

#endif
