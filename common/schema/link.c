/* SPDX-License-Identifier: Apache-2.0 */
/* What is done once all nodes are there: loops are refused, references that
 * do nothing but refer are taken out. */
#include "schema/program.h"

static struct wv_schema *
next_in_place(struct wv_schema *node)
{
	for (; node->at_op < node->op_count; node->at_op++, node->at_sub = 0) {
		const struct op *op = &node->ops[node->at_op];
		if (!wv_op_in_place(op->code))
			continue;
		while (node->at_sub < op->count) {
			struct wv_schema *sub = op->subs[node->at_sub++];
			if (sub != NULL)
				return sub;
		}
	}
	return NULL;
}

static int
loop_error(struct wv_schema_set *set, const struct wv_schema *node,
	struct wv_err *err)
{
	struct wv_str at = { 0 };

	set->blame = (struct blame){ node, node->ops[node->at_op].keyword };
	wv_schema_at(&at, node, set->blame.keyword);
	wv_err_set(err, "infinite reference loop at %s", at.s);
	wv_str_free(&at);
	return -1;
}

/*
 * A schema that leads back to itself without going deeper into the value
 * would never end.
 */
static int
check_loops(
	struct wv_schema_set *set, struct wv_schema *node, struct wv_err *err)
{
	if (node->searched)
		return 0;
	node->up = NULL;
	node->on_path = true;
	while (node != NULL) {
		struct wv_schema *sub = next_in_place(node);
		if (sub == NULL) {
			node->on_path = false;
			node->searched = true;
			node = node->up;
		} else if (sub->on_path) {
			return loop_error(set, node, err);
		} else if (!sub->searched) {
			sub->up = node;
			sub->on_path = true;
			node = sub;
		}
	}
	return 0;
}

/* A resource with dynamic anchors must stay in the dynamic scope, unless what
 * is referred to is within it. */
static bool
is_mere_ref(const struct wv_schema *node)
{
	return node->types == T_ANY && node->op_count == 1 &&
		node->ops[0].code == OP_REF &&
		(node->resource->dynamic_count == 0 ||
			node->ops[0].subs[0]->resource == node->resource);
}

struct wv_schema *
wv_schema_end_of_refs(struct wv_schema *node)
{
	struct wv_schema *end = node;

	while (end != NULL && is_mere_ref(end))
		end = end->ops[0].subs[0];
	while (node != end) {
		struct wv_schema *next = node->ops[0].subs[0];
		node->ops[0].subs[0] = end;
		node = next;
	}
	return end;
}

static void
link_members(struct members *m)
{
	for (uint32_t i = 0; i < m->names.count; i++)
		m->properties[i].schema =
			wv_schema_end_of_refs(m->properties[i].schema);
	for (uint32_t i = 0; i < m->pattern_count; i++)
		m->patterns[i].schema =
			wv_schema_end_of_refs(m->patterns[i].schema);
	m->additional = wv_schema_end_of_refs(m->additional);
	m->member_name = wv_schema_end_of_refs(m->member_name);
}

static void
link_items(struct items *items)
{
	for (uint32_t i = 0; i < items->prefix_count; i++)
		items->prefix[i] = wv_schema_end_of_refs(items->prefix[i]);
	items->rest = wv_schema_end_of_refs(items->rest);
}

static void
link_subs(struct op *op)
{
	for (uint32_t i = 0; i < op->count; i++)
		op->subs[i] = wv_schema_end_of_refs(op->subs[i]);
}

static void
link_node(struct wv_schema *node)
{
	for (uint16_t i = 0; i < node->op_count; i++) {
		struct op *op = &node->ops[i];
		if (op->code == OP_MEMBERS)
			link_members(op->members);
		else if (op->code == OP_ITEMS)
			link_items(op->items);
		else if (op->code == OP_CONTAINS)
			op->contains->schema =
				wv_schema_end_of_refs(op->contains->schema);
		else if (wv_op_in_place(op->code))
			link_subs(op);
		else if (op->code > OP_DEPENDENT_SCHEMAS)
			op->sub = wv_schema_end_of_refs(op->sub);
	}
}

int
wv_schema_link(struct wv_schema_set *set, size_t first, struct wv_err *err)
{
	for (size_t i = first; i < set->work_count; i++) {
		if (check_loops(set, set->work[i], err) != 0)
			return -1;
	}
	for (size_t i = first; i < set->work_count; i++)
		link_node(set->work[i]);
	return 0;
}
