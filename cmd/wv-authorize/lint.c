/* SPDX-License-Identifier: Apache-2.0 */
#include "lint.h"

#include "base/glob.h"
#include "base/msg.h"

#include <string.h>

enum { MOST_JUSTIFICATION = 200 };

void
lint_tell(struct lint *lint, const struct policy_rule *rule,
	const char *pointer, const char *fmt, ...)
{
	const char *at =
		wv_printf(&lint->arena, "/rules/%zu%s", rule->index, pointer);
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	wv_doc_err(&lint->policy->doc, &err, at, "rule \"%s\" %s", rule->name,
		text.s);
	wv_warn_err(&err);
	wv_str_free(&text);
	lint->told++;
}

const char *
lint_pointer(const struct lint_condition *c, const char *member,
	const char *name, size_t index)
{
	struct wv_str pointer = { 0 };

	wv_str_fmt(&pointer, "/%s/%s", c->member, member);
	if (name != NULL)
		wv_pointer_add(&pointer, name);
	wv_str_fmt(&pointer, "/%zu", index);
	const char *text = wv_dupn(&c->lint->arena, pointer.s, pointer.n);
	wv_str_free(&pointer);
	return text;
}

/* Some rule denies it by what stands at the same argument. */
static bool
is_denied(const struct policy *policy, const char *argument, const char *path)
{
	for (size_t i = 0; i < policy->count; i++) {
		const struct policy_rule *rule = &policy->rules[i];
		if (!rule->is_deny)
			continue;
		wv_json_each(glob, wv_get(rule->match.paths, argument)) {
			if (wv_glob_match(glob->valuestring, path, '/'))
				return true;
		}
	}
	return false;
}

/* Who keeps .env away means its kin too. */
static void
lint_family(struct lint *lint, const struct policy_rule *rule)
{
	static const char *const kin[] = { ".local", ".bak", NULL };
	struct lint_condition c = { lint, rule, "match", &rule->match, false };

	wv_json_each(globs, rule->match.paths) {
		size_t index = 0;
		wv_json_each(glob, globs) {
			const char *pattern = glob->valuestring;
			size_t at = index++;
			if (!wv_ends_with(pattern, strlen(pattern), ".env"))
				continue;
			const char *path =
				lint_instance(&lint->arena, pattern, "x", "x");
			for (size_t i = 0; kin[i] != NULL; i++) {
				const char *other = wv_printf(
					&lint->arena, "%s%s", path, kin[i]);
				if (!is_denied(
					    lint->policy, globs->string, other))
					lint_tell(lint, rule,
						lint_pointer(&c, "paths",
							globs->string, at),
						"denies \"%s\" but not "
						"\"%s%s\"",
						pattern, pattern, kin[i]);
			}
		}
	}
}

static void
lint_deny(struct lint *lint, const struct policy_rule *rule)
{
	const struct policy_condition *match = &rule->match;

	if (match->roles != NULL || match->attributes != NULL)
		lint_tell(lint, rule,
			match->roles != NULL ? "/match/roles"
					     : "/match/attributes",
			"denies every unsigned token too: what it says of its "
			"holder is not known");
	lint_family(lint, rule);
}

static void
lint_allow(struct lint *lint, const struct policy_rule *rule)
{
	const struct policy_limit *limit = &rule->limit;

	if (limit->count > 0 && !limit->by_principal && !limit->by_capability)
		lint_tell(lint, rule, "/limit",
			"counts the calls of all principals together: by: "
			"[principal] would not");
	if (limit->count > 0 && wv_get(rule->node, "name") == NULL)
		lint_tell(lint, rule, "/limit",
			"counts by a name that changes with the rules before "
			"it: give it one");
	if (rule->justification > MOST_JUSTIFICATION)
		lint_tell(lint, rule, "/require/justification",
			"asks for more than %d visible characters: few will "
			"write that",
			MOST_JUSTIFICATION);
}

static void
lint_condition(struct lint *lint, const struct policy_rule *rule,
	const char *member, const struct policy_condition *condition,
	bool widens)
{
	const struct lint_condition c = { lint, rule, member, condition,
		widens };

	lint_globs(&c);
	lint_catalog(&c);
	lint_schema(&c);
}

static void
lint_rule(struct lint *lint, const struct policy_rule *rule)
{
	lint_condition(lint, rule, "match", &rule->match, !rule->is_deny);
	lint_condition(lint, rule, "unless", &rule->unless, rule->is_deny);
	lint_cover(lint, rule);
	if (rule->is_deny)
		lint_deny(lint, rule);
	else
		lint_allow(lint, rule);
}

size_t
policy_lint(const struct policy *policy, const struct wv_catalog *catalog)
{
	struct lint lint = { .policy = policy, .catalog = catalog };

	lint.rules = wv_alloc(&lint.arena, policy->count * sizeof *lint.rules);
	for (size_t i = 0; i < policy->count; i++)
		lint.rules[policy->rules[i].index] = &policy->rules[i];
	for (size_t i = 0; i < policy->count; i++)
		lint_rule(&lint, lint.rules[i]);
	wv_arena_free(&lint.arena);
	return lint.told;
}
