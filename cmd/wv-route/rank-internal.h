/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the ranking share among themselves and with nobody else. */
#ifndef WV_ROUTE_RANK_INTERNAL_H
#define WV_ROUTE_RANK_INTERNAL_H

#include "rank.h"

enum signal { SIGNAL_CALLED, SIGNAL_READY, SIGNAL_SUMMARY, SIGNAL_COUNT };

struct score {
	double points;  /* of the query's words */
	uint32_t query; /* the one these numbers are for */
	uint32_t last;  /* word of the query that it has */
	uint32_t words; /* of the query that it has and that prove something */
	bool telling;   /* one of them says what it is for */
	bool exact;
	double nearest; /* points of its text that is most like the query */
	uint32_t nearest_example; /* which one, as in struct text */
	double summary;           /* points of the last summary's words */
	uint32_t summary_last;
};

/* What signals add to the points of a capability, as shares of them. */
struct boosts {
	double share[SIGNAL_COUNT];
};

/* One query's signals, ready to be applied. */
struct hints {
	struct rank *rank;
	const struct plan *plan;
	struct wv_map called;
	double reach; /* of the last summary; 0: there is none */
};

/* Adds the likeness to whole texts, of capabilities that have been scored, and
 * what it could be to the plan's reach. */
void rank_nearest(struct rank *rank, struct plan *plan);

/* After the query has been scored. */
void hints_init(struct hints *hints, struct rank *rank, struct wv_arena *arena,
	const struct plan *plan, const struct signals *signals);
struct boosts hints_of(const struct hints *hints, uint32_t tool);
void hints_free(struct hints *hints);

/* What the score of a hit is made of. */
void rank_explain(const struct rank *rank, struct wv_arena *arena,
	const struct plan *plan, const struct hints *hints,
	struct rank_hit *hit);

#endif
