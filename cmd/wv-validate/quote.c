/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CLEAN = 8192 }; /* bytes */

void
list_add(struct wv_arena *arena, cJSON *list, const char *text)
{
	wv_push(list, wv_json_string(arena, text));
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

cJSON *
list_sorted(struct wv_arena *arena, const char **words, size_t count)
{
	cJSON *list = wv_json_array(arena);

	if (count > 0)
		qsort(words, count, sizeof *words, by_text);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || strcmp(words[i], words[i - 1]) != 0)
			list_add(arena, list, words[i]);
	}
	return list;
}

static void
add_quoted(struct wv_str *out, const char *text)
{
	char mark = strchr(text, '\'') && !strchr(text, '"') ? '"' : '\'';

	wv_str_chr(out, mark);
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;
		if (c == (unsigned char)mark || c == '\\')
			wv_str_fmt(out, "\\%c", c);
		else
			wv_str_chr(out, (char)c);
	}
	wv_str_chr(out, mark);
}

const char *
quote(struct wv_arena *arena, const char *text)
{
	struct wv_str quoted = { 0 };
	const char *copy;

	if (text == NULL)
		return "None";
	add_quoted(&quoted, text);
	copy = wv_dupn(arena, quoted.s, quoted.n);
	wv_str_free(&quoted);
	return copy;
}

const char *
quote_list(struct wv_arena *arena, const cJSON *list)
{
	struct wv_str quoted = { 0 };
	const char *copy;

	wv_str_chr(&quoted, '[');
	wv_json_each(one, list) {
		if (one != list->child)
			wv_str_cat(&quoted, ", ");
		add_quoted(&quoted, one->valuestring);
	}
	wv_str_chr(&quoted, ']');
	copy = wv_dupn(arena, quoted.s, quoted.n);
	wv_str_free(&quoted);
	return copy;
}

const char *
clean(struct wv_arena *arena, const char *text)
{
	struct wv_str out = { 0 };
	const char *copy;

	wv_str_foreign(&out, text, strlen(text), MAX_CLEAN);
	copy = wv_dupn(arena, out.s, out.n);
	wv_str_free(&out);
	return copy;
}
