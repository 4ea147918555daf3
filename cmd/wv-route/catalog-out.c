/* SPDX-License-Identifier: Apache-2.0 */
#include "catalog-out.h"

#include "firewall/descriptor.h"

/* Text of others, as people are to read it. */
static void
put_clean(struct wv_arena *arena, cJSON *record, const char *member)
{
	const char *text = wv_descriptor_text(arena, wv_get(record, member));

	wv_put_string(arena, record, member,
		text != NULL ? text : wv_get_string(record, "id"));
}

void
catalog_out(const struct wv_catalog *catalog, struct wv_out *out)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_str line = { 0 };

	for (size_t i = 0; i < catalog->count; i++) {
		cJSON *record = wv_catalog_record(catalog, &arena, i);
		put_clean(&arena, record, "name");
		put_clean(&arena, record, "description");
		line.n = 0;
		wv_json_write(&line, record);
		wv_out_line(out, line.s, line.n);
		wv_arena_reset(&arena);
	}
	wv_str_free(&line);
	wv_arena_free(&arena);
}
