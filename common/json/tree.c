/* SPDX-License-Identifier: Apache-2.0 */
#include "json/internal.h"

#include <string.h>

cJSON *
wv_get(const cJSON *object, const char *name)
{
	if (wv_is_object(object))
		wv_json_each(member, object)
			if (strcmp(member->string, name) == 0)
				return member;
	return NULL;
}

const char *
wv_get_string(const cJSON *object, const char *name)
{
	const cJSON *member = wv_get(object, name);

	return wv_is_string(member) ? member->valuestring : NULL;
}

size_t
wv_count(const cJSON *array_or_object)
{
	size_t n = 0;

	wv_json_each(item, array_or_object)
		n++;
	return n;
}

bool
wv_json_bytes(const cJSON *string, struct wv_str *out)
{
	const char *s = string->valuestring, *end = s + string->valueint;
	const char *nul;
	bool any = false;

	while ((nul = memchr(s, 0xc0, (size_t)(end - s))) != NULL) {
		wv_str_add(out, s, (size_t)(nul - s));
		wv_str_chr(out, '\0');
		s = nul + 2;
		any = true;
	}
	wv_str_add(out, s, (size_t)(end - s));
	return any;
}
