/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include "base/msg.h"

#include <inttypes.h>

static const char *const synopsis[] = { "recover [option...]", NULL };

static const struct wv_opt table[] = {
	WV_STATE_OPT,
	WV_NOW_OPT,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-trace",
	.synopsis = synopsis,
	.about = "Takes note that the audit log lost what the store recorded, "
		 "so that the kernel can go on.  The log keeps every byte that "
		 "it has; its next line, and `wv-trace verify` for ever, will "
		 "tell of the loss.",
	.opts = table,
};

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
	struct wv_err err = WV_ERR_INIT;
	const char *path = NULL;
	struct wv_summit summit;
	struct wv_opts opts;
	int id;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		wv_state_option(&path, id, &opts);
	if (opts.operand_count > 0)
		wv_usage(&opts, "recover: takes no FILE");
	struct wv_state *state = wv_state_need(path, WV_STATE_RECOVER, false);
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
