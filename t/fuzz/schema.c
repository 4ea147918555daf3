/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A byte that chooses draft and options, a schema on the rest of the first
 * line, an instance after it.  Whatever they are: the verdict and the reasons
 * agree, every reason is about a value that is there, and so for the schema
 * as an instance of its meta-schema.
 */
#include "schema/schema.h"

#include "must.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_errors(int verdict, const struct wv_schema_error *errors,
	const cJSON *instance)
{
	size_t count = 0;

	must((verdict == 1) == (errors == NULL));
	for (; errors != NULL; errors = errors->next) {
		must(wv_pointer(instance, errors->instance) != NULL);
		must(errors->keyword != NULL && errors->message[0] != '\0');
		must(!errors->warning && ++count <= 10);
	}
}

static void
judge(const struct wv_schema *schema, const cJSON *instance,
	struct wv_arena *arena)
{
	struct wv_schema_error *errors;
	int verdict = wv_schema_errors(
		schema, instance, WV_BRANCH_NEAREST, arena, 10, &errors);

	must(wv_schema_valid(schema, instance) == verdict);
	check_errors(verdict, errors, instance);
}

/* A schema that compiles although its meta-schema refuses it is no fault:
 * what has no effect is not looked at. */
static void
judge_schema(
	struct wv_schema_set *set, const cJSON *root, struct wv_arena *arena)
{
	struct wv_schema_error *errors;
	int verdict = wv_schema_meta_errors(set, root, arena, 10, &errors);

	check_errors(verdict, errors, root);
	wv_schema_lint(set, root, arena, &errors);
	for (; errors != NULL; errors = errors->next) {
		must(errors->warning && errors->message[0] != '\0');
		must(wv_pointer(root, errors->instance) != NULL);
	}
}

static void
run(const struct wv_schema_options *options, const cJSON *root,
	const cJSON *instance, struct wv_arena *arena)
{
	struct wv_schema_set *set = wv_schema_set_new(options);
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema = wv_schema_compile(set, root, &err);

	must((schema == NULL) == wv_err_is_set(&err));
	if (schema != NULL)
		judge(schema, instance, arena);
	judge_schema(set, root, arena);
	wv_schema_set_free(set);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct wv_arena arena;
	struct wv_schema_options options = WV_SCHEMA_OPTIONS_INIT;
	const uint8_t *end = memchr(data, '\n', size);
	const cJSON *root, *instance;
	size_t schema_len;
	char *text;

	if (end == NULL || end == data)
		return 0;
	options.draft = (enum wv_draft)(data[0] % 5);
	options.assert_format = data[0] / 5 & 1;
	options.strict_keywords = data[0] / 10 & 1;
	text = wv_dupn(&arena, (const char *)data, size);
	schema_len = (size_t)(end - data) - 1;
	root = wv_json_read(
		&arena, text + 1, schema_len, &wv_json_defaults, NULL);
	instance = wv_json_read(&arena, text + 1 + schema_len,
		size - 1 - schema_len, &wv_json_defaults, NULL);
	if (root != NULL && instance != NULL)
		run(&options, root, instance, &arena);
	wv_arena_reset(&arena);
	return 0;
}
