/* SPDX-License-Identifier: Apache-2.0 */
#include "mcp-server.h"

#include "base/clock.h"
#include "base/msg.h"
#include "call.h"
#include "json/num.h"
#include "start.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_STDERR = 64 << 10,
	MAX_LOG = 64 << 10, /* bytes of a log notification that are looked at */
};

/* Of the plan, those that are not ending. */
static struct server *servers;

static void
hear_log(void *arg, const char *text, size_t n)
{
	const struct server *server = arg;
	struct wv_arena arena = WV_ARENA_INIT;

	if (wv_verbose > 0)
		call_hear(&arena, server->who, text, n < MAX_LOG ? n : MAX_LOG,
			n > MAX_LOG);
	wv_arena_free(&arena);
}

void
server_send(struct server *server)
{
	struct wv_str *out = &server->mcp->out;

	if (out->n > 0)
		wv_run_send(server->run, out->s, out->n);
	/* A big one would stay. */
	wv_str_free(out);
}

/* A ping is answered even while no call is under way. */
static int
take_output(void *arg, const char *p, size_t n)
{
	struct server *server = arg;
	int result = mcp_read(server->mcp, p, n);

	server_send(server);
	return result;
}

/* The least of what all tools of the server say. */
static const cJSON *
least_limits(const struct plan *plan, const struct tool *tool,
	struct wv_arena *arena)
{
	const cJSON *server = wv_get(tool->entry, "server");
	cJSON *least = wv_json_object(arena);

	if (plan == NULL)
		return wv_get(tool->entry, "limits");
	for (size_t i = 0; i < plan->tools.count; i++) {
		const struct tool *other = &plan->tools.items[i];
		const cJSON *limits = wv_get(other->entry, "limits");
		if (other->source != &source_mcp || limits == NULL ||
			!wv_json_equal(wv_get(other->entry, "server"), server))
			continue;
		wv_json_each(limit, limits) {
			const cJSON *now = wv_get(least, limit->string);
			if (wv_is_number(limit) &&
				(now == NULL || wv_num_cmp(limit, now) < 0))
				wv_put(arena, least, limit->string,
					wv_json_copy(arena, limit));
		}
	}
	return least;
}

static int
start(struct server *server, const struct plan *plan, const struct tool *tool,
	struct wv_err *err)
{
	const struct wv_run_limits limits = {
		.grace_ms = GRACE_MS,
		.max_err = MAX_STDERR,
		.sink = take_output,
		.arg = server,
	};
	const struct mcp_options options = { .log = hear_log, .arg = server };
	const cJSON *command = wv_get(server->entry, "command");

	server->run = start_process(plan, server->entry,
		least_limits(plan, tool, &server->arena),
		start_words(&server->arena, command), WV_PROC_PIPE, &limits,
		err);
	if (server->run == NULL)
		return -1;
	server->mcp = mcp_new(&options);
	server_send(server);
	return 0;
}

struct server *
server_join(
	const struct plan *plan, const struct tool *tool, struct wv_err *err)
{
	const cJSON *entry = wv_get(tool->entry, "server");
	struct server *server = plan != NULL ? servers : NULL;

	while (server != NULL && !wv_json_equal(server->entry, entry))
		server = server->next;
	if (server != NULL) {
		server->users++;
		return server;
	}
	server = wv_xcalloc(1, sizeof *server);
	server->entry = entry;
	server->who = tool->capability;
	server->users = 1;
	if (start(server, plan, tool, err) < 0) {
		wv_arena_free(&server->arena);
		free(server);
		return NULL;
	}
	if (plan != NULL) {
		server->next = servers;
		servers = server;
	}
	return server;
}

/* It is over: why, unless that is known, and what it said on stderr. */
static void
take_end(struct server *server)
{
	const struct wv_run_result *result = wv_run_result(server->run);
	const char *words = call_hear(&server->arena, server->who,
		result->err.s, result->err.n, result->err_cut);
	const char *colon = words != NULL ? ": " : "";

	server->is_heard = true;
	words = words != NULL ? words : "";
	if (result->end == WV_RUN_EXITED)
		mcp_break(server->mcp, "it ended: exit status %d%s%s",
			result->code, colon, words);
	else
		mcp_break(server->mcp, "it ended: signal %d (%s)%s%s",
			result->code, strsignal(result->code), colon, words);
}

void
server_look(struct server *server)
{
	mcp_tick(server->mcp, wv_ticks());
	if (!server->is_heard && wv_run_is_over(server->run))
		take_end(server);
	server_send(server);
}

bool
server_leave(struct server *server)
{
	if (--server->users > 0)
		return false;
	for (struct server **at = &servers; *at != NULL; at = &(*at)->next) {
		if (*at == server) {
			*at = server->next;
			break;
		}
	}
	/* One that has not even answered initialize heeds no end of input. */
	if (server->mcp->version == NULL || server->mcp->broken != NULL)
		wv_run_stop(server->run);
	else
		wv_run_close(server->run, GRACE_MS);
	return true;
}

bool
server_is_gone(struct server *server, bool *forced)
{
	if (!wv_run_is_over(server->run))
		return false;
	*forced = server->mcp->broken == NULL &&
		wv_run_result(server->run)->end == WV_RUN_STOPPED;
	server_look(server);
	wv_run_free(server->run);
	mcp_free(server->mcp);
	wv_arena_free(&server->arena);
	free(server);
	return true;
}
