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
card_of(struct wv_arena *arena, const struct flow_step *step)
{
	cJSON *card = wv_json_object(arena), *items = wv_json_array(arena);
	cJSON *item = wv_json_object(arena);

	wv_put_string(arena, item, "id", step->capability);
	wv_put_string(arena, item, "label", step->id);
	wv_put_string(arena, item, "description",
		wv_printf(arena, "Step %s of the flow.", step->id));
	wv_put_string(arena, item, "capability_id", step->capability);
	wv_push(items, item);
	wv_put_string(arena, card, "id", CARD_ID);
	wv_put(arena, card, "items", items);
	return card;
}

cJSON *
record_step(struct run *run, const struct flow_step *step, cJSON *arguments)
{
	struct wv_arena *arena = run->arena;
	cJSON *decision = wv_json_object(arena), *cards = wv_json_array(arena);
	cJSON *metadata;
	char id[WV_ID_MAX];

	wv_id_new(id, "rd");
	wv_push(cards, card_of(arena, step));
	wv_put_string(arena, decision, "id", id);
	wv_put(arena, decision, "choice_cards", cards);
	wv_put_string(arena, decision, "selected_item_id", step->capability);
	wv_put_string(arena, decision, "selected_card_id", CARD_ID);
	wv_put(arena, decision, "timestamp", wv_json_time(arena, wv_now()));
	wv_put_string(arena, decision, "context_summary",
		wv_printf(arena, "step %s of %s", step->id,
			run->flow->capability));
	metadata = wv_put_object(arena, decision, "metadata");
	wv_put(arena, metadata, "x_wv_arguments", arguments);
	if (run->justification != NULL)
		wv_put_string(arena, metadata, "x_wv_justification",
			run->justification);
	if (step->timeout_ms > 0)
		wv_put(arena, metadata, "x_wv_timeout_ms",
			wv_json_int(arena, step->timeout_ms));
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

/* How it went, then what the steps that nothing needs have to say. */
static char *
summary(struct run *run)
{
	const struct flow *flow = run->flow;
	struct wv_str text = { 0 };
	size_t shown = 0;
	char *kept;

	wv_str_fmt(&text, "flow %s: %zu of %zu steps succeeded", flow->name,
		run->succeeded, flow->count);
	if (run->tolerated > 0)
		wv_str_fmt(&text, ", %zu failed", run->tolerated);
	for (size_t i = 0; i < flow->count && shown < SUMMARIES_MAX; i++) {
		const struct flow_step *step = &flow->steps[flow->order[i]];
		const char *s =
			wv_get_string(run->frames[step->index], "summary");
		size_t n = s ? strnlen(s, SUMMARY_MAX) : 0;
		if (step->is_needed)
			continue;
		while (n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80)
			n--; /* a whole character */
		wv_str_fmt(&text, "\n%s: %.*s%s", step->id, (int)n, s,
			s[n] != '\0' ? "…" : "");
		shown++;
	}
	kept = wv_dupn(run->arena, text.s, text.n);
	wv_str_free(&text);
	return kept;
}

/* The Handles of all steps. */
static cJSON *
handles(struct run *run)
{
	cJSON *refs = wv_json_array(run->arena);

	for (size_t i = 0; i < run->flow->count; i++) {
		size_t step = run->flow->order[i];
		wv_json_each(ref, wv_get(run->frames[step], "handle_refs"))
			wv_push(refs, wv_json_copy(run->arena, ref));
	}
	return refs;
}

cJSON *
record_frame(struct run *run, cJSON *data, const struct failure *failure)
{
	struct wv_arena *arena = run->arena;
	cJSON *frame = wv_json_object(arena), *refs;
	char id[WV_ID_MAX], *text;

	if (data != NULL) {
		text = summary(run);
		refs = handles(run);
	} else {
		data = error_data(arena, failure);
		text = failed_summary(arena, data);
		refs = wv_json_array(arena);
	}
	wv_id_new(id, "frm");
	wv_put_string(arena, frame, "frame_id", id);
	wv_put_string(arena, frame, "capability_id", run->flow->capability);
	wv_put_string(arena, frame, "summary", text);
	wv_put(arena, frame, "structured_data", data);
	wv_put(arena, frame, "handle_refs", refs);
	wv_put(arena, frame, "created_at", wv_json_time(arena, wv_now()));
	put_telemetry(run, frame);
	record_mark(run, frame, NULL);
	return frame;
}

void
record_mark(struct run *run, cJSON *frame, const struct flow_step *step)
{
	struct wv_arena *arena = run->arena;
	cJSON *metadata = wv_put_object(arena, frame, "metadata");
	cJSON *mark = wv_put_object(arena, metadata, "x_wv_flow");

	wv_put_string(arena, mark, "run_id", run->id);
	if (step == NULL)
		return;
	wv_put_string(arena, mark, "step_id", step->id);
	wv_put(arena, mark, "attempt", wv_json_int(arena, 1));
}
