/* SPDX-License-Identifier: Apache-2.0 */
#include "flow.h"

#include "base/clock.h"
#include "base/msg.h"
#include "contract/contract.h"
#include "map.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
flow_fault(
	struct flow_faults *faults, const char *pointer, const char *fmt, ...)
{
	struct wv_err err = WV_ERR_INIT;
	char text[WV_ERR_TEXT];
	va_list ap;

	if (faults->count++ >= FLOW_FAULTS_MAX)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	wv_doc_err(&faults->flow->doc, &err, pointer, "%s", text);
	wv_warn_err(&err);
}

const char *
flow_nearest(const struct flow_faults *faults, struct wv_arena *arena,
	const char *word, const char *const *list)
{
	const char *near = NULL;

	if (faults->count < FLOW_FAULTS_MAX)
		near = wv_nearest(word, list);
	return near ? wv_printf(arena, ", did you mean \"%s\"?", near) : "";
}

/* What the format knows and this version does not do. */
static void
check_supported(struct flow_faults *faults, const cJSON *node, size_t index)
{
	static const struct {
		const char *member, *text;
	} others[] = {
		{ "if", "this version takes every step" },
		{ "for_each", "this version takes a step once only" },
		{ "retry", "this version takes a step once only" },
		{ "idempotent", "this version takes a step once only" },
		{ "finally", "this version takes steps in their order only" },
	};
	char pointer[96];

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (wv_get(node, others[i].member) == NULL)
			continue;
		snprintf(pointer, sizeof(pointer), "/steps/%zu/%s", index,
			others[i].member);
		flow_fault(faults, pointer, "%s: %s", others[i].member,
			others[i].text);
	}
	if (!wv_is_object(wv_get(node, "on_error")))
		return;
	snprintf(pointer, sizeof(pointer), "/steps/%zu/on_error", index);
	flow_fault(faults, pointer,
		"on_error: this version knows fail and continue only");
}

static void
read_step(struct flow *flow, const cJSON *node, size_t index,
	struct flow_faults *faults)
{
	struct flow_step *step = &flow->steps[index];
	const char *on_error = wv_get_string(node, "on_error");
	const char *timeout = wv_get_string(node, "timeout");
	char pointer[64];
	size_t first;

	*step = (struct flow_step){ .id = wv_get_string(node, "id"),
		.capability = wv_get_string(node, "capability"),
		.arguments = wv_get(node, "arguments"),
		.index = index,
		.may_fail = on_error && strcmp(on_error, "continue") == 0 };
	flow->id_list[index] = step->id;
	first = *wv_map_add(&flow->ids, step->id, index);
	snprintf(pointer, sizeof(pointer), "/steps/%zu/id", index);
	if (first != index)
		flow_fault(faults, pointer,
			"duplicate step \"%s\": it is the id of step %zu too",
			step->id, first + 1);
	snprintf(pointer, sizeof(pointer), "/steps/%zu/timeout", index);
	if (timeout != NULL &&
		(wv_duration_parse(&step->timeout_ms, timeout, NULL) != 0 ||
			step->timeout_ms == 0))
		flow_fault(faults, pointer, "timeout: \"%s\" is no duration",
			timeout);
	check_supported(faults, node, index);
}

static void
read_needs(struct flow *flow, struct wv_arena *arena, const cJSON *list,
	struct flow_step *step, struct flow_faults *faults)
{
	char pointer[64];
	size_t i = 0;

	step->needs =
		wv_alloc(arena, (wv_count(list) + 1) * sizeof(*step->needs));
	wv_json_each(need, list) {
		const char *id = need->valuestring;
		const size_t *index = wv_map_find(&flow->ids, id);
		snprintf(pointer, sizeof(pointer), "/steps/%zu/needs/%zu",
			step->index, i++);
		if (index == NULL) {
			flow_fault(faults, pointer,
				"step \"%s\" needs \"%s\", which does not "
				"exist%s",
				step->id, id,
				flow_nearest(faults, arena, id, flow->id_list));
		} else if (*index == step->index) {
			flow_fault(faults, pointer,
				"cycle: %s -> %s (a step needs itself)", id,
				id);
		} else {
			step->needs[step->need_count++] = *index;
			flow->steps[*index].is_needed = true;
		}
	}
}

static void
read_input_schema(struct flow *flow, struct flow_faults *faults)
{
	const cJSON *schema = wv_get(flow->doc.root, "input_schema");
	struct wv_err err = WV_ERR_INIT;

	if (schema == NULL)
		return;
	flow->schemas = wv_schema_set_new(NULL);
	flow->input_schema = wv_schema_compile(flow->schemas, schema, &err);
	if (flow->input_schema == NULL)
		flow_fault(
			faults, "/input_schema", "input_schema: %s", err.text);
}

static void
check_maps(const struct flow *flow, struct wv_arena *arena,
	struct flow_faults *faults)
{
	struct map_walk walk;
	char pointer[64];

	map_walk_init(&walk, arena, flow);
	for (size_t i = 0; i < flow->count; i++) {
		const struct flow_step *step = &flow->steps[i];
		snprintf(pointer, sizeof(pointer), "/steps/%zu/arguments", i);
		if (step->arguments != NULL)
			map_check(faults, arena, &walk, step->arguments,
				pointer, step);
	}
	if (flow->outputs != NULL)
		map_check(
			faults, arena, &walk, flow->outputs, "/outputs", NULL);
}

static void
read_flow(struct flow *flow, struct wv_arena *arena, struct flow_faults *faults)
{
	const cJSON *root = flow->doc.root, *steps = wv_get(root, "steps");
	size_t i = 0;

	flow->name = wv_get_string(root, "name");
	flow->capability = wv_get_string(root, "capability");
	if (flow->capability == NULL)
		flow->capability = wv_printf(arena, "flow.%s", flow->name);
	flow->outputs = wv_get(root, "outputs");
	flow->count = wv_count(steps);
	flow->steps = wv_alloc(arena, flow->count * sizeof(*flow->steps));
	flow->id_list =
		wv_alloc_zero(arena, (flow->count + 1) * sizeof(char *));
	read_input_schema(flow, faults);
	wv_json_each(node, steps)
		read_step(flow, node, i++, faults);
	i = 0;
	wv_json_each(node, steps)
		read_needs(flow, arena, wv_get(node, "needs"),
			&flow->steps[i++], faults);
	flow_sort(flow, arena, faults);
	check_maps(flow, arena, faults);
	if (faults->count > FLOW_FAULTS_MAX)
		wv_warn("%s: %zu faults", flow->doc.source, faults->count);
}

int
flow_load(struct flow *flow, struct wv_arena *arena, const char *path)
{
	struct flow_faults faults = { .flow = flow };
	struct wv_err err = WV_ERR_INIT;

	*flow = (struct flow){ 0 };
	if (wv_doc_load(&flow->doc, arena, path, &err) != 0) {
		wv_warn_err(&err);
		return WV_TROUBLE;
	}
	if (wv_config_check(&flow->doc, "flow", &err) != 0) {
		wv_warn_err(&err);
		return WV_NO;
	}
	read_flow(flow, arena, &faults);
	return faults.count > 0 ? WV_NO : WV_YES;
}

void
flow_free(struct flow *flow)
{
	wv_map_free(&flow->ids);
	if (flow->schemas != NULL)
		wv_schema_set_free(flow->schemas);
}
