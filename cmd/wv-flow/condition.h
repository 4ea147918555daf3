/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_FLOW_CONDITION_H
#define WV_FLOW_CONDITION_H

#include "map.h"

/* 1: it holds; 0: not; -1 and an error: there is no value and no default, or
 * the schema could not be judged. */
int condition_holds(const struct flow_condition *condition,
	const struct map_scope *scope, struct wv_err *err);
/* All of a step. */
int conditions_hold(const struct flow_step *step, const struct map_scope *scope,
	struct wv_err *err);

#endif
