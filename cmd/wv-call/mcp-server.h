/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that speaks the Model Context Protocol.  All tools of a plan with
 * an equal `server` share one, under the least of their limits.
 */
#ifndef WV_CALL_MCP_SERVER_H
#define WV_CALL_MCP_SERVER_H

#include "base/run.h"
#include "mcp.h"
#include "plan.h"

struct server {
	struct server *next;
	struct wv_arena arena;
	const char *who;    /* the capability that it was started for */
	const cJSON *entry; /* `server` of a tool */
	struct mcp *mcp;
	struct wv_run *run;
	bool is_heard; /* it is over, and what it said on stderr is told */
	size_t users;  /* tools that are active, or about to be */
};

/* The one that serves the tool in this plan, started if there is none, and
 * used by one more.  plan NULL: one that nobody else will use. */
struct server *server_join(
	const struct plan *plan, const struct tool *tool, struct wv_err *err);
/* What has come of its process and of time; sends what there is to send. */
void server_look(struct server *server);
void server_send(struct server *server);
/* It is used by one less; the last one ends it: true. */
bool server_leave(struct server *server);
/* One that was left by the last: false as long as it is not gone.  Frees.
 * *forced: it had to be ended. */
bool server_is_gone(struct server *server, bool *forced);

/* mcp-ask.c: the descriptor that the server of a tool has, outside of any plan;
 * as list() of struct source. */
int mcp_ask(const struct tool *tool, struct wv_arena *arena,
	const cJSON **listed, struct wv_err *err);

#endif
