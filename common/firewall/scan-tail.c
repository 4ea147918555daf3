/* SPDX-License-Identifier: Apache-2.0 */
/* What the end of a text leaves open that goes on. */
#include "firewall/scan-internal.h"

#include <strings.h>

/* Where a line break at the end of the text, or what there is of a footer
 * behind it, begins: -----END PRIV */
static size_t
footer_start(const struct wv_text *t)
{
	size_t at = t->n, low = t->n > WV_REACH ? t->n - WV_REACH : 0;

	if (low < t->from)
		low = t->from;
	while (at > low &&
		(t->s[at - 1] == '-' || t->s[at - 1] == ' ' ||
			(t->s[at - 1] >= 'A' && t->s[at - 1] <= 'Z')))
		at--;
	while (at < t->n && t->s[at] == ' ')
		at++;
	if (at < t->n && t->s[at] == '-')
		return at;
	at = t->n;
	while (at > low && (t->s[at - 1] == '\\' || t->s[at - 1] == '\r'))
		at--;
	return at;
}

size_t
wv_scan_tail(const struct wv_text *t)
{
	size_t start = t->n;

	while (start > t->from && t->n - start < WV_REACH &&
		(unsigned char)t->s[start - 1] > ' ')
		start--;
	for (size_t i = 0; i < t->rules->count; i++) {
		const struct wv_rule *rule = &t->rules->rows[i];
		size_t n = rule->spaced;
		if (n > t->n - t->from)
			n = t->n - t->from;
		for (; n > 0 && n > t->n - start; n--)
			if (strncasecmp(rule->anchor, t->s + t->n - n, n) == 0)
				start = t->n - n;
	}
	size_t footer = footer_start(t), lines = wv_key_lines(t, footer);
	return lines < start && lines < footer ? lines : start;
}
