/* SPDX-License-Identifier: Apache-2.0 */
#include "flow.h"

#include <stdio.h>

enum { NEW, OPEN, DONE };

/* A walk along needs, from a step to what it needs first. */
struct walk {
	struct flow *flow;
	unsigned char *state; /* by step */
	struct visit {
		size_t step, next; /* which of its needs comes next */
	} * stack;
	size_t depth, ordered;
};

/* The steps of the stack from `step` on need each other. */
static void
tell_cycle(struct walk *walk, size_t step, struct flow_faults *faults)
{
	const struct flow *flow = walk->flow;
	struct wv_str text = { 0 };
	char pointer[64];
	size_t i = walk->depth;

	while (walk->stack[i - 1].step != step)
		i--;
	wv_str_cat(&text, "cycle: ");
	for (; i <= walk->depth; i++)
		wv_str_fmt(&text, "%s -> ",
			flow->steps[walk->stack[i - 1].step].id);
	wv_str_cat(&text, flow->steps[step].id);
	snprintf(pointer, sizeof(pointer), "/steps/%zu/needs",
		walk->stack[walk->depth - 1].step);
	flow_fault(faults, pointer, "%s", text.s);
	wv_str_free(&text);
}

static void
enter(struct walk *walk, size_t step)
{
	walk->state[step] = OPEN;
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
visit_from(struct walk *walk, size_t first, struct flow_faults *faults)
{
	struct flow *flow = walk->flow;

	enter(walk, first);
	while (walk->depth > 0) {
		struct visit *top = &walk->stack[walk->depth - 1];
		const struct flow_step *step = &flow->steps[top->step];
		size_t need;
		if (top->next == step->need_count) {
			walk->state[top->step] = DONE;
			flow->order[walk->ordered++] = top->step;
			walk->depth--;
			continue;
		}
		need = step->needs[top->next++];
		if (walk->state[need] == NEW) {
			enter(walk, need);
		} else if (walk->state[need] == OPEN) {
			tell_cycle(walk, need, faults);
			leave_cycle(walk);
		}
	}
}

void
flow_sort(struct flow *flow, struct wv_arena *arena, struct flow_faults *faults)
{
	struct walk walk = { .flow = flow,
		.state = wv_alloc_zero(arena, flow->count),
		.stack = wv_alloc(
			arena, (flow->count + 1) * sizeof(*walk.stack)) };

	flow->order = wv_alloc(arena, flow->count * sizeof(*flow->order));
	for (size_t i = 0; i < flow->count; i++)
		if (walk.state[i] == NEW)
			visit_from(&walk, i, faults);
}
