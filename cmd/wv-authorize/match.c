/* SPDX-License-Identifier: Apache-2.0 */
#include "policy.h"

#include "base/glob.h"

static enum policy_match
glob_match(const cJSON *globs, const char *id)
{
	wv_json_each(glob, globs) {
		if (wv_glob_match(glob->valuestring, id, '.'))
			return POLICY_YES;
	}
	return POLICY_NO;
}

/* Both hold: a no is a no whatever the other says. */
static enum policy_match
both(enum policy_match a, enum policy_match b)
{
	if (a == POLICY_NO || b == POLICY_NO)
		return POLICY_NO;
	return a == POLICY_UNKNOWN ? a : b;
}

static enum policy_match
paths_match(const cJSON *paths, const cJSON *arguments)
{
	enum policy_match all = POLICY_YES;

	wv_json_each(globs, paths) {
		cJSON *value = wv_pointer(arguments, globs->string);
		all = both(all, policy_path_match(globs, value));
	}
	return all;
}

/* Everything but the argument schema, the dearest last. */
static enum policy_match
match_without_schema(const struct policy_condition *condition,
	const struct policy_query *query)
{
	enum policy_match match = POLICY_YES;

	if (condition->capability != NULL)
		match = glob_match(condition->capability, query->capability_id);
	if (match != POLICY_NO && condition->principal != NULL)
		match = glob_match(condition->principal, query->principal);
	if (match != POLICY_NO && condition->paths != NULL)
		match = paths_match(condition->paths, query->arguments);
	return match;
}

static enum policy_match
schema_match(const struct wv_schema *schema, const cJSON *arguments)
{
	int valid = wv_schema_valid(schema, arguments);

	return valid < 0 ? POLICY_UNKNOWN : valid ? POLICY_YES : POLICY_NO;
}

static enum policy_match
condition_match(const struct policy_condition *condition,
	const struct policy_query *query)
{
	enum policy_match match = match_without_schema(condition, query);

	if (match == POLICY_NO || condition->arguments == NULL)
		return match;
	return both(
		match, schema_match(condition->arguments, query->arguments));
}

static enum policy_match
not_excepted(const struct policy_rule *rule, const struct policy_query *query)
{
	if (!rule->has_unless)
		return POLICY_YES;
	switch (condition_match(&rule->unless, query)) {
	case POLICY_YES:
		return POLICY_NO;
	case POLICY_NO:
		return POLICY_YES;
	default:
		return POLICY_UNKNOWN;
	}
}

enum policy_match
policy_rule_match(
	const struct policy_rule *rule, const struct policy_query *query)
{
	enum policy_match match = condition_match(&rule->match, query);

	if (match == POLICY_NO)
		return match;
	return both(match, not_excepted(rule, query));
}

bool
policy_only_arguments_fail(
	const struct policy_rule *rule, const struct policy_query *query)
{
	const struct policy_condition *match = &rule->match;

	return match->arguments != NULL &&
		match_without_schema(match, query) == POLICY_YES &&
		schema_match(match->arguments, query->arguments) == POLICY_NO &&
		not_excepted(rule, query) == POLICY_YES;
}
