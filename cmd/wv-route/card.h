/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RoutingDecisions and their cards.  What a card shows of a capability is
 * untrusted text: one line, bounded, without controls, invisible characters,
 * addresses and JSON (which is where schemas and argument definitions hide,
 * I-03).
 */
#ifndef WV_ROUTE_CARD_H
#define WV_ROUTE_CARD_H

#include "rank.h"

enum { CARD_LABEL_MAX = 64, CARD_DESCRIPTION_MAX = 200 }; /* characters */

/* What a decision comes from; NULL where there is nothing. */
struct origin {
	const char *id;         /* of the request, else a new one is made */
	const cJSON *cause;     /* the request */
	const cJSON *arguments; /* an object; copied */
	const char *justification;
};

/* Appends a text as a card may show it, "…" at its end if it was cut. */
void card_text(struct wv_str *out, const char *text, size_t max);

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

/* The choices as text for a prompt: `[1/3] ID - LABEL: DESCRIPTION` lines. */
void decision_menu(struct wv_str *out, const cJSON *decision);

#endif
