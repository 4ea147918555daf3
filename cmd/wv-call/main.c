/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include "base/msg.h"
#include "base/opt.h"
#include "contract/contract.h"
#include "kernel/system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	OPT_READ_ONLY = 256,
	OPT_CHECKPOINT,
	OPT_LOCK,
	OPT_LOCK_WRITE,
	OPT_UNORDERED,
	OPT_TRUST_UNSIGNED,
	OPT_MAX_OUTPUT,
};

static const struct wv_opt opts_table[] = {
	{ 'T', "tools", "FILE", "the tools (WV_TOOLS)" },
	{ OPT_READ_ONLY, "read-only", NULL,
		"run only tools that are declared read_only" },
	{ OPT_CHECKPOINT, "require-checkpoint", NULL,
		"run only tools that are declared checkpointable" },
	{ OPT_LOCK, "lock", "FILE", "run only tools that it pins" },
	{ OPT_LOCK_WRITE, "lock-write", NULL,
		"pin the tools that the lock file lacks, run nothing" },
	{ OPT_UNORDERED, "unordered", NULL,
		"answers may come in another order than the decisions" },
	{ OPT_TRUST_UNSIGNED, "trust-unsigned", NULL,
		"accept decisions that rest on tokens not issued here" },
	{ OPT_MAX_OUTPUT, "max-output", "BYTES",
		"most output of a tool (64M)" },
	WV_STATE_OPT,
	WV_NOW_OPT,
	WV_LINES_OPTS,
	WV_DOC_OPTS,
	{ 0 },
};

static const char *const synopsis[] = {
	"-T TOOLS [option...] [FILE...]",
	"[option...] [FILE...] -- COMMAND ARG...",
	"-T TOOLS --lock FILE --lock-write",
	NULL,
};

static const struct wv_cmd cmd = {
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

struct settings {
	struct caller caller;
	struct wv_lines_options lines;
	const char *tools, *state, *lock;
	char *const *command;
	bool lock_write;
	struct lock pins;
};

static void
take_option(struct settings *s, const struct wv_opts *opts, int id)
{
	struct caller *caller = &s->caller;

	switch (id) {
	case 'T':
		s->tools = opts->value;
		break;
	case OPT_READ_ONLY:
		caller->read_only = true;
		break;
	case OPT_CHECKPOINT:
		caller->require_checkpoint = true;
		break;
	case OPT_LOCK:
		s->lock = opts->value;
		break;
	case OPT_LOCK_WRITE:
		s->lock_write = true;
		break;
	case OPT_UNORDERED: /* one at a time is an order too */
		break;
	case OPT_TRUST_UNSIGNED:
		caller->trust_unsigned = true;
		break;
	case OPT_MAX_OUTPUT:
		caller->max_output =
			(size_t)wv_opt_size(opts, "max-output", opts->value);
		break;
	default:
		if (!wv_doc_option(id, opts) &&
			!wv_state_option(&s->state, id, opts))
			wv_lines_option(&s->lines, id, opts);
	}
}

/* With -T what follows `--` are files, else it is the command. */
static void
find_command(struct settings *s, struct wv_opts *opts)
{
	const struct wv_system *fixed = wv_system();
	int n = opts->before_dashes;

	if (s->tools == NULL && n < opts->operand_count) {
		if (fixed->tools != NULL)
			wv_die("a COMMAND, but %s fixes the tools",
				fixed->path);
		s->command = opts->operands + n;
		return;
	}
	s->tools =
		wv_system_choose(fixed->tools, "--tools", s->tools, "WV_TOOLS");
	if (s->tools == NULL)
		wv_usage(opts, "no tools: -T FILE, or -- COMMAND");
	if (strcmp(s->tools, "-") == 0)
		wv_usage(opts, "standard input is for the records");
}

/* What the machine's administrator has fixed, and what excludes what. */
static void
check_options(struct settings *s, struct wv_opts *opts)
{
	const struct wv_system *fixed = wv_system();

	s->caller.require_signed = fixed->require_signed;
	if (fixed->require_signed && s->caller.trust_unsigned)
		wv_die("--trust-unsigned, but %s requires signed tokens",
			fixed->path);
	s->lock = wv_system_choose(fixed->lock, "--lock", s->lock, NULL);
	if (s->lock_write && s->lock == NULL)
		wv_usage(opts, "--lock-write needs --lock FILE");
	if (s->lock != NULL && s->command != NULL)
		wv_usage(opts, "a lock file pins tools of -T, no COMMAND");
}

/* Pins what the lock file lacks; what has changed is a no. */
static int
write_lock(struct settings *s, struct wv_opts *opts)
{
	struct wv_err err = WV_ERR_INIT;
	int changed;

	if (opts->operand_count > 0)
		wv_usage(opts, "--lock-write reads no records");
	if (tools_load(&s->caller.tools, s->tools, &err) < 0)
		wv_die_err(&err);
	changed = lock_write(s->lock, &s->caller.tools, &err);
	if (changed < 0)
		wv_die_err(&err);
	tools_free(&s->caller.tools);
	return changed > 0 ? WV_NO : WV_YES;
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
	s->caller.lock = &s->pins;
	if (lock_load(&s->pins, s->lock, &err) < 0)
		wv_warn_err(&err);
}

static void
start(struct settings *s)
{
	struct caller *caller = &s->caller;
	struct wv_err err = WV_ERR_INIT;

	if (s->command != NULL)
		tools_command(&caller->tools, s->command);
	else if (tools_load(&caller->tools, s->tools, &err) < 0)
		wv_die_err(&err);
	load_lock(s);
	caller->state = wv_state_need(s->state, WV_STATE_WRITE, false);
	wv_id_new(caller->plan, "plan");
	if (wv_plan_start(caller->state, caller->plan, &err) < 0)
		wv_die_err(&err);
	wv_note("plan %s", caller->plan);
	cancel_init();
}

/* False: nobody reads what we write. */
static bool
flush(struct caller *caller)
{
	struct wv_err err = WV_ERR_INIT;

	if (wv_out_flush(&caller->out, &err) == 0)
		return true;
	if (caller->out.error != EPIPE)
		wv_die_err(&err);
	return false;
}

/* What has been answered is said before we wait or run something. */
static bool
next_decision(struct caller *caller, struct wv_lines *in,
	struct wv_arena *arena, struct wv_record *rec)
{
	for (;;) {
		int got = wv_lines_next(in, arena, rec);
		if (got == 0 || !flush(caller) || cancel_signal() != 0)
			return false;
		if (got == 1)
			return true;
		int fd = wv_lines_nonblocking(in);
		if (fd >= 0 && !cancel_wait(fd))
			return false;
	}
}

static int
call_all(struct settings *s, char *const *files)
{
	struct caller *caller = &s->caller;
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	struct wv_record rec;
	struct wv_lines in;
	int status = WV_YES;

	wv_out_init(&caller->out, STDOUT_FILENO, "standard output");
	wv_lines_open(&in, files, &s->lines, NULL);
	wv_lines_nonblocking(&in);
	while (next_decision(caller, &in, &arena, &rec)) {
		if (wv_contract_require(WV_POLICY_DECISION, rec.tree, &err) ==
			0) {
			invoke(caller, &rec, &arena);
		} else {
			wv_lines_bad(&in, &rec, &err);
			wv_err_clear(&err);
			caller->counts.malformed++;
		}
		wv_arena_reset(&arena);
	}
	wv_arena_free(&arena);
	if (caller->counts.denied > 0 || caller->counts.failed > 0)
		status = WV_NO;
	caller->counts.malformed += in.counts.malformed;
	if (cancel_signal() != 0) /* it is not the input's fault */
		in.options.allow_empty = true;
	return wv_worse(status, wv_lines_close(&in));
}

/* The plan is over; what ended it, if it was not the input, ends us. */
static void
finish(struct caller *caller)
{
	bool heard = flush(caller);

	wv_plan_end(caller->state, caller->plan);
	wv_state_close(caller->state);
	tools_free(&caller->tools);
	if (!heard)
		cancel_broken_pipe();
	if (cancel_signal() != 0)
		cancel_die(cancel_signal());
	wv_out_end(&caller->out);
	wv_note("%zu succeeded, %zu failed, %zu denied, %zu malformed",
		caller->counts.succeeded, caller->counts.failed,
		caller->counts.denied, caller->counts.malformed);
}

static int
run(struct settings *s, const struct wv_opts *opts)
{
	char **files = file_operands(s, opts);

	start(s);
	int status = call_all(s, files);
	finish(&s->caller);
	lock_free(&s->pins);
	free(files);
	return status;
}

int
main(int argc, char **argv)
{
	struct settings s = {
		.caller = { .max_output = (size_t)64 << 20 },
		.lines = WV_LINES_OPTIONS_INIT,
	};
	struct wv_err err = WV_ERR_INIT;
	struct wv_opts opts;
	int id;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		take_option(&s, &opts, id);
	if (wv_id_init(&err) < 0)
		wv_die_err(&err);
	find_command(&s, &opts);
	check_options(&s, &opts);
	int status = s.lock_write ? write_lock(&s, &opts) : run(&s, &opts);
	wv_opt_end(&opts);
	return status;
}
