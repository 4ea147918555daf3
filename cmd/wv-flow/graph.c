/* SPDX-License-Identifier: Apache-2.0 */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

enum { NEW, OPEN, DONE };

/* A walk along needs, from a step to what it needs first. */
struct walk {
	struct flow *flow;
	unsigned char *state; /* by step */
	struct visit {
		size_t step, next; /* which of its needs comes next */
	} * stack;
	size_t depth;
	size_t entered; /* so far */
	bool has_cycle;
};

/* The steps of the stack from `step` on need each other. */
static void
tell_cycle(struct walk *walk, size_t step)
{
	struct flow *flow = walk->flow;
	struct wv_str text = { 0 };
	size_t i = walk->depth;

	walk->has_cycle = true;
	while (walk->stack[i - 1].step != step)
		i--;
	wv_str_cat(&text, "cycle: ");
	for (; i <= walk->depth; i++)
		wv_str_fmt(&text, "%s -> ",
			flow->steps[walk->stack[i - 1].step].id);
	wv_str_cat(&text, flow->steps[step].id);
	flow_fault(flow,
		flow_at(flow, walk->stack[walk->depth - 1].step, "needs"),
		"cycle", "%s", text.s);
	wv_str_free(&text);
}

/* All that it needs is done. */
static void
leave(struct walk *walk, struct flow_step *step)
{
	for (size_t i = 0; i < step->need_count; i++) {
		size_t below = walk->flow->steps[step->needs[i]].level;
		if (step->level <= below)
			step->level = below + 1;
	}
	step->last = walk->entered - 1;
	walk->state[step->index] = DONE;
	walk->depth--;
}

static void
enter(struct walk *walk, size_t step)
{
	walk->state[step] = OPEN;
	walk->flow->steps[step].first = walk->entered++;
	walk->stack[walk->depth++] = (struct visit){ step, 0 };
}

/* Stops at a cycle: what is open then counts as done. */
static void
leave_cycle(struct walk *walk)
{
	while (walk->depth > 0)
		walk->state[walk->stack[--walk->depth].step] = DONE;
}

static void
visit_from(struct walk *walk, size_t first)
{
	struct flow *flow = walk->flow;

	enter(walk, first);
	while (walk->depth > 0) {
		struct visit *top = &walk->stack[walk->depth - 1];
		struct flow_step *step = &flow->steps[top->step];
		size_t need;
		if (top->next == step->need_count) {
			leave(walk, step);
			continue;
		}
		need = step->needs[top->next++];
		if (walk->state[need] == NEW) {
			enter(walk, need);
		} else if (walk->state[need] == OPEN) {
			tell_cycle(walk, need);
			leave_cycle(walk);
		}
	}
}

static int
compare(const void *a, const void *b)
{
	const struct flow_step *x = *(struct flow_step *const *)a;
	const struct flow_step *y = *(struct flow_step *const *)b;

	if (x->finally != y->finally)
		return x->finally ? 1 : -1;
	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	return strcmp(x->id, y->id);
}

void
flow_sort(struct flow *flow, struct wv_arena *arena)
{
	struct walk walk = { .flow = flow,
		.state = wv_alloc_zero(arena, flow->count),
		.stack = wv_alloc(
			arena, (flow->count + 1) * sizeof(*walk.stack)) };
	struct flow_step **sorted =
		wv_alloc(arena, flow->count * sizeof(*sorted));

	/* from what nothing needs, so that the walk goes deep; what it does not
	 * come to is in cycles, or needed by those */
	for (size_t i = 0; i < flow->count; i++) {
		sorted[i] = &flow->steps[i];
		if (!flow->steps[i].is_needed)
			visit_from(&walk, i);
	}
	for (size_t i = 0; i < flow->count; i++)
		if (walk.state[i] == NEW)
			visit_from(&walk, i);
	if (walk.has_cycle)
		return;
	qsort(sorted, flow->count, sizeof(*sorted), compare);
	flow->order = wv_alloc(arena, flow->count * sizeof(*flow->order));
	for (size_t i = 0; i < flow->count; i++) {
		flow->order[i] = sorted[i]->index;
		sorted[i]->place = i;
	}
}
