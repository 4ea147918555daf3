/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns of ECMA-262 (unicode mode, unanchored; ecma.h says what that is)
 * on PCRE2, with limits that no pattern and no text can stretch: a pattern of
 * 65,536 bytes (and what PCRE2 makes of it); a time in proportion to the texts
 * of a record, and some tens of milliseconds beyond for all of them together;
 * 64 MiB.  The time is counted in steps, so that it is the same everywhere.  A pattern
 * that hits a limit is an error, never a verdict; one of some 8,000 characters
 * or more does so for any text above 1,000 bytes.
 */
#ifndef WV_SCHEMA_REGEX_H
#define WV_SCHEMA_REGEX_H

#include "base/err.h"

struct wv_regex;

/* pattern is UTF-8; it may hold NUL bytes. */
struct wv_regex *wv_regex_compile(
	const char *pattern, size_t n, struct wv_err *err);
/* 1 found, 0 not, -1 limit reached.  s is UTF-8.  One thread at a time. */
int wv_regex_find(const struct wv_regex *regex, const char *s, size_t n);

/* Where a match may begin, and what is around it. */
struct wv_regex_view {
	const char *s; /* any bytes; what is no UTF-8 matches nothing */
	size_t n, at;
	bool begins, ends; /* the text does so with s and s + n: ^ and $ */
};
/* 1: a match begins at s[at], and ends at *end; 0: none does; 2: more than n
 * bytes would have to be seen to say (only if the text does not end there).
 * What it costs is taken from *budget, some 8 a step; -1: there is not enough.
 */
int wv_regex_at(const struct wv_regex *regex, const struct wv_regex_view *view,
	size_t *budget, size_t *end);

/* A record begins: the time beyond is there again, once for all patterns. */
void wv_regex_refill(void);
void wv_regex_free(struct wv_regex *regex);

#endif
