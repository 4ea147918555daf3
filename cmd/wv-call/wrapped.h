/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tools that stand for another: their arguments are mapped onto it, and a
 * validation says whether something passed.
 */
#ifndef WV_CALL_WRAPPED_H
#define WV_CALL_WRAPPED_H

#include "tools.h"

/* The arguments of tool->wrapped, from those of tool (NULL: none).  NULL: a
 * pointer finds nothing; err says which. */
cJSON *wrapped_arguments(const struct tool *tool, const cJSON *arguments,
	struct wv_arena *arena, struct wv_err *err);

bool is_validation(const struct tool *tool);
/* {passed, message?, data?} of what a validation said, text of n bytes
 * followed by WV_JSON_SLACK; NULL: it is no such object, err says why. */
cJSON *validation_result(
	struct wv_arena *arena, const char *text, size_t n, struct wv_err *err);

#endif
