/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include "base/msg.h"

#include <string.h>

void
emit(struct caller *caller, const cJSON *record)
{
	struct wv_str line = { 0 };

	wv_json_write(&line, record);
	wv_out_line(&caller->out, line.s, line.n);
	wv_str_free(&line);
}

/* What it rests on, in the words of wv-authorize; no word is no trust. */
static const char *
check_trust(const struct call *call)
{
	const char *trust = wv_get_string(call->metadata, "x_wv_trust");
	bool is_signed = trust != NULL && strcmp(trust, "signed") == 0;
	bool is_issued = trust != NULL && strcmp(trust, "issued") == 0;

	if (call->caller->require_signed && !is_signed)
		return "signature_required";
	if (!is_signed && !is_issued && !call->caller->trust_unsigned)
		return "token_untrusted";
	return NULL;
}

static const char *
check_tool(const struct call *call)
{
	const char *sha256 = wv_get_string(call->metadata, "x_wv_tool_sha256");
	struct tool *tool = call->tool;

	if (sha256 != NULL && (tool == NULL || !tool_is(tool, sha256)))
		return "tool_drifted";
	if (call->caller->lock != NULL && tool != NULL &&
		!lock_holds(call->caller->lock, tool))
		return "tool_drifted";
	return NULL;
}

/* What is for this plan to say of a decision that the store would let go. */
static const char *
not_for_us(const struct call *call)
{
	const char *code = check_trust(call);

	return code != NULL ? code : check_tool(call);
}

/* Consumes the decision in a group of its own: NULL, it is ours to execute;
 * else the code that says why not. */
static const char *
take(struct call *call)
{
	struct wv_state *state = call->caller->state;
	struct wv_err err = WV_ERR_INIT;
	const char *code = NULL;

	if (wv_state_begin(state, &err) < 0)
		wv_die_err(&err);
	int taken = wv_decision_take(
		state, call->decision, call->caller->plan, &code, &err);
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
read_call(struct call *call, struct caller *caller, const cJSON *decision,
	struct wv_arena *arena)
{
	const cJSON *metadata = wv_get(decision, "metadata");
	const cJSON *invocation = wv_get(metadata, "x_wv_invocation");

	*call = (struct call){
		.caller = caller,
		.arena = arena,
		.decision = decision,
		.decision_id = wv_get_string(decision, "decision_id"),
		.capability_id = wv_get_string(decision, "capability_id"),
		.principal = wv_get_string(decision, "principal"),
		.token_id = wv_get_string(decision, "token_id"),
		.routing_id = wv_get_string(invocation, "routing_decision_id"),
		.item_id = wv_get_string(invocation, "item_id"),
		.metadata = metadata,
		.invocation = invocation,
		.arguments = wv_get(invocation, "arguments"),
	};
	call->tool = tools_find(&caller->tools, call->capability_id);
}

void
invoke(struct caller *caller, const struct wv_record *rec,
	struct wv_arena *arena)
{
	struct call call;
	const char *code;

	if (strcmp(wv_get_string(rec->tree, "decision"), "deny") == 0) {
		wv_lines_pass(rec, &caller->out);
		caller->counts.denied++;
		return;
	}
	read_call(&call, caller, rec->tree, arena);
	code = take(&call);
	if (code != NULL) {
		refuse(&call, code);
		caller->counts.denied++;
		return;
	}
	execute(&call);
	make_frame(&call);
	record_outcome(&call);
	emit(caller, call.frame);
	wv_str_free(&call.output);
	if (call.error_class == NULL)
		caller->counts.succeeded++;
	else
		caller->counts.failed++;
}
