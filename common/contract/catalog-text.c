/* SPDX-License-Identifier: Apache-2.0 */
/* Where values stand in JSON that the reader takes. */
#include "contract/catalog-internal.h"

#include <string.h>

size_t
wv_catalog_space(const struct wv_loader *l, size_t at)
{
	while (at < l->len && strchr(" \t\r\n", l->text[at]) != NULL &&
		l->text[at] != '\0')
		at++;
	return at;
}

/* Behind the string that begins at `at`. */
static size_t
string_end(const struct wv_loader *l, size_t at)
{
	const char *begin = l->text + at, *end = l->text + l->len;
	const char *p = begin, *escape;

	while ((p = memchr(p + 1, '"', (size_t)(end - p - 1))) != NULL) {
		escape = p;
		while (escape - 1 > begin && escape[-1] == '\\')
			escape--;
		if ((p - escape) % 2 == 0)
			return (size_t)(p + 1 - l->text);
	}
	return l->len;
}

size_t
wv_catalog_value_end(const struct wv_loader *l, size_t at)
{
	size_t depth = 0;

	while (at < l->len) {
		char c = l->text[at];
		if (c == '"') {
			at = string_end(l, at);
			continue;
		}
		if (c == '{' || c == '[')
			depth++;
		else if (depth == 0 &&
			(c == ',' || c == ']' || c == '}' || c == '\n'))
			return at;
		else if ((c == '}' || c == ']') && --depth == 0)
			return at + 1;
		at++;
	}
	return l->len;
}

size_t
wv_catalog_element(const struct wv_loader *l, size_t at)
{
	return l->yaml ? 0 : wv_catalog_space(l, at + 1);
}

size_t
wv_catalog_member(const struct wv_loader *l, size_t at)
{
	if (l->yaml)
		return 0;
	at = string_end(l, wv_catalog_space(l, at + 1));
	return wv_catalog_space(l, wv_catalog_space(l, at) + 1);
}

size_t
wv_catalog_behind(const struct wv_loader *l, size_t at)
{
	return l->yaml ? 0 : wv_catalog_space(l, wv_catalog_value_end(l, at));
}

size_t
wv_catalog_offset(const struct wv_loader *l, const struct wv_capability *c,
	const char *pointer)
{
	if (l->yaml)
		return 0;
	return (size_t)(c->text - l->text) +
		wv_json_locate(c->text, c->len, pointer);
}
