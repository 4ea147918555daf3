/* SPDX-License-Identifier: Apache-2.0 */
/* Strings that are ended by a NUL each, those that come again once: what is
 * found of one holds of all that are equal. */
#ifndef WV_FIREWALL_DISTINCT_H
#define WV_FIREWALL_DISTINCT_H

#include "base/mem.h"

#include <stdint.h>

struct wv_distinct {
	char *s; /* those that differ, mostly; ended by a NUL each */
	size_t n;
	uint32_t *starts; /* where each begins, and n */
	size_t count;
	/* The strings as given, but for empty ones: where each begins, and
	 * the one in s that stands for it. */
	struct wv_distinct_place {
		uint32_t at, start;
	} * places;
	size_t place_count;
};

/* In the arena; n is at most UINT32_MAX.  others has a bit for each byte: those
 * that begin where one is set are left out; NULL: none. */
struct wv_distinct *wv_distinct(struct wv_arena *arena, const char *s, size_t n,
	const uint64_t *others);

#endif
