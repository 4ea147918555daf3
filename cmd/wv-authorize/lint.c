/* SPDX-License-Identifier: Apache-2.0 */
#include "policy.h"

#include "base/glob.h"
#include "base/msg.h"
#include "contract/record.h"

#include <string.h>

__attribute__((format(printf, 4, 5))) static size_t
tell(const struct policy *policy, const struct policy_rule *rule,
	const char *member, const char *fmt, ...)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str pointer = { 0 }, text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	wv_str_fmt(&pointer, "/rules/%zu%s", rule->index, member);
	wv_doc_err(&policy->doc, &err, pointer.s, "rule \"%s\" %s", rule->name,
		text.s);
	wv_warn_err(&err);
	wv_str_free(&pointer);
	wv_str_free(&text);
	return 1;
}

/* An id that the pattern matches: its stars stand for `one`, its double stars
 * for `many`. */
static void
instance(struct wv_str *id, const char *pattern, const char *one,
	const char *many)
{
	id->n = 0;
	wv_str_cat(id, "");
	for (; *pattern != '\0'; pattern++) {
		if (*pattern != '*') {
			wv_str_chr(id, *pattern);
		} else if (pattern[1] == '*') {
			wv_str_cat(id, many);
			pattern++;
		} else {
			wv_str_cat(id, one);
		}
	}
}

static size_t
lint_globs(const struct policy *policy, const struct policy_rule *rule,
	const char *member, const cJSON *globs)
{
	struct wv_str id = { 0 };
	size_t told = 0;

	wv_json_each(glob, globs) {
		instance(&id, glob->valuestring, "x", "x");
		if (!wv_id_is_kernel(id.s))
			told += tell(policy, rule, member,
				"can never match: no id looks like \"%s\"",
				glob->valuestring);
	}
	wv_str_free(&id);
	return told;
}

/* Only absolute paths are ever compared. */
static size_t
lint_paths(const struct policy *policy, const struct policy_rule *rule,
	const char *member, const cJSON *paths)
{
	size_t told = 0;

	wv_json_each(globs, paths) {
		wv_json_each(glob, globs) {
			const char *pattern = glob->valuestring;
			if (*pattern != '/' && *pattern != '*')
				told += tell(policy, rule, member,
					"can never match: no absolute path "
					"looks like \"%s\"",
					pattern);
		}
	}
	return told;
}

static size_t
lint_condition(const struct policy *policy, const struct policy_rule *rule,
	const struct policy_condition *condition, const char *member)
{
	return lint_globs(policy, rule, member, condition->capability) +
		lint_globs(policy, rule, member, condition->principal) +
		lint_paths(policy, rule, member, condition->paths);
}

/* Whatever the pattern matches, one of the globs does: tried on instances
 * that only a star can match. */
static bool
covers(const cJSON *globs, const char *pattern)
{
	static const char *const tries[][2] = { { "", "" }, { "\x01", "\x01" },
		{ "\x01", "\x01.\x01.\x01" } };
	size_t covered = 0;
	struct wv_str id = { 0 };

	for (size_t i = 0; i < 3; i++) {
		instance(&id, pattern, tries[i][0], tries[i][1]);
		wv_json_each(glob, globs) {
			if (wv_glob_match(glob->valuestring, id.s, '.')) {
				covered++;
				break;
			}
		}
	}
	wv_str_free(&id);
	return covered == 3;
}

static bool
covers_all(const cJSON *globs, const cJSON *patterns)
{
	wv_json_each(pattern, patterns) {
		if (!covers(globs, pattern->valuestring))
			return false;
	}
	return true;
}

/* A deny that asks for nothing but ids the allow also asks for. */
static bool
is_shadowed_by(const struct policy_rule *allow, const struct policy_rule *deny)
{
	const struct policy_condition *d = &deny->match, *a = &allow->match;

	if (!deny->is_deny || deny->has_unless || d->arguments != NULL ||
		d->paths != NULL)
		return false;
	if (d->principal != NULL &&
		(a->principal == NULL ||
			!covers_all(d->principal, a->principal)))
		return false;
	return d->capability == NULL ||
		covers_all(d->capability, a->capability);
}

static bool
is_open(const cJSON *schema)
{
	return wv_is_object(schema) &&
		wv_get(schema, "additionalProperties") == NULL &&
		wv_get(schema, "unevaluatedProperties") == NULL;
}

static size_t
lint_allow(const struct policy *policy, const struct policy_rule *rule)
{
	const cJSON *node = wv_pointer(policy->doc.root, "/rules");
	size_t told = 0;

	for (size_t i = 0; i < policy->count; i++) {
		if (is_shadowed_by(rule, &policy->rules[i]))
			told += tell(policy, rule, "",
				"never allows anything: \"%s\" denies it all",
				policy->rules[i].name);
	}
	node = node->child;
	for (size_t i = 0; i < rule->index; i++)
		node = node->next;
	if (is_open(wv_get(wv_get(node, "match"), "arguments")))
		told += tell(policy, rule, "/match/arguments",
			"lets any further argument pass: "
			"additionalProperties: false would not");
	return told;
}

size_t
policy_lint(const struct policy *policy)
{
	size_t told = 0;

	for (size_t i = 0; i < policy->count; i++) {
		const struct policy_rule *rule = &policy->rules[i];
		told += lint_condition(policy, rule, &rule->match, "/match");
		told += lint_condition(policy, rule, &rule->unless, "/unless");
		if (!rule->is_deny)
			told += lint_allow(policy, rule);
	}
	return told;
}
