/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/decision.h"

#include "kernel/store.h"

#include <string.h>

/* Exactly this record: order and spelling count too, since a tool is given
 * the arguments as they are written.  White space does not. */
static void
digest_of(char digest[WV_SHA256_HEX], const cJSON *decision)
{
	struct wv_str text = { 0 };

	wv_json_write(&text, decision);
	wv_sha256_hex(digest, text.s, text.n);
	wv_str_free(&text);
}

int
wv_decision_record(struct wv_state *state, const cJSON *decision,
	const struct wv_token *token, struct wv_time valid_until,
	struct wv_err *err)
{
	const cJSON *telemetry =
		wv_get(wv_get(decision, "metadata"), "telemetry");
	char digest[WV_SHA256_HEX];

	digest_of(digest, decision);
	if (token->expires && wv_time_cmp(token->expires_at, valid_until) < 0)
		valid_until = token->expires_at;
	struct wv_store_decision record = {
		.id = wv_get_string(decision, "decision_id"),
		.digest = digest,
		.capability_id = wv_get_string(decision, "capability_id"),
		.principal = wv_get_string(decision, "principal"),
		.token_id = token->id,
		.trace_id = wv_get_string(telemetry, "trace_id"),
		.issuer = token->issuer,
		.lineage = wv_token_lineage(&state->arena, token),
		.token_issued_at = token->root_issued_at,
		.valid_until = valid_until,
	};
	return wv_store_add_decision(state->store, &record, err);
}

static int
is_revoked(struct wv_state *state, const struct wv_store_decision *known,
	struct wv_err *err)
{
	int revoked = wv_store_principal_revoked(
		state->store, known->principal, known->token_issued_at, err);

	if (revoked != 0)
		return revoked;
	return wv_lineage_revoked(
		state, known->issuer, known->token_id, known->lineage, err);
}

static bool
is_same(const struct wv_store_decision *known, const char *digest)
{
	return strlen(known->digest) == WV_SHA256_HEX - 1 &&
		wv_equal_const_time(known->digest, digest, WV_SHA256_HEX);
}

int
wv_decision_look(
	struct wv_state *state, const cJSON *decision, struct wv_err *err)
{
	struct wv_store_decision known;
	char digest[WV_SHA256_HEX];
	int found = wv_store_decision(state->store, &state->arena,
		wv_get_string(decision, "decision_id"), &known, err);

	if (found != 1)
		return found;
	digest_of(digest, decision);
	return is_same(&known, digest) ? 1 : WV_DECISION_OTHER;
}

/* Why it may not run now: *code stays NULL if it may. */
static int
judge(struct wv_state *state, const struct wv_store_decision *known,
	const char *digest, const char **code, struct wv_err *err)
{
	if (!is_same(known, digest)) {
		*code = "decision_altered";
		return 0;
	}
	if (wv_state_stopped(state)) {
		*code = "stopped";
		return 0;
	}
	if (known->stage != WV_STAGE_RECORDED) {
		*code = "decision_consumed";
		return 0;
	}
	if (wv_time_cmp(state->now, known->valid_until) >= 0) {
		*code = "decision_expired";
		return 0;
	}
	int revoked = is_revoked(state, known, err);
	if (revoked > 0)
		*code = "token_revoked";
	return revoked < 0 ? -1 : 0;
}

int
wv_decision_take(struct wv_state *state, const cJSON *decision,
	const char *plan, const char **code, struct wv_err *err)
{
	const char *id = wv_get_string(decision, "decision_id");
	struct wv_store_decision known;
	char digest[WV_SHA256_HEX];
	int found = id == NULL ? 0
			       : wv_store_decision(state->store, &state->arena,
					 id, &known, err);

	*code = NULL;
	if (found < 0)
		return -1;
	if (found == 0) {
		*code = "decision_unknown";
		return 0;
	}
	digest_of(digest, decision);
	if (judge(state, &known, digest, code, err) < 0)
		return -1;
	if (*code != NULL)
		return 0;
	return wv_store_set_stage(
		       state->store, id, WV_STAGE_RUNNING, plan, err) < 0
		? -1
		: 1;
}

int
wv_decision_done(
	struct wv_state *state, const char *decision_id, struct wv_err *err)
{
	return wv_store_set_stage(
		state->store, decision_id, WV_STAGE_DONE, NULL, err);
}
