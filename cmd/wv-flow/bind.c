/* SPDX-License-Identifier: Apache-2.0 */
#include "flow.h"

#include <string.h>

static bool
is_read_only(const struct wv_capability *tool)
{
	return tool->safety != NULL && strcmp(tool->safety, "read") == 0;
}

static void
bind_step(struct flow_step *step, const struct wv_catalog *tools)
{
	if (step->flow != NULL || step->capability == NULL)
		return;
	step->tool = wv_catalog_find(tools, step->capability);
	if (step->tool != NULL && step->idempotent == -1)
		step->idempotent = is_read_only(step->tool);
}

void
flow_bind(struct flow *flow, const struct wv_catalog *tools)
{
	for (; flow != NULL; flow = flow->next)
		for (size_t i = 0; i < flow->count; i++)
			bind_step(&flow->steps[i], tools);
}

const cJSON *
flow_step_schema(const struct flow_step *step)
{
	if (step->flow != NULL)
		return wv_get(step->flow->doc.root, "input_schema");
	return step->tool ? step->tool->input_schema : NULL;
}
