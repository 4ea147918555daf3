/* SPDX-License-Identifier: Apache-2.0 */
/* What was read, and how it hangs together. */
#include "raw.h"

#include <stdlib.h>
#include <string.h>

static const char *
copy(struct intake *intake, const char *s)
{
	return s != NULL ? wv_dup(&intake->arena, s) : NULL;
}

/* What has no time of its own is as old as what stands before it. */
static void
set_time(const struct intake *intake, struct label *label)
{
	if (label->has_time)
		return;
	label->time = (struct wv_time){ INT64_MIN, 0 };
	if (intake->count > 0)
		label->time = intake->items[intake->count - 1].label.time;
}

int
intake_add(
	struct intake *intake, const struct raw_item *item, struct wv_err *err)
{
	struct raw_item *to;
	const char *id = wv_dup(&intake->arena, item->label.id);

	/* A record that comes twice is said twice; an item of a history is
	 * what others name as their parent. */
	if (*wv_map_add(&intake->ids, id, intake->count) != intake->count &&
		item->record == NULL)
		return wv_err_set(err, "id \"%s\": an item before has it", id);
	intake->items = wv_list_room(
		intake->items, intake->count, sizeof(*intake->items));
	to = &intake->items[intake->count];
	*to = *item;
	to->label.id = id;
	to->label.capability_id = copy(intake, item->label.capability_id);
	to->parent_id = copy(intake, item->parent_id);
	to->call_id = copy(intake, item->call_id);
	if (item->text != NULL)
		to->text = wv_dupn(&intake->arena, item->text, item->len);
	to->label.order = intake->count;
	to->label.up = to->label.result = to->parent = NOWHERE;
	set_time(intake, &to->label);
	intake->count++;
	return 0;
}

int
intake_add_string(struct intake *intake, struct raw_item *item,
	const cJSON *string, struct wv_err *err)
{
	struct wv_str text = { 0 };
	int done;

	wv_str_cat(&text, "");
	wv_json_bytes(string, &text);
	item->text = text.s;
	item->len = text.n;
	done = intake_add(intake, item, err);
	wv_str_free(&text);
	return done;
}

static ptrdiff_t
find(const struct wv_map *map, const char *key, size_t self)
{
	size_t *found = key != NULL ? wv_map_find(map, key) : NULL;

	return found != NULL && *found != self ? (ptrdiff_t)*found : NOWHERE;
}

static bool
is_kind(const struct intake *intake, ptrdiff_t i, enum item_kind kind)
{
	return i != NOWHERE && intake->items[i].label.kind == kind;
}

/* A turn can be understood without the one it answers; all else hangs on what
 * it is a part of. */
static ptrdiff_t
up_of(const struct intake *intake, const struct wv_map *calls, size_t i)
{
	const struct raw_item *item = &intake->items[i];
	ptrdiff_t call;

	if (item->label.kind == KIND_USER_TURN ||
		item->label.kind == KIND_AGENT_MSG)
		return NOWHERE;
	if (item->label.kind != KIND_TOOL_RESULT ||
		is_kind(intake, item->parent, KIND_TOOL_CALL))
		return item->parent;
	call = find(calls, item->call_id, i);
	if (call == NOWHERE)
		call = find(&intake->ids, item->call_id, i);
	return is_kind(intake, call, KIND_TOOL_CALL) ? call : item->parent;
}

/* What a result has from its call: labels only rise. */
static void
inherit(struct label *label, const struct label *from)
{
	if (label->level < from->level)
		label->level = from->level;
	if (label->capability_id == NULL)
		label->capability_id = from->capability_id;
}

static void
hang(struct intake *intake, const struct wv_map *calls, size_t i)
{
	struct label *label = &intake->items[i].label, *up;

	label->up = up_of(intake, calls, i);
	if (label->up == NOWHERE)
		return;
	up = &intake->items[label->up].label;
	if (wv_time_cmp(label->time, up->time) < 0)
		label->time = up->time;
	if (label->kind == KIND_TOOL_RESULT && up->kind == KIND_TOOL_CALL)
		inherit(label, up);
}

void
intake_link(struct intake *intake)
{
	struct wv_map calls = { 0 };

	for (size_t i = 0; i < intake->count; i++) {
		struct raw_item *item = &intake->items[i];
		item->parent = find(&intake->ids, item->parent_id, i);
		if (item->label.kind == KIND_TOOL_CALL && item->call_id != NULL)
			wv_map_add(&calls, item->call_id, i);
	}
	for (size_t i = 0; i < intake->count; i++)
		hang(intake, &calls, i);
	wv_map_free(&calls);
}

void
intake_free(struct intake *intake)
{
	free(intake->items);
	wv_map_free(&intake->ids);
	wv_arena_free(&intake->arena);
}
