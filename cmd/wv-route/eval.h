/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --eval: how well a catalogue is found, by lines {"query", "expect": [ids]};
 * an empty list expects that nothing matches.
 *
 *	R@1 R@3 R@5 R@10  share of queries that have one of the ids they
 *	                  expect among the first so many choices
 *	MRR               mean of 1 / the place of the first such id
 *	no-match          share of all queries that nothing matches
 *	no-match-right    the same of those that expect it
 */
#ifndef WV_ROUTE_EVAL_H
#define WV_ROUTE_EVAL_H

#include "base/opt.h"
#include "json/lines.h"
#include "rank.h"

enum eval_metric {
	EVAL_R1,
	EVAL_R3,
	EVAL_R5,
	EVAL_R10,
	EVAL_MRR,
	EVAL_NO_MATCH,
	EVAL_NO_MATCH_RIGHT,
	EVAL_METRICS,
};

struct eval {
	const char *path;
	bool json; /* figures as an object, not as text */
	/* What --floor asks for; 0: nothing. */
	double floors[EVAL_METRICS];
	bool has_floor;

	struct rank *rank;
	const struct wv_catalog *catalog;
	const struct synonyms *synonyms; /* or NULL */
};

/* --floor METRIC=VALUE; names in any case. */
void eval_floor(struct eval *eval, const struct wv_opts *opts);
/* Writes the figures, and under -v a note of each query whose first choice is
 * not expected.  1: one is below its floor; 2: a line is bad or names what the
 * catalogue does not have. */
int eval_run(struct eval *eval, const struct wv_lines_options *options,
	struct wv_out *out);

#endif
