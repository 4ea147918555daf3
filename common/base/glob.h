/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one pattern language of ids and paths: `*` stands for any run of
 * characters within a segment (also none), `**` for any run across segments;
 * every other character is itself.  Anchored at both ends, bytewise,
 * case-sensitive; no escapes, no classes.  Time is at most the product of
 * the two lengths.
 */
#ifndef WV_BASE_GLOB_H
#define WV_BASE_GLOB_H

#include <stdbool.h>

bool wv_glob_match(const char *pattern, const char *text, char separator);

#endif
