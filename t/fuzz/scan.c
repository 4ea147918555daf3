/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A schema on the first line, a record on the rest.  Whatever they are: a scan
 * says yes only to what the reader takes and the schema allows; and it says
 * yes to all of that, but for the shapes that it leaves to the tree.
 */
#include "schema/schema.h"

#include "must.h"

#include "json/skim.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct wv_arena arena;

/* Maybe a shape that skimming leaves: schemas add levels, and names are
 * counted over all that is open. */
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

/* A text that ends with its memory but for the slack. */
static char *
copy_text(const uint8_t *data, size_t n)
{
	char *text = malloc(n + WV_JSON_SLACK);

	memcpy(text, data, n);
	memset(text + n, '"', WV_JSON_SLACK);
	return text;
}

static cJSON *
read_text(const char *text, size_t n)
{
	struct wv_err err = WV_ERR_INIT;

	return wv_json_read(&arena, text, n, &wv_json_defaults, &err);
}

static void
judge(const struct wv_schema *schema, const char *text, size_t n)
{
	bool yes = wv_schema_scan(schema, text, n, &wv_json_defaults);
	const cJSON *record = read_text(text, n);
	bool valid = record != NULL && wv_schema_valid(schema, record) == 1;

	must(!yes || valid);
	/* Names with NULs beside patterns are left, and long scalars. */
	if (valid && !yes && wv_schema_can_scan(schema))
		must(is_left(record, 0) || n >= WV_SKIM_SCALAR ||
			memmem(text, n, "\\u0000", 6) != NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct wv_schema_options options = { WV_DRAFT_2020_12,
		true, false, NULL };
	const uint8_t *end = memchr(data, '\n', size);
	size_t n = end ? (size_t)(end - data) : size;
	char *schema_text = copy_text(data, n);
	char *text = copy_text(data + n, size - n);
	const cJSON *root = read_text(schema_text, n);

	if (root != NULL) {
		struct wv_schema_set *set = wv_schema_set_new(&options);
		struct wv_err err = WV_ERR_INIT;
		const struct wv_schema *schema =
			wv_schema_compile(set, root, &err);
		if (schema != NULL)
			judge(schema, text, size - n);
		wv_schema_set_free(set);
	}
	free(schema_text);
	free(text);
	wv_arena_reset(&arena);
	return 0;
}
