/* SPDX-License-Identifier: Apache-2.0 */
/* What is built in, for people to look at. */
#ifndef WV_VALIDATE_SHOW_H
#define WV_VALIDATE_SHOW_H

#include "base/file.h"
#include "base/opt.h"

#include <stdbool.h>

/* The contract of a name, or misuse that names the nearest; with auto also
 * "auto", which is -1. */
int type_of_name(const struct wv_opts *opts, const char *option,
	const char *name, bool with_auto);

void show_types(struct wv_out *out);
void show_schema(struct wv_out *out, int type);
void show_example(struct wv_out *out, int type);

#endif
