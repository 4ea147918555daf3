/* SPDX-License-Identifier: Apache-2.0 */
/* What the command line says. */
#ifndef WV_AUTHORIZE_SETTINGS_H
#define WV_AUTHORIZE_SETTINGS_H

#include "authorize.h"

#include "base/opt.h"

struct settings {
	struct authorizer a;
	struct wv_lines_options lines;
	struct sources from;
	const char **formats;
	size_t format_count;
	const char *lint, *test;
	bool strict;
};

/* A list that has one more; free it. */
const char **settings_add(const char **list, size_t *count, const char *value);
/* Fills in what the environment and the administrator say; what cannot go
 * together ends with 2. */
void settings_check(struct settings *settings, const struct wv_opts *opts);

#endif
