/* SPDX-License-Identifier: Apache-2.0 */
#include "wrapped.h"

#include "json/mapping.h"

static const cJSON *
find(const void *arguments, const char *pointer)
{
	return wv_pointer(arguments, pointer);
}

cJSON *
wrapped_arguments(const struct tool *tool, const cJSON *arguments,
	struct wv_arena *arena, struct wv_err *err)
{
	const cJSON *written = wv_get(tool->entry, "arguments");
	struct wv_err inner = WV_ERR_INIT;
	cJSON *made;

	if (arguments == NULL)
		arguments = wv_json_object(arena);
	if (written == NULL)
		return wv_json_copy(arena, arguments);
	made = wv_mapping_resolve(arena, written, find, arguments, &inner);
	if (made == NULL)
		wv_err_set(err, "arguments of %s: %s",
			wv_get_string(tool->entry, "wraps"), inner.text);
	return made;
}

bool
is_validation(const struct tool *tool)
{
	return wv_is_true(wv_get(tool->entry, "validation"));
}

/* NULL if it is one. */
static const char *
no_verdict(const cJSON *said)
{
	const cJSON *passed = wv_get(said, "passed");
	const cJSON *message = wv_get(said, "message");

	if (!wv_is_true(passed) && !wv_is_false(passed))
		return "the validation did not say passed, true or false";
	if (message != NULL && !wv_is_string(message))
		return "the message of the validation is no text";
	return NULL;
}

cJSON *
validation_result(
	struct wv_arena *arena, const char *text, size_t n, struct wv_err *err)
{
	static const char *const members[] = { "passed", "message", "data" };
	struct wv_err inner = WV_ERR_INIT;
	const cJSON *said =
		wv_json_read(arena, text, n, &wv_json_defaults, &inner);
	const char *why = said != NULL
		? no_verdict(said)
		: wv_printf(arena, "what the validation said is not JSON: %s",
			  inner.text);
	cJSON *result = wv_json_object(arena);

	if (why != NULL) {
		wv_err_set(err, "%s", why);
		return NULL;
	}
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		const cJSON *value = wv_get(said, members[i]);
		if (value != NULL)
			wv_put(arena, result, members[i],
				wv_json_copy(arena, value));
	}
	return result;
}
