/* SPDX-License-Identifier: Apache-2.0 */
/* A flow as what can be routed to and authorized: a Capability. */
#include "lint.h"

#include "base/file.h"
#include "base/msg.h"

#include <string.h>
#include <unistd.h>

/* What the flow calls, those within it included. */
struct called {
	struct wv_arena *arena;
	struct wv_map seen;
	cJSON *ids, *changing; /* changing: those not known to be read-only */
	bool is_known, is_destructive;
};

static void
add(struct called *c, const char *id, const struct wv_capability *tool)
{
	const char *safety = tool ? tool->safety : NULL;

	if (wv_map_find(&c->seen, id) != NULL)
		return;
	wv_map_add(&c->seen, id, 0);
	wv_push(c->ids, wv_json_string(c->arena, id));
	c->is_known = c->is_known && safety != NULL;
	if (safety == NULL || strcmp(safety, "read") == 0)
		return;
	wv_push(c->changing, wv_json_string(c->arena, id));
	if (strcmp(safety, "destructive") == 0)
		c->is_destructive = true;
}

/* Each file once; what it calls in its order. */
static void
add_all(struct called *c, const struct flow *flow,
	const struct wv_catalog *tools)
{
	for (; flow != NULL; flow = flow->next)
		for (size_t i = 0; i < flow->count; i++) {
			const struct flow_step *step =
				&flow->steps[flow->order[i]];
			const char *other = step->fallback;
			if (step->flow == NULL)
				add(c, step->capability, step->tool);
			if (other != NULL)
				add(c, other, wv_catalog_find(tools, other));
		}
}

static const char *
safety(const struct called *c)
{
	if (c->is_destructive)
		return "destructive";
	if (!c->is_known)
		return NULL;
	return c->changing->child != NULL ? "write" : "read";
}

static const char *
description(const struct flow *flow)
{
	const char *text = wv_get_string(flow->doc.root, "description");

	return text && *text ? text : flow->name;
}

static void
put_common(struct wv_arena *arena, cJSON *record, const struct flow *flow)
{
	wv_put_string(arena, record, "name", flow->name);
	wv_put_string(arena, record, "version", flow->revision);
	wv_put_string(arena, record, "description", description(flow));
}

static cJSON *
compiled(struct called *c, const struct flow *flow)
{
	struct wv_arena *arena = c->arena;
	cJSON *record = wv_json_object(arena), *metadata;

	wv_put_string(arena, record, "flow_id", flow->capability);
	put_common(arena, record, flow);
	wv_put(arena, record, "tool_dependencies", c->ids);
	if (c->is_known)
		wv_put(arena, record, "side_effects", c->changing);
	wv_put(arena, record, "requires_authorization",
		wv_json_bool(arena, true));
	metadata = wv_put_object(arena, record, "metadata");
	wv_put(arena, metadata, "x_wv_steps",
		wv_json_int(arena, (int64_t)flow->total));
	return record;
}

static void
put_schema(struct wv_arena *arena, cJSON *metadata, const struct flow *flow,
	const char *member, const char *name)
{
	const cJSON *schema = wv_get(flow->doc.root, member);

	if (schema != NULL)
		wv_put(arena, metadata, name, wv_json_copy(arena, schema));
}

static cJSON *
record_of(struct wv_arena *arena, const struct flow *flow,
	const struct wv_catalog *tools)
{
	struct called called = { .arena = arena,
		.ids = wv_json_array(arena),
		.changing = wv_json_array(arena),
		.is_known = true };
	cJSON *record = wv_json_object(arena), *tags = wv_json_array(arena);
	cJSON *metadata;

	add_all(&called, flow, tools);
	wv_put_string(arena, record, "id", flow->capability);
	put_common(arena, record, flow);
	wv_push(tags, wv_json_string(arena, "flow"));
	wv_put(arena, record, "tags", tags);
	metadata = wv_put_object(arena, record, "metadata");
	put_schema(arena, metadata, flow, "input_schema", "x_wv_input_schema");
	put_schema(
		arena, metadata, flow, "output_schema", "x_wv_output_schema");
	if (safety(&called) != NULL)
		wv_put_string(arena, metadata, "x_wv_safety", safety(&called));
	wv_put_string(arena, metadata, "x_wv_fingerprint", flow->hash);
	wv_put(arena, metadata, "x_wv_compiled_flow", compiled(&called, flow));
	wv_map_free(&called.seen);
	return record;
}

static int
print(struct wv_out *out, const char *path, const struct flow_limits *limits,
	const struct wv_catalog *tools)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_str text = { 0 };
	struct flow flow;
	int status = flow_load(&flow, &arena, path, limits);

	if (status == WV_YES) {
		flow_bind(&flow, tools);
		wv_json_write(&text, record_of(&arena, &flow, tools));
		wv_out_line(out, text.s, text.n);
	}
	wv_str_free(&text);
	flow_free(&flow);
	wv_arena_free(&arena);
	return status;
}

int
flow_capability(
	char *const *paths, const struct flow_limits *limits, const char *tools)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	struct wv_catalog catalog = { 0 };
	struct wv_out out;
	int status = WV_YES;

	if (tools != NULL &&
		wv_catalog_load(&catalog, &arena, tools, &err) != 0)
		wv_die_err(&err);
	wv_out_init(&out, STDOUT_FILENO, "standard output");
	for (; *paths != NULL; paths++)
		status =
			wv_worse(status, print(&out, *paths, limits, &catalog));
	if (wv_out_close(&out, &err) < 0)
		wv_die_err(&err);
	wv_catalog_free(&catalog);
	wv_arena_free(&arena);
	return status;
}
