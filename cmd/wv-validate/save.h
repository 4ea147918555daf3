/* SPDX-License-Identifier: Apache-2.0 */
/* A file that others see whole or not at all. */
#ifndef WV_VALIDATE_SAVE_H
#define WV_VALIDATE_SAVE_H

#include "base/err.h"
#include "base/str.h"

/* Replaces the file, by rename; the folders it stands in are made.  A symbolic
 * link (/dev/stdout is one) stays, and so does what is no regular file: they
 * are written to.  err->source is path. */
int save_file(const char *path, const struct wv_str *text, struct wv_err *err);

#endif
