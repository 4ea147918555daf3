/* SPDX-License-Identifier: Apache-2.0 */
#include "flow.h"
#include "map.h"

static bool
is_handle(const struct map_reference *reference)
{
	return reference->is_handle;
}

/* What the format knows and cannot be run. */
void
flow_check_supported(struct flow *flow, const struct flow_step *step)
{
	/* it would take its steps twice under the same names */
	if (step->flow != NULL && step->retry.max > 0)
		flow_fault(flow, flow_at(flow, step->index, "retry"),
			"unsupported",
			"retry: a step that is a flow is not tried again; its "
			"steps can be");
	/* goes when wv-call puts what is stored in the place of the mark */
	if (step->arguments != NULL &&
		map_find(step->arguments, is_handle) != NULL)
		flow_fault(flow, flow_at(flow, step->index, "arguments"),
			"unsupported",
			"handle: this version cannot give a tool what is "
			"stored");
}
