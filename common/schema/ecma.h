/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regular expressions of ECMA-262 (2018 to 2024, unicode mode, no other flag)
 * put into the words of PCRE2, which shares most of the syntax but not the
 * meaning of \s, `.`, [^], \u…, \p{…}, references, nor what is an error:
 * possessive quantifiers, verbs, inline options, POSIX classes and unknown
 * escapes are refused.
 *
 * Two liberties are taken, for the many schemas that were written for no flag
 * at all, where they mean the same: any ASCII punctuation may be escaped
 * (\- \_ \@ \"), and in a class a hyphen beside \d, \w, \s or \p stands for
 * itself ([\w-.]).  Letters without a meaning stay errors, and so do a lone
 * bracket or brace and a quantifier after (?=…).
 *
 * Names of groups are ASCII.  What PCRE2 cannot do as ECMA-262 has it is
 * refused when it is compiled, never approximated: lookbehind without a fixed
 * length, references to a group that a later round of a loop may leave out
 * (the one keeps its old text, the other forgets it) or to one in a
 * lookbehind, counts above 65,535, properties that are newer than PCRE2.
 */
#ifndef WV_SCHEMA_ECMA_H
#define WV_SCHEMA_ECMA_H

#include "base/err.h"
#include "base/str.h"

/* pattern is UTF-8; it may hold NUL bytes.  err->text says whether it is no
 * regular expression or one that is not supported. */
int wv_ecma_translate(
	struct wv_str *out, const char *pattern, size_t n, struct wv_err *err);

/* If it is a regular expression, supported or not. */
bool wv_ecma_is_pattern(const char *pattern, size_t n);

#endif
