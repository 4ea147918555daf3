/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/msg.h"
#include "json/num.h"
#include "run.h"

#include <string.h>

const char *
task_path(const struct task *task)
{
	const struct node *node = task->node;

	return task->value == NULL ? node->path
				   : wv_printf(node->level->run->arena,
					     "%s[%zu]", node->path, task->item);
}

/* What an answer says of the call. */
static struct failure
judge(const cJSON *answer)
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

static void
set_timer(struct task *task, int64_t due)
{
	task->due = due;
	if (due < INT64_MAX)
		heap_add(&task->node->level->run->timers, due, task);
}

static void
over(struct task *task)
{
	task->due = INT64_MAX;
	task->id[0] = '\0';
	node_task_over(task);
}

static bool
is_among(const cJSON *list, const char *word)
{
	wv_json_each(item, list)
		if (strcmp(item->valuestring, word) == 0)
			return true;
	return false;
}

/* A denial and arguments that are wrong stay so; and a call that took too long
 * may have done what it was to do. */
static bool
is_retried(const struct flow_step *step, const char *class)
{
	static const char *const never[] = { "access_denied",
		"schema_validation" };
	static const char *const asked[] = { "cancelled",
		"checkpoint_required" };

	for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
		if (strcmp(class, never[i]) == 0)
			return false;
	if (strcmp(class, "timeout") == 0 && step->idempotent != 1)
		return false;
	if (step->retry.errors != NULL)
		return is_among(step->retry.errors, class);
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++)
		if (strcmp(class, asked[i]) == 0)
			return false;
	return true;
}

static bool
may_retry(const struct task *task)
{
	const struct flow_step *step = task->node->step;

	return !task->fell_back && task->attempt <= step->retry.max &&
		!node_is_halted(task->node) &&
		is_retried(step, task->failure.class);
}

static int64_t
backoff(const struct task *task)
{
	const struct flow_retry *retry = &task->node->step->retry;
	double ms = (double)retry->backoff_ms, most = 1e12;

	if (retry->max_backoff_ms > 0 && retry->max_backoff_ms < most)
		most = (double)retry->max_backoff_ms;
	for (unsigned i = 1; i < task->attempt && ms < most; i++)
		ms *= retry->factor;
	return (int64_t)(ms < most ? ms : most);
}

/* An attempt has failed: another, the fallback, or the end. */
static void
attempt_failed(struct task *task)
{
	const struct flow_step *step = task->node->step;
	struct run *run = task->node->level->run;
	int64_t pause, now = wv_ticks();

	if (may_retry(task) && (pause = backoff(task)) < task->deadline - now) {
		journal_again(task);
		set_timer(task, now + pause);
	} else if (step->on_error == FLOW_FALLBACK && !task->fell_back &&
		!node_is_halted(task->node) && now < task->deadline) {
		task->fell_back = true;
		journal_again(task);
		task->due = INT64_MAX;
		ready_add(run, task->node, task);
	} else {
		over(task);
	}
}

static void
fail(struct task *task, const char *class, const char *message)
{
	task->failure = (struct failure){ class, message, false };
	over(task);
}

void
task_answered(struct task *task, cJSON *answer)
{
	task->id[0] = '\0';
	task->answer = answer;
	task->failure = judge(answer);
	if (task->failure.class != NULL)
		attempt_failed(task);
	else
		over(task);
}

void
task_recall(struct task *task, const cJSON *done)
{
	const cJSON *error = wv_get(done, "error");
	const cJSON *attempts = wv_get(done, "attempt");
	int64_t attempt;

	task->is_over = true;
	task->answer = wv_get(done, "answer");
	if (wv_is_number(attempts) && wv_num_int64(attempts, &attempt))
		task->attempt = (unsigned)attempt;
	if (error != NULL)
		task->failure = (struct failure){ wv_get_string(error, "class"),
			wv_get_string(error, "message"),
			wv_is_true(wv_get(error, "retriable")) };
}

/* The input of a call or of a level, resolved once. */
static bool
resolve(struct task *task)
{
	struct level *level = task->node->level;
	struct map_scope scope = level_scope(level, task->value);
	struct wv_err err = WV_ERR_INIT;

	if (task->arguments == NULL)
		task->arguments = map_resolve(level->run->arena,
			task->node->step->arguments, &scope, &err);
	if (task->arguments != NULL)
		return true;
	fail(task, "schema_validation",
		wv_printf(level->run->arena, "arguments: %s", err.text));
	return false;
}

static void
begin_level(struct task *task)
{
	struct level *outer = task->node->level;
	const struct flow *flow = task->node->step->flow;

	task->level = level_new(outer->run, flow, task->arguments, task);
	if (level_check(task->level, flow->input_schema, task->arguments,
		    "input", &task->failure))
		level_begin(task->level);
	else
		over(task);
}

void
task_level_over(struct task *task)
{
	struct level *level = task->level;
	cJSON *data = level_outputs(level, &task->failure);

	task->is_halted = level->run->halts > 0 && data == NULL;
	task->answer = record_frame(level, data, &task->failure);
	if (data != NULL || task->is_halted)
		over(task);
	else
		attempt_failed(task);
}

/* The time that an attempt has; INT64_MAX: the tool's. */
static int64_t
time_for(const struct task *task, int64_t now)
{
	int64_t ms = INT64_MAX;

	if (task->node->step->timeout_ms > 0)
		ms = task->node->step->timeout_ms;
	if (task->deadline < INT64_MAX && task->deadline - now < ms)
		ms = task->deadline - now;
	return ms;
}

static void
begin_call(struct task *task, int64_t now, int64_t ms)
{
	const struct flow_step *step = task->node->step;
	struct run *run = task->node->level->run;
	cJSON *decision = record_step(task,
		task->fell_back ? step->fallback : step->capability,
		ms < INT64_MAX ? ms : 0);

	strcpy(task->id, wv_get_string(decision, "id"));
	run->flying[run->flying_count++] = task;
	set_timer(task, later(now, later(ms, run->runner->grace_ms)));
	journal_sent(task);
	wv_push(run->unsent, decision);
}

/* What earlier legs tried counts as tried. */
static void
recall_attempts(struct task *task)
{
	const struct journal_entry *entry =
		task->attempt > 0 || task->node->step->flow != NULL
		? NULL
		: journal_find(
			  task->node->level->run->journal, task_path(task));

	if (entry == NULL)
		return;
	task->attempt = entry->attempt - (entry->sent != NULL);
	task->fell_back = entry->fell_back;
}

/* What is ready and nobody has sent. */
static void
plan(struct task *task, int64_t ms)
{
	struct run *run = task->node->level->run;
	const struct journal_entry *entry =
		journal_find(run->journal, task_path(task));

	if (entry != NULL && entry->sent != NULL)
		wv_warn("step \"%s\" was sent, and has no answer yet",
			task_path(task));
	else
		run_emit(run,
			record_step(task, task->node->step->capability,
				ms < INT64_MAX ? ms : 0));
}

void
task_begin(struct task *task)
{
	struct run *run = task->node->level->run;
	int64_t now = wv_ticks(), ms = time_for(task, now);

	if (node_is_halted(task->node)) {
		task->is_halted = true;
		task->failure = run->halt;
		over(task);
		return;
	}
	recall_attempts(task);
	if (ms <= 0) {
		fail(task, "timeout", "its deadline has passed");
		return;
	}
	if (run->is_quiet && !run->is_planning &&
		task->node->step->flow == NULL) {
		fail(task, "execution", "the journal has no answer to it");
		return;
	}
	if (!resolve(task))
		return;
	if (run->is_planning && task->node->step->flow == NULL) {
		plan(task, ms);
		return;
	}
	task->attempt++;
	task->failure = (struct failure){ 0 };
	task->answer = NULL;
	if (task->node->step->flow == NULL || task->fell_back) {
		begin_call(task, now, ms);
		return;
	}
	task->due = later(now, ms);
	begin_level(task);
}

void
task_timer(struct task *task)
{
	struct run *run = task->node->level->run;

	task->due = INT64_MAX;
	ready_add(run, task->node, task);
}

static void
halt(struct task *task, const struct failure *failure)
{
	task->is_halted = true;
	task->failure = *failure;
	over(task);
}

void
tasks_halt(struct run *run, const struct failure *failure)
{
	size_t flying = run->flying_count;
	struct heap timers = run->timers;

	run->halt = *failure;
	run->halts++;
	run->runner->over = true;
	run->flying_count = 0;
	run->unsent = wv_json_array(run->arena);
	run->timers = (struct heap){ .turns = timers.turns };
	for (size_t i = 0; i < flying; i++) {
		if (strcmp(failure->class, "cancelled") != 0)
			wv_warn("step \"%s\": %s", task_path(run->flying[i]),
				failure->message);
		halt(run->flying[i], failure);
	}
	for (size_t i = 0; i < timers.count; i++) {
		struct task *task = timers.entries[i].what;
		if (!task->is_over && task->due == timers.entries[i].key)
			halt(task, failure);
	}
	heap_free(&timers);
}
