/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/invariant.h"

#include <stdarg.h>
#include <string.h>

enum {
	MAX_NAME = 60,  /* bytes of an id that a message shows */
	MAX_ITEMS = 20, /* of a card: more is the schema's to refuse */
};

struct found {
	struct wv_arena *arena;
	struct wv_schema_error **tail;
	int count;
};

/* Foreign text in the message is cleaned and bounded here. */
__attribute__((format(printf, 4, 5))) static void
add(struct found *found, const char *instance, const char *rule,
	const char *fmt, ...)
{
	struct wv_schema_error *error =
		wv_alloc_zero(found->arena, sizeof *error);
	struct wv_str raw = { 0 }, clean = { 0 };
	va_list ap;

	va_start(ap, fmt);
	wv_str_vfmt(&raw, fmt, ap);
	va_end(ap);
	wv_str_foreign(&clean, raw.s, raw.n, 4 * MAX_NAME);
	error->instance = wv_dup(found->arena, instance);
	error->keyword = rule;
	error->message = wv_dup(found->arena, clean.s);
	wv_str_free(&raw);
	wv_str_free(&clean);
	*found->tail = error;
	found->tail = &error->next;
	found->count++;
}

static void
check_frame(struct found *found, const cJSON *frame)
{
	static const char *const raw[] = { "/raw_output", "/raw", "/raw_result",
		"/tool_output" };

	for (size_t i = 0; i < sizeof raw / sizeof raw[0]; i++) {
		if (wv_get(frame, raw[i] + 1) != NULL)
			add(found, raw[i], "I-01",
				"a Frame carries no raw output");
	}
}

static void
check_token(struct found *found, const cJSON *token)
{
	if (wv_count(wv_get(token, "scope")) == 0)
		add(found, "/scope", "I-06", "must name a capability");
	if (!wv_is_true(wv_get(token, "single_use")) &&
		!wv_is_string(wv_get(token, "expires_at")))
		add(found, "", "I-06", "needs expires_at, or single_use: true");
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
check_card(struct found *found, const cJSON *card, const char *pointer)
{
	const cJSON *items = wv_get(card, "items");
	unsigned index = 0;

	if (!wv_is_array(items) || wv_count(items) > MAX_ITEMS)
		return;
	wv_json_each(item, items) {
		const char *id = wv_get_string(item, "id");
		if (id != NULL && stands_before(items, item, id))
			add(found,
				wv_printf(found->arena, "%s/items/%u/id",
					pointer, index),
				"unique-item-ids",
				"\"%.*s\" stands on this card twice", MAX_NAME,
				id);
		index++;
	}
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

/* On the selected card, or on any if none is selected. */
static bool
has_selected(const cJSON *cards, const char *card_id, const char *item_id)
{
	wv_json_each(card, cards) {
		const char *id = wv_get_string(card, "id");
		if (card_id != NULL && (id == NULL || strcmp(id, card_id) != 0))
			continue;
		if (has_id(wv_get(card, "items"), item_id))
			return true;
	}
	return false;
}

static void
check_routing(struct found *found, const cJSON *decision)
{
	const cJSON *cards = wv_get(decision, "choice_cards");
	const char *item_id = wv_get_string(decision, "selected_item_id");
	const char *card_id = wv_get_string(decision, "selected_card_id");
	unsigned index = 0;

	wv_json_each(card, cards)
		check_card(found, card,
			wv_printf(found->arena, "/choice_cards/%u", index++));
	if (card_id != NULL && !has_id(cards, card_id))
		add(found, "/selected_card_id", "selected-item",
			"there is no card \"%.*s\"", MAX_NAME, card_id);
	else if (item_id != NULL && !has_selected(cards, card_id, item_id))
		add(found, "/selected_item_id", "selected-item",
			"\"%.*s\" stands on no card%s", MAX_NAME, item_id,
			card_id ? " that is selected" : "");
}

int
wv_invariant_check(enum wv_contract type, const cJSON *value,
	struct wv_arena *arena, struct wv_schema_error **errors)
{
	struct found found = { .arena = arena, .tail = errors };

	while (*found.tail != NULL)
		found.tail = &(*found.tail)->next;
	switch (type) {
	case WV_FRAME:
		check_frame(&found, value);
		break;
	case WV_CAPABILITY_TOKEN:
		check_token(&found, value);
		break;
	case WV_CHOICE_CARD:
		check_card(&found, value, "");
		break;
	case WV_ROUTING_DECISION:
		check_routing(&found, value);
		break;
	default:
		break;
	}
	return found.count;
}
