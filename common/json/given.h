/* SPDX-License-Identifier: Apache-2.0 */
/* JSON given on a command line: the text itself, or @FILE. */
#ifndef WV_JSON_GIVEN_H
#define WV_JSON_GIVEN_H

#include "json/json.h"

/* An object, in the arena; its numbers stay as they are written.  An error
 * names the file, or the option. */
cJSON *wv_json_given(struct wv_arena *arena, const char *option,
	const char *value, const struct wv_json_limits *limits,
	struct wv_err *err);

#endif
