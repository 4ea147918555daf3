/* SPDX-License-Identifier: Apache-2.0 */
#include "narrate.h"

#include "story.h"
#include "teller.h"

#include <inttypes.h>
#include <string.h>

/* Names and values that a call had are told, values never. */
static void
tell_request(struct teller *t)
{
	const cJSON *names =
		wv_pointer(t->event, "/metadata/x_wv_arguments/names");

	tell_end(t);
	tell_also(t, "request", "/metadata/x_wv_routing_decision_id");
	if (names != NULL) {
		tell(t, t->text.n > 0 ? ", " : "");
		tell(t, names->child ? "arguments " : "no arguments");
		tell_list(t, names);
	}
	tell_also(t, "token", "/metadata/x_wv_token_id");
	tell_end(t);
}

static void
authorized(struct teller *t)
{
	tell(t, "%s asked for %s", tell_who(t), tell_what(t));
	tell_request(t);
	tell(t, "allowed");
	SAY_IF(t, " by rule \"%s\"", "/metadata/x_wv_rule");
	SAY_IF(t, ": decision %s", "/decision_id");
}

static void
denied(struct teller *t)
{
	const char *presented = told(t, "/metadata/x_wv_presented");
	const char *code = told(t, "/metadata/x_wv_code");

	if (code != NULL && strcmp(code, "not_committed") == 0) {
		tell(t,
			"the decision for %s was never committed: nothing may "
			"run on it",
			tell_what(t));
		tell_end(t);
		tell_also(t, "decision", "/decision_id");
		return;
	}
	if (presented != NULL)
		tell(t, "decision %s was presented, for %s", presented,
			tell_what(t));
	else
		tell(t, "%s asked for %s", tell_who(t), tell_what(t));
	tell_request(t);
	tell(t, "denied");
	SAY_IF(t, ": %s", "/metadata/x_wv_code");
	SAY_IF(t, ": %s", "/error_message");
	tell_end(t);
	SAY_IF(t, "rule \"%s\"", "/metadata/x_wv_rule");
	tell_also(t, "decision", "/decision_id");
}

/* How long, in what, and how much came of it. */
static void
tell_trace(struct teller *t)
{
	const cJSON *trace = wv_pointer(t->event, "/metadata/x_wv_trace");
	const cJSON *warnings = wv_get(trace, "warnings");
	const cJSON *changes = wv_get(trace, "changes");

	tell_end(t);
	tell_number(t, trace, "duration_ms", 0, "it ran ", " ms");
	tell_number(t, trace, "queued_ms", 1, ", waited ", " ms");
	tell_number(t, trace, "activated_ms", 1, ", was started in ", " ms");
	tell_number(t, trace, "result_size_bytes", 0, ", gave ", " bytes");
	tell_end(t);
	tell_also(t, "plan", "/metadata/x_wv_trace/plan");
	SAY_IF(t, " (%s)", "/metadata/x_wv_trace/plan_label");
	tell_end(t);
	if (wv_is_array(changes) && changes->child != NULL)
		tell(t, "it changed ");
	wv_json_each(change, changes) {
		const char *path = wv_get_string(change, "path");
		const char *how = wv_get_string(change, "change");
		int64_t more;
		tell(t, change->prev->next == NULL ? "" : ", ");
		if (path != NULL)
			tell(t, "%s (%s)", path, how != NULL ? how : "?");
		else if (told_int(change, "more", &more))
			tell(t, "%" PRId64 " more", more);
	}
	tell_end(t);
	if (wv_is_array(warnings) && warnings->child != NULL) {
		tell(t, "warnings: ");
		tell_list(t, warnings);
	}
	tell_end(t);
}

static void
tell_frame(struct teller *t)
{
	tell_end(t);
	tell_also(t, "Frame", "/frame_id");
	tell_also(t, "decision", "/decision_id");
}

static void
executed(struct teller *t)
{
	const char *outcome = told_or(t, "/outcome", "no outcome");

	tell(t, "%s ran for %s: %s", tell_what(t), tell_who(t), outcome);
	if (strcmp(outcome, "success") != 0) {
		SAY_IF(t, ": %s", "/metadata/x_wv_code");
		SAY_IF(t, ": %s", "/error_message");
	}
	tell_trace(t);
	tell_frame(t);
}

/* Attempts at injection are flagged, all else is redacted. */
static void
tell_found(
	struct teller *t, const cJSON *found, bool injections, const char *verb)
{
	const char *before = verb;

	wv_json_each(one, found) {
		const char *kind = wv_get_string(one, "kind");
		int64_t count = 1;
		if (kind == NULL ||
			(strncmp(kind, "injection-", 10) == 0) != injections)
			continue;
		told_int(one, "count", &count);
		if (before == verb && t->text.n > 0)
			tell(t, ", and ");
		tell(t, "%s%" PRId64 " %s", before, count, kind);
		before = ", ";
	}
}

static void
applied(struct teller *t)
{
	const cJSON *found = wv_pointer(t->event, "/metadata/x_wv_found");

	tell_found(t, found, false, "the firewall redacted ");
	tell_found(t, found, true,
		t->text.n > 0 ? "flagged " : "the firewall flagged ");
	if (t->text.n == 0)
		tell(t, "the firewall cut the output");
	tell_end(t);
	tell_also(t, "Frame", "/frame_id");
	tell_also(t, "Handle", "/handle_id");
}

static void
created(struct teller *t)
{
	tell(t, "the whole output was kept: Handle %s",
		told_or(t, "/handle_id", "without id"));
	tell_end(t);
	SAY_IF(t, "for %s", "/principal");
	tell_also(t, "of", "/capability_id");
}

static void
resolved(struct teller *t)
{
	tell(t, "%s read Handle %s", tell_who(t),
		told_or(t, "/handle_id", "?"));
	tell_frame(t);
}

static void
issued(struct teller *t)
{
	const cJSON *scope = wv_pointer(t->event, "/metadata/x_wv_scope");

	tell(t, "token %s was issued to %s",
		told_or(t, "/metadata/x_wv_token_id", "?"), tell_who(t));
	tell_end(t);
	if (wv_is_array(scope)) {
		tell(t, "for ");
		tell_list(t, scope);
	}
	SAY_IF(t, ", narrowed from token %s", "/metadata/x_wv_parent");
	SAY_IF(t, ", signed by key %s", "/metadata/x_wv_kid");
	SAY_IF(t, ", issuer %s", "/metadata/x_wv_issuer");
}

static void
invalidated(struct teller *t)
{
	const char *token = told(t, "/metadata/x_wv_token_id");
	const char *kid = told(t, "/metadata/x_wv_kid");
	const char *code = told_or(t, "/metadata/x_wv_code", "");

	if (token != NULL && strcmp(code, "token_spent") == 0)
		tell(t, "token %s was used up", token);
	else if (token != NULL && strcmp(code, "token_revoked") == 0)
		tell(t, "token %s was revoked", token);
	else if (token != NULL)
		tell(t, "token %s became void", token);
	else if (kid != NULL)
		tell(t, "all tokens that key %s signed were revoked", kid);
	else
		tell(t, "all tokens of %s were revoked", tell_who(t));
	if (strcmp(code, "token_spent") != 0 &&
		strcmp(code, "token_revoked") != 0 && *code != '\0')
		tell(t, ": %s", code);
	SAY_IF(t, " that were issued before %s", "/metadata/x_wv_before");
	tell_end(t);
	tell_also(t, "decision", "/decision_id");
}

/* Of a flow: its failure, and where in which run. */
static void
tell_run(struct teller *t)
{
	const cJSON *run = wv_pointer(t->event, "/metadata/x_wv_run");

	SAY_IF(t, ": %s", "/metadata/x_wv_code");
	SAY_IF(t, ": %s", "/error_message");
	tell_end(t);
	tell_also(t, "run", "/metadata/x_wv_run/run_id");
	tell_number(t, run, "leg", 0, ", leg ", "");
	tell_number(t, run, "attempt", 0, ", attempt ", "");
}

static void
flow(struct teller *t)
{
	const char *type = wv_get_string(t->event, "event_type");

	tell(t, "flow %s %s", tell_what(t),
		strcmp(type, "flow_started") == 0          ? "began"
			: strcmp(type, "flow_failed") == 0 ? "failed"
							   : "was completed");
	tell_run(t);
}

static void
step_started(struct teller *t)
{
	tell(t, "step %s began: %s",
		told_or(t, "/metadata/x_wv_run/step_id", "?"), tell_what(t));
	tell_run(t);
}

static void
step_completed(struct teller *t)
{
	tell(t, "step %s ended: %s",
		told_or(t, "/metadata/x_wv_run/step_id", "?"),
		told_or(t, "/outcome", "no outcome"));
	tell_run(t);
	tell_frame(t);
}

static const struct {
	const char *type;
	void (*tell)(struct teller *t);
} tellers[] = {
	{ "capability_authorized", authorized },
	{ "capability_denied", denied },
	{ "capability_executed", executed },
	{ "firewall_applied", applied },
	{ "handle_created", created },
	{ "handle_resolved", resolved },
	{ "token_issued", issued },
	{ "token_invalidated", invalidated },
	{ "flow_started", flow },
	{ "flow_step_started", step_started },
	{ "flow_step_completed", step_completed },
	{ "flow_completed", flow },
	{ "flow_failed", flow },
};

cJSON *
narrate(struct wv_arena *arena, const cJSON *event)
{
	struct teller t = {
		.arena = arena, .event = event, .lines = wv_json_array(arena)
	};
	const char *type = wv_get_string(event, "event_type");
	const char *foreign = story_foreign(event);

	if (foreign != NULL)
		tell(&t, "[%s] ", foreign);
	for (size_t i = 0; i < sizeof tellers / sizeof tellers[0]; i++)
		if (strcmp(tellers[i].type, type) == 0)
			tellers[i].tell(&t);
	tell_end(&t);
	if (foreign != NULL) {
		tell(&t, "so says %s; this kernel knows nothing of it",
			foreign);
		tell_end(&t);
	}
	wv_str_free(&t.text);
	return t.lines;
}
