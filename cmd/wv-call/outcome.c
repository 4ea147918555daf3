/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include "base/msg.h"
#include "contract/record.h"
#include "json/jcs.h"
#include "json/num.h"

#include <string.h>

static void
bound(size_t *limit, const cJSON *obligations, const char *name)
{
	const cJSON *most = wv_get(obligations, name);
	int64_t n;

	if (wv_is_number(most) && wv_num_int64(most, &n) && n >= 0 &&
		(uint64_t)n < *limit)
		*limit = (size_t)n;
}

static struct wv_firewall_options
firewall_options(const cJSON *obligations)
{
	struct wv_firewall_options options = WV_FIREWALL_OPTIONS_INIT;
	const char *mode = wv_get_string(obligations, "mode");

	bound(&options.max_rows, obligations, "max_rows");
	bound(&options.max_fields, obligations, "max_fields");
	bound(&options.max_depth, obligations, "max_depth");
	bound(&options.max_bytes, obligations, "max_bytes");
	for (int i = 0; mode != NULL && wv_firewall_modes[i] != NULL; i++) {
		if (strcmp(wv_firewall_modes[i], mode) == 0)
			options.mode = (enum wv_firewall_mode)i;
	}
	return options;
}

static void
store_output(struct call *call)
{
	struct wv_artifact *artifact = &call->artifact;
	struct wv_err err = WV_ERR_INIT;

	*artifact = (struct wv_artifact){
		.capability_id = call->capability_id,
		.principal = call->principal,
		.decision_id = call->decision_id,
		.media_type = wv_media_type(call->output.s, call->output.n),
		.expires_at = wv_time_add_ms(call->ended_at, WV_HANDLE_MS),
	};
	if (wv_artifact_write(call->caller->state, artifact, call->output.s,
		    call->output.n, &err) < 0)
		wv_die_err(&err);
}

static cJSON *
frame_of_output(struct call *call)
{
	const cJSON *obligations = wv_get(call->metadata, "x_wv_obligations");
	const struct wv_firewall_options options =
		firewall_options(obligations);
	struct wv_firewall_input input = {
		.raw = call->output.s,
		.len = call->output.n,
		.capability_id = call->capability_id,
		.version = tool_version(&call->caller->tools, call->tool),
		.cause = call->decision,
	};

	if (options.mode != WV_MODE_HANDLE_ONLY) {
		cJSON *frame = wv_firewall_frame(
			call->arena, &input, &options, &call->findings);
		if (call->findings.cut_count == 0)
			return frame;
	}
	/* The Frame does not hold it all: the rest stays within reach. */
	store_output(call);
	call->findings = (struct wv_findings){ 0 };
	input.handle_id = call->artifact.handle_id;
	return wv_firewall_frame(
		call->arena, &input, &options, &call->findings);
}

void
make_frame(struct call *call)
{
	struct wv_arena *arena = call->arena;
	cJSON *relation;

	/* The reader may look past the end. */
	*wv_str_room(&call->output, WV_JSON_SLACK) = '\0';
	if (call->error_class == NULL)
		call->frame = frame_of_output(call);
	else
		call->frame = wv_firewall_error_frame(arena,
			call->capability_id, call->error_class,
			call->error_message, call->retriable, call->decision);
	relation = wv_put_object(arena,
		wv_put_object(arena, call->frame, "metadata"), "x_wv_call");
	if (call->routing_id != NULL)
		wv_put_string(arena, relation, "routing_decision_id",
			call->routing_id);
	wv_put_string(arena, relation, "decision_id", call->decision_id);
	if (call->item_id != NULL)
		wv_put_string(arena, relation, "item_id", call->item_id);
	wv_put_string(arena, relation, "principal", call->principal);
}

static cJSON *
make_trace(const struct call *call, struct wv_arena *arena)
{
	cJSON *trace = wv_json_object(arena);
	bool good = call->error_class == NULL;

	wv_put_string(arena, trace, "plan", call->caller->plan);
	wv_put(arena, trace, "started_at",
		wv_json_time(arena, call->started_at));
	wv_put(arena, trace, "ended_at", wv_json_time(arena, call->ended_at));
	wv_put(arena, trace, "duration_ms",
		wv_json_int(arena, call->duration_ms));
	wv_put(arena, trace, "result_size_bytes",
		wv_json_int(arena, (int64_t)call->output.n));
	wv_put(arena, trace, "success", wv_json_bool(arena, good));
	if (!good)
		wv_put_string(arena, trace, "error", call->error_class);
	return trace;
}

static int
add_event(const struct call *call, struct wv_event *event, struct wv_err *err)
{
	struct wv_state *state = call->caller->state;

	event->capability_id = call->capability_id;
	event->principal = call->principal;
	event->decision_id = call->decision_id;
	event->frame_id = wv_get_string(call->frame, "frame_id");
	if (call->artifact.handle_id[0] != '\0')
		event->handle_id = call->artifact.handle_id;
	event->code = call->error_class != NULL ? call->error_class : "allowed";
	event->token_id = call->token_id;
	event->cause = call->frame;
	if (event->metadata == NULL)
		event->metadata = wv_json_object(&state->arena);
	if (call->routing_id != NULL)
		wv_put_string(&state->arena, event->metadata,
			"x_wv_routing_decision_id", call->routing_id);
	return wv_state_event(state, event, err);
}

static int
add_executed(const struct call *call, struct wv_err *err)
{
	struct wv_state *state = call->caller->state;
	struct wv_arena *arena = &state->arena;
	bool good = call->error_class == NULL;
	char sha256[WV_SHA256_HEX];
	struct wv_event event = {
		.type = "capability_executed",
		.outcome = good ? "success" : "failure",
		.error_message = good
			? NULL
			: wv_get_string(wv_get(call->frame, "structured_data"),
				  "error_message"),
		.metadata = wv_json_object(arena),
	};

	wv_put(arena, event.metadata, "x_wv_arguments",
		wv_state_arguments(state, arena, call->arguments));
	wv_put(arena, event.metadata, "x_wv_trace", make_trace(call, arena));
	wv_json_digest(sha256, call->frame);
	wv_put_string(arena, event.metadata, "x_wv_frame_sha256", sha256);
	return add_event(call, &event, err);
}

/* (group) */
static int
add_outcome(const struct call *call, struct wv_err *err)
{
	struct wv_state *state = call->caller->state;
	bool stored = call->artifact.handle_id[0] != '\0';
	struct wv_event applied = { .type = "firewall_applied",
		.outcome = "success" };
	struct wv_event created = { .type = "handle_created",
		.outcome = "success" };

	if (add_executed(call, err) < 0)
		return -1;
	if ((stored || call->findings.total > 0) &&
		add_event(call, &applied, err) < 0)
		return -1;
	if (stored &&
		(wv_artifact_record(state, &call->artifact,
			 wv_get(call->metadata, "x_wv_obligations"), err) < 0 ||
			add_event(call, &created, err) < 0))
		return -1;
	return wv_decision_done(state, call->decision_id, err);
}

void
record_outcome(struct call *call)
{
	struct wv_state *state = call->caller->state;
	struct wv_err err = WV_ERR_INIT;

	if (wv_state_begin(state, &err) == 0 && add_outcome(call, &err) == 0 &&
		wv_state_commit(state, &err) == 0)
		return;
	/* Whoever comes next finds the plan dead and the decision running. */
	if (call->artifact.handle_id[0] != '\0')
		wv_artifact_drop(state, &call->artifact);
	wv_die_err(&err);
}
