/* SPDX-License-Identifier: Apache-2.0 */
/* Message arrays of the form of OpenAI's chat completions. */
#include "messages.h"

#include <string.h>

static const struct part_type part_types[] = {
	{ "text", PART_TEXT },
	{ "refusal", PART_TEXT },
	{ "image_url", PART_OTHER },
	{ "input_audio", PART_OTHER },
	{ "file", PART_OTHER },
	{ NULL, PART_UNKNOWN },
};

static int
add_call(struct intake *intake, const cJSON *call, struct wv_err *err)
{
	const cJSON *function = wv_get(call, "function");
	const cJSON *arguments = wv_get(function, "arguments");
	struct raw_item item = { .call_id = wv_get_string(call, "id"),
		.label = { .kind = KIND_TOOL_CALL,
			.capability_id = wv_get_string(function, "name") } };

	if (item.call_id == NULL || item.label.capability_id == NULL ||
		!wv_is_string(arguments))
		return wv_err_set(err,
			"a tool call needs id, function.name and "
			"function.arguments");
	return message_add(intake, &item, arguments, err);
}

static int
add_calls(struct intake *intake, const cJSON *calls, struct wv_err *err)
{
	wv_json_each(call, calls)
		if (add_call(intake, call, err) < 0)
			return -1;
	return 0;
}

static int
read_message(struct intake *intake, const cJSON *message, struct wv_err *err)
{
	static const struct role {
		const char *name;
		enum item_kind kind;
	} roles[] = {
		{ "system", KIND_POLICY },
		{ "developer", KIND_POLICY },
		{ "user", KIND_USER_TURN },
		{ "assistant", KIND_AGENT_MSG },
		{ "tool", KIND_TOOL_RESULT },
	};
	const char *name = wv_get_string(message, "role");
	struct raw_item item = { .call_id = wv_get_string(
					 message, "tool_call_id") };

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++) {
		if (name == NULL || strcmp(name, roles[i].name) != 0)
			continue;
		item.label.kind = roles[i].kind;
		if (item.label.kind == KIND_TOOL_RESULT && item.call_id == NULL)
			return wv_err_set(
				err, "a tool message needs tool_call_id");
		if (message_add_content(intake, &item,
			    wv_get(message, "content"), part_types, err) < 0)
			return -1;
		return add_calls(intake, wv_get(message, "tool_calls"), err);
	}
	return wv_err_set(err,
		"role is \"%s\", not system, developer, user, "
		"assistant or tool",
		name != NULL ? name : "");
}

int
read_openai(struct intake *intake, const cJSON *record, struct wv_err *err)
{
	return messages_read(intake, record, read_message, err);
}
