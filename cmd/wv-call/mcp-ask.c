/* SPDX-License-Identifier: Apache-2.0 */
#include "mcp-server.h"

#include "base/clock.h"

#include <stdlib.h>

/* What was asked outside of any plan: one process for each server, however
 * many tools it has. */
struct asked {
	struct asked *next;
	const cJSON *entry;
	struct mcp_tools tools;
	char *error;
};

static void
ask(struct asked *asked, const struct tool *tool)
{
	int64_t deadline = wv_ticks() + tool->timeout_ms;
	struct wv_err err = WV_ERR_INIT;
	struct server *server = server_join(NULL, tool, &err);
	enum mcp_step step = MCP_WAIT;
	int64_t left = tool->timeout_ms;
	bool forced;

	while (server != NULL && step == MCP_WAIT && left > 0) {
		wv_run_wait(NULL, 0, left);
		server_look(server);
		step = mcp_list(server->mcp, &err);
		server_send(server);
		left = deadline - wv_ticks();
	}
	if (step == MCP_READY) {
		asked->tools = server->mcp->tools;
		server->mcp->tools = (struct mcp_tools){ 0 };
	} else {
		wv_err_set(&err, "the server is not ready within %lld ms",
			(long long)tool->timeout_ms);
		asked->error = wv_xstrdup(err.text);
	}
	if (server != NULL) {
		server_leave(server);
		while (!server_is_gone(server, &forced))
			wv_run_wait(NULL, 0, -1);
	}
}

int
mcp_ask(const struct tool *tool, struct wv_arena *arena, const cJSON **listed,
	struct wv_err *err)
{
	static struct asked *all;
	const cJSON *entry = wv_get(tool->entry, "server");
	const char *name = wv_get_string(tool->entry, "tool");
	struct asked *asked = all;
	const size_t *place;

	while (asked != NULL && !wv_json_equal(asked->entry, entry))
		asked = asked->next;
	if (asked == NULL) {
		asked = wv_xcalloc(1, sizeof *asked);
		asked->entry = entry;
		asked->next = all;
		all = asked;
		ask(asked, tool);
	}
	if (asked->error != NULL)
		return wv_err_set(err, "server: %s", asked->error);
	place = wv_map_find(&asked->tools.index, name);
	if (place == NULL)
		return mcp_lacks(&asked->tools, name, err);
	*listed = wv_json_copy(arena, asked->tools.items[*place]);
	return 0;
}
