/* SPDX-License-Identifier: Apache-2.0 */
#include "request.h"

#include "contract/contract.h"
#include "contract/record.h"

#include <stdio.h>
#include <string.h>

static void
read_list(struct filter_list *list, const cJSON *array)
{
	list->is_there = array != NULL;
	wv_json_each(item, array)
		wv_map_add(&list->entries, item->valuestring, 0);
}

static void
read_lists(struct filter_lists *lists, const cJSON *object)
{
	read_list(&lists->namespaces, wv_get(object, "namespaces"));
	read_list(&lists->tags, wv_get(object, "tags"));
	read_list(&lists->capabilities, wv_get(object, "capabilities"));
	read_list(&lists->safety, wv_get(object, "safety"));
}

static void
add_called(struct signals *signals, const char *id)
{
	if (id != NULL && strcmp(id, WV_NO_CAPABILITY) != 0)
		signals->called[signals->called_count++] = id;
}

static void
read_signals(struct signals *signals, struct wv_arena *arena, const cJSON *root)
{
	const cJSON *called = wv_get(root, "called");
	const cJSON *history = wv_get(root, "history");
	const cJSON *frames = wv_get(root, "frames");
	size_t most = wv_count(called) + wv_count(history) + wv_count(frames);

	signals->called = wv_alloc(arena, most * sizeof(*signals->called) + 1);
	wv_json_each(id, called)
		add_called(signals, id->valuestring);
	wv_json_each(item, history)
		if (strcmp(wv_get_string(item, "kind"), "tool_call") == 0)
			add_called(
				signals, wv_get_string(item, "capability_id"));
	wv_json_each(frame, frames) {
		add_called(signals, wv_get_string(frame, "capability_id"));
		signals->last_summary = wv_get_string(frame, "summary");
	}
}

int
request_query(const struct wv_doc *doc, const char **query, struct wv_err *err)
{
	*query = wv_get_string(doc->root, "query");
	if ((*query)[strspn(*query, " \t\r\n")] != '\0')
		return 0;
	return wv_doc_err(doc, err, "/query", "query is empty");
}

/* Ids and policies write "fs.*", and --prefix "fs.": what would name nothing,
 * and so deny nothing, is refused. */
static int
check_namespaces(
	const struct wv_doc *doc, const char *lists, struct wv_err *err)
{
	const cJSON *names = wv_get(wv_get(doc->root, lists), "namespaces");
	size_t i = 0;

	wv_json_each(name, names) {
		const char *s = name->valuestring;
		char pointer[64];
		snprintf(pointer, sizeof(pointer), "/%s/namespaces/%zu", lists,
			i++);
		if (strchr(".*", s[strlen(s) - 1]) != NULL)
			return wv_doc_err(doc, err, pointer,
				"a namespace ends in neither . nor *");
	}
	return 0;
}

int
request_read(struct request *request, struct wv_arena *arena,
	const struct wv_record *rec, struct wv_err *err)
{
	struct wv_doc doc = {
		.text = rec->text, .len = rec->len, .root = rec->tree
	};

	*request = (struct request){ 0 };
	if (wv_config_check(&doc, "route-request", err) != 0)
		return -1;
	if (check_namespaces(&doc, "allow", err) != 0 ||
		check_namespaces(&doc, "deny", err) != 0 ||
		request_query(&doc, &request->query, err) != 0)
		return -1;
	request->id = wv_get_string(rec->tree, "id");
	read_lists(&request->filter.allow, wv_get(rec->tree, "allow"));
	read_lists(&request->filter.deny, wv_get(rec->tree, "deny"));
	request->filter.is_there = wv_get(rec->tree, "allow") != NULL ||
		wv_get(rec->tree, "deny") != NULL;
	read_signals(&request->signals, arena, rec->tree);
	return 0;
}

static void
free_lists(struct filter_lists *lists)
{
	wv_map_free(&lists->namespaces.entries);
	wv_map_free(&lists->tags.entries);
	wv_map_free(&lists->capabilities.entries);
	wv_map_free(&lists->safety.entries);
}

void
request_free(struct request *request)
{
	free_lists(&request->filter.allow);
	free_lists(&request->filter.deny);
}

static bool
in_namespace(const struct filter_lists *lists, const char *id)
{
	char prefix[WV_CATALOG_ID_MAX + 1];
	size_t n = strlen(id);

	if (lists->namespaces.entries.count == 0)
		return false;
	memcpy(prefix, id, n + 1);
	for (;;) {
		char *dot;
		if (wv_map_find(&lists->namespaces.entries, prefix) != NULL)
			return true;
		dot = strrchr(prefix, '.');
		if (dot == NULL)
			return false;
		*dot = '\0';
	}
}

static bool
has_tag(const struct filter_lists *lists, const cJSON *tags)
{
	wv_json_each(tag, tags)
		if (wv_map_find(&lists->tags.entries, tag->valuestring) != NULL)
			return true;
	return false;
}

static bool
has_id(const struct filter_lists *lists, const char *id)
{
	return wv_map_find(&lists->capabilities.entries, id) != NULL;
}

static bool
has_safety(const struct filter_lists *lists, const char *safety)
{
	return wv_map_find(&lists->safety.entries,
		       safety != NULL ? safety : "unknown") != NULL;
}

bool
filter_check(const struct filter *filter, const struct wv_capability *c)
{
	const struct filter_lists *allow = &filter->allow;
	const struct filter_lists *deny = &filter->deny;

	if (allow->namespaces.is_there && !in_namespace(allow, c->id))
		return false;
	if (allow->tags.is_there && !has_tag(allow, c->tags))
		return false;
	if (allow->capabilities.is_there && !has_id(allow, c->id))
		return false;
	if (allow->safety.is_there && !has_safety(allow, c->safety))
		return false;
	return !in_namespace(deny, c->id) && !has_tag(deny, c->tags) &&
		!has_id(deny, c->id) && !has_safety(deny, c->safety);
}
