/* SPDX-License-Identifier: Apache-2.0 */
/* Documents written down in a unit test. */
#ifndef WV_TEST_DOCUMENT_H
#define WV_TEST_DOCUMENT_H

#include "json/json.h"
#include "tap.h"

static struct wv_arena arena = WV_ARENA_INIT;

static inline cJSON *
json(const char *text)
{
	struct wv_err err = WV_ERR_INIT;
	size_t n = strlen(text);
	cJSON *root = wv_json_read(
		&arena, wv_dupn(&arena, text, n), n, &wv_json_defaults, &err);

	if (root == NULL)
		printf("Bail out! %s in %.200s\n", err.text, text);
	return root ? root : wv_json_null(&arena);
}

#endif
