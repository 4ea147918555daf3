/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tools that are a command, run once for each call; and the commands that
 * make one ready, keep what it could destroy, and take it down.
 */
#include "call.h"

#include "argv.h"
#include "json/num.h"
#include "start.h"

#include <string.h>

enum { MAX_STDERR = 64 << 10 };

static bool
is_ok_status(const cJSON *list, int code)
{
	int64_t status;

	if (list == NULL)
		return code == 0;
	wv_json_each(item, list) {
		if (wv_num_int64(item, &status) && status == code)
			return true;
	}
	return false;
}

/* NULL if it ended well, else how it ended. */
static const char *
how_it_ended(struct wv_arena *arena, struct wv_run *run, const cJSON *ok_status,
	int64_t timeout_ms, const char *who)
{
	const struct wv_run_result *result = wv_run_result(run);
	const char *words = call_hear(
		arena, who, result->err.s, result->err.n, result->err_cut);
	const char *colon = words != NULL ? ": " : "";
	int code = result->code;

	words = words != NULL ? words : "";
	switch (result->end) {
	case WV_RUN_EXITED:
		if (is_ok_status(ok_status, code))
			return NULL;
		return wv_printf(
			arena, "exit status %d%s%s", code, colon, words);
	case WV_RUN_SIGNALED:
		return wv_printf(arena,
			"ended by signal %d (%s), as status %d%s%s", code,
			strsignal(code), 128 + code, colon, words);
	case WV_RUN_TIMEOUT:
		return wv_printf(arena, "not done within %lld ms%s%s",
			(long long)timeout_ms, colon, words);
	case WV_RUN_FLOODED:
	case WV_RUN_REFUSED:
		return "more output than is taken";
	case WV_RUN_STOPPED:
		break;
	}
	return "stopped";
}

/* What these commands say is nobody's. */
static int
drop(void *arg, const char *p, size_t n)
{
	(void)arg, (void)p, (void)n;
	return 0;
}

static struct wv_run *
start_command(const struct plan *plan, const struct tool *tool,
	const char *member, int64_t timeout_ms, struct wv_err *err)
{
	const cJSON *entry = tool->entry;
	struct wv_arena arena = WV_ARENA_INIT;
	const struct wv_run_limits limits = {
		.timeout_ms = timeout_ms,
		.grace_ms = GRACE_MS,
		.max_err = MAX_STDERR,
		.sink = drop,
	};
	struct wv_run *run = start_process(plan, entry, wv_get(entry, "limits"),
		start_words(&arena, wv_get(entry, member)), -1, &limits, err);

	wv_arena_free(&arena);
	return run;
}

/* One of the commands of call->target, if it has it, to its end. */
static enum step
command(struct call *call, const char *member, const char *error_class)
{
	struct tool *tool = call->target;
	struct wv_err err = WV_ERR_INIT;

	if (wv_get(tool->entry, member) == NULL)
		return STEP_DONE;
	if (call->run == NULL) {
		call->run = start_command(
			call->plan, tool, member, tool->timeout_ms, &err);
		if (call->run == NULL)
			return call_fail(call, error_class, false, "%s: %s",
				member, err.text);
	}
	if (!wv_run_is_over(call->run))
		return STEP_WAIT;
	const char *why = how_it_ended(&call->arena, call->run, NULL,
		tool->timeout_ms, tool->capability);
	wv_run_free(call->run);
	call->run = NULL;
	if (why != NULL)
		return call_fail(
			call, error_class, false, "%s: %s", member, why);
	return STEP_DONE;
}

static enum step
activate(struct call *call)
{
	return command(call, "activate", "activation");
}

/* One call makes it, and others wait for it; one that failed is made again
 * by the next. */
enum step
call_checkpoint(struct call *call)
{
	struct tool *tool = call->target;

	if (!call->needs_checkpoint || tool->has_checkpoint)
		return STEP_DONE;
	if (tool->activator != NULL && tool->activator != call)
		return call_wait(call);
	tool->activator = call;
	enum step step = command(call, "checkpoint", "checkpoint_required");
	call->in_source = step == STEP_WAIT;
	if (step == STEP_WAIT)
		return step;
	tool->activator = NULL;
	tool->has_checkpoint = step == STEP_DONE;
	call->plan->stirred = true;
	return step;
}

static int
take_output(void *arg, const char *p, size_t n)
{
	struct call *call = arg;
	struct wv_err err = WV_ERR_INIT;

	if (output_add(&call->output, p, n, &err) == 0)
		return 0;
	call_fail(call, "execution", false, "%s", err.text);
	return -1;
}

static struct wv_run *
start_run(struct call *call)
{
	const cJSON *entry = call->target->entry;
	const cJSON *own = wv_get(entry, "limits");
	uint64_t most = start_limit(own, "output");
	const struct wv_run_limits limits = {
		.timeout_ms = call_timeout_ms(call),
		.grace_ms = GRACE_MS,
		.max_err = MAX_STDERR,
		.sink = take_output,
		.arg = call,
	};
	struct wv_err err = WV_ERR_INIT;
	char **argv = argv_make(&call->arena, wv_get(entry, "command"),
		call->target_arguments, wv_get(entry, "allow_dash"), &err);

	if (argv == NULL) {
		call_fail(call, "schema_validation", false, "%s", err.text);
		return NULL;
	}
	if (most > 0 && most < call->output.max)
		call->output.max = (size_t)most;
	struct wv_run *run =
		start_process(call->plan, entry, own, argv, -1, &limits, &err);
	if (run == NULL)
		call_fail(call, "execution", false, "%s", err.text);
	return run;
}

static enum step
run(struct call *call)
{
	if (call->run == NULL && (call->run = start_run(call)) == NULL)
		return STEP_FAILED;
	if (!wv_run_is_over(call->run))
		return STEP_WAIT;
	bool late = wv_run_result(call->run)->end == WV_RUN_TIMEOUT;
	const char *why = how_it_ended(&call->arena, call->run,
		wv_get(call->target->entry, "ok_status"), call_timeout_ms(call),
		call->capability_id);
	wv_run_free(call->run);
	call->run = NULL;
	if (why != NULL)
		return call_fail(
			call, late ? "timeout" : "execution", late, "%s", why);
	return STEP_DONE;
}

static void
stop(struct call *call)
{
	wv_run_stop(call->run);
}

static enum step
deactivate(struct plan *plan, struct tool *tool, struct wv_err *err)
{
	struct wv_arena arena = WV_ARENA_INIT;
	int64_t ms = tool->timeout_ms < DEACTIVATE_MS ? tool->timeout_ms
						      : DEACTIVATE_MS;

	if (wv_get(tool->entry, "deactivate") == NULL)
		return STEP_DONE;
	if (tool->run == NULL) {
		tool->run = start_command(plan, tool, "deactivate", ms, err);
		if (tool->run == NULL)
			return STEP_DONE;
	}
	if (!wv_run_is_over(tool->run))
		return STEP_WAIT;
	const char *why =
		how_it_ended(&arena, tool->run, NULL, ms, tool->capability);
	if (why != NULL)
		wv_err_set(err, "%s", why);
	wv_run_free(tool->run);
	tool->run = NULL;
	wv_arena_free(&arena);
	return STEP_DONE;
}

const struct source source_exec = {
	.name = "exec",
	.activate = activate,
	.run = run,
	.stop = stop,
	.deactivate = deactivate,
};
