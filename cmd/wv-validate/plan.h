/* SPDX-License-Identifier: Apache-2.0 */
/* The input in pieces that can be judged side by side, record by record. */
#ifndef WV_VALIDATE_PLAN_H
#define WV_VALIDATE_PLAN_H

#include "judge.h"

#include <sys/types.h>

struct piece {
	const char *file;  /* "-" is standard input */
	off_t first, last; /* its bytes, whole lines; last 0: to its end */
	const struct target *target;
};

struct plan {
	struct piece *pieces; /* in the order of the input */
	size_t count;
};

/* The file is kept.  With split, a long file of lines becomes several pieces,
 * by how long it is now; the last goes to its end, wherever that is then. */
void plan_add(struct plan *plan, const char *file, const struct target *target,
	bool split);
void plan_free(struct plan *plan);

/*
 * Hands the outcome of each record to take, in order, and what cannot be read
 * too.  out is flushed before a wait; it may be NULL.  Returns how many lines
 * the piece has.
 */
size_t piece_judge(const struct piece *piece, struct judge *judge,
	const struct wv_lines_options *options, struct wv_out *out,
	outcome_take *take, void *arg);

#endif
