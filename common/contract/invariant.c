/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/invariant.h"

#include "base/hash.h"

#include <string.h>

enum { MAX_ITEMS = 20 }; /* of a card: more is the schema's to refuse */

const char *const wv_raw_members[] = { "raw_output", "raw", "raw_result",
	"tool_output", NULL };

static void
check_frame(struct wv_found *found, const cJSON *frame,
	const struct wv_place *place)
{
	for (const char *const *name = wv_raw_members; *name != NULL; name++) {
		struct wv_place at = { place, *name, WV_NO_INDEX };
		if (wv_get(frame, *name) != NULL)
			wv_found_add(found, WV_FAULT, &at, "", "I-01",
				"a Frame carries no raw output");
	}
}

static void
check_token(struct wv_found *found, const cJSON *token,
	const struct wv_place *place)
{
	if (wv_count(wv_get(token, "scope")) == 0)
		wv_found_add(found, WV_FAULT, place, "/scope", "I-06",
			"must name a capability");
	if (!wv_is_true(wv_get(token, "single_use")) &&
		!wv_is_string(wv_get(token, "expires_at")))
		wv_found_add(found, WV_FAULT, place, "", "I-06",
			"needs expires_at, or single_use: true");
}

static bool
stands_before(const cJSON *card_items, const cJSON *item, const char *id)
{
	wv_json_each(other, card_items) {
		const char *other_id = wv_get_string(other, "id");
		if (other == item)
			break;
		if (other_id != NULL && strcmp(other_id, id) == 0)
			return true;
	}
	return false;
}

static void
check_card(
	struct wv_found *found, const cJSON *card, const struct wv_place *place)
{
	const cJSON *items = wv_get(card, "items");
	struct wv_place at = { place, "items", 0 };

	if (!wv_is_array(items) || wv_count(items) > MAX_ITEMS)
		return;
	wv_json_each(item, items) {
		const char *id = wv_get_string(item, "id");
		if (id != NULL && stands_before(items, item, id))
			wv_found_add(found, WV_FAULT, &at, "/id",
				"unique-item-ids",
				"\"%.*s\" stands on this card twice",
				WV_SHOWN_NAME, id);
		at.index++;
	}
}

static void
check_card_ids(struct wv_found *found, const cJSON *cards,
	const struct wv_place *place)
{
	struct wv_place at = { place, "choice_cards", 0 };
	struct wv_map seen = { 0 };

	wv_json_each(card, cards) {
		const char *id = wv_get_string(card, "id");
		if (id != NULL && *wv_map_add(&seen, id, at.index) != at.index)
			wv_found_add(found, WV_DOUBT, &at, "/id",
				"unique-card-ids",
				"two cards have the id \"%.*s\"", WV_SHOWN_NAME,
				id);
		at.index++;
	}
	wv_map_free(&seen);
}

static bool
has_id(const cJSON *array, const char *id)
{
	wv_json_each(one, array) {
		const char *one_id = wv_get_string(one, "id");
		if (one_id != NULL && strcmp(one_id, id) == 0)
			return true;
	}
	return false;
}

/* Cards on which the item stands; of those that are selected, if any is. */
static size_t
count_selected(const cJSON *cards, const char *card_id, const char *item_id)
{
	size_t count = 0;

	wv_json_each(card, cards) {
		const char *id = wv_get_string(card, "id");
		if (card_id != NULL && (id == NULL || strcmp(id, card_id) != 0))
			continue;
		count += has_id(wv_get(card, "items"), item_id);
	}
	return count;
}

static void
check_selection(struct wv_found *found, const cJSON *decision,
	const struct wv_place *place)
{
	const cJSON *cards = wv_get(decision, "choice_cards");
	const char *item_id = wv_get_string(decision, "selected_item_id");
	const char *card_id = wv_get_string(decision, "selected_card_id");
	size_t count;

	if (card_id != NULL && !has_id(cards, card_id)) {
		wv_found_add(found, WV_FAULT, place, "/selected_card_id",
			"selected-item", "there is no card \"%.*s\"",
			WV_SHOWN_NAME, card_id);
		return;
	}
	if (item_id == NULL)
		return;
	count = count_selected(cards, card_id, item_id);
	if (count == 0)
		wv_found_add(found, WV_FAULT, place, "/selected_item_id",
			"selected-item", "\"%.*s\" stands on no card%s",
			WV_SHOWN_NAME, item_id,
			card_id ? " that is selected" : "");
	else if (count > 1)
		wv_found_add(found, WV_DOUBT, place, "/selected_item_id",
			"selected-item", "\"%.*s\" stands on %zu cards",
			WV_SHOWN_NAME, item_id, count);
}

void
wv_invariants(struct wv_found *found, enum wv_contract type,
	const cJSON *record, const struct wv_place *place)
{
	switch (type) {
	case WV_FRAME:
		check_frame(found, record, place);
		break;
	case WV_CAPABILITY_TOKEN:
		check_token(found, record, place);
		break;
	case WV_CHOICE_CARD:
		check_card(found, record, place);
		break;
	case WV_ROUTING_DECISION:
		check_card_ids(found, wv_get(record, "choice_cards"), place);
		check_selection(found, record, place);
		break;
	case WV_TRACE_BUNDLE:
		wv_bundle_invariants(found, record, place);
		break;
	default:
		break;
	}
}
