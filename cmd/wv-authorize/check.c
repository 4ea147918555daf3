/* SPDX-License-Identifier: Apache-2.0 */
#include "trial.h"

#include "contract/scope.h"

#include <string.h>

static const char *
time_text(struct wv_arena *arena, struct wv_time time)
{
	char text[WV_TIME_TEXT];

	wv_time_print(text, time);
	return wv_dup(arena, text);
}

bool
trial_no(struct trial *t, const char *code, const char *reason)
{
	t->verdict->code = code;
	t->verdict->reason = reason;
	t->verdict->answer.rule = NULL;
	return false;
}

static bool
is_token(struct trial *t)
{
	const char *fault = t->credential->fault;

	if (fault == NULL)
		return true;
	return trial_no(t, "token_malformed",
		wv_printf(t->arena, "the token is no CapabilityToken: %s",
			fault));
}

/*
 * Trust is kept for a group, and judged once more under its lock.  Meanwhile
 * it cannot change: the row of an issued token is never replaced, and goes
 * only long after the token ended; keys end by the kernel's clock, which
 * stands still.  Revocation is another check.
 */
static bool
is_believed(struct trial *t)
{
	struct credential *c = t->credential;
	struct wv_err why = WV_ERR_INIT;
	const char *code = NULL;

	if (c->trust != WV_UNTRUSTED && c->believed == t->a->view)
		return true;
	int trusted = wv_token_trust(t->a->state, &t->a->trust, &c->token,
		t->now, &c->trust, &code, &why);
	c->believed = t->a->view;
	if (trusted == 1)
		return true;
	c->trust = WV_UNTRUSTED;
	if (trusted == 0)
		return trial_no(t, code, wv_dup(t->arena, why.text));
	wv_err_set(t->err, "%s", why.text);
	return false;
}

/* Verified from here on: the records name who it is. */
static bool
is_trusted(struct trial *t)
{
	struct verdict *v = t->verdict;

	v->credential = is_believed(t) ? t->credential : NULL;
	if (v->credential == NULL)
		v->principal = WV_NO_PRINCIPAL;
	else if (t->a->principal != NULL)
		v->principal = t->a->principal;
	else
		v->principal = v->credential->token.principal;
	return v->credential != NULL;
}

static bool
is_in_time(struct trial *t)
{
	const struct wv_token *token = &t->credential->token;

	if (wv_time_cmp(t->now, token->not_before) < 0)
		return trial_no(t, "token_not_yet_valid",
			wv_printf(t->arena, "the token is not valid before %s",
				time_text(t->arena, token->not_before)));
	if (token->expires && wv_time_cmp(t->now, token->expires_at) >= 0)
		return trial_no(t, "token_expired",
			wv_printf(t->arena, "the token expired at %s",
				time_text(t->arena, token->expires_at)));
	return true;
}

static bool
is_its_principal(struct trial *t)
{
	const char *holder = t->credential->token.principal;

	if (strcmp(holder, t->verdict->principal) == 0)
		return true;
	return trial_no(t, "principal_mismatch",
		wv_printf(t->arena, "the token is for %s, not for %s", holder,
			t->verdict->principal));
}

static bool
is_known_capability(struct trial *t)
{
	if (!t->a->has_catalog || t->request->capability != NULL)
		return true;
	return trial_no(t, "unknown_capability",
		wv_printf(t->arena, "no capability of the catalogue is %s",
			t->request->selection.capability_id));
}

static bool
is_in_scope(struct trial *t)
{
	const char *capability = t->request->selection.capability_id;

	if (wv_scope_covers(t->credential->token.scope, capability))
		return true;
	return trial_no(t, "scope_mismatch",
		wv_printf(t->arena, "the token's scope does not cover %s",
			capability));
}

static bool
is_bound_to_these(struct trial *t)
{
	const char *bound = t->credential->token.arguments_sha256;

	if (bound == NULL ||
		wv_equal_const_time(
			bound, t->request->arguments_sha256, WV_SHA256_HEX))
		return true;
	return trial_no(t, "arguments_not_bound",
		"the token is bound to other arguments than these");
}

static bool
is_in_policy(struct trial *t)
{
	struct policy_answer *answer = &t->verdict->answer;
	const struct policy_query query = {
		.capability_id = t->request->selection.capability_id,
		.principal = t->verdict->principal,
		.capability = t->request->capability,
		.arguments = t->request->arguments,
		.justification = t->request->justification,
		.token = &t->credential->token,
		.has_roles = t->credential->trust > WV_UNSIGNED,
		.is_signed = t->credential->trust == WV_SIGNATURE,
		.has_references = t->request->reference_count > 0,
	};

	policy_judge(&t->a->policy, &query, t->arena, answer);
	if (t->a->explain)
		trial_explain_rules(t, answer);
	t->verdict->code = answer->code;
	t->verdict->reason = answer->reason;
	return strcmp(answer->code, "allowed") == 0;
}

/* Under the lock nobody revokes: once for a group is as good as always. */
static bool
is_not_revoked(struct trial *t)
{
	struct credential *c = t->credential;

	if (c->unrevoked == t->a->view)
		return true;
	int revoked = wv_token_revoked(t->a->state, &c->token, t->err);
	if (revoked > 0)
		return trial_no(t, "token_revoked", "the token was revoked");
	if (revoked == 0)
		c->unrevoked = t->a->view;
	return revoked == 0;
}

static bool
is_within_rates(struct trial *t)
{
	const struct policy_rule *rule;
	int full = window_full(
		t->a, t->request, t->verdict, t->arena, &rule, t->err);

	if (full <= 0)
		return full == 0;
	trial_no(t, "rate_limited",
		wv_printf(t->arena,
			"rule \"%s\" allows no more than %lld in %lld ms",
			rule->name, (long long)rule->limit.count,
			(long long)rule->limit.per_ms));
	t->verdict->answer.rule = rule->name;
	return false;
}

/* The last one: what follows cannot refuse. */
static bool
is_not_spent(struct trial *t)
{
	const struct wv_token *token = &t->credential->token;
	bool spent;

	if (!token->single_use)
		return true;
	if (t->a->dry_run)
		spent = wv_token_spent(t->a->state, token, t->err) != 0;
	else
		spent = wv_token_spend(t->a->state, token, t->err) != 1;
	if (!spent || wv_err_is_set(t->err))
		return !spent;
	return trial_no(
		t, "token_spent", "the token was for one use, which is over");
}

struct check {
	const char *name;
	bool (*holds)(struct trial *t);
};

static const struct check pure[] = {
	{ "shape", is_token },
	{ "trust", is_trusted },
	{ "time", is_in_time },
	{ "principal", is_its_principal },
	{ "capability", is_known_capability },
	{ "scope", is_in_scope },
	{ "binding", is_bound_to_these },
	{ "policy", is_in_policy },
	{ NULL, NULL },
};
static const struct check of_handle[] = {
	{ "handle", is_handle_allowed },
	{ NULL, NULL },
};
static const struct check of_references[] = {
	{ "references", are_references_allowed },
	{ NULL, NULL },
};
/* Trust and time again: the kernel's clock is known now. */
static const struct check consuming[] = {
	{ "trust", is_trusted },
	{ "time", is_in_time },
	{ "revocation", is_not_revoked },
	{ "rates", is_within_rates },
	{ "use", is_not_spent },
	{ NULL, NULL },
};

static void
explain_check(struct trial *t, const char *id, const char *check, bool holds)
{
	if (holds)
		explain(t->a, t->request, "token %s: %s: %s", id, check,
			trial_value(t, check));
	else
		explain(t->a, t->request, "token %s: %s: no: %s: %s", id, check,
			t->verdict->code, t->verdict->reason);
}

/* Walks a list of checks until one fails. */
static bool
passes(struct trial *t, const struct check *check)
{
	const char *id = t->credential->fault == NULL ? t->credential->token.id
						      : "malformed";

	for (; check->name != NULL; check++) {
		bool holds = check->holds(t);
		if (wv_err_is_set(t->err))
			return false;
		if (t->a->explain)
			explain_check(t, id, check->name, holds);
		if (!holds)
			return false;
		t->verdict->stage++;
	}
	return true;
}

static bool
passes_pure(struct trial *t)
{
	return passes(t, pure) &&
		(!reads_handle(t->request) || passes(t, of_handle)) &&
		(t->request->reference_count == 0 || passes(t, of_references));
}

static void
keep_furthest(struct request *request, const struct verdict *verdict)
{
	if (request->verdict.code == NULL ||
		verdict->stage > request->verdict.stage)
		request->verdict = *verdict;
}

/* No token could help; but whose request it is may be known. */
static int
refuse_request(struct trial *t, struct request *request)
{
	t->verdict = &request->verdict;
	for (size_t i = 0; i < t->a->token_count; i++) {
		t->credential = &t->a->tokens[i];
		if (is_token(t) && is_trusted(t))
			break;
	}
	trial_no(t, request->fault_code, request->fault);
	explain(t->a, request, "request: %s", request->fault);
	return wv_err_is_set(t->err) ? -1 : 0;
}

int
check_request(struct authorizer *a, struct request *request,
	struct wv_arena *arena, struct wv_err *err)
{
	struct trial t = { .a = a,
		.request = request,
		.now = a->now,
		.arena = arena,
		.err = err };
	struct verdict **last = &request->passed;

	if (request->fault != NULL)
		return refuse_request(&t, request);
	for (size_t i = 0; i < a->token_count; i++) {
		struct verdict *v = wv_alloc_zero(arena, sizeof *v);
		v->principal = WV_NO_PRINCIPAL;
		t.verdict = v;
		t.credential = &a->tokens[i];
		if (passes_pure(&t)) {
			*last = v;
			last = &v->next;
		} else if (wv_err_is_set(err)) {
			return -1;
		} else {
			keep_furthest(request, v);
		}
	}
	if (a->token_count == 0) {
		t.verdict = &request->verdict;
		trial_no(&t, "token_missing", "no token was given");
		explain(a, request, "token: none was given");
	}
	return 0;
}

int
check_consume(struct authorizer *a, struct request *request,
	struct wv_arena *arena, struct wv_err *err)
{
	struct trial t = { .a = a,
		.request = request,
		.now = a->now,
		.arena = arena,
		.err = err };

	for (struct verdict *v = request->passed; v != NULL; v = v->next) {
		t.verdict = v;
		t.credential = v->credential;
		if (passes(&t, consuming)) {
			request->verdict = *v;
			return 0;
		}
		if (wv_err_is_set(err))
			return -1;
		keep_furthest(request, v);
	}
	return 0;
}
