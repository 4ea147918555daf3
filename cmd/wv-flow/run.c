/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include "base/msg.h"
#include "contract/record.h"
#include "map.h"
#include "stop.h"

#include <string.h>

static struct map_scope
scope_of(const struct run *run)
{
	return (struct map_scope){ run->flow, run->input, run->frames };
}

/* What the answer to a step says of it. */
static struct failure
judge(struct run *run, const cJSON *answer)
{
	const cJSON *data = wv_get(answer, "structured_data");
	const char *status = wv_get_string(data, "status"), *text;
	struct failure failure = { 0 };

	if (wv_get(answer, "decision") != NULL) {
		text = wv_get_string(answer, "reason");
		failure.class = "access_denied";
		failure.message = text ? text : "denied";
	} else if (status != NULL && strcmp(status, "error") == 0 &&
		wv_get_string(data, "error_class") != NULL) {
		text = wv_get_string(data, "error_message");
		failure.class = wv_get_string(data, "error_class");
		failure.message = text ? text : failure.class;
		failure.retriable = wv_is_true(wv_get(data, "retriable"));
	}
	return failure;
}

/* Ends a step that was begun, in the open group; whether the flow goes on. */
static bool
complete(struct run *run, const struct flow_step *step,
	const struct failure *failure)
{
	const cJSON *answer = run->answers[step->index];

	run->frames[step->index] = wv_get(answer, "frame_id") != NULL
		? answer
		: record_failure(run, failure);
	if (failure->class == NULL) {
		event_step_completed(run, step, "success", NULL, NULL);
		run->succeeded++;
		return true;
	}
	if (!step->may_fail) {
		event_step_completed(
			run, step, "failure", failure->class, failure->message);
		return false;
	}
	event_step_completed(run, step, "partial", "tolerated",
		wv_printf(run->arena, "%s: %s", failure->class,
			failure->message));
	run->tolerated++;
	return true;
}

/* A step that the kernel gave no answer to. */
static void
abandon(struct run *run, const struct flow_step *step, enum kernel_end end,
	const struct wv_err *err, struct failure *failure)
{
	run->runner->over = true;
	if (end == KERNEL_STOPPED) {
		kernel_kill(&run->runner->kernel);
		*failure = (struct failure){ "cancelled",
			wv_printf(run->arena, "interrupted by signal %d",
				stop_signal()),
			false };
	} else {
		wv_warn("step \"%s\": %s", step->id, err->text);
		*failure = (struct failure){ "execution",
			wv_dup(run->arena, err->text), false };
	}
	event_begin(run);
	event_step_completed(run, step,
		end == KERNEL_STOPPED ? "partial" : "failure", failure->class,
		failure->message);
}

/*
 * One step.  A group is open before and after, but not while the kernel has
 * the step.  Whether the flow goes on; *failure says why not.
 */
static bool
take_step(
	struct run *run, const struct flow_step *step, struct failure *failure)
{
	struct map_scope scope = scope_of(run);
	struct wv_err err = WV_ERR_INIT;
	cJSON *arguments, *decision, *answer = NULL;
	enum kernel_end end;

	event_step_started(run, step);
	arguments = map_resolve(run->arena, step->arguments, &scope, &err);
	if (arguments == NULL) {
		*failure = (struct failure){ "schema_validation",
			wv_printf(run->arena, "arguments: %s", err.text),
			false };
		return complete(run, step, failure);
	}
	decision = record_step(run, step, arguments);
	event_commit(run);
	end = kernel_call(
		&run->runner->kernel, run->arena, decision, &answer, &err);
	if (end != KERNEL_ANSWERED) {
		abandon(run, step, end, &err, failure);
		return false;
	}
	run->answers[step->index] = answer;
	*failure = judge(run, answer);
	event_begin(run);
	return complete(run, step, failure);
}

/* The run may not go on from here: the same failure, with its place. */
static void
place(struct run *run, struct failure *failure, const char *where)
{
	failure->message =
		wv_printf(run->arena, "%s: %s", where, failure->message);
}

/* What is wrong with the input, if anything is. */
static bool
check_input(struct run *run, struct failure *failure)
{
	const struct wv_schema *schema = run->flow->input_schema;
	struct wv_schema_error *error = NULL;

	if (schema == NULL || wv_schema_valid(schema, run->input) == 1)
		return true;
	wv_schema_errors(
		schema, run->input, WV_BRANCH_NEAREST, run->arena, 1, &error);
	*failure = (struct failure){ "schema_validation",
		wv_printf(run->arena, "input%s: %s",
			error ? error->instance : "",
			error ? error->message : "could not be judged"),
		false };
	return false;
}

static bool
take_steps(struct run *run, struct failure *failure)
{
	const struct flow *flow = run->flow;

	for (size_t i = 0; i < flow->count; i++) {
		const struct flow_step *step = &flow->steps[flow->order[i]];
		*failure = (struct failure){ 0 };
		if (take_step(run, step, failure))
			continue;
		place(run, failure,
			wv_printf(run->arena, "step \"%s\"", step->id));
		return false;
	}
	return true;
}

/* The flow's data; NULL and a failure if an output leads nowhere. */
static cJSON *
outputs(struct run *run, struct failure *failure)
{
	struct map_scope scope = scope_of(run);
	struct wv_arena *arena = run->arena;
	struct wv_err err = WV_ERR_INIT;
	const struct flow *flow = run->flow;
	cJSON *data;

	if (flow->outputs != NULL) {
		data = map_resolve(arena, flow->outputs, &scope, &err);
		if (data == NULL)
			*failure = (struct failure){ "schema_validation",
				wv_printf(arena, "outputs: %s", err.text),
				false };
		return data;
	}
	data = wv_json_object(arena);
	for (size_t i = 0; i < flow->count; i++) {
		const struct flow_step *step = &flow->steps[flow->order[i]];
		const cJSON *value =
			wv_get(run->frames[step->index], "structured_data");
		if (step->is_needed)
			continue;
		cJSON *copy = value ? wv_json_copy(arena, value)
				    : wv_json_null(arena);
		copy->string = wv_dup(arena, step->id);
		wv_push(data, copy);
	}
	return data;
}

static void
emit(struct run *run, cJSON *record)
{
	struct wv_str text = { 0 };

	wv_json_write(&text, record);
	wv_out_line(run->runner->out, text.s, text.n);
	wv_str_free(&text);
}

static void
emit_answers(struct run *run)
{
	for (size_t i = 0; i < run->flow->count; i++) {
		const struct flow_step *step =
			&run->flow->steps[run->flow->order[i]];
		cJSON *answer = run->answers[step->index];
		if (answer == NULL)
			continue;
		if (wv_get(answer, "frame_id") != NULL)
			record_mark(run, answer, step);
		emit(run, answer);
	}
}

/* A record whose telemetry all of the run's continues. */
static const cJSON *
cause_of(struct wv_arena *arena, const cJSON *decision)
{
	cJSON *cause = wv_json_object(arena);

	wv_put(arena, wv_put_object(arena, cause, "metadata"), "telemetry",
		wv_telemetry(arena, decision));
	return cause;
}

int
run_flow(struct runner *runner, struct wv_arena *arena, const cJSON *input,
	const cJSON *cause)
{
	size_t count = runner->flow->count;
	struct run run = { .runner = runner,
		.flow = runner->flow,
		.arena = arena,
		.cause = cause_of(arena, cause),
		.input = input,
		.justification = wv_get_string(
			wv_get(cause, "metadata"), "x_wv_justification"),
		.answers = wv_alloc_zero(arena, count * sizeof(cJSON *)),
		.frames = wv_alloc_zero(arena, count * sizeof(cJSON *)) };
	struct failure failure = { 0 };
	cJSON *data = NULL;

	wv_id_new(run.id, "run");
	event_begin(&run);
	event_flow(&run, "flow_started", NULL, NULL);
	if (check_input(&run, &failure) && take_steps(&run, &failure))
		data = outputs(&run, &failure);
	if (data != NULL)
		event_flow(&run, "flow_completed", "success", NULL);
	else
		event_flow(&run, "flow_failed", "failure", &failure);
	event_commit(&run);
	if (runner->all)
		emit_answers(&run);
	emit(&run, record_frame(&run, data, &failure));
	if (data != NULL)
		return WV_YES;
	return runner->over ? WV_TROUBLE : WV_NO;
}
