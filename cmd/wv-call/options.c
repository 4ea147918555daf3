/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "base/msg.h"
#include "contract/record.h"
#include "kernel/system.h"

#include <string.h>

enum {
	OPT_READ_ONLY = 256,
	OPT_CHECKPOINT,
	OPT_STRICT_OUTPUT,
	OPT_LOCK,
	OPT_LOCK_WRITE,
	OPT_LOCK_APPROVE,
	OPT_UNORDERED,
	OPT_PLAN,
	OPT_CANCEL,
	OPT_DISCOVER,
	OPT_REFRESH,
	OPT_LINT,
	OPT_TRUST_UNSIGNED,
	OPT_MAX_OUTPUT,
	OPT_QUOTA,
};

enum { MAX_JOBS = 128 };

static const struct wv_opt opts_table[] = {
	{ 'T', "tools", "FILE", "the tools (WV_TOOLS)" },
	{ 'j', "jobs", "N", "most calls at a time (1)" },
	{ OPT_UNORDERED, "unordered", NULL,
		"each answer as soon as it is there" },
	{ OPT_PLAN, "plan", "NAME", "what this plan is called" },
	{ OPT_CANCEL, "cancel", "PLAN", "end the plans with this id or name" },
	{ OPT_READ_ONLY, "read-only", NULL,
		"run only tools that are declared read_only" },
	{ OPT_CHECKPOINT, "require-checkpoint", NULL,
		"run only tools that are declared checkpointable" },
	{ OPT_STRICT_OUTPUT, "strict-output", NULL,
		"output that does not fit its schema is an error" },
	{ OPT_LOCK, "lock", "FILE", "run only tools that it pins" },
	{ OPT_LOCK_WRITE, "lock-write", NULL,
		"pin the tools that the lock file lacks, run nothing" },
	{ OPT_LOCK_APPROVE, "lock-approve", "CAPABILITY",
		"so too, and pin this one as it is now" },
	{ OPT_DISCOVER, "discover", NULL, "print what there is to call" },
	{ OPT_REFRESH, "refresh", NULL, "with --discover: ask the servers" },
	{ OPT_LINT, "lint", "FILE", "judge a tools file, run nothing" },
	{ OPT_TRUST_UNSIGNED, "trust-unsigned", NULL,
		"accept decisions that rest on tokens not issued here" },
	{ OPT_MAX_OUTPUT, "max-output", "BYTES",
		"most output of a tool (64M)" },
	{ OPT_QUOTA, "quota", "BYTES",
		"most bytes of all stored output (10G)" },
	WV_STATE_OPT,
	WV_NOW_OPT,
	WV_LINES_OPTS,
	WV_DOC_OPTS,
	{ 0 },
};

static const char *const synopsis[] = {
	"-T TOOLS [option...] [FILE...]",
	"[option...] [FILE...] -- COMMAND ARG...",
	"-T TOOLS --lock FILE --lock-write [--lock-approve CAPABILITY]...",
	"-T TOOLS --discover [--refresh]",
	"--cancel PLAN",
	"--lint FILE",
	NULL,
};

const struct wv_cmd options_cmd = {
	.tool = "wv-call",
	.synopsis = synopsis,
	.about =
		"Reads PolicyDecisions, runs what they allow, once, and writes "
		"a Frame for each; denials pass through.",
	.opts = opts_table,
	.examples =
		"  wv-authorize -p policy.yaml -k token.json decided.jsonl |\n"
		"    wv-call -T tools.yaml\n",
};

static void
set_mode(struct settings *s, const struct wv_opts *opts, enum mode mode)
{
	wv_opt_mode(opts, &s->mode_option, s->mode != mode);
	s->mode = mode;
	s->mode_value = opts->value;
}

static void
approve(struct settings *s, const struct wv_opts *opts)
{
	set_mode(s, opts, LOCK_WRITE);
	s->approved = wv_xrealloc(
		s->approved, (s->approved_count + 2) * sizeof *s->approved);
	s->approved[s->approved_count++] = opts->value;
	s->approved[s->approved_count] = NULL;
}

/* A name that could be an id would cancel another's plan. */
static void
set_label(struct plan *plan, const struct wv_opts *opts)
{
	const char *name = opts->value;

	if (!wv_id_is_kernel(name) || strncmp(name, "plan-", 5) == 0)
		wv_usage(opts,
			"--plan: \"%s\" is no name: letters, digits and "
			"._:@/+-, and not plan-... as ids are",
			name);
	plan->label = name;
}

/* True if it was one of those that only calls have. */
static bool
take_call_option(struct settings *s, const struct wv_opts *opts, int id)
{
	struct plan *plan = &s->plan;

	switch (id) {
	case 'j':
		plan->jobs = (size_t)wv_opt_int(
			opts, "jobs", opts->value, 1, MAX_JOBS);
		return true;
	case OPT_UNORDERED:
		plan->unordered = true;
		return true;
	case OPT_PLAN:
		set_label(plan, opts);
		return true;
	case OPT_READ_ONLY:
		plan->read_only = true;
		return true;
	case OPT_CHECKPOINT:
		plan->require_checkpoint = true;
		return true;
	case OPT_STRICT_OUTPUT:
		plan->strict_output = true;
		return true;
	case OPT_TRUST_UNSIGNED:
		plan->trust_unsigned = true;
		return true;
	case OPT_MAX_OUTPUT:
		plan->max_output =
			(size_t)wv_opt_size(opts, "max-output", opts->value);
		return true;
	case OPT_QUOTA:
		plan->quota = (uint64_t)wv_opt_size(opts, "quota", opts->value);
		return true;
	default:
		return wv_lines_option(&s->lines, id, opts);
	}
}

static void
take_option(struct settings *s, const struct wv_opts *opts, int id)
{
	switch (id) {
	case 'T':
		s->tools = opts->value;
		break;
	case OPT_LOCK:
		s->lock = opts->value;
		break;
	case OPT_LOCK_WRITE:
		set_mode(s, opts, LOCK_WRITE);
		break;
	case OPT_LOCK_APPROVE:
		approve(s, opts);
		break;
	case OPT_DISCOVER:
		set_mode(s, opts, DISCOVER);
		break;
	case OPT_REFRESH:
		s->refresh = true;
		break;
	case OPT_CANCEL:
		set_mode(s, opts, CANCEL);
		break;
	case OPT_LINT:
		set_mode(s, opts, LINT);
		break;
	default:
		if (!wv_doc_option(id, opts) &&
			!wv_state_option(&s->state, id, opts) &&
			take_call_option(s, opts, id))
			s->call_option = opts->name;
	}
}

/* With -T what follows `--` are files, else it is the command. */
static void
find_command(struct settings *s, struct wv_opts *opts)
{
	const struct wv_system *fixed = wv_system();
	int n = opts->before_dashes;

	if (s->mode == CALL && s->tools == NULL && n < opts->operand_count) {
		if (fixed->tools != NULL)
			wv_die("a COMMAND, but %s fixes the tools",
				fixed->path);
		s->command = opts->operands + n;
		return;
	}
	s->tools =
		wv_system_choose(fixed->tools, "--tools", s->tools, "WV_TOOLS");
	if (s->tools == NULL)
		wv_usage(opts, "no tools: -T FILE%s",
			s->mode == CALL ? ", or -- COMMAND" : "");
	if (strcmp(s->tools, "-") == 0)
		wv_usage(opts, "standard input is for the records");
}

/* What excludes what. */
static void
check_mode(const struct settings *s, const struct wv_opts *opts)
{
	if (s->refresh && s->mode != DISCOVER)
		wv_usage(opts, "--refresh is for --discover");
	if (s->mode == CALL)
		return;
	if (opts->operand_count > 0)
		wv_usage(opts, "--%s reads no records", s->mode_option);
	if (s->call_option != NULL)
		wv_usage(opts, "--%s is for calls, and --%s makes none",
			s->call_option, s->mode_option);
	if (s->lock != NULL && s->mode != LOCK_WRITE)
		wv_usage(opts, "--lock is for calls, and --%s makes none",
			s->mode_option);
	if (s->tools != NULL && (s->mode == LINT || s->mode == CANCEL))
		wv_usage(opts, "--%s takes no --tools", s->mode_option);
	if (s->state != NULL && s->mode != CANCEL)
		wv_usage(opts, "--%s needs no --state", s->mode_option);
}

/* What the machine's administrator has fixed. */
static void
check_system(struct settings *s, struct wv_opts *opts)
{
	const struct wv_system *fixed = wv_system();

	s->plan.require_signed = fixed->require_signed;
	if (fixed->require_signed && s->plan.trust_unsigned)
		wv_die("--trust-unsigned, but %s requires signed tokens",
			fixed->path);
	if (s->mode == DISCOVER)
		return;
	s->lock = wv_system_choose(fixed->lock, "--lock", s->lock, NULL);
	if (s->mode == LOCK_WRITE && s->lock == NULL)
		wv_usage(opts, "--%s needs --lock FILE", s->mode_option);
	if (s->lock != NULL && s->command != NULL)
		wv_usage(opts, "a lock file pins tools of -T, no COMMAND");
}

void
options_read(struct settings *s, struct wv_opts *opts)
{
	int id;

	while ((id = wv_opt_next(opts)) != 0)
		take_option(s, opts, id);
	check_mode(s, opts);
	if (s->mode == CANCEL || s->mode == LINT)
		return;
	find_command(s, opts);
	check_system(s, opts);
}
