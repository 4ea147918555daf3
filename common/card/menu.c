/* SPDX-License-Identifier: Apache-2.0 */
#include "card/menu.h"

#include "card/shown.h"

#include <string.h>

static void
begin_line(struct wv_str *out, const struct wv_menu *menu)
{
	if (menu->prefix != NULL)
		wv_str_cat(out, menu->prefix);
}

/* What is left when it was hidden may be a secret only then; half of one that
 * was cut is not known for one. */
void
wv_menu_text(struct wv_str *out, const struct wv_menu *menu, const char *text,
	size_t max)
{
	struct wv_str line = { 0 }, pure = { 0 };

	if (menu->purify != NULL && text != NULL) {
		wv_shown_text(&line, text, SIZE_MAX, SIZE_MAX);
		wv_str_chr(&line, '\0');
		menu->purify(&pure, line.s, menu->arg);
		text = pure.s;
	}
	wv_shown_text(out, text != NULL ? text : "", max, SIZE_MAX);
	wv_str_free(&line);
	wv_str_free(&pure);
}

static void
add_tags(struct wv_str *out, const struct wv_menu *menu, const cJSON *tags)
{
	struct wv_str text = { 0 };
	size_t count = 0;

	wv_json_each(tag, tags) {
		if (!wv_is_string(tag) || count == WV_CARD_TAGS_MAX)
			break;
		text.n = 0;
		wv_menu_text(&text, menu, tag->valuestring, WV_CARD_TAG_MAX);
		if (text.n == 0)
			continue;
		wv_str_cat(out, count++ == 0 ? " [" : ", ");
		wv_str_add(out, text.s, text.n);
	}
	wv_str_free(&text);
	if (count > 0)
		wv_str_chr(out, ']');
	else if (out->s[out->n - 1] == ']')
		wv_str_cat(out, " []"); /* those were words, and no tags */
}

static void
add_item(struct wv_str *out, const struct wv_menu *menu, const cJSON *item)
{
	const char *id = wv_get_string(item, "id");
	const char *label = wv_get_string(item, "label");
	const char *description = wv_get_string(item, "description");

	wv_str_foreign(out, id, strlen(id), SIZE_MAX);
	wv_str_cat(out, " - ");
	wv_menu_text(out, menu, label, WV_CARD_LABEL_MAX);
	if (description != NULL &&
		(label == NULL || strcmp(label, description) != 0)) {
		wv_str_cat(out, ": ");
		wv_menu_text(out, menu, description, WV_CARD_DESCRIPTION_MAX);
	}
	add_tags(out, menu, wv_get(wv_get(item, "metadata"), "x_wv_tags"));
	wv_str_chr(out, '\n');
}

void
wv_menu_add(
	struct wv_str *out, const struct wv_menu *menu, const cJSON *decision)
{
	const cJSON *cards = wv_get(decision, "choice_cards");
	size_t i = 0, n = 0;

	wv_json_each(card, cards)
		n += wv_count(wv_get(card, "items"));
	wv_json_each(card, cards) {
		const char *hint = wv_get_string(card, "context_hint");
		if (hint != NULL && cards->child->next != NULL) {
			begin_line(out, menu);
			wv_menu_text(out, menu, hint, WV_CARD_LABEL_MAX);
			wv_str_cat(out, ":\n");
		}
		wv_json_each(item, wv_get(card, "items")) {
			begin_line(out, menu);
			wv_str_fmt(out, "[%zu/%zu] ", ++i, n);
			add_item(out, menu, item);
		}
	}
}
