/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/recover.h"

#include "base/hash.h"
#include "kernel/audit.h"
#include "kernel/decision.h"

#include <string.h>

#define NOT_COMMITTED "not_committed"

/* An event whose effect the store lacks. */
struct orphan {
	struct orphan *next;
	bool is_token;
	bool voided; /* an earlier recovery, that died too, said so */
	const char *id, *capability_id, *principal;
	const cJSON *cause;
};

struct tail {
	struct wv_state *state;
	struct wv_arena scratch; /* of a line */
	struct wv_map index;     /* "t" or "d" and the id, to the orphan */
	struct orphan *first, **end;
};

/* Both strings in the group's arena, like everything an orphan holds. */
static const char *
key_of(struct wv_arena *arena, bool is_token, const char *id)
{
	return wv_printf(arena, "%c%s", is_token ? 't' : 'd', id);
}

static const char *
copy(struct wv_arena *arena, const char *s)
{
	return s != NULL ? wv_dup(arena, s) : NULL;
}

static void
add_orphan(struct tail *tail, const cJSON *event, bool is_token, const char *id)
{
	struct wv_arena *arena = &tail->state->arena;
	struct orphan *orphan = wv_alloc_zero(arena, sizeof(*orphan));
	const char *key = key_of(arena, is_token, id);

	orphan->is_token = is_token;
	orphan->id = key + 1;
	orphan->capability_id =
		copy(arena, wv_get_string(event, "capability_id"));
	orphan->principal = copy(arena, wv_get_string(event, "principal"));
	orphan->cause = wv_json_copy(arena, event);
	*tail->end = orphan;
	tail->end = &orphan->next;
	*wv_map_add(&tail->index, key, 0) = (size_t)(uintptr_t)orphan;
}

static void
void_orphan(struct tail *tail, bool is_token, const char *id)
{
	const size_t *found =
		wv_map_find(&tail->index, key_of(&tail->scratch, is_token, id));

	if (found != NULL)
		((struct orphan *)(uintptr_t)*found)->voided = true;
}

static int
see_authorized(struct tail *tail, const cJSON *event, const char *id,
	struct wv_err *err)
{
	struct wv_store_decision decision;
	int found = wv_store_decision(
		tail->state->store, &tail->scratch, id, &decision, err);

	if (found == 0)
		add_orphan(tail, event, false, id);
	return found < 0 ? -1 : 0;
}

/*
 * It ran, or was kept from running, and the log says how it ended; so it was
 * consumed, even where the same group was to record that.  Nothing is
 * executed that was not committed before: a store that lacks it is an old
 * one, put back.
 */
static int
see_executed(struct tail *tail, const char *id, struct wv_err *err)
{
	struct wv_store *store = tail->state->store;
	struct wv_store_decision decision;
	int found =
		wv_store_decision(store, &tail->scratch, id, &decision, err);

	if (found == 0)
		return wv_err_set(err,
			"the store is older than the log: it lacks decision "
			"%s, which was executed",
			id);
	if (found < 0 || decision.stage == WV_STAGE_DONE)
		return found < 0 ? -1 : 0;
	return wv_store_set_stage(store, id, WV_STAGE_DONE, NULL, err);
}

static int
see_issued(struct tail *tail, const cJSON *event, const char *id,
	struct wv_err *err)
{
	struct wv_store_token token;
	int found = wv_store_token(
		tail->state->store, &tail->scratch, id, &token, err);

	if (found == 0)
		add_orphan(tail, event, true, id);
	return found < 0 ? -1 : 0;
}

/* The cut-off that the event names, or else its own time. */
static struct wv_time
cut_off_of(const cJSON *event)
{
	const char *texts[] = {
		wv_get_string(wv_get(event, "metadata"), "x_wv_before"),
		wv_get_string(event, "timestamp"),
	};
	struct wv_time time = { INT64_MAX, 0 };

	for (size_t i = 0; i < 2; i++)
		if (texts[i] != NULL &&
			wv_time_parse(
				&time, texts[i], strlen(texts[i]), NULL) == 0)
			break;
	return time;
}

/* What was to be revoked is, though its tool died: of a token (of an issuer,
 * or of anyone), of a key, of a principal until then. */
static int
revoke(struct wv_store *store, const cJSON *event, struct wv_err *err)
{
	static const struct wv_time never;
	const cJSON *metadata = wv_get(event, "metadata");
	const char *token = wv_get_string(metadata, "x_wv_token_id");
	const char *issuer = wv_get_string(metadata, "x_wv_issuer");
	const char *kid = wv_get_string(metadata, "x_wv_kid");
	const char *principal = wv_get_string(event, "principal");

	if (token != NULL)
		return wv_store_revoke_token(store, issuer, token, never, err);
	if (kid != NULL)
		return wv_store_revoke_key(store, kid, err);
	if (principal != NULL)
		return wv_store_revoke_principal(
			store, principal, cut_off_of(event), err);
	return 0;
}

static int
see_invalidated(struct tail *tail, const cJSON *event, const char *id,
	const char *code, struct wv_err *err)
{
	if (id != NULL && strcmp(code, NOT_COMMITTED) == 0)
		void_orphan(tail, true, id);
	else if (strcmp(code, "token_revoked") == 0 &&
		revoke(tail->state->store, event, err) < 0)
		return -1;
	return 0;
}

static int
see(void *arg, const struct wv_link *link, struct wv_err *err)
{
	struct tail *tail = arg;
	const cJSON *event = link->event, *metadata = wv_get(event, "metadata");
	const char *type = wv_get_string(event, "event_type");
	const char *decision = wv_get_string(event, "decision_id");
	const char *token = wv_get_string(metadata, "x_wv_token_id");
	const char *code = wv_get_string(metadata, "x_wv_code");
	int status = 0;

	if (link->base > tail->state->audit->head.seq)
		return wv_err_set(err,
			"the store is older than the log: it knows line %ju "
			"of it, and had known line %ju; %s",
			(uintmax_t)tail->state->audit->head.seq,
			(uintmax_t)link->base, wv_store_is_gone);
	/* Events of others say nothing about our store. */
	if (type == NULL || wv_get(metadata, "x_wv_source") != NULL)
		type = "";
	if (code == NULL)
		code = "";
	if (strcmp(type, "capability_authorized") == 0 && decision != NULL)
		status = see_authorized(tail, event, decision, err);
	else if (strcmp(type, "capability_executed") == 0 && decision != NULL)
		status = see_executed(tail, decision, err);
	else if (strcmp(type, "capability_denied") == 0 && decision != NULL &&
		strcmp(code, NOT_COMMITTED) == 0)
		void_orphan(tail, false, decision);
	else if (strcmp(type, "token_issued") == 0 && token != NULL)
		status = see_issued(tail, event, token, err);
	else if (strcmp(type, "token_invalidated") == 0)
		status = see_invalidated(tail, event, token, code, err);
	wv_arena_reset(&tail->scratch);
	return status;
}

static int
void_event(
	struct wv_state *state, const struct orphan *orphan, struct wv_err *err)
{
	struct wv_event event = {
		.type = orphan->is_token ? "token_invalidated"
					 : "capability_denied",
		.capability_id = orphan->capability_id,
		.principal = orphan->principal,
		.decision_id = orphan->is_token ? NULL : orphan->id,
		.code = NOT_COMMITTED,
		.token_id = orphan->is_token ? orphan->id : NULL,
		.cause = orphan->cause,
	};

	return wv_state_event(state, &event, err);
}

static int
settle_tail(struct wv_state *state, struct wv_err *err)
{
	struct tail tail = { .state = state };

	tail.end = &tail.first;
	int status =
		wv_audit_tail(state->audit, &tail.scratch, see, &tail, err);
	for (struct orphan *o = tail.first; o != NULL && status == 0;
		o = o->next)
		if (!o->voided)
			status = void_event(state, o, err);
	wv_map_free(&tail.index);
	wv_arena_free(&tail.scratch);
	return status;
}

static const cJSON *
cause_of(struct wv_arena *arena, const char *trace_id)
{
	cJSON *cause = wv_json_object(arena);
	cJSON *metadata = wv_put_object(arena, cause, "metadata");

	if (trace_id != NULL)
		wv_put_string(arena,
			wv_put_object(arena, metadata, "telemetry"), "trace_id",
			trace_id);
	return cause;
}

static int
interrupt(struct wv_state *state, const struct wv_store_decision *decision,
	struct wv_err *err)
{
	struct wv_event event = {
		.type = "capability_executed",
		.capability_id = decision->capability_id,
		.principal = decision->principal,
		.decision_id = decision->id,
		.outcome = "partial",
		.error_message = "its plan ended without saying what came of "
				 "it",
		.code = "interrupted",
		.token_id = decision->token_id,
		.cause = cause_of(&state->arena, decision->trace_id),
	};

	if (wv_state_event(state, &event, err) < 0)
		return -1;
	return wv_store_set_stage(
		state->store, decision->id, WV_STAGE_DONE, NULL, err);
}

static int
settle_plans(struct wv_state *state, struct wv_err *err)
{
	struct wv_store_decision decision;
	const char *plan = "";
	int more, status = 0;

	while (status == 0 &&
		(more = wv_store_next_plan(
			 state->store, &state->arena, plan, &plan, err)) != 0) {
		if (more < 0)
			return -1;
		int dead = wv_plan_is_dead(state, plan, err);
		if (dead < 0)
			return -1;
		while (dead && status == 0 &&
			(more = wv_store_running(state->store, &state->arena,
				 plan, &decision, err)) != 0)
			status = more < 0 ? -1
					  : interrupt(state, &decision, err);
	}
	return status;
}

int
wv_recover(struct wv_state *state, struct wv_err *err)
{
	if (settle_tail(state, err) < 0)
		return -1;
	return settle_plans(state, err);
}
