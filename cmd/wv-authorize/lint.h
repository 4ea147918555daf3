/* SPDX-License-Identifier: Apache-2.0 */
/* What a policy probably does not mean, by kind of finding. */
#ifndef WV_LINT_H
#define WV_LINT_H

#include "match.h"

struct lint {
	const struct policy *policy;
	const struct wv_catalog *catalog; /* NULL: not known */
	const struct policy_rule **rules; /* in the order of the file */
	struct wv_arena arena;
	size_t told;
};

/* One of a rule's two. */
struct lint_condition {
	struct lint *lint;
	const struct policy_rule *rule;
	const char *member; /* match, unless */
	const struct policy_condition *condition;
	bool widens; /* the more it matches, the more is allowed */
};

/* Of the value at a pointer within the rule; in the arena. */
const char *lint_pointer(const struct lint_condition *c, const char *member,
	const char *name, size_t index);
void lint_tell(struct lint *lint, const struct policy_rule *rule,
	const char *pointer, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* lint-glob.c */
/* A text that the pattern matches: its stars stand for `one`, its double stars
 * for `many`. */
const char *lint_instance(struct wv_arena *arena, const char *pattern,
	const char *one, const char *many);
/* Whatever any of the patterns matches, one of the globs does. */
bool lint_covers(struct wv_arena *arena, const cJSON *globs,
	const cJSON *patterns, char separator);
/* Its globs, each by itself. */
void lint_globs(const struct lint_condition *c);

/* lint-catalog.c: against what there is to call */
void lint_catalog(const struct lint_condition *c);

/* lint-schema.c: its argument schema */
void lint_schema(const struct lint_condition *c);

/* lint-cover.c: rules that never apply because of themselves or others */
void lint_cover(struct lint *lint, const struct policy_rule *rule);

#endif
