/* SPDX-License-Identifier: Apache-2.0 */
/* Which documents a set knows, by root and by URI, and where it gets more. */
#include "schema/document.h"

#include "schema/dialect.h"
#include "schema/uri.h"

#include <string.h>

struct resource *
wv_resource_new(struct wv_schema_set *set, const cJSON *root,
	struct document *document, const char *pointer)
{
	struct resource *resource =
		wv_alloc_zero(&set->arena, sizeof *resource);

	resource->root = root;
	resource->document = document;
	resource->pointer = pointer;
	resource->index = set->resource_count;
	resource->reached_at = NEVER;
	set->resources = wv_list_room(
		set->resources, set->resource_count, sizeof *set->resources);
	set->resources[set->resource_count++] = resource;
	return resource;
}

/* In the arena, without its fragment. */
static const char *
absolute(struct wv_schema_set *set, const char *base, const char *uri)
{
	struct wv_str text = { 0 };
	const char *whole;

	wv_uri_resolve(&text, base, uri);
	whole = wv_dupn(&set->arena, text.s, strcspn(text.s, "#"));
	wv_str_free(&text);
	return whole;
}

bool
wv_resource_name(struct wv_schema_set *set, struct resource *resource,
	const char *base, const char *id)
{
	size_t holder;

	resource->uri = absolute(set, base, id);
	holder = *wv_map_add(&set->uris, resource->uri, resource->index);
	return holder == resource->index ||
		set->resources[holder]->document != resource->document;
}

/* The $id of a root or, as its draft has it, the id; NULL if it has none. */
static const char *
id_of(const struct wv_schema_set *set, const cJSON *root)
{
	const char *meta = wv_get_string(root, "$schema");
	const char *id = wv_get_string(root, "$id");
	int draft = meta ? wv_dialect_draft(meta) : (int)set->options.draft;

	/* Which of the two a custom meta-schema means is not known yet. */
	if (draft == WV_DRAFT_4 || (draft < 0 && id == NULL))
		id = wv_get_string(root, "id");
	if (draft >= 0 && draft <= WV_DRAFT_7 && wv_get(root, "$ref") != NULL)
		return NULL;
	if (id == NULL || id[0] == '#' || id[0] == '\0')
		return NULL;
	return strlen(id) <= WV_URI_MAX ? id : NULL;
}

struct document *
wv_document_of(struct wv_schema_set *set, const cJSON *root, const char *uri)
{
	size_t known = wv_ptrmap_find(&set->roots, root);
	const char *id = id_of(set, root);
	struct document *document;

	if (known != SIZE_MAX) {
		document = set->documents[known];
	} else {
		document = wv_alloc_zero(&set->arena, sizeof *document);
		document->root = root;
		document->resource = wv_resource_new(set, root, document, "");
		set->documents = wv_list_room(set->documents,
			set->document_count, sizeof *set->documents);
		wv_ptrmap_add(&set->roots, root, set->document_count);
		set->documents[set->document_count++] = document;
		if (id != NULL)
			wv_resource_name(set, document->resource, uri, id);
	}
	if (uri != NULL) {
		const char *whole = absolute(set, NULL, uri);
		wv_map_add(&set->uris, whole, document->resource->index);
		if (document->resource->uri == NULL)
			document->resource->uri = whole;
	}
	return document;
}

static int
refuse_known(struct wv_schema_set *set, const char *uri, const char *what,
	struct wv_err *err)
{
	if (uri == NULL || wv_map_find(&set->uris, uri) == NULL)
		return 0;
	return wv_err_set(err, "two schemas have the %s \"%s\"", what, uri);
}

int
wv_schema_set_add(struct wv_schema_set *set, const cJSON *root, const char *uri,
	struct wv_err *err)
{
	const char *id = id_of(set, root);

	if (!wv_is_schema(root))
		return wv_err_set(
			err, "a schema must be an object, true or false");
	if (id == NULL && uri == NULL)
		return wv_err_set(err, "the schema has no $id");
	if (uri != NULL)
		uri = absolute(set, NULL, uri);
	if (id != NULL)
		id = absolute(set, uri, id);
	if (refuse_known(set, id, "$id", err) != 0 ||
		refuse_known(set, uri, "URI", err) != 0)
		return -1;
	wv_document_of(set, root, uri);
	return 0;
}

void
wv_schema_set_loader(struct wv_schema_set *set, wv_schema_load *load, void *arg)
{
	set->load = load;
	set->load_arg = arg;
}

static struct resource *
known_resource(const struct wv_schema_set *set, const char *uri)
{
	const size_t *index = wv_map_find(&set->uris, uri);

	return index ? set->resources[*index] : NULL;
}

static struct resource *
built_in(struct wv_schema_set *set, const char *uri, struct wv_err *err)
{
	const char *text = wv_meta_text(uri);
	struct wv_doc doc;

	if (text == NULL)
		return NULL;
	if (wv_doc_parse(&doc, &set->arena, uri, text, strlen(text), err) != 0)
		return NULL;
	return wv_document_of(set, doc.root, uri)->resource;
}

static struct resource *
loaded(struct wv_schema_set *set, const char *uri, struct wv_err *err)
{
	const cJSON *root = NULL;

	if (set->load == NULL || set->load(set->load_arg, uri, &root, err) != 1)
		return NULL;
	return wv_document_of(set, root, uri)->resource;
}

const cJSON *
wv_resource_root(struct wv_schema_set *set, const char *uri, struct wv_err *err)
{
	const struct resource *resource = known_resource(set, uri);

	if (resource == NULL)
		resource = built_in(set, uri, err);
	if (resource == NULL)
		resource = loaded(set, uri, err);
	return resource ? resource->root : NULL;
}

static void
scan_all(struct wv_schema_set *set)
{
	/* Scanning may add the document of a meta-schema. */
	while (set->first_unscanned < set->document_count)
		wv_document_scan(set, set->documents[set->first_unscanned++]);
}

struct resource *
wv_resource_find(struct wv_schema_set *set, const char *uri, struct wv_err *err)
{
	struct resource *resource = known_resource(set, uri);

	if (resource == NULL)
		resource = built_in(set, uri, err);
	if (resource == NULL) {
		scan_all(set);
		resource = known_resource(set, uri);
	}
	if (resource == NULL)
		resource = loaded(set, uri, err);
	if (resource != NULL)
		wv_document_scan(set, resource->document);
	return resource;
}
