/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAPI: an operation is a capability. */
#include "contract/catalog-openapi.h"

#include <string.h>

/* Of all schemas of a document together; see SCHEMA_MAX. */
enum { COPIES_MAX = 1 << 21 };

static const struct method {
	const char *name, *safety;
} methods[] = {
	{ "get", "read" },
	{ "head", "read" },
	{ "options", "read" },
	{ "trace", "read" },
	{ "post", "write" },
	{ "put", "write" },
	{ "patch", "write" },
	{ "delete", "destructive" },
};

/* An operation. */
struct place {
	const char *path;
	const struct method *method;
	const cJSON *item, *operation;
};

/* One document being read. */
struct reader {
	struct wv_loader *l;
	struct wv_openapi api;
	const char *version;
};

static const struct method *
find_method(const char *name)
{
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}

/* A name for an operation that has none: get_users_by_id of GET /users/{id}. */
static const char *
name_of(struct wv_arena *arena, const struct place *place)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	struct wv_str name = { 0 };
	const char *p = place->path, *result;

	wv_str_cat(&name, place->method->name);
	while (*p != '\0') {
		size_t gap = strcspn(p, word), n = strspn(p + gap, word);
		if (n > 0)
			wv_str_cat(&name, memchr(p, '{', gap) ? "_by_" : "_");
		wv_str_add(&name, p + gap, n);
		p += gap + n;
	}
	result = wv_dupn(arena, name.s, name.n);
	wv_str_free(&name);
	return result;
}

static const char *
text_of(const cJSON *node, const char *member)
{
	const char *text = wv_get_string(node, member);

	return text != NULL && *text != '\0' ? text : NULL;
}

static int
add_described(struct reader *r, struct wv_capability *c,
	const struct place *place, const char *name)
{
	const char *title = text_of(place->operation, "summary");
	const char *description = text_of(place->operation, "description");

	/* What all operations of a path share is no name of one. */
	if (title == NULL && description == NULL)
		description = text_of(place->item, "summary");
	if (title == NULL && description == NULL)
		description = text_of(place->item, "description");
	return wv_catalog_add_made(r->l, c, name, title, description);
}

static bool
is_tags(const cJSON *tags)
{
	wv_json_each(tag, tags)
		if (!wv_is_string(tag))
			return false;
	return tags == NULL || wv_is_array(tags);
}

static int
add_operation(
	struct reader *r, const struct place *place, struct wv_capability *c)
{
	const cJSON *operation = place->operation;
	const char *id = wv_get_string(operation, "operationId");
	const char *why = NULL;

	c->tags = wv_get(operation, "tags");
	if (!wv_is_object(operation))
		why = "is no object";
	else if (!is_tags(c->tags))
		why = "has tags that are no list of texts";
	else if (wv_get(operation, "operationId") != NULL &&
		(id == NULL || *id == '\0'))
		why = "has an operationId that is no text";
	else
		c->input_schema =
			wv_openapi_input(&r->api, place->item, operation, &why);
	if (why != NULL)
		return wv_catalog_fault(r->l, c, "", "operation %s %s %s",
			place->method->name, place->path, why);
	if (id == NULL)
		id = name_of(r->l->arena, place);
	c->is_operation = true;
	c->version = r->version;
	c->safety = place->method->safety;
	return add_described(r, c, place, id);
}

/* The operations of a path, which stands at an offset of JSON; moves it behind
 * the path. */
static int
add_path(struct reader *r, const cJSON *path, size_t *at)
{
	const cJSON *item = wv_openapi_follow(&r->api, path);
	struct wv_capability c = wv_catalog_place(r->l, path, *at);
	bool here = item == path && wv_is_object(item) && item->child != NULL;
	size_t behind = here ? 0 : wv_catalog_behind(r->l, *at);

	if (!wv_is_object(item)) {
		*at = behind;
		return wv_catalog_fault(r->l, &c, "",
			"path %s is no object of the document", path->string);
	}
	wv_json_each(member, item) {
		struct place place = { path->string,
			find_method(member->string), item, member };
		if (here)
			*at = wv_catalog_member(r->l, *at);
		if (place.method != NULL) {
			c = wv_catalog_place(r->l, member, *at);
			if (add_operation(r, &place, &c) != 0)
				return -1;
		}
		if (here)
			*at = wv_catalog_behind(r->l, *at);
	}
	*at = here ? wv_catalog_element(r->l, *at) : behind;
	return 0;
}

static int
add_paths(struct reader *r, const struct wv_capability *c)
{
	const cJSON *paths = wv_get(c->node, "paths");
	size_t at;

	if (!wv_is_object(paths))
		return wv_catalog_fault(r->l, c, "/paths",
			"OpenAPI needs an object as its paths");
	at = wv_catalog_offset(r->l, c, "/paths");
	wv_json_each(path, paths) {
		at = wv_catalog_member(r->l, at);
		if (path->string[0] != '/') /* x-… */
			at = wv_catalog_behind(r->l, at);
		else if (add_path(r, path, &at) != 0)
			return -1;
	}
	return 0;
}

static int
check_version(struct wv_loader *l, struct wv_capability *c)
{
	const char *version = wv_get_string(c->node, "openapi");

	if (version != NULL &&
		(strncmp(version, "3.0.", 4) == 0 ||
			strncmp(version, "3.1.", 4) == 0))
		return 1;
	return wv_catalog_fault(l, c,
		wv_get(c->node, "openapi") ? "/openapi" : "/swagger",
		"OpenAPI is read in its versions 3.0 and 3.1, as \"3.1.0\"");
}

int
wv_catalog_add_openapi(struct wv_loader *l, struct wv_capability *c)
{
	struct reader r = { .l = l,
		.api = { .root = c->node,
			.arena = l->arena,
			.left = COPIES_MAX } };
	const char *version = wv_get_string(c->node, "openapi");
	int result = check_version(l, c);

	if (result != 1)
		return result;
	r.api.is_3_0 = version[2] == '0';
	r.version = wv_get_string(wv_get(c->node, "info"), "version");
	if (r.version != NULL && *r.version == '\0')
		r.version = NULL;
	result = add_paths(&r, c);
	wv_openapi_free(&r.api);
	return result;
}
