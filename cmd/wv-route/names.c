/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <stdlib.h>
#include <string.h>

static char *
key_of(struct wv_arena *arena, const char *text)
{
	static const char space[] = " \t\r\n";
	size_t n;
	char *key;

	text += strspn(text, space);
	n = strlen(text);
	while (n > 0 && strchr(space, text[n - 1]) != NULL)
		n--;
	key = wv_dupn(arena, text, n);
	for (char *p = key; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p |= 0x20;
	return key;
}

void
names_init(struct names *names, size_t tools)
{
	*names = (struct names){ 0 };
	names->next = wv_xcalloc(2 * tools + 3, sizeof(*names->next));
}

void
names_free(struct names *names)
{
	wv_map_free(&names->first);
	wv_map_free(&names->endings);
	wv_arena_free(&names->arena);
	free(names->next);
}

static void
add_entry(struct names *names, const char *key, uint32_t entry)
{
	size_t *first = wv_map_add(&names->first, key, 0);

	names->next[entry] = (uint32_t)*first;
	*first = entry;
}

void
names_add(struct names *names, uint32_t tool, const char *name, const char *id)
{
	const char *key = key_of(&names->arena, id), *dot = key;

	add_entry(names, key_of(&names->arena, name), 2 * tool + 1);
	add_entry(names, key, 2 * tool + 2);
	while ((dot = strchr(dot, '.')) != NULL && *++dot != '\0') {
		size_t *only = wv_map_add(&names->endings, dot, tool);
		if (*only != tool)
			*only = SIZE_MAX;
	}
}

size_t
names_find(const struct names *names, struct wv_arena *arena, const char *query,
	const uint32_t **tools)
{
	const char *key = key_of(arena, query);
	const size_t *first = wv_map_find(&names->first, key);
	const size_t *only = wv_map_find(&names->endings, key);
	size_t start = first != NULL ? *first : 0, n = 0;
	uint32_t *list;

	for (size_t entry = start; entry != 0; entry = names->next[entry])
		n++;
	*tools = list = wv_alloc(arena, (n + 1) * sizeof(*list));
	n = 0;
	for (size_t entry = start; entry != 0; entry = names->next[entry])
		list[n++] = (uint32_t)(entry - 1) / 2;
	if (n == 0 && only != NULL && *only != SIZE_MAX)
		list[n++] = (uint32_t)*only;
	return n;
}
