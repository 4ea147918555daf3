/* SPDX-License-Identifier: Apache-2.0 */
#include "cjson-peer.h"

#include <cJSON.h>
#include <string.h>

bool
cjson_peer(const char *text, size_t len)
{
	const char *end = text;
	cJSON *tree = cJSON_ParseWithLengthOpts(text, len, &end, 0);
	bool accepted = tree != NULL;

	cJSON_Delete(tree);
	while (end < text + len && memchr(" \t\r\n", *end, 4) != NULL)
		end++;
	return accepted && end == text + len;
}
