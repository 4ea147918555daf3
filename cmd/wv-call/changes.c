/* SPDX-License-Identifier: Apache-2.0 */
#include "changes.h"

#include "look.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 1024 }; /* bytes of a path */

struct changes {
	const cJSON *resources;
	struct look before, after;
};

struct changes *
changes_begin(const cJSON *resources, struct wv_err *err)
{
	struct changes *changes = wv_xcalloc(1, sizeof *changes);

	changes->resources = resources;
	if (look_at(&changes->before, resources, NULL, err) == 0)
		return changes;
	changes_drop(changes);
	return NULL;
}

void
changes_drop(struct changes *changes)
{
	if (changes == NULL)
		return;
	look_free(&changes->before);
	look_free(&changes->after);
	free(changes);
}

/* Times alone are no change. */
static bool
is_equal(const struct seen *a, const struct seen *b)
{
	return a->st.st_mode == b->st.st_mode && a->st.st_uid == b->st.st_uid &&
		a->st.st_gid == b->st.st_gid &&
		memcmp(a->sum, b->sum, sizeof a->sum) == 0;
}

static void
put_digest(struct wv_arena *arena, cJSON *change, const char *name,
	const struct seen *seen)
{
	char hex[WV_SHA256_HEX];

	if (seen == NULL ||
		!(S_ISREG(seen->st.st_mode) || S_ISLNK(seen->st.st_mode)))
		return;
	wv_hex(hex, seen->sum, sizeof seen->sum);
	wv_put_string(arena, change, name, hex);
}

static const char *
name_of(const cJSON *resource, const char *path)
{
	const char *file = wv_get_string(resource, "file"), *slash;

	if (path[0] != '\0')
		return path;
	if (file == NULL)
		return ".";
	slash = strrchr(file, '/');
	return slash != NULL ? slash + 1 : file;
}

static cJSON *
make_change(struct wv_arena *arena, const cJSON *resource,
	const struct seen *before, const struct seen *after)
{
	cJSON *change = wv_json_object(arena);
	const char *path = name_of(resource, (before ? before : after)->path);
	struct wv_str shown = { 0 };

	wv_put_string(
		arena, change, "resource", wv_get_string(resource, "name"));
	wv_str_foreign(&shown, path, strlen(path), SHOWN);
	wv_put_string(arena, change, "path", shown.s);
	wv_str_free(&shown);
	wv_put_string(arena, change, "change",
		before == NULL          ? "created"
			: after == NULL ? "removed"
					: "modified");
	put_digest(arena, change, "before", before);
	put_digest(arena, change, "after", after);
	return change;
}

/* The next of the resource in either look, or in both: which change it is, if
 * it is one.  False: there is no next. */
struct cursor {
	const struct seen *before, *before_end, *after, *after_end;
};

static bool
next_pair(struct cursor *at, size_t resource, const struct seen **before,
	const struct seen **after)
{
	*before =
		at->before < at->before_end && at->before->resource == resource
		? at->before
		: NULL;
	*after = at->after < at->after_end && at->after->resource == resource
		? at->after
		: NULL;
	if (*before != NULL && *after != NULL) {
		int order = look_order(*before, *after);
		if (order < 0)
			*after = NULL;
		if (order > 0)
			*before = NULL;
	}
	at->before += *before != NULL;
	at->after += *after != NULL;
	return *before != NULL || *after != NULL;
}

/* Counts what changed of a resource; up to the limit it is listed. */
static void
compare(struct cursor *at, size_t index, const cJSON *resource,
	struct wv_arena *arena, cJSON *list, size_t *count)
{
	const struct seen *before, *after;

	while (next_pair(at, index, &before, &after)) {
		if (before != NULL && after != NULL && is_equal(before, after))
			continue;
		if (++*count <= CHANGES_LISTED)
			wv_push(list,
				make_change(arena, resource, before, after));
	}
}

int
changes_end(struct changes *changes, struct wv_arena *arena, cJSON **list,
	const char **violated, struct wv_err *err)
{
	struct look *before = &changes->before, *after = &changes->after;
	size_t index = 0, count = 0;

	*list = NULL;
	*violated = NULL;
	if (look_at(after, changes->resources, before, err) < 0) {
		changes_drop(changes);
		return -1;
	}
	struct cursor at = { before->items, before->items + before->count,
		after->items, after->items + after->count };
	*list = wv_json_array(arena);
	wv_json_each(resource, changes->resources) {
		const char *access = wv_get_string(resource, "access");
		size_t so_far = count;
		compare(&at, index++, resource, arena, *list, &count);
		if (count > so_far && *violated == NULL &&
			strcmp(access, "read_only") == 0)
			*violated = wv_get_string(resource, "name");
	}
	if (count == 0)
		*list = NULL;
	if (count > CHANGES_LISTED) {
		cJSON *rest = wv_json_object(arena);
		wv_put(arena, rest, "more",
			wv_json_int(arena, (int64_t)count - CHANGES_LISTED));
		wv_push(*list, rest);
	}
	changes_drop(changes);
	return 0;
}
