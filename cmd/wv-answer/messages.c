/* SPDX-License-Identifier: Apache-2.0 */
#include "messages.h"

#include <string.h>

int
messages_read(struct intake *intake, const cJSON *record, read_message_fn *read,
	struct wv_err *err)
{
	const cJSON *list = wv_get(record, "messages");

	if (list == NULL && wv_is_object(record))
		return read(intake, record, err);
	if (list == NULL)
		list = record;
	if (!wv_is_array(list))
		return wv_err_set(err, "not an array of messages");
	size_t n = 0;
	wv_json_each(message, list) {
		n++;
		struct wv_err cause = WV_ERR_INIT;
		if (read(intake, message, &cause) < 0)
			return wv_err_set(
				err, "message %zu: %s", n, cause.text);
	}
	return 0;
}

int
message_add(struct intake *intake, struct raw_item *item, const cJSON *string,
	struct wv_err *err)
{
	item->label.id =
		wv_printf(&intake->arena, "message:%zu", intake->count + 1);
	return string != NULL ? intake_add_string(intake, item, string, err)
			      : intake_add(intake, item, err);
}

static enum part
part_of(const struct part_type *types, const char *name)
{
	while (types->name != NULL && strcmp(types->name, name) != 0)
		types++;
	return types->part;
}

static int
add_part(struct wv_str *text, const cJSON *part, const struct part_type *types,
	struct wv_err *err)
{
	const char *type = wv_get_string(part, "type");
	const cJSON *said = wv_get(part, "text");

	if (said == NULL)
		said = wv_get(part, "refusal");
	switch (type != NULL ? part_of(types, type) : PART_UNKNOWN) {
	case PART_TEXT:
		if (!wv_is_string(said))
			return wv_err_set(err, "a part has no text");
		if (text->n > 0)
			wv_str_chr(text, '\n');
		wv_json_bytes(said, text);
		return 0;
	case PART_OTHER:
		wv_str_fmt(
			text, "%s(%s left out)", text->n > 0 ? "\n" : "", type);
		return 0;
	case PART_NOT_SHOWN:
		return 0;
	default:
		return wv_err_set(err, "a part of unknown type \"%s\"",
			type != NULL ? type : "");
	}
}

static int
add_parts(struct wv_str *text, const cJSON *content,
	const struct part_type *types, struct wv_err *err)
{
	if (wv_is_string(content)) {
		wv_json_bytes(content, text);
		return 0;
	}
	if (content != NULL && !wv_is_null(content) && !wv_is_array(content))
		return wv_err_set(err, "content is neither text nor parts");
	if (wv_is_array(content))
		wv_json_each(part, content)
			if (add_part(text, part, types, err) < 0)
				return -1;
	return 0;
}

int
message_add_content(struct intake *intake, struct raw_item *item,
	const cJSON *content, const struct part_type *types, struct wv_err *err)
{
	struct wv_str text = { 0 };
	int done = add_parts(&text, content, types, err);

	if (done == 0 && (text.n > 0 || item->label.kind == KIND_TOOL_RESULT)) {
		item->text = text.s != NULL ? text.s : "";
		item->len = text.n;
		done = message_add(intake, item, NULL, err);
	}
	wv_str_free(&text);
	return done;
}
