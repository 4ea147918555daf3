/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Policies: wv-policy(5).  A policy is read once, whole, and refused whole
 * when anything in it cannot be understood: a narrowing that was dropped
 * could only widen it.
 *
 * Any matching deny wins; all matching allows apply together; the order of
 * rules in the file never matters.  What cannot be known makes a deny match
 * and an allow not.
 */
#ifndef WV_POLICY_H
#define WV_POLICY_H

#include "kernel/token.h"
#include "schema/schema.h"

/* What a policy is asked about. */
struct policy_query {
	const char *capability_id, *principal;
	const cJSON *arguments;       /* an object */
	const cJSON *justification;   /* NULL: none was given */
	const struct wv_token *token; /* the verified one */
};

/* All that is given must hold; what is NULL is not asked. */
struct policy_condition {
	const cJSON *capability, *principal; /* lists of globs */
	const struct wv_schema *arguments;
	const cJSON *paths; /* argument pointer: list of globs */
};

/* At most count in any span of per_ms; one window for each value of by. */
struct policy_limit {
	int64_t count; /* 0: no limit */
	int64_t per_ms;
	bool by_principal, by_capability;
};

struct policy_rule {
	const char *name;
	size_t index; /* in the file */
	bool is_deny;
	struct policy_condition match, unless;
	bool has_unless;
	int64_t justification; /* visible characters */
	bool bound;            /* by a single-use token to the arguments */
	struct policy_limit limit;
	const cJSON *obligations; /* NULL: none */
};

struct policy {
	struct wv_arena arena;
	struct wv_doc doc;
	char sha256[WV_SHA256_HEX]; /* of the file's bytes */
	struct wv_schema_set *schemas;
	struct policy_rule *rules; /* by name */
	size_t count;
};

/* policy.c: reads one; to be freed even on failure */
int policy_load(struct policy *policy, const char *path, struct wv_err *err);
void policy_free(struct policy *policy);

/* match.c */
enum policy_match { POLICY_NO, POLICY_YES, POLICY_UNKNOWN };
enum policy_match policy_rule_match(
	const struct policy_rule *rule, const struct policy_query *query);
/* The rule would match, were it not for its argument schema. */
bool policy_only_arguments_fail(
	const struct policy_rule *rule, const struct policy_query *query);

/* paths.c: value is a path or an array of paths; NULL is none */
enum policy_match policy_path_match(const cJSON *globs, const cJSON *value);

/* judge.c */
struct policy_answer {
	const char *code;   /* allowed, policy_deny, no_matching_rule, … */
	const char *rule;   /* names of those that decided; NULL: none */
	const char *reason; /* in plain words, never a value of an argument */
	cJSON *obligations; /* of all that apply, met; NULL: none */
	const struct policy_rule **applied; /* of an allow */
	size_t applied_count;
};
void policy_judge(const struct policy *policy, const struct policy_query *query,
	struct wv_arena *arena, struct policy_answer *answer);

/* lint.c: says on stderr what is probably not meant; how much that is */
size_t policy_lint(const struct policy *policy);

#endif
