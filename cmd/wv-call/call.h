/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wv-call: a PolicyDecision that allows becomes the Frame of what its tool
 * said.  A decision is consumed before anything runs; what ran is recorded
 * before anything is said of it.
 */
#ifndef WV_CALL_H
#define WV_CALL_H

#include "base/file.h"
#include "base/id.h"
#include "firewall/firewall.h"
#include "json/lines.h"
#include "kernel/artifact.h"
#include "kernel/decision.h"
#include "lock.h"
#include "tools.h"

struct caller {
	struct tools tools;
	struct wv_state *state;
	char plan[WV_ID_MAX];
	bool read_only, require_checkpoint;
	bool trust_unsigned, require_signed;
	struct lock *lock; /* NULL: tools are not pinned */
	size_t max_output; /* bytes of a tool's output */
	struct wv_out out;

	struct {
		size_t succeeded, failed, denied, malformed;
	} counts;
};

/* One decision on its way. */
struct call {
	struct caller *caller;
	struct wv_arena *arena;
	const cJSON *decision;
	const char *decision_id, *capability_id, *principal, *token_id;
	const char *routing_id, *item_id; /* may be NULL */
	const cJSON *metadata, *invocation, *arguments;
	struct tool *tool; /* NULL: none serves the capability */

	/* execute.c */
	const char *error_class; /* NULL: it went well */
	const char *error_message;
	bool retriable;
	struct wv_str output;
	struct wv_time started_at, ended_at;
	int64_t duration_ms;

	/* outcome.c */
	cJSON *frame;
	struct wv_findings findings;
	struct wv_artifact artifact; /* stored if it has a handle_id */
};

/* invoke.c: one valid record, to its answer in caller->out */
void invoke(struct caller *caller, const struct wv_record *rec,
	struct wv_arena *arena);
void emit(struct caller *caller, const cJSON *record);

/* refuse.c: a denial of our own */
void refuse(struct call *call, const char *code);

/* execute.c: fills the call's outcome */
void execute(struct call *call);

/* outcome.c: the Frame of a call, and its events with what is stored */
void make_frame(struct call *call);
void record_outcome(struct call *call);

/* cancel.c: signals that end us wait until what runs is recorded */
void cancel_init(void);
/* The signal that waits, or 0. */
int cancel_signal(void);
/* For a descriptor to become readable; false if a signal came first. */
bool cancel_wait(int fd);
_Noreturn void cancel_die(int signal);
/* The reader of our output is gone: dies of SIGPIPE. */
_Noreturn void cancel_broken_pipe(void);

#endif
