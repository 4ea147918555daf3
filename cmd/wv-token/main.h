/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of wv-token.  argv[0] is the command's name; each returns the
 * exit status. */
#ifndef WV_TOKEN_MAIN_H
#define WV_TOKEN_MAIN_H

#include "base/opt.h"
#include "kernel/token.h"

int init_main(int argc, char **argv);
int keygen_main(int argc, char **argv);
int issue_main(int argc, char **argv);
int narrow_main(int argc, char **argv);
int verify_main(int argc, char **argv);
int show_main(int argc, char **argv);
int list_main(int argc, char **argv);
int revoke_main(int argc, char **argv);

/* Options have been read: opens the state, or dies. */
struct wv_state *open_state(const char *path, enum wv_state_use use, bool test);
/* The value of the option just returned, or misuse: an RFC 3339 time; an id
 * that can be somebody's; an issuer's. */
struct wv_time time_option(const struct wv_opts *opts, const char *name);
const char *principal_option(const struct wv_opts *opts);
const char *issuer_option(const struct wv_opts *opts);

#endif
