/* SPDX-License-Identifier: Apache-2.0 */
/* What an operation of OpenAPI takes, as one schema of its arguments. */
#include "contract/catalog-openapi.h"

#include <string.h>

/* One being made. */
struct input {
	struct wv_openapi *api;
	cJSON *properties, *required;
	struct wv_map seen; /* places and names of parameters, */
	struct wv_map used; /* and names of properties */
	const char *why;    /* NULL: nothing is wrong yet */
};

static void
add_property(struct input *in, const char *name, const cJSON *schema,
	const char *description, bool required)
{
	struct wv_arena *arena = in->api->arena;
	cJSON *value = wv_is_object(schema) ? wv_openapi_schema(in->api, schema)
					    : wv_json_object(arena);

	if (description != NULL && wv_get(value, "description") == NULL)
		wv_put_string(arena, value, "description", description);
	value->string = wv_dup(arena, name);
	wv_push(in->properties, value);
	wv_map_add(&in->used, value->string, 1);
	if (required)
		wv_push(in->required, wv_json_string(arena, name));
}

/* The schema of a body or a parameter in one of its forms: JSON, or what comes
 * first. */
static const cJSON *
content_schema(const cJSON *holder)
{
	const cJSON *content = wv_get(holder, "content");
	const cJSON *form;

	if (!wv_is_object(content) || wv_openapi_is_long(content))
		return NULL;
	form = wv_get(content, "application/json");
	if (form == NULL)
		form = content->child;
	return wv_get(form, "schema");
}

static const char *
ref_of(const cJSON *node)
{
	const char *ref = wv_get_string(node, "$ref");

	return ref != NULL ? ref : "";
}

/* The first of a name and place counts. */
static void
add_parameter(struct input *in, const cJSON *node)
{
	struct wv_arena *arena = &in->api->scratch;
	const cJSON *p = wv_openapi_follow(in->api, node), *schema;
	const char *name = wv_get_string(p, "name");
	const char *place = wv_get_string(p, "in");
	char *key;

	if (p == NULL) {
		in->why = wv_printf(arena,
			"has a parameter that is not in the document: \"%s\"",
			ref_of(node));
		return;
	}
	if (name == NULL || place == NULL) {
		in->why = "has a parameter without name or in";
		return;
	}
	key = wv_printf(arena, "%s_%s", place, name);
	if ((*wv_map_add(&in->seen, key, 0))++ > 0)
		return;
	schema = wv_get(p, "schema");
	add_property(in, wv_map_find(&in->used, name) ? key : name,
		schema != NULL ? schema : content_schema(p),
		wv_get_string(p, "description"),
		wv_is_true(wv_get(p, "required")) ||
			strcmp(place, "path") == 0);
}

static void
add_parameters(struct input *in, const cJSON *list)
{
	if (list != NULL && !wv_is_array(list))
		in->why = "has parameters that are no list";
	else if (wv_openapi_is_long(list))
		in->why = "has more than 256 parameters";
	wv_json_each(node, list) {
		if (in->why != NULL)
			return;
		add_parameter(in, node);
	}
}

static void
add_body(struct input *in, const cJSON *node)
{
	const cJSON *body = wv_openapi_follow(in->api, node);

	if (node == NULL || in->why != NULL)
		return;
	if (body == NULL) {
		in->why = wv_printf(&in->api->scratch,
			"has a body that is not in the document: \"%s\"",
			ref_of(node));
		return;
	}
	add_property(in,
		wv_map_find(&in->used, "body") ? "request_body" : "body",
		content_schema(body), wv_get_string(body, "description"),
		wv_is_true(wv_get(body, "required")));
}

cJSON *
wv_openapi_input(struct wv_openapi *api, const cJSON *item,
	const cJSON *operation, const char **why)
{
	struct input in = { .api = api,
		.properties = wv_json_object(api->arena),
		.required = wv_json_array(api->arena) };
	cJSON *schema = wv_json_object(api->arena);

	add_parameters(&in, wv_get(operation, "parameters"));
	add_parameters(&in, wv_get(item, "parameters"));
	add_body(&in, wv_get(operation, "requestBody"));
	wv_map_free(&in.seen);
	wv_map_free(&in.used);
	*why = in.why;
	if (in.why != NULL)
		return NULL;
	/* The schemas of 3.0 are nearest to those of draft 4. */
	if (api->is_3_0)
		wv_put_string(api->arena, schema, "$schema",
			"http://json-schema.org/draft-04/schema#");
	wv_put_string(api->arena, schema, "type", "object");
	wv_put(api->arena, schema, "properties", in.properties);
	if (in.required->child != NULL)
		wv_put(api->arena, schema, "required", in.required);
	return schema;
}
