/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The items of cards.  What an item shows of a capability is untrusted text
 * (card/shown.h), and little of it: as a line of a menu, without its number, it
 * counts at most ITEM_TOKENS, or ITEM_TOKENS_MAX if its id is long.  The id
 * stays whole; it is what a selection names.
 */
#ifndef WV_ROUTE_CARD_H
#define WV_ROUTE_CARD_H

#include "rank.h"

enum { ITEM_TOKENS = 60, ITEM_TOKENS_MAX = 80 }; /* by the counter approx */

/* An item that is no capability of a catalogue. */
cJSON *card_item(struct wv_arena *arena, const char *id, const char *label,
	const char *description);
/*
 * That of a capability: its metadata, an ExtendedSelectableItemMetadata, has
 *	ui_hint.group           its namespace: the id up to the last dot
 *	risk_assessment         as far as the catalogue knows safety or risk
 *	requires_confirmation   true: destructive, or of high or critical risk
 *	x_wv_tags               destructive or read-only first, which no tag of
 *	                        the catalogue's own can say
 */
cJSON *card_item_of(struct wv_arena *arena, const struct wv_capability *tool);
/* The same, with x_wv_score, and x_wv_similar and x_wv_similar_count of those
 * it stands for. */
cJSON *card_item_of_hit(struct wv_arena *arena, const struct rank_hit *hit);

/* Of an id up to its last dot; 0: it has none. */
size_t card_namespace_length(const char *id);
cJSON *card_new(struct wv_arena *arena, const char *id, cJSON *items);

#endif
