/* SPDX-License-Identifier: Apache-2.0 */
#include "linter.h"

#include <string.h>

static void
check_known(struct linter *l, struct flow *flow, const char *capability,
	const char *pointer)
{
	if (!l->has_tools || wv_catalog_find(&l->tools, capability) != NULL)
		return;
	flow_fault(flow, pointer, "unknown-tool", "no tool serves \"%s\"%s",
		capability, flow_nearest(flow, capability, l->tool_ids));
}

/* Nobody knows whether an attempt that failed has changed something. */
static void
check_retry(struct flow *flow, const struct flow_step *step)
{
	if (step->retry.max == 0 || step->idempotent != 0)
		return;
	flow_doubt(flow, flow_at(flow, step->index, "retry"), "retry",
		"step \"%s\" may be taken again, and %s is not known to change "
		"nothing: idempotent: true, if that does no harm",
		step->id, step->capability);
}

static void
check_times(struct flow *flow, const struct flow_step *step)
{
	const struct flow_retry *retry = &step->retry;

	if (step->deadline_ms > 0 && step->timeout_ms > step->deadline_ms)
		flow_doubt(flow, flow_at(flow, step->index, "timeout"), "time",
			"step \"%s\": its timeout is longer than its deadline",
			step->id);
	if (step->deadline_ms > 0 && retry->max > 0 &&
		retry->backoff_ms >= step->deadline_ms)
		flow_doubt(flow, flow_at(flow, step->index, "retry/backoff"),
			"time",
			"step \"%s\": its first backoff is longer than its "
			"deadline: it is never taken again",
			step->id);
	if (flow->deadline_ms > 0 && step->deadline_ms > flow->deadline_ms)
		flow_doubt(flow, flow_at(flow, step->index, "deadline"), "time",
			"step \"%s\": its deadline is longer than the flow's",
			step->id);
}

static void
check_schema(struct linter *l, struct flow *flow, const char *member,
	const struct wv_schema *compiled)
{
	const cJSON *schema = wv_get(flow->doc.root, member);
	struct wv_schema_error *warning = NULL;

	if (compiled != NULL)
		wv_schema_lint(flow->schemas, schema, l->arena, &warning);
	for (; warning != NULL; warning = warning->next)
		flow_doubt(flow,
			wv_printf(l->arena, "/%s%s", member, warning->instance),
			"schema", "%s%s: %s", member, warning->instance,
			warning->message);
}

void
lint_steps(struct linter *l, struct flow *flow)
{
	check_schema(l, flow, "input_schema", flow->input_schema);
	check_schema(l, flow, "output_schema", flow->output_schema);
	for (size_t i = 0; i < flow->count; i++) {
		const struct flow_step *step = &flow->steps[i];
		if (step->flow == NULL && step->capability != NULL)
			check_known(l, flow, step->capability,
				flow_at(flow, i, "capability"));
		if (step->fallback != NULL)
			check_known(l, flow, step->fallback,
				flow_at(flow, i, "on_error/fallback"));
		check_retry(flow, step);
		check_times(flow, step);
	}
}
