/* SPDX-License-Identifier: Apache-2.0 */
/*
 * {"tools": […], "system": "…", "messages": […]} as Anthropic has it: what is
 * laid down stands in the system text; roles alternate, so neighbours of one
 * role share a message; the first is the user's.
 */
#include "messages-out.h"

#include <string.h>

static bool
is_system(const struct item *item)
{
	return item->label.kind == KIND_POLICY ||
		item->label.kind == KIND_PLAN_STATE;
}

static void
add_text(struct wv_str *out, const struct build *b, const struct item *item)
{
	struct wv_str text = { 0 };

	message_text(&text, b, item);
	wv_str_cat(out, "{\"type\":\"text\",\"text\":");
	message_string(out, &text);
	wv_str_cat(out, "},");
}

static void
add_call(struct wv_str *out, const struct build *b, const struct item *item)
{
	wv_str_fmt(out,
		"{\"type\":\"tool_use\",\"id\":\"call_%zu\",\"name\":\"",
		message_call(b, item));
	message_name(out, b, item);
	wv_str_cat(out, "\",\"input\":");
	message_arguments(out, b, item);
	wv_str_cat(out, "},");
}

static void
add_result(struct wv_str *out, const struct build *b, const struct item *item,
	bool with_rest)
{
	struct wv_str text = { 0 };

	message_text(&text, b, item);
	if (with_rest)
		message_rest(&text, b, item);
	wv_str_fmt(out,
		"{\"type\":\"tool_result\",\"tool_use_id\":\"call_%zu\","
		"\"content\":",
		message_call(b, item));
	message_string(out, &text);
	if (item->label.outcome != OUTCOME_FINE)
		wv_str_cat(out, ",\"is_error\":true");
	wv_str_cat(out, "},");
}

/* A message that is still open, for who speaks. */
struct speaker {
	const char *role; /* NULL: nobody has said anything */
};

static void
end_message(struct wv_str *out)
{
	out->n -= out->s[out->n - 1] == ',';
	wv_str_cat(out, "]},");
}

static void
speak(struct wv_str *out, struct speaker *speaker, const char *role)
{
	if (speaker->role != NULL && strcmp(speaker->role, role) == 0)
		return;
	if (speaker->role != NULL)
		end_message(out);
	wv_str_fmt(out, "{\"role\":\"%s\",\"content\":[", role);
	speaker->role = role;
}

static void
say(struct wv_str *out, struct speaker *speaker, const struct build *b,
	const struct item *item, bool with_rest)
{
	bool is_models = item->label.kind == KIND_AGENT_MSG ||
		item->label.kind == KIND_TOOL_CALL;

	switch (message_part_of(b, item)) {
	case MESSAGE_CALL:
		speak(out, speaker, "assistant");
		add_call(out, b, item);
		break;
	case MESSAGE_ALONE:
		speak(out, speaker, "assistant");
		add_call(out, b, item);
		/* fallthrough */
	case MESSAGE_RESULT:
		speak(out, speaker, "user");
		add_result(out, b, item, with_rest);
		break;
	default:
		speak(out, speaker, is_models ? "assistant" : "user");
		add_text(out, b, item);
	}
}

/* As if it stood alone. */
static void
add_item(struct wv_str *out, const struct build *b, const struct item *item)
{
	struct speaker speaker = { 0 };

	if (is_system(item)) {
		struct wv_str text = { 0 };
		block_item(&text, b, item);
		message_string(out, &text);
		return;
	}
	say(out, &speaker, b, item, false);
	end_message(out);
}

static void
add_system(struct wv_str *out, const struct build *b)
{
	struct wv_str text = { 0 };

	blocks_front(&text, b);
	for (size_t i = 0; i < b->item_count; i++)
		if (is_shown(&b->items[i]) && is_system(&b->items[i]))
			block_item(&text, b, &b->items[i]);
	blocks_back(&text, b);
	blocks_begin(&text);
	if (text.n > 0 || b->base == 0) {
		wv_str_cat(out, "\"system\":");
		wv_json_write_string(out, text.s ? text.s : "", text.n);
		wv_str_chr(out, ',');
	}
	wv_str_free(&text);
}

static void
add_turns(struct wv_str *out, const struct build *b)
{
	struct speaker speaker = { 0 };
	ptrdiff_t at = next_shown(b, NOWHERE);

	while (at != NOWHERE && is_system(&b->items[at]))
		at = next_shown(b, at);
	if (b->base == 0 ||
		(at != NOWHERE &&
			(message_part_of(b, &b->items[at]) == MESSAGE_ALONE ||
				b->items[at].label.kind == KIND_AGENT_MSG ||
				b->items[at].label.kind == KIND_TOOL_CALL))) {
		speak(out, &speaker, "user");
		wv_str_cat(out,
			"{\"type\":\"text\",\"text\":"
			"\"(what came before is left out)\"},");
	}
	for (; at != NOWHERE; at = next_shown(b, at))
		if (!is_system(&b->items[at]) &&
			!message_is_later(b, &b->items[at]))
			say(out, &speaker, b, &b->items[at], true);
	if (speaker.role != NULL)
		end_message(out);
	out->n -= out->s[out->n - 1] == ',';
}

static bool
write_anthropic(struct wv_str *out, const struct build *b)
{
	wv_str_chr(out, '{');
	if (b->tool != NULL) {
		wv_str_cat(out, "\"tools\":[{");
		message_tool(out, b->tool, "input_schema");
		wv_str_cat(out, "}],");
	}
	add_system(out, b);
	wv_str_cat(out, "\"messages\":[");
	add_turns(out, b);
	wv_str_cat(out, "]}\n");
	return true;
}

const struct output output_anthropic = {
	.name = "anthropic",
	.item = add_item,
	.whole = write_anthropic,
	.is_json = true,
	.has_tool = true,
};
