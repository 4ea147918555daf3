/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tool is made ready at most once in a plan, by the first call that needs
 * it, while others that do wait.  If that fails, the next one tries again.
 */
#include "call.h"

#include "base/clock.h"
#include "wrapped.h"

static enum step
find_target(struct call *call)
{
	struct tool *tool = call->tool;

	if (tool == NULL)
		return call_fail(call, "not_activated", false,
			"no tool serves %s", call->capability_id);
	for (; tool != NULL; tool = tool->wrapped) {
		call->target = tool;
		if (is_validation(tool))
			call->is_validation = true;
	}
	return STEP_DONE;
}

/* From now on it has to be taken down. */
static void
set_active(struct plan *plan, struct tool *tool)
{
	tool->is_active = true;
	plan->active = wv_list_room(
		plan->active, plan->active_count, sizeof *plan->active);
	plan->active[plan->active_count++] = tool;
}

static enum step
make_active(struct call *call, struct tool *tool)
{
	if (tool->activator != NULL && tool->activator != call)
		return call_wait(call);
	if (tool->activator == NULL) {
		tool->activator = call;
		call->active_since = wv_ticks();
	}
	enum step step = tool->source->activate(call);
	call->in_source = step == STEP_WAIT;
	if (step == STEP_WAIT)
		return step;
	tool->activator = NULL;
	call->plan->stirred = true;
	call->activated_ms = wv_ticks() - call->active_since;
	if (step == STEP_DONE)
		set_active(call->plan, tool);
	return step;
}

/* What can be known only now: its schemas can be used, and it is, with what
 * its source says of it, the one that was pinned. */
static enum step
judge(struct call *call)
{
	struct plan *plan = call->plan;
	struct wv_err err = WV_ERR_INIT;

	for (struct tool *tool = call->tool; tool != NULL;
		tool = tool->wrapped) {
		if (tool_compile(&plan->tools, tool, &err) < 0)
			return call_fail(
				call, "activation", false, "%s", err.text);
		if (plan->lock == NULL || tool->listed == NULL ||
			lock_holds(plan->lock, tool))
			continue;
		return call_drifted(call, tool);
	}
	return STEP_DONE;
}

enum step
call_activate(struct call *call)
{
	enum step step = STEP_DONE;

	if (call->target == NULL)
		step = find_target(call);
	if (step == STEP_DONE && !call->target->is_active)
		step = make_active(call, call->target);
	return step == STEP_DONE ? judge(call) : step;
}
