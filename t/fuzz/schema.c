/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A schema on the first line, an instance on the rest.  Whatever they are:
 * the verdict and the reasons agree, and every reason is about a value that
 * is there.
 */
#include "schema/schema.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
judge(const struct wv_schema *schema, const cJSON *instance,
	struct wv_arena *arena)
{
	struct wv_schema_error *errors;
	int verdict = wv_schema_errors(schema, instance, arena, 10, &errors);

	must(wv_schema_valid(schema, instance) == verdict);
	must((verdict == 1) == (errors == NULL));
	for (; errors != NULL; errors = errors->next) {
		must(wv_pointer(instance, errors->instance) != NULL);
		must(errors->keyword != NULL && errors->message[0] != '\0');
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct wv_arena arena;
	const uint8_t *end = memchr(data, '\n', size);
	size_t schema_len = end ? (size_t)(end - data) : size;
	char *text = wv_dupn(&arena, (const char *)data, size);
	struct wv_err err = WV_ERR_INIT;
	const cJSON *root, *instance;

	root = wv_json_read(&arena, text, schema_len, &wv_json_defaults, NULL);
	instance = wv_json_read(&arena, text + schema_len, size - schema_len,
		&wv_json_defaults, NULL);
	if (root != NULL && instance != NULL) {
		struct wv_schema_set *set = wv_schema_set_new();
		const struct wv_schema *schema =
			wv_schema_compile(set, root, true, &err);
		must((schema == NULL) == wv_err_is_set(&err));
		if (schema != NULL)
			judge(schema, instance, &arena);
		wv_schema_set_free(set);
	}
	wv_arena_reset(&arena);
	return 0;
}
