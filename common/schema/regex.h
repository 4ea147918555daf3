/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ECMA-262 patterns (unicode mode, unanchored, ASCII \d and \w, `$` only at
 * the very end) on PCRE2, with a match limit: a pattern that hits it is an
 * error, never a verdict.
 */
#ifndef WV_SCHEMA_REGEX_H
#define WV_SCHEMA_REGEX_H

#include "base/err.h"

struct wv_regex;

struct wv_regex *wv_regex_compile(
	const char *pattern, size_t n, struct wv_err *err);
/* 1 found, 0 not, -1 limit reached. */
int wv_regex_find(const struct wv_regex *regex, const char *s, size_t n);
void wv_regex_free(struct wv_regex *regex);

#endif
