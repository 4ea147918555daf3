/* SPDX-License-Identifier: Apache-2.0 */
/* What is hidden, seen: for people who want to know what a text does. */
#include "firewall.h"
#include "judge.h"

#include "firewall/clean.h"
#include "firewall/find.h"

#include <string.h>

struct shown {
	struct wv_str *out;
	struct wv_arena *arena;
	const struct wv_rules *rules;
	struct wv_findings *findings; /* beside those of the record */
};

/* What cleaning takes away has not been looked at. */
static void
add_shown(struct shown *to, const char *raw, size_t n)
{
	struct wv_str *out = to->out;
	struct wv_str shown = { 0 };
	struct wv_hits hits = { 0 };
	size_t at = 0;

	wv_show(&shown, raw, n);
	if (shown.n > 0) {
		wv_disown_marks(shown.s, shown.n);
		wv_find_all(to->rules, shown.s, shown.n, &hits);
	}
	for (size_t i = 0; i < hits.count; i++) {
		wv_str_add(out, shown.s + at, hits.at[i].start - at);
		wv_str_fmt(out, "[REDACTED:%s]", hits.at[i].kind);
		wv_findings_add(to->findings, to->arena, hits.at[i].kind);
		at = hits.at[i].end;
	}
	wv_str_add(out, shown.s + at, shown.n - at);
	wv_hits_free(&hits);
	wv_str_free(&shown);
}

static size_t
string_end(const char *s, size_t n, size_t at)
{
	for (at++; at < n && s[at] != '"'; at++)
		at += s[at] == '\\';
	return at < n ? at + 1 : n;
}

/* Of the value that begins there, in JSON. */
static size_t
value_end(const char *s, size_t n, size_t at)
{
	size_t depth = 0;

	while (at < n) {
		if (s[at] == '"') {
			at = string_end(s, n, at);
		} else if (strchr("{[", s[at]) != NULL && s[at] != '\0') {
			depth++;
			at++;
		} else if (strchr("}]", s[at]) != NULL && s[at] != '\0') {
			if (depth > 0)
				depth--;
			at++;
		} else if (depth > 0 || strchr(",}] \t\r\n", s[at]) == NULL) {
			at++;
			continue;
		}
		if (depth == 0)
			break;
	}
	return at;
}

static void
add_mark(struct wv_str *out, const struct finding *f)
{
	const char *quote = f->pointer != NULL ? "\"" : "";

	if (strncmp(f->kind, "injection-", 10) == 0)
		wv_str_fmt(out, "%s[WITHHELD:injection]%s", quote, quote);
	else
		wv_str_fmt(out, "%s[REDACTED:%s]%s", quote, f->kind, quote);
}

/* Found in clean text, it goes from the raw one, whatever is hidden in it; of
 * JSON the whole value. */
static void
add_all(struct shown *to, const struct record *record, const char *raw,
	size_t len)
{
	size_t at = 0;

	for (const struct finding *f = record->findings; f; f = f->next) {
		if (f->is_flag || f->offset < at)
			continue;
		add_shown(to, raw + at, f->offset - at);
		add_mark(to->out, f);
		at = f->pointer != NULL ? value_end(raw, len, f->offset)
					: f->end;
	}
	add_shown(to, raw + at, len - at);
}

const struct record *
show_text(struct wv_str *out, struct wv_arena *arena, const char *raw,
	size_t len, const struct wv_firewall_options *options,
	struct wv_findings *findings)
{
	struct shown to = { out, arena, options->rules, findings };
	struct judge judge = { .options = options, .arena = arena };
	struct piece piece = { .raw = raw, .len = len, .first_line = 1 };
	struct wv_findings ignored = { 0 };
	struct wv_str narrow = { 0 };
	struct wv_wide wide;

	if (len > 0 && wv_wide_read(&wide, raw, len)) {
		wv_wide_decode(&narrow, &wide, raw + wide.mark, len - wide.mark,
			true, &ignored);
		memset(wv_str_room(&narrow, WV_JSON_SLACK), 0, WV_JSON_SLACK);
		piece.raw = narrow.s;
		piece.len = narrow.n;
	}
	judge_begin(&judge, "", 0);
	if (judge_piece(&judge, &piece) == WV_FORM_BINARY)
		wv_str_cat(out, "[WITHHELD:binary]\n");
	else
		add_all(&to, judge.record, piece.raw, piece.len);
	judge_free(&judge);
	wv_str_free(&narrow);
	return judge.record;
}
