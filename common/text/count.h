/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Token counters by name, for budgets: `approx` (a wide character counts 1,
 * four others count 1, rounded up), `words` (runs without white space),
 * `bytes`.  Counting a text piecewise never gives less than counting it
 * whole.
 */
#ifndef WV_TEXT_COUNT_H
#define WV_TEXT_COUNT_H

#include <stddef.h>

typedef size_t wv_counter(const char *s, size_t n);

extern const char *const wv_counter_names[]; /* NULL-terminated */
wv_counter *wv_counter_find(const char *name);

/* How many of n bytes of UTF-8 make whole characters within max bytes. */
size_t wv_text_cut(const char *s, size_t n, size_t max);

#endif
