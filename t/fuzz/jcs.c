/* SPDX-License-Identifier: Apache-2.0 */
/* The canonical form is JSON, of the same value, is its own canonical form,
 * and is what is digested; what can be signed is signed in that form. */
#include "json/jcs.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static bool
same(const struct wv_str *a, const struct wv_str *b)
{
	return a->n == b->n && memcmp(a->s, b->s, a->n) == 0;
}

static cJSON *
read_again(struct wv_arena *arena, const struct wv_str *text)
{
	char *copy = wv_dupn(arena, text->s, text->n);
	struct wv_err err = WV_ERR_INIT;

	return wv_json_read(arena, copy, text->n, &wv_json_defaults, &err);
}

static void
check(struct wv_arena *arena, const cJSON *tree)
{
	struct wv_str ours = { 0 }, again = { 0 }, jcs = { 0 };
	char got[WV_SHA256_HEX], want[WV_SHA256_HEX];
	struct wv_err err = WV_ERR_INIT;
	cJSON *second;

	wv_json_canonical(&ours, tree);
	second = read_again(arena, &ours);
	if (second == NULL || !wv_json_equal(tree, second))
		abort();
	wv_json_canonical(&again, second);
	if (!same(&ours, &again))
		abort();
	wv_json_digest(got, tree);
	wv_sha256_hex(want, ours.s, ours.n);
	if (strcmp(got, want) != 0)
		abort();
	if (wv_jcs(&jcs, tree, &err) == 0 ? !same(&ours, &jcs)
					  : !wv_err_is_set(&err))
		abort();
	wv_str_free(&ours);
	wv_str_free(&again);
	wv_str_free(&jcs);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	char *text = wv_dupn(&arena, (const char *)data, size);
	cJSON *tree = wv_json_read(&arena, text, size, &wv_json_defaults, &err);

	if (tree != NULL)
		check(&arena, tree);
	wv_arena_free(&arena);
	return 0;
}
