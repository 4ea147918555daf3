/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/record.h"

#include "base/id.h"
#include "json/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { TRACE_ID = 32, SPAN_ID = 16 }; /* hex digits */
enum { ID_MAX = 256 };

static const char id_characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz"
				    "0123456789._:@/+-";

bool
wv_id_is_kernel(const char *id)
{
	size_t n = strlen(id);

	return n >= 1 && n <= ID_MAX && strspn(id, id_characters) == n &&
		id[0] != '.' && id[n - 1] != '.' && strstr(id, "..") == NULL;
}

const char *
wv_id_fault(struct wv_arena *arena, const char *id)
{
	size_t n = strlen(id), good = strspn(id, id_characters);
	uint32_t c = 0;

	if (n == 0)
		return "it is empty";
	if (n > ID_MAX)
		return "it is too long";
	if (good == n)
		return "it has an empty segment";
	if (wv_utf8_get((const unsigned char *)id + good, n - good, &c) < 1)
		return "it is no UTF-8";
	return wv_printf(arena, "it has the character U+%04X", (unsigned)c);
}

/* n lower-case hex digits that are not all 0, as W3C Trace Context has it. */
static bool
is_trace_hex(const char *s, size_t n)
{
	return strspn(s, "0123456789abcdef") >= n && strspn(s, "0") < n;
}

/* The trace of 00-TRACE-SPAN-FLAGS, or NULL. */
static const char *
traceparent(void)
{
	const char *s = getenv("TRACEPARENT");

	if (s == NULL || strlen(s) != 55 || strncmp(s, "00-", 3) != 0)
		return NULL;
	if (!is_trace_hex(s + 3, TRACE_ID) || s[35] != '-' ||
		!is_trace_hex(s + 36, SPAN_ID) || s[52] != '-' ||
		strspn(s + 53, "0123456789abcdef") != 2)
		return NULL;
	return s + 3;
}

cJSON *
wv_telemetry(struct wv_arena *arena, const cJSON *cause)
{
	const cJSON *metadata = wv_get(cause, "metadata");
	const char *trace =
		wv_get_string(wv_get(metadata, "telemetry"), "trace_id");
	char trace_id[TRACE_ID + 1], span_id[SPAN_ID + 1];
	cJSON *hint = wv_json_object(arena);

	if (trace == NULL || strlen(trace) != TRACE_ID ||
		!is_trace_hex(trace, TRACE_ID))
		trace = traceparent();
	if (trace != NULL) {
		memcpy(trace_id, trace, TRACE_ID);
		trace_id[TRACE_ID] = '\0';
	} else {
		wv_id_hex(trace_id, TRACE_ID / 2);
	}
	wv_id_hex(span_id, SPAN_ID / 2);
	wv_put_string(arena, hint, "trace_id", trace_id);
	wv_put_string(arena, hint, "span_id", span_id);
	return hint;
}

cJSON *
wv_json_time(struct wv_arena *arena, struct wv_time t)
{
	char text[WV_TIME_TEXT];

	wv_time_print(text, t);
	return wv_json_string(arena, text);
}

static bool
has_id(const cJSON *node, const char *id)
{
	const char *own = wv_get_string(node, "id");

	return own != NULL && strcmp(own, id) == 0;
}

/* Every place where the item stands; the last one is kept. */
static unsigned
find_item(struct wv_selection *s, const cJSON *cards)
{
	unsigned count = 0;

	wv_json_each(card, cards) {
		wv_json_each(item, wv_get(card, "items")) {
			if (!has_id(item, s->item_id))
				continue;
			s->card = card;
			s->item = item;
			count++;
		}
	}
	return count;
}

static const char *
selection_fault(struct wv_selection *s, const cJSON *decision)
{
	const cJSON *cards = wv_get(decision, "choice_cards");
	const cJSON *card_id = wv_get(decision, "selected_card_id");
	unsigned with_card_id = 0, places = find_item(s, cards);

	if (places == 0)
		return "the selected item stands on no card";
	if (places > 1)
		return "the selected item id stands in more than one place";
	if (card_id == NULL || wv_is_null(card_id))
		return NULL;
	if (!wv_is_string(card_id) || !has_id(s->card, card_id->valuestring))
		return "the selected item is not on the selected card";
	wv_json_each(card, cards)
		with_card_id += has_id(card, card_id->valuestring);
	return with_card_id > 1 ? "two cards have the selected card id" : NULL;
}

void
wv_selection_read(struct wv_selection *selection, const cJSON *routing_decision)
{
	const cJSON *id = wv_get(routing_decision, "selected_item_id");
	struct wv_selection s = { .end = WV_SELECTED_BAD };

	if (id == NULL || wv_is_null(id)) {
		s.end = WV_SELECTED_NOTHING;
		s.why = "no item is selected";
	} else if (!wv_is_string(id)) {
		s.why = "selected_item_id is no string";
	} else {
		s.item_id = id->valuestring;
		s.why = selection_fault(&s, routing_decision);
	}
	if (s.why == NULL) {
		s.capability_id = wv_get_string(s.item, "capability_id");
		if (s.capability_id != NULL && s.capability_id[0] != '\0') {
			s.end = WV_SELECTED;
		} else if (strcmp(s.item_id, WV_NO_MATCH) == 0) {
			s.end = WV_SELECTED_NO_MATCH;
			s.why = "nothing matched the request";
		} else {
			s.why = "the selected item has no capability";
		}
	}
	*selection = s;
}
