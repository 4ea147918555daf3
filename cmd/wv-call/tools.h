/* SPDX-License-Identifier: Apache-2.0 */
/* The tools of a plan: tools.yaml, or one command that serves everything. */
#ifndef WV_CALL_TOOLS_H
#define WV_CALL_TOOLS_H

#include "base/hash.h"
#include "json/doc.h"
#include "schema/schema.h"

struct tool {
	const cJSON *entry; /* as tools.yaml has it */
	char sha256[65];    /* of the entry; "" until it is asked for */
	bool activated;
	const struct wv_schema *input; /* once activated; NULL: no check */
	int64_t timeout_ms;            /* the same */
};

struct tools {
	struct wv_arena arena;
	struct wv_doc doc;
	struct tool *items;
	size_t count;
	struct wv_map index; /* by capability */
	bool serve_all;      /* one command, whatever the capability */
	struct wv_schema_set *schemas;
};

int tools_load(struct tools *tools, const char *path, struct wv_err *err);
void tools_command(struct tools *tools, char *const *command);
void tools_free(struct tools *tools);

/* NULL if no tool serves the capability. */
struct tool *tools_find(const struct tools *tools, const char *capability_id);
/* The descriptor's digest, as x_wv_tool_sha256 holds it. */
const char *tool_sha256(struct tool *tool);
/* Whether that is it. */
bool tool_is(struct tool *tool, const char *sha256);
/* NULL if it has none. */
const char *tool_version(const struct tools *tools, const struct tool *tool);
/* At most once for each tool: what has to be ready before it can run. */
int tool_activate(struct tools *tools, struct tool *tool, struct wv_err *err);

#endif
