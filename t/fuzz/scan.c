/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A schema on the first line, a record on the rest.  Whatever they are: a scan
 * says yes only to what the reader takes and the schema allows; and it says
 * yes to all of that, but for the shapes that it leaves to the tree.
 */
#include "schema/schema.h"

#include "json/skim.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct wv_arena arena;

static void
must(bool holds)
{
	if (!holds)
		abort();
}

/* A shape that skimming leaves: too many names, or too deep. */
static bool
is_left(const cJSON *value, unsigned depth)
{
	if (depth == WV_SKIM_LEVELS / 16 ||
		wv_count(value) > WV_SKIM_MEMBERS / 8)
		return true;
	wv_json_each(child, value) {
		if (is_left(child, depth + 1))
			return true;
	}
	return false;
}

static void
judge(const struct wv_schema *schema, const char *text, size_t n)
{
	/* The text ends with its memory but for the slack. */
	char *copy = malloc(n + WV_JSON_SLACK);
	struct wv_err err = WV_ERR_INIT;
	const cJSON *record;
	bool yes, valid;

	memcpy(copy, text, n);
	memset(copy + n, '"', WV_JSON_SLACK);
	yes = wv_schema_scan(schema, copy, n, &wv_json_defaults);
	record = wv_json_read(&arena, copy, n, &wv_json_defaults, &err);
	valid = record != NULL && wv_schema_valid(schema, record) == 1;
	must(!yes || valid);
	if (valid && !yes && wv_schema_can_scan(schema))
		/* Nor names with NULs beside patterns, nor long scalars. */
		must(is_left(record, 0) || n >= WV_SKIM_SCALAR ||
			memmem(copy, n, "\\u0000", 6) != NULL);
	free(copy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct wv_schema_options options = { WV_DRAFT_2020_12,
		true, false, NULL };
	const uint8_t *end = memchr(data, '\n', size);
	size_t schema_len = end ? (size_t)(end - data) : size;
	char *text = wv_dupn(&arena, (const char *)data, size);
	struct wv_err err = WV_ERR_INIT;
	const cJSON *root =
		wv_json_read(&arena, text, schema_len, &wv_json_defaults, &err);

	if (root != NULL) {
		struct wv_schema_set *set = wv_schema_set_new(&options);
		const struct wv_schema *schema =
			wv_schema_compile(set, root, &err);
		if (schema != NULL)
			judge(schema, text + schema_len, size - schema_len);
		wv_schema_set_free(set);
	}
	wv_arena_reset(&arena);
	return 0;
}
