/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a query looks for in an index: its words, or what is like them where no
 * capability has them, their synonyms and the topics they belong to.
 */
#ifndef WV_ROUTE_PLAN_H
#define WV_ROUTE_PLAN_H

#include "grams.h"
#include "synonyms.h"

enum probe_kind {
	PROBE_WORD,
	PROBE_PAIR,
	PROBE_PART,
	PROBE_SYNONYM,
	PROBE_TOPIC
};

struct probe {
	const struct term *term;
	enum probe_kind kind;
	double weight, k; /* points and how soon more of it adds nothing */
	uint32_t word; /* of the query, from 1; its probes are neighbours, and
	                  a capability gets the points of the first it has */
	const char *what; /* word of the query, or topic */
	uint32_t proves;  /* what has it in one of these may be a match */
};

struct plan {
	struct probe *probes;
	size_t count, cap;
	double reach;   /* more points than this no capability can have */
	double square;  /* sum of the squares of what its words say */
	uint32_t words; /* of the query that mean something */
	const char **unmatched; /* those that nothing has, as they stand */
	size_t unmatched_count;
};

struct planner {
	const struct index *index;
	struct grams grams;
	uint32_t *seen; /* by term: the last query that had it */
	uint32_t query; /* counts queries */
};

void planner_init(struct planner *planner, const struct index *index);
void planner_free(struct planner *planner);
/* The plan lives in the arena.  synonyms: or NULL. */
void plan_query(struct plan *plan, struct planner *planner,
	struct wv_arena *arena, const char *query,
	const struct synonyms *synonyms);

/* What a capability gets for a posting. */
double probe_points(const struct probe *probe, const struct posting *posting);

#endif
