/* SPDX-License-Identifier: Apache-2.0 */
/* --history, --facts and --episodes: conversation items, a record each. */
#include "raw.h"

#include "base/msg.h"
#include "contract/contract.h"

#include <string.h>

typedef int read_record(
	struct intake *intake, const struct wv_record *rec, struct wv_err *err);

static void
read_file(struct intake *intake, const char *file, read_record *read,
	const struct wv_lines_options *lines)
{
	char *files[] = { (char *)file, NULL };
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_lines_options options = *lines;
	struct wv_lines in;
	struct wv_record rec;

	options.allow_empty = true;
	wv_lines_open(&in, files, &options, NULL);
	while (wv_lines_next(&in, &arena, &rec) == 1) {
		struct wv_err err = WV_ERR_INIT;
		if (read(intake, &rec, &err) < 0)
			wv_lines_bad(&in, &rec, &err);
		wv_arena_reset(&arena);
	}
	intake->status = wv_worse(intake->status, wv_lines_close(&in));
	wv_arena_free(&arena);
}

static int
check(const struct wv_record *rec, const char *kind, struct wv_err *err)
{
	struct wv_doc doc = {
		.text = rec->text, .len = rec->len, .root = rec->tree
	};

	return wv_config_check(&doc, kind, err);
}

/* Their order is that of the schema's list, which has been checked. */
static int
index_of(const char *const *names, const char *name)
{
	int i = 0;

	while (names[i] != NULL && strcmp(names[i], name) != 0)
		i++;
	return i;
}

static void
read_level(struct label *label, const cJSON *tree)
{
	const char *level = wv_get_string(tree, "sensitivity");

	if (level != NULL)
		label->level = (enum level)index_of(level_names, level);
}

static void
read_time(struct label *label, const cJSON *tree)
{
	const char *time = wv_get_string(tree, "time");

	label->has_time = time != NULL &&
		wv_time_parse(&label->time, time, strlen(time), NULL) == 0;
}

static const char *const *
read_tags(struct wv_arena *arena, const cJSON *tags)
{
	const char **list;
	size_t n = 0;

	if (wv_count(tags) == 0)
		return NULL;
	list = wv_alloc(arena, (wv_count(tags) + 1) * sizeof(*list));
	wv_json_each(tag, tags)
		list[n++] = wv_dup(arena, tag->valuestring);
	list[n] = NULL;
	return list;
}

static int
read_item(
	struct intake *intake, const struct wv_record *rec, struct wv_err *err)
{
	const cJSON *tree = rec->tree;
	struct raw_item item = { 0 };
	struct label *label = &item.label;

	if (wv_is_array(tree) || wv_get(tree, "role") != NULL ||
		wv_get(tree, "messages") != NULL)
		return wv_err_set(
			err, "messages: --history-format openai or anthropic");
	if (check(rec, "conversation-item", err) < 0)
		return -1;
	label->kind = (enum item_kind)index_of(
		kind_names, wv_get_string(tree, "kind"));
	label->id = wv_get_string(tree, "id");
	label->capability_id = wv_get_string(tree, "capability_id");
	label->is_pinned = wv_is_true(wv_get(tree, "pinned"));
	read_level(label, tree);
	read_time(label, tree);
	item.parent_id = wv_get_string(tree, "parent_id");
	item.call_id = wv_get_string(tree, "call_id");
	item.tags = read_tags(&intake->arena, wv_get(tree, "tags"));
	return intake_add_string(intake, &item, wv_get(tree, "text"), err);
}

static int
read_openai_record(
	struct intake *intake, const struct wv_record *rec, struct wv_err *err)
{
	return read_openai(intake, rec->tree, err);
}

static int
read_anthropic_record(
	struct intake *intake, const struct wv_record *rec, struct wv_err *err)
{
	return read_anthropic(intake, rec->tree, err);
}

void
read_history(struct intake *intake, const char *file,
	enum history_format format, const struct wv_lines_options *lines)
{
	static read_record *const readers[] = {
		[HISTORY_ITEMS] = read_item,
		[HISTORY_OPENAI] = read_openai_record,
		[HISTORY_ANTHROPIC] = read_anthropic_record,
	};

	read_file(intake, file, readers[format], lines);
}

/* An id of their own, or one by number that no item of a history is likely to
 * have, and that says what it is. */
static int
add_memory(struct intake *intake, const cJSON *tree, enum section section,
	const char *text, struct wv_err *err)
{
	const char *id = wv_get_string(tree, "id");
	struct raw_item item = { .text = text,
		.len = strlen(text),
		.label = { .kind = KIND_MEMORY_FACT, .section = section } };

	item.label.id = id != NULL
		? id
		: wv_printf(&intake->arena, "%s:%zu",
			  section == SECTION_FACTS ? "fact" : "episode",
			  intake->count + 1);
	read_level(&item.label, tree);
	read_time(&item.label, tree);
	return intake_add(intake, &item, err);
}

static int
read_fact(
	struct intake *intake, const struct wv_record *rec, struct wv_err *err)
{
	if (check(rec, "conversation-fact", err) < 0)
		return -1;
	return add_memory(intake, rec->tree, SECTION_FACTS,
		wv_printf(&intake->arena, "%s: %s",
			wv_get_string(rec->tree, "key"),
			wv_get_string(rec->tree, "value")),
		err);
}

static int
read_episode(
	struct intake *intake, const struct wv_record *rec, struct wv_err *err)
{
	if (check(rec, "conversation-episode", err) < 0)
		return -1;
	return add_memory(intake, rec->tree, SECTION_EPISODES,
		wv_get_string(rec->tree, "text"), err);
}

void
read_facts(struct intake *intake, const char *file,
	const struct wv_lines_options *lines)
{
	read_file(intake, file, read_fact, lines);
}

void
read_episodes(struct intake *intake, const char *file,
	const struct wv_lines_options *lines)
{
	read_file(intake, file, read_episode, lines);
}
