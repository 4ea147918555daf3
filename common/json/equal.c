/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Equality works on a list of pairs of containers still to be compared, so
 * neither depth nor width meets the C stack; everything else is compared
 * where it stands.
 */
#include "json/internal.h"

#include "json/num.h"

#include <stdlib.h>
#include <string.h>

/* Objects of more members are sorted to find equal names. */
enum { FEW_MEMBERS = 16 };

static bool
equal_here(struct wv_pairs *todo, const cJSON *a, cJSON *b)
{
	int type = a->type & 0xff;

	if (type != (b->type & 0xff))
		return false;
	switch (type) {
	case cJSON_Number:
		return wv_num_cmp(a, b) == 0;
	case cJSON_String:
		return a->valueint == b->valueint &&
			memcmp(a->valuestring, b->valuestring,
				(size_t)a->valueint) == 0;
	case cJSON_Array:
	case cJSON_Object:
		wv_pairs_push(todo, a, b);
		return true;
	default:
		return true;
	}
}

static bool
equal_arrays(struct wv_pairs *todo, const cJSON *a, const cJSON *b)
{
	cJSON *y = b->child;

	wv_json_each(x, a) {
		if (y == NULL || !equal_here(todo, x, y))
			return false;
		y = y->next;
	}
	return y == NULL;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(
		(*(cJSON *const *)a)->string, (*(cJSON *const *)b)->string);
}

static cJSON **
sorted_members(const cJSON *object, size_t n)
{
	cJSON **list = wv_xmalloc(n * sizeof(cJSON *)), **p = list;

	wv_json_each(member, object)
		*p++ = member;
	qsort(list, n, sizeof(cJSON *), by_name);
	return list;
}

static bool
equal_sorted(struct wv_pairs *todo, const cJSON *a, const cJSON *b, size_t n)
{
	cJSON **x = sorted_members(a, n), **y = sorted_members(b, n);
	size_t i = 0;

	while (i < n && strcmp(x[i]->string, y[i]->string) == 0 &&
		equal_here(todo, x[i], y[i]))
		i++;
	free(x);
	free(y);
	return i == n;
}

static bool
equal_objects(struct wv_pairs *todo, const cJSON *a, const cJSON *b)
{
	size_t n = wv_count(a);

	if (n != wv_count(b))
		return false;
	if (n > FEW_MEMBERS)
		return equal_sorted(todo, a, b, n);
	wv_json_each(x, a) {
		cJSON *y = wv_get(b, x->string);
		if (y == NULL || !equal_here(todo, x, y))
			return false;
	}
	return true;
}

bool
wv_json_equal(const cJSON *a, const cJSON *b)
{
	struct wv_pairs todo;
	bool equal;

	wv_pairs_init(&todo);
	equal = equal_here(&todo, a, (cJSON *)b);
	while (equal && todo.n > 0) {
		struct wv_pair pair = todo.at[--todo.n];
		if (wv_is_object(pair.from))
			equal = equal_objects(&todo, pair.from, pair.to);
		else
			equal = equal_arrays(&todo, pair.from, pair.to);
	}
	wv_pairs_free(&todo);
	return equal;
}
