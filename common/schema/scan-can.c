/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which schemas a scan can judge by.  It sees a value once, from left to
 * right, and keeps nothing of it: what compares values that are containers,
 * counts what holds, or asks what others have looked at needs the tree.
 */
#include "schema/scan.h"

#include <stdlib.h>
#include <string.h>

/* Nodes that can be reached, each once; those before `next` are done. */
struct walk {
	struct wv_schema **nodes;
	size_t count, next;
};

static void
reach(struct walk *walk, struct wv_schema *node)
{
	if (node == NULL || node->scan == SCAN_SEEN || node->scan == SCAN_YES)
		return;
	if (node->scan == SCAN_UNKNOWN)
		node->scan = SCAN_SEEN;
	walk->nodes =
		wv_list_room(walk->nodes, walk->count, sizeof *walk->nodes);
	walk->nodes[walk->count++] = node;
}

static bool
is_scalar(const cJSON *value)
{
	return !wv_is_object(value) && !wv_is_array(value);
}

static bool
are_scalars(const struct values *values)
{
	for (uint32_t i = 0; i < values->other_count; i++) {
		if (!is_scalar(values->others[i]))
			return false;
	}
	return true;
}

/* A text that has the name need not have an escape in it; C0 is a NUL. */
static bool
is_plain(const char *name)
{
	for (; *name != '\0'; name++) {
		unsigned char c = (unsigned char)*name;
		if (c < ' ' || c == '"' || c == '\\' || c == 0xc0)
			return false;
	}
	return true;
}

static bool
reach_members(struct walk *walk, const struct members *m)
{
	if (m->names.count > SCAN_NAMES)
		return false;
	for (uint32_t i = 0; i < m->names.count; i++) {
		if (!is_plain(m->names.strings[i]))
			return false;
		reach(walk, m->properties[i].schema);
	}
	for (uint32_t i = 0; i < m->pattern_count; i++)
		reach(walk, m->patterns[i].schema);
	reach(walk, m->additional);
	reach(walk, m->member_name);
	return true;
}

static bool
reach_items(struct walk *walk, const struct items *items)
{
	for (uint32_t i = 0; i < items->prefix_count; i++)
		reach(walk, items->prefix[i]);
	reach(walk, items->rest);
	return true;
}

static bool
reach_subs(struct walk *walk, const struct op *op)
{
	for (uint32_t i = 0; i < op->count; i++)
		reach(walk, op->subs[i]);
	return true;
}

static bool
can_op(struct walk *walk, const struct op *op)
{
	switch ((enum op_code)op->code) {
	case OP_CONST:
		return is_scalar(op->value);
	case OP_ENUM:
		return are_scalars(op->values);
	case OP_ITEMS:
		return reach_items(walk, op->items);
	case OP_MEMBERS:
		return reach_members(walk, op->members);
	case OP_REF:
	case OP_ALL_OF:
	case OP_ANY_OF:
	case OP_ONE_OF:
	case OP_NOT:
	case OP_IF:
		return reach_subs(walk, op);
	case OP_CONTAINS:
	case OP_UNIQUE_ITEMS:
	case OP_DEPENDENT_REQUIRED:
	case OP_DYNAMIC_REF:
	case OP_DEPENDENT_SCHEMAS:
	case OP_UNEVALUATED_ITEMS:
	case OP_UNEVALUATED_PROPERTIES:
	case OP_COUNT:
		return false;
	/* of scalars, and those that count */
	case OP_MIN_LENGTH:
	case OP_MAX_LENGTH:
	case OP_FORMAT:
	case OP_PATTERN:
	case OP_MINIMUM:
	case OP_EXCLUSIVE_MINIMUM:
	case OP_MAXIMUM:
	case OP_EXCLUSIVE_MAXIMUM:
	case OP_MULTIPLE_OF:
	case OP_MIN_ITEMS:
	case OP_MAX_ITEMS:
	case OP_MIN_PROPERTIES:
	case OP_MAX_PROPERTIES:
		return true;
	}
	return false;
}

static bool
can_node(struct walk *walk, const struct wv_schema *node)
{
	if (node->scan == SCAN_NO)
		return false;
	for (uint16_t i = 0; i < node->op_count; i++) {
		if (!can_op(walk, &node->ops[i]))
			return false;
	}
	return true;
}

/* If all can be scanned, so can each of them; if not, that is known of the
 * first only. */
static void
find_out(struct wv_schema *schema)
{
	struct walk walk = { 0 };
	bool can = true;

	reach(&walk, schema);
	while (can && walk.next < walk.count)
		can = can_node(&walk, walk.nodes[walk.next++]);
	for (size_t i = 0; i < walk.count; i++) {
		if (walk.nodes[i]->scan == SCAN_SEEN)
			walk.nodes[i]->scan = can ? SCAN_YES : SCAN_UNKNOWN;
	}
	schema->scan = can ? SCAN_YES : SCAN_NO;
	free(walk.nodes);
}

/* Found out once and kept in the node, which is the set's and not const. */
bool
wv_schema_can_scan(const struct wv_schema *schema)
{
	if (schema->scan == SCAN_UNKNOWN)
		find_out((struct wv_schema *)schema);
	return schema->scan == SCAN_YES;
}
