/* SPDX-License-Identifier: Apache-2.0 */
#include "resume.h"

#include "base/clock.h"
#include "base/msg.h"
#include "json/num.h"
#include "stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	KERNEL_WAIT_MS = 30000, /* for the kernel of a leg that died */
	KERNEL_LOOK_MS = 20,
};

const struct flow_step *
flow_find(const struct flow *flow, const char *path)
{
	const struct flow_step *step = NULL;

	while (*path != '\0') {
		size_t n = strcspn(path, "/[");
		char id[80];
		const size_t *index;
		if (flow == NULL || n >= sizeof(id))
			return NULL;
		memcpy(id, path, n);
		id[n] = '\0';
		index = wv_map_find(&flow->ids, id);
		if (index == NULL)
			return NULL;
		step = &flow->steps[*index];
		flow = step->flow;
		path += n;
		if (*path == '[' && step->for_each == NULL)
			return NULL;
		path += strcspn(path, "/");
		if (*path == '/' && *++path == '\0')
			return NULL;
	}
	return step;
}

static int
check_names(const struct flow *flow, const struct names *names,
	const char *option, struct wv_err *err)
{
	for (size_t i = 0; i < names->count; i++)
		if (flow_find(flow, names->list[i]) == NULL)
			return wv_err_set(err, "%s %s: there is no such step",
				option, names->list[i]);
	return 0;
}

/* What stands for the record of a step that is said to be done. */
static const cJSON *
assumed(struct wv_arena *arena, const char *path)
{
	cJSON *record = wv_json_object(arena), *answer;
	size_t n = strlen(path);
	bool is_item = path[n - 1] == ']';

	wv_put_string(arena, record, is_item ? "item" : "step", path);
	wv_put_string(arena, record, "end", "assumed");
	answer = wv_put_object(arena, record, "answer");
	wv_put_string(arena, answer, "summary", "assumed to be done");
	wv_put(arena, answer, "structured_data", wv_json_object(arena));
	wv_put(arena, answer, "handle_refs", wv_json_array(arena));
	return record;
}

static void
assume(struct journal *journal, const char *path)
{
	struct journal_entry *entry;

	journal_rerun(journal, path);
	entry = journal_entry_of(journal, path);
	entry->done = assumed(&journal->arena, path);
}

static int
check_change(const struct run *run, const struct resume *resume,
	const cJSON *input, struct wv_err *err)
{
	const struct journal *journal = run->journal;
	const char *what = NULL;

	if (strcmp(journal->flow_hash, run->runner->flow->hash) != 0)
		what = "the flow";
	else if (resume->input != NULL && !wv_json_equal(input, resume->input))
		what = "the input";
	else if (!resume->replay &&
		strcmp(journal->tools_hash, run->runner->tools_hash) != 0)
		what = run->runner->tools_hash[0] != '\0' ? "the tools' file"
							  : "what -T names";
	if (what == NULL || resume->accept_change)
		return 0;
	return wv_err_set(err,
		"run %s: %s has changed since; --accept-change goes on "
		"nevertheless",
		run->id, what);
}

/* The kernel of a leg that died may still be at work: what it authorizes
 * after we looked, we would not know of. */
static int
wait_for_kernel(const struct journal *journal, struct wv_err *err)
{
	int64_t until = wv_ticks() + KERNEL_WAIT_MS;

	wv_json_each(pair, journal->kernel) {
		int64_t pid = 0, start = 0;
		if (!wv_is_array(pair) || !wv_is_number(pair->child) ||
			!wv_is_number(pair->child->next) ||
			!wv_num_int64(pair->child, &pid) ||
			!wv_num_int64(pair->child->next, &start) || start < 0)
			continue;
		while (process_start(pid) == start && !stop_is_new()) {
			if (wv_ticks() >= until)
				return wv_err_set(err,
					"the kernel of the last leg (process "
					"%jd) is still running",
					(intmax_t)pid);
			stop_poll(NULL, 0, KERNEL_LOOK_MS);
		}
	}
	return 0;
}

/* Sent, and no answer: whether it may be sent again. */
static bool
is_unknown(const struct run *run, const struct resume *resume,
	const struct trail *trail, const struct journal_entry *entry)
{
	const struct flow_step *step =
		flow_find(run->runner->flow, entry->path);

	if (entry->sent == NULL || step == NULL)
		return false;
	if (resume->keeps_log && trail->is_whole &&
		wv_map_find(&trail->seen, entry->sent) == NULL)
		return false;
	/* of a flow nothing is sent but its fallback */
	return step->idempotent != 1 || entry->fell_back || step->flow != NULL;
}

static int
check_unknown(struct run *run, const struct resume *resume,
	const struct trail *trail, struct wv_err *err)
{
	const struct journal *journal = run->journal;
	size_t count = 0;

	for (size_t i = 0; i < journal->count; i++) {
		const char *path = journal->entries[i].path;
		if (!is_unknown(run, resume, trail, &journal->entries[i]))
			continue;
		wv_warn("step \"%s\" was sent, and nobody knows what became "
			"of it: --rerun %s or --assume-done %s",
			path, path, path);
		count++;
	}
	if (count == 0)
		return 0;
	return wv_err_set(
		err, "run %s: cannot go on: %zu unknown", run->id, count);
}

/* Nothing is left to do, and nothing is to be done again. */
static bool
is_over(const struct journal *journal, const struct resume *resume)
{
	if (journal->end == NULL || resume->rerun.count > 0 ||
		resume->assume_done.count > 0)
		return false;
	return !resume->retry_failed ||
		strcmp(wv_get_string(journal->end, "end"), "success") == 0;
}

static int
settle(struct run *run, const struct resume *resume, struct wv_err *err)
{
	struct trail trail = { 0 };
	int result = -1;

	trail.journal = run->journal;
	if (wait_for_kernel(run->journal, err) == 0 &&
		trail_read(&trail, run->runner->state, run->id, err) == 0) {
		trail_mend(&trail, run);
		if (resume->retry_failed)
			journal_retry_failed(run->journal);
		for (size_t i = 0; i < resume->rerun.count; i++)
			journal_rerun(run->journal, resume->rerun.list[i]);
		for (size_t i = 0; i < resume->assume_done.count; i++)
			assume(run->journal, resume->assume_done.list[i]);
		result = check_unknown(run, resume, &trail, err);
	}
	trail_free(&trail);
	return result;
}

int
resume_run(struct run *run, const struct resume *resume, const cJSON **input,
	struct wv_err *err)
{
	const struct flow *flow = run->runner->flow;
	bool reads = resume->replay || run->is_planning;
	const cJSON *first;

	run->journal =
		journal_open(run->runner->state, resume->run, !reads, err);
	if (run->journal == NULL)
		return -1;
	snprintf(run->id, sizeof(run->id), "%s", resume->run);
	first = run->journal->first;
	*input = wv_get(first, "input");
	run->cause = wv_get(first, "cause");
	run->justification = wv_get_string(first, "justification");
	run->is_replay = resume->replay;
	run->is_over = !reads && is_over(run->journal, resume);
	if (check_change(run, resume, *input, err) != 0 ||
		check_names(flow, &resume->rerun, "--rerun", err) != 0 ||
		check_names(flow, &resume->assume_done, "--assume-done", err) !=
			0)
		return -1;
	if (!reads && settle(run, resume, err) != 0)
		return -1;
	run->is_quiet = reads || run->is_over;
	run->leg = run->journal->leg + !run->is_quiet;
	return 0;
}

void
resume_leg(struct run *run, const struct resume *resume)
{
	const struct names *names = &resume->assume_done;

	journal_leg(run, resume);
	for (size_t i = 0; i < names->count; i++) {
		const char *path = names->list[i];
		struct level level = { .run = run };
		struct node node = { .level = &level,
			.step = flow_find(run->runner->flow, path),
			.path = path };
		event_step_started(&node);
		event_step_assumed(&node);
		journal_assumed(run, journal_find(run->journal, path)->done);
	}
}
