/* SPDX-License-Identifier: Apache-2.0 */
/* A request before the rules of a policy, one after the other. */
#ifndef WV_MATCH_H
#define WV_MATCH_H

#include "paths.h"

struct policy_subject {
	const struct policy *policy;
	const struct policy_query *query;
	struct policy_paths paths;
};

/* *only_arguments: it would match, were it not for its argument schema. */
struct policy_outcome policy_rule_match(struct policy_subject *subject,
	const struct policy_rule *rule, bool *only_arguments);
/* An allow names a path to what is protected, whatever else it says of it. */
bool policy_rule_meets_protected(
	struct policy_subject *subject, const struct policy_rule *rule);
/* What of a condition can be told by the capability alone. */
void policy_capability_match(struct policy_outcome *outcome,
	const struct policy_condition *condition, const char *id,
	const struct wv_capability *capability);
/* And this member of the condition. */
void policy_narrow(struct policy_outcome *outcome, const char *member,
	enum policy_match match);

/* Both hold: a no is a no whatever the other says. */
static inline enum policy_match
policy_both(enum policy_match a, enum policy_match b)
{
	if (a == POLICY_NO || b == POLICY_NO)
		return POLICY_NO;
	return a == POLICY_UNKNOWN ? a : b;
}

static inline enum policy_match
policy_not(enum policy_match a)
{
	if (a == POLICY_UNKNOWN)
		return a;
	return a == POLICY_YES ? POLICY_NO : POLICY_YES;
}

#endif
