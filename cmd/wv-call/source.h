/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tools come from, and all that the sources differ in.  No function
 * blocks but list(): what takes time is begun, and the function is asked again
 * until it does not say STEP_WAIT.  Between two questions the plan waits in
 * wv_run_wait(), which steps every process (base/run.h).
 */
#ifndef WV_CALL_SOURCE_H
#define WV_CALL_SOURCE_H

#include "base/err.h"
#include "json/json.h"

struct call;
struct plan;
struct tool;

enum step {
	STEP_DONE,
	STEP_WAIT,
	STEP_FAILED, /* the call says why: call_fail() */
};

struct source {
	const char *name; /* in tools.yaml */

	/*
	 * Makes call->target ready.  Never asked for a tool that is active, nor
	 * on behalf of two calls at once.  Sets tool->listed if there is
	 * something.  What it began and did not finish is gone when it fails.
	 */
	enum step (*activate)(struct call *call);

	/* call->target with call->target_arguments: fills call->output. */
	enum step (*run)(struct call *call);

	/* The activation or run that waits shall end: it is asked on, and must
	 * say DONE or FAILED within the grace.  May be told more than once. */
	void (*stop)(struct call *call);

	/* Takes down what activate() made; never STEP_FAILED: err is set if
	 * something went wrong.  NULL: there is nothing. */
	enum step (*deactivate)(
		struct plan *plan, struct tool *tool, struct wv_err *err);

	/* The schema of its arguments, as JSON, that an entry need not have;
	 * NULL: there is none. */
	const char *(*schema)(const struct tool *tool);

	/*
	 * What the tool is beyond its entry: the descriptor its server has, the
	 * files of its folder.  Blocks; activates nothing, asks a server in a
	 * process of its own.  In the arena.  NULL: a tool is its entry.
	 */
	int (*list)(const struct tool *tool, struct wv_arena *arena,
		const cJSON **listed, struct wv_err *err);
};

extern const struct source source_exec, source_mcp, source_skill,
	source_builtin;

enum {
	GRACE_MS = 2000,       /* that what is asked to end may take */
	DEACTIVATE_MS = 10000, /* that a deactivation may take */
};

#endif
