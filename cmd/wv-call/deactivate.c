/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include "base/clock.h"
#include "base/msg.h"
#include "base/run.h"

/* The sources keep to their time; this is for one that does not. */
enum { PATIENCE_MS = DEACTIVATE_MS + 2 * GRACE_MS };

static void
take_down(struct plan *plan, struct tool *tool)
{
	int64_t end = wv_ticks() + PATIENCE_MS;
	struct wv_err err = WV_ERR_INIT;

	tool->is_active = tool->has_checkpoint = false;
	if (tool->source->deactivate == NULL)
		return;
	while (tool->source->deactivate(plan, tool, &err) == STEP_WAIT) {
		if (wv_ticks() >= end) {
			wv_err_set(&err, "it does not end");
			break;
		}
		wv_run_wait(NULL, 0, 100);
	}
	if (wv_err_is_set(&err))
		wv_warn("%s: deactivate: %s", tool->capability, err.text);
}

void
plan_deactivate(struct plan *plan)
{
	while (plan->active_count > 0)
		take_down(plan, plan->active[--plan->active_count]);
}
