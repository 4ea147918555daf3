/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tokens that are spent by one call.  How they would be dealt out is not
 * worked out: what is told is certain.
 */
#include "linter.h"

#include "contract/scope.h"

#include <stdlib.h>
#include <string.h>

/* Calls of a capability in a run in which every step is taken once, and what
 * may come on top: conditions, items and retries. */
struct calls {
	const char *capability;
	size_t sure, more;
	struct flow *flow; /* where it stands first, */
	size_t step;
	size_t single;    /* tokens that cover it: spent by a call, */
	bool has_lasting; /* or good for any number */
};

struct count {
	struct linter *linter;
	struct wv_map index; /* by capability, places in: */
	struct calls *list;
	size_t count;
};

static struct calls *
calls_of(struct count *c, struct flow *flow, const struct flow_step *step,
	const char *capability)
{
	size_t *place = wv_map_find(&c->index, capability);

	if (place != NULL)
		return &c->list[*place];
	wv_map_add(&c->index, capability, c->count);
	c->list = wv_list_room(c->list, c->count, sizeof(*c->list));
	c->list[c->count] = (struct calls){
		.capability = capability, .flow = flow, .step = step->index
	};
	return &c->list[c->count++];
}

static void
add_flow(struct count *c, struct flow *flow, bool is_sure)
{
	for (size_t i = 0; i < flow->count; i++) {
		const struct flow_step *step = &flow->steps[i];
		bool once = is_sure && step->condition_count == 0 &&
			step->for_each == NULL;
		struct calls *calls;
		if (step->flow != NULL) {
			add_flow(c, (struct flow *)step->flow, once);
			continue;
		}
		calls = calls_of(c, flow, step, step->capability);
		calls->sure += once;
		calls->more += !once + step->retry.max;
		if (step->fallback != NULL)
			calls_of(c, flow, step, step->fallback)->more++;
	}
}

static bool
covers(const cJSON *token, const struct calls *calls)
{
	return wv_scope_covers(wv_get(token, "scope"), calls->capability);
}

static void
judge(struct count *c, struct calls *calls)
{
	const char *at = flow_at(calls->flow, calls->step, "");

	wv_json_each(token, c->linter->tokens) {
		if (!covers(token, calls))
			continue;
		if (wv_is_true(wv_get(token, "single_use")))
			calls->single++;
		else
			calls->has_lasting = true;
	}
	if (calls->has_lasting)
		return;
	if (calls->single == 0)
		flow_fault(calls->flow, at, "token", "no token covers %s",
			calls->capability);
	else if (calls->sure > calls->single)
		flow_fault(calls->flow, at, "token",
			"%s is called %zu times, and there are %zu single-use "
			"tokens for it",
			calls->capability, calls->sure, calls->single);
	else if (calls->sure + calls->more > calls->single)
		flow_doubt(calls->flow, at, "token",
			"%s may be called %zu times or more, and there are "
			"%zu single-use tokens for it",
			calls->capability, calls->sure + calls->more,
			calls->single);
}

/* The token is spent by one of those calls that have no lasting one. */
static bool
is_for_any(const struct count *c, const cJSON *token)
{
	for (size_t i = 0; i < c->count; i++)
		if (!c->list[i].has_lasting && covers(token, &c->list[i]))
			return true;
	return false;
}

/* Each may have enough by itself, and all of them not. */
static void
judge_all(struct count *c, struct flow *flow)
{
	size_t sure = 0, tokens = 0;

	for (size_t i = 0; i < c->count; i++)
		if (!c->list[i].has_lasting)
			sure += c->list[i].sure;
	wv_json_each(token, c->linter->tokens)
		tokens += is_for_any(c, token);
	if (sure > tokens && flow->faults.errors == 0)
		flow_fault(flow, "/steps", "token",
			"%zu calls need a single-use token each, and there "
			"are %zu",
			sure, tokens);
}

void
lint_tokens(struct linter *l, struct flow *flow)
{
	struct count c = { .linter = l };

	if (!l->has_tokens)
		return;
	add_flow(&c, flow, true);
	for (size_t i = 0; i < c.count; i++)
		judge(&c, &c.list[i]);
	judge_all(&c, flow);
	wv_map_free(&c.index);
	free(c.list);
}
