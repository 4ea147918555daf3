/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A contract with all that is attached to it and all its rules, as one schema
 * without references: a scan looks at each value once.
 */
#include "contract/invariant.h"
#include "contract/registry.h"

static cJSON *inlined(struct wv_arena *arena, enum wv_contract type);

/* What it says of objects; null passes. */
static cJSON *
nullable(struct wv_arena *arena, enum wv_contract type)
{
	cJSON *schema = inlined(arena, type);
	cJSON *types = wv_json_array(arena);

	wv_push(types, wv_json_string(arena, "object"));
	wv_push(types, wv_json_string(arena, "null"));
	wv_put(arena, schema, "type", types);
	return schema;
}

/* In place of a subschema that refers to a contract, the contract. */
static void
inline_reference(struct wv_arena *arena, cJSON *holder, const char *name)
{
	const cJSON *schema = wv_get(holder, name);
	int referred = wv_contract_referred(schema);
	enum wv_contract type = (enum wv_contract)referred;

	if (referred < 0)
		return;
	/* An anyOf of the contracts is a reference or null. */
	wv_put(arena, holder, name,
		wv_get(schema, "anyOf") != NULL ? nullable(arena, type)
						: inlined(arena, type));
}

static void
attach(struct wv_arena *arena, cJSON *properties, enum wv_contract type)
{
	cJSON *metadata;

	if (type == WV_SELECTABLE_ITEM)
		wv_put(arena, properties, "metadata",
			inlined(arena, WV_EXTENDED_SELECTABLE_ITEM_METADATA));
	if (type == WV_FRAME) {
		wv_put(arena, properties, "metadata",
			inlined(arena, WV_EXTENDED_FRAME_METADATA));
	} else {
		metadata = wv_get(properties, "metadata");
		wv_put(arena, wv_put_object(arena, metadata, "properties"),
			"telemetry", nullable(arena, WV_TELEMETRY_HINT));
	}
	wv_put(arena, properties, "x_weaver_signature",
		nullable(arena, WV_CAPABILITY_TOKEN_SIGNATURE));
}

/* I-01 */
static void
refuse_raw(struct wv_arena *arena, cJSON *properties)
{
	for (const char *const *name = wv_raw_members; *name != NULL; name++)
		wv_put(arena, properties, *name, wv_json_bool(arena, false));
}

/* Contracts hold each other three deep; none holds itself. */
static cJSON *
inlined(struct wv_arena *arena, enum wv_contract type)
{
	const cJSON *root = wv_contract_root(type);
	cJSON *schema = wv_json_copy(arena, root);
	cJSON *properties = wv_get(schema, "properties");

	wv_take(schema, "$id");
	wv_json_each(property, wv_get(root, "properties")) {
		inline_reference(arena, properties, property->string);
		inline_reference(
			arena, wv_get(properties, property->string), "items");
	}
	if (wv_contract_is_record(type))
		attach(arena, properties, type);
	if (type == WV_FRAME)
		refuse_raw(arena, properties);
	return schema;
}

cJSON *
wv_contract_stricter(struct wv_arena *arena, enum wv_contract type)
{
	switch (type) {
	case WV_CHOICE_CARD:
	case WV_ROUTING_DECISION:
	case WV_TRACE_BUNDLE:
		/* No schema says that ids are unique, or are those of others. */
		return NULL;
	default:
		return inlined(arena, type);
	}
}
