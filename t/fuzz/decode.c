/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever is encoded how: hits are in order, within the text and apart; the
 * work is linear; what was redacted once is not redacted again; known values
 * are gone in every form.
 */
#include "firewall/find.h"
#include "firewall/firewall.h"
#include "firewall/known.h"
#include "firewall/scan-internal.h"

#include "must.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct wv_arena arena, of_rules;
static struct wv_rules *rules;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char value[] = "Known/Value+1";

static void
prepare(void)
{
	struct wv_known *known = wv_known_new();

	rules = wv_rules_new(&of_rules);
	wv_rules_ready(rules);
	wv_known_add(known, value, strlen(value));
	wv_known_ready(known);
	wv_rules_set_known(rules, known);
}

/* Cleaned, in memory of its own: nothing behind its end can be read. */
static char *
clean(const uint8_t *data, size_t size, size_t *n)
{
	struct wv_findings findings = { 0 };
	struct wv_str out = { 0 };

	wv_clean(&out, (const char *)data, size, &findings);
	if (out.n > 0)
		wv_disown_marks(out.s, out.n);
	char *copy = wv_xmalloc(out.n + 1);
	if (out.n > 0)
		memcpy(copy, out.s, out.n);
	*n = out.n;
	wv_str_free(&out);
	return wv_xrealloc(copy, *n + (*n == 0));
}

static void
check_hits(const struct wv_hits *hits, size_t n)
{
	size_t from = 0;

	for (size_t i = 0; i < hits->count; i++) {
		must(hits->at[i].start >= from);
		must(hits->at[i].end > hits->at[i].start);
		must(hits->at[i].end <= n);
		from = hits->at[i].end;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { MOST = 64 }; /* steps a byte */
	struct wv_hits hits = { 0 };
	size_t n;

	if (rules == NULL)
		prepare();
	char *text = clean(data, size, &n);
	wv_decode_steps = 0;
	wv_find_all(rules, text, n, &hits);
	must(wv_decode_steps <= MOST * n);
	check_hits(&hits, n);
	const char *there = memmem(text, n, value, strlen(value));
	must(there == NULL || hits.count > 0);
	wv_hits_free(&hits);
	free(text);
	wv_arena_reset(&arena);
	return 0;
}
