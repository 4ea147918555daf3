/* SPDX-License-Identifier: Apache-2.0 */
#include "authorize.h"

#include "kernel/store.h"

#include <string.h>

/* A window's name cannot be that of another, whatever rules and principals
 * are called; nor that of another span, whose hits end sooner: two policies
 * may call different rules the same. */
static void
name_window(struct wv_str *name, const struct policy_rule *rule,
	const struct request *request, const struct verdict *verdict)
{
	wv_str_chr(name, '[');
	wv_json_write_string(name, rule->name, strlen(rule->name));
	wv_str_fmt(name, ",%lld", (long long)rule->limit.per_ms);
	if (rule->limit.by_principal) {
		wv_str_cat(name, ",\"principal\",");
		wv_json_write_string(
			name, verdict->principal, strlen(verdict->principal));
	}
	if (rule->limit.by_capability) {
		const char *id = request->selection.capability_id;
		wv_str_cat(name, ",\"capability\",");
		wv_json_write_string(name, id, strlen(id));
	}
	wv_str_chr(name, ']');
}

int
window_hits(const struct authorizer *a, const struct policy_rule *rule,
	const struct request *request, const struct verdict *verdict,
	int64_t *hits, struct wv_err *err)
{
	struct wv_str name = { 0 };

	name_window(&name, rule, request, verdict);
	int result = wv_store_hits(a->state->store, name.s,
		wv_time_add_ms(a->now, -rule->limit.per_ms), hits, err);
	wv_str_free(&name);
	return result;
}

int
window_full(const struct authorizer *a, const struct request *request,
	const struct verdict *verdict, const struct policy_rule **full,
	struct wv_err *err)
{
	const struct policy_answer *answer = &verdict->answer;

	for (size_t i = 0; i < answer->applied_count; i++) {
		const struct policy_rule *rule = answer->applied[i];
		int64_t hits = 0;
		if (rule->limit.count == 0)
			continue;
		if (window_hits(a, rule, request, verdict, &hits, err) < 0)
			return -1;
		*full = rule;
		if (hits >= rule->limit.count)
			return 1;
	}
	return 0;
}

int
window_add(const struct authorizer *a, const struct request *request,
	struct wv_err *err)
{
	const struct policy_answer *answer = &request->verdict.answer;
	struct wv_str name = { 0 };
	int result = 0;

	for (size_t i = 0; i < answer->applied_count && result == 0; i++) {
		const struct policy_rule *rule = answer->applied[i];
		if (rule->limit.count == 0)
			continue;
		name.n = 0;
		name_window(&name, rule, request, &request->verdict);
		result = wv_store_add_hit(a->state->store, name.s, a->now,
			wv_time_add_ms(a->now, -rule->limit.per_ms), err);
	}
	wv_str_free(&name);
	return result;
}
