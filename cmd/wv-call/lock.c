/* SPDX-License-Identifier: Apache-2.0 */
#include "lock.h"

#include "base/file.h"
#include "base/msg.h"
#include "contract/contract.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int
index_pins(struct lock *lock, struct wv_err *err)
{
	const cJSON *list = wv_get(lock->doc.root, "tools");
	char pointer[64];
	size_t i = 0;

	lock->pins = wv_alloc(
		&lock->arena, (wv_count(list) + 1) * sizeof *lock->pins);
	wv_json_each(pin, list) {
		const char *id = wv_get_string(pin, "schema_id");
		if (*wv_map_add(&lock->index, id, i) != i) {
			snprintf(pointer, sizeof pointer,
				"/tools/%zu/schema_id", i);
			return wv_doc_err(&lock->doc, err, pointer,
				"\"%s\" is pinned twice", id);
		}
		lock->pins[i++] = pin;
	}
	return 0;
}

int
lock_load(struct lock *lock, const char *path, struct wv_err *err)
{
	*lock = (struct lock){ .arena = WV_ARENA_INIT };
	if (wv_doc_load(&lock->doc, &lock->arena, path, err) < 0 ||
		wv_config_check(&lock->doc, "lock", err) < 0 ||
		index_pins(lock, err) < 0) {
		/* The document has a copy, which goes with it. */
		err->source = path;
		return -1;
	}
	lock->is_usable = true;
	return 0;
}

void
lock_free(struct lock *lock)
{
	wv_map_free(&lock->index);
	wv_arena_free(&lock->arena);
}

static const cJSON *
find_pin(const struct lock *lock, const struct tool *tool)
{
	const size_t *place = wv_map_find(
		&lock->index, wv_get_string(tool->entry, "capability"));

	return place != NULL ? lock->pins[*place] : NULL;
}

bool
lock_holds(const struct lock *lock, struct tool *tool)
{
	const cJSON *pin = lock->is_usable ? find_pin(lock, tool) : NULL;

	return pin != NULL && tool_is(tool, wv_get_string(pin, "content_hash"));
}

static cJSON *
make_pin(struct wv_arena *arena, const struct tools *tools, struct tool *tool)
{
	cJSON *pin = wv_json_object(arena);

	wv_put_string(arena, pin, "schema_id",
		wv_get_string(tool->entry, "capability"));
	wv_put_string(arena, pin, "schema_version", tool_version(tools, tool));
	wv_put_string(arena, pin, "content_hash", tool_sha256(tool));
	wv_put_string(arena, pin, "hash_algorithm", "sha256");
	return pin;
}

/* A line for each pin, so that a change is seen in a diff. */
static void
write_text(struct wv_str *text, const cJSON *root)
{
	bool first = true;

	wv_str_cat(text, "{\"version\":1,\"tools\":[");
	wv_json_each(pin, wv_get(root, "tools")) {
		wv_str_cat(text, first ? "\n" : ",\n");
		wv_json_write(text, pin);
		first = false;
	}
	wv_str_cat(text, "\n]}\n");
}

/* Adds what is missing; how many have changed. */
static int
add_pins(struct lock *lock, const struct tools *tools)
{
	cJSON *list = wv_get(lock->doc.root, "tools");
	size_t added = 0;
	int changed = 0;

	for (size_t i = 0; i < tools->count; i++) {
		struct tool *tool = &tools->items[i];
		if (find_pin(lock, tool) == NULL) {
			wv_push(list, make_pin(&lock->arena, tools, tool));
			added++;
		} else if (!lock_holds(lock, tool)) {
			wv_warn("%s has changed since it was pinned",
				wv_get_string(tool->entry, "capability"));
			changed++;
		}
	}
	wv_note("%zu added, %d changed", added, changed);
	return changed;
}

int
lock_write(const char *path, const struct tools *tools, struct wv_err *err)
{
	static const char empty[] = "{\"version\":1,\"tools\":[]}";
	struct wv_str text = { 0 };
	struct lock lock = { .arena = WV_ARENA_INIT };
	int changed = -1, loaded;

	if (access(path, F_OK) == 0 || errno != ENOENT)
		loaded = lock_load(&lock, path, err);
	else
		loaded = wv_doc_parse(&lock.doc, &lock.arena, path, empty,
			sizeof empty - 1, err);
	if (loaded == 0) {
		changed = add_pins(&lock, tools);
		write_text(&text, lock.doc.root);
		if (wv_file_replace(path, text.s, text.n, err) < 0)
			changed = -1;
	}
	wv_str_free(&text);
	lock_free(&lock);
	return changed;
}
