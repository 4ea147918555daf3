/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References in the arguments: the tool is given what is stored, and who asks
 * sees what the tool makes of it.  So each is judged as wv.handle.resolve with
 * that Handle would be, by the same token.
 */
#include "trial.h"

#include "contract/scope.h"

#include <string.h>

static bool
is_known(struct trial *t)
{
	const struct authorizer *a = t->a;

	if (!a->has_catalog ||
		wv_catalog_find(&a->catalog, WV_HANDLE_RESOLVE) != NULL)
		return true;
	return trial_no(t, "unknown_capability",
		"no capability of the catalogue is " WV_HANDLE_RESOLVE);
}

static bool
is_in_scope(struct trial *t)
{
	if (wv_scope_covers(t->credential->token.scope, WV_HANDLE_RESOLVE))
		return true;
	return trial_no(t, "scope_mismatch",
		"the token's scope does not cover " WV_HANDLE_RESOLVE);
}

static bool
is_in_policy(struct trial *t, const char *id, struct policy_answer *answer)
{
	cJSON *arguments = wv_json_object(t->arena);
	const struct policy_query query = {
		.capability_id = WV_HANDLE_RESOLVE,
		.principal = t->verdict->principal,
		.capability = t->a->has_catalog
			? wv_catalog_find(&t->a->catalog, WV_HANDLE_RESOLVE)
			: NULL,
		.arguments = arguments,
		.justification = t->request->justification,
		.token = &t->credential->token,
		.has_roles = t->credential->trust > WV_UNSIGNED,
		.is_signed = t->credential->trust == WV_SIGNATURE,
	};

	wv_put_string(t->arena, arguments, "handle_id", id);
	policy_judge(&t->a->policy, &query, t->arena, answer);
	if (t->a->explain)
		trial_explain_rules(t, answer);
	if (strcmp(answer->code, "allowed") == 0) {
		trial_meet(t, answer->obligations);
		return true;
	}
	trial_no(t, answer->code, answer->reason);
	t->verdict->answer.rule = answer->rule;
	return false;
}

bool
are_references_allowed(struct trial *t)
{
	const struct request *request = t->request;
	struct verdict *v = t->verdict;

	if (!is_known(t) || !is_in_scope(t))
		return false;
	v->readings = wv_alloc(
		t->arena, request->reference_count * sizeof *v->readings);
	for (size_t i = 0; i < request->reference_count; i++) {
		const char *id = request->references[i];
		if (!is_in_policy(t, id, &v->readings[i]) ||
			!is_handle_readable(t, id))
			return false;
		v->reading_count++;
	}
	return true;
}
