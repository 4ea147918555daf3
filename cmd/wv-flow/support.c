/* SPDX-License-Identifier: Apache-2.0 */
#include "flow.h"

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
}
