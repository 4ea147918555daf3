/* SPDX-License-Identifier: Apache-2.0 */
#include "load.h"

#include "base/clock.h"
#include "json/jcs.h"
#include "map.h"

#include <string.h>

const struct wv_schema *
load_schema(struct flow *flow, const cJSON *schema, const char *pointer)
{
	static const struct wv_schema_options options =
		WV_SCHEMA_OPTIONS_STRICT;
	const struct wv_schema *compiled;
	struct wv_err err = WV_ERR_INIT;
	struct wv_str at = { 0 };

	if (schema == NULL)
		return NULL;
	if (flow->schemas == NULL)
		flow->schemas = wv_schema_set_new(&options);
	compiled = wv_schema_compile(flow->schemas, schema, &err);
	if (compiled != NULL)
		return compiled;
	wv_str_cat(&at, pointer);
	wv_schema_bad_place(flow->schemas, &at);
	flow_fault(flow, at.s, "schema", "%s: %s", pointer, err.text);
	wv_str_free(&at);
	return NULL;
}

int64_t
load_duration(struct flow *flow, const cJSON *node, const char *name,
	const char *pointer)
{
	const char *text = wv_get_string(node, name);
	int64_t ms = 0;

	if (text == NULL)
		return 0;
	if (wv_duration_parse(&ms, text, NULL) == 0 && ms > 0)
		return ms;
	flow_fault(flow, wv_printf(flow->faults.arena, "%s/%s", pointer, name),
		"duration", "%s: \"%s\" is no duration", name, text);
	return 0;
}

/* Of the canonical text, and of the flows that it names, in their order. */
static void
take_hash(struct flow *flow)
{
	struct wv_str text = { 0 };
	char own[WV_SHA256_HEX];

	wv_json_digest(own, flow->doc.root);
	wv_str_cat(&text, own);
	for (size_t i = 0; i < flow->count; i++)
		if (flow->steps[i].flow != NULL)
			wv_str_cat(&text, flow->steps[i].flow->hash);
	wv_sha256_hex(flow->hash, text.s, text.n);
	wv_str_free(&text);
}

/* A flow within it is counted each time it is named. */
static void
measure(const struct load *load, struct flow *flow)
{
	const size_t most = load->limits->steps;

	flow->total = flow->count;
	for (size_t i = 0; i < flow->count && flow->total <= most; i++) {
		const struct flow *inner = flow->steps[i].flow;
		if (inner == NULL)
			continue;
		flow->total += inner->total;
		if (flow->height <= inner->height)
			flow->height = inner->height + 1;
	}
	if (flow->total > most)
		flow_fault(flow, "/steps", "limit",
			"more than %zu steps (--max-steps)", most);
}

/* What goes on with the others has ended when these begin. */
static void
check_finally(struct flow *flow)
{
	for (size_t i = 0; i < flow->count; i++) {
		const struct flow_step *step = &flow->steps[i];
		for (size_t j = 0; !step->finally && j < step->need_count; j++)
			if (flow->steps[step->needs[j]].finally)
				flow_fault(flow, flow_at(flow, i, "needs"),
					"finally",
					"step \"%s\" needs \"%s\", which is "
					"taken after all others (finally)",
					step->id,
					flow->steps[step->needs[j]].id);
	}
}

static void
load_steps(struct load *load, struct flow *flow, const cJSON *steps)
{
	size_t i = 0;

	wv_json_each(node, steps)
		load_step(load, flow, node, i++);
	i = 0;
	wv_json_each(node, steps)
		load_needs(flow, load->arena, node, &flow->steps[i++]);
	measure(load, flow);
	flow_sort(flow, load->arena);
	check_finally(flow);
	map_check(flow, load->arena);
	for (i = 0; i < flow->count; i++)
		flow_check_supported(flow, &flow->steps[i]);
}

void
load_flow(struct load *load, struct flow *flow)
{
	const cJSON *root = flow->doc.root, *steps = wv_get(root, "steps");
	const char *revision = wv_get_string(root, "revision");
	struct wv_arena *arena = load->arena;

	flow->name = wv_get_string(root, "name");
	flow->revision = revision ? revision : "1";
	flow->capability = wv_get_string(root, "capability");
	if (flow->capability == NULL)
		flow->capability = wv_printf(arena, "flow.%s", flow->name);
	flow->outputs = wv_get(root, "outputs");
	flow->deadline_ms = load_duration(flow, root, "deadline", "");
	flow->input_schema = load_schema(
		flow, wv_get(root, "input_schema"), "/input_schema");
	flow->output_schema = load_schema(
		flow, wv_get(root, "output_schema"), "/output_schema");
	flow->count = wv_count(steps);
	if (flow->count > load->limits->steps) {
		measure(load, flow);
		flow->count = 0;
		return;
	}
	flow->steps = wv_alloc_zero(arena, flow->count * sizeof(*flow->steps));
	flow->id_list = wv_alloc_zero(
		arena, (flow->count + 1) * sizeof(*flow->id_list));
	load_steps(load, flow, steps);
	take_hash(flow);
}
