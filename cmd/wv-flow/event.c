/* SPDX-License-Identifier: Apache-2.0 */
#include "base/msg.h"
#include "run.h"

static _Noreturn void
die(struct run *run, const struct wv_err *err)
{
	kernel_kill(&run->runner->kernel);
	wv_die_err(err);
}

void
event_begin(struct run *run)
{
	struct runner *runner = run->runner;
	struct wv_err err = WV_ERR_INIT;

	if (runner->state == NULL)
		runner->state = wv_state_open(
			runner->state_path, WV_STATE_WRITE, false, &err);
	if (runner->state == NULL || wv_state_begin(runner->state, &err) != 0)
		die(run, &err);
}

void
event_commit(struct run *run)
{
	struct wv_err err = WV_ERR_INIT;

	if (wv_state_commit(run->runner->state, &err) != 0)
		die(run, &err);
}

/* metadata.x_wv_run; the members of a step only if there is one. */
static cJSON *
run_of(struct run *run, const struct flow_step *step)
{
	struct wv_arena *arena = &run->runner->state->arena;
	cJSON *metadata = wv_json_object(arena), *member;

	member = wv_put_object(arena, metadata, "x_wv_run");
	wv_put_string(arena, member, "run_id", run->id);
	wv_put(arena, member, "leg", wv_json_int(arena, 0));
	if (step == NULL)
		return metadata;
	wv_put_string(arena, member, "step_id", step->id);
	wv_put(arena, member, "step_index",
		wv_json_int(arena, (int64_t)step->index));
	wv_put(arena, member, "attempt", wv_json_int(arena, 1));
	return metadata;
}

static void
add(struct run *run, struct wv_event *event)
{
	struct wv_err err = WV_ERR_INIT;

	event->cause = run->cause;
	if (wv_state_event(run->runner->state, event, &err) != 0) {
		wv_state_rollback(run->runner->state);
		die(run, &err);
	}
}

void
event_flow(struct run *run, const char *type, const char *outcome,
	const struct failure *failure)
{
	struct wv_event event = { .type = type,
		.capability_id = run->flow->capability,
		.outcome = outcome,
		.code = failure ? failure->class : NULL,
		.error_message = failure ? failure->message : NULL,
		.metadata = run_of(run, NULL) };

	add(run, &event);
}

void
event_step_started(struct run *run, const struct flow_step *step)
{
	struct wv_event event = { .type = "flow_step_started",
		.capability_id = step->capability,
		.metadata = run_of(run, step) };

	add(run, &event);
}

void
event_step_completed(struct run *run, const struct flow_step *step,
	const char *outcome, const char *code, const char *message)
{
	const cJSON *answer = run->answers[step->index];
	const cJSON *call = wv_get(wv_get(answer, "metadata"), "x_wv_call");
	/* a denial says at its top what a Frame says of its call */
	const cJSON *from = call != NULL ? call : answer;
	struct wv_event event = { .type = "flow_step_completed",
		.capability_id = step->capability,
		.principal = wv_get_string(from, "principal"),
		.decision_id = wv_get_string(from, "decision_id"),
		.frame_id = wv_get_string(answer, "frame_id"),
		.outcome = outcome,
		.code = code,
		.error_message = message,
		.metadata = run_of(run, step) };

	add(run, &event);
}
