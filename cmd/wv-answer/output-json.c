/* SPDX-License-Identifier: Apache-2.0 */
/* For programs: what stands before the turns, the items, what stands behind. */
#include "output.h"

#include <string.h>

static void
add_member(struct wv_str *out, const char *name, const char *value)
{
	if (value == NULL)
		return;
	wv_str_fmt(out, ",\"%s\":", name);
	wv_json_write_string(out, value, strlen(value));
}

static void
add_item(struct wv_str *out, const struct build *b, const struct item *item)
{
	static const char *const outcomes[] = { NULL, "error", "denied" };
	const struct label *label = &item->label;
	char time[WV_TIME_TEXT];
	struct wv_str text = { 0 };

	wv_str_fmt(out, "{\"kind\":\"%s\"", kind_names[label->kind]);
	add_member(out, "capability_id", label->capability_id);
	add_member(out, "outcome", outcomes[label->outcome]);
	if (label->has_time) {
		wv_time_print(time, label->time);
		add_member(out, "time", time);
	}
	if (label->level != LEVEL_PUBLIC)
		add_member(out, "sensitivity", level_names[label->level]);
	if (label->is_closure)
		wv_str_cat(out, ",\"closure\":true");
	if (item->form != FORM_FULL)
		wv_str_cat(out, ",\"cut\":true");
	if (item->artifact_ref != NULL)
		add_member(out, "artifact_ref", item->artifact_ref);
	content_of(&text, b, item, "");
	text.n -= text.n > 0 && text.s[text.n - 1] == '\n';
	wv_str_cat(out, ",\"text\":");
	wv_json_write_string(out, text.s ? text.s : "", text.n);
	wv_str_cat(out, "},");
	wv_str_free(&text);
}

static void
add_blocks(struct wv_str *out, const char *name, struct wv_str *blocks)
{
	blocks_begin(blocks);
	if (blocks->n > 0)
		add_member(out, name, blocks->s);
	wv_str_free(blocks);
}

static bool
write_json(struct wv_str *out, const struct build *b)
{
	struct wv_str front = { 0 }, back = { 0 };

	wv_str_fmt(out, "{\"phase\":\"%s\"", phase_names[b->settings->phase]);
	blocks_front(&front, b);
	blocks_back(&back, b);
	if (b->base == 0) {
		/* Reserved: what costs least of the names. */
		wv_str_cat(&front, " ");
		wv_str_cat(&back, " ");
	}
	add_blocks(out, "front", &front);
	wv_str_cat(out, ",\"items\":[");
	for (ptrdiff_t i = next_shown(b, NOWHERE); i != NOWHERE;
		i = next_shown(b, i))
		add_item(out, b, &b->items[i]);
	out->n -= out->s[out->n - 1] == ',';
	wv_str_cat(out, "]");
	add_blocks(out, "back", &back);
	wv_str_cat(out, "}\n");
	return true;
}

const struct output output_json = {
	.name = "json",
	.item = add_item,
	.whole = write_json,
	.is_json = true,
};
