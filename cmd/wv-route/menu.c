/* SPDX-License-Identifier: Apache-2.0 */
#include "card.h"
#include "shown.h"

#include <string.h>

static void
add_text(struct wv_str *out, const char *text, size_t max)
{
	shown_text(out, text != NULL ? text : "", max, SIZE_MAX);
}

static void
add_tags(struct wv_str *out, const cJSON *tags)
{
	size_t count = 0;

	wv_json_each(tag, tags) {
		if (!wv_is_string(tag) || count == CARD_TAGS_MAX)
			break;
		wv_str_cat(out, count++ == 0 ? " [" : ", ");
		add_text(out, tag->valuestring, CARD_TAG_MAX);
	}
	if (count > 0)
		wv_str_chr(out, ']');
	else if (out->s[out->n - 1] == ']')
		wv_str_cat(out, " []"); /* those were words, and no tags */
}

static void
add_item(struct wv_str *out, const cJSON *item)
{
	const char *id = wv_get_string(item, "id");
	const char *label = wv_get_string(item, "label");
	const char *description = wv_get_string(item, "description");

	wv_str_foreign(out, id, strlen(id), SIZE_MAX);
	wv_str_cat(out, " - ");
	add_text(out, label, CARD_LABEL_MAX);
	if (description != NULL &&
		(label == NULL || strcmp(label, description) != 0)) {
		wv_str_cat(out, ": ");
		add_text(out, description, CARD_DESCRIPTION_MAX);
	}
	add_tags(out, wv_get(wv_get(item, "metadata"), "x_wv_tags"));
	wv_str_chr(out, '\n');
}

void
card_menu(struct wv_str *out, const cJSON *decision)
{
	const cJSON *cards = wv_get(decision, "choice_cards");
	size_t i = 0, n = 0;

	wv_json_each(card, cards)
		n += wv_count(wv_get(card, "items"));
	wv_json_each(card, cards) {
		const char *hint = wv_get_string(card, "context_hint");
		if (hint != NULL && cards->child->next != NULL) {
			add_text(out, hint, CARD_LABEL_MAX);
			wv_str_cat(out, ":\n");
		}
		wv_json_each(item, wv_get(card, "items")) {
			wv_str_fmt(out, "[%zu/%zu] ", ++i, n);
			add_item(out, item);
		}
	}
}
