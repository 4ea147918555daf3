/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts in one line, for tools that need a record or a configuration. */
#include "contract/found.h"
#include "contract/registry.h"

#include <string.h>

/* "/summary: must be a string"; "needs summary" of the whole. */
static char *
describe(struct wv_arena *arena, const struct wv_schema_error *error)
{
	struct wv_str where = { 0 };
	char *text;

	if (error->instance[0] == '\0')
		return wv_dup(arena, error->message);
	wv_str_foreign(&where, error->instance, strlen(error->instance),
		WV_ERR_TEXT / 2);
	text = wv_printf(arena, "%s: %s", where.s, error->message);
	wv_str_free(&where);
	return text;
}

int
wv_contract_require(
	enum wv_contract type, const cJSON *value, struct wv_err *err)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_schema_error *errors;
	int verdict = wv_contract_check(type, value, &arena, &errors);

	if (verdict != 1)
		wv_err_set(err, "not a %s: %s%s", wv_contract_title(type),
			describe(&arena, errors),
			errors->next ? ", and more" : "");
	wv_arena_free(&arena);
	return verdict == 1 ? 0 : -1;
}

/* An unknown member first: when a name is mistyped another is missing. */
static const struct wv_schema_error *
first_fault(const struct wv_schema_error *errors)
{
	static const char unknown[] = "/additionalProperties";

	for (const struct wv_schema_error *e = errors; e != NULL; e = e->next) {
		size_t n = strlen(e->keyword);
		if (n >= sizeof unknown - 1 &&
			strcmp(e->keyword + n + 1 - sizeof unknown, unknown) ==
				0)
			return e;
	}
	return errors;
}

static int
check(const struct wv_schema *schema, const struct wv_doc *doc,
	struct wv_arena *arena, struct wv_schema_error **errors)
{
	return wv_schema_errors(schema, doc->root, WV_BRANCH_NEAREST, arena,
		WV_MAX_FAULTS, errors);
}

int
wv_config_errors(const struct wv_doc *doc, const char *kind,
	struct wv_arena *arena, struct wv_schema_error **errors)
{
	return check(wv_registry_config(kind, NULL), doc, arena, errors);
}

int
wv_config_check(const struct wv_doc *doc, const char *kind, struct wv_err *err)
{
	struct wv_arena arena = WV_ARENA_INIT;
	const struct wv_schema *schema = wv_registry_config(kind, err);
	struct wv_schema_error *errors;
	int verdict;

	if (schema == NULL)
		return -1;
	verdict = check(schema, doc, &arena, &errors);
	if (verdict != 1) {
		const struct wv_schema_error *fault = first_fault(errors);
		wv_doc_err(doc, err, fault->instance, "%s",
			describe(&arena, fault));
	}
	wv_arena_free(&arena);
	return verdict == 1 ? 0 : -1;
}
