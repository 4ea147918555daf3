/* SPDX-License-Identifier: Apache-2.0 */
/* The tools of a plan: tools.yaml, or one command that serves everything. */
#ifndef WV_CALL_TOOLS_H
#define WV_CALL_TOOLS_H

#include "base/hash.h"
#include "json/doc.h"
#include "schema/schema.h"
#include "source.h"

struct tool {
	const cJSON *entry; /* as tools.yaml has it, schema files read in */
	const struct source *source; /* NULL: wrapped */
	const char *capability;
	const char *file; /* the tools file, for relative paths; NULL: none */
	struct tool *wrapped; /* what it stands for, or NULL; no cycle, at
	                         most 10 deep */
	char sha256[65];      /* of the entry and of what it wraps; "" until
	                         it is asked for */
	int64_t timeout_ms;

	/* its life in a plan */
	bool is_active, has_checkpoint, is_compiled;
	struct call *activator; /* the call that makes it ready; NULL: none */
	const struct wv_schema *input, *output; /* once active; NULL: none */
	const cJSON *listed; /* once active: what it is beyond its entry */
	struct wv_run *run;  /* of the command that (de)activates it */
	void *source_data;   /* the source's, once active */
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
/* That its source has for its arguments, in the arena; NULL: none. */
const cJSON *tool_schema(struct wv_arena *arena, const struct tool *tool);
/* The Capability record, with that schema if its entry has none. */
cJSON *tool_capability(struct wv_arena *arena, struct tool *tool);
/* What it is beyond its entry, in the arena; NULL: nothing.  Blocks. */
int tool_list(const struct tool *tool, struct wv_arena *arena,
	const cJSON **listed, struct wv_err *err);
/* Its schemas, compiled once.  A source may have put tool->input there for an
 * entry that has none. */
int tool_compile(struct tools *tools, struct tool *tool, struct wv_err *err);

#endif
