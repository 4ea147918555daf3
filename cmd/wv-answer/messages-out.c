/* SPDX-License-Identifier: Apache-2.0 */
#include "messages-out.h"

#include <string.h>

enum { NAME_MAX_BYTES = 64 };

static const struct item *
call_of(const struct build *b, const struct item *item)
{
	if (item->label.kind != KIND_TOOL_RESULT || item->label.up == NOWHERE)
		return NULL;
	const struct item *call = &b->items[item->label.up];
	return call->label.kind == KIND_TOOL_CALL ? call : NULL;
}

/* The unit goes together, so what is asked before it is chosen holds after. */
enum message_part
message_part_of(const struct build *b, const struct item *item)
{
	if (item->label.kind == KIND_TOOL_CALL)
		return item->label.result != NOWHERE ? MESSAGE_CALL
						     : MESSAGE_TEXT;
	if (item->label.kind != KIND_TOOL_RESULT)
		return MESSAGE_TEXT;
	return call_of(b, item) != NULL ? MESSAGE_RESULT : MESSAGE_ALONE;
}

bool
message_is_later(const struct build *b, const struct item *item)
{
	const struct item *call = call_of(b, item);

	return call != NULL && &b->items[call->label.result] != item;
}

size_t
message_call(const struct build *b, const struct item *item)
{
	const struct item *call = call_of(b, item);

	return (call != NULL ? call : item)->label.order;
}

static void
add_name(struct wv_str *out, const char *id)
{
	size_t n = 0;

	if (id == NULL || *id == '\0')
		id = "unknown";
	for (; *id != '\0' && n < NAME_MAX_BYTES; id++, n++) {
		char c = *id;
		bool is_taken = (c >= 'a' && c <= 'z') ||
			(c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			c == '-';
		wv_str_chr(out, is_taken ? c : '_');
	}
}

void
message_name(struct wv_str *out, const struct build *b, const struct item *item)
{
	const struct item *call = call_of(b, item);

	add_name(out, (call != NULL ? call : item)->label.capability_id);
}

void
message_tool(struct wv_str *out, const struct tool *tool, const char *schema)
{
	wv_str_cat(out, "\"name\":\"");
	add_name(out, tool->id);
	wv_str_cat(out, "\",\"description\":");
	wv_json_write_string(out, tool->description, strlen(tool->description));
	wv_str_fmt(out, ",\"%s\":", schema);
	wv_json_write(out, tool->schema);
}

void
message_arguments(
	struct wv_str *out, const struct build *b, const struct item *item)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_str text = { 0 };
	const cJSON *tree = NULL;

	if (item->label.kind != KIND_TOOL_CALL) {
		wv_str_cat(out, "{}");
		return;
	}
	content_of(&text, b, item, "");
	text.n -= text.n > 0 && text.s[text.n - 1] == '\n';
	if (item->form == FORM_FULL)
		tree = wv_json_read(&arena,
			wv_dupn(&arena, text.s ? text.s : "", text.n), text.n,
			&wv_json_defaults, NULL);
	if (wv_is_object(tree)) {
		wv_json_write(out, tree);
	} else {
		wv_str_cat(out, "{\"text\":");
		wv_json_write_string(out, text.s ? text.s : "", text.n);
		wv_str_chr(out, '}');
	}
	wv_str_free(&text);
	wv_arena_free(&arena);
}

/* What nobody in the conversation has said is marked as what it is. */
void
message_text(struct wv_str *out, const struct build *b, const struct item *item)
{
	if (item->label.kind == KIND_USER_TURN ||
		item->label.kind == KIND_AGENT_MSG ||
		item->label.kind == KIND_TOOL_RESULT) {
		content_of(out, b, item, "");
	} else {
		block_item(out, b, item);
		blocks_begin(out);
	}
	out->n -= out->n > 0 && out->s[out->n - 1] == '\n';
}

void
message_rest(struct wv_str *out, const struct build *b, const struct item *item)
{
	if (call_of(b, item) == NULL)
		return;
	for (ptrdiff_t i = item->label.result; i != NOWHERE;
		i = b->items[i].label.result) {
		wv_str_chr(out, '\n');
		message_text(out, b, &b->items[i]);
	}
}

void
message_string(struct wv_str *out, struct wv_str *text)
{
	if (text->n == 0 || strspn(text->s, " \t\n") == text->n)
		wv_str_cat(text, "(nothing)");
	wv_json_write_string(out, text->s, text->n);
	wv_str_free(text);
}
