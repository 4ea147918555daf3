/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ECMA-262 regular expressions (unicode mode) put into the words of PCRE2,
 * which shares most of the syntax but not the meaning of \s, `.`, [^], \u…,
 * nor what is an error: possessive quantifiers, verbs, inline options,
 * POSIX classes and unknown escapes are refused.
 */
#ifndef WV_SCHEMA_ECMA_H
#define WV_SCHEMA_ECMA_H

#include "base/err.h"
#include "base/str.h"

/* pattern is UTF-8; it may hold NUL bytes. */
int wv_ecma_translate(
	struct wv_str *out, const char *pattern, size_t n, struct wv_err *err);

#endif
