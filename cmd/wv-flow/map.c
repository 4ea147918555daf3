/* SPDX-License-Identifier: Apache-2.0 */
#include "map.h"

#include "json/mapping.h"
#include "kernel/reference.h"

#include <string.h>

bool
map_reference_read(struct map_reference *reference, const cJSON *object)
{
	const cJSON *from = wv_get(object, "from");
	const cJSON *handle = wv_get(object, "handle");
	const cJSON *otherwise = wv_get(object, "default");
	const cJSON *place = from ? from : handle;

	if (!wv_is_string(place) ||
		!wv_mapping_is_pointer(place->valuestring) ||
		wv_count(object) != (otherwise ? 2 : 1))
		return false;
	*reference = (struct map_reference){ place->valuestring, otherwise,
		place == handle };
	return true;
}

/* Behind the first token of a pointer, if that is it. */
static const char *
behind(const char *pointer, const char *token)
{
	size_t n = strlen(token);

	if (strncmp(pointer, token, n) != 0 ||
		(pointer[n] != '/' && pointer[n] != '\0'))
		return NULL;
	return pointer + n;
}

static const cJSON *
follow_step(const struct map_scope *scope, const char *pointer)
{
	const size_t *index;
	char id[65]; /* the schema bounds ids to 64 characters */
	size_t n;

	pointer++;
	n = strcspn(pointer, "/");
	memcpy(id, pointer, n);
	id[n] = '\0';
	index = wv_map_find(&scope->flow->ids, id);
	return wv_pointer(scope->frames[*index], pointer + n);
}

static const cJSON *
follow(const struct map_scope *scope, const char *pointer)
{
	const char *rest;

	if ((rest = behind(pointer, "/input")) != NULL)
		return wv_pointer(scope->input, rest);
	if ((rest = behind(pointer, "/item")) != NULL)
		return wv_pointer(scope->item, rest);
	return follow_step(scope, behind(pointer, "/steps"));
}

/* NULL and an error if there is nothing. */
static const cJSON *
find(const struct map_reference *reference, const struct map_scope *scope,
	struct wv_err *err)
{
	const cJSON *value = follow(scope, reference->pointer);

	if (value == NULL)
		value = reference->otherwise;
	if (value == NULL)
		wv_err_set(err, "there is nothing at %s", reference->pointer);
	return value;
}

const cJSON *
map_value(
	const cJSON *written, const struct map_scope *scope, struct wv_err *err)
{
	const struct map_reference reference = {
		.pointer = wv_get_string(written, "from"),
		.otherwise = wv_get(written, "default"),
	};

	return find(&reference, scope, err);
}

/* A Handle, its id, or a default that is none and is meant as it is. */
static cJSON *
make_handle(struct wv_arena *arena, const struct map_reference *reference,
	const cJSON *value, struct wv_err *err)
{
	const char *id = wv_is_string(value)
		? value->valuestring
		: wv_get_string(value, "handle_id");
	cJSON *mark;

	if (value == reference->otherwise)
		return wv_json_copy(arena, value);
	if (id == NULL) {
		wv_err_set(
			err, "what is at %s is no Handle", reference->pointer);
		return NULL;
	}
	mark = wv_json_object(arena);
	wv_put_string(arena, mark, "x_wv_handle", id);
	return mark;
}

/* What a tool said is not to choose what another one is given: a reference to
 * a Handle is the flow's to write, or its caller's. */
static cJSON *
copy_value(struct wv_arena *arena, const struct map_reference *reference,
	const cJSON *value, struct wv_err *err)
{
	cJSON *copy = wv_json_copy(arena, value), *found[WV_REFERENCES_MAX];

	if (value == reference->otherwise ||
		behind(reference->pointer, "/input") != NULL ||
		wv_references(copy, found) == 0)
		return copy;
	wv_err_set(
		err, "what is at %s holds an x_wv_handle", reference->pointer);
	return NULL;
}

static int
read_reference(const void *scope, struct wv_arena *arena, const cJSON *object,
	cJSON **made, struct wv_err *err)
{
	struct map_reference reference;
	const cJSON *value;

	if (!map_reference_read(&reference, object))
		return 0;
	value = find(&reference, scope, err);
	if (value == NULL)
		return -1;
	*made = reference.is_handle ? make_handle(arena, &reference, value, err)
				    : copy_value(arena, &reference, value, err);
	return *made != NULL ? 1 : -1;
}

cJSON *
map_resolve(struct wv_arena *arena, const cJSON *written,
	const struct map_scope *scope, struct wv_err *err)
{
	cJSON *made;

	if (written == NULL)
		return wv_json_object(arena);
	made = wv_mapping_make(arena, written, read_reference, scope, err);
	if (made == NULL || wv_is_object(made))
		return made;
	wv_err_set(err, "what %s leads to is no object",
		wv_get_string(written, "from"));
	return NULL;
}
