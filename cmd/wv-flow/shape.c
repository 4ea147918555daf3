/* SPDX-License-Identifier: Apache-2.0 */
#include "shape.h"

#include <string.h>

/* number is what integer is, and more. */
static const struct {
	const char *name;
	unsigned bits;
} types[] = { { "null", 1 }, { "boolean", 2 }, { "string", 4 }, { "array", 8 },
	{ "object", 16 }, { "number", 96 }, { "integer", 32 } };
enum { ALL = 127, COUNT = sizeof(types) / sizeof(*types) };

unsigned
shape_type(const char *name)
{
	for (size_t i = 0; i < COUNT; i++)
		if (strcmp(types[i].name, name) == 0)
			return types[i].bits;
	return 0;
}

const char *
shape_names(struct wv_arena *arena, unsigned bits)
{
	const char *text = "";

	for (size_t i = 0; i < COUNT; i++) {
		if ((bits & types[i].bits) != types[i].bits)
			continue;
		text = wv_printf(arena, "%s%s%s", text, *text ? " or " : "",
			types[i].name);
		bits &= ~types[i].bits;
	}
	return text;
}

static unsigned
types_of(const cJSON *schema)
{
	const cJSON *type = wv_get(schema, "type");
	unsigned bits = 0;

	if (wv_is_string(type))
		return shape_type(type->valuestring);
	wv_json_each(one, type)
		if (wv_is_string(one))
			bits |= shape_type(one->valuestring);
	return bits != 0 ? bits : ALL;
}

static bool
has_word(const cJSON *list, const char *word)
{
	wv_json_each(item, list)
		if (wv_is_string(item) && strcmp(item->valuestring, word) == 0)
			return true;
	return false;
}

/* From a schema to that of a member or an element; NULL: it does not say. */
static const cJSON *
descend(struct shape *shape, const cJSON *schema, const char *name)
{
	const cJSON *properties = wv_get(schema, "properties");
	const cJSON *member = wv_get(properties, name);

	if (types_of(schema) == shape_type("array"))
		return wv_get(schema, "items");
	if (member != NULL) {
		if (!has_word(wv_get(schema, "required"), name)) {
			shape->is_optional = true;
			shape->name = name;
		}
		return member;
	}
	if (properties == NULL || wv_get(schema, "patternProperties") != NULL)
		return NULL;
	shape->name = name;
	shape->known = properties;
	shape->is_refused = wv_is_false(wv_get(schema, "additionalProperties"));
	return NULL;
}

/* A token of a pointer as the name it stands for. */
static char *
unescape(struct wv_arena *arena, const char *token, size_t n)
{
	char *name = wv_dupn(arena, token, n), *to = name;

	for (const char *from = name; *from != '\0'; from++) {
		*to++ = *from != '~' ? *from : from[1] == '1' ? '/' : '~';
		from += *from == '~';
	}
	*to = '\0';
	return name;
}

void
shape_at(struct shape *shape, struct wv_arena *arena, const cJSON *schema,
	const char *pointer)
{
	*shape = (struct shape){ .types = ALL };
	while (*pointer == '/' && schema != NULL) {
		size_t n = strcspn(++pointer, "/");
		schema = descend(shape, schema, unescape(arena, pointer, n));
		pointer += n;
	}
	if (schema != NULL)
		shape->types = types_of(schema);
}
