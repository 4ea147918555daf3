/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include "base/msg.h"
#include "contract/record.h"
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

static const char *
write_json(struct wv_arena *arena, const cJSON *node, size_t max)
{
	struct wv_str text = { 0 };
	const char *copy = NULL;

	if (node != NULL)
		wv_json_write(&text, node);
	if (text.n > 0 && text.n <= max)
		copy = wv_dupn(arena, text.s, text.n);
	wv_str_free(&text);
	return copy;
}

static void
keep_output(struct call *call)
{
	struct output *output = &call->output;
	struct wv_artifact *artifact = &output->artifact;
	struct wv_err err = WV_ERR_INIT;

	artifact->capability_id = call->capability_id;
	artifact->principal = call->principal;
	artifact->decision_id = call->decision_id;
	artifact->media_type = output->media_type != NULL
		? output->media_type
		: wv_media_type(output->head.s, output->head.n);
	artifact->obligations =
		write_json(&call->arena, call->obligations, SIZE_MAX);
	artifact->arguments = write_json(
		&call->arena, call->arguments, WV_ARTIFACT_ARGUMENTS_MAX);
	artifact->expires_at = wv_time_add_ms(call->ended_at, WV_HANDLE_MS);
	if (output_keep(output, &err) < 0)
		wv_die_err(&err);
}

static cJSON *
frame_of_output(struct call *call)
{
	const struct output *output = &call->output;
	struct wv_firewall_options options =
		firewall_options(call->obligations);
	struct wv_firewall_input input = {
		.raw = output->head.s,
		.len = output->head.n,
		.size = output->is_spilled ? output->size : 0,
		.media_type = output->media_type,
		.capability_id = call->capability_id,
		.version = tool_version(&call->plan->tools, call->tool),
		.handle_id = call->handle_id,
		.cause = call->decision,
	};

	struct wv_err err = WV_ERR_INIT;

	/* What was read of a Handle was redacted as it was read. */
	options.is_marked = call->handle_id != NULL;
	/* And it is within reach as it is. */
	if (call->handle_id != NULL ||
		(options.mode != WV_MODE_HANDLE_ONLY && !output->is_spilled)) {
		cJSON *frame = wv_firewall_frame(
			&call->arena, &input, &options, &call->findings);
		if (call->handle_id != NULL || call->findings.cut_count == 0)
			return frame;
	}
	/* The Frame does not hold it all: the rest stays within reach, if
	 * there is room. */
	if (!output->is_spilled &&
		!wv_artifact_has_room(call->plan->state, output->size, &err)) {
		call_warn(call, "not stored: %s", err.text);
		call->findings = (struct wv_findings){ 0 };
		return wv_firewall_frame(
			&call->arena, &input, &options, &call->findings);
	}
	keep_output(call);
	call->findings = (struct wv_findings){ 0 };
	input.handle_id = output->artifact.handle_id;
	return wv_firewall_frame(
		&call->arena, &input, &options, &call->findings);
}

/* A validation that errors has not passed. */
static cJSON *
frame_of_error(struct call *call)
{
	const struct wv_firewall_options options =
		firewall_options(call->obligations);
	cJSON *frame = wv_firewall_error_frame(&call->arena,
		call->capability_id, call->error_class, call->error_message,
		call->retriable, &options, call->decision, &call->findings);

	if (call->is_validation)
		wv_put(&call->arena, wv_get(frame, "structured_data"), "passed",
			wv_json_bool(&call->arena, false));
	output_drop(&call->output);
	return frame;
}

void
call_frame(struct call *call)
{
	struct wv_arena *arena = &call->arena;
	cJSON *metadata, *relation;

	if (call->drifted != NULL) { /* a denial answers it */
		output_drop(&call->output);
		return;
	}
	/* The reader may look past the end. */
	*wv_str_room(&call->output.head, WV_JSON_SLACK) = '\0';
	call->frame = call->error_class == NULL ? frame_of_output(call)
						: frame_of_error(call);
	metadata = wv_put_object(arena, call->frame, "metadata");
	relation = wv_put_object(arena, metadata, "x_wv_call");
	if (call->routing_id != NULL)
		wv_put_string(arena, relation, "routing_decision_id",
			call->routing_id);
	wv_put_string(arena, relation, "decision_id", call->decision_id);
	if (call->item_id != NULL)
		wv_put_string(arena, relation, "item_id", call->item_id);
	wv_put_string(arena, relation, "principal", call->principal);
	if (call->warnings != NULL)
		wv_put(arena, metadata, "x_wv_warnings", call->warnings);
}
