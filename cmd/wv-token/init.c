/* SPDX-License-Identifier: Apache-2.0 */
#include "main.h"

#include "base/msg.h"

enum { OPT_TEST = 256 };

static const char *const synopsis[] = { "init [--test]", NULL };

static const struct wv_opt table[] = {
	{ OPT_TEST, "test", NULL,
		"a state for tests: --now and WV_IDS work on it" },
	WV_STATE_OPT,
	WV_NOW_OPT,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-token",
	.synopsis = synopsis,
	.about = "Makes the state folder; there must be none yet.  Every tool "
		 "that writes state makes it too: this is for tests.",
	.opts = table,
};

int
init_main(int argc, char **argv)
{
	struct wv_opts opts;
	const char *path = NULL;
	bool test = false;
	int id;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		if (!wv_state_option(&path, id, &opts))
			test = true;
	if (opts.operand_count > 0)
		wv_usage(&opts, "init takes no operands");
	struct wv_state *state = open_state(path, WV_STATE_INIT, test);
	wv_note("made %s", state->path);
	wv_state_close(state);
	wv_opt_end(&opts);
	return WV_YES;
}
