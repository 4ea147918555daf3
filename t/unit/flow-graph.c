/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random flows: the order is one of the graph, the same however the steps are
 * declared; a reference is refused exactly where its step is not needed.
 *
 * links: cmd/wv-flow/fault.c
 * links: cmd/wv-flow/map-check.c
 * links: cmd/wv-flow/map.c
 * links: cmd/wv-flow/shape.c
 */
#include "cmd/wv-flow/graph.c"

#include "cmd/wv-flow/map.h"
#include "tap.h"

enum { MOST = 24, ROUNDS = 400 };

static struct wv_arena arena = WV_ARENA_INIT;
static uint64_t seed = 1;

static size_t
below(size_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(seed >> 33) % n;
}

/* What a flow is made of: step i may need those before it. */
struct graph {
	size_t count;
	bool needs[MOST][MOST], before[MOST][MOST];
	size_t refers[MOST]; /* to which step its argument refers */
};

static void
make_graph(struct graph *g)
{
	*g = (struct graph){ .count = 2 + below(MOST - 1) };
	for (size_t i = 0; i < g->count; i++) {
		g->refers[i] = below(g->count);
		for (size_t j = 0; j < i; j++) {
			g->needs[i][j] = below(6) == 0;
			if (!g->needs[i][j])
				continue;
			g->before[i][j] = true;
			for (size_t k = 0; k < j; k++)
				g->before[i][k] |= g->before[j][k];
		}
	}
}

static cJSON *
argument(const struct graph *g, size_t i)
{
	cJSON *arguments = wv_json_object(&arena);

	wv_put_string(&arena, wv_put_object(&arena, arguments, "x"), "from",
		wv_printf(&arena, "/steps/s%02zu/summary", g->refers[i]));
	return arguments;
}

static void
make_step(struct flow *flow, const struct graph *g, const size_t *declared,
	size_t i)
{
	struct flow_step *step = &flow->steps[declared[i]];

	step->id = wv_printf(&arena, "s%02zu", i);
	step->index = declared[i];
	step->arguments = argument(g, i);
	step->needs = wv_alloc(&arena, MOST * sizeof(size_t));
	flow->id_list[step->index] = step->id;
	wv_map_add(&flow->ids, step->id, step->index);
	for (size_t j = 0; j < i; j++) {
		if (!g->needs[i][j])
			continue;
		step->needs[step->need_count++] = declared[j];
		flow->steps[declared[j]].is_needed = true;
	}
}

/* A flow of the graph whose steps are declared in some order. */
static void
make_flow(struct flow *flow, const struct graph *g, size_t *declared)
{
	static const char text[] = "{}";

	for (size_t i = 0; i < g->count; i++) {
		size_t j = below(i + 1);
		declared[i] = declared[j];
		declared[j] = i;
	}
	*flow = (struct flow){ .count = g->count };
	flow->faults.arena = &arena;
	wv_doc_parse(&flow->doc, &arena, "test.json", text, 2, NULL);
	flow->steps = wv_alloc_zero(&arena, MOST * sizeof(*flow->steps));
	flow->id_list = wv_alloc_zero(&arena, (MOST + 1) * sizeof(char *));
	for (size_t i = 0; i < g->count; i++)
		make_step(flow, g, declared, i);
	flow_sort(flow, &arena);
}

static bool
is_ordered(const struct flow *flow)
{
	for (size_t i = 0; i < flow->count; i++) {
		const struct flow_step *step = &flow->steps[flow->order[i]];
		if (step->place != i)
			return false;
		for (size_t j = 0; j < step->need_count; j++)
			if (flow->steps[step->needs[j]].place >= i)
				return false;
	}
	return true;
}

static bool
is_same(const struct flow *a, const struct flow *b)
{
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->steps[a->order[i]].id,
			    b->steps[b->order[i]].id) != 0)
			return false;
	return true;
}

static size_t
wrong_references(const struct graph *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->count; i++)
		n += !g->before[i][g->refers[i]];
	return n;
}

static bool
uses_are_right(
	const struct flow *flow, const struct graph *g, const size_t *declared)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct flow_step *step = &flow->steps[declared[i]];
		bool one = g->before[i][g->refers[i]];
		if (step->use_count != one ||
			(one && step->uses[0] != declared[g->refers[i]]))
			return false;
	}
	return true;
}

int
main(void)
{
	size_t ordered = 0, same = 0, refused = 0, used = 0;

	for (int round = 0; round < ROUNDS; round++) {
		size_t here[MOST], there[MOST];
		struct flow flow, other;
		struct graph g;
		make_graph(&g);
		make_flow(&flow, &g, here);
		make_flow(&other, &g, there);
		ordered += is_ordered(&flow);
		same += is_same(&flow, &other);
		map_check(&flow, &arena);
		refused += flow.faults.errors == wrong_references(&g);
		used += uses_are_right(&flow, &g, here);
		wv_map_free(&flow.ids);
		wv_map_free(&other.ids);
		wv_arena_reset(&arena);
	}
	ok(ordered == ROUNDS, "what is needed stands before: %zu", ordered);
	ok(same == ROUNDS, "whatever the declaration: %zu", same);
	ok(refused == ROUNDS, "references to what is before: %zu", refused);
	ok(used == ROUNDS, "and these are what it uses: %zu", used);
	wv_arena_free(&arena);
	return done();
}
