/* SPDX-License-Identifier: Apache-2.0 */
#include "json/given.h"

#include "base/file.h"

#include <string.h>

enum { MAX_BYTES = 64 << 20 }; /* as a record */

cJSON *
wv_json_given(struct wv_arena *arena, const char *option, const char *value,
	const struct wv_json_limits *limits, struct wv_err *err)
{
	const char *source = *value == '@' ? value + 1 : option, *text;
	size_t n = strlen(value);
	cJSON *node;

	if (*value == '@')
		text = wv_file_read(arena, source, MAX_BYTES, &n, err);
	else
		text = wv_dupn(arena, value, n);
	if (text == NULL)
		return NULL;
	node = wv_json_read(arena, text, n, limits, err);
	if (node == NULL)
		err->source = source;
	if (node == NULL || wv_is_object(node))
		return node;
	wv_err_at(err, source, 0, 0, "must be a JSON object");
	return NULL;
}
