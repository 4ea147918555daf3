/* SPDX-License-Identifier: Apache-2.0 */
#include "discover.h"

#include "base/file.h"
#include "base/msg.h"
#include "contract/catalog.h"
#include "descriptor.h"
#include "firewall/descriptor.h"

#include <string.h>
#include <unistd.h>

struct discovery {
	struct wv_arena arena; /* of a tool */
	struct wv_out out;
	bool refresh;
	int status;
};

static void
put_clean(struct wv_arena *arena, cJSON *capability, const char *member,
	const cJSON *text)
{
	const char *kept = wv_descriptor_text(arena, text);

	if (kept != NULL)
		wv_put_string(arena, capability, member, kept);
}

/* What a server says of a tool, by the name the entry has for it. */
static const struct {
	const char *listed, *entry, *metadata;
} members[] = {
	{ "description", "description", NULL },
	{ "inputSchema", "input_schema", "x_wv_input_schema" },
	{ "outputSchema", "output_schema", "x_wv_output_schema" },
};

static void
fill(struct discovery *d, const struct tool *tool, cJSON *capability,
	const cJSON *listed)
{
	cJSON *metadata = wv_get(capability, "metadata");

	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		const cJSON *theirs = wv_get(listed, members[i].listed);
		const cJSON *own = wv_get(tool->entry, members[i].entry);
		if (theirs == NULL)
			continue;
		if (own != NULL) {
			/* Words of one's own are why one writes them. */
			if (members[i].metadata != NULL &&
				!wv_json_equal(own, theirs))
				wv_warn("%s: its %s is not that of its server",
					tool->capability, members[i].entry);
		} else if (members[i].metadata == NULL) {
			put_clean(&d->arena, capability, members[i].entry,
				theirs);
		} else {
			wv_put(&d->arena, metadata, members[i].metadata,
				wv_json_copy(&d->arena, theirs));
		}
	}
}

/* What the server says of its tool makes it stricter, never looser. */
static void
tighten(struct discovery *d, cJSON *capability, const cJSON *listed)
{
	cJSON *metadata = wv_get(capability, "metadata");
	const char *safety =
		wv_safety_tightened(wv_get_string(metadata, "x_wv_safety"),
			wv_mcp_safety(wv_get(listed, "annotations")));

	if (safety != NULL)
		wv_put_string(&d->arena, metadata, "x_wv_safety", safety);
}

static void
refresh(struct discovery *d, const struct tool *tool, cJSON *capability)
{
	struct wv_err err = WV_ERR_INIT;
	const cJSON *listed;

	if (tool_list(tool, &d->arena, &listed, &err) < 0) {
		wv_warn("%s: %s", tool->capability, err.text);
		d->status = WV_NO;
		return;
	}
	descriptor_warn(tool, listed);
	fill(d, tool, capability, listed);
	tighten(d, capability, listed);
}

static void
print(struct discovery *d, struct tool *tool)
{
	struct wv_str line = { 0 };
	cJSON *capability = tool_capability(&d->arena, tool);

	/* A skill's are not the operator's words. */
	put_clean(&d->arena, capability, "name", wv_get(tool->entry, "name"));
	put_clean(&d->arena, capability, "description",
		wv_get(tool->entry, "description"));
	if (d->refresh)
		refresh(d, tool, capability);
	wv_json_write(&line, capability);
	wv_out_line(&d->out, line.s, line.n);
	wv_str_free(&line);
	wv_arena_reset(&d->arena);
}

int
discover(const struct tools *tools, bool refresh_too)
{
	struct discovery d = { .arena = WV_ARENA_INIT, .refresh = refresh_too };

	wv_out_init(&d.out, STDOUT_FILENO, "standard output");
	for (size_t i = 0; i < tools->count; i++)
		print(&d, &tools->items[i]);
	wv_out_end(&d.out);
	wv_arena_free(&d.arena);
	return d.status;
}
