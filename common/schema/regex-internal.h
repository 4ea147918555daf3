/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of regex share among themselves, and with nobody else. */
#ifndef WV_SCHEMA_REGEX_INTERNAL_H
#define WV_SCHEMA_REGEX_INTERNAL_H

#include "base/str.h"
#include "schema/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Worth compiling to machine code after so many uses: it takes as long. */
enum { WV_JIT_AFTER = 32 };
enum { WV_STEP_PRICE = 8, WV_REGEX_MEMORY_KIB = 64 << 10 };

struct wv_regex {
	struct wv_str translated;
	/* The last two from their first use on. */
	pcre2_code *code, *guarded, *anchored;
	pcre2_match_data *match;
	pcre2_match_context *limits, *guarded_limits, *anchored_limits;
	unsigned uses;
	/* "^" and plain characters: no engine is needed. */
	char *prefix;
	size_t prefix_len;
};

/* What is left of the means of a guarded form, whose every step is reported
 * to wv_regex_pay(). */
struct wv_regex_purse {
	const struct wv_str *pattern;
	size_t left, position;
};
int wv_regex_pay(pcre2_callout_block *at, void *purse);

pcre2_general_context *wv_regex_memory(void);
/* Compiles what was translated, with more options. */
pcre2_code *wv_regex_make(
	const struct wv_str *pattern, uint32_t more, struct wv_err *err);

#endif
