/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The client's half of the Model Context Protocol: JSON-RPC 2.0, a message a
 * line.  It does no I/O and knows no clock: bytes of the server go in, what
 * `out` holds is for the server, and whoever drives it says what time it is.
 *
 *	struct mcp *mcp = mcp_new(&options);
 *	… mcp_read(mcp, bytes) … send and empty mcp->out …
 *	while (mcp_list(mcp, &err) == MCP_WAIT) …
 *	request = mcp_call(mcp, "echo", arguments, deadline);
 *	while (request->end == MCP_PENDING) …
 *	mcp_forget(mcp, request);
 *
 * A server that breaks the protocol, or is gone, is not spoken to any more:
 * mcp->broken says why, and everything that waits has ended.  Messages that
 * are merely nobody's (an answer that comes late, twice, or with an id that
 * is not ours; notifications) are dropped.
 *
 * We declare no capability: servers have no reason to ask for anything, and
 * none to list other tools because they could.
 */
#ifndef WV_CALL_MCP_H
#define WV_CALL_MCP_H

#include "base/hash.h"
#include "json/json.h"

enum {
	MCP_MAX_MESSAGE = 64 << 20, /* bytes of a message, and of a list */
	MCP_MAX_UNASKED = 64 << 20, /* bytes between two answers to us */
	MCP_MAX_TOOLS = 10000,
	MCP_MAX_PAGES = 1000,
	MCP_MAX_LISTS = 10, /* that changed while they were read, in a row */
};

struct mcp_options {
	size_t max_message; /* 0: MCP_MAX_MESSAGE */
	size_t max_unasked; /* 0: MCP_MAX_UNASKED */
	/* Told of notifications/message, in the server's words. */
	void (*log)(void *arg, const char *text, size_t n);
	void *arg;
};

enum mcp_end {
	MCP_PENDING,
	MCP_RESULT,    /* answer is the result */
	MCP_ERROR,     /* answer is the error object, or NULL: it has none */
	MCP_TIMED_OUT, /* told the server: notifications/cancelled */
	MCP_CANCELLED, /* the same */
	MCP_GONE,      /* mcp->broken */
};

struct mcp_request {
	struct mcp_request *next; /* pending before it */
	int64_t id, deadline;
	enum mcp_end end;
	const cJSON *answer;
	struct wv_arena arena; /* of the answer */
};

enum mcp_step { MCP_READY, MCP_WAIT, MCP_FAILED };

/* A list of tools, in an arena of its own. */
struct mcp_tools {
	struct wv_arena arena;
	const cJSON **items;
	size_t count;
	struct wv_map index; /* by name */
};

struct mcp {
	struct mcp_options options;
	struct wv_str out;
	char *broken;        /* NULL: it is not */
	const char *version; /* of the protocol; NULL: not agreed on yet */

	/* mcp_list() is MCP_READY: all that it has.  list_seq counts the lists
	 * that there were. */
	struct mcp_tools tools;
	uint64_t list_seq;

	/* how a message is read */
	struct wv_str line;
	size_t line_no;
	size_t unasked; /* bytes since the last answer to us */
	struct wv_arena arena;

	/* what waits for an answer; 0: it does not */
	int64_t last_id, initialize_id, list_id;
	struct mcp_request *pending;

	/* the list that is read */
	struct mcp_tools next;
	char *cursor; /* JSON, of the page that is asked for; NULL: the first */
	size_t pages, list_bytes, changes;
	bool is_stale; /* it changed since it was asked for */
	bool is_listed;
	char *list_error; /* not told yet */
};

/* Its `out` begins with initialize. */
struct mcp *mcp_new(const struct mcp_options *options);
void mcp_free(struct mcp *mcp);

/* Bytes of the server, as they come.  -1: it is broken. */
int mcp_read(struct mcp *mcp, const char *p, size_t n);
/* The server is gone, or given up: it is broken, if it was not. */
__attribute__((format(printf, 2, 3))) void mcp_break(
	struct mcp *mcp, const char *fmt, ...);

/* Whether mcp->tools is what the server has.  If not, it is asked for: MCP_WAIT.
 * MCP_FAILED and err: it cannot be had, this time. */
enum mcp_step mcp_list(struct mcp *mcp, struct wv_err *err);
/* The descriptor of a tool in the list; NULL: it has none such. */
const cJSON *mcp_tool(const struct mcp *mcp, const char *name);
/* That it is not in a list, and what is: -1. */
int mcp_lacks(
	const struct mcp_tools *tools, const char *name, struct wv_err *err);

/* tools/call.  arguments are not kept. */
struct mcp_request *mcp_call(struct mcp *mcp, const char *tool,
	const cJSON *arguments, int64_t deadline);
/* Ends those whose deadline has come. */
void mcp_tick(struct mcp *mcp, int64_t now);
/* It is not waited for any more; nothing if it has ended. */
void mcp_cancel(struct mcp *mcp, struct mcp_request *request);
/* Cancels and frees it. */
void mcp_forget(struct mcp *mcp, struct mcp_request *request);

#endif
