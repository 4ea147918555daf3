/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/inject-internal.h"

#include <string.h>

enum {
	QUOTE = 160, /* bytes from a quotation mark to what it quotes */
	ENOUGH = 2,  /* weight of words about attacks */
};

bool
wv_inject_word_is(const struct wv_inject_table *table,
	const struct wv_token *token, size_t class)
{
	for (size_t i = 0; i < token->count; i++)
		for (uint16_t l = table->word_classes[token->words[i]]; l != 0;
			l = table->links[l].next)
			if (table->links[l].what == class)
				return true;
	return false;
}

/* The length of a quotation mark at s, or 0. */
static size_t
quote_length(const char *s, size_t n)
{
	static const char *const marks[] = { "\"", "`", "“", "”", "„", "«", "»",
		"‘", "’", "「", "」", "『", "』", "'" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		size_t len = strlen(marks[i]);
		if (n >= len && memcmp(s, marks[i], len) == 0)
			return len;
	}
	return 0;
}

static bool
is_quoted(const char *s, size_t n, size_t start, size_t end)
{
	size_t from = start, to = end;

	while (from > 0 && start - from < QUOTE && s[from - 1] != '\n' &&
		quote_length(s + from, start - from) == 0)
		from--;
	if (quote_length(s + from, start - from) == 0)
		return false;
	while (to < n && to - end < QUOTE && s[to] != '\n' &&
		quote_length(s + to, n - to) == 0)
		to++;
	return quote_length(s + to, n - to) > 0;
}

/* In a quoted block, a list, a table, after four spaces, in a fence. */
static bool
is_set_apart(const char *s, size_t start)
{
	size_t line = start;
	size_t least = start > WV_ABOUT_BEFORE ? start - WV_ABOUT_BEFORE : 0;
	unsigned fences = 0;

	while (line > least && s[line - 1] != '\n')
		line--;
	size_t at = line;
	while (at < start && (s[at] == ' ' || s[at] == '\t'))
		at++;
	if (at - line >= 4 || (at > line && s[line] == '\t'))
		return true;
	if (strchr(">|-*+", s[at]) != NULL && at < start && s[at] != '\0')
		return true;
	if (s[at] >= '0' && s[at] <= '9')
		return true;
	for (at = least; at + 3 <= line; at++)
		if (memcmp(s + at, "```", 3) == 0) {
			fences++;
			at += 2;
		}
	return fences % 2 == 1;
}

static unsigned
about(const struct wv_inject_table *table, const char *s, size_t n,
	size_t *steps)
{
	struct wv_normal p;
	struct wv_token token;
	unsigned weight = 0;

	wv_normal_start(&p, table->words, s, n);
	while (weight < ENOUGH && wv_normal_next(&p, &token)) {
		if (wv_inject_word_is(table, &token, WV_CLASS_ABOUT))
			weight += ENOUGH;
		else if (wv_inject_word_is(table, &token, WV_CLASS_ABOUTISH))
			weight++;
	}
	*steps += p.steps;
	return weight;
}

bool
wv_inject_is_mention(const struct wv_inject_table *table, const char *s,
	size_t n, size_t start, size_t end, size_t *steps)
{
	size_t from = start > WV_ABOUT_BEFORE
		? wv_character_start(s, start - WV_ABOUT_BEFORE)
		: 0;
	size_t to = n - end > WV_ABOUT_AFTER
		? wv_character_start(s, end + WV_ABOUT_AFTER)
		: n;

	*steps += WV_ABOUT_BEFORE;
	if (!is_quoted(s, n, start, end) && !is_set_apart(s, start))
		return false;
	unsigned weight = about(table, s + from, start - from, steps);
	if (weight < ENOUGH)
		weight += about(table, s + end, to - end, steps);
	return weight >= ENOUGH;
}
