/* SPDX-License-Identifier: Apache-2.0 */
/* Finds places in text that the reader accepted, so nothing is checked. */
#include "json/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
skip_space(const char *p, const char *end)
{
	while (p < end && wv_json_is_space(*p))
		p++;
	return p;
}

/* p is the opening quote. */
static const char *
skip_string(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		if (*p == '\\')
			p++;
	return p < end ? p + 1 : end;
}

/* What follows the value at p: a comma or a closing bracket, or the end. */
static const char *
skip_value(const char *p, const char *end)
{
	size_t depth = 0;

	while (p < end) {
		if (*p == '"') {
			p = skip_string(p, end);
			continue;
		}
		if (depth == 0 && (*p == ',' || *p == '}' || *p == ']'))
			break;
		if (*p == '{' || *p == '[')
			depth++;
		else if (*p == '}' || *p == ']')
			depth--;
		p++;
	}
	return p;
}

/* The string literal at p, as it would stand in a tree. */
static void
decode(struct wv_str *out, const char *p, const char *end)
{
	char bytes[4];
	size_t n;

	out->n = 0;
	wv_str_add(out, "", 0);
	for (p++; p < end && *p != '"';) {
		if (*p != '\\') {
			wv_str_chr(out, *p++);
		} else {
			p += wv_json_unescape(p, end, bytes, &n);
			wv_str_add(out, bytes, n);
		}
	}
}

/* p is behind the opening brace; the place of the member's value or NULL. */
static const char *
find_member(const char *p, const char *end, const struct wv_step *token)
{
	struct wv_str name = { 0 };
	const char *found = NULL;

	p = skip_space(p, end);
	while (found == NULL && p < end && *p == '"') {
		decode(&name, p, end);
		p = skip_space(skip_string(p, end), end);
		p = skip_space(p + 1, end);
		if (wv_step_is(token, name.s))
			found = p;
		else
			p = skip_space(skip_value(p, end) + 1, end);
	}
	wv_str_free(&name);
	return found;
}

/* p is behind the opening bracket; the place of the element or NULL. */
static const char *
find_element(const char *p, const char *end, const struct wv_step *token)
{
	size_t index = wv_step_index(token);

	p = skip_space(p, end);
	if (p < end && *p == ']')
		return NULL;
	for (; index > 0; index--) {
		p = skip_value(p, end);
		if (p == end || *p != ',')
			return NULL;
		p = skip_space(p + 1, end);
	}
	return p;
}

size_t
wv_json_locate(const char *text, size_t len, const char *pointer)
{
	const char *end = text + len, *p = skip_space(text, end);
	struct wv_step token;

	while (p != NULL && wv_step_next(&token, &pointer)) {
		if (*p == '{')
			p = find_member(p + 1, end, &token);
		else if (*p == '[')
			p = find_element(p + 1, end, &token);
		else
			p = NULL;
	}
	return p != NULL && *pointer == '\0' ? (size_t)(p - text) : len;
}

struct wanted {
	const char *pointer;
	size_t *place;
};

struct search {
	const char *text, *end;
	const struct wanted *wanted; /* sorted */
	size_t count;
	struct wv_str path, name;
};

static int
by_pointer(const void *a, const void *b)
{
	return strcmp(((const struct wanted *)a)->pointer,
		((const struct wanted *)b)->pointer);
}

/* The first that is not less than the path and one character after it. */
static size_t
first_from(const struct search *s, char after)
{
	size_t low = 0, high = s->count, n = s->path.n;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const char *pointer = s->wanted[mid].pointer;
		int order = strncmp(pointer, s->path.s, n);
		if (order < 0 ||
			(order == 0 &&
				(unsigned char)pointer[n] <
					(unsigned char)after))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The value at p, where the path leads; whether there is more to find in it. */
static bool
take_place(struct search *s, const char *p)
{
	size_t from = first_from(s, '\0'), end = first_from(s, '/' + 1);
	bool more = false;

	for (; from < end; from++) {
		char after = s->wanted[from].pointer[s->path.n];
		if (after != '\0' && after != '/')
			continue;
		*s->wanted[from].place = (size_t)(p - s->text);
		more = more || after == '/';
	}
	return more;
}

static const char *search_value(struct search *s, const char *p);

/* p is behind the opening bracket; what follows the closing one. */
static const char *
search_members(struct search *s, const char *p, bool is_object)
{
	size_t n = s->path.n;
	char index[24];

	p = skip_space(p, s->end);
	for (size_t i = 0; p < s->end && *p != ']' && *p != '}'; i++) {
		if (is_object) {
			decode(&s->name, p, s->end);
			p = skip_space(skip_string(p, s->end), s->end);
			p = skip_space(p + 1, s->end);
			wv_pointer_add(&s->path, s->name.s);
		} else {
			snprintf(index, sizeof(index), "%zu", i);
			wv_pointer_add(&s->path, index);
		}
		p = search_value(s, p);
		s->path.n = n;
		s->path.s[n] = '\0';
		p = skip_space(p, s->end);
		if (p < s->end && *p == ',')
			p = skip_space(p + 1, s->end);
	}
	return p < s->end ? p + 1 : p;
}

/* As deep as the reader went. */
static const char *
search_value(struct search *s, const char *p)
{
	if (p == s->end || !take_place(s, p) || (*p != '{' && *p != '['))
		return skip_value(p, s->end);
	return search_members(s, p + 1, *p == '{');
}

void
wv_json_locate_all(const char *text, size_t len, const char *const *pointers,
	size_t count, size_t *places)
{
	struct wanted *wanted = wv_xcalloc(count, sizeof(*wanted));
	struct search s = { .text = text,
		.end = text + len,
		.wanted = wanted,
		.count = count };

	for (size_t i = 0; i < count; i++) {
		wanted[i] = (struct wanted){ pointers[i], &places[i] };
		places[i] = 0;
	}
	qsort(wanted, count, sizeof(*wanted), by_pointer);
	wv_str_cat(&s.path, "");
	search_value(&s, skip_space(text, s.end));
	wv_str_free(&s.path);
	wv_str_free(&s.name);
	free(wanted);
}
