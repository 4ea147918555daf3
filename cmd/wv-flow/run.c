/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include "base/msg.h"
#include "contract/record.h"
#include "resume.h"

#include <stdlib.h>
#include <string.h>

void
run_emit(struct run *run, const cJSON *record)
{
	struct wv_str text = { 0 };

	wv_json_write(&text, record);
	wv_out_line(run->runner->out, text.s, text.n);
	wv_str_free(&text);
}

static void
emit_task(struct run *run, const struct task *task)
{
	const cJSON *answer = task->answer;
	cJSON *copy;

	if (wv_get(answer, "frame_id") != NULL) {
		copy = wv_json_copy(run->arena, answer);
		record_mark(run, copy, task);
		run_emit(run, copy);
	} else if (wv_get(answer, "decision") != NULL) {
		run_emit(run, answer);
	}
}

/* Of every call, and of sub-flows, those within them first. */
static void
emit_level(struct run *run, const struct level *level)
{
	for (size_t i = 0; i < level->flow->count; i++) {
		const struct node *node = &level->nodes[level->flow->order[i]];
		for (size_t k = 0; k < node->task_next; k++) {
			if (node->tasks[k].level != NULL)
				emit_level(run, node->tasks[k].level);
			emit_task(run, &node->tasks[k]);
		}
	}
}

/* The run's own Frame, that of the leg that ended it if there is one. */
static cJSON *
last_frame(struct run *run, cJSON *data, const struct failure *failure)
{
	const cJSON *end = run->is_over ? run->journal->end : NULL;
	cJSON *frame = end ? wv_json_copy(run->arena, wv_get(end, "frame"))
			   : record_frame(run->root, data, failure);

	record_mark(run, frame, NULL);
	return frame;
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

void
run_init(struct run *run, struct runner *runner, struct wv_arena *arena,
	const cJSON *cause)
{
	*run = (struct run){ .runner = runner,
		.arena = arena,
		.cause = cause_of(arena, cause),
		.justification = wv_get_string(
			wv_get(cause, "metadata"), "x_wv_justification"),
		.flying = wv_alloc(arena, runner->jobs * sizeof(struct task *)),
		.unsent = wv_json_array(arena),
		.is_planning = runner->plans,
		.is_quiet = runner->plans };
}

static int
open_state(struct runner *runner, enum wv_state_use use, struct wv_err *err)
{
	if (runner->state == NULL)
		runner->state =
			wv_state_open(runner->state_path, use, false, err);
	return runner->state != NULL ? 0 : -1;
}

/* Takes the steps, and says how it went. */
static int
finish(struct run *run)
{
	struct runner *runner = run->runner;
	struct failure failure = { 0 };
	cJSON *data = NULL, *frame;
	bool begun = level_check(run->root, runner->flow->input_schema,
		run->root->input, "input", &failure);

	if (begun) {
		level_begin(run->root);
		run_loop(run);
		if (run->is_planning)
			return WV_YES;
		data = level_outputs(run->root, &failure);
	}
	frame = last_frame(run, data, &failure);
	if (run->halts == 0)
		journal_end(run, data ? "success" : "failure", frame);
	if (data != NULL)
		event_flow(run, "flow_completed", "success", NULL);
	else
		event_flow(run, "flow_failed", "failure", &failure);
	journal_sync(run);
	event_commit(run);
	if (runner->all && begun)
		emit_level(run, run->root);
	run_emit(run, frame);
	if (data != NULL)
		return WV_YES;
	return run->halts > 0 ? WV_TROUBLE : WV_NO;
}

static void
end(struct run *run)
{
	heap_free(&run->ready);
	heap_free(&run->timers);
	journal_free(run->journal);
}

static _Noreturn void
die(struct run *run, const struct wv_err *err)
{
	kernel_kill(&run->runner->kernel);
	wv_die_err(err);
}

int
run_flow(struct runner *runner, struct wv_arena *arena, const cJSON *input,
	const cJSON *cause)
{
	struct wv_err err = WV_ERR_INIT;
	struct run run;
	int status;

	run_init(&run, runner, arena, cause);
	wv_id_new(run.id, "run");
	run.root = level_new(&run, runner->flow, input, NULL);
	if (run.is_planning) {
		status = finish(&run);
		end(&run);
		return status;
	}
	if (open_state(runner, WV_STATE_WRITE, &err) != 0 ||
		(run.journal = journal_new(runner->state, run.id, &err)) ==
			NULL)
		die(&run, &err);
	journal_first(&run);
	event_flow(&run, "flow_started", NULL, NULL);
	status = finish(&run);
	end(&run);
	return status;
}

int
run_resume(struct runner *runner, struct wv_arena *arena,
	const struct resume *resume)
{
	struct wv_err err = WV_ERR_INIT;
	const cJSON *input;
	struct run run;
	int status;

	run_init(&run, runner, arena, NULL);
	if (open_state(runner,
		    resume->replay || runner->plans ? WV_STATE_READ
						    : WV_STATE_WRITE,
		    &err) != 0 ||
		resume_run(&run, resume, &input, &err) != 0)
		die(&run, &err);
	run.root = level_new(&run, runner->flow, input, NULL);
	if (!run.is_quiet)
		resume_leg(&run, resume);
	status = finish(&run);
	if (run.is_over && status == WV_NO && !resume->retry_failed)
		wv_warn("run %s has failed: --retry-failed tries again",
			run.id);
	end(&run);
	return status;
}
