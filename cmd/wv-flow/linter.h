/* SPDX-License-Identifier: Apache-2.0 */
/* What the passes of --lint share.  Each looks at one file's flow, which has
 * an order, and adds faults and doubts to it. */
#ifndef WV_FLOW_LINTER_H
#define WV_FLOW_LINTER_H

#include "flow.h"

struct linter {
	struct wv_arena *arena;
	bool has_tools;
	struct wv_catalog tools;
	const char **tool_ids;             /* NULL-terminated */
	struct wv_schema_set *set;         /* of the tools' schemas */
	struct wv_map programs;            /* by capability, places in: */
	const struct wv_schema **compiled; /* NULL: is no schema */
	bool has_tokens;
	cJSON *tokens; /* array of CapabilityTokens */
};

/* lint-step.c: what each step says beside its references. */
void lint_steps(struct linter *linter, struct flow *flow);
/* lint-arguments.c: what is written against the schema it is for. */
void lint_arguments(struct linter *linter, struct flow *flow);
/* lint-type.c: of what a pointer leads to, as bits of shape.h. */
unsigned lint_types(
	struct linter *linter, const struct flow *flow, const char *pointer);
/* lint-reach.c: steps that are never taken. */
void lint_reach(struct linter *linter, struct flow *flow);
/* lint-token.c: whether the tokens can be enough for one run of a flow. */
void lint_tokens(struct linter *linter, struct flow *flow);

#endif
