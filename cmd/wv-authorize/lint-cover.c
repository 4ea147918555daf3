/* SPDX-License-Identifier: Apache-2.0 */
#include "lint.h"

#include <string.h>

/* Each of these holds if its member is not asked for, or is asked for by both
 * and at least as widely by the outer one. */

static bool
ids_cover(struct wv_arena *arena, const cJSON *outer, const cJSON *inner)
{
	return outer == NULL ||
		(inner != NULL && lint_covers(arena, outer, inner, '.'));
}

static bool
words_cover(const cJSON *outer, const cJSON *inner)
{
	if (outer == NULL || inner == NULL)
		return outer == NULL;
	wv_json_each(word, inner) {
		const cJSON *same = outer->child;
		while (same != NULL &&
			strcmp(same->valuestring, word->valuestring) != 0)
			same = same->next;
		if (same == NULL)
			return false;
	}
	return true;
}

static bool
names_cover(struct wv_arena *arena, const cJSON *outer, const cJSON *inner,
	char separator)
{
	wv_json_each(globs, outer) {
		const cJSON *same = wv_get(inner, globs->string);
		if (same == NULL || !lint_covers(arena, globs, same, separator))
			return false;
	}
	return true;
}

static bool
schemas_cover(const cJSON *outer, const cJSON *inner)
{
	const cJSON *schema = wv_get(outer, "arguments");
	const cJSON *same = wv_get(inner, "arguments");

	return schema == NULL || (same != NULL && wv_json_equal(schema, same));
}

/* Whatever the inner one matches, the outer one does. */
static bool
covers(struct wv_arena *arena, const struct policy_condition *outer,
	const struct policy_condition *inner)
{
	return ids_cover(arena, outer->capability, inner->capability) &&
		ids_cover(arena, outer->principal, inner->principal) &&
		words_cover(outer->safety, inner->safety) &&
		words_cover(outer->risk, inner->risk) &&
		ids_cover(arena, outer->tags, inner->tags) &&
		ids_cover(arena, outer->roles, inner->roles) &&
		names_cover(arena, outer->attributes, inner->attributes, '.') &&
		names_cover(arena, outer->paths, inner->paths, '/') &&
		schemas_cover(outer->node, inner->node);
}

/* A deny without exceptions that comes before whatever the rule says. */
static bool
is_denied_by(struct lint *lint, const struct policy_rule *rule,
	const struct policy_rule *deny)
{
	if (!deny->is_deny || deny == rule || deny->unless.node != NULL ||
		!covers(&lint->arena, &deny->match, &rule->match))
		return false;
	/* of two that say the same, the second is the one too many */
	return !rule->is_deny || rule->unless.node != NULL ||
		deny->index < rule->index ||
		!covers(&lint->arena, &rule->match, &deny->match);
}

void
lint_cover(struct lint *lint, const struct policy_rule *rule)
{
	if (rule->unless.node != NULL &&
		covers(&lint->arena, &rule->unless, &rule->match))
		lint_tell(lint, rule, "/unless",
			"never applies: it excepts all that it matches");
	for (size_t i = 0; i < lint->policy->count; i++) {
		const struct policy_rule *deny = lint->rules[i];
		if (!is_denied_by(lint, rule, deny))
			continue;
		lint_tell(lint, rule, "",
			rule->is_deny ? "is not needed: \"%s\" denies it all"
				      : "never allows anything: \"%s\" denies "
					"it all",
			deny->name);
		return;
	}
}
