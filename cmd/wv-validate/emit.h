/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is done with an outcome, one after the other in the order of the
 * input: records that are valid leave, others are told and kept apart,
 * reports are written, everything is counted.
 */
#ifndef WV_VALIDATE_EMIT_H
#define WV_VALIDATE_EMIT_H

#include "expect.h"
#include "fingerprint.h"
#include "outcome.h"

struct emit {
	/* what is wanted */
	bool records;      /* the valid ones, to out */
	bool fingerprints; /* theirs, to out */
	bool fail_fast;
	bool progress;          /* nothing else is written to the terminal */
	struct wv_out *rejects; /* NULL: not kept */
	struct wv_reports *reports;          /* NULL: messages on stderr */
	struct expect *expect;               /* NULL: all are to be valid */
	struct fingerprints *fingerprint_of; /* NULL: not compared */

	struct wv_out out; /* standard output */
	struct wv_report_counts counts;
	size_t passed; /* as expected */
	int status;
	bool enough; /* fail_fast has seen it */
	struct wv_arena arena;
};

/* An outcome_take; arg is the struct emit. */
bool emit_outcome(void *arg, struct outcome *outcome);
/* So many valid records of which nothing is to be said. */
void emit_valid(struct emit *emit, size_t count);
/* Whether every outcome is needed, or a count will do for the valid ones. */
bool emit_wants_all(const struct emit *emit);

/* What comes last: reports end, the counts are told, everything is closed.
 * Returns the exit status. */
int emit_end(struct emit *emit, bool allow_empty);

#endif
