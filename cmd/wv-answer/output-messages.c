/* SPDX-License-Identifier: Apache-2.0 */
/*
 * {"messages": […]}: roles and plain text (messages), or with calls, their
 * results and the tool to call as OpenAI has them (openai).  What is no turn of
 * anyone stands in a block, as in text.
 */
#include "messages-out.h"

#include <string.h>

static void
open_message(struct wv_str *out, const char *role)
{
	wv_str_fmt(out, "{\"role\":\"%s\",", role);
}

static void
add_text(struct wv_str *out, const char *role, struct wv_str *text)
{
	open_message(out, role);
	wv_str_cat(out, "\"content\":");
	message_string(out, text);
	wv_str_cat(out, "},");
}

static const char *
role_of(const struct item *item)
{
	static const char *const roles[] = {
		[KIND_USER_TURN] = "user",
		[KIND_AGENT_MSG] = "assistant",
		[KIND_TOOL_CALL] = "assistant",
		[KIND_TOOL_RESULT] = "user",
		[KIND_DOC_SNIPPET] = "user",
		[KIND_RETRIEVED_DOC] = "user",
		[KIND_MEMORY_FACT] = "user",
		[KIND_PLAN_STATE] = "system",
		[KIND_POLICY] = "system",
	};

	return roles[item->label.kind];
}

/* Generic: results have a role of their own, calls are told. */
static void
add_generic(struct wv_str *out, const struct build *b, const struct item *item)
{
	struct wv_str text = { 0 };
	bool is_result = item->label.kind == KIND_TOOL_RESULT;

	message_text(&text, b, item);
	add_text(out, is_result ? "tool" : role_of(item), &text);
}

static void
add_openai_call(
	struct wv_str *out, const struct build *b, const struct item *item)
{
	struct wv_str arguments = { 0 };

	message_arguments(&arguments, b, item);
	open_message(out, "assistant");
	wv_str_fmt(out,
		"\"content\":null,\"tool_calls\":[{\"id\":\"call_%zu\","
		"\"type\":\"function\",\"function\":{\"name\":\"",
		message_call(b, item));
	message_name(out, b, item);
	wv_str_cat(out, "\",\"arguments\":");
	message_string(out, &arguments);
	wv_str_cat(out, "}}]},");
}

static void
add_openai_result(struct wv_str *out, const struct build *b,
	const struct item *item, bool with_rest)
{
	struct wv_str text = { 0 };

	open_message(out, "tool");
	wv_str_fmt(out, "\"tool_call_id\":\"call_%zu\",\"content\":",
		message_call(b, item));
	message_text(&text, b, item);
	if (with_rest)
		message_rest(&text, b, item);
	message_string(out, &text);
	wv_str_cat(out, "},");
}

static void
say_openai(struct wv_str *out, const struct build *b, const struct item *item,
	bool with_rest)
{
	struct wv_str text = { 0 };

	switch (message_part_of(b, item)) {
	case MESSAGE_CALL:
		add_openai_call(out, b, item);
		break;
	case MESSAGE_ALONE:
		add_openai_call(out, b, item);
		/* fallthrough */
	case MESSAGE_RESULT:
		add_openai_result(out, b, item, with_rest);
		break;
	default:
		message_text(&text, b, item);
		add_text(out, role_of(item), &text);
	}
}

static void
add_openai(struct wv_str *out, const struct build *b, const struct item *item)
{
	say_openai(out, b, item, false);
}

static void
open_messages(struct wv_str *out, const struct build *b)
{
	struct wv_str blocks = { 0 };

	wv_str_cat(out, "\"messages\":[");
	blocks_front(&blocks, b);
	blocks_back(&blocks, b);
	blocks_begin(&blocks);
	/* Reserved even where it is not needed yet. */
	if (blocks.n > 0 || b->base == 0)
		add_text(out, "system", &blocks);
	wv_str_free(&blocks);
}

static void
close_messages(struct wv_str *out)
{
	out->n -= out->s[out->n - 1] == ',';
	wv_str_cat(out, "]}\n");
}

static bool
write_generic(struct wv_str *out, const struct build *b)
{
	wv_str_chr(out, '{');
	open_messages(out, b);
	for (ptrdiff_t i = next_shown(b, NOWHERE); i != NOWHERE;
		i = next_shown(b, i))
		add_generic(out, b, &b->items[i]);
	close_messages(out);
	return true;
}

static void
add_openai_tool(struct wv_str *out, const struct tool *tool)
{
	wv_str_cat(out, "\"tools\":[{\"type\":\"function\",\"function\":{");
	message_tool(out, tool, "parameters");
	wv_str_cat(out, "}}],");
}

/* All that answers a call is one message. */
static bool
write_openai(struct wv_str *out, const struct build *b)
{
	wv_str_chr(out, '{');
	if (b->tool != NULL)
		add_openai_tool(out, b->tool);
	open_messages(out, b);
	for (ptrdiff_t i = next_shown(b, NOWHERE); i != NOWHERE;
		i = next_shown(b, i))
		if (!message_is_later(b, &b->items[i]))
			say_openai(out, b, &b->items[i], true);
	close_messages(out);
	return true;
}

const struct output output_messages = {
	.name = "messages",
	.item = add_generic,
	.whole = write_generic,
	.is_json = true,
};

const struct output output_openai = {
	.name = "openai",
	.item = add_openai,
	.whole = write_openai,
	.is_json = true,
	.has_tool = true,
};
