/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ids: `prefix-` plus a ULID (48 bits of milliseconds, 80 random bits, 26
 * characters of Crockford's base 32, upper case).  Ids made by one process
 * within a millisecond still sort in the order they were made.
 * With WV_IDS=seq:N in the environment they are `prefix-` and a decimal
 * counter that starts at N >= 1, in ULID width, so that test output is
 * byte-identical; a tool that writes kernel state asks wv_id_is_test() and
 * refuses (design 2).
 */
#ifndef WV_BASE_ID_H
#define WV_BASE_ID_H

#include "base/err.h"

enum { WV_ID_MAX = 64 };

/* A malformed WV_IDS is status 2 at start, not a surprise later. */
int wv_id_init(struct wv_err *err);
bool wv_id_is_test(void);
void wv_id_new(char id[WV_ID_MAX], const char *prefix);

/* Lower-case hex of n <= 64 random bytes (2n characters and a NUL), for trace
 * and span ids; counts under WV_IDS. */
void wv_id_hex(char *out, size_t n);
/* Random bytes from the kernel; exits with 2 if it has none to give. */
void wv_random(void *buf, size_t n);

#endif
