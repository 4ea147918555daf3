/* SPDX-License-Identifier: Apache-2.0 */
#include "trial.h"

#include "base/msg.h"

#include <stdarg.h>
#include <string.h>

void
explain(const struct authorizer *a, const struct request *request,
	const char *fmt, ...)
{
	struct wv_str text = { 0 };
	va_list ap;

	if (!a->explain)
		return;
	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	wv_warn("%s:%zu: %s", request->source, request->line, text.s);
	wv_str_free(&text);
}

static const char *
time_value(const struct trial *t)
{
	const struct wv_token *token = &t->credential->token;
	char now[WV_TIME_TEXT], from[WV_TIME_TEXT], to[WV_TIME_TEXT];

	wv_time_print(now, t->now);
	wv_time_print(from, token->not_before);
	wv_time_print(to, token->expires_at);
	return wv_printf(t->arena, "%s, from %s to %s", now, from,
		token->expires ? to : "its use");
}

static const char *
scope_value(const struct trial *t)
{
	struct wv_str list = { 0 };

	wv_json_write(&list, t->credential->token.scope);
	const char *text = wv_dupn(t->arena, list.s, list.n);
	wv_str_free(&list);
	return text;
}

static const char *
trust_value(const struct trial *t)
{
	const struct credential *c = t->credential;

	switch (c->trust) {
	case WV_SIGNATURE:
		return c->token.kid == NULL
			? "signed"
			: wv_printf(t->arena, "signed with %s", c->token.kid);
	case WV_ISSUED:
		return "issued here";
	default:
		return "neither issued here nor signed";
	}
}

static const char *
rates_value(const struct trial *t)
{
	const struct window_use *uses;
	size_t count = window_uses(t->request, t->verdict, t->arena, &uses);
	struct wv_str list = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct policy_rule *rule = uses[i].rule;
		int64_t hits = 0;
		if (window_hits(t->a, &uses[i], t->verdict->principal, &hits,
			    t->err) < 0)
			continue;
		wv_str_fmt(&list, "%srule \"%s\": %lld of %lld in %lld ms",
			list.n > 0 ? ", " : "", rule->name, (long long)hits,
			(long long)rule->limit.count,
			(long long)rule->limit.per_ms);
	}
	const char *text =
		list.n > 0 ? wv_dupn(t->arena, list.s, list.n) : "none";
	wv_str_free(&list);
	return text;
}

static const char *
revocation_value(const struct trial *t)
{
	const struct wv_token *token = &t->credential->token;
	size_t parents = wv_count(token->parents);

	if (parents == 0)
		return "not revoked";
	return wv_printf(t->arena,
		"not revoked, nor any of the %zu that it was made from",
		parents);
}

static const char *
use_value(const struct trial *t)
{
	const struct wv_token *token = &t->credential->token;

	if (!token->single_use)
		return "any number";
	return wv_printf(t->arena, "the only one of %s", wv_token_root(token));
}

const char *
trial_value(const struct trial *t, const char *check)
{
	const struct wv_token *token = &t->credential->token;

	if (strcmp(check, "shape") == 0)
		return "a CapabilityToken";
	if (strcmp(check, "trust") == 0)
		return trust_value(t);
	if (strcmp(check, "time") == 0)
		return time_value(t);
	if (strcmp(check, "principal") == 0)
		return t->verdict->principal;
	if (strcmp(check, "capability") == 0)
		return t->request->selection.capability_id;
	if (strcmp(check, "scope") == 0)
		return scope_value(t);
	if (strcmp(check, "binding") == 0)
		return token->arguments_sha256 ? token->arguments_sha256
					       : "to no arguments";
	if (strcmp(check, "handle") == 0)
		return t->seen != NULL ? t->seen : "not looked at";
	if (strcmp(check, "references") == 0)
		return wv_printf(t->arena, "to Handles that may be read: %zu",
			t->request->reference_count);
	if (strcmp(check, "revocation") == 0)
		return revocation_value(t);
	if (strcmp(check, "rates") == 0)
		return rates_value(t);
	if (strcmp(check, "use") == 0)
		return use_value(t);
	return t->verdict->reason;
}

void
trial_explain_rules(const struct trial *t, const struct policy_answer *answer)
{
	static const char *const said[] = { [POLICY_NO] = "does not match",
		[POLICY_YES] = "matches",
		[POLICY_UNKNOWN] = "may match, that cannot be told" };
	const struct policy *policy = &t->a->policy;

	for (size_t i = 0; i < policy->count; i++) {
		const struct policy_rule *rule = &policy->rules[i];
		const struct policy_outcome *outcome = &answer->outcomes[i];
		explain(t->a, t->request, "rule \"%s\" (%s): %s%s%s",
			rule->name, rule->is_deny ? "deny" : "allow",
			said[outcome->match], outcome->member ? ": " : "",
			outcome->member ? outcome->member : "");
	}
}
