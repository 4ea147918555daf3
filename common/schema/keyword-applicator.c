/* SPDX-License-Identifier: Apache-2.0 */
/* The keywords that apply schemas in place, and those to items. */
#include "schema/keyword.h"

#include <stdio.h>
#include <string.h>

/* The value of the keyword is a schema. */
static struct wv_schema *
sub(struct compiler *c, const cJSON *source, const char *name)
{
	return wv_schema_sub(
		c->set, c->node, source, c->row->name, name, c->err);
}

/* A list of at least one schema. */
static int
sub_list(struct compiler *c, const char *keyword, const cJSON *list,
	struct wv_schema ***subs, uint32_t *count)
{
	size_t n = wv_count(list);

	if (!wv_is_array(list) || n == 0)
		return wv_schema_bad(c->set, c->err, c->node, keyword,
			"must be a list of at least one schema");
	*subs = wv_alloc(&c->set->arena, n * sizeof **subs);
	*count = 0;
	wv_json_each(one, list) {
		char index[16];
		snprintf(index, sizeof index, "%u", *count);
		(*subs)[*count] = wv_schema_sub(
			c->set, c->node, one, keyword, index, c->err);
		if ((*subs)[(*count)++] == NULL)
			return -1;
	}
	return 0;
}

/* For the items that no list speaks of. */
static int
rest_of_items(struct compiler *c, struct items *items, const char *keyword)
{
	const cJSON *rest = wv_keyword_value(c, keyword);

	if (rest == NULL)
		return 0;
	items->rest =
		wv_schema_sub(c->set, c->node, rest, keyword, NULL, c->err);
	return items->rest == NULL ? -1 : 0;
}

/* additionalItems says nothing beside items that are no list, but what
 * stands there must be right. */
static int
old_items(struct compiler *c, struct items *items)
{
	const cJSON *value = wv_keyword_value(c, "items");

	if (rest_of_items(c, items, "additionalItems") != 0)
		return -1;
	if (!wv_is_array(value)) {
		items->rest = NULL;
		return rest_of_items(c, items, "items");
	}
	return sub_list(
		c, "items", value, &items->prefix, &items->prefix_count);
}

static int
new_items(struct compiler *c, struct items *items)
{
	const cJSON *prefix = wv_keyword_value(c, "prefixItems");

	if (prefix != NULL &&
		sub_list(c, "prefixItems", prefix, &items->prefix,
			&items->prefix_count) != 0)
		return -1;
	return rest_of_items(c, items, "items");
}

int
wv_compile_items(struct compiler *c)
{
	struct items *items;

	if (wv_keyword_has_op(c, OP_ITEMS))
		return 0;
	items = wv_alloc_zero(&c->set->arena, sizeof *items);
	if ((c->draft < WV_DRAFT_2020_12 ? old_items : new_items)(c, items) !=
		0)
		return -1;
	wv_keyword_op(c)->items = items;
	return 0;
}

int
wv_compile_contains(struct compiler *c)
{
	const cJSON *value = wv_keyword_value(c, "contains");
	const cJSON *min = wv_keyword_value(c, "minContains");
	const cJSON *max = wv_keyword_value(c, "maxContains");
	struct contains contains = { NULL, 1, UINT64_MAX,
		c->draft >= WV_DRAFT_2020_12 };

	if (wv_keyword_has_op(c, OP_CONTAINS))
		return 0;
	if (min != NULL &&
		wv_keyword_limit(c, "minContains", min, &contains.min) != 0)
		return -1;
	if (max != NULL &&
		wv_keyword_limit(c, "maxContains", max, &contains.max) != 0)
		return -1;
	if (value == NULL)
		return 0;
	contains.schema =
		wv_schema_sub(c->set, c->node, value, "contains", NULL, c->err);
	if (contains.schema == NULL)
		return -1;
	struct op *op = wv_keyword_op(c);
	op->contains = wv_alloc(&c->set->arena, sizeof contains);
	*op->contains = contains;
	return 0;
}

int
wv_compile_unevaluated(struct compiler *c)
{
	struct wv_schema *one = sub(c, c->value, NULL);

	if (one == NULL)
		return -1;
	wv_keyword_op(c)->sub = one;
	c->node->collects = true;
	return 0;
}

/* $defs: nothing by itself, but what stands there must be right. */
int
wv_compile_definitions(struct compiler *c)
{
	if (!wv_is_object(c->value))
		return BAD(c, "must be an object");
	wv_json_each(one, c->value) {
		if (sub(c, one, one->string) == NULL)
			return -1;
	}
	return 0;
}

static struct op *
in_place(struct compiler *c, struct wv_schema *one)
{
	struct op *op;

	if (one == NULL)
		return NULL;
	op = wv_keyword_op(c);
	op->count = 1;
	op->subs = wv_alloc(&c->set->arena, sizeof(struct wv_schema *));
	op->subs[0] = one;
	return op;
}

int
wv_compile_ref(struct compiler *c)
{
	struct wv_schema *target;

	if (!wv_is_string(c->value))
		return BAD(c, "must be a string");
	target = wv_schema_ref(c->set, c->node, c->value->valuestring, c->err);
	return in_place(c, target) == NULL ? -1 : 0;
}

/* What nothing can override is a $ref by another name, which may stand
 * beside a real one: it stays an op of its own. */
int
wv_compile_dynamic_ref(struct compiler *c)
{
	const char *anchor, *uri = NULL;
	struct op *op;

	if (strcmp(c->row->name, "$recursiveRef") != 0) {
		if (!wv_is_string(c->value))
			return BAD(c, "must be a string");
		uri = c->value->valuestring;
	}
	op = in_place(c,
		wv_schema_dynamic_ref(c->set, c->node, uri, &anchor, c->err));
	if (op == NULL)
		return -1;
	op->anchor = anchor;
	return 0;
}

int
wv_compile_not(struct compiler *c)
{
	return in_place(c, sub(c, c->value, NULL)) == NULL ? -1 : 0;
}

int
wv_compile_branches(struct compiler *c)
{
	struct wv_schema **subs;
	uint32_t count;
	struct op *op;

	if (sub_list(c, c->row->name, c->value, &subs, &count) != 0)
		return -1;
	op = wv_keyword_op(c);
	op->count = count;
	op->subs = subs;
	return 0;
}

/* if, with then and else beside it; those two mean nothing without it. */
int
wv_compile_if(struct compiler *c)
{
	static const char *const names[] = { "if", "then", "else" };
	struct wv_schema **subs =
		wv_alloc_zero(&c->set->arena, 3 * sizeof *subs);
	struct op *op;

	for (int i = 0; i < 3; i++) {
		const cJSON *source = wv_keyword_value(c, names[i]);
		if (source == NULL)
			continue;
		subs[i] = wv_schema_sub(
			c->set, c->node, source, names[i], NULL, c->err);
		if (subs[i] == NULL)
			return -1;
	}
	op = wv_keyword_op(c);
	op->count = 3;
	op->subs = subs;
	return 0;
}

int
wv_compile_then_else(struct compiler *c)
{
	return sub(c, c->value, NULL) == NULL ? -1 : 0;
}
