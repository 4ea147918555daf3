/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds that a file of rules names, makes up and turns on and off. */
#include "firewall/rules-internal.h"

#include <stdlib.h>
#include <string.h>

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool *
wv_rules_own(const struct wv_rules_file *file, const char *name)
{
	size_t low = 0, high = file->own_count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = strcmp(name, file->own[middle].name);
		if (order == 0)
			return &file->own[middle].off;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

void
wv_rules_own_kinds(struct wv_rules_file *file)
{
	static const char *const lists[] = { "add", "names" };
	const cJSON *root = file->doc.root;
	size_t most = wv_count(wv_get(root, lists[0])) +
		wv_count(wv_get(root, lists[1]));
	const char **names = wv_alloc(&file->arena, (most + 1) * sizeof *names);
	size_t count = 0;

	for (size_t i = 0; i < 2; i++)
		wv_json_each(row, wv_get(root, lists[i])) {
			const char *kind = wv_get_string(row, "kind");
			if (wv_kind(kind) == NULL)
				names[count++] = kind;
		}
	qsort(names, count, sizeof *names, by_name);
	file->own =
		wv_alloc_zero(&file->arena, (count + 1) * sizeof *file->own);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || strcmp(names[i], names[i - 1]) != 0)
			file->own[file->own_count++].name = names[i];
}

/* It would have meant a kind that there is. */
int
wv_rules_unknown(const struct wv_rules_reader *r, const char *list, size_t i,
	const char *member, const char *kind)
{
	struct wv_rules_file *file = r->file;
	size_t built_in = 0, count = 0;

	while (wv_kinds[built_in].name != NULL)
		built_in++;
	const char **names = wv_alloc(
		&file->arena, (built_in + file->own_count + 1) * sizeof *names);
	for (size_t k = 0; k < file->own_count; k++)
		names[count++] = file->own[k].name;
	for (size_t k = 0; k < built_in; k++)
		names[count++] = wv_kinds[k].name;
	names[count] = NULL;
	const char *near = wv_nearest(kind, names);
	if (near == NULL)
		return wv_rules_bad(
			r, list, i, member, "no such kind \"%s\"", kind);
	return wv_rules_bad(r, list, i, member,
		"no such kind \"%s\" (did you mean \"%s\"?)", kind, near);
}

static int
read_kinds(struct wv_rules_reader *r, const char *list, bool on)
{
	size_t i = 0;

	wv_json_each(node, wv_get(r->file->doc.root, list)) {
		const char *kind = node->valuestring;
		bool *off = wv_rules_own(r->file, kind);
		if (off != NULL)
			*off = !on;
		else if (wv_kind(kind) != NULL)
			wv_rules_switch(r->file->rules, kind, on);
		else
			return wv_rules_unknown(r, list, i, "", kind);
		i++;
	}
	return 0;
}

/* A kind that is enabled and disabled would be what stands last. */
int
wv_rules_switches(struct wv_rules_reader *r)
{
	const cJSON *enabled = wv_get(r->file->doc.root, "enable");
	const cJSON *disabled = wv_get(r->file->doc.root, "disable");
	size_t i = 0;

	if (read_kinds(r, "disable", false) < 0 ||
		read_kinds(r, "enable", true) < 0)
		return -1;
	wv_json_each(node, enabled) {
		wv_json_each(other, disabled) {
			if (strcmp(node->valuestring, other->valuestring) == 0)
				return wv_rules_bad(r, "enable", i, "",
					"\"%s\" is disabled too",
					node->valuestring);
		}
		i++;
	}
	return 0;
}

bool
wv_rules_is_off(const struct wv_rules_file *file, const char *kind)
{
	const bool *off = wv_rules_own(file, kind);

	return off != NULL ? *off : !wv_rules_has(file->rules, kind);
}
