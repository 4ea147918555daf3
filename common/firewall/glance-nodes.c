/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/glance-internal.h"

/* Short ones are hardly looked at twice. */
static void
read_inner(struct wv_glance_nodes *nodes, const cJSON *string)
{
	struct wv_inner one = { .s = string->valuestring };
	size_t n = (size_t)string->valueint;

	if (n < WV_GLANCE_LONG || !wv_glance_may_be_tree(one.s, n))
		return;
	one.tree = wv_json_read_strings(
		nodes->arena, one.s, n, &wv_json_defaults, &one.strings, NULL);
	if (one.tree == NULL)
		return;
	*nodes->last = wv_alloc(nodes->arena, sizeof(one));
	**nodes->last = one;
	nodes->last = &(*nodes->last)->next;
}

void
wv_glance_nodes(struct wv_glance_nodes *nodes, const cJSON *tree, size_t depth)
{
	nodes->is_deep |= depth >= WV_TREE_DEPTH;
	wv_json_each(child, tree) {
		size_t at = (size_t)((uintptr_t)child->valuestring -
			(uintptr_t)nodes->strings->s);
		if (child->child != NULL)
			wv_glance_nodes(nodes, child, depth + 1);
		else if (at >= nodes->strings->n)
			continue;
		else if (wv_is_number(child))
			nodes->numbers[at / 64] |= UINT64_C(1) << at % 64;
		else if (nodes->read)
			read_inner(nodes, child);
	}
}
