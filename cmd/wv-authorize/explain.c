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

const char *
trial_value(const struct trial *t, const char *check)
{
	const struct wv_token *token = &t->credential->token;

	if (strcmp(check, "issuance") == 0)
		return t->credential->issued ? "issued here" : "not signed";
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
	if (strcmp(check, "policy") == 0)
		return t->verdict->reason;
	if (strcmp(check, "use") == 0)
		return token->single_use ? "its only one" : "one of any";
	return "good";
}

void
trial_explain_rules(const struct trial *t)
{
	static const char *const said[] = { [POLICY_NO] = "does not match",
		[POLICY_YES] = "matches",
		[POLICY_UNKNOWN] = "may match, that cannot be told" };
	const struct policy_query query = trial_query(t);

	for (size_t i = 0; i < t->a->policy.count; i++) {
		const struct policy_rule *rule = &t->a->policy.rules[i];
		explain(t->a, t->request, "rule \"%s\" (%s): %s", rule->name,
			rule->is_deny ? "deny" : "allow",
			said[policy_rule_match(rule, &query)]);
	}
}
