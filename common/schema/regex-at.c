/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns that have to match where something else was found. */
#include "schema/regex-internal.h"

#include <string.h>

enum { MORE = 2 };

static bool
prepare(struct wv_regex *regex)
{
	struct wv_err ignored = WV_ERR_INIT;

	if (regex->anchored != NULL)
		return true;
	regex->anchored = wv_regex_make(&regex->translated,
		PCRE2_ANCHORED | PCRE2_AUTO_CALLOUT | PCRE2_MATCH_INVALID_UTF,
		&ignored);
	if (regex->anchored == NULL)
		return false;
	regex->anchored_limits = pcre2_match_context_create(wv_regex_memory());
	pcre2_set_heap_limit(regex->anchored_limits, WV_REGEX_MEMORY_KIB);
	pcre2_set_match_limit(regex->anchored_limits, UINT32_MAX);
	return true;
}

static int
match(struct wv_regex *regex, const struct wv_regex_view *view,
	uint32_t options, size_t *budget)
{
	struct wv_regex_purse purse = {
		.pattern = &regex->translated,
		.left = *budget,
		.position = view->at,
	};
	int found;

	if (!view->begins)
		options |= PCRE2_NOTBOL;
	if (!view->ends)
		options |= PCRE2_PARTIAL_HARD;
	pcre2_set_callout(regex->anchored_limits, wv_regex_pay, &purse);
	found = pcre2_match(regex->anchored, (PCRE2_SPTR)view->s, view->n,
		view->at, options, regex->match, regex->anchored_limits);
	*budget = purse.left;
	return found;
}

static int
match_prefix(const struct wv_regex *regex, const struct wv_regex_view *view,
	size_t *end)
{
	size_t n = regex->prefix_len;

	if (view->at > 0 || !view->begins)
		return 0;
	*end = n;
	if (view->n < n)
		return !view->ends &&
				memcmp(view->s, regex->prefix, view->n) == 0
			? MORE
			: 0;
	return memcmp(view->s, regex->prefix, n) == 0;
}

int
wv_regex_at(const struct wv_regex *regex, const struct wv_regex_view *view,
	size_t *budget, size_t *end)
{
	struct wv_regex *own = (struct wv_regex *)regex;

	if (regex->prefix != NULL)
		return match_prefix(regex, view, end);
	if (!prepare(own))
		return -1;
	if (own->uses < WV_JIT_AFTER && ++own->uses == WV_JIT_AFTER)
		pcre2_jit_compile(own->anchored,
			PCRE2_JIT_COMPLETE | PCRE2_JIT_PARTIAL_HARD);
	int found = match(own, view, 0, budget);
	/* The interpreter has the heap where machine code has 32 KiB. */
	if (found == PCRE2_ERROR_JIT_STACKLIMIT)
		found = match(own, view, PCRE2_NO_JIT, budget);
	if (found == PCRE2_ERROR_PARTIAL)
		return MORE;
	if (found < 0)
		return found == PCRE2_ERROR_NOMATCH ? 0 : -1;
	*end = pcre2_get_ovector_pointer(regex->match)[1];
	return 1;
}
