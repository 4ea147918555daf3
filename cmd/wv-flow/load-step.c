/* SPDX-License-Identifier: Apache-2.0 */
#include "load.h"

#include "json/num.h"

#include <stdio.h>
#include <string.h>

/* The place of a member's text in a list, which the schema has made sure of;
 * 0 if it is not there. */
static int
choice(const cJSON *node, const char *name, const char *const *list)
{
	const char *word = wv_get_string(node, name);
	int i = 0;

	while (word != NULL && strcmp(list[i], word) != 0)
		i++;
	return i;
}

static size_t
number(const cJSON *node, const char *name)
{
	int64_t value = 0;

	if (wv_get(node, name) != NULL)
		wv_num_int64(wv_get(node, name), &value);
	return (size_t)value;
}

static void
load_retry(struct flow *flow, struct flow_step *step, const cJSON *retry)
{
	const char *pointer = flow_at(flow, step->index, "retry");
	const cJSON *factor = wv_get(retry, "factor");

	if (retry == NULL)
		return;
	step->retry = (struct flow_retry){
		.max = (unsigned)number(retry, "max"),
		.backoff_ms = load_duration(flow, retry, "backoff", pointer),
		.max_backoff_ms =
			load_duration(flow, retry, "max_backoff", pointer),
		.factor = factor ? wv_num_double(factor) : 2,
		.errors = wv_get(retry, "errors"),
	};
}

static void
load_condition(struct flow *flow, struct flow_step *step, const cJSON *node,
	const char *pointer)
{
	struct flow_condition *condition =
		&step->conditions[step->condition_count++];
	const cJSON *is = wv_get(node, "is");
	const char *name = is ? "is" : "not";

	condition->value = node;
	condition->negate = is == NULL;
	condition->schema = load_schema(flow, wv_get(node, name),
		wv_printf(flow->faults.arena, "%s/%s", pointer, name));
}

static void
load_conditions(struct flow *flow, struct wv_arena *arena,
	struct flow_step *step, const cJSON *node)
{
	const char *pointer = flow_at(flow, step->index, "if");
	size_t i = 0;

	if (node == NULL)
		return;
	step->conditions = wv_alloc(
		arena, (wv_count(node) + 1) * sizeof(*step->conditions));
	if (wv_is_object(node))
		load_condition(flow, step, node, pointer);
	else
		wv_json_each(one, node)
			load_condition(flow, step, one,
				wv_printf(arena, "%s/%zu", pointer, i++));
}

static void
load_for_each(struct flow_step *step, const cJSON *for_each)
{
	step->for_each = for_each;
	step->max_parallel = number(for_each, "max_parallel");
	step->fail_fast = !wv_is_false(wv_get(for_each, "fail_fast"));
}

static void
load_on_error(struct flow_step *step, const cJSON *node)
{
	static const char *const words[] = { "fail", "continue", NULL };

	step->fallback = wv_get_string(wv_get(node, "on_error"), "fallback");
	step->on_error = step->fallback != NULL
		? FLOW_FALLBACK
		: (enum flow_on_error)choice(node, "on_error", words);
}

static void
load_id(struct flow *flow, struct flow_step *step)
{
	size_t first = *wv_map_add(&flow->ids, step->id, step->index);

	flow->id_list[step->index] = step->id;
	if (first != step->index)
		flow_fault(flow, flow_at(flow, step->index, "id"), "duplicate",
			"duplicate step \"%s\": it is the id of step %zu too",
			step->id, first + 1);
}

/* What it calls: a capability, or the flow of a file. */
static void
load_called(struct load *load, struct flow *flow, struct flow_step *step,
	const cJSON *node)
{
	const char *path = wv_get_string(node, "flow");

	step->capability = wv_get_string(node, "capability");
	if (path == NULL)
		return;
	step->flow = load_inner(
		load, flow, flow_at(flow, step->index, "flow"), path);
	step->capability = step->flow ? step->flow->capability : NULL;
}

void
load_step(struct load *load, struct flow *flow, const cJSON *node, size_t index)
{
	static const char *const joins[] = { "all_success", "all_done",
		"any_success", "none_failed", "always", NULL };
	struct flow_step *step = &flow->steps[index];
	const char *pointer = flow_at(flow, index, "");
	const cJSON *idempotent = wv_get(node, "idempotent");

	step->index = index;
	step->id = wv_get_string(node, "id");
	load_id(flow, step);
	load_called(load, flow, step, node);
	step->arguments = wv_get(node, "arguments");
	step->run_when = (enum flow_run_when)choice(node, "run_when", joins);
	step->timeout_ms = load_duration(flow, node, "timeout", pointer);
	step->deadline_ms = load_duration(flow, node, "deadline", pointer);
	step->finally = wv_is_true(wv_get(node, "finally"));
	step->idempotent = idempotent ? wv_is_true(idempotent) : -1;
	load_on_error(step, node);
	load_retry(flow, step, wv_get(node, "retry"));
	load_conditions(flow, load->arena, step, wv_get(node, "if"));
	if (wv_get(node, "for_each") != NULL)
		load_for_each(step, wv_get(node, "for_each"));
}

static void
load_need(struct flow *flow, struct flow_step *step, const char *id,
	const char *pointer)
{
	const size_t *index = wv_map_find(&flow->ids, id);

	if (index == NULL) {
		flow_fault(flow, pointer, "unknown-step",
			"step \"%s\" needs \"%s\", which does not exist%s",
			step->id, id, flow_nearest(flow, id, flow->id_list));
	} else if (*index == step->index) {
		flow_fault(flow, pointer, "cycle",
			"cycle: %s -> %s (a step needs itself)", id, id);
	} else {
		step->needs[step->need_count++] = *index;
		flow->steps[*index].is_needed = true;
	}
}

void
load_needs(struct flow *flow, struct wv_arena *arena, const cJSON *node,
	struct flow_step *step)
{
	const cJSON *list = wv_get(node, "needs");
	char pointer[64];
	size_t i = 0;

	step->needs =
		wv_alloc(arena, (wv_count(list) + 1) * sizeof(*step->needs));
	wv_json_each(need, list) {
		snprintf(pointer, sizeof(pointer), "/steps/%zu/needs/%zu",
			step->index, i++);
		load_need(flow, step, need->valuestring, pointer);
	}
}
