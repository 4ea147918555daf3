/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where arguments and outputs come from.  Within what is written, an object
 *	{from: POINTER}    stands for a value of the input (/input…), of the
 *	                   item of for_each (/item…) or of a step's Frame
 *	                   (/steps/ID/structured_data…),
 *	{handle: POINTER}  stands for what the Handle there keeps,
 *	{value: X}         stands for X, whatever X looks like,
 * and everything else for itself.  The first two may have a default beside
 * them, for when there is nothing at the pointer.
 */
#ifndef WV_FLOW_MAP_H
#define WV_FLOW_MAP_H

#include "flow.h"

struct map_reference {
	const char *pointer;
	const cJSON *otherwise; /* the default, or NULL */
	bool is_handle;
};
/* Whether an object is a reference. */
bool map_reference_read(struct map_reference *reference, const cJSON *object);

/* map-check.c: every reference of a flow whose order is known; fills what
 * each step uses. */
void map_check(struct flow *flow, struct wv_arena *arena);

/* What references see of a run. */
struct map_scope {
	const struct flow *flow;
	const cJSON *input;
	const cJSON *const *frames; /* by index of step; NULL: has none */
	const cJSON *item;          /* of for_each; NULL: there is none */
};

/* A copy with the references resolved, an object; NULL and an error that names
 * the one that leads nowhere.  A Handle becomes {"x_wv_handle": ID}: its bytes
 * are never seen here. */
cJSON *map_resolve(struct wv_arena *arena, const cJSON *written,
	const struct map_scope *scope, struct wv_err *err);
/* The value of one reference, of any type, not a copy: for_each, conditions. */
const cJSON *map_value(const cJSON *reference, const struct map_scope *scope,
	struct wv_err *err);

/* map-find.c: the pointer of the first reference within what is written that is
 * so; NULL: there is none. */
const char *map_find(
	const cJSON *written, bool (*is)(const struct map_reference *));

#endif
