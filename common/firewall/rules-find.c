/* SPDX-License-Identifier: Apache-2.0 */
/* What rules from files find in a text, and let through. */
#include "firewall/rules-internal.h"

#include <string.h>

enum {
	SMALL = 512,       /* bytes, which most matches are within */
	PER_BYTE = 32,     /* what a purse gets, and at most has … */
	RESERVE = 1 << 20, /* … which is some milliseconds */
	TRY = 32,          /* what a try costs beside its steps */
	VALUE = 4096,      /* what the purse of allow gets for a value */
	ALLOW_RESERVE = 1 << 24,
	MARK_MOST = 80, /* bytes of a [REDACTED:kind] */
};

static void
fill(struct wv_purse *purse, size_t more, size_t most)
{
	purse->left += more;
	if (purse->left > most)
		purse->left = most;
}

/* For the bytes that were scanned since. */
static void
earn(struct wv_purse *purse, const struct wv_text *t, size_t at)
{
	bool goes_on = purse->s == t->s && purse->at <= at;
	size_t since = goes_on && purse->at > t->from ? purse->at : t->from;

	if (purse->s == NULL)
		purse->left = RESERVE;
	fill(purse, (at - since) * PER_BYTE, RESERVE);
	purse->s = t->s;
	purse->at = at;
}

/* s[at..end) without a character at its end that is cut: where that is, no
 * match ends. */
static size_t
whole_end(const struct wv_text *t, size_t at, size_t end)
{
	size_t start = end, rest = 0;

	while (start > at && rest < 3 &&
		((unsigned char)t->s[start - 1] & 0xC0) == 0x80) {
		start--;
		rest++;
	}
	unsigned char c = start > at ? (unsigned char)t->s[start - 1] : 0;
	size_t want = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC0 ? 1 : 0;
	return rest < want ? start - 1 : end;
}

static size_t
window_end(const struct wv_text *t, size_t at, size_t size)
{
	return whole_end(t, at, t->n - at > size ? at + size : t->n);
}

static int
try_pattern(const struct wv_text *t, size_t at, size_t end, bool ends,
	const struct wv_added *added, struct wv_purse *purse, size_t *match)
{
	struct wv_regex_view view = {
		.s = t->s + t->from,
		.n = end - t->from,
		.at = at - t->from,
		.begins = t->from == 0,
		.ends = ends,
	};
	size_t before = purse->left;

	*match = 0;
	int found = wv_regex_at(added->regex, &view, &purse->left, match);
	*match += t->from;
	purse->spent += before - purse->left;
	return found;
}

/* What is not seen to the end goes as far as it may reach. */
static bool
withhold(struct wv_text *t, size_t at, size_t *end)
{
	size_t i = window_end(t, at, WV_MATCH_MOST);

	while (i < t->n && (unsigned char)t->s[i] > ' ')
		i++;
	t->open = t->open || i == t->n;
	*end = i;
	return true;
}

bool
wv_rules_match(struct wv_text *t, size_t at, const struct wv_added *added,
	struct wv_purse *purse, size_t *end)
{
	size_t size = SMALL, seen;
	bool is_all;
	int found;

	if (purse->left < TRY)
		return withhold(t, at, end);
	purse->left -= TRY;
	purse->spent += TRY;
	for (;; size = WV_MATCH_MOST) {
		is_all = t->n - at <= size;
		seen = window_end(t, at, size);
		found = try_pattern(t, at, seen, false, added, purse, end);
		if (found != 2 || is_all || size == WV_MATCH_MOST)
			break;
	}
	if (found == 2 && is_all) {
		t->open = true;
		found = try_pattern(t, at, t->n, true, added, purse, end);
	}
	if (found < 0 || found == 2)
		return withhold(t, at, end);
	return found == 1 && *end > at;
}

/* A mark may say what a pattern looks for. */
static bool
is_in_mark(const struct wv_text *t, size_t at)
{
	for (size_t i = at + 1; i > t->from && at - i + 1 < MARK_MOST; i--)
		if (t->s[i - 1] == '[')
			return wv_mark_length(t->s + i - 1, t->n - i + 1) >
				at - i + 1;
	return false;
}

/* Of count rules, whose anchors agree with the text so far, those that have c
 * next: the first of them, and how many. */
static const struct wv_added *
narrow(const struct wv_added *first, size_t *count, size_t offset, char c)
{
	size_t bound[2];

	for (int i = 0; i < 2; i++) {
		size_t low = 0, high = *count;
		while (low < high) {
			size_t middle = (low + high) / 2;
			unsigned char b =
				(unsigned char)first[middle].anchor.s[offset];
			if (b < (unsigned char)c ||
				(i == 1 && b == (unsigned char)c))
				low = middle + 1;
			else
				high = middle;
		}
		bound[i] = low;
	}
	*count = bound[1] - bound[0];
	return first + bound[0];
}

bool
wv_rules_find(struct wv_text *t, size_t at, const struct wv_rule *row,
	struct wv_hit *hit)
{
	const struct wv_head *head = row->data;
	const struct wv_added *added = head->first, *best = NULL;
	size_t count = head->count, n = row->length, end;

	hit->end = at;
	earn(head->purse, t, at);
	for (;; n++) {
		for (; count > 0 && added->anchor.n == n; added++, count--) {
			if (added->off ||
				!wv_rules_match(
					t, at, added, head->purse, &end) ||
				end < hit->end ||
				(end == hit->end && best->index < added->index))
				continue;
			*hit = (struct wv_hit){ at, end, added->kind };
			best = added;
		}
		if (count == 0)
			break;
		int c = wv_byte(t, at + n);
		if (c < 0)
			break;
		added = narrow(added, &count, n, (char)c);
	}
	return best != NULL && !is_in_mark(t, at);
}

/* Two texts of a kind, or of any. */
static bool
is_value(const struct wv_rules_file *file, struct wv_bytes value,
	const char *kind)
{
	size_t low = 0, high = file->value_count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct wv_allowed *other = &file->values[middle];
		int order = wv_bytes_order(&value, &other->value);
		if (order == 0)
			order = strcmp(kind, other->kind);
		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

static bool
is_like(struct wv_rules_file *file, struct wv_bytes value, const char *kind)
{
	struct wv_regex_view view = { value.s, value.n, 0, true, true };
	struct wv_purse *purse = &file->allow_purse;
	size_t end;

	if (file->pattern_count == 0 || value.n > WV_ALLOWED_MOST)
		return false;
	if (purse->s == NULL)
		purse->left = ALLOW_RESERVE;
	purse->s = value.s;
	fill(purse, VALUE + value.n * PER_BYTE, ALLOW_RESERVE);
	for (size_t i = 0; i < file->pattern_count; i++) {
		const struct wv_allowed *allowed = &file->patterns[i];
		if (allowed->kind[0] != '\0' &&
			strcmp(allowed->kind, kind) != 0)
			continue;
		if (wv_regex_at(allowed->regex, &view, &purse->left, &end) == 1)
			return true;
	}
	return false;
}

bool
wv_rules_let(const void *data, const char *kind, const char *s, size_t n)
{
	struct wv_rules_file *file = (struct wv_rules_file *)data;
	struct wv_bytes value = { s, n };

	return is_value(file, value, "") || is_value(file, value, kind) ||
		is_like(file, value, kind);
}
