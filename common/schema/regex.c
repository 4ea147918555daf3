/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/regex.h"

#include "schema/ecma.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Steps of backtracking; some tens of milliseconds at the worst. */
enum { MATCH_LIMIT = 1000000, HEAP_LIMIT_KIB = 16 << 10 };

/* Worth compiling to machine code after so many uses: it takes as long. */
enum { JIT_AFTER = 32 };

struct wv_regex {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *limits;
	unsigned uses;
	/* "^" and plain characters: no engine is needed. */
	char *prefix;
	size_t prefix_len;
};

/* The patterns of our own files are mostly of this kind. */
static bool
is_plain_prefix(const char *pattern, size_t n)
{
	if (n == 0 || pattern[0] != '^')
		return false;
	for (size_t i = 1; i < n; i++) {
		if (strchr("^$\\.*+?()[]{}|", pattern[i]) != NULL)
			return false; /* the NUL too */
	}
	return true;
}

static pcre2_code *
compile(const struct wv_str *pattern, struct wv_err *err)
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	const uint32_t options = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY |
		PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C |
		PCRE2_NO_UTF_CHECK;
	PCRE2_UCHAR text[128];
	PCRE2_SIZE offset;
	pcre2_code *code;
	int error;

	pcre2_set_newline(context, PCRE2_NEWLINE_LF);
	code = pcre2_compile((PCRE2_SPTR)pattern->s, pattern->n, options,
		&error, &offset, context);
	pcre2_compile_context_free(context);
	if (code == NULL) {
		pcre2_get_error_message(error, text, sizeof text);
		wv_err_set(err, "not a regular expression: %s", (char *)text);
	}
	return code;
}

struct wv_regex *
wv_regex_compile(const char *pattern, size_t n, struct wv_err *err)
{
	struct wv_regex *regex = wv_xcalloc(1, sizeof *regex);
	struct wv_str translated = { 0 };

	if (is_plain_prefix(pattern, n)) {
		regex->prefix_len = n - 1;
		regex->prefix = wv_xmalloc(n);
		memcpy(regex->prefix, pattern + 1, n - 1);
		return regex;
	}
	if (wv_ecma_translate(&translated, pattern, n, err) == 0)
		regex->code = compile(&translated, err);
	wv_str_free(&translated);
	if (regex->code == NULL) {
		free(regex);
		return NULL;
	}
	regex->match = pcre2_match_data_create(1, NULL);
	regex->limits = pcre2_match_context_create(NULL);
	pcre2_set_match_limit(regex->limits, MATCH_LIMIT);
	pcre2_set_heap_limit(regex->limits, HEAP_LIMIT_KIB);
	return regex;
}

int
wv_regex_find(const struct wv_regex *regex, const char *s, size_t n)
{
	struct wv_regex *own = (struct wv_regex *)regex;
	int found;

	if (regex->prefix != NULL)
		return n >= regex->prefix_len &&
			memcmp(s, regex->prefix, regex->prefix_len) == 0;
	if (own->uses < JIT_AFTER && ++own->uses == JIT_AFTER)
		pcre2_jit_compile(regex->code, PCRE2_JIT_COMPLETE);
	found = pcre2_match(regex->code, (PCRE2_SPTR)s, n, 0,
		PCRE2_NO_UTF_CHECK, regex->match, regex->limits);
	/* The interpreter has the heap where machine code has 32 KiB. */
	if (found == PCRE2_ERROR_JIT_STACKLIMIT)
		found = pcre2_match(regex->code, (PCRE2_SPTR)s, n, 0,
			PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, regex->match,
			regex->limits);
	if (found == PCRE2_ERROR_NOMATCH)
		return 0;
	return found < 0 ? -1 : 1;
}

void
wv_regex_free(struct wv_regex *regex)
{
	if (regex == NULL)
		return;
	pcre2_match_context_free(regex->limits);
	pcre2_match_data_free(regex->match);
	pcre2_code_free(regex->code);
	free(regex->prefix);
	free(regex);
}
