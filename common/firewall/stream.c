/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text that is longer than memory, cleaned and redacted piece by piece as the
 * whole would be.  Pieces are whole lines, and only one kind of secret is
 * longer than a line: the block of a private key.
 */
#include "firewall/internal.h"
#include "firewall/scan.h"

#include <string.h>

/* A key whose end has not come within so much has none that is waited for:
 * all goes until there is one. */
enum {
	LONGEST_KEY = 64 << 10,
	SNIFF = 64 << 10, /* bytes that tell how it can be read */
};

static size_t
changes(const struct wv_findings *f)
{
	return f->total + f->cleaned + f->invalid;
}

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
	}
}

/* A line of JSON lines, redacted by the names in it too; false: it is none,
 * or it can stay as it is. */
static bool
redact_json_line(
	struct wv_redactor *r, struct wv_str *out, const char *s, size_t n)
{
	struct wv_findings findings = { 0 };

	if (n == 0 || (*s != '{' && *s != '['))
		return false;
	cJSON *tree = wv_json_read(&r->arena, s, n, &wv_json_defaults, NULL);
	if (tree != NULL)
		wv_clean_redact_tree(&r->arena, tree, &findings);
	bool changed = changes(&findings) > 0;
	if (changed)
		wv_json_write(out, tree);
	tell_all(r, &findings);
	wv_arena_reset(&r->arena);
	return changed;
}

static void
redact_json_lines(struct wv_redactor *r, const char *s, size_t n)
{
	struct wv_str *out = &r->text;
	const char *end = s + n;

	while (s < end) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		size_t length = (size_t)((lf ? lf : end) - s);
		if (!redact_json_line(r, out, s, length))
			wv_str_add(out, s, length);
		if (lf != NULL)
			wv_str_chr(out, '\n');
		s += length + (lf != NULL);
	}
}

/* It may go on in the next piece. */
static bool
is_open(const struct wv_redactor *r, const struct wv_hit *hit)
{
	return hit->end == r->text.n && strcmp(hit->kind, "private-key") == 0;
}

/* Looks at it again with what follows, and at the byte before it, which may
 * be a quote; or is rid of it. */
static void
hold_back(struct wv_redactor *r, struct wv_str *out, const struct wv_hit *hit)
{
	size_t from = hit->start > 0 ? hit->start - 1 : 0;

	if (r->text.n - hit->start > LONGEST_KEY) {
		wv_add_mark(out, hit->kind);
		tell(r, hit->kind, 1);
		r->in_key = true;
		r->text.n = 0;
		return;
	}
	r->seen = hit->start - from;
	r->text.n -= from;
	memmove(r->text.s, r->text.s + from, r->text.n);
}

/* From where the text is shown again. */
static size_t
end_of_key(struct wv_redactor *r)
{
	size_t end = wv_key_end(r->text.s, r->text.n, 0);

	r->in_key = end == 0;
	return r->in_key ? r->text.n : end;
}

static void
scan(struct wv_redactor *r, struct wv_str *out, bool is_last)
{
	struct wv_str *text = &r->text;
	size_t from = r->in_key ? end_of_key(r) : 0;
	size_t shown = from > r->seen ? from : r->seen;
	struct wv_hit hit;

	r->seen = 0;
	while (wv_scan(text->s, text->n, from, &hit)) {
		if (hit.start > shown)
			wv_str_add(out, text->s + shown, hit.start - shown);
		if (!is_last && is_open(r, &hit)) {
			hold_back(r, out, &hit);
			return;
		}
		wv_add_mark(out, hit.kind);
		tell(r, hit.kind, 1);
		shown = from = hit.end;
	}
	wv_str_add(out, text->s + shown, text->n - shown);
	text->n = 0;
}

enum wv_readable
wv_firewall_readable(const char *raw, size_t len)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_findings findings = { 0 };
	struct wv_err err = WV_ERR_INIT;
	struct wv_str clean = { 0 };

	if (len > SNIFF)
		len = SNIFF;
	if (wv_content_binary_type(raw, len) != NULL)
		return WV_READ_NONE;
	wv_clean(&clean, raw, len, &findings);
	memset(wv_str_room(&clean, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	bool more = clean.n > 0 &&
		wv_json_read(&arena, clean.s, clean.n, &wv_json_defaults,
			&err) == NULL &&
		wv_json_incomplete(&err);
	wv_str_free(&clean);
	wv_arena_free(&arena);
	return more ? WV_READ_WHOLE : WV_READ_LINES;
}

void
wv_redactor_add(struct wv_redactor *r, struct wv_str *out, const char *raw,
	size_t n, bool is_last)
{
	struct wv_findings findings = { 0 };

	r->clean.n = 0;
	wv_clean(&r->clean, raw, n, &findings);
	tell_all(r, &findings);
	memset(wv_str_room(&r->clean, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	redact_json_lines(r, r->clean.s, r->clean.n);
	if (r->text.n > 0)
		scan(r, out, is_last);
}

void
wv_redactor_free(struct wv_redactor *r)
{
	wv_arena_free(&r->arena);
	wv_str_free(&r->clean);
	wv_str_free(&r->text);
}
