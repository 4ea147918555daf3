/* SPDX-License-Identifier: Apache-2.0 */
/* wv-trace rotate, recover: what is done to the log of a state as a whole. */
#include "trace.h"

#include "base/file.h"
#include "base/msg.h"
#include "kernel/segment.h"

#include <inttypes.h>
#include <unistd.h>

static const struct wv_opt table[] = {
	WV_STATE_OPT,
	WV_NOW_OPT,
	{ 0 },
};

/* A state that does not exist is not made. */
static struct wv_state *
open_state(
	struct wv_opts *opts, const struct wv_cmd *cmd, int argc, char **argv)
{
	const char *path = NULL;
	int id;

	wv_opt_start(opts, cmd, argc, argv);
	while ((id = wv_opt_next(opts)) != 0)
		wv_state_option(&path, id, opts);
	if (opts->operand_count > 0)
		wv_usage(opts, "%s: takes no FILE", argv[0]);
	return wv_state_need(path, WV_STATE_RECOVER, false);
}

/* rotate */

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
	static const char *const synopsis[] = { "rotate [option...]", NULL };
	static const struct wv_cmd cmd = {
		.tool = "wv-trace",
		.synopsis = synopsis,
		.about = "Closes the live log: its lines are audit.jsonl.N "
			 "from then on, and audit.jsonl begins anew, chained "
			 "to it.  Prints the name of what was closed.",
		.opts = table,
	};
	struct wv_err err = WV_ERR_INIT;
	struct wv_opts opts;
	struct wv_state *state = open_state(&opts, &cmd, argc, argv);
	uint64_t number;
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

/* recover */

static void
tell(const struct wv_state *state, const struct wv_summit *summit)
{
	wv_warn("%s: the log lost line %" PRIu64 ", of SHA-256 %s", state->path,
		summit->lost.seq, summit->lost.hash);
	if (summit->head.seq > 0 && summit->head.end == 0)
		wv_warn("%s: it goes on after line %" PRIu64
			", which ends the last segment",
			state->path, summit->head.seq);
	else if (summit->head.seq > 0)
		wv_warn("%s: it goes on after line %" PRIu64
			", which ends at byte %" PRIu64,
			state->path, summit->head.seq, summit->head.end);
	else
		wv_warn("%s: nothing is left of it: it begins anew",
			state->path);
}

int
recover_main(int argc, char **argv)
{
	static const char *const synopsis[] = { "recover [option...]", NULL };
	static const struct wv_cmd cmd = {
		.tool = "wv-trace",
		.synopsis = synopsis,
		.about = "Takes note that the audit log lost what the store "
			 "recorded, so that the kernel can go on.  The log "
			 "keeps every byte that it has; its next line, and "
			 "`wv-trace verify` for ever, will tell of the loss.",
		.opts = table,
	};
	struct wv_err err = WV_ERR_INIT;
	struct wv_summit summit;
	struct wv_opts opts;
	struct wv_state *state = open_state(&opts, &cmd, argc, argv);
	int lost = wv_state_recover(state, &summit, &err);

	if (lost < 0)
		wv_die_err(&err);
	if (lost == 1)
		tell(state, &summit);
	else
		wv_warn("%s: there is nothing to recover", state->path);
	wv_state_close(state);
	wv_opt_end(&opts);
	return WV_YES;
}
