/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wv-flow: phase 5.  RoutingDecisions that select the flow, or --input, in;
 * the Frame of each run out.
 */
#include "run.h"
#include "stop.h"

#include "base/msg.h"
#include "base/opt.h"
#include "contract/contract.h"
#include "contract/record.h"
#include "json/given.h"
#include "json/lines.h"
#include "kernel/system.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_KERNEL = 256, OPT_INPUT, OPT_ALL, OPT_LINT };

static const char *const synopsis[] = {
	"FLOW [-T TOOLS] [-p POLICY] [-k TOKENS] [--input JSON|@FILE] "
	"[--state DIR] [--all] [FILE...]",
	"FLOW --kernel COMMAND [--input JSON|@FILE] [--state DIR] [--all] "
	"[FILE...]",
	"--lint FLOW...",
	NULL,
};

/* clang-format off */
static const struct wv_opt options[] = {
	{ 'T', "tools", "FILE", "the tools, for wv-call (WV_TOOLS)" },
	{ 'p', "policy", "FILE", "the policy, for wv-authorize (WV_POLICY)" },
	{ 'k', "token", "FILE", "the tokens, for wv-authorize (WV_TOKEN)" },
	{ OPT_KERNEL, "kernel", "COMMAND", "the kernel, instead of our two tools" },
	{ OPT_INPUT, "input", "JSON", "run once with this input (@FILE: from a file)" },
	WV_STATE_OPT,
	{ OPT_ALL, "all", NULL, "write the answers of the steps too" },
	{ OPT_LINT, "lint", NULL, "judge flows, run nothing" },
	WV_NOW_OPT,
	WV_LINES_OPTS,
	WV_DOC_OPTS,
	{ 0 },
};
/* clang-format on */

static const struct wv_cmd cmd = {
	.tool = "wv-flow",
	.synopsis = synopsis,
	.about = "Takes the steps of a flow through the kernel, one at a time.",
	.opts = options,
	.examples = "  wv-flow flow.yaml -T tools.yaml -p policy.yaml "
		    "-k token.json --input '{\"name\":\"GPL-3\"}'\n"
		    "  wv-flow --lint flow.yaml\n",
};

struct settings {
	struct kernel_options kernel;
	struct wv_lines_options lines;
	const char *input; /* as given; NULL: records are read */
	const char *state;
	bool all, lint;
};

static void
take_option(struct settings *s, const struct wv_opts *opts, int id)
{
	switch (id) {
	case 'T':
		s->kernel.tools = opts->value;
		break;
	case 'p':
		s->kernel.policy = opts->value;
		break;
	case 'k':
		s->kernel.tokens = opts->value;
		break;
	case OPT_KERNEL:
		s->kernel.command = opts->value;
		break;
	case OPT_INPUT:
		s->input = opts->value;
		break;
	case OPT_ALL:
		s->all = true;
		break;
	case OPT_LINT:
		s->lint = true;
		break;
	default:
		if (id == WV_OPT_NOW)
			s->kernel.now = opts->value;
		if (!wv_doc_option(id, opts) &&
			!wv_state_option(&s->state, id, opts))
			wv_lines_option(&s->lines, id, opts);
	}
}

/* What the machine's administrator has fixed: the kernel that we start sees to
 * it itself, and no other is started. */
static void
check_fixed(struct kernel_options *k)
{
	const struct wv_system *fixed = wv_system();

	if (k->command != NULL && (fixed->tools || fixed->policy))
		wv_die("--kernel, but %s fixes the kernel", fixed->path);
	if (k->command != NULL)
		return;
	k->tools = wv_system_choose(fixed->tools, "--tools", k->tools, NULL);
	k->policy =
		wv_system_choose(fixed->policy, "--policy", k->policy, NULL);
	if (fixed->catalog == NULL)
		k->catalog = k->tools;
}

static void
check_options(struct settings *s, const struct wv_opts *opts)
{
	struct kernel_options *k = &s->kernel;

	if (opts->operand_count == 0)
		wv_usage(opts, "no flow");
	if (s->lint)
		return;
	if (k->command != NULL && (k->tools || k->policy || k->tokens))
		wv_usage(opts, "--kernel excludes -T, -p and -k");
	check_fixed(k);
	if (s->input != NULL && opts->operand_count > 1)
		wv_usage(opts, "--input and FILE exclude each other");
	if (s->input == NULL && opts->operand_count == 1 &&
		isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
}

static int
lint(char *const *paths)
{
	int status = WV_YES;

	for (; *paths != NULL; paths++) {
		struct wv_arena arena = WV_ARENA_INIT;
		struct flow flow;
		status = wv_worse(status, flow_load(&flow, &arena, *paths));
		flow_free(&flow);
		wv_arena_free(&arena);
	}
	return status;
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
		return run_flow(runner, arena, input, rec->tree);
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

static int
run(const struct settings *s, struct wv_opts *opts)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct runner runner = { .state_path = s->state, .all = s->all };
	struct wv_err err = WV_ERR_INIT;
	const cJSON *input = NULL;
	struct wv_out out;
	struct flow flow;
	int status;

	if (s->input != NULL)
		input = wv_json_given(
			&arena, "--input", s->input, &s->lines.json, &err);
	if (wv_err_is_set(&err))
		wv_die_err(&err);
	if (flow_load(&flow, &arena, opts->operands[0]) != WV_YES)
		exit(WV_TROUBLE);
	/* the kernel has to use the state that we use */
	if (s->state != NULL && setenv("WV_STATE", s->state, 1) != 0)
		wv_die("out of memory");
	stop_init();
	wv_out_init(&out, STDOUT_FILENO, "standard output");
	runner.flow = &flow;
	runner.out = &out;
	kernel_init(&runner.kernel, &s->kernel);
	if (input != NULL)
		status = run_flow(&runner, &arena, input, NULL);
	else
		status = run_records(&runner, s, opts->operands + 1);
	status = finish(&runner, status);
	flow_free(&flow);
	wv_arena_free(&arena);
	return status;
}

int
main(int argc, char **argv)
{
	struct settings s = { .lines = WV_LINES_OPTIONS_INIT };
	struct wv_err err = WV_ERR_INIT;
	struct wv_opts opts;
	int id, status;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		take_option(&s, &opts, id);
	if (wv_id_init(&err) != 0)
		wv_die_err(&err);
	check_options(&s, &opts);
	status = s.lint ? lint(opts.operands) : run(&s, &opts);
	wv_opt_end(&opts);
	return status;
}
