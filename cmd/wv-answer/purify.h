/* SPDX-License-Identifier: Apache-2.0 */
/* Stage 4's means: text and trees as they may be shown. */
#ifndef WV_ANSWER_PURIFY_H
#define WV_ANSWER_PURIFY_H

#include "item.h"

enum purify {
	PURIFY_SECRETS, /* clean, without keys, tokens and passwords */
	PURIFY_ALL,     /* and without what is about people */
};

/* Appends it. */
void purify_text(struct wv_arena *arena, struct wv_str *out, const char *s,
	size_t n, enum purify what);
/* JSON, or text with JSON on some lines, without its x_… members, at any depth;
 * false, and nothing appended, if a text is none or has none.  s[n] as for
 * wv_firewall_frame(). */
bool purify_private(struct wv_str *out, const char *s, size_t n);
/* A schema without them, arguments of that name apart, clean and without keys,
 * tokens and passwords; NULL: that is no JSON. */
cJSON *purify_schema(struct wv_arena *arena, const cJSON *schema);
/* Summary, data and note of a Frame, whose tree is changed.  is_ours: the
 * firewall has made it in this process. */
void purify_frame(
	struct wv_arena *arena, struct item *item, cJSON *frame, bool is_ours);

#endif
