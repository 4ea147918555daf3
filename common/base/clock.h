/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time: RFC 3339 in, instants inside, UTC RFC 3339 with milliseconds and Z
 * out.  Instants are compared, texts never.  A fraction finer than a
 * nanosecond is cut.  A leap second (second 60) is legal only where it is
 * 23:59 UTC on the last day of a month, and is the instant one second after
 * second 59.
 */
#ifndef WV_BASE_CLOCK_H
#define WV_BASE_CLOCK_H

#include "base/err.h"

#include <stdint.h>

struct wv_time {
	int64_t sec;  /* since 1970-01-01T00:00:00Z */
	int32_t nsec; /* 0 … 999,999,999 */
};

enum { WV_TIME_TEXT = 32 }; /* "2026-01-02T03:04:05.678Z" and room */

/*
 * A date-time of RFC 3339 section 5.6 and nothing else: `T` and `Z` in
 * either case, any number of fraction digits, real calendar dates, offsets
 * to ±23:59.  The whole text must match.
 */
int wv_time_parse(
	struct wv_time *time, const char *s, size_t n, struct wv_err *err);
/* The parts of it, for the formats date and time of JSON Schema. */
bool wv_time_is_date(const char *s, size_t n);
bool wv_time_is_time(const char *s, size_t n);
int wv_time_cmp(struct wv_time a, struct wv_time b);
struct wv_time wv_time_add_ms(struct wv_time t, int64_t ms); /* saturates */
/* Years outside 0001-9999 are clamped. */
void wv_time_print(char text[WV_TIME_TEXT], struct wv_time t);

/* The clock, or what wv_time_fix() said (--now). */
struct wv_time wv_now(void);
void wv_time_fix(struct wv_time t);
bool wv_time_is_fixed(void);
/* Monotonic milliseconds, for time-outs; never fixed. */
int64_t wv_ticks(void);

/* 250ms 15s 10m 24h 7d: a whole number and a unit; milliseconds, >= 0. */
int wv_duration_parse(int64_t *ms, const char *s, struct wv_err *err);

#endif
