/* SPDX-License-Identifier: Apache-2.0 */
#include "mcp-content.h"
#include "mcp-internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The revisions that begin with initialize, the newest last: it is offered.
 * Those after it have no initialize. */
static const char *const versions[] = { "2024-11-05", "2025-03-26",
	"2025-06-18", "2025-11-25" };
enum {
	VERSIONS = sizeof versions / sizeof versions[0],
	MAX_SHORT = 80, /* bytes of a word of the server's in a message */
};

void
mcp_initialize(struct mcp *mcp)
{
	mcp->initialize_id = mcp_begin(mcp, "initialize");
	wv_str_fmt(&mcp->out,
		"{\"protocolVersion\":\"%s\",\"capabilities\":{},"
		"\"clientInfo\":{\"name\":\"wv-call\",\"version\":\"%s\"}}",
		versions[VERSIONS - 1], WV_VERSION);
	mcp_end_message(mcp);
}

static void
ask_page(struct mcp *mcp)
{
	mcp->list_id = mcp_begin(mcp, "tools/list");
	wv_str_chr(&mcp->out, '{');
	if (mcp->cursor != NULL)
		wv_str_fmt(&mcp->out, "\"cursor\":%s", mcp->cursor);
	wv_str_chr(&mcp->out, '}');
	mcp_end_message(mcp);
}

static void
drop_tools(struct mcp_tools *tools)
{
	free(tools->items);
	wv_map_free(&tools->index);
	wv_arena_free(&tools->arena);
	*tools = (struct mcp_tools){ 0 };
}

/* What was read of a list goes. */
static void
drop_next(struct mcp *mcp)
{
	drop_tools(&mcp->next);
	free(mcp->cursor);
	mcp->cursor = NULL;
	mcp->pages = mcp->list_bytes = 0;
	mcp->is_stale = false;
}

void
mcp_list_free(struct mcp *mcp)
{
	drop_next(mcp);
	drop_tools(&mcp->tools);
	free(mcp->list_error);
}

/* Whole or not at all: a part of a secret is none that is known. */
static const char *
short_text(const char *text)
{
	return text != NULL && strlen(text) <= MAX_SHORT ? text : "";
}

void
mcp_take_initialize(struct mcp *mcp, const cJSON *result, const cJSON *error)
{
	const char *version = wv_get_string(result, "protocolVersion");
	const cJSON *capabilities = wv_get(result, "capabilities");
	struct wv_str text = { 0 };

	mcp->initialize_id = 0;
	if (error != NULL) {
		mcp_error_text(&text, error);
		mcp_break(mcp, "initialize: %s", text.s);
		wv_str_free(&text);
		return;
	}
	for (size_t i = 0; version != NULL && i < VERSIONS; i++) {
		if (strcmp(version, versions[i]) == 0)
			mcp->version = versions[i];
	}
	if (mcp->version == NULL) {
		mcp_break(mcp,
			"initialize: version \"%s\" of the protocol, not one "
			"of %s to %s",
			short_text(version), versions[0],
			versions[VERSIONS - 1]);
		return;
	}
	if (!wv_is_object(wv_get(capabilities, "tools"))) {
		mcp_break(mcp, "initialize: it has no tools");
		return;
	}
	wv_str_cat(&mcp->out,
		"{\"jsonrpc\":\"2.0\","
		"\"method\":\"notifications/initialized\"}\n");
	ask_page(mcp);
}

__attribute__((format(printf, 2, 3))) static void
list_fail(struct mcp *mcp, const char *fmt, ...)
{
	struct wv_str text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	free(mcp->list_error);
	mcp->list_error = text.s;
	mcp->changes = 0;
	drop_next(mcp);
}

static bool
add_tools(struct mcp *mcp, const cJSON *items)
{
	struct mcp_tools *next = &mcp->next;

	wv_json_each(item, items) {
		const char *name = wv_get_string(item, "name");
		if (name == NULL || next->count == MCP_MAX_TOOLS) {
			list_fail(mcp,
				name == NULL
					? "tools/list: a tool without a name"
					: "tools/list: more than %d tools",
				MCP_MAX_TOOLS);
			return false;
		}
		cJSON *tool = wv_json_copy(&next->arena, item);
		name = wv_get_string(tool, "name");
		if (*wv_map_add(&next->index, name, next->count) !=
			next->count) {
			list_fail(mcp, "tools/list: two tools \"%s\"",
				short_text(name));
			return false;
		}
		next->items = wv_list_room(
			next->items, next->count, sizeof *next->items);
		next->items[next->count++] = tool;
	}
	return true;
}

/* A list that changed while it was read is none. */
static void
end_list(struct mcp *mcp)
{
	if (mcp->is_stale && ++mcp->changes == MCP_MAX_LISTS) {
		list_fail(mcp,
			"tools/list: the list changed %d times while it was "
			"read",
			MCP_MAX_LISTS);
	} else if (mcp->is_stale) {
		drop_next(mcp);
		ask_page(mcp);
	} else {
		drop_tools(&mcp->tools);
		mcp->tools = mcp->next;
		mcp->next = (struct mcp_tools){ 0 };
		drop_next(mcp);
		mcp->is_listed = true;
		mcp->list_seq++;
		mcp->changes = 0;
	}
}

/* An empty cursor is none: some servers say so. */
static void
next_page(struct mcp *mcp, const cJSON *cursor)
{
	struct wv_str text = { 0 };

	if (cursor == NULL || wv_is_null(cursor) ||
		(wv_is_string(cursor) && cursor->valueint == 0)) {
		end_list(mcp);
		return;
	}
	wv_json_write(&text, cursor);
	if (!wv_is_string(cursor)) {
		list_fail(mcp, "tools/list: a nextCursor that is no string");
	} else if (mcp->cursor != NULL && strcmp(mcp->cursor, text.s) == 0) {
		list_fail(mcp, "tools/list: a page that is its own next one");
	} else if (mcp->pages == MCP_MAX_PAGES) {
		list_fail(mcp, "tools/list: more than %d pages", MCP_MAX_PAGES);
	} else {
		free(mcp->cursor);
		mcp->cursor = text.s;
		ask_page(mcp);
		return;
	}
	wv_str_free(&text);
}

void
mcp_take_list(
	struct mcp *mcp, const cJSON *result, const cJSON *error, size_t n)
{
	const cJSON *items = wv_get(result, "tools");
	struct wv_str text = { 0 };

	mcp->list_id = 0;
	mcp->pages++;
	mcp->list_bytes += n;
	if (error != NULL) {
		mcp_error_text(&text, error);
		list_fail(mcp, "tools/list: %s", text.s);
		wv_str_free(&text);
	} else if (!wv_is_array(items)) {
		list_fail(mcp, "tools/list: no array of tools");
	} else if (mcp->list_bytes > mcp->options.max_message) {
		list_fail(mcp, "tools/list: more than %zu bytes",
			mcp->options.max_message);
	} else if (add_tools(mcp, items)) {
		next_page(mcp, wv_get(result, "nextCursor"));
	}
}

void
mcp_list_changed(struct mcp *mcp)
{
	mcp->is_listed = false;
	mcp->is_stale = mcp->list_id != 0;
}

enum mcp_step
mcp_list(struct mcp *mcp, struct wv_err *err)
{
	if (mcp->broken != NULL || mcp->list_error != NULL) {
		wv_err_set(err, "%s",
			mcp->broken != NULL ? mcp->broken : mcp->list_error);
		free(mcp->list_error);
		mcp->list_error = NULL;
		return MCP_FAILED;
	}
	if (mcp->is_listed)
		return MCP_READY;
	if (mcp->version != NULL && mcp->list_id == 0)
		ask_page(mcp);
	return MCP_WAIT;
}

const cJSON *
mcp_tool(const struct mcp *mcp, const char *name)
{
	const size_t *place = wv_map_find(&mcp->tools.index, name);

	return place != NULL ? mcp->tools.items[*place] : NULL;
}

int
mcp_lacks(const struct mcp_tools *tools, const char *name, struct wv_err *err)
{
	enum { MAX_NAMES = 400 };
	struct wv_str names = { 0 };

	wv_str_cat(&names, tools->count == 0 ? "none" : "");
	for (size_t i = 0; i < tools->count; i++) {
		const char *has =
			short_text(wv_get_string(tools->items[i], "name"));
		if (names.n > MAX_NAMES) {
			wv_str_fmt(&names, " and %zu more", tools->count - i);
			break;
		}
		wv_str_cat(&names, i > 0 ? ", " : "");
		size_t begin = names.n;
		wv_str_foreign(&names, has, strlen(has), 8 * MAX_SHORT);
		if (names.n == begin || names.n - begin > MAX_SHORT) {
			names.n = begin;
			wv_str_cat(&names, "…");
		}
	}
	wv_err_set(err, "the server has no tool \"%s\"; it has %s",
		short_text(name), names.s);
	wv_str_free(&names);
	return -1;
}
