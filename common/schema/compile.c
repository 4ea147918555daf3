/* SPDX-License-Identifier: Apache-2.0 */
/* The work list that turns a schema and all it refers to into operations. */
#include "schema/document.h"

#include "base/id.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct wv_schema_set *
wv_schema_set_new(const struct wv_schema_options *options)
{
	static const struct wv_schema_options defaults = WV_SCHEMA_OPTIONS_INIT;
	struct wv_schema_set *set = wv_xcalloc(1, sizeof *set);

	set->options = options ? *options : defaults;
	wv_random(&set->key, sizeof set->key);
	return set;
}

void
wv_schema_set_free(struct wv_schema_set *set)
{
	if (set == NULL)
		return;
	for (size_t i = 0; i < set->regex_count; i++)
		wv_regex_free(set->regexes[i]);
	for (size_t i = 0; i < set->resource_count; i++)
		free(set->resources[i]->dynamic);
	for (size_t i = 0; i < set->dynamic_count; i++)
		free(set->dynamic[i].nodes);
	free(set->regexes);
	free(set->documents);
	free(set->resources);
	free(set->dialects);
	free(set->nodes);
	free(set->dynamic);
	free(set->wides);
	free(set->work);
	wv_ptrmap_free(&set->roots);
	wv_ptrmap_free(&set->places);
	wv_ptrmap_free(&set->wide_values);
	wv_map_free(&set->uris);
	wv_map_free(&set->dialect_uris);
	wv_map_free(&set->anchors);
	wv_map_free(&set->dynamic_names);
	wv_arena_free(&set->arena);
	free(set);
}

void
wv_schema_at(
	struct wv_str *out, const struct wv_schema *node, const char *keyword)
{
	/* What is wrong must not be cut off for where it is. */
	enum { MAX_POINTER = WV_ERR_TEXT / 2 };
	struct wv_str pointer = { 0 };

	wv_str_cat(&pointer, node->pointer);
	wv_pointer_add(&pointer, keyword);
	wv_str_foreign(out, pointer.s, pointer.n, MAX_POINTER);
	wv_str_free(&pointer);
}

int
wv_schema_bad(struct wv_schema_set *set, struct wv_err *err,
	const struct wv_schema *node, const char *keyword, const char *fmt, ...)
{
	struct wv_str raw = { 0 }, text = { 0 };
	va_list ap;

	set->blame = (struct blame){ node, keyword };
	wv_schema_at(&text, node, keyword);
	wv_str_cat(&text, ": ");
	va_start(ap, fmt);
	wv_str_vfmt(&raw, fmt, ap);
	va_end(ap);
	wv_str_foreign(&text, raw.s, raw.n, WV_ERR_TEXT - 1 - text.n);
	wv_err_set(err, "%s", text.s);
	wv_str_free(&raw);
	wv_str_free(&text);
	return -1;
}

const char *
wv_schema_meant(struct wv_schema_set *set, const char *near)
{
	return near == NULL
		? ""
		: wv_printf(&set->arena, " (did you mean \"%s\"?)", near);
}

const cJSON *
wv_schema_bad_place(const struct wv_schema_set *set, struct wv_str *pointer)
{
	const struct wv_schema *node = set->blame.node;

	if (node == NULL)
		return NULL;
	wv_str_cat(pointer, node->pointer);
	wv_pointer_add(pointer, set->blame.keyword);
	return node->resource->document->root;
}

/* What a dynamic scope that comes by here may lead to. */
static void
want_dynamic(struct wv_schema_set *set, const struct resource *resource)
{
	for (uint32_t i = 0; i < resource->dynamic_count; i++) {
		const struct dynamic_anchor *one = &resource->dynamic[i];
		size_t n = *wv_map_find(&set->dynamic_names, one->name);
		if (set->dynamic[n].asked_at != NEVER)
			wv_schema_want(set, one->schema);
	}
}

void
wv_schema_want(struct wv_schema_set *set, struct wv_schema *node)
{
	struct resource *resource = node->resource;

	if (node->wanted)
		return;
	node->wanted = true;
	set->work = wv_list_room(set->work, set->work_count, sizeof *set->work);
	set->work[set->work_count++] = node;
	if (resource->reached_at == NEVER) {
		resource->reached_at = set->work_count - 1;
		want_dynamic(set, resource);
	}
}

void
wv_schema_ask(struct wv_schema_set *set, struct dynamic_name *name)
{
	if (name->asked_at != NEVER)
		return;
	name->asked_at = set->work_count;
	for (size_t i = 0; i < name->node_count; i++) {
		if (name->nodes[i]->resource->reached_at != NEVER)
			wv_schema_want(set, name->nodes[i]);
	}
}

struct wv_schema *
wv_schema_sub(struct wv_schema_set *set, const struct wv_schema *node,
	const cJSON *source, const char *keyword, const char *name,
	struct wv_err *err)
{
	struct wv_schema *sub = wv_place_find(set, source);

	/* Every schema that a keyword holds was found when the document was
	 * scanned. */
	if (sub == NULL) {
		wv_schema_bad(set, err, node, keyword,
			"%s%s%smust be a schema: an object, true or false",
			name ? "\"" : "", name ? name : "", name ? "\" " : "");
		return NULL;
	}
	wv_schema_want(set, sub);
	return sub;
}

/* A pointer into another document than that of root says which. */
static int
tell(const struct wv_schema *node, const cJSON *root,
	const struct wv_err *inner, struct wv_err *err)
{
	const struct document *document = node->resource->document;

	if (document->root == root || document->resource->uri == NULL ||
		inner->text[0] != '/') {
		if (err != NULL && !wv_err_is_set(err))
			*err = *inner;
		return -1;
	}
	return wv_err_set(err, "%s#%s", document->resource->uri, inner->text);
}

/* The work list from the first on: it grows as it is done. */
static int
compile_from(struct wv_schema_set *set, size_t first, const cJSON *root,
	struct wv_err *err)
{
	for (size_t i = first; i < set->work_count; i++) {
		struct wv_err inner = WV_ERR_INIT;
		if (wv_keywords_compile(set, set->work[i], &inner) != 0)
			return tell(set->work[i], root, &inner, err);
	}
	return wv_schema_link(set, first, err);
}

/* What is half made must never be found again. */
static void
undo(struct wv_schema_set *set, size_t first)
{
	for (size_t i = first; i < set->work_count; i++) {
		struct wv_schema *node = set->work[i];
		*node = (struct wv_schema){
			.source = node->source,
			.resource = node->resource,
			.pointer = node->pointer,
		};
	}
	set->work_count = first;
	for (size_t i = 0; i < set->resource_count; i++) {
		if (set->resources[i]->reached_at >= first)
			set->resources[i]->reached_at = NEVER;
	}
	for (size_t i = 0; i < set->dynamic_count; i++) {
		if (set->dynamic[i].asked_at >= first)
			set->dynamic[i].asked_at = NEVER;
	}
}

const struct wv_schema *
wv_schema_compile(
	struct wv_schema_set *set, const cJSON *root, struct wv_err *err)
{
	size_t first = set->work_count;
	struct wv_schema *node;

	set->blame = (struct blame){ 0 };
	if (!wv_is_schema(root)) {
		wv_err_set(err, "a schema must be an object, true or false");
		return NULL;
	}
	if (wv_place_find(set, root) == NULL)
		wv_document_scan(set, wv_document_of(set, root, NULL));
	node = wv_place_find(set, root);
	wv_schema_want(set, node);
	if (compile_from(set, first, root, err) != 0) {
		undo(set, first);
		return NULL;
	}
	return wv_schema_end_of_refs(node);
}
