/* SPDX-License-Identifier: Apache-2.0 */
#include "json/internal.h"

#include <stdlib.h>
#include <string.h>

void
wv_pairs_init(struct wv_pairs *pairs)
{
	pairs->at = pairs->few;
	pairs->n = 0;
	pairs->room = sizeof(pairs->few) / sizeof(pairs->few[0]);
}

void
wv_pairs_grow(struct wv_pairs *pairs)
{
	struct wv_pair *old = pairs->at;
	size_t size = pairs->n * sizeof(*old);

	pairs->at = wv_xrealloc(old == pairs->few ? NULL : old, 2 * size);
	if (old == pairs->few)
		memcpy(pairs->at, old, size);
	pairs->room *= 2;
}

void
wv_pairs_free(struct wv_pairs *pairs)
{
	if (pairs->at != pairs->few)
		free(pairs->at);
}
