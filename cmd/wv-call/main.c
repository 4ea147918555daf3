/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "base/msg.h"
#include "discover.h"
#include "kernel/decision.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Pins what the lock file lacks; what has changed is a no. */
static int
write_lock(struct settings *s)
{
	struct wv_err err = WV_ERR_INIT;
	int changed;

	if (tools_load(&s->plan.tools, s->tools, &err) < 0)
		wv_die_err(&err);
	changed = lock_write(s->lock, &s->plan.tools, s->approved, &err);
	if (changed < 0)
		wv_die_err(&err);
	tools_free(&s->plan.tools);
	return changed > 0 ? WV_NO : WV_YES;
}

static int
run_discover(struct settings *s)
{
	struct wv_err err = WV_ERR_INIT;

	if (tools_load(&s->plan.tools, s->tools, &err) < 0)
		wv_die_err(&err);
	int status = discover(&s->plan.tools, s->refresh);
	tools_free(&s->plan.tools);
	return status;
}

static int
cancel(struct settings *s)
{
	struct wv_state *state = wv_state_need(s->state, WV_STATE_READ, false);
	struct wv_err err = WV_ERR_INIT;
	int count = wv_plan_cancel(state, s->mode_value, &err);

	if (count < 0)
		wv_die_err(&err);
	wv_state_close(state);
	if (count == 0)
		wv_warn("no plan that lives is called %s", s->mode_value);
	else
		wv_note("plans asked to end: %d", count);
	return count > 0 ? WV_YES : WV_NO;
}

/* The FILE operands, NULL-terminated; free them. */
static char **
file_operands(const struct settings *s, const struct wv_opts *opts)
{
	size_t n = (size_t)(s->command != NULL ? opts->before_dashes
					       : opts->operand_count);
	char **files = wv_xcalloc(n + 1, sizeof *files);

	memcpy(files, opts->operands, n * sizeof *files);
	if (n == 0 && isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
	return files;
}

/* One that cannot be used pins nothing, so that every decision is denied. */
static void
load_lock(struct settings *s)
{
	struct wv_err err = WV_ERR_INIT;

	if (s->lock == NULL)
		return;
	s->plan.lock = &s->pins;
	if (lock_load(&s->pins, s->lock, &err) < 0)
		wv_warn_err(&err);
}

static void
start(struct settings *s)
{
	struct plan *plan = &s->plan;
	struct wv_err err = WV_ERR_INIT;

	if (s->command != NULL)
		tools_command(&plan->tools, s->command);
	else if (tools_load(&plan->tools, s->tools, &err) < 0)
		wv_die_err(&err);
	load_lock(s);
	plan->state = wv_state_need(s->state, WV_STATE_WRITE, false);
	plan->state->quota = plan->quota;
	wv_id_new(plan->id, "plan");
	if (wv_plan_start(plan->state, plan->id, plan->label, &err) < 0)
		wv_die_err(&err);
	wv_note("plan %s", plan->id);
	cancel_init();
	wv_out_init(&plan->out, STDOUT_FILENO, "standard output");
}

/* The plan is over; what ended it, if it was not the input, ends us. */
static void
finish(struct plan *plan)
{
	wv_plan_end(plan->state, plan->id);
	wv_state_close(plan->state);
	tools_free(&plan->tools);
	if (plan->out.error == EPIPE)
		cancel_broken_pipe();
	if (cancel_signal() != 0)
		cancel_die(cancel_signal());
	wv_out_end(&plan->out);
	wv_note("%zu succeeded, %zu failed, %zu denied, %zu malformed",
		plan->counts.succeeded, plan->counts.failed,
		plan->counts.denied, plan->counts.malformed);
}

static int
call(struct settings *s, const struct wv_opts *opts)
{
	char **files = file_operands(s, opts);

	start(s);
	int status = plan_run(&s->plan, files, &s->lines);
	finish(&s->plan);
	lock_free(&s->pins);
	free(files);
	return status;
}

static int
do_it(struct settings *s, const struct wv_opts *opts)
{
	switch (s->mode) {
	case CALL:
		break;
	case LOCK_WRITE:
		return write_lock(s);
	case DISCOVER:
		return run_discover(s);
	case CANCEL:
		return cancel(s);
	case LINT:
		return lint(s->mode_value);
	}
	return call(s, opts);
}

int
main(int argc, char **argv)
{
	struct settings s = {
		.plan = { .max_output = (size_t)64 << 20, .jobs = 1 },
		.lines = WV_LINES_OPTIONS_INIT,
	};
	struct wv_err err = WV_ERR_INIT;
	struct wv_opts opts;

	wv_opt_start(&opts, &options_cmd, argc, argv);
	options_read(&s, &opts);
	if (wv_id_init(&err) < 0)
		wv_die_err(&err);
	int status = do_it(&s, &opts);
	free(s.approved);
	wv_opt_end(&opts);
	return status;
}
