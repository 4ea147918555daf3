/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading gzip files (RFC 1952): members one after the other, and nothing but
 * zeros after the last.  A file that is cut short, damaged or no gzip file is
 * an error, never an early end.
 */
#ifndef WV_BASE_GZ_H
#define WV_BASE_GZ_H

#include "base/err.h"

#include <stddef.h>
#include <sys/types.h>

struct wv_gz;

/* fd stays the caller's.  NULL and an error if zlib cannot be used. */
struct wv_gz *wv_gz_new(int fd, struct wv_err *err);
/* At most n bytes (n > 0); 0 at the end; -1 and an error.  A descriptor that
 * would block is waited for. */
ssize_t wv_gz_read(struct wv_gz *gz, char *to, size_t n, struct wv_err *err);
void wv_gz_free(struct wv_gz *gz);

#endif
