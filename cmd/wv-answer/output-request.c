/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The next route request: what the user said last is the query, Frames are
 * Frames again, with what their contract wants and nothing else, all other
 * items are history.  So the loop closes, and what is routed by is what was
 * shown.
 */
#include "output.h"

#include "base/hash.h"
#include "contract/record.h"

#include <stdio.h>
#include <string.h>

static void
add_string(struct wv_str *out, const char *name, const char *s, size_t n)
{
	wv_str_fmt(out, "\"%s\":", name);
	wv_json_write_string(out, s, n);
}

static void
add_said(struct wv_str *out, const char *name, const struct build *b,
	const struct item *item)
{
	struct wv_str text = { 0 };

	content_of(&text, b, item, "");
	text.n -= text.n > 0 && text.s[text.n - 1] == '\n';
	if (text.n == 0)
		wv_str_cat(&text, "(nothing)");
	add_string(out, name, text.s, text.n);
	wv_str_free(&text);
}

static bool
is_query(const struct build *b, const struct item *item)
{
	return b->settings->query == NULL && b->last_turn != NOWHERE &&
		item->label.order == b->items[b->last_turn].label.order;
}

static void
add_id_member(struct wv_str *out, const char *name, const struct item *item)
{
	char id[32];

	snprintf(id, sizeof(id), "item-%zu", item->label.order + 1);
	add_string(out, name, id, strlen(id));
}

static void
add_frame(struct wv_str *out, const struct build *b, const struct item *item)
{
	const char *capability = item->label.capability_id;
	char time[WV_TIME_TEXT];

	wv_time_print(time, item->label.time);
	wv_str_chr(out, '{');
	add_id_member(out, "frame_id", item);
	wv_str_chr(out, ',');
	if (capability == NULL)
		capability = WV_NO_CAPABILITY;
	add_string(out, "capability_id", capability, strlen(capability));
	wv_str_chr(out, ',');
	add_said(out, "summary", b, item);
	wv_str_chr(out, ',');
	add_string(out, "created_at", time, strlen(time));
	wv_str_cat(out, "},");
}

static void
add_history(struct wv_str *out, const struct build *b, const struct item *item)
{
	wv_str_chr(out, '{');
	add_id_member(out, "id", item);
	wv_str_fmt(out, ",\"kind\":\"%s\",", kind_names[item->label.kind]);
	add_said(out, "text", b, item);
	wv_str_cat(out, "},");
}

/* A Frame has a time: a result without one is told in the history. */
static bool
is_frame(const struct item *item)
{
	return item->label.kind == KIND_TOOL_RESULT && item->label.has_time;
}

static bool
is_call(const struct item *item)
{
	return item->label.capability_id != NULL &&
		*item->label.capability_id != '\0' &&
		(item->label.kind == KIND_TOOL_CALL ||
			(item->label.kind == KIND_TOOL_RESULT &&
				item->label.outcome != OUTCOME_DENIED));
}

/* The item in its list, and what it adds to those that were called. */
static void
add_item(struct wv_str *out, const struct build *b, const struct item *item)
{
	if (is_query(b, item))
		add_said(out, "query", b, item);
	else if (is_frame(item))
		add_frame(out, b, item);
	else
		add_history(out, b, item);
	if (is_call(item)) {
		wv_json_write_string(out, item->label.capability_id,
			strlen(item->label.capability_id));
		wv_str_chr(out, ',');
	}
}

static void
end_list(struct wv_str *out)
{
	out->n -= out->s[out->n - 1] == ',';
	wv_str_chr(out, ']');
}

static void
add_called(struct wv_str *out, const struct build *b)
{
	struct wv_map seen = { 0 };

	wv_str_cat(out, ",\"called\":[");
	for (ptrdiff_t i = next_shown(b, NOWHERE); i != NOWHERE;
		i = next_shown(b, i)) {
		const char *id = b->items[i].label.capability_id;
		if (!is_call(&b->items[i]) ||
			*wv_map_add(&seen, id, (size_t)i) != (size_t)i)
			continue;
		wv_json_write_string(out, id, strlen(id));
		wv_str_chr(out, ',');
	}
	end_list(out);
	wv_map_free(&seen);
}

static void
add_list(struct wv_str *out, const struct build *b, const char *name,
	bool frames)
{
	wv_str_fmt(out, ",\"%s\":[", name);
	for (ptrdiff_t i = next_shown(b, NOWHERE); i != NOWHERE;
		i = next_shown(b, i)) {
		const struct item *item = &b->items[i];
		if (is_query(b, item) || is_frame(item) != frames)
			continue;
		if (frames)
			add_frame(out, b, item);
		else
			add_history(out, b, item);
	}
	end_list(out);
}

/* Facts and episodes are known, not asked: they are no part of it. */
static bool
write_request(struct wv_str *out, const struct build *b)
{
	const struct item *turn =
		b->last_turn != NOWHERE ? &b->items[b->last_turn] : NULL;

	wv_str_chr(out, '{');
	if (b->settings->query != NULL)
		add_string(out, "query", b->settings->query,
			strlen(b->settings->query));
	else if (turn != NULL && is_shown(turn) && b->query != NULL)
		add_said(out, "query", b, turn);
	else if (b->base != 0)
		return false;
	add_called(out, b);
	add_list(out, b, "history", false);
	add_list(out, b, "frames", true);
	wv_str_cat(out, "}\n");
	return true;
}

const struct output output_request = {
	.name = "request",
	.item = add_item,
	.whole = write_request,
	.is_json = true,
};
