/* SPDX-License-Identifier: Apache-2.0 */
#include "rank-internal.h"

#include "base/str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNAL_NOT_READY = SIGNAL_COUNT }; /* a name of its own */
static const char *const signal_names[] = { "called", "ready", "last_summary",
	"not_ready" };
static const char *const kinds[] = { [PROBE_WORD] = "word",
	[PROBE_PAIR] = "pair",
	[PROBE_PART] = "part",
	[PROBE_SYNONYM] = "synonym",
	[PROBE_TOPIC] = "subject" };

static const char *
list_fields(struct wv_arena *arena, uint32_t fields)
{
	struct wv_str list = { 0 };
	const char *text;

	for (size_t i = 0; i < FIELD_COUNT; i++)
		if ((fields >> i & 1) != 0)
			wv_str_fmt(&list, "%s%s", list.n > 0 ? ", " : "",
				index_fields[i]);
	text = wv_dupn(arena, list.s, list.n);
	wv_str_free(&list);
	return text;
}

/* The most first. */
static int
compare(const void *a, const void *b)
{
	const struct rank_part *x = a, *y = b;
	int order;

	if (x->points != y->points)
		return x->points > y->points ? -1 : 1;
	order = strcmp(x->kind, y->kind);
	return order != 0 ? order : strcmp(x->what, y->what);
}

static const char *
kind_of(const struct rank *rank, const struct probe *probe)
{
	size_t term = (size_t)(probe->term - rank->index->terms);

	if (probe->kind == PROBE_TOPIC &&
		term >= rank->index->lexicon->subjects)
		return "action";
	return kinds[probe->kind];
}

/* By the words, as rank.c does; returns the points. */
static double
add_words(struct rank_hit *hit, struct rank_part *parts,
	const struct rank *rank, struct wv_arena *arena,
	const struct plan *plan, uint32_t tool)
{
	double points = 0;
	uint32_t last = 0;

	for (size_t i = 0; i < plan->count; i++) {
		const struct probe *probe = &plan->probes[i];
		const struct posting *p =
			index_posting(rank->index, probe->term, tool);
		if (p == NULL || probe->word == last)
			continue;
		last = probe->word;
		points += probe_points(probe, p);
		parts[hit->part_count++] = (struct rank_part){ probe->what,
			kind_of(rank, probe), list_fields(arena, p->fields),
			probe_points(probe, p) / plan->reach };
	}
	return points;
}

static double
add_nearest(struct rank_hit *hit, struct rank_part *parts,
	const struct rank *rank, struct wv_arena *arena,
	const struct plan *plan, uint32_t tool)
{
	const struct score *score = &rank->scores[tool];
	const char *text = "description";

	if (score->nearest == 0)
		return 0;
	if (score->nearest_example != 0)
		text = wv_printf(
			arena, "example %" PRIu32, score->nearest_example);
	parts[hit->part_count++] = (struct rank_part){ text, "nearest", NULL,
		score->nearest / plan->reach };
	return score->nearest;
}

static void
add_signals(struct rank_hit *hit, struct rank_part *parts,
	const struct boosts *boosts, double score)
{
	for (size_t i = 0; i < SIGNAL_COUNT; i++) {
		double share = boosts->share[i];
		size_t name =
			i == SIGNAL_READY && share < 0 ? SIGNAL_NOT_READY : i;
		if (share != 0)
			parts[hit->part_count++] =
				(struct rank_part){ signal_names[name],
					"signal", NULL, share * score };
	}
}

void
rank_explain(const struct rank *rank, struct wv_arena *arena,
	const struct plan *plan, const struct hints *hints,
	struct rank_hit *hit)
{
	uint32_t tool = (uint32_t)(hit->tool - rank->index->catalog->items);
	struct boosts boosts = hints_of(hints, tool);
	struct rank_part *parts = wv_alloc(
		arena, (plan->count + SIGNAL_COUNT + 2) * sizeof(*parts));
	double sum = 0;

	hit->part_count = 0;
	sum = add_words(hit, parts, rank, arena, plan, tool) +
		add_nearest(hit, parts, rank, arena, plan, tool);
	add_signals(
		hit, parts, &boosts, plan->reach > 0 ? sum / plan->reach : 0);
	sum = 0;
	for (size_t i = 0; i < hit->part_count; i++)
		sum += parts[i].points;
	if (hit->score != sum && hit->exact)
		parts[hit->part_count++] = (struct rank_part){ hit->tool->name,
			"exact", "name, id", 1 - sum };
	qsort(parts, hit->part_count, sizeof(*parts), compare);
	hit->parts = parts;
}
