/* SPDX-License-Identifier: Apache-2.0 */
#include "authorize.h"

#include "kernel/store.h"

#include <string.h>

static bool
is_same_window(const struct window_use *use, const struct policy_rule *rule,
	const char *capability_id)
{
	return use->rule == rule &&
		(!rule->limit.by_capability ||
			strcmp(use->capability_id, capability_id) == 0);
}

static size_t
add_uses(struct window_use *uses, size_t count,
	const struct policy_answer *answer, const char *capability_id)
{
	for (size_t i = 0; i < answer->applied_count; i++) {
		const struct policy_rule *rule = answer->applied[i];
		size_t at = 0;
		if (rule->limit.count == 0)
			continue;
		while (at < count &&
			!is_same_window(&uses[at], rule, capability_id))
			at++;
		if (at == count)
			uses[count++] =
				(struct window_use){ rule, capability_id, 0 };
		uses[at].times++;
	}
	return count;
}

size_t
window_uses(const struct request *request, const struct verdict *verdict,
	struct wv_arena *arena, const struct window_use **uses)
{
	size_t most = verdict->answer.applied_count, count;
	struct window_use *all;

	for (size_t i = 0; i < verdict->reading_count; i++)
		most += verdict->readings[i].applied_count;
	*uses = all = wv_alloc(arena, most * sizeof *all);
	count = add_uses(
		all, 0, &verdict->answer, request->selection.capability_id);
	for (size_t i = 0; i < verdict->reading_count; i++)
		count = add_uses(
			all, count, &verdict->readings[i], WV_HANDLE_RESOLVE);
	return count;
}

/* A window's name cannot be that of another, whatever rules and principals
 * are called; nor that of another span, whose hits end sooner: two policies
 * may call different rules the same. */
static void
name_window(struct wv_str *name, const struct window_use *use,
	const char *principal)
{
	const struct policy_rule *rule = use->rule;

	wv_str_chr(name, '[');
	wv_json_write_string(name, rule->name, strlen(rule->name));
	wv_str_fmt(name, ",%lld", (long long)rule->limit.per_ms);
	if (rule->limit.by_principal) {
		wv_str_cat(name, ",\"principal\",");
		wv_json_write_string(name, principal, strlen(principal));
	}
	if (rule->limit.by_capability) {
		wv_str_cat(name, ",\"capability\",");
		wv_json_write_string(
			name, use->capability_id, strlen(use->capability_id));
	}
	wv_str_chr(name, ']');
}

int
window_hits(const struct authorizer *a, const struct window_use *use,
	const char *principal, int64_t *hits, struct wv_err *err)
{
	struct wv_str name = { 0 };

	name_window(&name, use, principal);
	int result = wv_store_hits(a->state->store, name.s,
		wv_time_add_ms(a->now, -use->rule->limit.per_ms), hits, err);
	wv_str_free(&name);
	return result;
}

int
window_full(const struct authorizer *a, const struct request *request,
	const struct verdict *verdict, struct wv_arena *arena,
	const struct policy_rule **full, struct wv_err *err)
{
	const struct window_use *uses;
	size_t count = window_uses(request, verdict, arena, &uses);

	for (size_t i = 0; i < count; i++) {
		int64_t hits = 0, times = (int64_t)uses[i].times;
		if (window_hits(a, &uses[i], verdict->principal, &hits, err) <
			0)
			return -1;
		*full = uses[i].rule;
		if (hits > uses[i].rule->limit.count - times)
			return 1;
	}
	return 0;
}

int
window_add(const struct authorizer *a, const struct request *request,
	struct wv_arena *arena, struct wv_err *err)
{
	const struct window_use *uses;
	size_t count = window_uses(request, &request->verdict, arena, &uses);
	struct wv_str name = { 0 };
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++) {
		name.n = 0;
		name_window(&name, &uses[i], request->verdict.principal);
		for (size_t n = 0; n < uses[i].times && result == 0; n++)
			result = wv_store_add_hit(a->state->store, name.s,
				a->now,
				wv_time_add_ms(
					a->now, -uses[i].rule->limit.per_ms),
				err);
	}
	wv_str_free(&name);
	return result;
}
