/* SPDX-License-Identifier: Apache-2.0 */
#include "card/shown.h"

#include "card/shown-internal.h"
#include "firewall/firewall.h"
#include "text/count.h"

#include <stdlib.h>
#include <string.h>

static const char ellipsis[] = "…";

/* Where a text is cut that is too long to be looked at whole: before the word
 * that would be in two. */
static size_t
look_at(const char *text)
{
	size_t n = strnlen(text, WV_SHOWN_LOOK_MAX + 1);

	if (n <= WV_SHOWN_LOOK_MAX)
		return n;
	n = wv_text_cut(text, n, WV_SHOWN_LOOK_MAX);
	for (size_t word = n; word > 0; word--)
		if (wv_view_is_space(text[word - 1]))
			return word;
	return n;
}

/* Whether a gap where something was left out needs no space: "(...)", and
 * before punctuation that ends a word. */
static bool
is_closed(const struct wv_str *out, const char *next)
{
	if (strchr("([{", out->s[out->n - 1]) != NULL)
		return true;
	return strchr(".,;:!?)]}", *next) != NULL &&
		(next[1] == '\0' || wv_view_is_space(next[1]));
}

/* Appends what is shown of a view on one line. */
static void
fold(struct wv_str *out, const struct wv_view *view, size_t n)
{
	bool space = false, left_out = false;

	for (size_t i = 0; i < n; i++) {
		const char *s = view->text + i;
		left_out |= view->hidden[i];
		space |= wv_view_is_space(*s) || view->hidden[i];
		if (wv_view_is_space(*s) || view->hidden[i])
			continue;
		if (space && out->n > 0 && !(left_out && is_closed(out, s)))
			wv_str_chr(out, ' ');
		wv_str_chr(out, *s);
		space = left_out = false;
	}
	wv_str_cat(out, "");
}

/* Appends clean text but for what is not shown. */
static void
leave_out(struct wv_str *out, const struct wv_str *clean)
{
	size_t room = clean->n + 1;
	struct wv_view view = { .s = wv_xmalloc(room),
		.at = wv_xmalloc(room * sizeof(*view.at)),
		.hidden = wv_xmalloc(room * sizeof(*view.hidden)) };

	wv_view_fill(&view, clean->s, clean->n);
	wv_view_hide_schemas(&view);
	wv_view_hide_links(&view);
	fold(out, &view, clean->n);
	free(view.s);
	free(view.at);
	free(view.hidden);
}

size_t
wv_shown_tokens(const char *text, size_t n)
{
	return wv_counter_find("approx")(text, n);
}

/* The bytes of the first max characters, or n if there are no more. */
static size_t
characters(const char *s, size_t n, size_t max)
{
	for (size_t i = 0; i < n; i++)
		if (((unsigned char)s[i] & 0xc0) != 0x80 && max-- == 0)
			return i;
	return n;
}

/* The most bytes, up to n, of whole characters that cost so many tokens. */
static size_t
affordable(const char *s, size_t n, size_t tokens)
{
	size_t low = 0, high = n;

	if (wv_shown_tokens(s, n) <= tokens)
		return n;
	while (low < high) {
		size_t mid = (low + high + 1) / 2;
		if (wv_shown_tokens(s, wv_text_cut(s, n, mid)) <= tokens)
			low = mid;
		else
			high = mid - 1;
	}
	return wv_text_cut(s, n, low);
}

/* The end of the last sentence in the first n bytes, with more after it; 0 if
 * there is none. */
static size_t
sentence_end(const char *s, size_t n)
{
	for (size_t i = n; i > 0; i--) {
		/* "e.g. the first" */
		if (s[i] == ' ' && strchr(".!?", s[i - 1]) != NULL &&
			(s[i + 1] < 'a' || s[i + 1] > 'z'))
			return i;
		if (i >= 3 &&
			(strncmp(s + i - 3, "。", 3) == 0 ||
				strncmp(s + i - 3, "！", 3) == 0 ||
				strncmp(s + i - 3, "？", 3) == 0))
			return i;
	}
	return 0;
}

void
wv_shown_text(struct wv_str *out, const char *text, size_t max, size_t tokens)
{
	struct wv_findings findings = { 0 };
	struct wv_str clean = { 0 }, line = { 0 };
	size_t n, end;

	wv_clean(&clean, text, look_at(text), &findings);
	wv_str_cat(&clean, "");
	leave_out(&line, &clean);
	n = affordable(line.s, characters(line.s, line.n, max), tokens);
	if (n < line.n) {
		end = sentence_end(line.s, n);
		if (end * 3 < n) {
			n = affordable(line.s,
				characters(line.s, line.n, max - 1),
				tokens > 0 ? tokens - 1 : 0);
			wv_str_add(out, line.s, n);
			wv_str_cat(out, ellipsis);
		} else {
			wv_str_add(out, line.s, end);
		}
	} else {
		wv_str_add(out, line.s, n);
	}
	wv_str_cat(out, "");
	wv_str_free(&clean);
	wv_str_free(&line);
}
