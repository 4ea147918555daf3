/* SPDX-License-Identifier: Apache-2.0 */
#include "match.h"

#include "base/glob.h"

#include <string.h>

static enum policy_match
glob_match(const cJSON *globs, const char *text)
{
	wv_json_each(glob, globs) {
		if (wv_glob_match(glob->valuestring, text, '.'))
			return POLICY_YES;
	}
	return POLICY_NO;
}

/* Some text of a list, of which NULL has none. */
static enum policy_match
list_match(const cJSON *globs, const cJSON *texts)
{
	wv_json_each(text, texts) {
		if (glob_match(globs, text->valuestring) == POLICY_YES)
			return POLICY_YES;
	}
	return POLICY_NO;
}

static enum policy_match
word_match(const cJSON *words, const char *word)
{
	if (word == NULL)
		return POLICY_UNKNOWN;
	wv_json_each(one, words) {
		if (strcmp(one->valuestring, word) == 0)
			return POLICY_YES;
	}
	return POLICY_NO;
}

void
policy_narrow(struct policy_outcome *outcome, const char *member,
	enum policy_match match)
{
	enum policy_match both = policy_both(outcome->match, match);

	if (both != outcome->match)
		outcome->member = member;
	outcome->match = both;
}

void
policy_capability_match(struct policy_outcome *outcome,
	const struct policy_condition *condition, const char *id,
	const struct wv_capability *capability)
{
	const cJSON *tags = capability ? capability->tags : NULL;
	const char *safety = capability ? capability->safety : NULL,
		   *risk = capability ? capability->risk : NULL;

	if (condition->capability != NULL)
		policy_narrow(outcome, "capability",
			glob_match(condition->capability, id));
	if (outcome->match == POLICY_NO)
		return;
	if (condition->tags != NULL)
		policy_narrow(outcome, "tags",
			capability == NULL ? POLICY_UNKNOWN
					   : list_match(condition->tags, tags));
	if (condition->safety != NULL)
		policy_narrow(outcome, "safety",
			word_match(condition->safety, safety));
	if (condition->risk != NULL)
		policy_narrow(
			outcome, "risk", word_match(condition->risk, risk));
}

static enum policy_match
attributes_match(const cJSON *wanted, const cJSON *attributes)
{
	wv_json_each(globs, wanted) {
		const char *value = wv_get_string(attributes, globs->string);
		if (value == NULL || glob_match(globs, value) == POLICY_NO)
			return POLICY_NO;
	}
	return POLICY_YES;
}

/* Who asks, and what the token says of them. */
static void
principal_match(struct policy_outcome *outcome,
	const struct policy_condition *condition,
	const struct policy_query *query)
{
	bool known = query->has_roles;

	if (condition->principal != NULL)
		policy_narrow(outcome, "principal",
			glob_match(condition->principal, query->principal));
	if (condition->roles != NULL)
		policy_narrow(outcome, "roles",
			known ? list_match(
					condition->roles, query->token->roles)
			      : POLICY_UNKNOWN);
	if (condition->attributes != NULL)
		policy_narrow(outcome, "attributes",
			known ? attributes_match(condition->attributes,
					query->token->attributes)
			      : POLICY_UNKNOWN);
}

static enum policy_match
paths_match(struct policy_subject *subject, const cJSON *paths, bool any)
{
	enum policy_match all = POLICY_YES;

	if (subject->query->arguments == NULL)
		return POLICY_UNKNOWN;
	wv_json_each(globs, paths) {
		const cJSON *node =
			wv_pointer(subject->query->arguments, globs->string);
		if (node == NULL)
			return POLICY_NO;
		all = policy_both(all,
			policy_value_match(
				policy_value_read(&subject->paths, node), globs,
				any));
	}
	return all;
}

/* Who and what, without the arguments. */
static struct policy_outcome
ids_match(const struct policy_condition *condition,
	const struct policy_query *query)
{
	struct policy_outcome outcome = { POLICY_YES, NULL };

	policy_capability_match(
		&outcome, condition, query->capability_id, query->capability);
	if (outcome.match != POLICY_NO)
		principal_match(&outcome, condition, query);
	return outcome;
}

static struct policy_outcome
match_without_schema(struct policy_subject *subject,
	const struct policy_condition *condition, bool any)
{
	struct policy_outcome outcome = ids_match(condition, subject->query);

	if (outcome.match != POLICY_NO && condition->paths != NULL)
		policy_narrow(&outcome, "paths",
			paths_match(subject, condition->paths, any));
	return outcome;
}

/* A reference is seen as it is written: what it stands for may fit all the
 * same. */
static enum policy_match
schema_match(const struct wv_schema *schema, const struct policy_query *query)
{
	int valid;

	if (schema == NULL)
		return POLICY_YES;
	if (query->arguments == NULL)
		return POLICY_UNKNOWN;
	valid = wv_schema_valid(schema, query->arguments);
	if (valid < 0 || (valid == 0 && query->has_references))
		return POLICY_UNKNOWN;
	return valid ? POLICY_YES : POLICY_NO;
}

static enum policy_match
exception_match(struct policy_subject *subject, const struct policy_rule *rule)
{
	struct policy_outcome outcome;

	if (rule->unless.node == NULL)
		return POLICY_NO;
	outcome = match_without_schema(subject, &rule->unless, !rule->is_deny);
	if (outcome.match != POLICY_NO)
		policy_narrow(&outcome, "arguments",
			schema_match(rule->unless.arguments, subject->query));
	return outcome.match;
}

struct policy_outcome
policy_rule_match(struct policy_subject *subject,
	const struct policy_rule *rule, bool *only_arguments)
{
	struct policy_outcome outcome;
	enum policy_match schema;

	*only_arguments = false;
	outcome = match_without_schema(subject, &rule->match, rule->is_deny);
	if (outcome.match != POLICY_NO)
		policy_narrow(&outcome, "unless",
			policy_not(exception_match(subject, rule)));
	if (outcome.match == POLICY_NO)
		return outcome;
	schema = schema_match(rule->match.arguments, subject->query);
	*only_arguments = outcome.match == POLICY_YES && schema == POLICY_NO;
	policy_narrow(&outcome, "arguments", schema);
	return outcome;
}

static bool
meets_protected(struct policy_subject *subject, const cJSON *paths)
{
	wv_json_each(globs, paths) {
		const cJSON *node =
			wv_pointer(subject->query->arguments, globs->string);
		if (node != NULL &&
			policy_value_read(&subject->paths, node)->is_protected)
			return true;
	}
	return false;
}

bool
policy_rule_meets_protected(
	struct policy_subject *subject, const struct policy_rule *rule)
{
	const cJSON *match = rule->match.paths, *unless = rule->unless.paths;

	if (rule->is_deny || subject->policy->places == NULL ||
		(match == NULL && unless == NULL) ||
		ids_match(&rule->match, subject->query).match == POLICY_NO)
		return false;
	return meets_protected(subject, match) ||
		meets_protected(subject, unless);
}
