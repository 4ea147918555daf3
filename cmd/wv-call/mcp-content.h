/* SPDX-License-Identifier: Apache-2.0 */
/* What a server of the Model Context Protocol answers, as a tool's output. */
#ifndef WV_CALL_MCP_CONTENT_H
#define WV_CALL_MCP_CONTENT_H

#include "json/json.h"

struct mcp_said {
	struct wv_str bytes;    /* the output; of an error what it says */
	const char *media_type; /* in the arena; NULL: the bytes tell */
	bool is_error;          /* isError */
};

/*
 * A result of tools/call:
 *
 *	structuredContent               its JSON
 *	texts                           the texts, a line feed between two
 *	one image, audio or resource    its bytes
 *	anything else                   the content array as JSON
 *
 * Links to resources are words like others: nothing is fetched, and nothing is
 * checked against a schema.  -1: it is no such result.
 */
int mcp_content(struct wv_arena *arena, const cJSON *result,
	struct mcp_said *said, struct wv_err *err);

/* Appends `error CODE: MESSAGE` of an error object, and its data, redacted. */
void mcp_error_text(struct wv_str *out, const cJSON *error);

#endif
