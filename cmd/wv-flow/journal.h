/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run has to know when it goes on after its process died: flows/RUN.jsonl
 * in the state folder, append-only, 0600, locked as long as a leg lives.
 *
 *	{"run", "flow", "flow_sha256", "tools_sha256", "input", "cause"}
 *	{"leg", "flow_sha256", "tools_sha256", "rerun", "retry_failed"}
	                                        and of each further leg
 *	{"kernel": [[PID, START], …]}           its processes
 *	{"begun": STEP}                         its conditions held
 *	{"sent": TASK, "attempt", "id"}         a RoutingDecision
 *	{"again": TASK, "attempt", "fallback"}  it failed, and is tried again
 *	{"item": TASK, "attempt", "answer", "error"}
 *	{"step": STEP, "end", "attempt", "answer" or "items", "error"}
 *	{"end": success|failure, "frame"}
 *
 * A STEP is its path, a TASK that and [ITEM] for an item of for_each.  Records
 * are gathered and written by journal_sync(), which returns when they are on
 * disk.  A torn last line is none.
 */
#ifndef WV_FLOW_JOURNAL_H
#define WV_FLOW_JOURNAL_H

#include "base/hash.h"
#include "json/json.h"
#include "kernel/state.h"

struct node;
struct resume;
struct run;
struct task;

/* What earlier legs say of a step or a task. */
struct journal_entry {
	const char *path;
	bool is_begun; /* its conditions held */
	bool fell_back;
	unsigned attempt;  /* the last */
	const char *sent;  /* its RoutingDecision, if it has no answer */
	const cJSON *done; /* the record of its end … */
	int64_t leg;       /* … and the leg that wrote it */
};

struct journal {
	int fd;
	struct wv_str buf; /* not written yet */
	struct wv_arena arena;
	struct wv_map paths;
	struct journal_entry *entries;
	size_t count;
	const cJSON *first, *end; /* records; end NULL: the run is not over */
	const cJSON *kernel;      /* of the last leg */
	const char *flow_hash, *tools_hash;
	int64_t leg; /* the last that is known of */
};

/* A new one, or one that is there, read and locked; for replay: not locked.
 * NULL: it is not there, somebody has it, it cannot be read. */
struct journal *journal_new(
	struct wv_state *state, const char *run, struct wv_err *err);
struct journal *journal_open(struct wv_state *state, const char *run,
	bool to_write, struct wv_err *err);
void journal_free(struct journal *journal);
struct journal_entry *journal_find(
	const struct journal *journal, const char *path);
/* The same, made if there is none; path is kept. */
struct journal_entry *journal_entry_of(
	struct journal *journal, const char *path);
/* reopen.c: a step, with all that is within it, or all that failed and may not
 * is as if it had never begun; a step that is to run, or has an item that is,
 * is not done itself. */
void journal_rerun(struct journal *journal, const char *path);
void journal_retry_failed(struct journal *journal);
void journal_reopen(struct journal *journal, const char *path);
/* When a process was started, in ticks since boot: with its id, who it is.
 * -1: there is none that lives. */
int64_t process_start(int64_t pid);

/* Records; of a run without a journal they are none. */
void journal_first(struct run *run);
void journal_leg(struct run *run, const struct resume *resume);
void journal_kernel(struct run *run);
void journal_begun(const struct node *node);
void journal_sent(const struct task *task);
void journal_again(const struct task *task);
void journal_item(const struct task *task);
void journal_step(const struct node *node);
void journal_assumed(struct run *run, const cJSON *record);
void journal_end(struct run *run, const char *outcome, const cJSON *frame);
/* On disk; what cannot be written ends the process with 2, after the kernel. */
void journal_sync(struct run *run);

#endif
