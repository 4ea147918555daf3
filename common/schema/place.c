/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where in a document schemas stand, as the keywords of its dialect say, and
 * under which URIs and names they are known.  What looks like an $id within a
 * const, an enum or an unknown keyword is none.
 */
#include "schema/document.h"

#include "schema/keyword.h"
#include "schema/uri.h"

#include <stdio.h>
#include <string.h>

/*
 * What all pointers of a document may take: many schemas under a long name
 * would take the product of both.
 */
enum { MAX_POINTER_BYTES = 64 << 20 };

struct wv_schema *
wv_place_find(const struct wv_schema_set *set, const cJSON *source)
{
	size_t i = wv_ptrmap_find(&set->places, source);

	return i != SIZE_MAX ? set->nodes[i] : NULL;
}

/* The first thing that is wrong is kept until someone needs the resource. */
static void
wrong(struct wv_schema_set *set, const struct wv_schema *node,
	const char *keyword, const char *message)
{
	struct wv_err err = WV_ERR_INIT;

	if (node->resource->wrong != NULL)
		return;
	wv_schema_bad(set, &err, node, keyword, "%s", message);
	node->resource->wrong = wv_dup(&set->arena, err.text);
	node->resource->blame = set->blame;
}

static const char *
anchor_key(
	const struct resource *resource, const char *name, struct wv_str *out)
{
	wv_str_fmt(out, "%zu#%s", resource->index, name);
	return out->s;
}

struct wv_schema *
wv_place_anchor(const struct wv_schema_set *set,
	const struct resource *resource, const char *name)
{
	struct wv_str key = { 0 };
	const size_t *i =
		wv_map_find(&set->anchors, anchor_key(resource, name, &key));

	wv_str_free(&key);
	return i ? set->nodes[*i] : NULL;
}

static void
add_anchor(struct wv_schema_set *set, const struct wv_schema *node,
	const char *keyword, const char *name)
{
	size_t index = wv_ptrmap_find(&set->places, node->source);
	struct wv_str key = { 0 };

	anchor_key(node->resource, name, &key);
	if (*wv_map_add(&set->anchors, wv_dup(&set->arena, key.s), index) !=
		index)
		wrong(set, node, keyword,
			wv_printf(&set->arena,
				"\"%s\" names another schema too", name));
	wv_str_free(&key);
}

static struct dynamic_name *
dynamic_name(struct wv_schema_set *set, const char *name)
{
	size_t i = *wv_map_add(&set->dynamic_names, name, set->dynamic_count);

	if (i == set->dynamic_count) {
		set->dynamic = wv_list_room(
			set->dynamic, set->dynamic_count, sizeof *set->dynamic);
		set->dynamic[set->dynamic_count++] =
			(struct dynamic_name){ .name = name,
				.asked_at = NEVER };
	}
	return &set->dynamic[i];
}

static void
add_dynamic(struct wv_schema_set *set, struct wv_schema *node, const char *text)
{
	struct dynamic_name *name = dynamic_name(set, text);
	struct resource *resource = node->resource;
	uint32_t n = resource->dynamic_count;

	name->nodes = wv_list_room(
		name->nodes, name->node_count, sizeof(struct wv_schema *));
	name->nodes[name->node_count++] = node;
	resource->dynamic =
		wv_list_room(resource->dynamic, n, sizeof *resource->dynamic);
	resource->dynamic[n] = (struct dynamic_anchor){ name->name, node };
	resource->dynamic_count++;
	if (name->asked_at != NEVER && resource->reached_at != NEVER)
		wv_schema_want(set, node);
}

static const char *
id_keyword(const struct dialect *dialect)
{
	return dialect->draft == WV_DRAFT_4 ? "id" : "$id";
}

static const char *
id_of(const struct dialect *dialect, const cJSON *source)
{
	if (wv_keyword_ref_hides(dialect, source))
		return NULL;
	return wv_get_string(source, id_keyword(dialect));
}

/* Only what has an id of its own may be of another dialect. */
static const struct dialect *
own_dialect(struct wv_schema_set *set, const cJSON *source,
	const struct dialect *outer, struct wv_err *err)
{
	const char *uri = wv_get_string(source, "$schema");
	const struct dialect *own = NULL;

	if (uri == NULL ||
		(wv_get(source, "$id") == NULL && wv_get(source, "id") == NULL))
		return outer;
	own = wv_dialect_find(set, uri, err);
	return own ? own : outer;
}

/* A schema within a document that has a URI begins a resource. */
static void
begin_resource(struct wv_schema_set *set, struct wv_schema *node)
{
	struct resource *outer = node->resource;
	struct wv_err err = WV_ERR_INIT;
	const struct dialect *dialect =
		own_dialect(set, node->source, outer->dialect, &err);
	const char *id = id_of(dialect, node->source);

	if (id == NULL || id[0] == '#' || id[0] == '\0')
		return;
	node->resource = wv_resource_new(
		set, node->source, outer->document, node->pointer);
	node->resource->dialect = dialect;
	if (wv_err_is_set(&err))
		wrong(set, node, "$schema", err.text);
	if (strlen(id) <= WV_URI_MAX &&
		!wv_resource_name(set, node->resource, outer->uri, id))
		wrong(set, node, id_keyword(dialect),
			wv_printf(&set->arena,
				"\"%s\" is the URI of another schema too",
				node->resource->uri));
}

/* Before 2019-09 a plain name is the fragment of an id. */
static void
check_id(struct wv_schema_set *set, struct wv_schema *node)
{
	const struct dialect *dialect = node->resource->dialect;
	const char *id = id_of(dialect, node->source);
	const char *fragment = id ? strchr(id, '#') : NULL;

	if (id != NULL && strlen(id) > WV_URI_MAX)
		wrong(set, node, id_keyword(dialect), "is too long");
	if (fragment == NULL || fragment[1] == '\0')
		return;
	if (dialect->draft >= WV_DRAFT_2019_09)
		wrong(set, node, "$id", "must not have a fragment");
	else if (fragment[1] != '/')
		add_anchor(set, node, id_keyword(dialect), fragment + 1);
}

static void
name_by_anchors(struct wv_schema_set *set, struct wv_schema *node)
{
	static const char *const names[] = { "$anchor", "$dynamicAnchor" };
	const struct dialect *dialect = node->resource->dialect;

	for (int i = 0; i < 2; i++) {
		const char *name = wv_get_string(node->source, names[i]);
		if (name == NULL || !wv_keyword_find(dialect, names[i]))
			continue;
		add_anchor(set, node, names[i], name);
		if (i == 1)
			add_dynamic(set, node, name);
	}
	if (wv_is_true(wv_get(node->source, "$recursiveAnchor")) &&
		wv_keyword_find(dialect, "$recursiveAnchor") &&
		node->source == node->resource->root)
		add_dynamic(set, node, "");
}

/* A new node; the schemas in it are found later. */
static struct wv_schema *
add_place(struct wv_schema_set *set, struct resource *resource,
	const cJSON *source, const char *pointer)
{
	struct wv_schema *node = wv_alloc_zero(&set->arena, sizeof *node);

	node->source = source;
	node->resource = resource;
	node->pointer = wv_dup(&set->arena, pointer);
	resource->document->pointer_bytes += strlen(pointer);
	set->nodes =
		wv_list_room(set->nodes, set->node_count, sizeof *set->nodes);
	wv_ptrmap_add(&set->places, source, set->node_count);
	set->nodes[set->node_count++] = node;
	if (source != resource->root)
		begin_resource(set, node);
	check_id(set, node);
	name_by_anchors(set, node);
	return node;
}

static void
add_sub(struct wv_schema_set *set, const struct wv_schema *node,
	const cJSON *source, const char *keyword, const char *name)
{
	struct wv_str pointer = { 0 };

	if (!wv_is_schema(source) || wv_place_find(set, source) != NULL)
		return;
	if (node->resource->document->pointer_bytes > MAX_POINTER_BYTES) {
		wrong(set, node, keyword,
			"too many schemas stand under names that are too long");
		return;
	}
	wv_str_cat(&pointer, node->pointer);
	wv_pointer_add(&pointer, keyword);
	if (name != NULL)
		wv_pointer_add(&pointer, name);
	add_place(set, node->resource, source, pointer.s);
	wv_str_free(&pointer);
}

static void
add_list(struct wv_schema_set *set, const struct wv_schema *node,
	const cJSON *list)
{
	unsigned n = 0;

	wv_json_each(one, list) {
		char index[16];
		snprintf(index, sizeof index, "%u", n++);
		add_sub(set, node, one, list->string, index);
	}
}

static void
add_subs(struct wv_schema_set *set, const struct wv_schema *node,
	const cJSON *value, const struct keyword *row)
{
	switch ((enum holds)row->holds) {
	case HOLDS_NONE:
		break;
	case HOLDS_MAP:
		if (!wv_is_object(value))
			break;
		wv_json_each(one, value)
			add_sub(set, node, one, value->string, one->string);
		break;
	case HOLDS_SCHEMA_OR_LIST:
	case HOLDS_LIST:
		if (wv_is_array(value)) {
			add_list(set, node, value);
			break;
		}
		if (row->holds == HOLDS_LIST)
			break;
		/* fall through */
	case HOLDS_SCHEMA:
		add_sub(set, node, value, value->string, NULL);
	}
}

/* Nodes from the first on: those in them join the list as they are found. */
static void
search_from(struct wv_schema_set *set, size_t first)
{
	for (size_t i = first; i < set->node_count; i++) {
		const struct wv_schema *node = set->nodes[i];
		const struct dialect *dialect = node->resource->dialect;
		bool hidden = wv_keyword_ref_hides(dialect, node->source);
		wv_json_each(value, node->source) {
			const struct keyword *row =
				wv_keyword_find(dialect, value->string);
			/* References still lead to what is defined there. */
			if (row != NULL &&
				(!hidden ||
					row->compile == wv_compile_definitions))
				add_subs(set, node, value, row);
		}
	}
}

struct wv_schema *
wv_place_add(struct wv_schema_set *set, struct resource *resource,
	const cJSON *source, const char *pointer)
{
	size_t first = set->node_count;
	struct wv_schema *node = add_place(set, resource, source, pointer);

	search_from(set, first);
	return node;
}

void
wv_document_scan(struct wv_schema_set *set, struct document *document)
{
	struct resource *resource = document->resource;
	const char *uri = wv_get_string(document->root, "$schema");
	struct wv_err err = WV_ERR_INIT;
	struct wv_schema *node;

	if (document->scanned)
		return;
	document->scanned = true;
	if (uri != NULL)
		resource->dialect = wv_dialect_find(set, uri, &err);
	if (resource->dialect == NULL)
		resource->dialect = wv_dialect_of_draft(set->options.draft);
	if (!wv_is_schema(document->root) ||
		wv_place_find(set, document->root) != NULL)
		return;
	node = wv_place_add(set, resource, document->root, "");
	if (wv_err_is_set(&err))
		wrong(set, node, "$schema", err.text);
}
