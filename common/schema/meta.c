/* SPDX-License-Identifier: Apache-2.0 */
/* The meta-schemas of the drafts, built in. */
#include "schema/document.h"

#include "schema/dialect.h"

#include <string.h>

/* By the path of the URI, with "-" for "/". */
static const struct {
	const char *name, *text;
} metas[] = {
#include "metas.inc"
};

static bool
is_path(const char *name, const char *path)
{
	while (*path != '\0' && *name == (*path == '/' ? '-' : *path))
		name++, path++;
	return *name == '\0' && *path == '\0';
}

const char *
wv_meta_text(const char *uri)
{
	/* As the drafts spell it, and not otherwise. */
	static const char old[] = "http://json-schema.org/draft-0";
	static const char new[] = "https://json-schema.org/draft/20";

	if (strncmp(uri, old, sizeof old - 1) != 0 &&
		strncmp(uri, new, sizeof new - 1) != 0)
		return NULL;
	uri = strstr(uri, "draft");
	for (size_t i = 0; i < sizeof metas / sizeof metas[0]; i++) {
		if (is_path(metas[i].name, uri))
			return metas[i].text;
	}
	return NULL;
}

/* About the schema as a whole: its meta-schema cannot be had. */
static int
no_meta(struct wv_arena *arena, const struct wv_err *err,
	struct wv_schema_error **errors)
{
	struct wv_schema_error *one = wv_alloc_zero(arena, sizeof *one);

	one->instance = "";
	one->keyword = "/$schema";
	one->message = wv_dup(arena, err->text);
	*errors = one;
	return -1;
}

int
wv_schema_meta_errors(struct wv_schema_set *set, const cJSON *root,
	struct wv_arena *arena, size_t max, struct wv_schema_error **errors)
{
	const char *named = wv_get_string(root, "$schema");
	const char *uri = named ? named : wv_dialect_uri(set->options.draft);
	const char *whole = wv_dupn(arena, uri, strcspn(uri, "#"));
	const struct wv_schema *schema = NULL;
	struct wv_err err = WV_ERR_INIT;
	const struct resource *resource;

	/* Says what is wrong with it, if anything is. */
	if (wv_dialect_find(set, uri, &err) == NULL)
		return no_meta(arena, &err, errors);
	resource = wv_resource_find(set, whole, &err);
	if (resource != NULL)
		schema = wv_schema_compile(set, resource->root, &err);
	if (schema == NULL)
		return no_meta(arena, &err, errors);
	return wv_schema_errors(
		schema, root, WV_BRANCH_NEAREST, arena, max, errors);
}
