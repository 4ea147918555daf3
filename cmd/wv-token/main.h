/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of wv-token.  argv[0] is the command's name; each returns the
 * exit status. */
#ifndef WV_TOKEN_MAIN_H
#define WV_TOKEN_MAIN_H

#include "base/opt.h"
#include "kernel/token.h"

int init_main(int argc, char **argv);
int issue_main(int argc, char **argv);
int revoke_main(int argc, char **argv);

/* What they share: --state DIR and --now TIME. */
enum { OPT_STATE = 256, OPT_NOW, OPT_OWN };
#define STATE_OPTS \
	{ OPT_STATE, "state", "DIR", "the state folder (WV_STATE)" }, \
	{ \
		OPT_NOW, "now", "TIME", \
			"what time it is, on a state for tests" \
	}
/* True if id was one of them and has been taken. */
bool take_state_option(const struct wv_opts *opts, int id);
/* Options have been read: opens the state, or dies. */
struct wv_state *open_state(enum wv_state_use use, bool test);
/* An RFC 3339 time, or misuse. */
struct wv_time time_option(const struct wv_opts *opts, const char *name);

#endif
