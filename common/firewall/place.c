/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/internal.h"
#include "text/count.h"

#include <stdio.h>

enum { MAX_PATH = 256 }; /* bytes of a pointer */

static void
add_place(struct wv_str *path, const struct wv_place *place)
{
	char index[24];

	if (place->up == NULL)
		return;
	add_place(path, place->up);
	if (place->name == NULL)
		snprintf(index, sizeof(index), "%zu", place->index);
	wv_pointer_add(path, place->name ? place->name : index);
}

char *
wv_place_pointer(struct wv_arena *arena, const struct wv_place *place)
{
	struct wv_str path = { 0 };

	add_place(&path, place);
	if (path.n > MAX_PATH) {
		path.n = wv_text_cut(path.s, path.n, MAX_PATH);
		wv_str_cat(&path, "…");
	}
	char *pointer = wv_dupn(arena, path.n > 0 ? path.s : "", path.n);
	wv_str_free(&path);
	return pointer;
}
