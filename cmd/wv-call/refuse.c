/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include "base/msg.h"
#include "contract/record.h"

#include <string.h>

/* is_known: the store holds exactly this decision, so what it says is so. */
static const struct refusal {
	const char *code;
	bool is_known;
	const char *reason;
} refusals[] = {
	{ "decision_unknown", false, "the decision was not made here" },
	{ "decision_altered", false,
		"the decision is not the one that was made here with its id" },
	{ "decision_consumed", true, "the decision has been used" },
	{ "decision_expired", true, "the decision is too old" },
	{ "token_revoked", true, "the decision's token was revoked" },
	{ "token_untrusted", true,
		"the decision rests on a token that was not issued here" },
	{ "signature_required", true,
		"the decision rests on a token without a signature" },
	{ "tool_drifted", true, NULL }, /* the call has it */
	{ "stopped", true,
		"the kernel is stopped: a file named stop is in its state "
		"folder" },
};

static const struct refusal *
find(const char *code)
{
	const struct refusal *refusal = refusals;

	while (strcmp(refusal->code, code) != 0)
		refusal++;
	return refusal;
}

static const char *
reason(const struct call *call, const struct refusal *refusal)
{
	return refusal->reason != NULL ? refusal->reason : call->drifted;
}

static const char *
capability_name(const struct call *call)
{
	return wv_id_is_kernel(call->capability_id) ? call->capability_id
						    : WV_NO_CAPABILITY;
}

static cJSON *
make_denial(struct call *call, const struct refusal *refusal)
{
	struct wv_arena *arena = &call->arena;
	cJSON *denial = wv_json_object(arena);
	cJSON *metadata = wv_json_object(arena), *invocation;
	char id[WV_ID_MAX];

	wv_id_new(id, "dec");
	wv_put_string(arena, denial, "decision_id", id);
	wv_put_string(arena, denial, "decision", "deny");
	wv_put_string(arena, denial, "capability_id", capability_name(call));
	wv_put_string(arena, denial, "principal",
		refusal->is_known ? call->principal : WV_NO_PRINCIPAL);
	if (refusal->is_known && call->token_id != NULL)
		wv_put_string(arena, denial, "token_id", call->token_id);
	wv_put_string(arena, denial, "reason", reason(call, refusal));
	wv_put(arena, denial, "timestamp",
		wv_json_time(arena, call->plan->state->now));
	wv_put_string(arena, metadata, "x_wv_code", refusal->code);
	/* The ids only: they relate the answer, and claim nothing. */
	invocation = wv_put_object(arena, metadata, "x_wv_invocation");
	if (call->routing_id != NULL)
		wv_put_string(arena, invocation, "routing_decision_id",
			call->routing_id);
	if (call->item_id != NULL)
		wv_put_string(arena, invocation, "item_id", call->item_id);
	wv_put(arena, metadata, "telemetry",
		wv_telemetry(arena, call->decision));
	wv_put(arena, denial, "metadata", metadata);
	return denial;
}

/* (group) */
static int
record(const struct call *call, const cJSON *denial,
	const struct refusal *refusal, struct wv_err *err)
{
	struct wv_state *state = call->plan->state;
	struct wv_event event = {
		.type = "capability_denied",
		.capability_id = wv_get_string(denial, "capability_id"),
		.principal = wv_get_string(denial, "principal"),
		.decision_id = wv_get_string(denial, "decision_id"),
		.outcome = "failure",
		.error_message = reason(call, refusal),
		.code = refusal->code,
		.token_id = wv_get_string(denial, "token_id"),
		.cause = denial,
		.metadata = wv_json_object(&state->arena),
	};

	if (call->routing_id != NULL)
		wv_put_string(&state->arena, event.metadata,
			"x_wv_routing_decision_id", call->routing_id);
	wv_put_string(&state->arena, event.metadata, "x_wv_presented",
		call->decision_id);
	return wv_state_event(state, &event, err);
}

/* (group) */
static int
deny(struct call *call, const struct refusal *refusal, struct wv_err *err)
{
	cJSON *denial = make_denial(call, refusal);

	if (record(call, denial, refusal, err) < 0)
		return -1;
	call_answer(call, denial);
	wv_note("%s: deny: %s: %s", call->decision_id, refusal->code,
		reason(call, refusal));
	return 0;
}

void
call_refuse(struct call *call, const char *code)
{
	struct wv_state *state = call->plan->state;
	struct wv_err err = WV_ERR_INIT;

	if (wv_state_begin(state, &err) < 0 ||
		deny(call, find(code), &err) < 0 ||
		wv_state_commit(state, &err) < 0)
		wv_die_err(&err);
}

int
call_refuse_taken(struct call *call, const char *code, struct wv_err *err)
{
	return deny(call, find(code), err);
}
