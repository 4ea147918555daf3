/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "base/msg.h"
#include "kernel/system.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	OPT_KERNEL = 256,
	OPT_INPUT,
	OPT_ALL,
	OPT_GRACE,
	OPT_RESUME,
	OPT_RETRY_FAILED,
	OPT_RERUN,
	OPT_ASSUME_DONE,
	OPT_ACCEPT_CHANGE,
	OPT_REPLAY,
	OPT_DRY_RUN,
	OPT_NEXT,
	OPT_LINT,
	OPT_STRICT,
	OPT_GRAPH,
	OPT_CAPABILITY,
};

enum { MAX_JOBS = 128 };

static const char *const synopsis[] = {
	"FLOW [-T TOOLS] [-p POLICY] [-k TOKENS] [--input JSON|@FILE] [-j N] "
	"[option...] [FILE...]",
	"FLOW --kernel COMMAND [--input JSON|@FILE] [option...] [FILE...]",
	"FLOW --resume RUN [--retry-failed] [--rerun STEP]... "
	"[--assume-done STEP]... [--accept-change] [option...]",
	"FLOW --replay RUN [--all]",
	"FLOW --dry-run | --next [--input JSON|@FILE]",
	"--lint [-T TOOLS] [-k TOKENS] [-f FORMAT[=FILE]]... [--strict] "
	"FLOW...",
	"--graph text|dot|mermaid FLOW",
	"--capability [-T TOOLS] FLOW...",
	NULL,
};

/* clang-format off */
static const struct wv_opt options[] = {
	{ 'T', "tools", "FILE", "the tools, for wv-call (WV_TOOLS)" },
	{ 'p', "policy", "FILE", "the policy, for wv-authorize (WV_POLICY)" },
	{ 'k', "token", "FILE", "the tokens, for wv-authorize (WV_TOKEN)" },
	{ OPT_KERNEL, "kernel", "COMMAND", "the kernel, instead of our two tools" },
	{ OPT_INPUT, "input", "JSON", "run once with this input (@FILE: from a file)" },
	{ 'j', "jobs", "N", "most calls at a time (1)" },
	{ OPT_GRACE, "grace", "DURATION", "for an answer after a step's time-out (10s)" },
	WV_STATE_OPT,
	{ OPT_ALL, "all", NULL, "write the answers of the steps too" },
	{ OPT_RESUME, "resume", "RUN", "go on with a run" },
	{ OPT_RETRY_FAILED, "retry-failed", NULL, "so too with what failed" },
	{ OPT_RERUN, "rerun", "STEP", "take a step again, whatever became of it" },
	{ OPT_ASSUME_DONE, "assume-done", "STEP", "take a step as done" },
	{ OPT_ACCEPT_CHANGE, "accept-change", NULL, "go on though flow, input or tools are others" },
	{ OPT_REPLAY, "replay", "RUN", "show a run again from its journal, call nothing" },
	{ OPT_DRY_RUN, "dry-run", NULL, "print what would be sent, run nothing" },
	{ OPT_NEXT, "next", NULL, "print what is ready to be sent, run nothing" },
	{ OPT_LINT, "lint", NULL, "judge flows, run nothing" },
	{ 'f', "format", "FORMAT", "report of --lint (text … sarif, =FILE)" },
	{ OPT_STRICT, "strict", NULL, "with --lint: warnings are faults" },
	{ OPT_GRAPH, "graph", "FORMAT", "print what needs what: text, dot, mermaid" },
	{ OPT_CAPABILITY, "capability", NULL, "print flows as Capabilities" },
	FLOW_LIMIT_OPTS,
	WV_NOW_OPT,
	WV_LINES_OPTS,
	WV_DOC_OPTS,
	{ 0 },
};
/* clang-format on */

const struct wv_cmd options_cmd = {
	.tool = "wv-flow",
	.synopsis = synopsis,
	.about = "Takes the steps of a flow through the kernel.",
	.opts = options,
	.examples = "  wv-flow flow.yaml -T tools.yaml -p policy.yaml "
		    "-k token.json --input '{\"name\":\"GPL-3\"}'\n"
		    "  wv-flow --lint flow.yaml\n",
};

static void
set_mode(struct settings *s, const struct wv_opts *opts, enum mode mode)
{
	wv_opt_mode(opts, &s->mode_option, s->mode != mode);
	s->mode = mode;
}

static void
add_name(struct names *names, const char *name)
{
	names->list =
		wv_list_room(names->list, names->count, sizeof(*names->list));
	names->list[names->count++] = name;
}

static void
set_run(struct settings *s, const struct wv_opts *opts, bool replay)
{
	if (s->resume.run != NULL)
		wv_usage(opts, "there can be one of --resume and --replay");
	s->resume.run = opts->value;
	s->resume.replay = replay;
}

static void
add_report(struct settings *s, const struct wv_opts *opts)
{
	struct wv_err err = WV_ERR_INIT;

	if (s->lint.reports == NULL)
		s->lint.reports = wv_reports_new("wv-flow", WV_VERSION);
	if (wv_reports_add(s->lint.reports, opts->value, &err) != 0)
		wv_usage(opts, "%s", err.text);
}

/* Of runs that are there; true if it was one of them. */
static bool
take_resume(struct settings *s, const struct wv_opts *opts, int id)
{
	struct resume *resume = &s->resume;

	switch (id) {
	case OPT_RESUME:
	case OPT_REPLAY:
		set_run(s, opts, id == OPT_REPLAY);
		return true;
	case OPT_RETRY_FAILED:
		resume->retry_failed = true;
		return true;
	case OPT_RERUN:
		add_name(&resume->rerun, opts->value);
		return true;
	case OPT_ASSUME_DONE:
		add_name(&resume->assume_done, opts->value);
		return true;
	case OPT_ACCEPT_CHANGE:
		resume->accept_change = true;
		return true;
	default:
		return false;
	}
}

/* What runs nothing; true if it was one of those. */
static bool
take_mode(struct settings *s, const struct wv_opts *opts, int id)
{
	static const char *const formats[] = FLOW_GRAPH_FORMATS;

	switch (id) {
	case OPT_DRY_RUN:
		set_mode(s, opts, DRY_RUN);
		return true;
	case OPT_NEXT:
		set_mode(s, opts, NEXT);
		return true;
	case OPT_LINT:
		set_mode(s, opts, LINT);
		return true;
	case OPT_CAPABILITY:
		set_mode(s, opts, CAPABILITY);
		return true;
	case OPT_GRAPH:
		set_mode(s, opts, GRAPH);
		s->graph = (enum flow_graph_format)wv_opt_choice(
			opts, "graph", opts->value, formats);
		return true;
	case OPT_STRICT:
		s->lint.strict = true;
		return true;
	case 'f':
		add_report(s, opts);
		return true;
	default:
		return false;
	}
}

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
	case OPT_GRACE:
		s->grace_ms = wv_opt_duration(opts, "grace", opts->value);
		break;
	case 'j':
		s->kernel.jobs = (unsigned)wv_opt_int(
			opts, "jobs", opts->value, 1, MAX_JOBS);
		break;
	default:
		if (id == WV_OPT_NOW)
			s->kernel.now = opts->value;
		if (!take_resume(s, opts, id) && !take_mode(s, opts, id) &&
			!flow_limit_option(&s->lint.limits, id, opts) &&
			!wv_doc_option(id, opts) &&
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
check_resume(const struct settings *s, const struct wv_opts *opts)
{
	const struct resume *r = &s->resume;
	bool more = r->retry_failed || r->rerun.count > 0 ||
		r->assume_done.count > 0;

	if (r->run == NULL && (more || r->accept_change))
		wv_usage(opts,
			"--retry-failed, --rerun, --assume-done and "
			"--accept-change go with --resume");
	if (r->replay && (more || s->mode_option != NULL))
		wv_usage(opts, "--replay runs nothing");
	if (r->run != NULL && s->mode == DRY_RUN)
		wv_usage(opts, "--dry-run is of a new run");
	if (r->run != NULL && opts->operand_count > 1)
		wv_usage(opts, "--resume and --replay read no FILE");
}

static void
check_run(struct settings *s, const struct wv_opts *opts)
{
	struct kernel_options *k = &s->kernel;

	if (k->command != NULL && (k->tools || k->policy || k->tokens))
		wv_usage(opts, "--kernel excludes -T, -p and -k");
	check_fixed(k);
	check_resume(s, opts);
	if (s->input != NULL && opts->operand_count > 1)
		wv_usage(opts, "--input and FILE exclude each other");
	if (s->input == NULL && s->resume.run == NULL &&
		opts->operand_count == 1 && isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
}

void
options_read(struct settings *s, struct wv_opts *opts)
{
	int id;

	while ((id = wv_opt_next(opts)) != 0)
		take_option(s, opts, id);
	if (opts->operand_count == 0)
		wv_usage(opts, "no flow");
	if (s->mode == GRAPH && opts->operand_count > 1)
		wv_usage(opts, "--graph takes one flow");
	if (s->lint.reports != NULL && s->mode != LINT)
		wv_usage(opts, "-f goes with --lint");
	if (s->lint.strict && s->mode != LINT)
		wv_usage(opts, "--strict goes with --lint");
	s->lint.tools = s->kernel.tools;
	s->lint.tokens = s->kernel.tokens;
	if (s->mode == RUN || s->mode == DRY_RUN || s->mode == NEXT)
		check_run(s, opts);
	s->resume.keeps_log = s->kernel.command == NULL;
}
