/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Setting the selection of a RoutingDecision.  Exact, but for white space
 * around the choice: what is not on the cards, or on them twice, is refused
 * and never guessed.  All return 0, or -1 and what is wrong with the nearest
 * choice named.
 */
#ifndef WV_ROUTE_SELECT_H
#define WV_ROUTE_SELECT_H

#include "json/json.h"

/* By item id, or "top": the first item. */
int select_choose(struct wv_arena *arena, cJSON *decision, const char *choice,
	struct wv_err *err);
/* By the capability that an item stands for. */
int select_pin(struct wv_arena *arena, cJSON *decision,
	const char *capability_id, struct wv_err *err);
/* The decision says that nothing matched. */
bool select_is_no_match(const cJSON *decision);

#endif
