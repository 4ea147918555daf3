/* SPDX-License-Identifier: Apache-2.0 */
/* References: from the URI to the node. */
#include "schema/document.h"

#include "schema/uri.h"

#include <string.h>

/* More members than this are not searched one by one. */
enum { WIDE = 32 };

static const struct wide *
wide_of(struct wv_schema_set *set, const cJSON *value)
{
	size_t known = wv_ptrmap_find(&set->wide_values, value), n = 0;
	struct wide *wide;
	const char **strings;

	if (known != SIZE_MAX)
		return &set->wides[known];
	set->wides =
		wv_list_room(set->wides, set->wide_count, sizeof *set->wides);
	wide = &set->wides[set->wide_count];
	wide->count = wv_count(value);
	wide->values =
		wv_alloc(&set->arena, wide->count * sizeof *wide->values);
	strings = wv_alloc(&set->arena, wide->count * sizeof *strings);
	wv_json_each(one, value) {
		strings[n] = one->string;
		wide->values[n++] = one;
	}
	if (wv_is_object(value))
		wv_names_make(&wide->names, &set->arena, strings, (uint32_t)n,
			set->key);
	wv_ptrmap_add(&set->wide_values, value, set->wide_count++);
	return wide;
}

static const cJSON *
member(struct wv_schema_set *set, const cJSON *object, const char *name)
{
	const struct wide *wide;
	int n = 0;
	int64_t i;

	wv_json_each(one, object) {
		if (n++ == WIDE)
			break;
		if (strcmp(one->string, name) == 0)
			return one;
	}
	if (n <= WIDE)
		return NULL;
	wide = wide_of(set, object);
	i = wv_names_find(&wide->names, name);
	return i >= 0 ? wide->values[i] : NULL;
}

static const cJSON *
item(struct wv_schema_set *set, const cJSON *array, const char *index)
{
	enum { MAX_DIGITS = 9 };
	size_t digits = strspn(index, "0123456789"), n = 0;
	const cJSON *one = array->child;

	if (digits == 0 || digits > MAX_DIGITS || index[digits] != '\0' ||
		(index[0] == '0' && digits > 1))
		return NULL;
	while (*index != '\0')
		n = n * 10 + (size_t)(*index++ - '0');
	if (n >= WIDE) {
		const struct wide *wide = wide_of(set, array);
		return n < wide->count ? wide->values[n] : NULL;
	}
	while (one != NULL && n-- > 0)
		one = one->next;
	return one;
}

/* The next token of an RFC 6901 pointer that is at "/", unescaped, with slack
 * for wv_names_find(); NULL if it is not well-formed. */
static const char *
next_token(const char *pointer, struct wv_str *token)
{
	token->n = 0;
	for (pointer++; *pointer != '\0' && *pointer != '/'; pointer++) {
		char c = *pointer;
		if (c == '~') {
			c = *++pointer == '0' ? '~' : '/';
			if (*pointer != '0' && *pointer != '1')
				return NULL;
		}
		wv_str_chr(token, c);
	}
	memset(wv_str_room(token, WV_ARENA_SLACK), 0, WV_ARENA_SLACK);
	return pointer;
}

/*
 * A pointer may go through members that are no keywords; the resource that
 * it is in then is that of the last schema it went through.
 */
static struct wv_schema *
follow(struct wv_schema_set *set, struct resource *resource,
	const char *pointer)
{
	const cJSON *value = resource->root;
	const char *base = resource->pointer, *rest = pointer;
	struct wv_str token = { 0 };
	struct wv_schema *node = NULL;

	while (value != NULL && rest != NULL && *rest != '\0') {
		rest = next_token(rest, &token);
		if (rest == NULL)
			value = NULL;
		else if (wv_is_array(value))
			value = item(set, value, token.s);
		else
			value = member(set, value, token.s);
		node = value ? wv_place_find(set, value) : NULL;
		if (node != NULL)
			resource = node->resource;
	}
	wv_str_free(&token);
	if (node == NULL && wv_is_schema(value)) {
		struct wv_str whole = { 0 };
		wv_str_cat(&whole, base);
		wv_str_cat(&whole, pointer);
		node = wv_place_add(set, resource, value, whole.s);
		wv_str_free(&whole);
	}
	return node;
}

/* The resource that a reference of node is to. */
static struct resource *
referred(struct wv_schema_set *set, const struct wv_schema *node,
	const char *uri, struct wv_err *err)
{
	struct resource *own = node->resource;
	struct resource *outer = own->document->resource, *found;
	struct wv_str text = { 0 };

	if (uri[0] == '\0' || uri[0] == '#')
		return own;
	wv_uri_resolve(&text, own->uri, uri);
	text.s[strcspn(text.s, "#")] = '\0';
	/* Another document may have been known by the same URI before. */
	if (own->uri != NULL && strcmp(own->uri, text.s) == 0)
		found = own;
	else if (outer->uri != NULL && strcmp(outer->uri, text.s) == 0)
		found = outer;
	else
		found = wv_resource_find(set, text.s, err);
	wv_str_free(&text);
	return found;
}

/* Where uri leads; *plain is set if by a plain name. */
static struct wv_schema *
locate(struct wv_schema_set *set, const struct wv_schema *node,
	const char *keyword, const char *uri, const char **plain,
	struct wv_err *err)
{
	struct resource *resource = NULL;
	const char *fragment = strchr(uri, '#');
	struct wv_schema *target = NULL;
	struct wv_str name = { 0 };

	if (strlen(uri) <= WV_URI_MAX)
		resource = referred(set, node, uri, err);
	if (resource == NULL) {
		wv_schema_bad(set, err, node, keyword,
			"\"%s\" is not known here", uri);
		return NULL;
	}
	if (!wv_uri_decode(&name, fragment ? fragment + 1 : "")) {
		target = NULL;
	} else if (name.n == 0 || name.s[0] == '/') {
		target = name.n == 0 ? wv_place_find(set, resource->root)
				     : follow(set, resource, name.s);
	} else {
		target = wv_place_anchor(set, resource, name.s);
		*plain = target ? fragment + 1 : NULL;
	}
	wv_str_free(&name);
	if (target == NULL)
		wv_schema_bad(set, err, node, keyword,
			"\"%s\" leads to no schema", uri);
	else
		wv_schema_want(set, target);
	return target;
}

struct wv_schema *
wv_schema_ref(struct wv_schema_set *set, const struct wv_schema *node,
	const char *uri, struct wv_err *err)
{
	const char *plain;

	return locate(set, node, "$ref", uri, &plain, err);
}

/* That the target has itself: what else has the name is found at run time. */
static const char *
ask_for(struct wv_schema_set *set, const struct wv_schema *target,
	const char *name)
{
	const size_t *i = wv_map_find(&set->dynamic_names, name);

	if (i == NULL)
		return NULL;
	for (uint32_t n = 0; n < target->resource->dynamic_count; n++) {
		const struct dynamic_anchor *one =
			&target->resource->dynamic[n];
		if (one->schema != target || one->name != set->dynamic[*i].name)
			continue;
		wv_schema_ask(set, &set->dynamic[*i]);
		return one->name;
	}
	return NULL;
}

struct wv_schema *
wv_schema_dynamic_ref(struct wv_schema_set *set, const struct wv_schema *node,
	const char *uri, const char **anchor, struct wv_err *err)
{
	const char *plain = NULL;
	struct wv_schema *target;

	*anchor = NULL;
	if (uri == NULL) {
		target = wv_place_find(set, node->resource->root);
		wv_schema_want(set, target);
		plain = "";
	} else {
		target = locate(set, node, "$dynamicRef", uri, &plain, err);
	}
	if (target != NULL && plain != NULL)
		*anchor = ask_for(set, target, plain);
	return target;
}
