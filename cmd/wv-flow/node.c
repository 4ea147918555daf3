/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "condition.h"
#include "json/num.h"
#include "run.h"

#include <string.h>

static bool
is_final(const struct node *node)
{
	while (!node->step->finally && node->level->outer != NULL)
		node = node->level->outer->node;
	return node->step->finally;
}

bool
node_is_halted(const struct node *node)
{
	const struct run *run = node->level->run;

	return run->halts > 1 || (run->halts == 1 && !is_final(node));
}

/* Whether what became of its needs lets it begin. */
static bool
may_run(const struct node *node)
{
	const struct flow_step *step = node->step;
	size_t counts[NODE_CANCELLED + 1] = { 0 };

	for (size_t i = 0; i < step->need_count; i++)
		counts[node->level->nodes[step->needs[i]].end]++;
	if (step->finally || step->run_when == FLOW_ALWAYS)
		return true;
	switch (step->run_when) {
	case FLOW_ALL_DONE:
		return true;
	case FLOW_ANY_SUCCESS:
		return counts[NODE_SUCCEEDED] > 0 || step->need_count == 0;
	case FLOW_NONE_FAILED:
		return counts[NODE_FAILED] + counts[NODE_TOLERATED] == 0;
	default:
		return counts[NODE_FAILED] == 0;
	}
}

/* Why it is not to begin; NULL: it is, as far as its needs go. */
static const char *
reason_to_skip(const struct node *node)
{
	const struct level *level = node->level;
	const struct flow_step *step = node->step;

	if (level->failure.class != NULL && !step->finally &&
		step->run_when != FLOW_ALWAYS)
		return "the flow has failed";
	if (!may_run(node))
		return "what became of the steps it needs does not let it run";
	for (size_t i = 0; i < step->use_count; i++)
		if (level->frames[step->uses[i]] == NULL)
			return wv_printf(level->run->arena,
				"step \"%s\", whose value it uses, did not run",
				level->flow->steps[step->uses[i]].id);
	return NULL;
}

static void
skip(struct node *node, const char *why, bool by_condition)
{
	event_step_started(node);
	event_step_completed(node, "partial", "skipped", why);
	node->end = NODE_SKIPPED;
	if (by_condition)
		journal_step(node);
	level_settle(node, NODE_SKIPPED);
}

/* The first of its tasks that failed says why. */
static struct failure
failure_of(const struct node *node)
{
	for (size_t i = 0; i < node->task_next; i++) {
		struct failure failure = node->tasks[i].failure;
		if (failure.class == NULL)
			continue;
		if (node->tasks[i].value != NULL)
			failure.message = wv_printf(node->level->run->arena,
				"item %zu: %s", i, failure.message);
		return failure;
	}
	return node->failure;
}

static enum node_end
end_of(const struct node *node, bool halted)
{
	if (node->failure.class == NULL)
		return NODE_SUCCEEDED;
	if (halted)
		return NODE_CANCELLED;
	return node->step->on_error == FLOW_CONTINUE ? NODE_TOLERATED
						     : NODE_FAILED;
}

/* What references see of it. */
static const cJSON *
frame_of(const struct node *node)
{
	const cJSON *answer = node->tasks ? node->tasks[0].answer : NULL;
	struct run *run = node->level->run;

	if (node->step->for_each != NULL && node->tasks != NULL)
		return record_items(node);
	if (answer != NULL && wv_get(answer, "decision") == NULL)
		return answer;
	return record_failure(run, &node->failure);
}

void
node_tell_end(const struct node *node)
{
	const struct failure *failure = &node->failure;

	if (node->end == NODE_SUCCEEDED)
		event_step_completed(node, "success", NULL, NULL);
	else if (node->end == NODE_SKIPPED)
		event_step_completed(node, "partial", "skipped",
			"its condition does not hold");
	else if (node->end == NODE_TOLERATED)
		event_step_completed(node, "partial", "tolerated",
			wv_printf(node->level->run->arena, "%s: %s",
				failure->class, failure->message));
	else
		event_step_completed(node,
			strcmp(failure->class, "cancelled") == 0 ? "partial"
								 : "failure",
			failure->class, failure->message);
}

/* All its tasks are over, or it has none. */
static void
complete(struct node *node)
{
	bool halted = false;

	for (size_t i = 0; i < node->task_next; i++)
		halted |= node->tasks[i].is_halted;
	if (node->task_next < node->task_count && node_is_halted(node)) {
		halted = true;
		node->failure = node->level->run->halt;
	}
	node->failure = failure_of(node);
	node->end = end_of(node, halted);
	node->level->frames[node->step->index] = frame_of(node);
	if (!node->was_done)
		node_tell_end(node);
	if (!node->was_done && !halted)
		journal_step(node);
	level_settle(node, node->end);
}

/* An item that an earlier leg has done. */
static bool
recall_item(struct task *task)
{
	const struct journal_entry *entry = task->value == NULL
		? NULL
		: journal_find(
			  task->node->level->run->journal, task_path(task));

	if (entry == NULL || entry->done == NULL)
		return false;
	task_recall(task, entry->done);
	return true;
}

/* An item has failed, and this one had not begun by then. */
static bool
comes_too_late(const struct task *task)
{
	const struct node *node = task->node;

	return node->step->fail_fast && node->tasks_failed > 0 &&
		journal_find(node->level->run->journal, task_path(task)) ==
		NULL;
}

/* Has as many tasks begin as may be at a time. */
static void
begin_tasks(struct node *node)
{
	const struct flow_step *step = node->step;
	size_t most = node->level->run->runner->jobs;

	if (step->max_parallel > 0 && step->max_parallel < most)
		most = step->max_parallel;
	while (node->task_next < node->task_count && node->under_way < most &&
		!node_is_halted(node) &&
		!comes_too_late(&node->tasks[node->task_next])) {
		struct task *task = &node->tasks[node->task_next++];
		if (recall_item(task)) {
			node->tasks_failed += task->failure.class != NULL;
			continue;
		}
		node->under_way++;
		ready_add(node->level->run, node, task);
	}
	if (node->under_way == 0)
		complete(node);
}

void
node_task_over(struct task *task)
{
	struct node *node = task->node;

	task->is_over = true;
	node->under_way--;
	node->tasks_failed += task->failure.class != NULL;
	if (task->attempt > node->attempt)
		node->attempt = task->attempt;
	if (task->value != NULL && !task->is_halted)
		journal_item(task);
	begin_tasks(node);
}

static void
make_tasks(struct node *node, const cJSON *items)
{
	struct wv_arena *arena = node->level->run->arena;
	const cJSON *item = items ? items->child : NULL;

	node->task_count = items ? wv_count(items) : 1;
	node->tasks = wv_alloc_zero(
		arena, (node->task_count + 1) * sizeof(struct task));
	for (size_t i = 0; i < node->task_count; i++) {
		node->tasks[i] = (struct task){ .node = node,
			.item = i,
			.value = item,
			.due = INT64_MAX,
			.deadline = node->deadline };
		item = item ? item->next : NULL;
	}
}

/* The items of for_each, if it has any to tell; -1: they are none. */
static int
find_items(struct node *node, const cJSON **items)
{
	struct map_scope scope = level_scope(node->level, NULL);
	struct wv_err err = WV_ERR_INIT;

	*items = NULL;
	if (node->step->for_each == NULL)
		return 0;
	*items = map_value(node->step->for_each, &scope, &err);
	if (*items != NULL && wv_is_array(*items))
		return 0;
	node->failure = (struct failure){ "schema_validation",
		wv_printf(node->level->run->arena, "for_each: %s",
			*items ? "what it leads to is no array" : err.text),
		false };
	return -1;
}

/* The tasks of what an earlier leg has settled; false: its items are others
 * now. */
static bool
recall_tasks(struct node *node, const cJSON *done)
{
	const cJSON *items, *count = wv_get(done, "items");
	int64_t n;

	if (count == NULL) {
		make_tasks(node, NULL);
		node->task_next = 1;
		task_recall(&node->tasks[0], done);
		return true;
	}
	if (find_items(node, &items) != 0 || !wv_is_number(count) ||
		!wv_num_int64(count, &n) || (size_t)n != wv_count(items))
		return false;
	make_tasks(node, items);
	return true;
}

/* What an earlier leg has settled: nothing of it is done or told again. */
static bool
recall(struct node *node)
{
	const struct journal_entry *entry =
		journal_find(node->level->run->journal, node->path);

	if (entry == NULL || entry->done == NULL)
		return false;
	if (strcmp(wv_get_string(entry->done, "end"), "skipped") == 0) {
		node->was_done = true;
		level_settle(node, NODE_SKIPPED);
		return true;
	}
	if (!recall_tasks(node, entry->done))
		return false;
	node->is_begun = node->was_done = true;
	begin_tasks(node);
	return true;
}

static void
set_deadline(struct node *node)
{
	int64_t own = node->step->deadline_ms;

	node->deadline = node->level->deadline;
	if (own > 0 && later(wv_ticks(), own) < node->deadline)
		node->deadline = later(wv_ticks(), own);
}

void
node_begin(struct node *node)
{
	struct map_scope scope = level_scope(node->level, NULL);
	struct run *run = node->level->run;
	const struct journal_entry *entry;
	struct wv_err err = WV_ERR_INIT;
	const char *why;
	const cJSON *items;
	int holds = 1;

	if (node_is_halted(node)) {
		level_settle(node, NODE_CANCELLED);
		return;
	}
	if (recall(node))
		return;
	why = reason_to_skip(node);
	entry = journal_find(run->journal, node->path);
	if (why == NULL && (entry == NULL || !entry->is_begun))
		holds = conditions_hold(node->step, &scope, &err);
	if (why != NULL || holds == 0) {
		skip(node, why ? why : "its condition does not hold",
			why == NULL);
		return;
	}
	node->is_begun = true;
	set_deadline(node);
	event_step_started(node);
	if (holds < 0)
		node->failure = (struct failure){ "schema_validation",
			wv_printf(run->arena, "if: %s", err.text), false };
	else if (find_items(node, &items) == 0)
		make_tasks(node, items);
	if (holds > 0)
		journal_begun(node);
	begin_tasks(node);
}
