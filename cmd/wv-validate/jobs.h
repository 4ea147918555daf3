/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pieces judged by one process, or by several side by side: what comes out is
 * the same.  Piece k is judged by process k modulo their number, which is
 * forked from this one; each keeps what it has to say of a piece until it is
 * asked, a few megabytes at most, then waits.
 */
#ifndef WV_VALIDATE_JOBS_H
#define WV_VALIDATE_JOBS_H

#include "emit.h"
#include "plan.h"

/* Hands every outcome to emit_outcome(), in order, until that has enough.  A
 * process that dies ends it: said, and status 2 for emit. */
void jobs_run(const struct plan *plan, size_t jobs, struct judge *judge,
	const struct wv_lines_options *options, struct emit *emit);

#endif
