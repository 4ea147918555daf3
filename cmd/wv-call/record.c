/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include "base/msg.h"
#include "contract/record.h"
#include "json/jcs.h"

static cJSON *
make_trace(const struct call *call, struct wv_arena *arena)
{
	const struct plan *plan = call->plan;
	cJSON *trace = wv_json_object(arena);
	bool good = call->error_class == NULL;

	wv_put_string(arena, trace, "plan", plan->id);
	if (plan->label != NULL)
		wv_put_string(arena, trace, "plan_label", plan->label);
	wv_put(arena, trace, "started_at",
		wv_json_time(arena, call->started_at));
	wv_put(arena, trace, "ended_at", wv_json_time(arena, call->ended_at));
	wv_put(arena, trace, "duration_ms",
		wv_json_int(arena, call->duration_ms));
	wv_put(arena, trace, "queued_ms", wv_json_int(arena, call->queued_ms));
	if (call->activated_ms >= 0)
		wv_put(arena, trace, "activated_ms",
			wv_json_int(arena, call->activated_ms));
	wv_put(arena, trace, "result_size_bytes",
		wv_json_int(arena, (int64_t)call->output.size));
	if (call->findings.total > 0)
		wv_put(arena, trace, "redactions",
			wv_json_int(arena, (int64_t)call->findings.total));
	wv_put(arena, trace, "success", wv_json_bool(arena, good));
	if (!good)
		wv_put_string(arena, trace, "error", call->error_class);
	if (call->changes != NULL)
		wv_put(arena, trace, "changes",
			wv_json_copy(arena, call->changes));
	if (call->warnings != NULL)
		wv_put(arena, trace, "warnings",
			wv_json_copy(arena, call->warnings));
	return trace;
}

/* The Handle that was made, or the one that was read. */
static const char *
handle_of(const struct call *call)
{
	if (call->output.artifact.handle_id[0] != '\0')
		return call->output.artifact.handle_id;
	return call->handle_id;
}

static int
add_event(const struct call *call, struct wv_event *event, struct wv_err *err)
{
	struct wv_state *state = call->plan->state;

	event->capability_id = call->capability_id;
	event->principal = call->principal;
	event->decision_id = call->decision_id;
	event->frame_id = wv_get_string(call->frame, "frame_id");
	if (event->handle_id == NULL)
		event->handle_id = handle_of(call);
	event->code = call->error_class != NULL ? call->error_class : "allowed";
	event->token_id = call->token_id;
	event->cause = call->frame != NULL ? call->frame : call->decision;
	if (event->metadata == NULL)
		event->metadata = wv_json_object(&state->arena);
	if (call->routing_id != NULL)
		wv_put_string(&state->arena, event->metadata,
			"x_wv_routing_decision_id", call->routing_id);
	return wv_state_event(state, event, err);
}

/* As the Frame has it: cleaned and redacted. */
static const char *
message_of(const struct call *call)
{
	const char *message = wv_get_string(
		wv_get(call->frame, "structured_data"), "error_message");

	return message != NULL ? message : call->error_message;
}

static int
add_executed(const struct call *call, struct wv_err *err)
{
	struct wv_state *state = call->plan->state;
	struct wv_arena *arena = &state->arena;
	bool good = call->error_class == NULL;
	char sha256[WV_SHA256_HEX];
	struct wv_event event = {
		.type = "capability_executed",
		.outcome = good ? "success" : "failure",
		.error_message = good ? NULL : message_of(call),
		.metadata = wv_json_object(arena),
	};

	wv_put(arena, event.metadata, "x_wv_arguments",
		wv_state_arguments(state, arena, call->arguments));
	wv_put(arena, event.metadata, "x_wv_trace", make_trace(call, arena));
	if (call->frame != NULL) {
		wv_json_digest(sha256, call->frame);
		wv_put_string(
			arena, event.metadata, "x_wv_frame_sha256", sha256);
	}
	return add_event(call, &event, err);
}

static int
add_simple(const struct call *call, const char *type, struct wv_err *err)
{
	struct wv_event event = { .type = type, .outcome = "success" };

	return add_event(call, &event, err);
}

int
call_record_reading(
	struct call *call, const char *handle_id, struct wv_err *err)
{
	struct wv_event event = { .type = "handle_resolved",
		.outcome = "success",
		.handle_id = handle_id };

	return add_event(call, &event, err);
}

static int
add_applied(const struct call *call, struct wv_err *err)
{
	struct wv_arena *arena = &call->plan->state->arena;
	struct wv_event event = { .type = "firewall_applied",
		.outcome = "success",
		.metadata = wv_json_object(arena) };
	cJSON *found = wv_firewall_found(arena, &call->findings);

	if (found != NULL)
		wv_put(arena, event.metadata, "x_wv_found", found);
	return add_event(call, &event, err);
}

/* (group) */
static int
add_outcome(struct call *call, struct wv_err *err)
{
	struct wv_state *state = call->plan->state;
	const struct wv_artifact *artifact = &call->output.artifact;
	bool stored = artifact->handle_id[0] != '\0';
	bool was_read = call->handle_id != NULL && call->error_class == NULL;

	if (add_executed(call, err) < 0)
		return -1;
	if (call->drifted != NULL &&
		call_refuse_taken(call, "tool_drifted", err) < 0)
		return -1;
	if (was_read && add_simple(call, "handle_resolved", err) < 0)
		return -1;
	if ((stored || call->findings.total > 0 ||
		    call->findings.injection_count > 0) &&
		add_applied(call, err) < 0)
		return -1;
	if (stored &&
		(wv_artifact_record(state, artifact, err) < 0 ||
			add_simple(call, "handle_created", err) < 0))
		return -1;
	return wv_decision_done(state, call->decision_id, err);
}

void
call_record(struct call *call)
{
	struct wv_state *state = call->plan->state;
	struct wv_err err = WV_ERR_INIT;

	if (wv_state_begin(state, &err) == 0 && add_outcome(call, &err) == 0 &&
		wv_state_commit(state, &err) == 0) {
		if (call->drifted == NULL)
			call_answer(call, call->frame);
		return;
	}
	/* Whoever comes next finds the plan dead and the decision running. */
	output_drop(&call->output);
	wv_die_err(&err);
}
