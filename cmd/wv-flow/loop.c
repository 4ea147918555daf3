/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "progress.h"
#include "stop.h"

#include <string.h>

static void
halt(struct run *run, const char *class, const char *message)
{
	struct failure failure = { class, wv_dup(run->arena, message), false };

	progress_clear();
	tasks_halt(run, &failure);
}

/* What was gathered takes effect, in the order that run.h says. */
static void
flush(struct run *run)
{
	struct kernel *kernel = &run->runner->kernel;
	struct wv_err err = WV_ERR_INIT;
	bool fresh = kernel->count == 0;

	if (run->unsent->child != NULL && fresh) {
		if (kernel_start(kernel, &err) != 0)
			halt(run, "execution", err.text);
		else
			journal_kernel(run);
	}
	journal_sync(run);
	event_commit(run);
	wv_json_each(decision, run->unsent)
		kernel_send(kernel, decision);
	run->unsent = wv_json_array(run->arena);
}

static void
take_ready(struct run *run)
{
	while (run->ready.count > 0 && run->flying_count < run->runner->jobs)
		ready_take(run);
}

/* The first timer that still counts; NULL: there is none. */
static struct task *
next_timer(struct run *run)
{
	while (run->timers.count > 0) {
		const struct heap_entry *first = heap_first(&run->timers);
		struct task *task = first->what;
		if (!task->is_over && task->due == first->key)
			return task;
		heap_take(&run->timers);
	}
	return NULL;
}

static void
fire(struct run *run)
{
	struct task *task;
	struct wv_err err = WV_ERR_INIT;

	while ((task = next_timer(run)) != NULL && task->due <= wv_ticks()) {
		if (task->id[0] == '\0') {
			task_timer(task);
			continue;
		}
		kernel_break(&run->runner->kernel,
			wv_printf(run->arena,
				"no answer to step \"%s\" within its time-out",
				task_path(task)),
			&err);
		halt(run, "execution", err.text);
	}
}

static struct task *
land(struct run *run, const char *id)
{
	for (size_t i = 0; i < run->flying_count; i++) {
		struct task *task = run->flying[i];
		if (strcmp(task->id, id) != 0)
			continue;
		run->flying[i] = run->flying[--run->flying_count];
		return task;
	}
	return NULL;
}

static void
answered(struct run *run, cJSON *answer, const char *to)
{
	struct task *task = land(run, to);
	struct wv_err err = WV_ERR_INIT;

	if (task != NULL) {
		task_answered(task, answer);
		return;
	}
	kernel_break(&run->runner->kernel, "answered what was not asked", &err);
	halt(run, "execution", err.text);
}

static void
stopped(struct run *run)
{
	stop_seen();
	kernel_kill(&run->runner->kernel);
	halt(run, "cancelled",
		wv_printf(
			run->arena, "interrupted by signal %d", stop_signal()));
}

/* Waits for something, then takes all that is there. */
static void
await(struct run *run)
{
	struct task *timer = next_timer(run);
	int64_t until = progress_show(run);
	struct wv_err err = WV_ERR_INIT;
	enum kernel_end end;
	cJSON *answer;
	const char *to;

	if (timer != NULL && timer->due < until)
		until = timer->due;
	do {
		end = kernel_next(&run->runner->kernel, run->arena, until,
			&answer, &to, &err);
		if (end == KERNEL_ANSWERED)
			answered(run, answer, to);
		else if (end == KERNEL_BROKEN)
			halt(run, "execution", err.text);
		else if (end == KERNEL_STOPPED)
			stopped(run);
		until = 0;
	} while (end == KERNEL_ANSWERED && run->flying_count > 0);
	fire(run);
}

void
run_loop(struct run *run)
{
	const struct level *root = run->root;

	while (run->is_planning && run->ready.count > 0)
		ready_take(run);
	if (run->is_planning)
		return;
	for (;;) {
		take_ready(run);
		flush(run);
		if (root->left + root->finals == 0)
			break;
		if (run->ready.count == 0 ||
			run->flying_count == run->runner->jobs)
			await(run);
	}
	progress_clear();
}
