/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A walk along a whole log, in constant memory, that tells every fault with
 * line and offset and goes on.
 */
#ifndef WV_TRACE_WALK_H
#define WV_TRACE_WALK_H

#include "base/id.h"
#include "trace.h"

enum { WALK_LINE_MAX = 256 << 20 }; /* append writes less, even redacted */

struct verdict {
	uint64_t lines, faults;
	uint64_t notes;  /* what dying writers left, and losses; all told of */
	uint64_t losses; /* that wv-trace recover took note of */
	char last[WV_SHA256_HEX]; /* of the last line; "" if there is none */
	char log[WV_ID_MAX];      /* the log's id; "" if it is not named */
};

/* -1: the log could not be read to its end. */
int walk_log(struct source *source, struct verdict *verdict);

#endif
