/* SPDX-License-Identifier: Apache-2.0 */
/* The log of a run, read back. */
#include "base/gz.h"
#include "json/num.h"
#include "kernel/reader.h"
#include "kernel/segment.h"
#include "resume.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1 << 20 }; /* an event has at most 64 KiB */

static void
note(struct trail *trail, const cJSON *event, const char *run)
{
	const cJSON *metadata = wv_get(event, "metadata");
	const cJSON *of = wv_get(metadata, "x_wv_run");
	const char *type = wv_get_string(event, "event_type");
	const char *id = wv_get_string(metadata, "x_wv_routing_decision_id");
	const char *of_run = wv_get_string(of, "run_id");
	const char *step = wv_get_string(of, "step_id");
	int64_t leg;

	/* what others appended proves nothing */
	if (type == NULL || wv_get(metadata, "x_wv_source") != NULL)
		return;
	if (id != NULL && wv_map_find(&trail->sent, id) != NULL &&
		strcmp(type, "capability_denied") != 0)
		wv_map_add(&trail->seen, wv_dup(&trail->arena, id), 1);
	if (of_run == NULL || strcmp(of_run, run) != 0 ||
		!wv_is_number(wv_get(of, "leg")) ||
		!wv_num_int64(wv_get(of, "leg"), &leg))
		return;
	wv_map_add(&trail->seen,
		wv_printf(&trail->arena, "%" PRId64 " %s %s", leg, type,
			step ? step : ""),
		1);
}

static int
read_lines(struct trail *trail, struct wv_reader *in, const char *run,
	struct wv_err *err)
{
	static const char routed[] = "\"x_wv_routing_decision_id\"";
	struct wv_arena arena = WV_ARENA_INIT;
	int got;

	while ((got = wv_reader_next(in, err)) == 1) {
		if (memmem(in->line, in->len, run, strlen(run)) == NULL &&
			memmem(in->line, in->len, routed, sizeof(routed) - 1) ==
				NULL)
			continue;
		note(trail,
			wv_json_read(&arena, in->line, in->len,
				&wv_json_defaults, NULL),
			run);
		wv_arena_reset(&arena);
	}
	wv_arena_free(&arena);
	wv_reader_free(in);
	return got;
}

static int
read_segment(struct trail *trail, int dir, const struct wv_segment *segment,
	const char *run, struct wv_err *err)
{
	struct wv_reader in = { .fd = wv_segment_open(dir, segment, err),
		.left = UINT64_MAX,
		.max_line = LINE_MAX_BYTES };
	int result = -1;

	if (in.fd < 0)
		return -1;
	if (!segment->gz || (in.gz = wv_gz_new(in.fd, err)) != NULL)
		result = read_lines(trail, &in, run, err);
	if (in.gz != NULL)
		wv_gz_free(in.gz);
	close(in.fd);
	return result;
}

int
trail_read(struct trail *trail, struct wv_state *state, const char *run,
	struct wv_err *err)
{
	struct wv_segments segments = { 0 };
	struct wv_summit summit;
	struct wv_reader in = { .max_line = LINE_MAX_BYTES };
	int result;

	for (size_t i = 0; i < trail->journal->count; i++)
		if (trail->journal->entries[i].sent != NULL)
			wv_map_add(&trail->sent,
				trail->journal->entries[i].sent, 1);
	in.fd = wv_state_log(state, &summit, &in.left, err);
	if (in.fd < 0)
		return -1;
	result = wv_segments_read(&segments, state->dir, summit.segment, err);
	trail->is_whole = segments.count == summit.segment;
	for (size_t i = 0; i < segments.count && result == 0; i++)
		result = read_segment(
			trail, state->dir, &segments.list[i], run, err);
	if (result == 0)
		result = read_lines(trail, &in, run, err);
	wv_segments_free(&segments);
	close(in.fd);
	return result;
}

static bool
has(struct trail *trail, int64_t leg, const char *type, const char *step)
{
	return wv_map_find(&trail->seen,
		       wv_printf(&trail->arena, "%" PRId64 " %s %s", leg, type,
			       step ? step : "")) != NULL;
}

/* Of a log whose beginning was moved away nobody knows what it had. */
static bool
lacks(struct trail *trail, int64_t leg, const char *type, const char *step)
{
	return trail->is_whole && !has(trail, leg, type, step);
}

/* In the log, a step that the journal has settled must have its end. */
static void
mend_step(
	struct run *run, struct trail *trail, const struct journal_entry *entry)
{
	const struct flow_step *step =
		flow_find(run->runner->flow, entry->path);
	const char *end = wv_get_string(entry->done, "end");
	struct level level = { .run = run };
	struct task task = { 0 };
	const cJSON *items = wv_get(entry->done, "items");
	int64_t count = 1;
	struct node node = { .level = &level,
		.step = step,
		.path = entry->path,
		.tasks = &task,
		.attempt = entry->attempt };

	if (step == NULL || end == NULL || entry->leg != run->leg ||
		has(trail, run->leg, "flow_step_completed", entry->path))
		return;
	if (lacks(trail, run->leg, "flow_step_started", entry->path))
		event_step_started(&(struct node){
			.level = &level, .step = step, .path = entry->path });
	else if (!has(trail, run->leg, "flow_step_started", entry->path))
		return;
	if (strcmp(end, "assumed") == 0) {
		event_step_assumed(&node);
		return;
	}
	if (wv_is_number(items))
		wv_num_int64(items, &count);
	node.task_count = (size_t)count;
	task_recall(&task, entry->done);
	node.failure = task.failure;
	node.end = strcmp(end, "succeeded") == 0 ? NODE_SUCCEEDED
		: strcmp(end, "tolerated") == 0  ? NODE_TOLERATED
		: strcmp(end, "skipped") == 0    ? NODE_SKIPPED
						 : NODE_FAILED;
	node_tell_end(&node);
}

void
trail_mend(struct trail *trail, struct run *run)
{
	struct journal *journal = run->journal;
	const char *outcome = wv_get_string(journal->end, "end");
	bool failed = outcome != NULL && strcmp(outcome, "success") != 0;
	const cJSON *data =
		wv_get(wv_get(journal->end, "frame"), "structured_data");
	struct failure failure = { wv_get_string(data, "error_class"),
		wv_get_string(data, "error_message"), false };

	run->leg = journal->leg;
	if (run->leg == 0 && lacks(trail, 0, "flow_started", NULL))
		event_flow(run, "flow_started", NULL, NULL);
	for (size_t i = 0; i < journal->count; i++)
		if (journal->entries[i].done != NULL)
			mend_step(run, trail, &journal->entries[i]);
	if (journal->end != NULL &&
		lacks(trail, run->leg, "flow_completed", NULL) &&
		lacks(trail, run->leg, "flow_failed", NULL))
		event_flow(run, failed ? "flow_failed" : "flow_completed",
			outcome, failed ? &failure : NULL);
	event_commit(run);
}

void
trail_free(struct trail *trail)
{
	wv_map_free(&trail->sent);
	wv_map_free(&trail->seen);
	wv_arena_free(&trail->arena);
}
