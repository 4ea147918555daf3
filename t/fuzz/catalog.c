/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A catalogue in any of its forms: each load ends in an error with a place, or
 * in capabilities whose ids are theirs alone and whose records are Capabilities
 * that say the same when they are loaded.
 */
#include "file.h"

#include "contract/catalog.h"
#include "contract/contract.h"
#include "contract/record.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
hear(const struct wv_err *err, void *arg)
{
	(void)arg;
	must(err->line > 0 && err->column > 0 && err->text[0] != '\0');
}

static void
check_reloaded(const struct wv_catalog *first, struct wv_str *lines)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_catalog catalog = { 0 };
	struct wv_err err = WV_ERR_INIT;

	must(wv_catalog_load(&catalog, &arena, file_of(lines->s, lines->n),
		     &err) == 0 &&
		catalog.count == first->count);
	for (size_t i = 0; i < catalog.count; i++) {
		const struct wv_capability *a = &first->items[i];
		const struct wv_capability *b = &catalog.items[i];
		must(strcmp(a->id, b->id) == 0 &&
			strcmp(a->name, b->name) == 0 &&
			strcmp(a->description, b->description) == 0);
		must((a->safety == NULL) == (b->safety == NULL));
		must(b->fingerprint != NULL);
	}
	wv_catalog_free(&catalog);
	wv_arena_free(&arena);
}

static void
check(const struct wv_catalog *catalog, struct wv_arena *arena)
{
	struct wv_str lines = { 0 };
	size_t line, column;

	wv_str_cat(&lines, "");
	for (size_t i = 0; i < catalog->count; i++) {
		const struct wv_capability *c = &catalog->items[i];
		cJSON *record = wv_catalog_record(catalog, arena, i);
		must(wv_catalog_find(catalog, c->id) == c && c->line > 0);
		must(!c->is_made || wv_id_is_kernel(c->id));
		must(c->is_tool ||
			wv_contract_require(WV_CAPABILITY, record, NULL) == 0);
		wv_capability_position(c, "/a/0/b", &line, &column);
		must(line >= c->line && column > 0);
		wv_json_write(&lines, record);
		wv_str_chr(&lines, '\n');
	}
	if (catalog->count > 0)
		check_reloaded(catalog, &lines);
	wv_str_free(&lines);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const char *const prefixes[] = { NULL, "", "p.", "x" };
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_catalog catalog = { 0 };
	struct wv_err err = WV_ERR_INIT;

	if (size == 0)
		return 0;
	catalog.prefix = prefixes[data[0] & 3];
	if (data[0] & 4)
		catalog.fault = hear;
	if (wv_catalog_load(
		    &catalog, &arena, file_of(data + 1, size - 1), &err) == 0)
		check(&catalog, &arena);
	else
		must(err.text[0] != '\0' && err.source != NULL);
	wv_catalog_free(&catalog);
	wv_arena_free(&arena);
	return 0;
}
