/* SPDX-License-Identifier: Apache-2.0 */
#include "main.h"

#include "base/id.h"
#include "base/msg.h"

#include <string.h>

static const char *const synopsis[] = {
	"init [--test]",
	"issue --principal P --scope CAPABILITY... (--ttl D | --single-use)",
	"revoke (ID... | --principal P [--before TIME])",
	NULL,
};

static const struct wv_opt no_opts[] = { { 0 } };

static const struct wv_cmd cmd = {
	.tool = "wv-token",
	.synopsis = synopsis,
	.about = "Issues and revokes the tokens that the kernel believes.  "
		 "`wv-token COMMAND --help` tells the options of a command.",
	.opts = no_opts,
	.examples = "  wv-token issue --principal agent-7 "
		    "--scope org.demo.search_text --ttl 1h >token.json\n",
};

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "init", init_main },
	{ "issue", issue_main },
	{ "revoke", revoke_main },
};

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

int
main(int argc, char **argv)
{
	const char *names[] = { "init", "issue", "revoke", NULL };
	struct wv_opts opts;

	for (size_t i = 0; argc > 1 && names[i] != NULL; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	wv_opt_start(&opts, &cmd, argc, argv);
	wv_opt_next(&opts);
	if (opts.operand_count == 0)
		wv_usage(&opts, "no command: init, issue or revoke");
	const char *near = wv_nearest(opts.operands[0], names);
	wv_usage(&opts, "no command %s%s%s", opts.operands[0],
		near ? "; did you mean " : "", near ? near : "");
}
