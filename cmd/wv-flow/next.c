/* SPDX-License-Identifier: Apache-2.0 */
#include "next.h"

#include "base/msg.h"
#include "condition.h"

#include <string.h>

static bool
is_of_step(const struct map_reference *reference)
{
	return strncmp(reference->pointer, "/steps/", 7) == 0;
}

/* The first reference to what a step would give; NULL: there is none. */
static const char *
step_reference(const cJSON *written)
{
	return written ? map_find(written, is_of_step) : NULL;
}

static void print_level(struct level *level);

static void
tell_unknown(const struct node *node, const char *what, const char *why)
{
	wv_warn("step \"%s\": %s of %s", node->path, what, why);
}

static void
print_task(struct task *task)
{
	const struct flow_step *step = task->node->step;
	struct level *level = task->node->level;
	struct map_scope scope = level_scope(level, task->value);
	struct wv_err err = WV_ERR_INIT;
	int64_t ms = step->timeout_ms;

	task->arguments =
		map_resolve(level->run->arena, step->arguments, &scope, &err);
	if (task->arguments == NULL) {
		wv_warn("step \"%s\": arguments: %s", task_path(task),
			err.text);
		return;
	}
	if (step->flow != NULL) {
		print_level(level_new(
			level->run, step->flow, task->arguments, task));
		return;
	}
	if (step->deadline_ms > 0 && (ms == 0 || step->deadline_ms < ms))
		ms = step->deadline_ms;
	run_emit(level->run, record_step(task, step->capability, ms));
}

static void
print_items(struct node *node)
{
	struct map_scope scope = level_scope(node->level, NULL);
	const cJSON *items = map_value(node->step->for_each, &scope, NULL);
	struct task task = { .node = node, .due = INT64_MAX };

	if (step_reference(node->step->for_each) != NULL)
		tell_unknown(node, "its items come out",
			step_reference(node->step->for_each));
	else
		wv_json_each(item, items) {
			task.value = item;
			print_task(&task);
			task.item++;
		}
}

/* Whether its conditions say now already that it is not taken. */
static bool
is_ruled_out(const struct node *node)
{
	struct map_scope scope = level_scope(node->level, NULL);

	for (size_t i = 0; i < node->step->condition_count; i++) {
		const struct flow_condition *c = &node->step->conditions[i];
		if (step_reference(c->value) == NULL &&
			condition_holds(c, &scope, NULL) == 0)
			return true;
	}
	return false;
}

static void
print_node(struct node *node)
{
	const char *from = step_reference(node->step->arguments);
	struct task task = { .node = node, .due = INT64_MAX };

	if (is_ruled_out(node))
		return;
	if (from != NULL)
		tell_unknown(node, "its arguments come out", from);
	else if (node->step->for_each != NULL)
		print_items(node);
	else
		print_task(&task);
}

static void
print_level(struct level *level)
{
	for (size_t i = 0; i < level->flow->count; i++)
		print_node(&level->nodes[level->flow->order[i]]);
}

int
next_all(struct runner *runner, struct wv_arena *arena, const cJSON *input,
	const cJSON *cause)
{
	struct failure failure;
	struct run run;

	run_init(&run, runner, arena, cause);
	run.root = level_new(&run, runner->flow, input, NULL);
	if (!level_check(run.root, runner->flow->input_schema, input, "input",
		    &failure)) {
		wv_warn("%s", failure.message);
		return WV_NO;
	}
	print_level(run.root);
	return WV_YES;
}
