/* SPDX-License-Identifier: Apache-2.0 */
#include "json/mapping.h"

#include <string.h>

const cJSON *
wv_mapping_sole(const cJSON *node, const char *name)
{
	const cJSON *one = wv_is_object(node) ? node->child : NULL;

	if (one == NULL || one->next != NULL || strcmp(one->string, name) != 0)
		return NULL;
	return one;
}

bool
wv_mapping_is_pointer(const char *s)
{
	for (const char *tilde = s; (tilde = strchr(tilde, '~')) != NULL;
		tilde++)
		if (tilde[1] != '0' && tilde[1] != '1')
			return false;
	return *s == '/';
}

struct mapping {
	struct wv_arena *arena;
	wv_mapping_read *read;
	const void *scope;
	struct wv_err *err;
};

/* As deep as the file, whose depth the reader bounds. */
static cJSON *
make(const struct mapping *m, const cJSON *written)
{
	const cJSON *value = wv_mapping_sole(written, "value");
	cJSON *copy = NULL;

	if (value != NULL)
		return wv_json_copy(m->arena, value);
	if (!wv_is_object(written) && !wv_is_array(written))
		return wv_json_copy(m->arena, written);
	if (wv_is_object(written) &&
		m->read(m->scope, m->arena, written, &copy, m->err) != 0)
		return copy;
	copy = wv_is_object(written) ? wv_json_object(m->arena)
				     : wv_json_array(m->arena);
	wv_json_each(child, written) {
		cJSON *made = make(m, child);
		if (made == NULL)
			return NULL;
		made->string = child->string;
		wv_push(copy, made);
	}
	return copy;
}

cJSON *
wv_mapping_make(struct wv_arena *arena, const cJSON *written,
	wv_mapping_read *read, const void *scope, struct wv_err *err)
{
	struct mapping m = { arena, read, scope, err };

	return make(&m, written);
}

struct finder {
	wv_mapping_find *find;
	const void *scope;
};

static int
read_from(const void *scope, struct wv_arena *arena, const cJSON *object,
	cJSON **made, struct wv_err *err)
{
	const struct finder *finder = scope;
	const cJSON *from = wv_mapping_sole(object, "from"), *value;

	if (from == NULL)
		return 0;
	value = finder->find(finder->scope, from->valuestring);
	if (value == NULL)
		return wv_err_set(
			err, "there is nothing at %s", from->valuestring);
	*made = wv_json_copy(arena, value);
	return 1;
}

cJSON *
wv_mapping_resolve(struct wv_arena *arena, const cJSON *written,
	wv_mapping_find *find, const void *scope, struct wv_err *err)
{
	const struct finder finder = { find, scope };
	cJSON *made = wv_mapping_make(arena, written, read_from, &finder, err);

	if (made == NULL || wv_is_object(made))
		return made;
	wv_err_set(err, "what %s leads to is no object",
		written->child->valuestring);
	return NULL;
}
