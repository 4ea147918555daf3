/* SPDX-License-Identifier: Apache-2.0 */
#include "condition.h"

int
condition_holds(const struct flow_condition *condition,
	const struct map_scope *scope, struct wv_err *err)
{
	const cJSON *value = map_value(condition->value, scope, err);
	int verdict;

	if (value == NULL)
		return -1;
	verdict = wv_schema_valid(condition->schema, value);
	if (verdict < 0)
		return wv_err_set(err, "what is at %s could not be judged",
			wv_get_string(condition->value, "from"));
	return verdict != condition->negate;
}

int
conditions_hold(const struct flow_step *step, const struct map_scope *scope,
	struct wv_err *err)
{
	int holds = 1;

	for (size_t i = 0; holds == 1 && i < step->condition_count; i++)
		holds = condition_holds(&step->conditions[i], scope, err);
	return holds;
}
