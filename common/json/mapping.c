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
	wv_mapping_find *find;
	const void *scope;
	struct wv_err *err;
};

static cJSON *
copy_from(const struct mapping *m, const char *pointer)
{
	const cJSON *value = m->find(m->scope, pointer);

	if (value != NULL)
		return wv_json_copy(m->arena, value);
	wv_err_set(m->err, "there is nothing at %s", pointer);
	return NULL;
}

/* As deep as the file, whose depth the reader bounds. */
static cJSON *
resolve(const struct mapping *m, const cJSON *written)
{
	const cJSON *from = wv_mapping_sole(written, "from");
	const cJSON *value = wv_mapping_sole(written, "value");
	cJSON *copy;

	if (value != NULL)
		return wv_json_copy(m->arena, value);
	if (from != NULL)
		return copy_from(m, from->valuestring);
	if (!wv_is_object(written) && !wv_is_array(written))
		return wv_json_copy(m->arena, written);
	copy = wv_is_object(written) ? wv_json_object(m->arena)
				     : wv_json_array(m->arena);
	wv_json_each(child, written) {
		cJSON *made = resolve(m, child);
		if (made == NULL)
			return NULL;
		made->string = child->string;
		wv_push(copy, made);
	}
	return copy;
}

cJSON *
wv_mapping_resolve(struct wv_arena *arena, const cJSON *written,
	wv_mapping_find *find, const void *scope, struct wv_err *err)
{
	struct mapping m = { arena, find, scope, err };
	cJSON *made = resolve(&m, written);

	if (made == NULL || wv_is_object(made))
		return made;
	wv_err_set(err, "what %s leads to is no object",
		written->child->valuestring);
	return NULL;
}
