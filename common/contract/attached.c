/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/attached.h"

#include "contract/registry.h"

static int
check(struct wv_found *found, enum wv_contract type, const cJSON *value,
	const struct wv_place *place, const char *below, struct wv_err *err)
{
	const struct wv_schema *schema;
	struct wv_schema_error *errors = NULL, *next;

	if (value == NULL || wv_is_null(value))
		return 0;
	schema = wv_registry_contract(type, err);
	if (schema == NULL)
		return -1;
	if (wv_schema_errors(schema, value, WV_BRANCH_NEAREST, found->arena,
		    found->max, &errors) < 0)
		return wv_err_set(err, "%s", errors->message);
	for (; errors != NULL; errors = next) {
		next = errors->next;
		wv_found_take(found, WV_DOUBT, place, below, errors);
	}
	return 0;
}

int
wv_attached(struct wv_found *found, enum wv_contract type, const cJSON *record,
	const struct wv_place *place, struct wv_err *err)
{
	const cJSON *metadata = wv_get(record, "metadata");
	const cJSON *signature = wv_get(record, "x_weaver_signature");
	int result;

	if (!wv_contract_is_record(type))
		return 0;
	if (type == WV_FRAME)
		/* with its telemetry */
		result = check(found, WV_EXTENDED_FRAME_METADATA, metadata,
			place, "/metadata", err);
	else
		result = check(found, WV_TELEMETRY_HINT,
			wv_get(metadata, "telemetry"), place,
			"/metadata/telemetry", err);
	if (result == 0 && type == WV_SELECTABLE_ITEM)
		result = check(found, WV_EXTENDED_SELECTABLE_ITEM_METADATA,
			metadata, place, "/metadata", err);
	if (result == 0)
		result = check(found, WV_CAPABILITY_TOKEN_SIGNATURE, signature,
			place, "/x_weaver_signature", err);
	return result;
}
