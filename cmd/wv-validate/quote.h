/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts in messages of a conformance run, as weaver-spec's own runner shows
 * them, which is written in Python: 'text', "it's", ['a', 'b'].
 */
#ifndef WV_VALIDATE_QUOTE_H
#define WV_VALIDATE_QUOTE_H

#include "json/json.h"

/* None if there is no text. */
const char *quote(struct wv_arena *arena, const char *text);
/* Of an array of strings. */
const char *quote_list(struct wv_arena *arena, const cJSON *list);
/* Of a path or an error: wv_str_foreign(), and so valid UTF-8. */
const char *clean(struct wv_arena *arena, const char *text);
void list_add(struct wv_arena *arena, cJSON *list, const char *text);

#endif
