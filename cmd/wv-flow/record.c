/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/record.h"
#include "firewall/firewall.h"
#include "run.h"

#include <string.h>

enum { SUMMARIES_MAX = 20, SUMMARY_MAX = 500 /* bytes of each */ };

#define CARD_ID "card-1"

static void
put_telemetry(struct run *run, cJSON *record)
{
	wv_put(run->arena, wv_put_object(run->arena, record, "metadata"),
		"telemetry", wv_telemetry(run->arena, run->cause));
}

static cJSON *
card_of(struct wv_arena *arena, const char *path, const char *capability)
{
	cJSON *card = wv_json_object(arena), *items = wv_json_array(arena);
	cJSON *item = wv_json_object(arena);

	wv_put_string(arena, item, "id", capability);
	wv_put_string(arena, item, "label", path);
	wv_put_string(arena, item, "description",
		wv_printf(arena, "Step %s of the flow.", path));
	wv_put_string(arena, item, "capability_id", capability);
	wv_push(items, item);
	wv_put_string(arena, card, "id", CARD_ID);
	wv_put(arena, card, "items", items);
	return card;
}

cJSON *
record_step(struct task *task, const char *capability, int64_t timeout_ms)
{
	struct run *run = task->node->level->run;
	struct wv_arena *arena = run->arena;
	cJSON *decision = wv_json_object(arena), *cards = wv_json_array(arena);
	const char *path = task_path(task);
	cJSON *metadata;
	char id[WV_ID_MAX];

	wv_id_new(id, "rd");
	wv_push(cards, card_of(arena, path, capability));
	wv_put_string(arena, decision, "id", id);
	wv_put(arena, decision, "choice_cards", cards);
	wv_put_string(arena, decision, "selected_item_id", capability);
	wv_put_string(arena, decision, "selected_card_id", CARD_ID);
	wv_put(arena, decision, "timestamp", wv_json_time(arena, wv_now()));
	wv_put_string(arena, decision, "context_summary",
		wv_printf(arena, "step %s of %s", path,
			run->runner->flow->capability));
	metadata = wv_put_object(arena, decision, "metadata");
	wv_put(arena, metadata, "x_wv_arguments",
		wv_json_copy(arena, task->arguments));
	if (run->justification != NULL)
		wv_put_string(arena, metadata, "x_wv_justification",
			run->justification);
	if (timeout_ms > 0)
		wv_put(arena, metadata, "x_wv_timeout_ms",
			wv_json_int(arena, timeout_ms));
	put_telemetry(run, decision);
	return decision;
}

/* structured_data of what failed; the message may quote a caller's values. */
static cJSON *
error_data(struct wv_arena *arena, const struct failure *failure)
{
	cJSON *data = wv_json_object(arena);
	struct wv_str clean = { 0 };

	wv_redact(&clean, failure->message, strlen(failure->message), arena,
		NULL);
	wv_put_string(arena, data, "status", "error");
	wv_put_string(arena, data, "error_class", failure->class);
	wv_put(arena, data, "error_message",
		wv_json_stringn(arena, clean.n ? clean.s : "", clean.n));
	wv_put(arena, data, "retriable",
		wv_json_bool(arena, failure->retriable));
	wv_str_free(&clean);
	return data;
}

static char *
failed_summary(struct wv_arena *arena, const cJSON *data)
{
	return wv_printf(arena, "failed (%s): %s",
		wv_get_string(data, "error_class"),
		wv_get_string(data, "error_message"));
}

cJSON *
record_failure(struct run *run, const struct failure *failure)
{
	struct wv_arena *arena = run->arena;
	cJSON *seen = wv_json_object(arena);
	cJSON *data = error_data(arena, failure);

	wv_put_string(arena, seen, "summary", failed_summary(arena, data));
	wv_put(arena, seen, "structured_data", data);
	wv_put(arena, seen, "handle_refs", wv_json_array(arena));
	return seen;
}

/* What an item came to: its data, or that of its failure. */
static cJSON *
item_data(struct run *run, const struct task *task)
{
	const cJSON *data = wv_get(task->answer, "structured_data");

	if (data != NULL)
		return wv_json_copy(run->arena, data);
	if (task->failure.class != NULL)
		return error_data(run->arena, &task->failure);
	return wv_json_null(run->arena);
}

static void
add_handles(struct wv_arena *arena, cJSON *refs, const cJSON *record)
{
	wv_json_each(ref, wv_get(record, "handle_refs"))
		wv_push(refs, wv_json_copy(arena, ref));
}

cJSON *
record_items(const struct node *node)
{
	struct run *run = node->level->run;
	struct wv_arena *arena = run->arena;
	cJSON *seen = wv_json_object(arena), *data = wv_json_object(arena);
	cJSON *items = wv_json_array(arena), *refs = wv_json_array(arena);
	size_t failed = 0;

	for (size_t i = 0; i < node->task_count; i++) {
		const struct task *task = &node->tasks[i];
		wv_push(items, item_data(run, task));
		add_handles(arena, refs, task->answer);
		failed += !task->is_over || task->failure.class != NULL;
	}
	wv_put(arena, data, "items", items);
	wv_put(arena, data, "count",
		wv_json_int(arena, (int64_t)node->task_count));
	wv_put(arena, data, "failed", wv_json_int(arena, (int64_t)failed));
	wv_put_string(arena, seen, "summary",
		wv_printf(arena, "%zu of %zu items succeeded",
			node->task_count - failed, node->task_count));
	wv_put(arena, seen, "structured_data", data);
	wv_put(arena, seen, "handle_refs", refs);
	return seen;
}

/* How it went, then what the steps that nothing needs have to say. */
static char *
summary(struct level *level)
{
	const struct flow *flow = level->flow;
	struct wv_str text = { 0 };
	size_t shown = 0;
	char *kept;

	wv_str_fmt(&text, "flow %s: %zu of %zu steps succeeded", flow->name,
		level->succeeded, flow->count);
	if (level->tolerated > 0)
		wv_str_fmt(&text, ", %zu failed", level->tolerated);
	if (level->skipped > 0)
		wv_str_fmt(&text, ", %zu skipped", level->skipped);
	for (size_t i = 0; i < flow->count && shown < SUMMARIES_MAX; i++) {
		const struct flow_step *step = &flow->steps[flow->order[i]];
		const char *s =
			wv_get_string(level->frames[step->index], "summary");
		size_t n = s ? strnlen(s, SUMMARY_MAX) : 0;
		if (step->is_needed || s == NULL)
			continue;
		while (n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80)
			n--; /* a whole character */
		wv_str_fmt(&text, "\n%s: %.*s%s", step->id, (int)n, s,
			s[n] != '\0' ? "…" : "");
		shown++;
	}
	kept = wv_dupn(level->run->arena, text.s, text.n);
	wv_str_free(&text);
	return kept;
}

/* The Handles of all steps. */
static cJSON *
handles(struct level *level)
{
	struct wv_arena *arena = level->run->arena;
	cJSON *refs = wv_json_array(arena);

	for (size_t i = 0; i < level->flow->count; i++)
		add_handles(arena, refs, level->frames[level->flow->order[i]]);
	return refs;
}

cJSON *
record_frame(struct level *level, cJSON *data, const struct failure *failure)
{
	struct run *run = level->run;
	struct wv_arena *arena = run->arena;
	cJSON *frame = wv_json_object(arena), *refs;
	char id[WV_ID_MAX], *text;

	if (data != NULL) {
		text = summary(level);
		refs = handles(level);
	} else {
		data = error_data(arena, failure);
		text = failed_summary(arena, data);
		refs = wv_json_array(arena);
	}
	wv_id_new(id, "frm");
	wv_put_string(arena, frame, "frame_id", id);
	wv_put_string(arena, frame, "capability_id", level->flow->capability);
	wv_put_string(arena, frame, "summary", text);
	wv_put(arena, frame, "structured_data", data);
	wv_put(arena, frame, "handle_refs", refs);
	wv_put(arena, frame, "created_at", wv_json_time(arena, wv_now()));
	put_telemetry(run, frame);
	return frame;
}

void
record_mark(struct run *run, cJSON *frame, const struct task *task)
{
	struct wv_arena *arena = run->arena;
	cJSON *metadata = wv_put_object(arena, frame, "metadata");
	cJSON *mark = wv_put_object(arena, metadata, "x_wv_flow");

	wv_put_string(arena, mark, "run_id", run->id);
	if (task != NULL) {
		wv_put_string(arena, mark, "step_id", task->node->path);
		if (task->value != NULL)
			wv_put(arena, mark, "item",
				wv_json_int(arena, (int64_t)task->item));
		wv_put(arena, mark, "attempt",
			wv_json_int(arena, task->attempt));
	}
	if (run->is_replay)
		wv_put(arena, mark, "replayed", wv_json_bool(arena, true));
}
