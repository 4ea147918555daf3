/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include "base/msg.h"

#include <string.h>

/* What it rests on, in the words of wv-authorize; no word is no trust. */
static const char *
check_trust(const struct call *call)
{
	const char *trust = wv_get_string(call->metadata, "x_wv_trust");
	bool is_signed = trust != NULL && strcmp(trust, "signed") == 0;
	bool is_issued = trust != NULL && strcmp(trust, "issued") == 0;

	if (call->plan->require_signed && !is_signed)
		return "signature_required";
	if (!is_signed && !is_issued && !call->plan->trust_unsigned)
		return "token_untrusted";
	return NULL;
}

static const char *
check_tool(struct call *call)
{
	const char *sha256 = wv_get_string(call->metadata, "x_wv_tool_sha256");
	struct tool *tool = call->tool;

	if (sha256 != NULL && (tool == NULL || !tool_is(tool, sha256))) {
		call->drifted = "the tool is not the one that was judged";
		return "tool_drifted";
	}
	for (; call->plan->lock != NULL && tool != NULL; tool = tool->wrapped) {
		const char *why = lock_misses(call->plan->lock, tool);
		if (why == NULL)
			continue;
		call->drifted =
			wv_printf(&call->arena, "%s %s", tool->capability, why);
		return "tool_drifted";
	}
	return NULL;
}

/* What is for this plan to say of a decision that the store would let go. */
static const char *
not_for_us(struct call *call)
{
	const char *code = check_trust(call);

	return code != NULL ? code : check_tool(call);
}

/* Consumes the decision in a group of its own: NULL, it is ours to execute;
 * else the code that says why not. */
static const char *
take(struct call *call)
{
	struct wv_state *state = call->plan->state;
	struct wv_err err = WV_ERR_INIT;
	const char *code = NULL;

	if (wv_state_begin(state, &err) < 0)
		wv_die_err(&err);
	int taken = wv_decision_take(
		state, call->decision, call->plan->id, &code, &err);
	if (taken < 0)
		wv_die_err(&err);
	if (taken == 1)
		code = not_for_us(call);
	if (code != NULL)
		wv_state_rollback(state);
	else if (wv_state_commit(state, &err) < 0)
		wv_die_err(&err);
	return code;
}

static void
read_call(struct call *call, struct plan *plan, const cJSON *decision)
{
	const cJSON *metadata = wv_get(decision, "metadata");
	const cJSON *invocation = wv_get(metadata, "x_wv_invocation");

	call->plan = plan;
	call->decision = decision;
	call->decision_id = wv_get_string(decision, "decision_id");
	call->capability_id = wv_get_string(decision, "capability_id");
	call->principal = wv_get_string(decision, "principal");
	call->token_id = wv_get_string(decision, "token_id");
	call->routing_id = wv_get_string(invocation, "routing_decision_id");
	call->item_id = wv_get_string(invocation, "item_id");
	call->metadata = metadata;
	call->invocation = invocation;
	call->arguments = call->filled = wv_get(invocation, "arguments");
	call->obligations = wv_get(metadata, "x_wv_obligations");
	call->tool = tools_find(&plan->tools, call->capability_id);
	call->activated_ms = -1;
}

bool
call_take(struct call *call, struct plan *plan, const cJSON *decision)
{
	const char *code;

	read_call(call, plan, decision);
	code = take(call);
	if (code != NULL) {
		call_refuse(call, code);
		return false;
	}
	output_init(&call->output, plan->state, plan->max_output);
	call->started_at = wv_now();
	call->taken_at = wv_ticks();
	return true;
}
