/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is checked before and after a tool runs.  A wrapped tool is checked
 * with all that it wraps: what one of them forbids is forbidden.
 */
#include "call.h"

#include "wrapped.h"

enum { MAX_CHAIN = 16 };

/* Hints of a server tighten; what it claims of its harmlessness is none. */
static bool
is_read_only(const struct tool *tool)
{
	const cJSON *hints = wv_get(tool->listed, "annotations");

	if (wv_is_false(wv_get(hints, "readOnlyHint")) ||
		wv_is_true(wv_get(hints, "destructiveHint")))
		return false;
	return is_validation(tool) ||
		wv_is_true(wv_get(tool->entry, "read_only"));
}

/* What a tool does not say of itself is not taken for harmless. */
enum step
call_check_flags(struct call *call)
{
	const struct plan *plan = call->plan;
	bool needs_checkpoint = plan->require_checkpoint;

	for (struct tool *tool = call->tool; tool != NULL;
		tool = tool->wrapped) {
		if (plan->read_only && !is_read_only(tool))
			return call_fail(call, "access_denied", false,
				"the plan is read-only, and the tool is not "
				"declared read_only");
		if (is_validation(tool))
			needs_checkpoint = false;
		if (needs_checkpoint &&
			!wv_is_true(wv_get(tool->entry, "checkpointable")))
			return call_fail(call, "checkpoint_required", false,
				"the plan requires checkpoints, and the tool "
				"is not declared checkpointable");
	}
	call->needs_checkpoint =
		needs_checkpoint && !is_read_only(call->target);
	return STEP_DONE;
}

const char *
call_misfit(struct call *call, const struct wv_schema *schema, const char *what,
	const cJSON *value)
{
	struct wv_schema_error *errors = NULL;

	if (schema == NULL || wv_schema_valid(schema, value) == 1)
		return NULL;
	if (wv_schema_errors(schema, value, WV_BRANCH_NEAREST, &call->arena, 1,
		    &errors) < 0 ||
		errors == NULL)
		return wv_printf(&call->arena,
			"%s: whether the schema holds cannot be told", what);
	return wv_printf(&call->arena, "%s%s: %s", what, errors->instance,
		errors->message);
}

enum step
call_check_input(struct call *call)
{
	const cJSON *arguments = call->filled;
	struct wv_err err = WV_ERR_INIT;

	if (arguments == NULL)
		arguments = wv_json_object(&call->arena);
	for (struct tool *tool = call->tool; tool != NULL;
		tool = tool->wrapped) {
		const char *why =
			call_misfit(call, tool->input, "arguments", arguments);
		if (why != NULL)
			return call_fail(
				call, "schema_validation", false, "%s", why);
		if (tool->wrapped == NULL)
			break;
		arguments =
			wrapped_arguments(tool, arguments, &call->arena, &err);
		if (arguments == NULL)
			return call_fail(call, "schema_validation", false, "%s",
				err.text);
	}
	call->target_arguments = arguments;
	return STEP_DONE;
}

/* The output does not fit: the tool has run all the same. */
static enum step
complain(struct call *call, const char *why)
{
	if (call->plan->strict_output)
		return call_fail(call, "schema_validation", false, "%s", why);
	call_warn(call, "%s", why);
	return STEP_DONE;
}

/* NULL: it is no JSON, or too much. */
static const cJSON *
read_output(struct call *call)
{
	struct wv_str *head = &call->output.head;

	if (call->output.is_spilled)
		return NULL;
	/* The reader may look past the end. */
	*wv_str_room(head, WV_JSON_SLACK) = '\0';
	return wv_json_read(
		&call->arena, head->s, head->n, &wv_json_defaults, NULL);
}

static const char *
not_checked(const struct call *call)
{
	return call->output.is_spilled
		? "the output is too long to be checked"
		: "the output is not JSON, so its schema cannot hold";
}

/* What it said is {passed, message?, data?}, and nothing else of it counts. */
static const cJSON *
take_verdict(struct call *call)
{
	struct output *output = &call->output;
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };
	cJSON *verdict = NULL;

	*wv_str_room(&output->head, WV_JSON_SLACK) = '\0';
	if (output->is_spilled)
		wv_err_set(&err, "its result is larger than %d bytes",
			OUTPUT_MEMORY);
	else
		verdict = validation_result(
			&call->arena, output->head.s, output->head.n, &err);
	if (verdict != NULL) {
		wv_json_write(&text, verdict);
		output_free(output);
		output_init(output, call->plan->state, text.n);
		output->media_type = "application/json";
		output_add(output, text.s, text.n, &err);
		wv_str_free(&text);
		call->passed = wv_is_true(wv_get(verdict, "passed"));
	}
	if (wv_err_is_set(&err))
		call_fail(call, "execution", false, "%s", err.text);
	return verdict;
}

/* From what ran to what was called. */
static size_t
find_chain(struct call *call, struct tool *chain[MAX_CHAIN], bool *has_schema)
{
	size_t n = 0, at;

	for (struct tool *tool = call->tool; tool != NULL && n < MAX_CHAIN;
		tool = tool->wrapped)
		n++;
	at = n;
	for (struct tool *tool = call->tool; at > 0; tool = tool->wrapped) {
		chain[--at] = tool;
		*has_schema |= tool->output != NULL;
	}
	return n;
}

enum step
call_check_output(struct call *call)
{
	struct tool *chain[MAX_CHAIN];
	bool has_schema = false;
	size_t n = find_chain(call, chain, &has_schema);
	const cJSON *value = NULL;

	if (!has_schema && !call->is_validation)
		return STEP_DONE;
	if (has_schema)
		value = read_output(call);
	for (size_t i = 0; i < n; i++) {
		if (is_validation(chain[i]) &&
			(value = take_verdict(call)) == NULL)
			return STEP_FAILED;
		if (chain[i]->output == NULL)
			continue;
		const char *why = value == NULL
			? not_checked(call)
			: call_misfit(call, chain[i]->output, "output", value);
		if (why != NULL && complain(call, why) == STEP_FAILED)
			return STEP_FAILED;
	}
	return STEP_DONE;
}
