/* SPDX-License-Identifier: Apache-2.0 */
#include "authorize.h"

#include "base/id.h"
#include "base/msg.h"
#include "kernel/decision.h"
#include "kernel/store.h"

#include <string.h>

bool
is_allowed(const struct request *request)
{
	return strcmp(request->verdict.code, "allowed") == 0;
}

static struct wv_time
valid_until(const struct authorizer *a, const struct request *request)
{
	const struct wv_token *token = &request->verdict.credential->token;
	struct wv_time end = wv_time_add_ms(a->now, a->ttl_ms);

	if (token->expires && wv_time_cmp(token->expires_at, end) < 0)
		return token->expires_at;
	return end;
}

/* What is to be called, with the ids that relate the answer. */
static void
add_invocation(struct wv_arena *arena, cJSON *metadata, struct request *request)
{
	cJSON *call = wv_put_object(arena, metadata, "x_wv_invocation");

	wv_put_string(arena, call, "routing_decision_id",
		wv_get_string(request->routing, "id"));
	if (request->selection.item_id != NULL)
		wv_put_string(
			arena, call, "item_id", request->selection.item_id);
	if (request->arguments != NULL) {
		wv_put(arena, call, "arguments", request->arguments);
		wv_put_string(arena, call, "arguments_sha256",
			request->arguments_sha256);
	}
	if (request->timeout_ms > 0)
		wv_put(arena, call, "timeout_ms",
			wv_json_int(arena, request->timeout_ms));
}

static void
add_terms(const struct authorizer *a, struct wv_arena *arena, cJSON *metadata,
	const struct request *request)
{
	const struct verdict *v = &request->verdict;

	if (v->answer.obligations != NULL)
		wv_put(arena, metadata, "x_wv_obligations",
			v->answer.obligations);
	wv_put(arena, metadata, "x_wv_valid_until",
		wv_json_time(arena, valid_until(a, request)));
}

static cJSON *
make_metadata(const struct authorizer *a, struct wv_arena *arena,
	struct request *request)
{
	const struct verdict *v = &request->verdict;
	cJSON *metadata = wv_json_object(arena);

	wv_put_string(arena, metadata, "x_wv_code", v->code);
	if (v->answer.rule != NULL)
		wv_put_string(arena, metadata, "x_wv_rule", v->answer.rule);
	add_invocation(arena, metadata, request);
	if (is_allowed(request))
		add_terms(a, arena, metadata, request);
	wv_put_string(arena, metadata, "x_wv_policy_sha256", a->policy.sha256);
	if (request->capability != NULL &&
		request->capability->fingerprint != NULL)
		wv_put_string(arena, metadata, "x_wv_tool_sha256",
			request->capability->fingerprint);
	if (v->credential != NULL)
		wv_put_string(arena, metadata, "x_wv_trust",
			wv_trust_name(v->credential->trust));
	wv_put(arena, metadata, "telemetry",
		wv_telemetry(arena, request->routing));
	return metadata;
}

/* A text of the request that names no capability is not repeated. */
static const char *
capability_name(const struct request *request)
{
	const char *id = request->selection.capability_id;

	if (request->selection.end != WV_SELECTED || !wv_id_is_kernel(id))
		return WV_NO_CAPABILITY;
	return id;
}

static cJSON *
make_decision(const struct authorizer *a, struct wv_arena *arena,
	struct request *request)
{
	const struct verdict *v = &request->verdict;
	cJSON *decision = wv_json_object(arena);
	char id[WV_ID_MAX];

	wv_id_new(id, "dec");
	wv_put_string(arena, decision, "decision_id", id);
	wv_put_string(arena, decision, "decision",
		is_allowed(request) ? "allow" : "deny");
	wv_put_string(
		arena, decision, "capability_id", capability_name(request));
	wv_put_string(arena, decision, "principal", v->principal);
	if (v->credential != NULL)
		wv_put_string(
			arena, decision, "token_id", v->credential->token.id);
	wv_put_string(arena, decision, "reason", v->reason);
	wv_put(arena, decision, "timestamp", wv_json_time(arena, a->now));
	wv_put(arena, decision, "metadata", make_metadata(a, arena, request));
	return decision;
}

static int
add_event(const struct authorizer *a, const struct request *request,
	const cJSON *decision, const char *type, const char *code,
	const char *token_id, struct wv_err *err)
{
	struct wv_arena *arena = &a->state->arena;
	bool is_allow = is_allowed(request);
	struct wv_event event = {
		.type = type,
		.capability_id = wv_get_string(decision, "capability_id"),
		.principal = request->verdict.principal,
		.decision_id = wv_get_string(decision, "decision_id"),
		.outcome = is_allow ? "success" : "failure",
		.error_message = is_allow ? NULL : request->verdict.reason,
		.code = code,
		.token_id = token_id,
		.cause = decision,
		.metadata = wv_json_object(arena),
	};

	wv_put_string(arena, event.metadata, "x_wv_routing_decision_id",
		wv_get_string(request->routing, "id"));
	if (request->verdict.answer.rule != NULL)
		wv_put_string(arena, event.metadata, "x_wv_rule",
			request->verdict.answer.rule);
	if (request->arguments != NULL)
		wv_put(arena, event.metadata, "x_wv_arguments",
			wv_state_arguments(
				a->state, arena, request->arguments));
	return wv_state_event(a->state, &event, err);
}

/* What is spent of a narrowed token is the one that it was made from. */
static int
record_allow(struct authorizer *a, struct request *request,
	const cJSON *decision, struct wv_err *err)
{
	const struct wv_token *token = &request->verdict.credential->token;

	if (window_add(a, request, &a->state->arena, err) < 0 ||
		wv_decision_record(a->state, decision, token,
			valid_until(a, request), err) < 0 ||
		add_event(a, request, decision, "capability_authorized",
			"allowed", token->id, err) < 0)
		return -1;
	if (!token->single_use)
		return 0;
	return add_event(a, request, decision, "token_invalidated",
		"token_spent", wv_token_root(token), err);
}

/* (group) */
static int
record(struct authorizer *a, struct request *request, const cJSON *decision,
	struct wv_err *err)
{
	if (is_allowed(request))
		return record_allow(a, request, decision, err);
	return add_event(a, request, decision, "capability_denied",
		request->verdict.code, wv_get_string(decision, "token_id"),
		err);
}

/* (group, but for a dry run) */
static cJSON *
settle(struct authorizer *a, struct request *request, bool stopped,
	struct wv_arena *arena, struct wv_err *err)
{
	struct verdict *v = &request->verdict;
	cJSON *decision;

	explain(a, request, "kernel: %s", stopped ? "no: stopped" : "runs");
	if (stopped) {
		v->code = "stopped";
		v->reason = "the kernel is stopped: a file named stop is in "
			    "its state folder";
		v->answer = (struct policy_answer){ 0 };
	} else if (check_consume(a, request, arena, err) < 0) {
		return NULL;
	}
	decision = make_decision(a, arena, request);
	if (!a->dry_run && record(a, request, decision, err) < 0)
		return NULL;
	return decision;
}

static int
settle_all(struct authorizer *a, struct request *requests, size_t count,
	cJSON **decisions, struct wv_arena *arena, struct wv_err *err)
{
	bool stopped = wv_state_stopped(a->state);

	for (size_t i = 0; i < count; i++) {
		decisions[i] = settle(a, &requests[i], stopped, arena, err);
		if (decisions[i] == NULL)
			return -1;
	}
	return 0;
}

static int
settle_group(struct authorizer *a, struct request *requests, size_t count,
	cJSON **decisions, struct wv_arena *arena, struct wv_err *err)
{
	if (wv_state_begin(a->state, err) < 0)
		return -1;
	a->now = a->state->now;
	a->view++;
	if (settle_all(a, requests, count, decisions, arena, err) < 0) {
		wv_state_rollback(a->state);
		return -1;
	}
	return wv_state_commit(a->state, err);
}

/* No token of this process is to be judged by a clock that is behind what the
 * kernel has seen. */
static int
kernel_time(struct authorizer *a, struct wv_err *err)
{
	struct wv_summit summit;

	if (wv_store_summit(a->state->store, &summit, err) < 0)
		return -1;
	a->view++;
	a->now = wv_now();
	if (wv_time_cmp(summit.newest, a->now) > 0)
		a->now = summit.newest;
	return 0;
}

static int
judge_group(struct authorizer *a, struct request *requests, size_t count,
	cJSON **decisions, struct wv_arena *arena, struct wv_err *err)
{
	if (kernel_time(a, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		requests[i].verdict.principal = WV_NO_PRINCIPAL;
		if (check_request(a, &requests[i], arena, err) < 0)
			return -1;
	}
	return (a->dry_run ? settle_all : settle_group)(
		a, requests, count, decisions, arena, err);
}

/* What people want to know of a denial; the record says the rest. */
static void
tell(const struct authorizer *a, const struct request *request)
{
	const struct verdict *v = &request->verdict;

	explain(a, request, "%s: %s: %s",
		is_allowed(request) ? "allow" : "deny", v->code, v->reason);
	if (!a->explain && !is_allowed(request))
		wv_note("%s:%zu: deny: %s: %s", request->source, request->line,
			v->code, v->reason);
	if (strcmp(v->code, "approval_required") == 0)
		approve_tell(a, request);
}

int
decide_group(struct authorizer *a, struct request *requests, size_t count,
	struct wv_arena *arena, struct wv_out *out, struct wv_err *err)
{
	cJSON **decisions = wv_alloc(arena, count * sizeof *decisions);
	struct wv_str line = { 0 };

	if (judge_group(a, requests, count, decisions, arena, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		line.n = 0;
		wv_json_write(&line, decisions[i]);
		wv_out_line(out, line.s, line.n);
		tell(a, &requests[i]);
		if (is_allowed(&requests[i]))
			a->counts.allowed++;
		else
			a->counts.denied++;
	}
	wv_str_free(&line);
	return 0;
}
