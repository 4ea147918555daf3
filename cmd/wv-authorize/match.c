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

enum policy_match
policy_capability_match(const struct policy_condition *condition,
	const char *id, const struct wv_capability *capability)
{
	enum policy_match match = POLICY_YES;

	if (condition->capability != NULL)
		match = glob_match(condition->capability, id);
	if (match == POLICY_NO ||
		(condition->safety == NULL && condition->tags == NULL &&
			condition->risk == NULL))
		return match;
	if (capability == NULL)
		return POLICY_UNKNOWN;
	if (condition->tags != NULL)
		match = policy_both(
			match, list_match(condition->tags, capability->tags));
	if (condition->safety != NULL)
		match = policy_both(match,
			word_match(condition->safety, capability->safety));
	if (condition->risk != NULL)
		match = policy_both(
			match, word_match(condition->risk, capability->risk));
	return match;
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
static enum policy_match
principal_match(const struct policy_condition *condition,
	const struct policy_query *query)
{
	enum policy_match match = POLICY_YES;

	if (condition->principal != NULL)
		match = glob_match(condition->principal, query->principal);
	if (match == POLICY_NO ||
		(condition->roles == NULL && condition->attributes == NULL))
		return match;
	if (!query->has_roles)
		return POLICY_UNKNOWN;
	if (condition->roles != NULL)
		match = list_match(condition->roles, query->token->roles);
	if (condition->attributes != NULL)
		match = policy_both(match,
			attributes_match(condition->attributes,
				query->token->attributes));
	return match;
}

static enum policy_match
paths_match(struct policy_subject *subject, const cJSON *paths, bool any)
{
	enum policy_match all = POLICY_YES;

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
static enum policy_match
ids_match(const struct policy_condition *condition,
	const struct policy_query *query)
{
	enum policy_match match = policy_capability_match(
		condition, query->capability_id, query->capability);

	if (match == POLICY_NO)
		return match;
	return policy_both(match, principal_match(condition, query));
}

static enum policy_match
match_without_schema(struct policy_subject *subject,
	const struct policy_condition *condition, bool any)
{
	enum policy_match match = ids_match(condition, subject->query);

	if (match == POLICY_NO || condition->paths == NULL)
		return match;
	return policy_both(match, paths_match(subject, condition->paths, any));
}

static enum policy_match
schema_match(const struct wv_schema *schema, const cJSON *arguments)
{
	int valid = schema != NULL ? wv_schema_valid(schema, arguments) : 1;

	return valid < 0 ? POLICY_UNKNOWN : valid ? POLICY_YES : POLICY_NO;
}

static enum policy_match
exception_match(struct policy_subject *subject, const struct policy_rule *rule)
{
	enum policy_match match;

	if (rule->unless.node == NULL)
		return POLICY_NO;
	match = match_without_schema(subject, &rule->unless, !rule->is_deny);
	if (match == POLICY_NO)
		return match;
	return policy_both(match,
		schema_match(
			rule->unless.arguments, subject->query->arguments));
}

enum policy_match
policy_rule_match(struct policy_subject *subject,
	const struct policy_rule *rule, bool *only_arguments)
{
	enum policy_match match, schema;

	*only_arguments = false;
	match = match_without_schema(subject, &rule->match, rule->is_deny);
	if (match != POLICY_NO)
		match = policy_both(
			match, policy_not(exception_match(subject, rule)));
	if (match == POLICY_NO)
		return match;
	schema = schema_match(rule->match.arguments, subject->query->arguments);
	*only_arguments = match == POLICY_YES && schema == POLICY_NO;
	return policy_both(match, schema);
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
		ids_match(&rule->match, subject->query) == POLICY_NO)
		return false;
	return meets_protected(subject, match) ||
		meets_protected(subject, unless);
}
