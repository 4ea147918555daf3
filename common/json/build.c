/* SPDX-License-Identifier: Apache-2.0 */
#include "json/internal.h"

#include <stdio.h>
#include <string.h>

static cJSON *
new_node(struct wv_arena *arena, int type)
{
	cJSON *node = wv_alloc(arena, sizeof(*node));

	*node = (cJSON){ .type = type };
	return node;
}

cJSON *
wv_json_object(struct wv_arena *arena)
{
	return new_node(arena, cJSON_Object);
}

cJSON *
wv_json_array(struct wv_arena *arena)
{
	return new_node(arena, cJSON_Array);
}

cJSON *
wv_json_bool(struct wv_arena *arena, bool value)
{
	return new_node(arena, value ? cJSON_True : cJSON_False);
}

cJSON *
wv_json_null(struct wv_arena *arena)
{
	return new_node(arena, cJSON_NULL);
}

static cJSON *
text_node(struct wv_arena *arena, int type, const char *s, size_t n)
{
	cJSON *node = new_node(arena, type);

	node->valuestring = wv_dupn(arena, s, n);
	node->valueint = (int)n;
	return node;
}

cJSON *
wv_json_string(struct wv_arena *arena, const char *s)
{
	return text_node(arena, cJSON_String, s, strlen(s));
}

/* Each NUL takes one byte more in a tree. */
cJSON *
wv_json_stringn(struct wv_arena *arena, const char *s, size_t n)
{
	const char *end = s + n, *nul = memchr(s, '\0', n);
	cJSON *node;
	char *to;

	if (nul == NULL)
		return text_node(arena, cJSON_String, s, n);
	node = new_node(arena, cJSON_String);
	node->valuestring = to = wv_alloc(arena, 2 * n + 1);
	for (; s < end; s++) {
		if (*s == '\0') {
			*to++ = (char)0xc0;
			*to++ = (char)0x80;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
	node->valueint = (int)(to - node->valuestring);
	return node;
}

cJSON *
wv_json_int(struct wv_arena *arena, int64_t value)
{
	char text[24];
	cJSON *node;

	if (value <= -WV_JSON_INT_END || value >= WV_JSON_INT_END) {
		int n = snprintf(text, sizeof(text), "%lld", (long long)value);
		return text_node(arena, cJSON_Number, text, (size_t)n);
	}
	node = new_node(arena, cJSON_Number);
	node->valuedouble = (double)value;
	return node;
}

cJSON *
wv_json_number(struct wv_arena *arena, const char *text)
{
	return text_node(arena, cJSON_Number, text, strlen(text));
}

/* A copy without children that stands nowhere. */
static cJSON *
copy_node(struct wv_arena *arena, const cJSON *from)
{
	cJSON *to = new_node(arena, from->type);

	to->valueint = from->valueint;
	to->valuedouble = from->valuedouble;
	if (from->valuestring != NULL)
		to->valuestring = wv_dupn(
			arena, from->valuestring, (size_t)from->valueint);
	return to;
}

cJSON *
wv_json_copy(struct wv_arena *arena, const cJSON *node)
{
	cJSON *copy = copy_node(arena, node);
	struct wv_pairs todo;

	wv_pairs_init(&todo);
	wv_pairs_push(&todo, node, copy);
	while (todo.n > 0) {
		struct wv_pair pair = todo.at[--todo.n];
		wv_json_each(from, pair.from) {
			cJSON *to = copy_node(arena, from);
			if (from->string != NULL)
				to->string = wv_dup(arena, from->string);
			wv_push(pair.to, to);
			if (from->child != NULL)
				wv_pairs_push(&todo, from, to);
		}
	}
	wv_pairs_free(&todo);
	return copy;
}

void
wv_push(cJSON *array, cJSON *value)
{
	cJSON *first = array->child;

	value->next = NULL;
	if (first == NULL) {
		array->child = value;
		value->prev = value;
	} else {
		value->prev = first->prev;
		first->prev->next = value;
		first->prev = value;
	}
}

static void
replace(cJSON *parent, cJSON *old, cJSON *value)
{
	value->next = old->next;
	value->prev = old->prev == old ? value : old->prev;
	if (parent->child == old)
		parent->child = value;
	else
		value->prev->next = value;
	if (value->next != NULL)
		value->next->prev = value;
	else
		parent->child->prev = value;
}

cJSON *
wv_put(struct wv_arena *arena, cJSON *object, const char *name, cJSON *value)
{
	cJSON *old = wv_get(object, name);

	if (old != NULL) {
		value->string = old->string;
		replace(object, old, value);
	} else {
		value->string = wv_dup(arena, name);
		wv_push(object, value);
	}
	return value;
}

cJSON *
wv_put_string(
	struct wv_arena *arena, cJSON *object, const char *name, const char *s)
{
	return wv_put(arena, object, name, wv_json_string(arena, s));
}

cJSON *
wv_put_object(struct wv_arena *arena, cJSON *object, const char *name)
{
	cJSON *member = wv_get(object, name);

	if (wv_is_object(member))
		return member;
	return wv_put(arena, object, name, wv_json_object(arena));
}

cJSON *
wv_take(cJSON *object, const char *name)
{
	cJSON *member = wv_get(object, name);

	if (member == NULL)
		return NULL;
	if (member == object->child)
		object->child = member->next;
	else
		member->prev->next = member->next;
	if (member->next != NULL)
		member->next->prev = member->prev;
	else if (object->child != NULL)
		object->child->prev = member->prev;
	member->next = member->prev = NULL;
	return member;
}
