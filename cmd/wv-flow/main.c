/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wv-flow: phase 5.  RoutingDecisions that select the flow, or --input, in;
 * the Frame of each run out.
 */
#include "next.h"
#include "options.h"
#include "stop.h"

#include "base/msg.h"
#include "contract/catalog.h"
#include "contract/contract.h"
#include "contract/record.h"
#include "json/given.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { TOOLS_MAX = 64 << 20, GRACE_MS = 10000 };

/* What each of the modes does with an input. */
static int
take_input(struct runner *runner, struct wv_arena *arena, const cJSON *input,
	const cJSON *cause)
{
	return runner->shows ? next_all(runner, arena, input, cause)
			     : run_flow(runner, arena, input, cause);
}

/* The input of a RoutingDecision that selects the flow: 1; 0 if it says that
 * nothing matched; -1 if it is none. */
static int
find_input(const struct flow *flow, struct wv_arena *arena, const cJSON *record,
	const cJSON **input, struct wv_err *err)
{
	struct wv_selection selection;

	if (wv_contract_require(WV_ROUTING_DECISION, record, err) != 0)
		return -1;
	wv_selection_read(&selection, record);
	if (selection.end == WV_SELECTED_NO_MATCH)
		return 0;
	if (selection.end != WV_SELECTED)
		return wv_err_set(err, "%s", selection.why);
	if (strcmp(selection.capability_id, flow->capability) != 0)
		return wv_err_set(err, "selects %s, not %s",
			selection.capability_id, flow->capability);
	*input = wv_get(wv_get(record, "metadata"), "x_wv_arguments");
	if (*input == NULL)
		*input = wv_json_object(arena);
	if (!wv_is_object(*input))
		return wv_err_set(err, "x_wv_arguments is no object");
	return 1;
}

static int
run_record(struct runner *runner, struct wv_lines *in, struct wv_arena *arena,
	const struct wv_record *rec)
{
	struct wv_err err = WV_ERR_INIT;
	const cJSON *input = NULL;

	switch (find_input(runner->flow, arena, rec->tree, &input, &err)) {
	case 1:
		return take_input(runner, arena, input, rec->tree);
	case 0:
		wv_warn("%s:%zu: nothing matched, nothing to run", rec->source,
			rec->line);
		return WV_NO;
	}
	wv_lines_bad(in, rec, &err);
	return WV_TROUBLE;
}

static int
run_records(struct runner *runner, const struct settings *s, char *const *files)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_record rec;
	struct wv_lines in;
	int status = WV_YES, got = 1;

	wv_lines_open(&in, files, &s->lines, runner->out);
	while (got != 0 && !runner->over && stop_signal() == 0 &&
		runner->out->error == 0) {
		struct pollfd fd = { wv_lines_nonblocking(&in), POLLIN, 0 };
		got = wv_lines_next(&in, &arena, &rec);
		if (got == 1)
			status = wv_worse(
				status, run_record(runner, &in, &arena, &rec));
		else if (got == WV_LINES_WAIT)
			stop_poll(&fd, 1, -1);
		wv_arena_reset(&arena);
	}
	wv_arena_free(&arena);
	if (stop_signal() != 0) /* then there need not be any */
		in.options.allow_empty = true;
	return wv_worse(status, wv_lines_close(&in));
}

/* Ends the kernel, output and state; dies of what stopped the run. */
static int
finish(struct runner *runner, int status)
{
	struct wv_err err = WV_ERR_INIT;
	int gone;

	if (runner->over || stop_signal() != 0) {
		kernel_kill(&runner->kernel);
	} else if (kernel_close(&runner->kernel, &err) != 0) {
		wv_warn_err(&err);
		status = WV_TROUBLE;
	}
	if (runner->state != NULL)
		wv_state_close(runner->state);
	wv_err_clear(&err);
	gone = wv_out_close(runner->out, &err);
	if (gone != 0 && runner->out->error == EPIPE)
		stop_die(SIGPIPE);
	if (gone != 0)
		wv_die_err(&err);
	if (stop_signal() != 0)
		stop_die(stop_signal());
	return status;
}

/* The tools say which steps may be taken again; what their file is, is what a
 * run that goes on has to find. */
static void
bind_tools(struct flow *flow, struct wv_arena *arena, const char *path,
	struct wv_catalog *tools, char hash[WV_SHA256_HEX])
{
	struct wv_err err = WV_ERR_INIT;
	const char *text;
	size_t len;

	hash[0] = '\0';
	if (path == NULL)
		return;
	/* what is wrong with it the kernel tells, if a step gets there */
	text = wv_file_read(arena, path, TOOLS_MAX, &len, &err);
	if (text != NULL)
		wv_sha256_hex(hash, text, len);
	if (text != NULL && wv_catalog_load(tools, arena, path, NULL) == 0)
		flow_bind(flow, tools);
}

static const char *
tools_of(const struct settings *s)
{
	const char *path = s->kernel.tools;

	if (s->kernel.command != NULL)
		return NULL;
	if (path == NULL)
		path = getenv("WV_TOOLS");
	return path && path[0] != '\0' ? path : NULL;
}

static int
run_all(struct runner *runner, struct settings *s, struct wv_arena *arena,
	char *const *files)
{
	struct wv_err err = WV_ERR_INIT;
	const cJSON *input = NULL;

	if (s->input != NULL)
		input = wv_json_given(
			arena, "--input", s->input, &s->lines.json, &err);
	if (wv_err_is_set(&err))
		wv_die_err(&err);
	s->resume.input = input;
	if (s->resume.run != NULL)
		return run_resume(runner, arena, &s->resume);
	return input != NULL ? take_input(runner, arena, input, NULL)
			     : run_records(runner, s, files);
}

static int
run(struct settings *s, struct wv_opts *opts)
{
	struct wv_arena arena = WV_ARENA_INIT;
	char hash[WV_SHA256_HEX];
	struct runner runner = { .state_path = s->state,
		.jobs = s->kernel.jobs,
		.grace_ms = s->grace_ms,
		.tools_hash = hash,
		.plans = s->mode == NEXT,
		.shows = s->mode == DRY_RUN,
		.all = s->all };
	struct wv_catalog tools = { 0 };
	struct wv_out out;
	struct flow flow;
	int status;

	if (flow_load(&flow, &arena, opts->operands[0], &s->lint.limits) !=
		WV_YES)
		exit(WV_TROUBLE);
	bind_tools(&flow, &arena, tools_of(s), &tools, hash);
	/* the kernel has to use the state that we use */
	if (s->state != NULL && setenv("WV_STATE", s->state, 1) != 0)
		wv_die("out of memory");
	stop_init();
	wv_out_init(&out, STDOUT_FILENO, "standard output");
	runner.flow = &flow;
	runner.out = &out;
	kernel_init(&runner.kernel, &s->kernel);
	status = run_all(&runner, s, &arena, opts->operands + 1);
	status = finish(&runner, status);
	flow_free(&flow);
	wv_catalog_free(&tools);
	wv_arena_free(&arena);
	return status;
}

int
main(int argc, char **argv)
{
	struct settings s = { .lines = WV_LINES_OPTIONS_INIT,
		.lint.limits = FLOW_LIMITS_INIT,
		.kernel.jobs = 1,
		.grace_ms = GRACE_MS };
	struct wv_err err = WV_ERR_INIT;
	struct wv_opts opts;
	int status;

	wv_opt_start(&opts, &options_cmd, argc, argv);
	options_read(&s, &opts);
	if (wv_id_init(&err) != 0)
		wv_die_err(&err);
	if (s.mode == LINT)
		status = flow_lint(opts.operands, &s.lint);
	else if (s.mode == GRAPH)
		status = flow_graph(opts.operands[0], &s.lint.limits, s.graph);
	else if (s.mode == CAPABILITY)
		status = flow_capability(
			opts.operands, &s.lint.limits, s.lint.tools);
	else
		status = run(&s, &opts);
	free(s.resume.rerun.list);
	free(s.resume.assume_done.list);
	wv_opt_end(&opts);
	return status;
}
