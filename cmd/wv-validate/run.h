/* SPDX-License-Identifier: Apache-2.0 */
/* The input, judged as the command line says. */
#ifndef WV_VALIDATE_RUN_H
#define WV_VALIDATE_RUN_H

#include "settings.h"

/* Returns the exit status; what keeps it from judging at all ends the
 * process with 2. */
int run(const struct settings *settings, const struct wv_opts *opts);

/* Judges schema files: --lint and the operands. */
int run_lint(const struct settings *settings, const struct wv_opts *opts);

#endif
