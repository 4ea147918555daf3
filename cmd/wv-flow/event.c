/* SPDX-License-Identifier: Apache-2.0 */
#include "base/msg.h"
#include "run.h"

static _Noreturn void
die(struct run *run, const struct wv_err *err)
{
	kernel_kill(&run->runner->kernel);
	wv_die_err(err);
}

static void
begin(struct run *run)
{
	struct wv_state *state = run->runner->state;
	struct wv_err err = WV_ERR_INIT;

	if (!state->in_group && wv_state_begin(state, &err) != 0)
		die(run, &err);
}

void
event_commit(struct run *run)
{
	struct wv_state *state = run->runner->state;
	struct wv_err err = WV_ERR_INIT;

	if (state != NULL && state->in_group &&
		wv_state_commit(state, &err) != 0)
		die(run, &err);
}

/* metadata.x_wv_run; the members of a step only if there is one. */
static cJSON *
run_of(struct run *run, const struct node *node, unsigned attempt)
{
	struct wv_arena *arena = &run->runner->state->arena;
	cJSON *metadata = wv_json_object(arena), *member;

	member = wv_put_object(arena, metadata, "x_wv_run");
	wv_put_string(arena, member, "run_id", run->id);
	wv_put(arena, member, "leg", wv_json_int(arena, run->leg));
	if (node == NULL)
		return metadata;
	wv_put_string(arena, member, "step_id", node->path);
	wv_put(arena, member, "step_index",
		wv_json_int(arena, (int64_t)node->step->index));
	wv_put(arena, member, "attempt", wv_json_int(arena, attempt));
	if (node->step->for_each != NULL && node->tasks != NULL)
		wv_put(arena, member, "items",
			wv_json_int(arena, (int64_t)node->task_count));
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
	if (run->is_quiet)
		return;
	begin(run);
	struct wv_event event = { .type = type,
		.capability_id = run->runner->flow->capability,
		.outcome = outcome,
		.code = failure ? failure->class : NULL,
		.error_message = failure ? failure->message : NULL,
		.metadata = run_of(run, NULL, 0) };
	add(run, &event);
}

void
event_step_started(const struct node *node)
{
	struct run *run = node->level->run;

	if (run->is_quiet)
		return;
	begin(run);
	struct wv_event event = { .type = "flow_step_started",
		.capability_id = node->step->capability,
		.metadata = run_of(run, node, 1) };
	add(run, &event);
}

void
event_step_completed(const struct node *node, const char *outcome,
	const char *code, const char *message)
{
	const cJSON *answer = node->task_count == 1 && !node->step->for_each
		? node->tasks[0].answer
		: NULL;
	const cJSON *call = wv_get(wv_get(answer, "metadata"), "x_wv_call");
	/* a denial says at its top what a Frame says of its call */
	const cJSON *from = call != NULL ? call : answer;
	struct run *run = node->level->run;

	if (run->is_quiet)
		return;
	begin(run);
	struct wv_event event = { .type = "flow_step_completed",
		.capability_id = node->step->capability,
		.principal = wv_get_string(from, "principal"),
		.decision_id = wv_get_string(from, "decision_id"),
		.frame_id = wv_get_string(answer, "frame_id"),
		.outcome = outcome,
		.code = code,
		.error_message = message,
		.metadata =
			run_of(run, node, node->attempt ? node->attempt : 1) };
	add(run, &event);
}

void
event_step_assumed(const struct node *node)
{
	event_step_completed(node, "partial", "assumed", "said to be done");
}
