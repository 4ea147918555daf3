/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the records of all tools share: ids of the kernel, selections,
 * telemetry.  Members are made in the order of the contract.
 */
#ifndef WV_CONTRACT_RECORD_H
#define WV_CONTRACT_RECORD_H

#include "base/clock.h"
#include "json/json.h"

/* What records name when there is no capability or no verified principal. */
#define WV_NO_CAPABILITY "wv.none"
#define WV_NO_PRINCIPAL "wv.unauthenticated"
/* The id of the item and card that say that nothing matched. */
#define WV_NO_MATCH "no-match"

/* An id the kernel accepts: [A-Za-z0-9._:@/+-]{1,256}, no empty segment
 * (segments end at dots). */
bool wv_id_is_kernel(const char *id);
/* What keeps a text from being one, for a message: a character that looks like
 * an allowed one is named by its code point.  In the arena. */
const char *wv_id_fault(struct wv_arena *arena, const char *id);

/*
 * The TelemetryHint of a record that `cause` led to (NULL: none): the trace
 * of cause's metadata.telemetry, else of $TRACEPARENT (W3C, version 00), else
 * a new one; always a new span id.  Put it as metadata.telemetry.
 */
cJSON *wv_telemetry(struct wv_arena *arena, const cJSON *cause);

/* A time as a member's text. */
cJSON *wv_json_time(struct wv_arena *arena, struct wv_time t);

/* The selection of a RoutingDecision. */
enum wv_selection_end {
	WV_SELECTED,
	WV_SELECTED_NOTHING, /* selected_item_id absent or null */
	WV_SELECTED_NO_MATCH,
	WV_SELECTED_BAD, /* not in the card, on two cards, without capability */
};
struct wv_selection {
	enum wv_selection_end end;
	const cJSON *card, *item;
	const char *item_id, *capability_id;
	const char *why; /* when not usable: a reason in plain words */
};
void wv_selection_read(
	struct wv_selection *selection, const cJSON *routing_decision);

#endif
