/* SPDX-License-Identifier: Apache-2.0 */
#include "base/msg.h"
#include "resume.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const ends[] = { [NODE_SUCCEEDED] = "succeeded",
	[NODE_TOLERATED] = "tolerated",
	[NODE_FAILED] = "failed",
	[NODE_SKIPPED] = "skipped" };

static bool
is_silent(const struct run *run)
{
	return run->journal == NULL || run->is_quiet;
}

static void
add(struct run *run, const cJSON *record)
{
	wv_json_write(&run->journal->buf, record);
	wv_str_chr(&run->journal->buf, '\n');
}

static void
put_hashes(struct run *run, cJSON *record)
{
	struct wv_arena *arena = run->arena;

	wv_put_string(arena, record, "flow_sha256", run->runner->flow->hash);
	wv_put_string(arena, record, "tools_sha256", run->runner->tools_hash);
}

void
journal_first(struct run *run)
{
	struct wv_arena *arena = run->arena;
	cJSON *record = wv_json_object(arena);

	if (is_silent(run))
		return;
	wv_put_string(arena, record, "run", run->id);
	wv_put_string(arena, record, "flow", run->runner->flow->capability);
	put_hashes(run, record);
	wv_put(arena, record, "input", wv_json_copy(arena, run->root->input));
	wv_put(arena, record, "cause", wv_json_copy(arena, run->cause));
	if (run->justification != NULL)
		wv_put_string(
			arena, record, "justification", run->justification);
	add(run, record);
}

void
journal_leg(struct run *run, const struct resume *resume)
{
	struct wv_arena *arena = run->arena;
	cJSON *record = wv_json_object(arena), *rerun = wv_json_array(arena);

	if (is_silent(run))
		return;
	wv_put(arena, record, "leg", wv_json_int(arena, run->leg));
	put_hashes(run, record);
	for (size_t i = 0; i < resume->rerun.count; i++)
		wv_push(rerun, wv_json_string(arena, resume->rerun.list[i]));
	wv_put(arena, record, "rerun", rerun);
	wv_put(arena, record, "retry_failed",
		wv_json_bool(arena, resume->retry_failed));
	add(run, record);
}

int64_t
process_start(int64_t pid)
{
	char path[64], text[1024], *s;
	unsigned long long start = 0;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return -1;
	text[n] = '\0';
	s = strrchr(text, ')'); /* its name may hold anything */
	if (s == NULL || s[1] == '\0' || s[2] == 'Z')
		return -1;
	return sscanf(s + 2,
		       "%*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
		       "%*s %*s %*s %*s %*s %*s %llu",
		       &start) == 1
		? (int64_t)start
		: -1;
}

void
journal_kernel(struct run *run)
{
	const struct kernel *kernel = &run->runner->kernel;
	struct wv_arena *arena = run->arena;
	cJSON *record = wv_json_object(arena), *list = wv_json_array(arena);

	if (is_silent(run))
		return;
	for (size_t i = 0; i < kernel->count; i++) {
		cJSON *pair = wv_json_array(arena);
		pid_t pid = kernel->procs[i].pid;
		wv_push(pair, wv_json_int(arena, pid));
		wv_push(pair, wv_json_int(arena, process_start(pid)));
		wv_push(list, pair);
	}
	wv_put(arena, record, "kernel", list);
	add(run, record);
}

void
journal_begun(const struct node *node)
{
	struct run *run = node->level->run;
	cJSON *record = wv_json_object(run->arena);

	/* without a condition there was nothing to decide */
	if (is_silent(run) || node->step->condition_count == 0)
		return;
	wv_put_string(run->arena, record, "begun", node->path);
	add(run, record);
}

static cJSON *
task_record(const struct task *task, const char *what)
{
	struct wv_arena *arena = task->node->level->run->arena;
	cJSON *record = wv_json_object(arena);

	wv_put_string(arena, record, what, task_path(task));
	wv_put(arena, record, "attempt", wv_json_int(arena, task->attempt));
	return record;
}

void
journal_sent(const struct task *task)
{
	struct run *run = task->node->level->run;
	cJSON *record;

	if (is_silent(run))
		return;
	record = task_record(task, "sent");
	wv_put_string(run->arena, record, "id", task->id);
	add(run, record);
}

void
journal_again(const struct task *task)
{
	struct run *run = task->node->level->run;
	cJSON *record;

	if (is_silent(run) || task->level != NULL)
		return;
	record = task_record(task, "again");
	if (task->fell_back)
		wv_put(run->arena, record, "fallback",
			wv_json_bool(run->arena, true));
	add(run, record);
}

static void
put_error(struct wv_arena *arena, cJSON *record, const struct failure *failure)
{
	cJSON *error;

	if (failure->class == NULL)
		return;
	error = wv_put_object(arena, record, "error");
	wv_put_string(arena, error, "class", failure->class);
	wv_put_string(arena, error, "message", failure->message);
	wv_put(arena, error, "retriable",
		wv_json_bool(arena, failure->retriable));
}

static void
put_answer(struct wv_arena *arena, cJSON *record, const struct task *task)
{
	if (task->answer != NULL)
		wv_put(arena, record, "answer",
			wv_json_copy(arena, task->answer));
}

void
journal_item(const struct task *task)
{
	struct run *run = task->node->level->run;
	cJSON *record;

	if (is_silent(run))
		return;
	record = task_record(task, "item");
	put_answer(run->arena, record, task);
	put_error(run->arena, record, &task->failure);
	add(run, record);
}

void
journal_step(const struct node *node)
{
	struct run *run = node->level->run;
	struct wv_arena *arena = run->arena;
	cJSON *record = wv_json_object(arena);

	if (is_silent(run))
		return;
	wv_put_string(arena, record, "step", node->path);
	wv_put_string(arena, record, "end", ends[node->end]);
	if (node->attempt > 0)
		wv_put(arena, record, "attempt",
			wv_json_int(arena, node->attempt));
	if (node->tasks != NULL && node->step->for_each != NULL)
		wv_put(arena, record, "items",
			wv_json_int(arena, (int64_t)node->task_count));
	else if (node->tasks != NULL)
		put_answer(arena, record, &node->tasks[0]);
	put_error(arena, record, &node->failure);
	add(run, record);
}

void
journal_assumed(struct run *run, const cJSON *record)
{
	if (!is_silent(run))
		add(run, record);
}

void
journal_end(struct run *run, const char *outcome, const cJSON *frame)
{
	struct wv_arena *arena = run->arena;
	cJSON *record = wv_json_object(arena);

	if (is_silent(run))
		return;
	wv_put_string(arena, record, "end", outcome);
	wv_put(arena, record, "frame", wv_json_copy(arena, frame));
	add(run, record);
}

void
journal_sync(struct run *run)
{
	struct journal *journal = run->journal;
	struct wv_err err = WV_ERR_INIT;

	if (is_silent(run) || journal->buf.n == 0)
		return;
	if (wv_write_all(journal->fd, journal->buf.s, journal->buf.n) != 0 ||
		fdatasync(journal->fd) != 0) {
		wv_err_sys(&err, "flows/%s.jsonl", run->id);
		kernel_kill(&run->runner->kernel);
		wv_die_err(&err);
	}
	journal->buf.n = 0;
}
