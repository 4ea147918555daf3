/* SPDX-License-Identifier: Apache-2.0 */
/* The choices of a RoutingDecision as text for a prompt. */
#ifndef WV_CARD_MENU_H
#define WV_CARD_MENU_H

#include "json/json.h"

/* What is shown of an item, in characters. */
enum { WV_CARD_LABEL_MAX = 64, WV_CARD_DESCRIPTION_MAX = 200 };
enum { WV_CARD_TAG_MAX = 24, WV_CARD_TAGS_MAX = 5 };

struct wv_menu {
	const char *prefix; /* of every line; NULL: none */
	/* Appends what of somebody else's text may be shown at all; NULL: all
	 * that is clean. */
	void (*purify)(struct wv_str *out, const char *text, void *arg);
	void *arg;
};

/* Appends `[1/3] ID - LABEL: DESCRIPTION [TAG, TAG]` lines, those of a card
 * below its context_hint if there are several.  A description that is the label
 * is left out, and [] tells words in brackets from tags.  The decision may be
 * anybody's. */
void wv_menu_add(
	struct wv_str *out, const struct wv_menu *menu, const cJSON *decision);

/* Appends foreign text as a menu shows it, in at most max characters; text may
 * be NULL. */
void wv_menu_text(struct wv_str *out, const struct wv_menu *menu,
	const char *text, size_t max);

#endif
