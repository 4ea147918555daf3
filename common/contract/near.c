/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/attached.h"
#include "contract/registry.h"

#include <string.h>

enum {
	MAX_NAMES = 32,    /* of a contract */
	MAX_LOOKUPS = 1000 /* for what is near, of a record */
};

struct search {
	struct wv_found *found;
	unsigned lookups;
};

/* Names of the contract that the value lacks: who writes expiresAt beside
 * expires_at means another one. */
static void
list_absent(const char **absent, const cJSON *properties, const cJSON *value)
{
	size_t n = 0;

	wv_json_each(property, properties) {
		if (n < MAX_NAMES && wv_get(value, property->string) == NULL)
			absent[n++] = property->string;
	}
	absent[n] = NULL;
}

static void
check_name(struct search *s, const cJSON *member, const char *const *absent,
	const struct wv_place *place)
{
	struct wv_place at = { place, member->string, WV_NO_INDEX };
	const char *near;

	if (strncmp(member->string, "x_", 2) == 0 || s->lookups == MAX_LOOKUPS)
		return;
	s->lookups++;
	near = wv_nearest(member->string, absent);
	if (near != NULL)
		wv_found_add(s->found, WV_DOUBT, &at, "", "near-miss",
			"unknown member \"%.*s\" (did you mean \"%s\"?)",
			WV_SHOWN_NAME, member->string, near);
}

static void search_object(struct search *s, const cJSON *schema,
	const cJSON *value, const struct wv_place *place);

static const cJSON *
followed(const cJSON *schema)
{
	int type = wv_contract_referred(schema);

	return type < 0 ? schema : wv_contract_root((enum wv_contract)type);
}

/* What the schema says nothing about the members of is not searched: that is
 * metadata, structured data and the like. */
static void
search_member(struct search *s, const cJSON *schema, const cJSON *member,
	const struct wv_place *place)
{
	struct wv_place at = { place, member->string, WV_NO_INDEX };
	const cJSON *items = wv_get(schema, "items");

	if (items == NULL) {
		search_object(s, followed(schema), member, &at);
	} else if (wv_is_array(member)) {
		at.index = 0;
		wv_json_each(item, member) {
			search_object(s, followed(items), item, &at);
			at.index++;
		}
	}
}

/* As deep as contracts hold each other. */
static void
search_object(struct search *s, const cJSON *schema, const cJSON *value,
	const struct wv_place *place)
{
	const cJSON *properties = wv_get(schema, "properties");
	const char *absent[MAX_NAMES + 1];

	if (properties == NULL || !wv_is_object(value))
		return;
	list_absent(absent, properties, value);
	wv_json_each(member, value) {
		const cJSON *known = wv_get(properties, member->string);
		if (known != NULL)
			search_member(s, known, member, place);
		else
			check_name(s, member, absent, place);
	}
}

void
wv_near_misses(
	struct wv_found *found, enum wv_contract type, const cJSON *record)
{
	struct search search = { .found = found };
	static const struct wv_place top = { NULL, NULL, WV_NO_INDEX };

	search_object(&search, wv_contract_root(type), record, &top);
}
