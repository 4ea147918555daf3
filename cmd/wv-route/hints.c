/* SPDX-License-Identifier: Apache-2.0 */
#include "rank-internal.h"

#include <string.h>

/* What a signal adds, of the points that the query's words gave. */
static const double called_share = -0.5, ready_share = 0.2,
		    not_ready_share = -0.2, summary_share = 0.3;
enum { SUMMARY_MAX = 500 }; /* bytes of a summary that count */

/* What the words of the last summary give to those that the query found. */
static void
score_summary(struct hints *hints, struct wv_arena *arena, const char *summary)
{
	struct rank *rank = hints->rank;
	struct plan plan;

	plan_query(&plan, &rank->planner, arena,
		wv_dupn(arena, summary, strnlen(summary, SUMMARY_MAX)), NULL);
	hints->reach = plan.reach;
	for (size_t i = 0; i < plan.count; i++) {
		const struct probe *probe = &plan.probes[i];
		const struct posting *p =
			rank->index->postings + probe->term->first;
		for (size_t n = probe->term->count; n > 0; n--, p++) {
			struct score *score = &rank->scores[p->tool];
			if (score->query != rank->query ||
				score->summary_last == probe->word)
				continue;
			score->summary_last = probe->word;
			score->summary += probe_points(probe, p);
		}
	}
}

void
hints_init(struct hints *hints, struct rank *rank, struct wv_arena *arena,
	const struct plan *plan, const struct signals *signals)
{
	*hints = (struct hints){ .rank = rank, .plan = plan };
	if (signals == NULL)
		return;
	for (size_t i = 0; i < signals->called_count; i++)
		wv_map_add(&hints->called, signals->called[i], 0);
	if (signals->last_summary != NULL)
		score_summary(hints, arena, signals->last_summary);
}

void
hints_free(struct hints *hints)
{
	wv_map_free(&hints->called);
}

/* Whether the query has a word of the tool's name: it is wanted again. */
static bool
is_named(const struct hints *hints, uint32_t tool)
{
	const struct plan *plan = hints->plan;

	for (size_t i = 0; i < plan->count; i++) {
		const struct posting *p = index_posting(
			hints->rank->index, plan->probes[i].term, tool);
		if (plan->probes[i].kind == PROBE_WORD && p != NULL &&
			(p->fields & (1 << FIELD_NAME | 1 << FIELD_ID)) != 0)
			return true;
	}
	return false;
}

static double
readiness(const struct hints *hints, const cJSON *depends_on)
{
	if (wv_count(depends_on) == 0)
		return 0;
	wv_json_each(id, depends_on)
		if (wv_map_find(&hints->called, id->valuestring) == NULL)
			return not_ready_share;
	return ready_share;
}

struct boosts
hints_of(const struct hints *hints, uint32_t tool)
{
	const struct wv_capability *c =
		&hints->rank->index->catalog->items[tool];
	struct boosts boosts = { { 0 } };

	if (wv_map_find(&hints->called, c->id) != NULL &&
		!is_named(hints, tool))
		boosts.share[SIGNAL_CALLED] = called_share;
	boosts.share[SIGNAL_READY] = readiness(hints, c->depends_on);
	/* text of Frames is anybody's: it promotes nothing that acts */
	if (hints->reach > 0 && c->safety != NULL &&
		strcmp(c->safety, "read") == 0)
		boosts.share[SIGNAL_SUMMARY] = summary_share *
			hints->rank->scores[tool].summary / hints->reach;
	return boosts;
}
