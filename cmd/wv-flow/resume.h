/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run that goes on: what is asked for, and what has to be settled before
 * anything begins.
 */
#ifndef WV_FLOW_RESUME_H
#define WV_FLOW_RESUME_H

#include "run.h"

/* Names as they were given, a list. */
struct names {
	const char **list;
	size_t count;
};

struct resume {
	const char *run; /* NULL: a new one */
	bool replay, retry_failed, accept_change;
	struct names rerun, assume_done;
	const cJSON *input; /* it has to be that of the run; NULL: unknown */
	bool keeps_log; /* the kernel logs to our state what it authorizes */
};

/* Opens the journal and makes the run, its level not yet, what it was: input
 * is its.  -1: it cannot go on. */
int resume_run(struct run *run, const struct resume *resume,
	const cJSON **input, struct wv_err *err);
/* Once its level is there and before it begins: the records of the new leg,
 * and what the log lacks of the old one. */
void resume_leg(struct run *run, const struct resume *resume);

/* What the log says of a run. */
struct trail {
	const struct journal *journal; /* what it sent is looked for */
	struct wv_arena arena;
	struct wv_map sent; /* ids of RoutingDecisions without an answer */
	struct wv_map seen; /* "LEG TYPE STEP", and of those ids the ones
	                       that were authorized */
	bool is_whole;      /* no part of the log was moved away */
};
int trail_read(struct trail *trail, struct wv_state *state, const char *run,
	struct wv_err *err);
/* What the journal has settled and the log lacks, as of the last leg. */
void trail_mend(struct trail *trail, struct run *run);
void trail_free(struct trail *trail);

/* The step at a path; NULL: there is none. */
const struct flow_step *flow_find(const struct flow *flow, const char *path);

#endif
