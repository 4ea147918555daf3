/* SPDX-License-Identifier: Apache-2.0 */
/* RoutingDecisions. */
#ifndef WV_ROUTE_DECISION_H
#define WV_ROUTE_DECISION_H

#include "rank.h"

/* What a decision comes from; NULL where there is nothing. */
struct origin {
	const char *id;         /* of the request, else a new one is made */
	const cJSON *cause;     /* the request */
	const cJSON *arguments; /* an object; copied */
	const char *justification;
	bool by_namespace; /* a card for each, that of the first choice first */
};

/* The choices for a query, or the no-match card. */
cJSON *decision_ranked(struct wv_arena *arena, const struct origin *origin,
	const char *query, const struct rank_result *result);
/* One card of one item, selected; tool is NULL when there is no catalogue. */
cJSON *decision_pinned(struct wv_arena *arena, const struct origin *origin,
	const char *capability_id, const struct wv_capability *tool);

/* Sets the selection of a decision, members in the contract's order. */
void decision_select(struct wv_arena *arena, cJSON *decision,
	const char *item_id, const char *card_id);
/* Sets the arguments and the justification of one that came in. */
void decision_add(
	struct wv_arena *arena, cJSON *decision, const struct origin *origin);

#endif
