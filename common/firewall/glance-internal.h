/* SPDX-License-Identifier: Apache-2.0 */
/* What glance.c learns of the nodes that hold the strings. */
#ifndef WV_FIREWALL_GLANCE_INTERNAL_H
#define WV_FIREWALL_GLANCE_INTERNAL_H

#include "firewall/glance.h"
#include "firewall/internal.h"

/* Bytes of a string that is worth passing over. */
enum { WV_GLANCE_LONG = 256 };

struct wv_glance_nodes {
	struct wv_arena *arena;
	const struct wv_json_strings *strings;
	bool read;         /* JSON in strings is */
	uint64_t *numbers; /* bits of those that are none but numbers */
	struct wv_inner **last;
	bool is_deep;
};

/* Of a tree that stands so deep. */
void wv_glance_nodes(
	struct wv_glance_nodes *nodes, const cJSON *tree, size_t depth);

static inline bool
wv_glance_may_be_tree(const char *s, size_t n)
{
	bool may = *s <= ' ' || *s == '{' || *s == '[';

	return may && wv_may_be_tree(s, n);
}

#endif
