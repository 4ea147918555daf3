/* SPDX-License-Identifier: Apache-2.0 */
/* What YAML is read can be written as JSON and read back as the same value;
 * every node and every error stands within the text. */
#include "json/yaml.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static bool
is_within(const char *text, size_t size, size_t line, size_t column)
{
	const char *end = text + size, *begin = text;

	for (; line > 1; line--) {
		begin = memchr(begin, '\n', (size_t)(end - begin));
		if (begin == NULL)
			return false;
		begin++;
	}
	return line == 1 && column >= 1 && column <= (size_t)(end - begin) + 1;
}

/* No recursion is needed to be sure of depth 64, but it is bounded. */
static void
check_places(const cJSON *node, const char *text, size_t size)
{
	size_t line, column;

	wv_yaml_position(node, &line, &column);
	if (!is_within(text, size, line, column))
		abort();
	wv_json_each(child, node)
		check_places(child, text, size);
}

static void
check_value(struct wv_arena *arena, const cJSON *tree)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str out = { 0 };
	cJSON *again;

	wv_json_write(&out, tree);
	again = wv_json_read(arena, wv_dupn(arena, out.s, out.n), out.n,
		&wv_json_defaults, &err);
	if (again == NULL || !wv_json_equal(tree, again))
		abort();
	wv_str_free(&out);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	const char *text = (const char *)data;
	cJSON *tree = wv_yaml_read(&arena, text, size, &wv_yaml_defaults, &err);

	if (tree != NULL) {
		check_places(tree, text, size);
		check_value(&arena, tree);
	} else if (!wv_err_is_set(&err) ||
		!is_within(text, size, err.line, err.column)) {
		abort();
	}
	wv_arena_free(&arena);
	return 0;
}
