/* SPDX-License-Identifier: Apache-2.0 */
#include "main.h"

#include "base/id.h"
#include "base/msg.h"
#include "contract/record.h"
#include "kernel/harden.h"

#include <string.h>

static const char *const synopsis[] = {
	"init [--test]",
	"keygen --kid K [--alg ALG] [--keyring FILE]",
	"issue --principal P --scope CAPABILITY... (--ttl D | --single-use)",
	"narrow [--scope CAPABILITY...] [--ttl D] [--single-use] [FILE]",
	"verify [--principal P] [--capability C] [FILE...]",
	"show [FILE...]",
	"list [--principal P] [--all]",
	"revoke (ID... | --principal P [--before TIME] | --kid K)",
	NULL,
};

static const struct wv_opt no_opts[] = { { 0 } };

static const struct wv_cmd cmd = {
	.tool = "wv-token",
	.synopsis = synopsis,
	.about = "Issues, narrows, judges and revokes the tokens that the "
		 "kernel believes.  `wv-token COMMAND --help` tells the "
		 "options of a command.",
	.opts = no_opts,
	.examples = "  wv-token issue --principal agent-7 "
		    "--scope org.demo.search_text --ttl 1h >token.json\n"
		    "  wv-token narrow --ttl 10m token.json >less.json\n"
		    "  wv-token show less.json\n",
};

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "init", init_main },
	{ "keygen", keygen_main },
	{ "issue", issue_main },
	{ "narrow", narrow_main },
	{ "verify", verify_main },
	{ "show", show_main },
	{ "list", list_main },
	{ "revoke", revoke_main },
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

struct wv_state *
open_state(const char *path, enum wv_state_use use, bool test)
{
	struct wv_err err = WV_ERR_INIT;

	if (wv_id_init(&err) < 0)
		wv_die_err(&err);
	return wv_state_need(path, use, test);
}

struct wv_time
time_option(const struct wv_opts *opts, const char *name)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_time time;

	if (wv_time_parse(&time, opts->value, strlen(opts->value), &err) < 0)
		wv_usage(opts, "%s: %s", name, err.text);
	return time;
}

const char *
principal_option(const struct wv_opts *opts)
{
	if (!wv_id_is_kernel(opts->value) ||
		strcmp(opts->value, WV_NO_PRINCIPAL) == 0)
		wv_usage(opts, "--principal: not a principal's id");
	return opts->value;
}

const char *
issuer_option(const struct wv_opts *opts)
{
	if (!wv_id_is_kernel(opts->value))
		wv_usage(opts, "--issuer: not an id");
	return opts->value;
}

_Noreturn static void
no_command(const struct wv_opts *opts)
{
	const char *names[COMMANDS + 1] = { 0 }, *near;

	for (size_t i = 0; i < COMMANDS; i++)
		names[i] = commands[i].name;
	if (opts->operand_count == 0)
		wv_usage(opts,
			"no command: init, keygen, issue, narrow, verify, "
			"show, list or revoke");
	near = wv_nearest(opts->operands[0], names);
	wv_usage(opts, "no command %s%s%s", opts->operands[0],
		near ? "; did you mean " : "", near ? near : "");
}

int
main(int argc, char **argv)
{
	struct wv_opts opts;

	wv_process_harden();
	for (size_t i = 0; argc > 1 && i < COMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	wv_opt_start(&opts, &cmd, argc, argv);
	wv_opt_next(&opts);
	no_command(&opts);
}
