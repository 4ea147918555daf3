/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tools of a server that speaks the Model Context Protocol.  What the server
 * lists is part of the tool: its schema is checked besides the entry's, and a
 * list that has changed is looked at before anything more is sent.
 */
#include "call.h"

#include "base/clock.h"
#include "mcp-content.h"
#include "mcp-server.h"
#include "start.h"

#include <stdlib.h>
#include <string.h>

/* What a call waits for. */
struct work {
	struct server *server; /* of an activation */
	int64_t deadline;
	bool is_stopped, has_left;
	struct mcp_request *request;
};

/* An active tool, as its server lists it. */
struct bound {
	struct server *server;
	bool has_left;
	bool has_changed; /* since it was activated */
	uint64_t list_seq;
	struct wv_arena arena; /* of tool->listed */
	struct wv_schema_set *schemas;
	const struct wv_schema *input;
};

static struct work *
begin_work(struct call *call)
{
	struct work *work = wv_alloc_zero(&call->arena, sizeof *work);

	work->deadline = wv_ticks() + call_timeout_ms(call);
	call->source_data = work;
	return work;
}

static void
drop_listed(struct bound *bound, struct tool *tool)
{
	if (bound->schemas != NULL)
		wv_schema_set_free(bound->schemas);
	bound->schemas = NULL;
	wv_arena_free(&bound->arena);
	tool->listed = NULL;
}

/* Takes over what its server lists of a tool, or forgets what it was. */
static int
take_listed(struct bound *bound, struct tool *tool, struct wv_err *err)
{
	const char *name = wv_get_string(tool->entry, "tool");
	const cJSON *listed = mcp_tool(bound->server->mcp, name), *schema;
	struct wv_err inner = WV_ERR_INIT;

	drop_listed(bound, tool);
	if (listed == NULL)
		return mcp_lacks(&bound->server->mcp->tools, name, err);
	schema = wv_get(listed, "inputSchema");
	if (!wv_is_object(schema))
		return wv_err_set(
			err, "the server lists no inputSchema of \"%s\"", name);
	listed = wv_json_copy(&bound->arena, listed);
	bound->schemas = wv_schema_set_new(NULL);
	bound->input = wv_schema_compile(
		bound->schemas, wv_get(listed, "inputSchema"), &inner);
	if (bound->input == NULL)
		return wv_err_set(err, "the server's inputSchema of \"%s\": %s",
			name, inner.text);
	tool->listed = listed;
	return 0;
}

static void
free_bound(struct tool *tool)
{
	struct bound *bound = tool->source_data;

	drop_listed(bound, tool);
	free(bound);
	tool->source_data = NULL;
}

static enum step
bind_first(struct call *call, struct server *server)
{
	struct bound *bound = wv_xcalloc(1, sizeof *bound);
	struct tool *tool = call->target;
	struct wv_err err = WV_ERR_INIT;

	bound->server = server;
	bound->list_seq = server->mcp->list_seq;
	tool->source_data = bound;
	if (take_listed(bound, tool, &err) == 0)
		return STEP_DONE;
	free_bound(tool);
	return call_fail(call, "activation", false, "%s", err.text);
}

/* The server is there, and its list as it is now. */
static enum step
await_list(struct call *call, struct server *server, const char *error_class,
	const char *late_class)
{
	const struct work *work = call->source_data;
	struct wv_err err = WV_ERR_INIT;

	server_look(server);
	if (work->is_stopped)
		return call_fail(call, "cancelled", false, "cancelled");
	enum mcp_step step = mcp_list(server->mcp, &err);
	server_send(server);
	if (step == MCP_READY)
		return STEP_DONE;
	if (step == MCP_FAILED)
		return call_fail(
			call, error_class, false, "server: %s", err.text);
	if (wv_ticks() < work->deadline)
		return STEP_WAIT;
	return call_fail(call, late_class, true,
		"the server is not ready within %lld ms",
		(long long)call_timeout_ms(call));
}

static enum step
activate(struct call *call)
{
	struct work *work = call->source_data;
	struct wv_err err = WV_ERR_INIT;
	enum step step = STEP_FAILED;
	bool forced;

	if (work == NULL) {
		work = begin_work(call);
		work->server = server_join(call->plan, call->target, &err);
		if (work->server == NULL) {
			call->source_data = NULL;
			return call_fail(
				call, "activation", false, "%s", err.text);
		}
	}
	if (!work->has_left) {
		step = await_list(
			call, work->server, "activation", "activation");
		if (step == STEP_DONE)
			step = bind_first(call, work->server);
		if (step == STEP_FAILED && server_leave(work->server))
			work->has_left = true;
	}
	if (work->has_left && !server_is_gone(work->server, &forced))
		return STEP_WAIT;
	if (step != STEP_WAIT)
		call->source_data = NULL;
	return step;
}

/* Takes over what the list says now.  If that is another tool than the one
 * that was checked, it is checked again, for all calls from then on: some are
 * past those stages. */
static enum step
refresh(struct call *call)
{
	struct tool *tool = call->target;
	struct bound *bound = tool->source_data;
	const struct mcp *mcp = bound->server->mcp;
	const cJSON *now = mcp_tool(mcp, wv_get_string(tool->entry, "tool"));
	const struct lock *lock = call->plan->lock;
	struct wv_err err = WV_ERR_INIT;

	if (bound->list_seq != mcp->list_seq &&
		(now == NULL || tool->listed == NULL ||
			!wv_json_equal(now, tool->listed))) {
		bound->has_changed = true;
		if (take_listed(bound, tool, &err) < 0)
			return lock != NULL ? call_drifted(call, tool)
					    : call_fail(call, "execution",
						      false, "%s", err.text);
	}
	bound->list_seq = mcp->list_seq;
	if (!bound->has_changed)
		return STEP_DONE;
	if (lock != NULL && !lock_holds(lock, tool))
		return call_drifted(call, tool);
	return call_check_flags(call);
}

static enum step
send_call(struct call *call)
{
	struct tool *tool = call->target;
	struct bound *bound = tool->source_data;
	struct work *work = call->source_data;
	uint64_t most = start_limit(wv_get(tool->entry, "limits"), "output");
	enum step step =
		await_list(call, bound->server, "execution", "timeout");

	if (step == STEP_DONE)
		step = refresh(call);
	if (step != STEP_DONE)
		return step;
	const char *why = call_misfit(
		call, bound->input, "arguments", call->target_arguments);
	if (why != NULL)
		return call_fail(call, "schema_validation", false, "%s", why);
	if (most > 0 && most < call->output.max)
		call->output.max = (size_t)most;
	work->request =
		mcp_call(bound->server->mcp, wv_get_string(tool->entry, "tool"),
			call->target_arguments, work->deadline);
	server_send(bound->server);
	return STEP_DONE;
}

static enum step
take_result(struct call *call, const cJSON *result)
{
	struct mcp_said said;
	struct wv_err err = WV_ERR_INIT;

	if (mcp_content(&call->arena, result, &said, &err) < 0 ||
		(!said.is_error && said.bytes.n > 0 &&
			output_add(&call->output, said.bytes.s, said.bytes.n,
				&err) < 0))
		call_fail(call, "execution", false, "%s", err.text);
	else if (said.is_error)
		call_fail(call, "execution", false, "%s",
			said.bytes.n > 0 ? said.bytes.s : "isError");
	call->output.media_type = said.media_type;
	wv_str_free(&said.bytes);
	return call->error_class == NULL ? STEP_DONE : STEP_FAILED;
}

static enum step
take_answer(struct call *call, const struct mcp_request *request)
{
	const struct bound *bound = call->target->source_data;
	struct wv_str text = { 0 };

	switch (request->end) {
	case MCP_PENDING:
		return STEP_WAIT;
	case MCP_RESULT:
		return take_result(call, request->answer);
	case MCP_ERROR:
		mcp_error_text(&text, request->answer);
		call_fail(call, "execution", false, "%s", text.s);
		wv_str_free(&text);
		break;
	case MCP_TIMED_OUT:
		return call_fail(call, "timeout", true,
			"not done within %lld ms",
			(long long)call_timeout_ms(call));
	case MCP_CANCELLED:
		return call_fail(call, "cancelled", false, "cancelled");
	case MCP_GONE:
		return call_fail(call, "execution", false, "server: %s",
			bound->server->mcp->broken);
	}
	return STEP_FAILED;
}

static enum step
run(struct call *call)
{
	struct bound *bound = call->target->source_data;
	struct work *work = call->source_data;
	enum step step = STEP_DONE;

	if (work == NULL)
		work = begin_work(call);
	if (work->request == NULL)
		step = send_call(call);
	if (step == STEP_DONE) {
		server_look(bound->server);
		step = take_answer(call, work->request);
	}
	if (step == STEP_WAIT)
		return step;
	if (work->request != NULL)
		mcp_forget(bound->server->mcp, work->request);
	call->source_data = NULL;
	return step;
}

static void
stop(struct call *call)
{
	struct work *work = call->source_data;
	const struct bound *bound = call->target->source_data;

	work->is_stopped = true;
	if (work->request != NULL) {
		mcp_cancel(bound->server->mcp, work->request);
		server_send(bound->server);
	}
}

static enum step
deactivate(struct plan *plan, struct tool *tool, struct wv_err *err)
{
	struct bound *bound = tool->source_data;
	bool forced = false;

	(void)plan;
	if (bound->has_left || server_leave(bound->server)) {
		bound->has_left = true;
		if (!server_is_gone(bound->server, &forced))
			return STEP_WAIT;
	}
	if (forced)
		wv_err_set(err,
			"the server did not end within %d ms of the end of "
			"its input",
			GRACE_MS);
	free_bound(tool);
	return STEP_DONE;
}

const struct source source_mcp = {
	.name = "mcp",
	.activate = activate,
	.run = run,
	.stop = stop,
	.deactivate = deactivate,
	.list = mcp_ask,
};
