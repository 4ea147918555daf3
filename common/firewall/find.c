/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/find.h"
#include "firewall/clean.h"
#include "firewall/decode.h"
#include "firewall/internal.h"
#include "firewall/known.h"
#include "firewall/scan-internal.h"

#include <stdlib.h>
#include <string.h>

void
wv_hits_add(struct wv_hits *hits, size_t start, size_t end, const char *kind)
{
	hits->at = wv_list_room(hits->at, hits->count, sizeof(*hits->at));
	hits->at[hits->count++] = (struct wv_hit){ start, end, kind };
}

void
wv_hits_free(struct wv_hits *hits)
{
	free(hits->at);
	*hits = (struct wv_hits){ 0 };
}

const struct wv_hit *
wv_hits_behind(const struct wv_hits *hits, size_t at)
{
	size_t low = 0, high = hits->count;

	while (low < high) {
		size_t mid = (low + high) / 2;
		if (hits->at[mid].start < at)
			low = mid + 1;
		else
			high = mid;
	}
	return low < hits->count ? &hits->at[low] : NULL;
}

struct wv_hits
wv_hits_keep(struct wv_hits *hits, struct wv_arena *arena)
{
	struct wv_hits copy = { .count = hits->count };

	if (hits->count > 0) {
		copy.at = wv_alloc(arena, hits->count * sizeof(*copy.at));
		memcpy(copy.at, hits->at, hits->count * sizeof(*copy.at));
	}
	wv_hits_free(hits);
	return copy;
}

static int
by_place(const void *a, const void *b)
{
	const struct wv_hit *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	if (x->kind == wv_known_kind || y->kind == wv_known_kind)
		return (y->kind == wv_known_kind) - (x->kind == wv_known_kind);
	return strcmp(x->kind, y->kind);
}

/* Hits that overlap become one, of the kind of the longest. */
static void
merge(struct wv_hits *hits)
{
	size_t n = 0, longest = 0;

	qsort(hits->at, hits->count, sizeof(*hits->at), by_place);
	for (size_t i = 0; i < hits->count; i++) {
		struct wv_hit *hit = &hits->at[i];
		struct wv_hit *last = n > 0 ? &hits->at[n - 1] : NULL;
		size_t length = hit->end - hit->start;
		if (last == NULL || hit->start >= last->end) {
			hits->at[n++] = *hit;
			longest = length;
			continue;
		}
		if (hit->end > last->end)
			last->end = hit->end;
		if (length > longest) {
			last->kind = hit->kind;
			longest = length;
		}
	}
	hits->count = n;
}

static int
by_end(const void *a, const void *b)
{
	const struct wv_hit *x = a, *y = b;

	return (x->end < y->end) - (x->end > y->end);
}

/* What begins at or after live may change.  To see again a hit that reaches
 * beyond it, all of what it was found in has to be there: its span.  That of a
 * hit of the scanner has its kind. */
static void
drop_open(struct wv_hits *hits, struct wv_hits *spans, size_t *live)
{
	size_t i = 0;

	if (spans->count > 0)
		qsort(spans->at, spans->count, sizeof(*spans->at), by_end);
	for (; i < spans->count && spans->at[i].end > *live; i++)
		if (spans->at[i].start < *live)
			*live = spans->at[i].start;
	while (hits->count > 0 && hits->at[hits->count - 1].end > *live)
		hits->count--;
}

static void
find_others(const struct wv_rules *rules, const char *s, size_t n, size_t begin,
	int depth, struct wv_hits *hits, struct wv_hits *spans, size_t *live)
{
	size_t scanned = hits->count;

	wv_known_find(wv_rules_known(rules), s, n, begin, hits, live);
	for (size_t i = scanned; spans != NULL && i < hits->count; i++)
		wv_hits_add(spans, hits->at[i].start, hits->at[i].end, NULL);
	if (depth < WV_DECODE_DEPTH)
		wv_decode_find(rules, s, n, begin, depth, hits, spans, live);
	if (hits->count > scanned)
		merge(hits);
}

/* A recognizer that looks at so many bytes may end within a character. */
static void
add_scanned(
	struct wv_hits *hits, const char *s, size_t n, const struct wv_hit *hit)
{
	size_t end = hit->end;

	while (end < n && ((unsigned char)s[end] & 0xC0) == 0x80)
		end++;
	wv_hits_add(hits, hit->start, end, hit->kind);
}

static void
scan_all(const struct wv_rules *rules, const char *s, size_t n, size_t from,
	size_t live, struct wv_hits *hits)
{
	struct wv_hit hit;

	while (live < n && wv_scan_last(rules, s, n, from, &hit, live)) {
		add_scanned(hits, s, n, &hit);
		from = live = hit.end;
	}
}

/* What the scanner found is there. */
static void
find_unscanned(const struct wv_rules *rules, const char *s, size_t n, int depth,
	struct wv_hits *hits)
{
	size_t scanned = hits->count;
	wv_columns_find(rules, s, n, hits);
	if (hits->count > scanned)
		merge(hits);
	find_others(rules, s, n, 0, depth, hits, NULL, NULL);
}

void
wv_find_all(const struct wv_rules *rules, const char *s, size_t n,
	struct wv_hits *hits)
{
	wv_find_decoded(rules, s, n, 0, hits);
}

void
wv_find_from(const struct wv_rules *rules, const char *s, size_t n,
	const struct wv_hit *first, struct wv_hits *hits)
{
	size_t from = 0;

	if (first != NULL) {
		add_scanned(hits, s, n, first);
		from = first->end;
	}
	scan_all(rules, s, n, from, from, hits);
	find_unscanned(rules, s, n, 0, hits);
}

void
wv_find_decoded(const struct wv_rules *rules, const char *s, size_t n,
	int depth, struct wv_hits *hits)
{
	scan_all(rules, s, n, 0, 0, hits);
	find_unscanned(rules, s, n, depth, hits);
}

void
wv_find_last(const struct wv_rules *rules, const char *s, size_t n, size_t from,
	struct wv_hits *hits, size_t live)
{
	scan_all(rules, s, n, from, live, hits);
	find_others(rules, s, n, live, 0, hits, NULL, NULL);
}

void
wv_find_more(const struct wv_rules *rules, const char *s, size_t n,
	size_t *from, struct wv_hits *hits, size_t *live)
{
	size_t begin = *live, last = *from;
	struct wv_hits spans = { 0 };
	struct wv_hit hit;

	while (wv_scan_more(rules, s, n, last, &hit, live)) {
		size_t low = hit.start > last + WV_SCAN_CONTEXT
			? hit.start - WV_SCAN_CONTEXT
			: last;
		add_scanned(hits, s, n, &hit);
		wv_hits_add(&spans, low > begin ? low : begin,
			hits->at[hits->count - 1].end, hit.kind);
		last = *live = hit.end;
	}
	find_others(rules, s, n, begin, 0, hits, &spans, live);
	drop_open(hits, &spans, live);
	for (size_t i = 0; i < spans.count; i++)
		if (spans.at[i].kind != NULL && spans.at[i].end <= *live &&
			spans.at[i].end > *from)
			*from = spans.at[i].end;
	wv_hits_free(&spans);
}
