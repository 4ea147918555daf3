/* SPDX-License-Identifier: Apache-2.0 */
#include "lock.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/msg.h"
#include "contract/contract.h"
#include "descriptor.h"
#include "json/jcs.h"

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
	const size_t *place = lock->is_usable
		? wv_map_find(&lock->index, tool->capability)
		: NULL;

	return place != NULL ? lock->pins[*place] : NULL;
}

static bool
has_listing(const struct tool *tool)
{
	return tool->source != NULL && tool->source->list != NULL;
}

const char *
lock_misses(const struct lock *lock, struct tool *tool)
{
	const cJSON *pin = find_pin(lock, tool);
	const char *entry = wv_get_string(pin, "x_wv_entry_sha256");

	if (!lock->is_usable)
		return "is not pinned: the lock file cannot be used";
	if (pin == NULL)
		return "is not in the lock file";
	if (has_listing(tool) != (entry != NULL) ||
		!tool_is(tool,
			entry != NULL ? entry
				      : wv_get_string(pin, "content_hash")))
		return LOCK_CHANGED;
	return NULL;
}

/* Of all that a tool is. */
static void
digest(char hex[WV_SHA256_HEX], struct tool *tool, const cJSON *listed)
{
	struct wv_arena arena = WV_ARENA_INIT;
	cJSON *both;

	memcpy(hex, tool_sha256(tool), WV_SHA256_HEX);
	if (!has_listing(tool))
		return;
	both = wv_json_object(&arena);
	wv_put_string(&arena, both, "entry", hex);
	wv_put(&arena, both, "listed", wv_json_copy(&arena, listed));
	wv_json_digest(hex, both);
	wv_arena_free(&arena);
}

static bool
is_digest(const char *pinned, const char hex[WV_SHA256_HEX])
{
	return wv_is_sha256_hex(pinned) &&
		wv_equal_const_time(pinned, hex, WV_SHA256_HEX);
}

static bool
is_as_pinned(const cJSON *pin, struct tool *tool, const cJSON *listed)
{
	char hex[WV_SHA256_HEX];

	digest(hex, tool, listed);
	return is_digest(wv_get_string(pin, "content_hash"), hex);
}

bool
lock_holds(const struct lock *lock, struct tool *tool)
{
	if (lock_misses(lock, tool) != NULL ||
		(has_listing(tool) && tool->listed == NULL))
		return false;
	return is_as_pinned(find_pin(lock, tool), tool, tool->listed);
}

static cJSON *
make_pin(struct wv_arena *arena, const struct tools *tools, struct tool *tool,
	const cJSON *listed)
{
	cJSON *pin = wv_json_object(arena);
	char hex[WV_SHA256_HEX];

	digest(hex, tool, listed);
	wv_put_string(arena, pin, "schema_id", tool->capability);
	wv_put_string(arena, pin, "schema_version", tool_version(tools, tool));
	wv_put_string(arena, pin, "content_hash", hex);
	wv_put_string(arena, pin, "hash_algorithm", "sha256");
	if (has_listing(tool))
		wv_put_string(
			arena, pin, "x_wv_entry_sha256", tool_sha256(tool));
	return pin;
}

struct update {
	struct lock *lock;
	const struct tools *tools;
	const char *const *approved; /* NULL-terminated; NULL: none */
	cJSON *added;                /* pins */
	size_t approvals;
	int changed; /* or could not be asked */
};

static void
write_pin(struct wv_str *text, const cJSON *pin, bool *first)
{
	wv_str_cat(text, *first ? "\n" : ",\n");
	wv_json_write(text, pin);
	*first = false;
}

/* A line for each pin, so that a change is seen in a diff. */
static void
write_text(struct wv_str *text, const struct update *u)
{
	bool first = true;

	wv_str_cat(text, "{\"version\":1,\"tools\":[");
	for (size_t i = 0; i < u->lock->index.count; i++)
		write_pin(text, u->lock->pins[i], &first);
	wv_json_each(pin, u->added)
		write_pin(text, pin, &first);
	wv_str_cat(text, "\n]}\n");
}

static bool
is_approved(const struct update *u, const struct tool *tool)
{
	for (const char *const *id = u->approved; id && *id; id++)
		if (strcmp(*id, tool->capability) == 0)
			return true;
	return false;
}

static void
set_pin(struct update *u, struct tool *tool, const cJSON *listed)
{
	struct lock *lock = u->lock;
	const cJSON *old = find_pin(lock, tool);
	cJSON *pin = make_pin(&lock->arena, u->tools, tool, listed);

	if (old == NULL) {
		wv_push(u->added, pin);
	} else if (lock_misses(lock, tool) == NULL &&
		is_as_pinned(old, tool, listed)) {
		return;
	} else if (is_approved(u, tool)) {
		lock->pins[*wv_map_find(&lock->index, tool->capability)] = pin;
		u->approvals++;
	} else {
		wv_warn("%s has changed since it was pinned; once you have "
			"looked at it: --lock-approve %s",
			tool->capability, tool->capability);
		u->changed++;
	}
}

static void
update_pin(struct update *u, struct tool *tool)
{
	struct wv_err err = WV_ERR_INIT;
	const cJSON *listed;

	if (tool_list(tool, &u->lock->arena, &listed, &err) < 0) {
		wv_warn("%s: %s", tool->capability, err.text);
		u->changed++;
		return;
	}
	descriptor_warn(tool, listed);
	set_pin(u, tool, listed);
}

static int
check_approved(const struct update *u, struct wv_err *err)
{
	for (const char *const *id = u->approved; id && *id; id++)
		if (tools_find(u->tools, *id) == NULL)
			return wv_err_set(err, "no tool serves \"%s\"", *id);
	return 0;
}

static int
update_pins(struct update *u, struct wv_err *err)
{
	if (check_approved(u, err) < 0)
		return -1;
	for (size_t i = 0; i < u->tools->count; i++)
		update_pin(u, &u->tools->items[i]);
	wv_note("%zu added, %zu approved, %d changed", wv_count(u->added),
		u->approvals, u->changed);
	return 0;
}

int
lock_write(const char *path, const struct tools *tools,
	const char *const *approved, struct wv_err *err)
{
	struct lock lock = { .arena = WV_ARENA_INIT, .is_usable = true };
	struct update u = { &lock, tools, approved, NULL, 0, 0 };
	struct wv_str text = { 0 };
	int result = 0;

	if (access(path, F_OK) == 0 || errno != ENOENT)
		result = lock_load(&lock, path, err);
	u.added = wv_json_array(&lock.arena);
	if (result == 0)
		result = update_pins(&u, err);
	if (result == 0) {
		write_text(&text, &u);
		result = wv_file_replace(path, text.s, text.n, err);
	}
	wv_str_free(&text);
	lock_free(&lock);
	return result == 0 ? u.changed : -1;
}
