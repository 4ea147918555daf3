/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/scope.h"

#include "contract/record.h"

#include <string.h>

/* The length of PREFIX. in PREFIX.*, or 0. */
static size_t
wildcard(const char *entry)
{
	size_t n = strlen(entry);

	return n > 2 && strcmp(entry + n - 2, ".*") == 0 ? n - 1 : 0;
}

bool
wv_scope_is_valid(const char *entry)
{
	char prefix[257];
	size_t n = wildcard(entry);

	if (n == 0)
		return wv_id_is_kernel(entry);
	if (n > sizeof(prefix))
		return false;
	memcpy(prefix, entry, n - 1);
	prefix[n - 1] = '\0';
	return wv_id_is_kernel(prefix);
}

/* A longer wildcard with the same prefix is a narrower one. */
static bool
contains(const char *outer, const char *inner)
{
	size_t n = wildcard(outer);

	if (!wv_scope_is_valid(outer))
		return false;
	return n == 0 ? strcmp(outer, inner) == 0
		      : strncmp(outer, inner, n) == 0;
}

bool
wv_scope_contains(const cJSON *scope, const char *entry)
{
	if (!wv_scope_is_valid(entry))
		return false;
	wv_json_each(one, scope) {
		if (wv_is_string(one) && contains(one->valuestring, entry))
			return true;
	}
	return false;
}

bool
wv_scope_covers(const cJSON *scope, const char *capability_id)
{
	return wv_id_is_kernel(capability_id) &&
		wv_scope_contains(scope, capability_id);
}
