/* SPDX-License-Identifier: Apache-2.0 */
#include "decision.h"

#include "base/id.h"
#include "card.h"
#include "card/menu.h"
#include "card/shown.h"
#include "contract/record.h"

#include <stdio.h>
#include <string.h>

enum { UNMATCHED_MAX = 50 }; /* words that are listed */

#define CARD_ID "card-1"

static void
put_extras(struct wv_arena *arena, cJSON *metadata, const struct origin *origin)
{
	if (origin->arguments != NULL)
		wv_put(arena, metadata, "x_wv_arguments",
			wv_json_copy(arena, origin->arguments));
	if (origin->justification != NULL)
		wv_put_string(arena, metadata, "x_wv_justification",
			origin->justification);
}

/* A decision but for its selection and telemetry. */
static cJSON *
decision_of(struct wv_arena *arena, const struct origin *origin, cJSON *cards,
	const char *summary)
{
	cJSON *decision = wv_json_object(arena);
	char id[WV_ID_MAX];

	if (origin->id == NULL)
		wv_id_new(id, "rd");
	wv_put_string(arena, decision, "id", origin->id ? origin->id : id);
	wv_put(arena, decision, "choice_cards", cards);
	wv_put(arena, decision, "timestamp", wv_json_time(arena, wv_now()));
	wv_put_string(arena, decision, "context_summary", summary);
	put_extras(arena, wv_put_object(arena, decision, "metadata"), origin);
	return decision;
}

static cJSON *
one_card(struct wv_arena *arena, const char *id, cJSON *item)
{
	cJSON *cards = wv_json_array(arena), *items = wv_json_array(arena);

	wv_push(items, item);
	wv_push(cards, card_new(arena, id, items));
	return cards;
}

static void
put_telemetry(struct wv_arena *arena, cJSON *decision, const cJSON *cause)
{
	wv_put(arena, wv_put_object(arena, decision, "metadata"), "telemetry",
		wv_telemetry(arena, cause));
}

/* How well the words of the query did. */
static void
put_quality(struct wv_arena *arena, cJSON *decision,
	const struct rank_result *result)
{
	cJSON *metadata = wv_get(decision, "metadata");
	cJSON *unmatched = wv_json_array(arena);
	size_t n = result->unmatched_count;
	char margin[32];

	for (size_t i = 0; i < n && i < UNMATCHED_MAX; i++) {
		struct wv_str word = { 0 };
		wv_shown_text(&word, result->unmatched[i], WV_CARD_LABEL_MAX,
			SIZE_MAX);
		if (word.n > 0)
			wv_push(unmatched, wv_json_string(arena, word.s));
		wv_str_free(&word);
	}
	if (unmatched->child != NULL)
		wv_put(arena, metadata, "x_wv_unmatched", unmatched);
	if (result->count == 0)
		return;
	snprintf(margin, sizeof(margin), "%.4f", result->margin);
	wv_put(arena, metadata, "x_wv_margin", wv_json_number(arena, margin));
}

static cJSON *
no_match(struct wv_arena *arena, const struct origin *origin, const char *query)
{
	cJSON *item = card_item(arena, WV_NO_MATCH, "No match",
		"No capability matches the query.");
	cJSON *decision =
		decision_of(arena, origin, one_card(arena, WV_NO_MATCH, item),
			wv_printf(arena, "no capability matches: %s", query));

	decision_select(arena, decision, WV_NO_MATCH, WV_NO_MATCH);
	return decision;
}

static bool
is_same_namespace(const char *a, const char *b)
{
	size_t n = card_namespace_length(a);

	return n == card_namespace_length(b) && memcmp(a, b, n) == 0;
}

/* The card of those in the namespace of hits[first]. */
static cJSON *
namespace_card(struct wv_arena *arena, const struct rank_result *result,
	size_t first, size_t number)
{
	const char *id = result->hits[first].tool->id;
	cJSON *items = wv_json_array(arena), *card;
	struct wv_str hint = { 0 };

	for (size_t i = first; i < result->count; i++)
		if (is_same_namespace(id, result->hits[i].tool->id))
			wv_push(items,
				card_item_of_hit(arena, &result->hits[i]));
	card = card_new(arena, wv_printf(arena, "card-%zu", number), items);
	wv_shown_text(&hint, wv_dupn(arena, id, card_namespace_length(id)),
		WV_CARD_LABEL_MAX, SIZE_MAX);
	if (hint.n > 0)
		wv_put_string(arena, card, "context_hint", hint.s);
	wv_str_free(&hint);
	return card;
}

static cJSON *
cards_by_namespace(struct wv_arena *arena, const struct rank_result *result)
{
	cJSON *cards = wv_json_array(arena);
	size_t count = 0;

	for (size_t i = 0; i < result->count; i++) {
		size_t j = 0;
		while (j < i &&
			!is_same_namespace(result->hits[j].tool->id,
				result->hits[i].tool->id))
			j++;
		if (j == i)
			wv_push(cards,
				namespace_card(arena, result, i, ++count));
	}
	return cards;
}

static cJSON *
card_of_all(struct wv_arena *arena, const struct rank_result *result)
{
	cJSON *cards = wv_json_array(arena), *items = wv_json_array(arena);

	for (size_t i = 0; i < result->count; i++)
		wv_push(items, card_item_of_hit(arena, &result->hits[i]));
	wv_push(cards, card_new(arena, CARD_ID, items));
	return cards;
}

static cJSON *
choices(struct wv_arena *arena, const struct origin *origin, const char *query,
	const struct rank_result *result)
{
	return decision_of(arena, origin,
		origin->by_namespace ? cards_by_namespace(arena, result)
				     : card_of_all(arena, result),
		wv_printf(arena, "%zu of %zu matches: %s", result->count,
			result->found, query));
}

cJSON *
decision_ranked(struct wv_arena *arena, const struct origin *origin,
	const char *query, const struct rank_result *result)
{
	struct wv_str text = { 0 };
	cJSON *decision;

	wv_shown_text(&text, query, WV_CARD_DESCRIPTION_MAX, SIZE_MAX);
	decision = result->count > 0 ? choices(arena, origin, text.s, result)
				     : no_match(arena, origin, text.s);
	wv_str_free(&text);
	put_quality(arena, decision, result);
	put_telemetry(arena, decision, origin->cause);
	return decision;
}

cJSON *
decision_pinned(struct wv_arena *arena, const struct origin *origin,
	const char *capability_id, const struct wv_capability *tool)
{
	const char *dot = strrchr(capability_id, '.');
	struct wv_str summary = { 0 };
	cJSON *item, *decision;

	if (tool != NULL) {
		item = card_item_of(arena, tool);
	} else {
		item = card_item(arena, capability_id,
			dot != NULL ? dot + 1 : capability_id, capability_id);
		wv_put_string(arena, item, "capability_id", capability_id);
	}
	wv_str_cat(&summary, "pinned: ");
	wv_str_foreign(
		&summary, capability_id, strlen(capability_id), SIZE_MAX);
	decision = decision_of(
		arena, origin, one_card(arena, CARD_ID, item), summary.s);
	wv_str_free(&summary);
	decision_select(arena, decision, capability_id, CARD_ID);
	put_telemetry(arena, decision, origin->cause);
	return decision;
}

void
decision_select(struct wv_arena *arena, cJSON *decision, const char *item_id,
	const char *card_id)
{
	/* what stands behind the selection */
	static const char *const rest[] = { "timestamp", "context_summary",
		"metadata" };

	wv_take(decision, "selected_item_id");
	wv_take(decision, "selected_card_id");
	wv_put_string(arena, decision, "selected_item_id", item_id);
	wv_put_string(arena, decision, "selected_card_id", card_id);
	for (size_t i = 0; i < 3; i++) {
		cJSON *value = wv_take(decision, rest[i]);
		if (value != NULL)
			wv_put(arena, decision, rest[i], value);
	}
}

void
decision_add(
	struct wv_arena *arena, cJSON *decision, const struct origin *origin)
{
	cJSON *metadata = wv_put_object(arena, decision, "metadata");

	put_extras(arena, metadata, origin);
	if (wv_get(metadata, "telemetry") == NULL)
		put_telemetry(arena, decision, decision);
}
