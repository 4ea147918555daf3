/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever a text is: what is found is within it, in order, named, at whole
 * characters, and the same as where everything is looked at; inert twice is
 * inert once; the steps are bounded.
 */
#include "firewall/firewall.h"
#include "firewall/inject-internal.h"

#include "must.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX = 16, STEPS = 600 };

/* Ends with its memory. */
static char *
copy(const char *s, size_t n)
{
	char *text = malloc(n ? n : 1);

	if (n > 0)
		memcpy(text, s, n);
	return text;
}

static void
check_found(
	const struct wv_injection *found, size_t count, const char *s, size_t n)
{
	size_t end = 0;

	must(count <= MAX);
	for (size_t i = 0; i < count; i++) {
		must(found[i].start >= end && found[i].start < found[i].end);
		end = found[i].end;
		must(end <= n);
		must(strncmp(found[i].kind, "injection-", 10) == 0);
		must(wv_character_start(s, found[i].start) == found[i].start);
		must(end == n || wv_character_start(s, end) == end);
	}
}

/* The filter passes over nothing that is found. */
static void
check_filter(const char *s, size_t n, size_t max)
{
	struct wv_injection all[MAX], found[MAX];
	size_t steps, count = wv_inject_scan_all(s, n, all, max, &steps);

	must(wv_inject_scan(s, n, found, max) == count);
	for (size_t i = 0; i < count; i++)
		must(found[i].kind == all[i].kind &&
			found[i].start == all[i].start &&
			found[i].end == all[i].end);
}

/* The same of the strings that NULs end. */
static void
check_pieces(const char *s, size_t n)
{
	struct wv_injection found[1];
	struct wv_piece piece = { 0, 0 };
	bool more = wv_inject_pieces(s, n, &piece);
	size_t steps;

	for (size_t at = 0, length; at < n; at += length + 1) {
		length = strnlen(s + at, n - at);
		if (more && piece.start == at) {
			must(piece.end == at + length && length > 0);
			more = wv_inject_pieces(s, n, &piece);
		} else {
			must(wv_inject_scan_all(
				     s + at, length, found, 1, &steps) == 0);
		}
	}
	must(!more);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wv_injection found[MAX];
	struct wv_findings findings = { 0 };
	struct wv_str clean = { 0 }, once = { 0 }, twice = { 0 };
	char *raw = copy((const char *)data, size);
	size_t steps;

	size_t count = wv_inject_hidden(raw, size, found, MAX);
	for (size_t i = 0; i < count; i++)
		must(found[i].start < found[i].end && found[i].end <= size);
	wv_clean(&clean, raw, size, &findings);
	char *text = copy(clean.s, clean.n);
	count = wv_inject_scan_all(text, clean.n, found, MAX, &steps);
	check_found(found, count, text, clean.n);
	must(steps <= STEPS * (clean.n + 16));
	count = wv_inject_said(text, clean.n, found, MAX);
	check_found(found, count, text, clean.n);
	check_filter(text, clean.n, MAX);
	check_filter(text, clean.n, 1);
	check_filter(raw, size, MAX); /* also what is not clean */
	check_pieces(raw, size);
	wv_inject_inert(&once, text, clean.n);
	wv_inject_inert(&twice, once.s ? once.s : "", once.n);
	must(once.n == twice.n &&
		(once.n == 0 || memcmp(once.s, twice.s, once.n) == 0));
	wv_str_free(&clean);
	wv_str_free(&once);
	wv_str_free(&twice);
	free(text);
	free(raw);
	return 0;
}
