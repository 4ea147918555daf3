/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running a flow.  A run is a tree: a level is a flow with an input, its
 * nodes are the steps of that flow, and a node has tasks: one, or one for
 * each item of for_each.  A task is a call of a capability, again and again
 * until it is over, or a level.
 *
 *	run.c       a run from its input to its Frame
 *	level.c     which node comes when: dataflow
 *	node.c      the life of a step
 *	task.c      the life of a call: attempts, deadlines
 *	loop.c      the one place that waits
 *	journal.c   what a leg that died has to leave behind
 *
 * Order of effects, so that a kill at any point loses nothing and does
 * nothing twice: what came back is in the journal before the log knows of it,
 * and what is sent is in both before the kernel gets it.
 */
#ifndef WV_FLOW_RUN_H
#define WV_FLOW_RUN_H

#include "base/file.h"
#include "base/id.h"
#include "flow.h"
#include "heap.h"
#include "journal.h"
#include "kernel.h"
#include "kernel/state.h"
#include "map.h"

/* What all runs of a process share. */
struct runner {
	const struct flow *flow;
	const char *state_path; /* --state, or NULL */
	struct wv_state *state; /* opened by the first run */
	struct kernel kernel;
	struct wv_out *out;
	size_t jobs;            /* calls at a time */
	int64_t grace_ms;       /* the kernel's, beyond a time-out */
	const char *tools_hash; /* of the tools' file; "": none is known */
	bool shows; /* prints what would be sent, and runs nothing */
	bool plans; /* prints what is ready, and runs nothing */
	bool all;   /* also the answers of the steps go out */
	bool over;  /* the kernel broke or a signal came: no more runs */
};

/* Why a step or a flow failed: an error class of contracts.md. */
struct failure {
	const char *class; /* NULL: it did not */
	const char *message;
	bool retriable;
};

enum node_end {
	NODE_OPEN, /* not begun, or under way */
	NODE_SUCCEEDED,
	NODE_TOLERATED, /* failed, and may */
	NODE_FAILED,
	NODE_SKIPPED,
	NODE_CANCELLED,
};

struct task {
	struct node *node;
	size_t item;        /* of for_each */
	const cJSON *value; /* that item; NULL: no for_each */
	cJSON *arguments;   /* resolved by the first attempt */
	unsigned attempt;   /* that is under way or was the last */
	bool fell_back;     /* it is the fallback's turn */
	bool is_over, is_halted;
	char id[WV_ID_MAX];  /* of the RoutingDecision in flight; "" */
	int64_t due;         /* when it is tried again, or the kernel counts as
	                        broken; INT64_MAX: never */
	int64_t deadline;    /* INT64_MAX: none */
	struct level *level; /* of a sub-flow */
	cJSON *answer;       /* Frame or denial; a level's Frame */
	struct failure failure;
};

struct node {
	struct level *level;
	const struct flow_step *step;
	const char *path; /* PARENT/STEP, PARENT[ITEM]/STEP */
	enum node_end end;
	bool is_begun;
	bool was_done; /* by an earlier leg: no events of this one */
	size_t waits;  /* needs that are open */
	struct task *tasks;
	size_t task_count, task_next; /* the next that is not begun */
	size_t under_way, tasks_failed;
	unsigned attempt; /* the most of any task */
	int64_t deadline;
	struct failure failure;
};

struct level {
	struct run *run;
	const struct flow *flow;
	const cJSON *input;
	struct task *outer;   /* whose level it is; NULL: the run's */
	struct node *nodes;   /* by index of step */
	const cJSON **frames; /* by index: what references see */
	size_t *consumers;    /* who needs what: those of a step are from … */
	size_t *consumer_at; /* … on, by index, to where the next one's are */
	size_t *places;      /* by index: in the order */
	size_t left, finals; /* nodes not settled: others, finally ones */
	int64_t deadline;
	struct failure failure; /* of the first step that failed */
	size_t failed_at;       /* its place */
	size_t succeeded, tolerated, skipped;
};

struct run {
	struct runner *runner;
	struct wv_arena *arena;
	struct journal *journal;
	char id[WV_ID_MAX];
	int64_t leg;
	const cJSON *cause;        /* has the run's telemetry */
	const char *justification; /* or NULL */
	struct level *root;
	struct heap ready;    /* nodes and tasks (struct ready) by rank */
	struct heap timers;   /* tasks by due; one that is late is none */
	struct task **flying; /* sent, not answered */
	size_t flying_count;
	cJSON *unsent;       /* RoutingDecisions for the kernel, a list */
	struct failure halt; /* the kernel broke or a signal came: nothing but
	                        finally steps begins, … */
	unsigned halts;      /* … and the second time nothing at all */
	bool is_replay, is_over; /* all is in the journal, and told before … */
	bool is_planning;        /* runner->plans */
	bool is_quiet;           /* … so that nothing is written or called */
};

/* One run; writes its Frame.  cause is the RoutingDecision that asked for it,
 * or NULL.  Returns the status: 0, 1 if the flow failed, 2 if the kernel
 * did. */
int run_flow(struct runner *runner, struct wv_arena *arena, const cJSON *input,
	const cJSON *cause);
void run_emit(struct run *run, const cJSON *record);
/* What each begins with; its root is to be made. */
void run_init(struct run *run, struct runner *runner, struct wv_arena *arena,
	const cJSON *cause);
/* A run that is there goes on, or is shown again. */
struct resume;
int run_resume(struct runner *runner, struct wv_arena *arena,
	const struct resume *resume);
/* Until every node of the root is settled. */
void run_loop(struct run *run);

/* level.c */
struct level *level_new(struct run *run, const struct flow *flow,
	const cJSON *input, struct task *outer);
/* Has what waits for nothing begin. */
void level_begin(struct level *level);
/* A node is over: what waited for it may begin. */
void level_settle(struct node *node, enum node_end end);
/* Whether a schema (NULL: any value) takes a value; else why not. */
bool level_check(struct level *level, const struct wv_schema *schema,
	const cJSON *value, const char *what, struct failure *failure);
struct map_scope level_scope(const struct level *level, const cJSON *item);
/* The flow's data; NULL and a failure if an output leads nowhere, or the
 * flow has failed. */
cJSON *level_outputs(struct level *level, struct failure *failure);
/* What may begin when there is room: a node, or a task of it, in the order of
 * the run's steps, then in that in which they were added. */
void ready_add(struct run *run, struct node *node, struct task *task);
void ready_take(struct run *run);

/* node.c */
void node_begin(struct node *node);
bool node_is_halted(const struct node *node);
void node_task_over(struct task *task);
/* Its flow_step_completed. */
void node_tell_end(const struct node *node);

/* task.c */
static inline int64_t
later(int64_t time, int64_t ms)
{
	return ms < INT64_MAX - time ? time + ms : INT64_MAX;
}
void task_begin(struct task *task);
void task_answered(struct task *task, cJSON *answer);
/* It is over, as the record of an earlier leg says. */
void task_recall(struct task *task, const cJSON *done);
/* Its time has come: an attempt, or the end of the kernel. */
void task_timer(struct task *task);
/* Its level is settled. */
void task_level_over(struct task *task);
/* The kernel is gone: what is under way fails with this. */
void tasks_halt(struct run *run, const struct failure *failure);
const char *task_path(const struct task *task);

/* Events, within the group that they open; event_commit() ends it, if there
 * is one.  A log that cannot be written ends the process with 2, after the
 * kernel. */
void event_flow(struct run *run, const char *type, const char *outcome,
	const struct failure *failure);
void event_step_started(const struct node *node);
void event_step_completed(const struct node *node, const char *outcome,
	const char *code, const char *message);
void event_step_assumed(const struct node *node);
void event_commit(struct run *run);

/* Records of a run, in its arena. */
cJSON *record_step(
	struct task *task, const char *capability, int64_t timeout_ms);
/* What references see of a step whose answer is no Frame. */
cJSON *record_failure(struct run *run, const struct failure *failure);
/* Of for_each: what its tasks came to. */
cJSON *record_items(const struct node *node);
/* The Frame of a flow; data NULL: it failed. */
cJSON *record_frame(
	struct level *level, cJSON *data, const struct failure *failure);
/* Marks a Frame as that of a call, or of the flow (NULL). */
void record_mark(struct run *run, cJSON *frame, const struct task *task);

#endif
