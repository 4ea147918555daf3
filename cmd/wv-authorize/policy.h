/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Policies: wv-policy(5).  A policy is read once, whole, and refused whole
 * when anything in it cannot be understood: a narrowing that was dropped
 * could only widen it.
 *
 * Any matching deny wins; all matching allows apply together; the order of
 * rules in the file never matters.  What cannot be known makes a deny match
 * and an allow not, though what such an allow requires, limits and obliges to
 * holds: to know less never allows more.
 */
#ifndef WV_POLICY_H
#define WV_POLICY_H

#include "contract/catalog.h"
#include "kernel/token.h"
#include "schema/schema.h"

/* What a policy is asked about. */
struct policy_query {
	const char *capability_id, *principal;
	const struct wv_capability *capability; /* of the catalogue; NULL: not
						   known */
	const cJSON *arguments;                 /* an object; NULL: not known */
	const cJSON *justification;             /* NULL: none was given */
	const struct wv_token *token; /* the verified one; an unsigned one's
					 roles and attributes do not count */
	bool has_roles;               /* they count */
	bool is_signed;               /* by a key of the keyring */
	bool is_again;       /* what its rules require was met before */
	bool has_references; /* some of the arguments are kept elsewhere, and
				what they are is not known */
};

/* All that is given must hold; what is NULL is not asked. */
struct policy_condition {
	const cJSON *node;                   /* as it is written */
	const cJSON *capability, *principal; /* lists of globs */
	const cJSON *safety, *tags, *risk;   /* lists: what the catalogue says;
						of tags globs */
	const cJSON *roles;                  /* list of globs */
	const cJSON *attributes;             /* name: list of globs */
	const cJSON *paths;                  /* argument pointer: the same */
	const struct wv_schema *arguments;
};

/* At most count in any span of per_ms; one window for each value of by. */
struct policy_limit {
	int64_t count; /* 0: no limit */
	int64_t per_ms;
	bool by_principal, by_capability;
};

struct policy_rule {
	const cJSON *node; /* as it is written */
	const char *name;
	size_t index; /* in the file */
	bool is_deny;
	struct policy_condition match, unless;
	int64_t justification; /* visible characters */
	bool bound;            /* by a single-use token to the arguments */
	bool signed_only;
	struct policy_limit limit;
	const cJSON *obligations; /* NULL: none */
};

struct policy_place; /* what no path of an allow may lead to */

struct policy {
	struct wv_arena arena;
	struct wv_doc doc;
	char sha256[WV_SHA256_HEX]; /* of the file's bytes */
	struct wv_schema_set *schemas;
	struct policy_rule *rules; /* by name */
	size_t count;
	struct policy_place *places;
};

/* policy.c: reads one; to be freed even on failure */
int policy_load(struct policy *policy, const char *path, struct wv_err *err);
void policy_free(struct policy *policy);

/* protect.c: what an allow's `paths` names is denied (policy_deny) if it is,
 * or lies within, this file or folder, by whatever name: the state folder,
 * the files of policy, tokens and keyring.  -1 if it cannot be resolved. */
int policy_protect(struct policy *policy, const char *path, struct wv_err *err);

enum policy_match { POLICY_NO, POLICY_YES, POLICY_UNKNOWN };

struct policy_outcome {
	enum policy_match match;
	const char *member; /* of the rule, that it is not more; NULL: yes */
};

/* judge.c; everything of an answer lives in the arena */
struct policy_answer {
	const char *code;   /* allowed, policy_deny, no_matching_rule, … */
	const char *rule;   /* names of those that decided; NULL: none */
	const char *reason; /* in plain words, never a value of an argument */
	cJSON *obligations; /* of all that apply, met; NULL: none */
	/* Of an allow: whose requirements, limits and obligations hold. */
	const struct policy_rule **applied;
	size_t applied_count;
	/* What each of policy->rules said, by its place there: for those who
	 * explain.  A rule is asked once, so that all of them see the file
	 * system as it was at one time. */
	struct policy_outcome *outcomes;
};
void policy_judge(const struct policy *policy, const struct policy_query *query,
	struct wv_arena *arena, struct policy_answer *answer);

/* lint.c: says on stderr what is probably not meant; how much that is.
 * catalog: what there is to call; NULL: not known */
size_t policy_lint(
	const struct policy *policy, const struct wv_catalog *catalog);

#endif
