/* SPDX-License-Identifier: Apache-2.0 */
#include "map.h"

#include "json/mapping.h"

const char *
map_find(const cJSON *written, bool (*is)(const struct map_reference *))
{
	struct map_reference reference;
	const char *found = NULL;

	if (wv_is_object(written) && map_reference_read(&reference, written))
		return is(&reference) ? reference.pointer : NULL;
	if ((!wv_is_object(written) && !wv_is_array(written)) ||
		wv_mapping_sole(written, "value") != NULL)
		return NULL;
	for (const cJSON *child = written->child; child && !found;
		child = child->next)
		found = map_find(child, is);
	return found;
}
