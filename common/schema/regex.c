/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/regex-internal.h"

#include "schema/ecma.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PATTERN_MAX = 65536, TRANSLATED_MAX = 1 << 20 };

/*
 * PCRE2 counts the steps of backtracking, but anew wherever a match may
 * begin, and a run over many characters is none.  That bounds the time for a
 * short text: the first try has about as many steps as the text has bytes,
 * which is all that most patterns ever want; further ones have more, and are
 * paid for.  A longer text, and a short one that wants too much, is for the
 * guarded form, whose every step is reported and paid for.
 */
enum { SHORT_TEXT = 1000, SHORT_STEPS = 1 << 20 };
enum { FIRST_STEPS = 64, FIRST_STEPS_PER_BYTE = 2, MORE_STEPS = 8 };
enum { BUDGET = 16 << 20, BUDGET_PER_BYTE = 64 };
enum { SHORT_KIB = 1 << 10, MEMORY_KIB = WV_REGEX_MEMORY_KIB };

/* Memory is never refused, so no *_create() fails; but the stack for machine
 * code is mapped, and without it there is no verdict. */
static void *
allocate(size_t size, void *arg)
{
	return wv_xmalloc(size);
}

static void
release(void *block, void *arg)
{
	free(block);
}

pcre2_general_context *
wv_regex_memory(void)
{
	static pcre2_general_context *context;

	if (context == NULL)
		context = pcre2_general_context_create(allocate, release, NULL);
	return context;
}

static size_t budget = BUDGET; /* what is left for this record */

void
wv_regex_refill(void)
{
	budget = BUDGET;
}

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

/*
 * PCRE2 10.42 misses matches in two of its optimizations: \P{L}+\P{N} gives
 * nothing back, and where a match may begin is wrong for (?=a)b?a and, in
 * machine code, for (?:a|)\D+[ab].  The second kind matters little: patterns
 * of schemas are anchored and their texts short.
 */
static uint32_t
without(const char *translated)
{
	return PCRE2_NO_START_OPTIMIZE |
		(strstr(translated, "\\P{") ? PCRE2_NO_AUTO_POSSESS : 0);
}

pcre2_code *
wv_regex_make(const struct wv_str *pattern, uint32_t more, struct wv_err *err)
{
	pcre2_compile_context *context =
		pcre2_compile_context_create(wv_regex_memory());
	const uint32_t options = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY |
		PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C |
		PCRE2_NO_UTF_CHECK | without(pattern->s) | more;
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
		wv_err_set(err, "the regular expression is not supported: %s",
			(char *)text);
	}
	return code;
}

static int
translate(struct wv_str *out, const char *pattern, size_t n, struct wv_err *err)
{
	if (n > PATTERN_MAX)
		return wv_err_set(err,
			"the regular expression is longer than %d bytes",
			PATTERN_MAX);
	if (wv_ecma_translate(out, pattern, n, err) != 0)
		return -1;
	if (out->n > TRANSLATED_MAX)
		return wv_err_set(err, "the regular expression is too large");
	return 0;
}

struct wv_regex *
wv_regex_compile(const char *pattern, size_t n, struct wv_err *err)
{
	struct wv_regex *regex = wv_xcalloc(1, sizeof *regex);

	if (is_plain_prefix(pattern, n)) {
		regex->prefix_len = n - 1;
		regex->prefix = wv_xmalloc(n);
		memcpy(regex->prefix, pattern + 1, n - 1);
		return regex;
	}
	if (translate(&regex->translated, pattern, n, err) == 0)
		regex->code = wv_regex_make(&regex->translated, 0, err);
	if (regex->code == NULL) {
		wv_regex_free(regex);
		return NULL;
	}
	regex->match = pcre2_match_data_create(1, wv_regex_memory());
	regex->limits = pcre2_match_context_create(wv_regex_memory());
	pcre2_set_heap_limit(regex->limits, SHORT_KIB);
	return regex;
}

/* The least count of an item that ends with "{n}" or the like, else 0: that of
 * a single character or class is one run.  \x{…} is no count. */
static size_t
least_count(const char *item, size_t n)
{
	n -= n > 0 && item[n - 1] == '?';
	if (n == 0 || item[n - 1] != '}' || *item == ')')
		return 0;
	for (size_t i = n - 1; i > 1 && n - i < 16; i--) {
		if (item[i - 1] == '{')
			return item[i - 2] == 'x' ? 0
						  : strtoul(item + i, NULL, 10);
	}
	return 0;
}

/* What the next item of a pattern may cost unseen if it fails. */
static size_t
hidden_price(const pcre2_callout_block *at, const struct wv_str *pattern)
{
	const char *item = pattern->s + at->pattern_position;
	const PCRE2_SIZE *pair;
	size_t number;

	if (at->next_item_length < 3 || item[0] != '\\' || item[1] != 'g')
		return least_count(item, at->next_item_length);
	number = strtoul(item + 3, NULL, 10);
	pair = at->offset_vector + 2 * number;
	if (number >= at->capture_top || pair[0] == PCRE2_UNSET)
		return 0;
	return pair[1] - pair[0];
}

int
wv_regex_pay(pcre2_callout_block *at, void *arg)
{
	struct wv_regex_purse *purse = arg;
	size_t price = WV_STEP_PRICE + hidden_price(at, purse->pattern);

	if (at->current_position > purse->position)
		price += at->current_position - purse->position;
	purse->position = at->current_position;
	if (price > purse->left)
		return PCRE2_ERROR_CALLOUT;
	purse->left -= price;
	return 0;
}

static int
verdict(int found)
{
	if (found == PCRE2_ERROR_NOMATCH)
		return 0;
	return found < 0 ? -1 : 1;
}

static int
match_short(struct wv_regex *regex, const char *s, size_t n, uint32_t steps)
{
	int found;

	pcre2_set_match_limit(regex->limits, steps);
	found = pcre2_match(regex->code, (PCRE2_SPTR)s, n, 0,
		PCRE2_NO_UTF_CHECK, regex->match, regex->limits);
	/* The interpreter has the heap where machine code has 32 KiB. */
	if (found == PCRE2_ERROR_JIT_STACKLIMIT)
		found = pcre2_match(regex->code, (PCRE2_SPTR)s, n, 0,
			PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, regex->match,
			regex->limits);
	return found;
}

/* -1: it wants more than it may have. */
static int
find_short(struct wv_regex *regex, const char *s, size_t n)
{
	uint32_t starts = (uint32_t)n + 1;
	uint32_t steps = FIRST_STEPS + FIRST_STEPS_PER_BYTE * (uint32_t)n;

	if (regex->uses < WV_JIT_AFTER && ++regex->uses == WV_JIT_AFTER)
		pcre2_jit_compile(regex->code, PCRE2_JIT_COMPLETE);
	for (;;) {
		int found = match_short(regex, s, n, steps);
		size_t price = (size_t)steps * starts * WV_STEP_PRICE;
		if (found != PCRE2_ERROR_MATCHLIMIT ||
			steps >= SHORT_STEPS / starts)
			return verdict(found);
		if (price > budget)
			return -1;
		budget -= price;
		steps *= MORE_STEPS;
		if (steps > SHORT_STEPS / starts)
			steps = SHORT_STEPS / starts;
	}
}

static bool
make_guarded(struct wv_regex *regex)
{
	struct wv_err ignored = WV_ERR_INIT;

	regex->guarded =
		wv_regex_make(&regex->translated, PCRE2_AUTO_CALLOUT, &ignored);
	if (regex->guarded == NULL)
		return false;
	regex->guarded_limits = pcre2_match_context_create(wv_regex_memory());
	pcre2_set_heap_limit(regex->guarded_limits, MEMORY_KIB);
	pcre2_set_match_limit(regex->guarded_limits, UINT32_MAX);
	pcre2_jit_compile(regex->guarded, PCRE2_JIT_COMPLETE);
	return true;
}

static int
match_guarded(struct wv_regex *regex, const char *s, size_t n)
{
	struct wv_regex_purse purse = {
		.pattern = &regex->translated,
		.left = budget + n * BUDGET_PER_BYTE,
	};
	/* Of its own: it keeps what the interpreter took. */
	pcre2_match_data *match = pcre2_match_data_create(1, wv_regex_memory());
	int found;

	pcre2_set_callout(regex->guarded_limits, wv_regex_pay, &purse);
	found = pcre2_match(regex->guarded, (PCRE2_SPTR)s, n, 0,
		PCRE2_NO_UTF_CHECK, match, regex->guarded_limits);
	pcre2_match_data_free(match);
	if (purse.left < budget)
		budget = purse.left;
	return found;
}

static int
find_guarded(struct wv_regex *regex, const char *s, size_t n)
{
	pcre2_jit_stack *stack;
	int found;

	if (regex->guarded == NULL && !make_guarded(regex))
		return -1;
	found = match_guarded(regex, s, n);
	if (found != PCRE2_ERROR_JIT_STACKLIMIT)
		return verdict(found);
	stack = pcre2_jit_stack_create(
		32 << 10, (size_t)MEMORY_KIB << 10, wv_regex_memory());
	pcre2_jit_stack_assign(regex->guarded_limits, NULL, stack);
	found = match_guarded(regex, s, n);
	pcre2_jit_stack_assign(regex->guarded_limits, NULL, NULL);
	pcre2_jit_stack_free(stack);
	return verdict(found);
}

int
wv_regex_find(const struct wv_regex *regex, const char *s, size_t n)
{
	struct wv_regex *own = (struct wv_regex *)regex;
	int found = -1;

	if (regex->prefix != NULL)
		return n >= regex->prefix_len &&
			memcmp(s, regex->prefix, regex->prefix_len) == 0;
	if (n <= SHORT_TEXT)
		found = find_short(own, s, n);
	return found < 0 ? find_guarded(own, s, n) : found;
}

void
wv_regex_free(struct wv_regex *regex)
{
	if (regex == NULL)
		return;
	pcre2_match_context_free(regex->limits);
	pcre2_match_context_free(regex->guarded_limits);
	pcre2_match_context_free(regex->anchored_limits);
	pcre2_match_data_free(regex->match);
	pcre2_code_free(regex->code);
	pcre2_code_free(regex->guarded);
	pcre2_code_free(regex->anchored);
	wv_str_free(&regex->translated);
	free(regex->prefix);
	free(regex);
}
