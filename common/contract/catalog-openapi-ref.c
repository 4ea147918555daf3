/* SPDX-License-Identifier: Apache-2.0 */
/* References within a document of OpenAPI, and schemas without them. */
#include "contract/catalog-openapi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	HOPS_MAX = 16,     /* of a reference to a reference */
	REFS_MAX = 4,      /* deep in a schema: as deep as ranking reads */
	DEPTH_MAX = 64,    /* of a schema that is copied */
	SCHEMA_MAX = 1000, /* size of one: its values, and */
	TEXT_UNIT = 64,    /* each of so many bytes of their texts */
};

/* The place of a node in a list, which maps can hold. */
static size_t
add_node(struct wv_openapi *api, const cJSON *node)
{
	api->nodes =
		wv_list_room(api->nodes, api->node_count, sizeof(*api->nodes));
	api->nodes[api->node_count] = node;
	return api->node_count++;
}

static char *
member_key(struct wv_arena *arena, const cJSON *container, const char *name)
{
	return wv_printf(arena, "%p %s", (const void *)container, name);
}

/* Lists the members of a container once, so that each is found at once, however
 * many there are. */
static void
list_members(struct wv_openapi *api, const cJSON *container)
{
	char index[24];
	size_t i = 0;

	if ((*wv_map_add(&api->known, member_key(&api->scratch, container, ""),
		    0))++ > 0)
		return;
	wv_json_each(member, container) {
		snprintf(index, sizeof index, "%zu", i++);
		wv_map_add(&api->members,
			member_key(&api->scratch, container,
				member->string != NULL ? member->string
						       : index),
			add_node(api, member));
	}
}

static const cJSON *
member_of(struct wv_openapi *api, const cJSON *container, const char *name)
{
	const size_t *place;

	list_members(api, container);
	place = wv_map_find(
		&api->members, member_key(&api->scratch, container, name));
	return place != NULL ? api->nodes[*place] : NULL;
}

static int
hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *at = c != '\0' ? strchr(digits, c) : NULL;

	return at != NULL ? (int)(at - digits) % 16 : -1;
}

/* One step of a JSON Pointer in a URI, decoded in place; moves *at behind. */
static char *
next_step(char **at)
{
	char *step = *at, *to = step, *p = step;

	for (; *p != '\0' && *p != '/'; p++) {
		if (*p == '~' && (p[1] == '0' || p[1] == '1')) {
			*to++ = *++p == '0' ? '~' : '/';
		} else if (*p == '%' && hex_digit(p[1]) >= 0 &&
			hex_digit(p[2]) >= 0) {
			*to++ = (char)(hex_digit(p[1]) * 16 + hex_digit(p[2]));
			p += 2;
		} else {
			*to++ = *p;
		}
	}
	*at = *p == '/' ? p + 1 : NULL;
	*to = '\0';
	return step;
}

bool
wv_openapi_is_long(const cJSON *node)
{
	size_t n = 0;

	wv_json_each(child, node)
		if (++n > WV_OPENAPI_MEMBERS_MAX)
			return true;
	return false;
}

/* Where a reference leads, step by step; NULL: out of the document, or
 * nowhere. */
static const cJSON *
walk(struct wv_openapi *api, const char *ref)
{
	const cJSON *node = api->root;
	char *at;

	if (strncmp(ref, "#/", 2) != 0)
		return strcmp(ref, "#") == 0 ? node : NULL;
	at = wv_dup(&api->scratch, ref + 2);
	while (at != NULL && node != NULL)
		node = member_of(api, node, next_step(&at));
	return node;
}

static const cJSON *
target(struct wv_openapi *api, const char *ref)
{
	const size_t *place = wv_map_find(&api->targets, ref);
	const cJSON *node;

	if (place != NULL)
		return api->nodes[*place];
	node = walk(api, ref);
	if (wv_openapi_is_long(node))
		node = NULL; /* or all that refers to it would walk it */
	wv_map_add(&api->targets, ref, add_node(api, node));
	return node;
}

const cJSON *
wv_openapi_follow(struct wv_openapi *api, const cJSON *node)
{
	const char *ref;

	for (int i = 0; i < HOPS_MAX && node != NULL; i++) {
		ref = wv_get_string(node, "$ref");
		if (ref == NULL)
			return node;
		node = target(api, ref);
	}
	return NULL;
}

static bool
is_ref(const cJSON *node)
{
	return wv_is_object(node) && wv_get_string(node, "$ref") != NULL;
}

/* Takes the size of a copy from *left; false: it does not suffice. */
static bool
measure(struct wv_openapi *api, const cJSON *node, int refs, int depth,
	size_t *left)
{
	size_t size = 1;

	if (wv_is_string(node))
		size += (size_t)node->valueint / TEXT_UNIT;
	if (*left < size)
		return false;
	*left -= size;
	if (is_ref(node)) {
		node = refs > 0 ? wv_openapi_follow(api, node) : NULL;
		refs--;
	}
	if (depth == 0)
		return true;
	wv_json_each(child, node)
		if (!measure(api, child, refs, depth - 1, left))
			return false;
	return true;
}

static cJSON *copy(
	struct wv_openapi *api, const cJSON *node, int refs, int depth);

/* What a reference says itself counts more than what it leads to. */
static cJSON *
copy_target(struct wv_openapi *api, const cJSON *ref, int refs, int depth)
{
	const cJSON *node = refs > 0 ? wv_openapi_follow(api, ref) : NULL;
	const char *description = wv_get_string(ref, "description");
	cJSON *made = wv_is_object(node) ? copy(api, node, refs - 1, depth)
					 : wv_json_object(api->arena);

	if (description != NULL)
		wv_put_string(api->arena, made, "description", description);
	return made;
}

static cJSON *
copy(struct wv_openapi *api, const cJSON *node, int refs, int depth)
{
	cJSON *made;

	if (is_ref(node))
		return copy_target(api, node, refs, depth);
	made = wv_alloc(api->arena, sizeof(*made));
	*made = *node;
	made->next = made->prev = made->child = NULL;
	made->string = NULL;
	wv_json_each(child, node) {
		cJSON *value;
		if (depth == 0)
			break;
		value = copy(api, child, refs, depth - 1);
		value->string = child->string;
		wv_push(made, value);
	}
	return made;
}

cJSON *
wv_openapi_schema(struct wv_openapi *api, const cJSON *schema)
{
	size_t most = api->left < SCHEMA_MAX ? api->left : SCHEMA_MAX;

	for (int refs = REFS_MAX; refs >= 0; refs--) {
		size_t left = most;
		if (!measure(api, schema, refs, DEPTH_MAX, &left))
			continue;
		api->left -= most - left;
		return copy(api, schema, refs, DEPTH_MAX);
	}
	return wv_json_object(api->arena);
}

void
wv_openapi_free(struct wv_openapi *api)
{
	wv_map_free(&api->known);
	wv_map_free(&api->members);
	wv_map_free(&api->targets);
	free(api->nodes);
	wv_arena_free(&api->scratch);
}
