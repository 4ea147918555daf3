/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text without end.  It passes three stages, each of which keeps what it
 * cannot decide: raw bytes until an escape sequence or a character ends, a
 * line that may be JSON until it ends, and clean text until the recognizers
 * have seen enough of it.  What is kept is looked at again when there is half
 * as much more of it: so small blocks cost no more than large ones.
 */
#include "firewall/clean.h"
#include "firewall/columns.h"
#include "firewall/glance.h"
#include "firewall/internal.h"
#include "firewall/scan.h"

#include <stdlib.h>
#include <string.h>

enum {
	WIDE_SNIFF = 512, /* bytes that tell the width of a character */
	CHEAP = 4 << 10,  /* to look at again each time */
	MARK_BEGUN = 9,   /* all but the last byte of [REDACTED: */
};

static const char too_long[] = "[WITHHELD:long]";

static void
tell(struct wv_redactor *r, const char *kind, size_t count)
{
	for (; r->findings != NULL && count > 0; count--)
		wv_findings_kind(r->findings, r->told_arena, kind);
}

static void
tell_all(struct wv_redactor *r, const struct wv_findings *found)
{
	for (size_t i = 0; i < found->kind_count; i++)
		tell(r, found->kinds[i], found->counts[i]);
	if (r->findings != NULL) {
		r->findings->cleaned += found->cleaned;
		r->findings->invalid += found->invalid;
		r->findings->forged += found->forged;
	}
}

static void
forget(struct wv_str *str, size_t n)
{
	str->n -= n;
	if (str->n > 0 && n > 0)
		memmove(str->s, str->s + n, str->n);
}

/* There is not enough more of what did not suffice. */
static bool
is_too_early(size_t n, size_t tried)
{
	return n > CHEAP && n < tried + tried / 2;
}

static void
clean(struct wv_redactor *r, const char *s, size_t n, bool is_last)
{
	struct wv_findings found = { 0 };
	bool is_held = r->raw.n > 0;

	if (is_held) {
		wv_str_add(&r->raw, s, n);
		s = r->raw.s;
		n = r->raw.n;
		if (!is_last && is_too_early(n, r->raw_tried))
			return;
	}
	size_t done =
		n > 0 ? wv_clean_part(&r->clean, s, n, &r->before, &found) : 0;
	if (done < n && (is_last || n - done > WV_MOST_HELD)) {
		wv_clean(&r->clean, s + done, n - done, &found);
		done = n;
	}
	if (is_held)
		forget(&r->raw, done);
	else
		wv_str_add(&r->raw, s + done, n - done);
	r->raw_tried = r->raw.n;
	tell_all(r, &found);
}

/* A line that is JSON, redacted by the names in it too; false: it is none,
 * or it can stay as it is. */
static bool
redact_json_line(
	struct wv_redactor *r, struct wv_str *out, const char *s, size_t n)
{
	const struct wv_firewall_options options = { .rules = r->rules };
	struct wv_findings findings = { 0 };
	struct wv_json_strings strings = { 0 };

	cJSON *tree = wv_json_read_strings(
		&r->arena, s, n, &wv_json_defaults, &strings, NULL);
	if (tree != NULL)
		wv_clean_redact_tree(&r->arena, tree, &options,
			wv_glance(&r->arena, tree, &strings, &options, false),
			&findings);
	bool changed = wv_findings_changes(&findings) > 0;
	if (changed)
		wv_json_write(out, tree);
	tell_all(r, &findings);
	wv_arena_reset(&r->arena);
	return changed;
}

/* Marks of ours are only those that redact_json_line() made. */
static void
add_plain(struct wv_redactor *r, const char *s, size_t n)
{
	struct wv_findings found = { 0 };
	size_t from = r->text.n < MARK_BEGUN ? 0 : r->text.n - MARK_BEGUN;

	wv_str_add(&r->text, s, n);
	if (n > 0 && !r->is_marked)
		found.forged =
			wv_disown_marks(r->text.s + from, r->text.n - from);
	tell_all(r, &found);
}

/* A line, or what there is of one; false: it may be JSON, and goes on. */
static bool
take_line(struct wv_redactor *r, const char *s, size_t n, bool has_end,
	bool is_last)
{
	bool may_be_json = !r->in_line && n > 0 && (*s == '{' || *s == '[');

	if (r->in_long) {
		r->in_long = !has_end;
	} else if (may_be_json && !has_end && !is_last) {
		if (n <= WV_MOST_HELD)
			return false;
		wv_str_cat(&r->text, too_long);
		tell(r, "long", 1);
		r->in_long = true;
	} else if (!may_be_json || !redact_json_line(r, &r->text, s, n)) {
		add_plain(r, s, n);
	}
	if (has_end)
		wv_str_chr(&r->text, '\n');
	r->in_line = !has_end;
	return true;
}

/* Whether it is known now if the text is a table with a column of secrets. */
static bool
judge_table(struct wv_redactor *r, bool is_last)
{
	struct wv_str *text = &r->clean;
	struct wv_sample sample;
	struct wv_columns c = { .is_marked = r->is_marked };

	if (r->is_judged)
		return true;
	if (!is_last && text->n < WV_SAMPLE) {
		if (r->is_likely || is_too_early(text->n, r->table_tried))
			return false;
		r->table_tried = text->n;
		const char *lf = memrchr(text->s, '\n', text->n);
		wv_sample(&sample, text->s, lf != NULL ? lf + 1 : text->s);
		r->is_likely = wv_columns_are_likely(r->rules, &sample);
		if (r->is_likely || sample.count < 2)
			return false;
	}
	r->is_judged = true;
	r->table_tried = 0;
	if (!wv_columns_read(&c, r->rules, text->s, text->n))
		return true;
	size_t header = (size_t)(c.table.body - text->s);
	r->columns = wv_xmalloc(sizeof(*r->columns));
	*r->columns = c;
	add_plain(r, text->s, header);
	forget(text, header);
	return true;
}

/* A row of such a table; its length, or 0: it may go on. */
static size_t
take_row(struct wv_redactor *r, const char *s, size_t n, bool is_last)
{
	struct wv_hits hits = { 0 };
	const char *at = s;
	size_t shown = 0;

	if (!is_last && is_too_early(n, r->table_tried))
		return 0;
	r->table_tried = 0;
	wv_columns_row(r->columns, r->rules, s, &at, s + n, &hits);
	size_t length = (size_t)(at - s);
	if (!is_last && n - length < WV_ROW_AHEAD) {
		wv_hits_free(&hits);
		r->table_tried = n;
		if (n <= WV_MOST_HELD)
			return 0;
		wv_str_cat(&r->text, too_long);
		tell(r, "long", 1);
		r->in_long = true;
		return n;
	}
	for (size_t i = 0; i < hits.count; i++) {
		add_plain(r, s + shown, hits.at[i].start - shown);
		wv_add_mark(&r->text, hits.at[i].kind);
		tell(r, hits.at[i].kind, 1);
		shown = hits.at[i].end;
	}
	add_plain(r, s + shown, length - shown);
	wv_hits_free(&hits);
	return length;
}

static void
take_lines(struct wv_redactor *r, bool is_last)
{
	size_t start = 0;

	memset(wv_str_room(&r->clean, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	if (r->clean.n > 0 && !judge_table(r, is_last))
		return;
	while (start < r->clean.n) {
		const char *s = r->clean.s + start;
		size_t left = r->clean.n - start;
		size_t seen = start == 0 ? r->line_seen : 0;
		if (r->columns != NULL && !r->in_long) {
			size_t length = take_row(r, s, left, is_last);
			if (length == 0)
				break;
			start += length;
			continue;
		}
		const char *lf = memchr(s + seen, '\n', left - seen);
		size_t n = lf != NULL ? (size_t)(lf - s) : left;
		if (!take_line(r, s, n, lf != NULL, is_last))
			break;
		start += n + (lf != NULL);
	}
	forget(&r->clean, start);
	r->line_seen = r->clean.n;
}

/* From where the text is shown again. */
static size_t
end_of_key(struct wv_redactor *r)
{
	size_t end = wv_key_end(r->text.s, r->text.n, 0);

	r->in_key = end == 0;
	return r->in_key ? r->text.n : end;
}

/* What has been open for too long is hidden, to its end. */
static void
withhold(struct wv_redactor *r, struct wv_str *out)
{
	struct wv_hit hit;
	struct wv_str *text = &r->text;

	r->in_key = wv_scan_last(r->rules, text->s, text->n, r->from, &hit,
			    r->live) &&
		hit.end == text->n && strcmp(hit.kind, "private-key") == 0;
	if (r->in_key) {
		wv_str_add(out, text->s + r->live, hit.start - r->live);
		wv_add_mark(out, hit.kind);
		tell(r, hit.kind, 1);
	} else {
		wv_str_cat(out, too_long);
		tell(r, "long", 1);
		r->in_long = r->in_line;
	}
	text->n = r->from = r->live = 0;
}

/* Keeps what is open, and what stands before it. */
static void
hold_back(struct wv_redactor *r, struct wv_str *out)
{
	size_t first = r->from;

	if (r->text.n - r->live > WV_MOST_HELD) {
		withhold(r, out);
		return;
	}
	size_t context =
		r->live < WV_SCAN_CONTEXT ? 0 : r->live - WV_SCAN_CONTEXT;
	forget(&r->text, context);
	r->live -= context;
	r->from = first > context ? first - context : 0;
	r->tried = r->text.n - r->live;
}

static void
redact(struct wv_redactor *r, struct wv_str *out, bool is_last)
{
	struct wv_str *text = &r->text;
	struct wv_hits hits = { 0 };

	if (r->in_key)
		r->from = r->live = end_of_key(r);
	size_t shown = r->live;
	if (is_last) {
		wv_find_last(
			r->rules, text->s, text->n, r->from, &hits, r->live);
		r->live = text->n;
	} else {
		wv_find_more(
			r->rules, text->s, text->n, &r->from, &hits, &r->live);
	}
	for (size_t i = 0; i < hits.count; i++) {
		wv_str_add(out, text->s + shown, hits.at[i].start - shown);
		wv_add_mark(out, hits.at[i].kind);
		tell(r, hits.at[i].kind, 1);
		shown = hits.at[i].end;
	}
	wv_hits_free(&hits);
	if (r->live > shown)
		wv_str_add(out, text->s + shown, r->live - shown);
	if (is_last)
		text->n = r->from = r->live = 0;
	else
		hold_back(r, out);
}

static bool
may_be_wide(const char *s, size_t n)
{
	return (unsigned char)s[0] >= 0xFE || memchr(s, 0, n < 4 ? n : 4);
}

/* By the first bytes, for which it waits if they are unusual. */
static bool
begin(struct wv_redactor *r, bool is_last)
{
	struct wv_wide wide;
	const struct wv_str *s = &r->units;

	if (s->n < 4 && !is_last)
		return false;
	if (s->n > 0 && may_be_wide(s->s, s->n)) {
		if (s->n < WIDE_SNIFF && !is_last)
			return false;
		if (wv_wide_read(&wide, s->s, s->n)) {
			r->width = wide.width;
			r->is_big = wide.big;
			forget(&r->units, wide.mark);
			if (r->findings != NULL)
				r->findings->cleaned++;
		}
	}
	r->is_begun = true;
	return true;
}

/* Units to bytes, or bytes as they come. */
static void
narrow(struct wv_redactor *r, const char *s, size_t n, bool is_last)
{
	const struct wv_wide wide = { .width = r->width, .big = r->is_big };
	struct wv_findings found = { 0 };
	struct wv_str bytes = { 0 };

	if (r->is_begun && r->width == 0) {
		clean(r, s, n, is_last);
		return;
	}
	wv_str_add(&r->units, s, n);
	if (!r->is_begun && !begin(r, is_last))
		return;
	if (r->width == 0) {
		clean(r, r->units.n > 0 ? r->units.s : "", r->units.n, is_last);
		wv_str_free(&r->units);
		return;
	}
	size_t done = wv_wide_decode(
		&bytes, &wide, r->units.s, r->units.n, is_last, &found);
	forget(&r->units, done);
	clean(r, bytes.n > 0 ? bytes.s : "", bytes.n, is_last);
	wv_str_free(&bytes);
	tell_all(r, &found);
}

void
wv_redactor_add(struct wv_redactor *r, struct wv_str *out, const char *raw,
	size_t n, bool is_last)
{
	narrow(r, raw, n, is_last);
	take_lines(r, is_last);
	if (r->text.n == 0)
		return;
	size_t held = r->text.n - r->live;
	if (is_last || !is_too_early(held, r->tried))
		redact(r, out, is_last);
}

void
wv_redactor_free(struct wv_redactor *r)
{
	wv_arena_free(&r->arena);
	free(r->columns);
	wv_str_free(&r->units);
	wv_str_free(&r->raw);
	wv_str_free(&r->clean);
	wv_str_free(&r->text);
}
