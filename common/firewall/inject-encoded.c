/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions in base64 and hexadecimal: what firewall/find.h says of runs
 * that are seen holds for them too. */
#include "firewall/find.h"
#include "firewall/inject.h"

#include <string.h>

static const char *
judge(const char *s, size_t n, int depth)
{
	struct wv_injection found[1];
	struct wv_hits hits = { 0 };

	if (wv_inject_scan(s, n, found, 1) > 0)
		return WV_INJECTION_ENCODED;
	if (depth < WV_DECODE_DEPTH)
		wv_decode_runs(s, n, depth, judge, &hits);
	size_t count = hits.count;
	wv_hits_free(&hits);
	return count > 0 ? WV_INJECTION_ENCODED : NULL;
}

/* To its place, unless one is there already; the last goes if they are too
 * many.  How many there are. */
static size_t
insert(struct wv_injection *found, size_t count, size_t max,
	const struct wv_injection *one)
{
	size_t i = count;

	while (i > 0 && found[i - 1].start >= one->start)
		i--;
	if (i == max || (i > 0 && found[i - 1].end > one->start) ||
		(i < count && found[i].start < one->end))
		return count;
	count -= count == max;
	memmove(found + i + 1, found + i, (count - i) * sizeof(*found));
	found[i] = *one;
	return count + 1;
}

static size_t
add_encoded(const char *s, size_t n, struct wv_injection *found, size_t count,
	size_t max)
{
	struct wv_hits hits = { 0 };

	wv_decode_runs(s, n, 0, judge, &hits);
	for (size_t i = 0; i < hits.count; i++)
		count = insert(found, count, max,
			&(struct wv_injection){ hits.at[i].kind,
				hits.at[i].start, hits.at[i].end });
	wv_hits_free(&hits);
	return count;
}

size_t
wv_inject_encoded(
	const char *s, size_t n, struct wv_injection *found, size_t max)
{
	return add_encoded(s, n, found, 0, max);
}

size_t
wv_inject_said(const char *s, size_t n, struct wv_injection *found, size_t max)
{
	size_t count = wv_inject_scan(s, n, found, max);

	if (count == max && max > 0)
		n = found[max - 1].end;
	return add_encoded(s, n, found, count, max);
}
