/* SPDX-License-Identifier: Apache-2.0 */
#include "linter.h"

#include "shape.h"

/* {} and true, which everything satisfies; NULL is none. */
static bool
is_everything(const cJSON *schema)
{
	return wv_is_true(schema) ||
		(wv_is_object(schema) && schema->child == NULL);
}

/* As far as it can be seen without looking at values. */
static bool
is_nothing(const cJSON *schema)
{
	const cJSON *not = wv_get(schema, "not");

	return wv_is_false(schema) || is_everything(not );
}

/* The value cannot have a type that the schema wants. */
static bool
is_of_other_type(struct linter *l, const struct flow *flow,
	const struct flow_condition *condition)
{
	struct shape wanted;

	shape_at(&wanted, l->arena, wv_get(condition->value, "is"), "");
	return wv_get(condition->value, "default") == NULL &&
		(wanted.types &
			lint_types(l, flow,
				wv_get_string(condition->value, "from"))) == 0;
}

static bool
never_holds(struct linter *l, const struct flow *flow,
	const struct flow_condition *condition)
{
	if (condition->negate)
		return is_everything(wv_get(condition->value, "not"));
	return is_nothing(wv_get(condition->value, "is")) ||
		is_of_other_type(l, flow, condition);
}

/* Why a step is never taken; NULL: it may be. */
static const char *
why(struct linter *l, const struct flow *flow, const struct flow_step *step,
	const bool *is_never)
{
	size_t never = 0;

	for (size_t i = 0; i < step->condition_count; i++)
		if (never_holds(l, flow, &step->conditions[i]))
			return "its condition never holds";
	for (size_t i = 0; i < step->use_count; i++)
		if (is_never[step->uses[i]])
			return wv_printf(l->arena,
				"it uses \"%s\", which is never taken",
				flow->steps[step->uses[i]].id);
	for (size_t i = 0; i < step->need_count; i++)
		never += is_never[step->needs[i]];
	if (step->run_when == FLOW_ANY_SUCCESS && never > 0 &&
		never == step->need_count)
		return "nothing that it needs is ever taken";
	return NULL;
}

void
lint_reach(struct linter *l, struct flow *flow)
{
	bool *is_never = wv_alloc_zero(l->arena, flow->count);

	for (size_t i = 0; i < flow->count; i++) {
		const struct flow_step *step = &flow->steps[flow->order[i]];
		const char *reason = why(l, flow, step, is_never);
		if (reason == NULL)
			continue;
		is_never[step->index] = true;
		flow_doubt(flow, flow_at(flow, step->index, ""), "unreachable",
			"step \"%s\" is never taken: %s", step->id, reason);
	}
}
