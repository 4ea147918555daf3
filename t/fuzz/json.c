/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the reader takes, the writer writes so that it is read as an equal
 * tree and written the same; cJSON takes it too.  Buffers end exactly at the
 * slack that is promised.
 */
#include "json/num.h"
#include "json/utf8.h"

#include "../bench/cjson-peer.h"
#include "must.h"

#include <stdlib.h>
#include <string.h>

static struct wv_arena arena;
static const struct wv_json_limits limits = { 200, 10000, 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static cJSON *
read_exactly(const void *text, size_t n, char filler, struct wv_err *err)
{
	char *copy = malloc(n + WV_JSON_SLACK);
	cJSON *tree;

	memcpy(copy, text, n);
	memset(copy + n, filler, WV_JSON_SLACK);
	tree = wv_json_read(&arena, copy, n, &limits, err);
	free(copy);
	return tree;
}

static void
check_refusal(const struct wv_err *err, const struct wv_err *other)
{
	must(err->line > 0 && err->column > 0);
	must(wv_utf8_check(err->text, strlen(err->text)) == strlen(err->text));
	must(strcmp(err->text, other->text) == 0 && err->line == other->line &&
		err->column == other->column);
}

/* The links that cJSON keeps: siblings both ways, the first to the last. */
static void
check_links(const cJSON *parent)
{
	const cJSON *last = parent->child ? parent->child->prev : NULL;

	wv_json_each(item, parent) {
		must(item->prev == last && item->prev != NULL);
		last = item;
	}
	must(parent->child == NULL || parent->child->prev == last);
}

/* The links and values of a container and the way to each. */
static void
check_children(const cJSON *parent, const cJSON *root, const char *text,
	size_t n, const char *pointer)
{
	struct wv_str path = { 0 }, out = { 0 };
	struct wv_err err = WV_ERR_INIT;
	size_t i = 0;

	check_links(parent);
	wv_json_each(item, parent) {
		path.n = 0;
		wv_str_cat(&path, pointer);
		if (wv_is_object(parent))
			wv_pointer_add(&path, item->string);
		else
			wv_str_fmt(&path, "/%zu", i++);
		must(wv_pointer(root, path.s) == item);
		must(wv_json_locate(text, n, path.s) < n);
		if (wv_is_number(item)) {
			out.n = 0;
			wv_num_canonical(&out, item);
			cJSON *again = read_exactly(out.s, out.n, '0', &err);
			must(again && wv_num_cmp(again, item) == 0);
			must(wv_num_is_double(again) == wv_num_is_double(item));
		}
		if (item == parent->child && item->child != NULL)
			check_children(item, root, text, n, path.s);
	}
	wv_str_free(&path);
	wv_str_free(&out);
}

static void
check_tree(const cJSON *tree, const char *data, size_t size)
{
	struct wv_str first = { 0 }, second = { 0 };
	struct wv_err err = WV_ERR_INIT;
	cJSON *again;

	wv_json_write(&first, tree);
	again = read_exactly(first.s, first.n, '"', &err);
	must(again != NULL && wv_json_equal(tree, again));
	must(tree->next == NULL && tree->prev == NULL);
	must(wv_json_equal(wv_json_copy(&arena, tree), again));
	wv_json_write(&second, again);
	must(first.n == second.n && memcmp(first.s, second.s, first.n) == 0);
	must(cjson_peer(first.s, first.n) && cjson_peer(data, size));
	check_children(tree, tree, first.s, first.n, "");
	wv_str_free(&first);
	wv_str_free(&second);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wv_err err = WV_ERR_INIT, other = WV_ERR_INIT;
	cJSON *tree = read_exactly(data, size, ' ', &err);
	cJSON *same = read_exactly(data, size, '9', &other);

	must((tree == NULL) == (same == NULL));
	if (tree == NULL)
		check_refusal(&err, &other);
	else
		check_tree(tree, (const char *)data, size);
	wv_arena_reset(&arena);
	return 0;
}
