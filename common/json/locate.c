/* SPDX-License-Identifier: Apache-2.0 */
/* Finds places in text that the reader accepted, so nothing is checked. */
#include "json/internal.h"

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
