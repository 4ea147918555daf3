/* SPDX-License-Identifier: Apache-2.0 */
/* Message arrays of the form of Anthropic's messages. */
#include "messages.h"

#include <string.h>

/* Thinking is the model's own, and not shown. */
static const struct part_type part_types[] = {
	{ "text", PART_TEXT },
	{ "image", PART_OTHER },
	{ "document", PART_OTHER },
	{ "search_result", PART_OTHER },
	{ "thinking", PART_NOT_SHOWN },
	{ "redacted_thinking", PART_NOT_SHOWN },
	{ NULL, PART_UNKNOWN },
};

static int
add_use(struct intake *intake, const cJSON *block, struct wv_err *err)
{
	const cJSON *input = wv_get(block, "input");
	struct raw_item item = { .call_id = wv_get_string(block, "id"),
		.label = { .kind = KIND_TOOL_CALL,
			.capability_id = wv_get_string(block, "name") } };
	struct wv_str text = { 0 };
	int done;

	if (item.call_id == NULL || item.label.capability_id == NULL ||
		!wv_is_object(input))
		return wv_err_set(err, "tool_use needs id, name and input");
	wv_json_write(&text, input);
	item.text = text.s;
	item.len = text.n;
	done = message_add(intake, &item, NULL, err);
	wv_str_free(&text);
	return done;
}

static int
add_result(struct intake *intake, const cJSON *block, struct wv_err *err)
{
	struct raw_item item = { .call_id = wv_get_string(block, "tool_use_id"),
		.label = { .kind = KIND_TOOL_RESULT } };

	if (item.call_id == NULL)
		return wv_err_set(err, "tool_result needs tool_use_id");
	if (wv_is_true(wv_get(block, "is_error")))
		item.label.outcome = OUTCOME_ERROR;
	return message_add_content(
		intake, &item, wv_get(block, "content"), part_types, err);
}

/* Blocks of text stand for themselves. */
static int
add_block(struct intake *intake, enum item_kind kind, cJSON *block,
	struct wv_err *err)
{
	const char *type = wv_get_string(block, "type");
	struct raw_item item = { .label = { .kind = kind } };
	cJSON alone = { .type = cJSON_Array, .child = block };
	cJSON *next = block->next;
	int done;

	if (type != NULL && strcmp(type, "tool_use") == 0)
		return add_use(intake, block, err);
	if (type != NULL && strcmp(type, "tool_result") == 0)
		return add_result(intake, block, err);
	block->next = NULL;
	done = message_add_content(intake, &item, &alone, part_types, err);
	block->next = next;
	return done;
}

static int
read_message(struct intake *intake, const cJSON *message, struct wv_err *err)
{
	const char *role = wv_get_string(message, "role");
	const cJSON *content = wv_get(message, "content");
	struct raw_item item = { 0 };

	if (role != NULL && strcmp(role, "assistant") == 0)
		item.label.kind = KIND_AGENT_MSG;
	else if (role == NULL || strcmp(role, "user") != 0)
		return wv_err_set(err, "role is \"%s\", not user or assistant",
			role != NULL ? role : "");
	if (!wv_is_array(content))
		return message_add_content(
			intake, &item, content, part_types, err);
	wv_json_each(block, content)
		if (add_block(intake, item.label.kind, block, err) < 0)
			return -1;
	return 0;
}

int
read_anthropic(struct intake *intake, const cJSON *record, struct wv_err *err)
{
	const cJSON *system = wv_get(record, "system");
	struct raw_item item = { .label = { .kind = KIND_POLICY } };

	if (system != NULL &&
		message_add_content(intake, &item, system, part_types, err) < 0)
		return -1;
	return messages_read(intake, record, read_message, err);
}
