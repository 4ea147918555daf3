/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/reference.h"

#include "json/mapping.h"

const char *
wv_reference(const cJSON *value)
{
	const cJSON *id = wv_mapping_sole(value, "x_wv_handle");

	return wv_is_string(id) ? id->valuestring : NULL;
}

/* As deep as the reader lets a record be. */
static size_t
collect(cJSON *value, cJSON *found[WV_REFERENCES_MAX], size_t count)
{
	if (wv_reference(value) != NULL) {
		if (count < WV_REFERENCES_MAX)
			found[count] = value;
		return count + 1;
	}
	wv_json_each(child, value)
		count = collect(child, found, count);
	return count;
}

size_t
wv_references(cJSON *value, cJSON *found[WV_REFERENCES_MAX])
{
	return collect(value, found, 0);
}
