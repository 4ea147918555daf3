/* SPDX-License-Identifier: Apache-2.0 */
#include "request.h"

#include "contract/contract.h"

#include <string.h>

/* Whether it is there at all: an empty list lets nothing through. */
static bool
read_list(struct wv_map *map, const cJSON *list)
{
	wv_json_each(item, list)
		wv_map_add(map, item->valuestring, 0);
	return list != NULL;
}

static void
read_lists(struct filter_lists *lists, const cJSON *object)
{
	lists->has_namespaces =
		read_list(&lists->namespaces, wv_get(object, "namespaces"));
	lists->has_tags = read_list(&lists->tags, wv_get(object, "tags"));
	lists->has_capabilities =
		read_list(&lists->capabilities, wv_get(object, "capabilities"));
}

int
request_read(struct request *request, const struct wv_record *rec,
	struct wv_err *err)
{
	struct wv_doc doc = {
		.text = rec->text, .len = rec->len, .root = rec->tree
	};

	*request = (struct request){ 0 };
	if (wv_config_check(&doc, "route-request", err) != 0)
		return -1;
	request->query = wv_get_string(rec->tree, "query");
	request->id = wv_get_string(rec->tree, "id");
	if (request->query[strspn(request->query, " \t\r\n")] == '\0')
		return wv_doc_err(&doc, err, "/query", "query is empty");
	read_lists(&request->filter.allow, wv_get(rec->tree, "allow"));
	read_lists(&request->filter.deny, wv_get(rec->tree, "deny"));
	return 0;
}

static void
free_lists(struct filter_lists *lists)
{
	wv_map_free(&lists->namespaces);
	wv_map_free(&lists->tags);
	wv_map_free(&lists->capabilities);
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

	memcpy(prefix, id, n + 1);
	for (;;) {
		char *dot;
		if (wv_map_find(&lists->namespaces, prefix) != NULL)
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
		if (wv_map_find(&lists->tags, tag->valuestring) != NULL)
			return true;
	return false;
}

bool
filter_allows(const struct filter *filter, const struct wv_capability *c)
{
	const struct filter_lists *allow = &filter->allow;
	const struct filter_lists *deny = &filter->deny;

	if (allow->has_namespaces && !in_namespace(allow, c->id))
		return false;
	if (allow->has_tags && !has_tag(allow, c->tags))
		return false;
	if (allow->has_capabilities &&
		wv_map_find(&allow->capabilities, c->id) == NULL)
		return false;
	return !in_namespace(deny, c->id) && !has_tag(deny, c->tags) &&
		wv_map_find(&deny->capabilities, c->id) == NULL;
}
