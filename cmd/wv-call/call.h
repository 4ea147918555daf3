/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call: one PolicyDecision that allows on its way to the Frame of what its
 * tool said.  It is consumed before anything else happens (take.c), goes
 * through the lifecycle (lifecycle.c), and what ran is recorded before
 * anything is said of it (record.c).
 */
#ifndef WV_CALL_H
#define WV_CALL_H

#include "changes.h"
#include "firewall/firewall.h"
#include "kernel/decision.h"
#include "output.h"
#include "plan.h"
#include "source.h"

struct call {
	struct plan *plan;
	struct wv_arena arena; /* of all that follows */

	/* take.c: what was decided */
	const cJSON *decision;
	const char *decision_id, *capability_id, *principal, *token_id;
	const char *routing_id, *item_id; /* may be NULL */
	const cJSON *metadata, *invocation, *arguments;
	cJSON *filled; /* them, with what references stand for; may be NULL */
	const cJSON *obligations; /* may be NULL; a builtin may tighten them */
	struct tool *tool;        /* NULL: none serves the capability */

	/* lifecycle.c: what runs, which is not tool if that is wrapped */
	struct tool *target;
	const cJSON *target_arguments;
	size_t stage;
	bool is_over;
	bool in_source;        /* its activate() or run() said STEP_WAIT */
	const char *cancelled; /* why it shall end; NULL: it need not */
	bool stopped;          /* source->stop() was told */
	struct wv_run *run;    /* the source's */
	void *source_data;     /* the source's */
	struct changes *bound; /* the resources while it runs */
	bool waits;            /* for another call */
	int64_t waits_since, active_since, taken_at; /* ticks; 0: never */

	/* what came of it */
	const char *error_class; /* NULL: it went well */
	const char *error_message;
	bool retriable;
	const char *drifted; /* why it is not what was judged or pinned: it is
	                        answered by a denial, tool_drifted; NULL: it is */
	struct output output;
	cJSON *warnings;       /* strings; NULL: none */
	cJSON *changes;        /* of resources; NULL: none */
	bool is_validation;    /* its output is {passed, message?, data?} */
	bool needs_checkpoint; /* before it runs, once a plan */
	bool passed;           /* the validation */
	const char *handle_id; /* of the Handle that was read; NULL: none */
	struct wv_time started_at, ended_at;
	int64_t queued_ms;    /* until its turn to activate or run */
	int64_t activated_ms; /* that its activation took; -1: none */
	int64_t duration_ms;  /* of all of it */

	/* frame.c, record.c */
	cJSON *frame;
	struct wv_findings findings;

	struct wv_str answer; /* the line; empty: not yet */
};

/* The line that answers the decision. */
void call_answer(struct call *call, const cJSON *record);

/* take.c: the answer of a decision, or a call that is ours to execute: true.
 * The decision is in call->arena, and all else is zero. */
bool call_take(struct call *call, struct plan *plan, const cJSON *decision);

/* refuse.c: a denial of our own is the answer.  code as in wv-call(1). */
void call_refuse(struct call *call, const char *code);
/* (group) The same for a call that was taken. */
int call_refuse_taken(struct call *call, const char *code, struct wv_err *err);

/*
 * lifecycle.c: goes on with a call that was taken, until it waits (false) or
 * its outcome is recorded and its answer there (true).
 */
bool call_advance(struct call *call);
/* It shall end soon, and its outcome be `cancelled`, for this reason. */
void call_cancel(struct call *call, const char *why);
/* Ends what runs for it, and says nothing of it. */
void call_abandon(struct call *call);

/* The call failed: STEP_FAILED.  error_class as in wv-call(1).  The first
 * failure is the one that counts. */
__attribute__((format(printf, 4, 5))) enum step call_fail(struct call *call,
	const char *error_class, bool retriable, const char *fmt, ...);
/* It failed since a tool is not what was pinned, as is known once it is
 * active: STEP_FAILED. */
enum step call_drifted(struct call *call, const struct tool *tool);
/* Something that changes no outcome; in the Frame and the log. */
__attribute__((format(printf, 2, 3))) void call_warn(
	struct call *call, const char *fmt, ...);
/* The time it has: the least of what the decision and its tools allow. */
int64_t call_timeout_ms(const struct call *call);
/* It waits for another call: STEP_WAIT. */
enum step call_wait(struct call *call);

/* The stages: activate.c */
enum step call_activate(struct call *call);
/* reference.c */
enum step call_fill_references(struct call *call);
/* check.c */
enum step call_check_flags(struct call *call);
enum step call_check_input(struct call *call);
enum step call_check_output(struct call *call);
/* NULL if a value, which what names, fits the schema, else why it does not. */
const char *call_misfit(struct call *call, const struct wv_schema *schema,
	const char *what, const cJSON *value);
/* source-exec.c: the checkpoint of the tool, once a plan */
enum step call_checkpoint(struct call *call);

/* frame.c: the Frame of its outcome; keeps the output that needs a Handle */
void call_frame(struct call *call);
/* record.c: its events and what is stored, in one group, and its answer */
void call_record(struct call *call);
/* (group) That a Handle was read for the arguments. */
int call_record_reading(
	struct call *call, const char *handle_id, struct wv_err *err);

/* All but its answer, when it is over: it may have to wait for its turn. */
void call_release(struct call *call);
void call_free(struct call *call);

/* hear.c: standard error of tools and servers, cleaned and redacted.
 * Under -v it is told line by line; the last line of it, or NULL, in the
 * arena. */
const char *call_hear(struct wv_arena *arena, const char *who, const char *text,
	size_t n, bool cut);

#endif
