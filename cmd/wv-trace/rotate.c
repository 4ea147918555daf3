/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include "base/file.h"
#include "base/msg.h"
#include "kernel/segment.h"

#include <unistd.h>

static const char *const synopsis[] = { "rotate [option...]", NULL };

static const struct wv_opt table[] = {
	WV_STATE_OPT,
	WV_NOW_OPT,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-trace",
	.synopsis = synopsis,
	.about = "Closes the live log: its lines are audit.jsonl.N from then "
		 "on, and audit.jsonl begins anew, chained to it.  Prints the "
		 "name of what was closed.",
	.opts = table,
};

static void
print_name(const struct wv_state *state, uint64_t number)
{
	const struct wv_segment segment = { .number = number };
	char name[WV_SEGMENT_NAME];
	struct wv_str path = { 0 };
	struct wv_out out;

	wv_segment_name(name, &segment);
	wv_str_fmt(&path, "%s/%s", state->path, name);
	wv_out_init(&out, STDOUT_FILENO, "standard output");
	wv_out_line(&out, path.s, path.n);
	wv_out_end(&out);
	wv_str_free(&path);
}

int
rotate_main(int argc, char **argv)
{
	struct wv_err err = WV_ERR_INIT;
	const char *path = NULL;
	struct wv_opts opts;
	uint64_t number;
	int id;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		wv_state_option(&path, id, &opts);
	if (opts.operand_count > 0)
		wv_usage(&opts, "rotate: takes no FILE");
	/* A state that does not exist is not made; a log that lacks what was
	 * recorded is refused. */
	struct wv_state *state = wv_state_need(path, WV_STATE_RECOVER, false);
	int rotated = wv_state_rotate(state, &number, &err);
	if (rotated < 0)
		wv_die_err(&err);
	if (rotated == 1)
		print_name(state, number);
	else
		wv_warn("%s: audit.jsonl holds nothing: there is nothing to "
			"rotate",
			state->path);
	wv_state_close(state);
	wv_opt_end(&opts);
	return WV_YES;
}
