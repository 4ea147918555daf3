/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include "base/msg.h"

#include <string.h>

enum { MAX_WORDS = 200 }; /* bytes of stderr in an error message */

/* The end of what was said: its last line. */
static const char *
last_line(struct wv_arena *arena, const struct wv_str *shown)
{
	struct wv_str words = { 0 };
	size_t end = shown->n, start;
	const char *text = NULL;

	while (end > 0 && strchr(" \t\n", shown->s[end - 1]) != NULL)
		end--;
	for (start = end; start > 0 && shown->s[start - 1] != '\n'; start--)
		;
	if (end > start) {
		wv_str_foreign(
			&words, shown->s + start, end - start, MAX_WORDS);
		text = wv_dupn(arena, words.s, words.n);
	}
	wv_str_free(&words);
	return text;
}

static void
tell(const struct wv_str *shown, const char *who)
{
	size_t n;

	for (size_t at = 0; at < shown->n; at += n + 1) {
		const char *line = shown->s + at;
		const char *lf = memchr(line, '\n', shown->n - at);
		n = lf != NULL ? (size_t)(lf - line) : shown->n - at;
		wv_note("%s: stderr: %.*s", who, (int)n, line);
	}
}

/* A line that was cut may be a secret that is no longer known as one. */
const char *
call_hear(struct wv_arena *arena, const char *who, const char *text, size_t n,
	bool cut)
{
	struct wv_findings findings = { 0 };
	struct wv_str clean = { 0 }, shown = { 0 };

	while (cut && n > 0 && text[n - 1] != '\n')
		n--;
	wv_clean(&clean, text, n, &findings);
	if (clean.n > 0)
		wv_disown_marks(clean.s, clean.n);
	wv_redact(&shown, clean.s, clean.n, arena, &findings);
	tell(&shown, who);
	if (cut)
		wv_note("%s: stderr: there is more, the rest is dropped", who);
	const char *words = last_line(arena, &shown);
	wv_str_free(&clean);
	wv_str_free(&shown);
	return words;
}
