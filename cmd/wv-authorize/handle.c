/* SPDX-License-Identifier: Apache-2.0 */
/*
 * To read what is stored behind a Handle is to see the output of another
 * capability: who asks must be whom it is kept for, and token and policy must
 * allow that capability too, with the arguments it was called with.  What its
 * rules require and limit was met when it was called.
 */
#include "trial.h"

#include "contract/scope.h"
#include "json/num.h"
#include "kernel/artifact.h"

#include <string.h>

bool
reads_handle(const struct request *request)
{
	return strcmp(request->selection.capability_id, WV_HANDLE_RESOLVE) == 0;
}

/* One answer for what there is not, what has expired and what is another's:
 * who asks learns nothing of the Handles of others. */
static bool
refuse(struct trial *t)
{
	return trial_no(
		t, "no_matching_rule", "there is no such Handle to read");
}

static bool
find(struct trial *t, const char *id, struct wv_artifact *artifact)
{
	int found = id == NULL ? 0
			       : wv_artifact_find(t->a->state, t->arena, id,
					 t->now, artifact, t->err);

	if (found < 0)
		return false;
	if (found == 0 || artifact->principal == NULL ||
		strcmp(artifact->principal, t->verdict->principal) != 0)
		return refuse(t);
	return true;
}

/* NULL: they are not known, and no rule can tell by them. */
static cJSON *
arguments_of(struct trial *t, const struct wv_artifact *artifact)
{
	const char *text = artifact->arguments;

	return text != NULL ? wv_json_read(t->arena, text, strlen(text),
				      &wv_json_defaults, NULL)
			    : NULL;
}

/* What the rules of the other capability oblige to, the Frame of the reading
 * is held to; but how it is shown was asked for by itself. */
void
trial_meet(struct trial *t, const cJSON *theirs)
{
	struct policy_answer *answer = &t->verdict->answer;

	wv_json_each(item, theirs) {
		const cJSON *had = wv_get(answer->obligations, item->string);
		if (!wv_is_number(item) ||
			(had != NULL && wv_num_cmp(item, had) >= 0))
			continue;
		if (answer->obligations == NULL)
			answer->obligations = wv_json_object(t->arena);
		wv_put(t->arena, answer->obligations, item->string,
			wv_json_copy(t->arena, item));
	}
}

static bool
is_in_policy(struct trial *t, const struct wv_artifact *artifact)
{
	struct authorizer *a = t->a;
	struct policy_answer answer, *own = &t->verdict->answer;
	cJSON *arguments = arguments_of(t, artifact);
	cJSON *references[WV_REFERENCES_MAX];
	struct policy_query query = {
		.capability_id = artifact->capability_id,
		.principal = t->verdict->principal,
		.arguments = arguments,
		.has_references = wv_references(arguments, references) > 0,
		.token = &t->credential->token,
		.has_roles = t->credential->trust > WV_UNSIGNED,
		.is_again = true,
	};

	if (a->has_catalog)
		query.capability =
			wv_catalog_find(&a->catalog, artifact->capability_id);
	if (a->has_catalog && query.capability == NULL)
		return trial_no(t, "unknown_capability",
			wv_printf(t->arena,
				"the Handle holds output of %s, which is no "
				"capability of the catalogue",
				artifact->capability_id));
	policy_judge(&a->policy, &query, t->arena, &answer);
	if (a->explain)
		trial_explain_rules(t, &answer);
	if (strcmp(answer.code, "allowed") == 0) {
		trial_meet(t, answer.obligations);
		return true;
	}
	trial_no(t, answer.code,
		wv_printf(t->arena, "the Handle holds output of %s: %s",
			artifact->capability_id, answer.reason));
	own->rule = answer.rule;
	return false;
}

bool
is_handle_readable(struct trial *t, const char *id)
{
	struct wv_artifact artifact;

	/* A table has no Handles. */
	if (t->a->state == NULL)
		return true;
	if (!find(t, id, &artifact))
		return false;
	if (!wv_scope_covers(
		    t->credential->token.scope, artifact.capability_id))
		return trial_no(t, "scope_mismatch",
			wv_printf(t->arena,
				"the token's scope does not cover %s, whose "
				"output the Handle holds",
				artifact.capability_id));
	if (!is_in_policy(t, &artifact))
		return false;
	t->seen = wv_printf(t->arena, "output of %s, as allowed as it was",
		artifact.capability_id);
	return true;
}

bool
is_handle_allowed(struct trial *t)
{
	return is_handle_readable(
		t, wv_get_string(t->request->arguments, "handle_id"));
}
