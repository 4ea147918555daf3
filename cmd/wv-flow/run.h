/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running a flow: its steps one at a time in the flow's order, each a pinned
 * RoutingDecision that goes through the kernel.  Around them the events of
 * the audit log, each on disk before what it tells of happens.
 */
#ifndef WV_FLOW_RUN_H
#define WV_FLOW_RUN_H

#include "base/file.h"
#include "base/id.h"
#include "flow.h"
#include "kernel.h"
#include "kernel/state.h"

/* What all runs of a process share. */
struct runner {
	const struct flow *flow;
	const char *state_path; /* --state, or NULL */
	struct wv_state *state; /* opened by the first run */
	struct kernel kernel;
	struct wv_out *out;
	bool all;  /* also the answers of the steps go out */
	bool over; /* the kernel broke or a signal came: no more runs */
};

/* Why a step or a flow failed: an error class of contracts.md. */
struct failure {
	const char *class; /* NULL: it did not */
	const char *message;
	bool retriable;
};

struct run {
	struct runner *runner;
	const struct flow *flow;
	struct wv_arena *arena;
	char id[WV_ID_MAX];
	const cJSON *cause; /* has the run's telemetry */
	const cJSON *input;
	const char *justification; /* or NULL */
	cJSON **answers;           /* by step: Frame or denial; NULL: none */
	const cJSON **frames;      /* by step: what references see */
	size_t succeeded, tolerated;
};

/* One run; writes its Frame.  cause is the RoutingDecision that asked for it,
 * or NULL.  Returns the status: 0, 1 if the flow failed, 2 if the kernel
 * did. */
int run_flow(struct runner *runner, struct wv_arena *arena, const cJSON *input,
	const cJSON *cause);

/* Events, within a group. */
void event_flow(struct run *run, const char *type, const char *outcome,
	const struct failure *failure);
void event_step_started(struct run *run, const struct flow_step *step);
void event_step_completed(struct run *run, const struct flow_step *step,
	const char *outcome, const char *code, const char *message);
/* Groups.  A log that cannot be written ends the process with 2, after the
 * kernel. */
void event_begin(struct run *run);
void event_commit(struct run *run);

/* Records of a run, in its arena. */
cJSON *record_step(
	struct run *run, const struct flow_step *step, cJSON *arguments);
/* What references see of a step whose answer is no Frame. */
cJSON *record_failure(struct run *run, const struct failure *failure);
/* The Frame of the flow; data NULL: it failed. */
cJSON *record_frame(
	struct run *run, cJSON *data, const struct failure *failure);
/* Marks a Frame as that of a step, or of the flow (NULL). */
void record_mark(struct run *run, cJSON *frame, const struct flow_step *step);

#endif
