/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules that are read find their hits in order, within the text, and the same
 * wherever it is parted; their lint ends; those that are not read are refused
 * for a reason.  The input is a file of rules, and a text behind a NUL.
 */
#include "firewall/firewall.h"
#include "firewall/rules-internal.h"

#include "file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { MOST = 64 };

static size_t
scan(const struct wv_rules *rules, const char *s, size_t n, struct wv_hit *hits)
{
	size_t count = 0, from = 0;

	while (count < MOST && wv_scan(rules, s, n, from, &hits[count])) {
		const struct wv_hit *hit = &hits[count++];
		must(hit->start >= from && hit->end > hit->start &&
			hit->end <= n && hit->kind != NULL);
		from = hit->end;
	}
	return count;
}

/* What costs too much may be found in other parts. */
static bool
is_cheap(const struct wv_rules *rules)
{
	return wv_rules_file(rules)->purse.left > 1 << 19;
}

static void
part(const struct wv_rules *rules, const char *s, size_t n, size_t at)
{
	struct wv_hit hits[MOST], hit;
	size_t from = 0, live = 0, k = 0, count = scan(rules, s, n, hits);

	if (count == MOST)
		return;
	for (; wv_scan_more(rules, s, at, from, &hit, &live); from = hit.end) {
		must(live <= at);
		if (is_cheap(rules))
			must(k < count && hit.start == hits[k].start &&
				hit.end == hits[k].end);
		k++;
	}
	for (; wv_scan_last(rules, s, n, from, &hit, live); from = hit.end) {
		if (is_cheap(rules))
			must(k < count && hit.start == hits[k].start &&
				hit.end == hits[k].end);
		k++;
	}
	if (is_cheap(rules))
		must(k == count);
}

static void
hear(const struct wv_err *fault)
{
	must(wv_err_is_set(fault));
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	const unsigned char *nul = memchr(data, 0, size);
	size_t n = nul != NULL ? (size_t)(nul - data) : size;
	struct wv_err err = WV_ERR_INIT;
	struct wv_rules *rules = wv_rules_load(file_of(data, n), &err);
	struct wv_str text = { 0 };

	must((rules == NULL) == wv_err_is_set(&err));
	if (rules == NULL)
		return 0;
	wv_rules_lint(rules, hear);
	wv_str_cat(&text, "");
	if (nul != NULL)
		wv_clean(&text, (const char *)nul + 1, size - n - 1,
			&(struct wv_findings){ 0 });
	for (size_t at = text.n % 7; at < text.n; at += 7)
		part(rules, text.s, text.n, at);
	wv_str_free(&text);
	wv_rules_free(rules);
	return 0;
}
