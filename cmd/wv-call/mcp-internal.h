/* SPDX-License-Identifier: Apache-2.0 */
/* Between mcp.c, which knows messages, and mcp-list.c, which knows what a
 * server says of itself. */
#ifndef WV_CALL_MCP_INTERNAL_H
#define WV_CALL_MCP_INTERNAL_H

#include "mcp.h"

/* Appends a request up to its params, and what is behind them. */
int64_t mcp_begin(struct mcp *mcp, const char *method);
void mcp_end_message(struct mcp *mcp);

/* Asks. */
void mcp_initialize(struct mcp *mcp);
/* The answers; error is an object or NULL.  n: bytes of the message. */
void mcp_take_initialize(
	struct mcp *mcp, const cJSON *result, const cJSON *error);
void mcp_take_list(
	struct mcp *mcp, const cJSON *result, const cJSON *error, size_t n);
void mcp_list_changed(struct mcp *mcp);
void mcp_list_free(struct mcp *mcp);

#endif
