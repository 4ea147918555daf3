/* SPDX-License-Identifier: Apache-2.0 */
/* Tools that have a name, a description and a schema and no id: those of MCP
 * and of the APIs of OpenAI and Anthropic. */
#include "contract/catalog-internal.h"

#include <string.h>

static const struct shape {
	const char *schema; /* the member that tells it, unless inside does */
	bool needs_schema;
	const char *inside; /* the member that all others stand in, or NULL */
} shapes[] = {
	{ "parameters", false, "function" }, /* OpenAI, chat */
	{ "inputSchema", true, NULL },       /* MCP */
	{ "input_schema", true, NULL },      /* Anthropic */
	{ "parameters", false, NULL },       /* OpenAI, responses */
};

enum { MCP = 1, SHAPES = sizeof shapes / sizeof *shapes };

static const struct shape *
shape_of(const cJSON *node)
{
	for (size_t i = 0; i < SHAPES; i++)
		if (wv_get(node,
			    shapes[i].inside ? shapes[i].inside
					     : shapes[i].schema) != NULL)
			return &shapes[i];
	/* A function of the responses API without arguments. */
	return wv_get(node, "type") != NULL ? &shapes[SHAPES - 1]
					    : &shapes[MCP];
}

bool
wv_catalog_is_function(const cJSON *node)
{
	return wv_get(node, "id") == NULL &&
		(shape_of(node) != &shapes[MCP] ||
			wv_get(node, "inputSchema") != NULL);
}

/* One being read. */
struct reader {
	struct wv_loader *l;
	struct wv_capability *c;
	const struct shape *shape;
	const cJSON *body;
	const char *name, *title, *description; /* NULL: not there, or not
						   known yet */
};

/* A fault of a member of the body, or of what is below it. */
static int
fault(const struct reader *r, const char *member, const char *what)
{
	const char *inside = r->shape->inside;
	char *pointer = wv_printf(r->l->arena, "%s%s/%s", inside ? "/" : "",
		inside ? inside : "", member);
	const char *slash = strrchr(member, '/');

	return wv_catalog_fault(r->l, r->c, pointer, "tool%s%s%s %s %s",
		r->name ? " \"" : "", r->name ? r->name : "",
		r->name ? "\"" : "", what, slash ? slash + 1 : member);
}

/* The checks return 1 if all is well, else as fault() does. */
static int
check_type(const struct reader *r)
{
	const cJSON *type = wv_get(r->c->node, "type");

	if (!wv_is_object(r->c->node))
		return wv_catalog_fault(r->l, r->c, "", "a tool is an object");
	if (type == NULL || r->shape == &shapes[MCP] ||
		(wv_is_string(type) &&
			(strcmp(type->valuestring, "function") == 0 ||
				strcmp(type->valuestring, "custom") == 0)))
		return 1;
	return wv_catalog_fault(r->l, r->c, "/type",
		"a tool that is no function: its provider runs it");
}

/* Sets *text, NULL if it is not there. */
static int
read_text(const struct reader *r, const char *member, const char **text)
{
	const cJSON *value = wv_get(r->body, member);

	*text = wv_get_string(r->body, member);
	if (*text != NULL && **text == '\0')
		*text = NULL;
	return value == NULL || wv_is_null(value) || wv_is_string(value)
		? 1
		: fault(r, member, "needs a text as its");
}

static int
read_name(struct reader *r)
{
	int good = read_text(r, "name", &r->name);

	if (good == 1 && r->name == NULL)
		return fault(r, "name",
			wv_get(r->body, "name") == NULL
				? "has no"
				: "needs a text that is not empty as its");
	return good;
}

/* Sets *schema, NULL if it is not there. */
static int
read_schema(const struct reader *r, const char *member, bool needed,
	const cJSON **schema)
{
	*schema = wv_get(r->body, member);
	if (*schema != NULL && !needed && wv_is_null(*schema))
		*schema = NULL;
	if (*schema == NULL && needed)
		return fault(r, member, "has no");
	return *schema == NULL || wv_is_object(*schema)
		? 1
		: fault(r, member, "needs an object as its");
}

/* A hint that is there has to be one: "true" must not pass for nothing. */
static int
check_annotations(const struct reader *r)
{
	static const char *const hints[] = { "annotations/readOnlyHint",
		"annotations/destructiveHint" };
	const cJSON *annotations = wv_get(r->body, "annotations");

	if (annotations == NULL || wv_is_null(annotations))
		return 1;
	if (!wv_is_object(annotations))
		return fault(r, "annotations", "needs an object as its");
	for (size_t i = 0; i < 2; i++) {
		const cJSON *hint =
			wv_get(annotations, strchr(hints[i], '/') + 1);
		if (hint != NULL && !wv_is_true(hint) && !wv_is_false(hint))
			return fault(r, hints[i], "needs true or false as its");
	}
	return 1;
}

/* What MCP has beyond a name, a description and a schema. */
static int
read_mcp(struct reader *r)
{
	const cJSON *annotations = wv_get(r->body, "annotations");
	int good = read_text(r, "title", &r->title);

	if (good == 1)
		good = check_annotations(r);
	if (good == 1)
		good = read_schema(
			r, "outputSchema", false, &r->c->output_schema);
	if (r->title == NULL)
		r->title = wv_get_string(annotations, "title");
	r->c->safety = wv_mcp_safety(annotations);
	return good;
}

static int
read_members(struct reader *r)
{
	const struct shape *shape = r->shape;
	int good = check_type(r);

	if (good == 1)
		good = read_name(r);
	if (good == 1)
		good = read_text(r, "description", &r->description);
	if (good == 1)
		good = read_schema(r, shape->schema, shape->needs_schema,
			&r->c->input_schema);
	if (good == 1 && shape == &shapes[MCP])
		good = read_mcp(r);
	return good;
}

int
wv_catalog_add_function(struct wv_loader *l, struct wv_capability *c)
{
	const struct shape *shape = shape_of(c->node);
	struct reader r = { .l = l,
		.c = c,
		.shape = shape,
		.body = shape->inside != NULL ? wv_get(c->node, shape->inside)
					      : c->node };
	int good = read_members(&r);

	if (good != 1)
		return good;
	return wv_catalog_add_made(l, c, r.name, r.title, r.description);
}

const char *
wv_mcp_safety(const cJSON *annotations)
{
	const cJSON *read_only = wv_get(annotations, "readOnlyHint");

	if (wv_is_true(wv_get(annotations, "destructiveHint")))
		return "destructive";
	if (wv_is_true(read_only))
		return "read";
	return wv_is_false(read_only) ? "write" : NULL;
}

const char *
wv_safety_tightened(const char *own, const char *theirs)
{
	if (theirs == NULL || strcmp(theirs, "read") == 0)
		return own;
	if (own == NULL || strcmp(own, "read") == 0)
		return theirs;
	return strcmp(theirs, "destructive") == 0 ? theirs : own;
}
