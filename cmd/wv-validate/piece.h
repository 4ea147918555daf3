/* SPDX-License-Identifier: Apache-2.0 */
/* A piece of the input, judged record by record. */
#ifndef WV_VALIDATE_PIECE_H
#define WV_VALIDATE_PIECE_H

#include "judge.h"
#include "outcome.h"

#include <sys/types.h>

struct piece {
	const char *file;  /* "-" is standard input */
	off_t first, last; /* its bytes, whole lines; last 0: to its end */
	const struct target *target;
};

/*
 * Hands the outcome of each record to take, in order, and what cannot be read
 * too.  out is flushed before a wait; it may be NULL.  Returns how many lines
 * the piece has.
 */
size_t piece_judge(const struct piece *piece, struct judge *judge,
	const struct wv_lines_options *options, struct wv_out *out,
	outcome_take *take, void *arg);

#endif
