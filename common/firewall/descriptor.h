/* SPDX-License-Identifier: Apache-2.0 */
/* The description of a tool: the text of others, which a model reads. */
#ifndef WV_FIREWALL_DESCRIPTOR_H
#define WV_FIREWALL_DESCRIPTOR_H

#include "json/json.h"

enum { WV_DESCRIPTOR_TEXT_MAX = 4096 }; /* bytes */

/* A text, cleaned and cut at a character; in the arena.  NULL if nothing is
 * left of it, or it is no text. */
const char *wv_descriptor_text(struct wv_arena *arena, const cJSON *text);

/* pointer: of the text, in node; what: "hides 12 characters", … */
typedef void wv_descriptor_hear(
	void *arg, const char *pointer, const char *what);
/* Tells of text that people do not see, and of text that tells the model what
 * to do, in every text and name of a tree. */
void wv_descriptor_check(
	const cJSON *node, wv_descriptor_hear *hear, void *arg);

#endif
