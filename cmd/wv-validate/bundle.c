/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance.h"

#include <string.h>
#include <sys/stat.h>

enum { MAX_BYTES = 5 << 20 };

/* As Python calls it. */
static const char *
type_name(const cJSON *value)
{
	struct wv_str number = { 0 };
	bool whole;

	switch (value->type) {
	case cJSON_Array:
		return "list";
	case cJSON_String:
		return "str";
	case cJSON_NULL:
		return "NoneType";
	case cJSON_Number:
		wv_json_write(&number, value);
		whole = strpbrk(number.s, ".eE") == NULL;
		wv_str_free(&number);
		return whole ? "int" : "float";
	default:
		return "bool";
	}
}

static const char *
read_text(struct result *result, const char *path, size_t *len)
{
	struct wv_err err = WV_ERR_INIT;
	const char *text;
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		st.st_size > MAX_BYTES) {
		result_no_input(result,
			wv_printf(&result->arena,
				"bundle file exceeds the %d-byte limit",
				MAX_BYTES));
		return NULL;
	}
	text = wv_file_read(&result->arena, path, MAX_BYTES, len, &err);
	if (text == NULL)
		result_no_input(result,
			wv_printf(&result->arena,
				"cannot read bundle file: %s: %s",
				result->target,
				clean(&result->arena, err.text)));
	return text;
}

/* NULL, and that is told, if it is no JSON object. */
static const cJSON *
read_bundle(struct result *result, const char *path)
{
	struct wv_err err = WV_ERR_INIT;
	const cJSON *bundle;
	size_t len;
	const char *text = read_text(result, path, &len);

	if (text == NULL)
		return NULL;
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		len -= 3;
	}
	bundle = wv_json_read(
		&result->arena, text, len, &wv_json_defaults, &err);
	if (bundle == NULL)
		result_no_input(result,
			wv_printf(&result->arena,
				"bundle is not valid JSON: %s: line %zu "
				"column %zu",
				clean(&result->arena, err.text), err.line,
				err.column));
	else if (!wv_is_object(bundle))
		result_no_input(result,
			wv_printf(&result->arena,
				"bundle must be a JSON object, got %s",
				type_name(bundle)));
	return wv_is_object(bundle) ? bundle : NULL;
}

static bool
is_valid(struct result *result, const cJSON *bundle)
{
	struct wv_arena *arena = &result->arena;
	const struct wv_schema_error *fault =
		check_schema(arena, WV_TRACE_BUNDLE, bundle);

	result->checks++;
	if (fault == NULL)
		return true;
	for (; fault != NULL; fault = fault->next) {
		struct failure failure = {
			.kind = "schema",
			.schema = wv_contract_name(WV_TRACE_BUNDLE),
			.path = fault_place(arena, fault),
		};
		result_fail(result, &failure,
			wv_printf(
				arena, "schema: %s", fault_text(arena, fault)));
	}
	return false;
}

static void
judge_integrity(struct result *result, const cJSON *bundle,
	const struct wv_keyring *keyring)
{
	struct failure failure = {
		.kind = "tracebundle",
		.payload = wv_get_string(bundle, "bundle_id"),
	};
	cJSON *notes = wv_json_array(&result->arena);
	const cJSON *wrong =
		check_integrity(&result->arena, bundle, keyring, notes);

	result->checks++;
	wv_json_each(one, wrong)
		result_fail(result, &failure, one->valuestring);
	wv_json_each(note, notes)
		result_say(result, "  bundle: %s", note->valuestring);
}

static void
judge_invariant(struct result *result, const cJSON *bundle,
	const struct bundle_invariant *invariant)
{
	struct failure failure = {
		.kind = "invariant",
		.payload = wv_get_string(bundle, "bundle_id"),
		.invariant_id = invariant->name,
	};
	const cJSON *wrong = invariant->check(&result->arena, bundle);

	result->checks++;
	wv_json_each(one, wrong)
		result_fail(result, &failure,
			wv_printf(&result->arena, "%s: %s", invariant->name,
				one->valuestring));
}

void
bundle_run(struct result *result, const char *path,
	const struct wv_keyring *keyring)
{
	const cJSON *bundle;

	result->mode = "bundle";
	result->target = clean(&result->arena, path);
	result->header = wv_printf(
		&result->arena, "Bundle conformance (%s)", result->target);
	bundle = read_bundle(result, path);
	if (bundle == NULL || !is_valid(result, bundle))
		return;
	judge_integrity(result, bundle, keyring);
	for (size_t i = 0; i < BUNDLE_INVARIANTS; i++)
		judge_invariant(result, bundle, &bundle_invariants[i]);
}
