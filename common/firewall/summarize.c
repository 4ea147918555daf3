/* SPDX-License-Identifier: Apache-2.0 */
/* What output is about, in a line: deterministic, bounded, never the output
 * itself. */
#include "firewall/summarize.h"

#include "json/utf8.h"
#include "text/count.h"

enum {
	MAX_CHARS = 500, /* of a summary */
	TAIL = 90,       /* of them, for the names of what was left out */
	COUNT_TAIL = 30, /* or only how much */
	NAME_MAX = 40,   /* bytes of a name there */
};

static size_t
chars_of(const char *s, size_t n)
{
	size_t chars = 0;

	for (size_t i = 0; i < n; i++)
		chars += ((unsigned char)s[i] & 0xC0) != 0x80;
	return chars;
}

/* The end of the last word of the first n bytes, if it is not far away. */
static size_t
cut_at_word(const char *s, size_t n)
{
	size_t word = n;

	while (word > n - n / 3 && !wv_is_blank(s[word - 1]))
		word--;
	if (!wv_is_blank(s[word > 0 ? word - 1 : 0]))
		return n;
	while (word > 0 && wv_is_blank(s[word - 1]))
		word--;
	return word;
}

/* Not within a mark: before one that begins there and ends later. */
static size_t
cut_before_mark(const char *s, size_t n)
{
	const char *open = n > 0 ? memrchr(s, '[', n) : NULL;

	if (open == NULL || memchr(open, ']', (size_t)(s + n - open)) != NULL)
		return n;
	for (n = (size_t)(open - s); n > 0 && wv_is_blank(s[n - 1]);)
		n--;
	return n;
}

void
wv_add_inline(struct wv_str *out, const char *s, size_t n, size_t max)
{
	size_t kept = n;
	bool blank = false;

	if (n > max) {
		kept = wv_text_cut(s, n, max);
		if (!wv_is_blank(s[kept]))
			kept = cut_at_word(s, kept);
		kept = cut_before_mark(s, kept);
	}
	for (size_t i = 0; i < kept; i++) {
		bool was_blank = blank;
		blank = wv_is_blank(s[i]);
		if (!blank)
			wv_str_chr(out, s[i]);
		else if (!was_blank)
			wv_str_chr(out, ' ');
	}
	if (kept < n)
		wv_str_cat(out, "…");
}

void
wv_add_quoted(struct wv_str *out, const char *s, size_t n, size_t max)
{
	wv_str_chr(out, '"');
	wv_add_inline(out, s, n, max);
	wv_str_chr(out, '"');
}

void
wv_add_count(struct wv_str *out, size_t n, const char *what)
{
	wv_str_fmt(out, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

void
wv_sum_head(struct wv_summary *sum, const char *name)
{
	const struct wv_content *content = sum->content;
	struct wv_str *out = &sum->out;

	if (content->seen > 0) {
		wv_str_fmt(out,
			"%s, %zu bytes, of which the first %zu were looked at",
			name, content->size, content->seen);
	} else {
		wv_str_fmt(out, "%s, ", name);
		wv_add_count(out,
			wv_line_count(sum->s, (size_t)(sum->end - sum->s)),
			"line");
		wv_str_cat(out, ", ");
		wv_add_count(out, content->size, "byte");
	}
	sum->separator = "; ";
}

struct wv_str *
wv_sum_begin(struct wv_summary *sum)
{
	sum->part.n = 0;
	return &sum->part;
}

void
wv_sum_end(struct wv_summary *sum, const char *name, size_t n)
{
	const struct wv_str *part = &sum->part;
	size_t chars = part->n > 0 ? chars_of(part->s, part->n) : 0;

	if (part->n == 0)
		return;
	if (sum->chars == 0)
		sum->chars = chars_of(sum->out.s, sum->out.n);
	chars += strlen(sum->separator);
	size_t most = MAX_CHARS - (sum->unit != NULL ? TAIL : COUNT_TAIL);
	if (sum->most > 0 && sum->most < most)
		most = sum->most;
	if (sum->chars + chars <= most) {
		wv_str_cat(&sum->out, sum->separator);
		wv_str_add(&sum->out, part->s, part->n);
		sum->chars += chars;
		sum->separator = "; ";
		return;
	}
	sum->left_out++;
	if (n > 0 && sum->name_count < WV_COLUMNS)
		sum->names[sum->name_count++] = (struct wv_line){ name, n };
}

void
wv_sum_text(struct wv_summary *sum, const char *label, const char *s, size_t n,
	size_t max)
{
	struct wv_str *part = wv_sum_begin(sum);

	wv_str_cat(part, label);
	wv_add_inline(part, s, n, max);
	wv_sum_end(sum, NULL, 0);
}

/* "; also a, b and 12 more columns" */
static void
add_left_out(struct wv_summary *sum)
{
	struct wv_str *out = &sum->out, name = { 0 };
	size_t told = 0, room = TAIL - 30;

	for (; told < sum->name_count; told++) {
		name.n = 0;
		wv_add_inline(&name, sum->names[told].s, sum->names[told].n,
			NAME_MAX);
		size_t chars = chars_of(name.s, name.n) + 2;
		if (chars > room)
			break;
		wv_str_cat(out, told == 0 ? "; also " : ", ");
		wv_str_add(out, name.s, name.n);
		room -= chars;
	}
	wv_str_free(&name);
	if (sum->left_out > told)
		wv_str_fmt(out, "%s%zu more %s%s", told > 0 ? " and " : "; ",
			sum->left_out - told, sum->unit ? sum->unit : "part",
			sum->left_out - told == 1 ? "" : "s");
}

/* Nothing above makes it longer; this is what holds whatever it does. */
void
wv_summary_limit(struct wv_str *out)
{
	size_t chars = 0, i = 0, n;

	for (; i < out->n && chars < MAX_CHARS; i++)
		chars += ((unsigned char)out->s[i] & 0xC0) != 0x80;
	while (i < out->n && ((unsigned char)out->s[i] & 0xC0) == 0x80)
		i++;
	if (i == out->n)
		return;
	n = cut_before_mark(out->s, cut_at_word(out->s, i - 4));
	out->n = wv_text_cut(out->s, out->n, n);
	wv_str_cat(out, "…");
}

static void
tell_binary(struct wv_summary *sum)
{
	const struct wv_content *content = sum->content;
	struct wv_str *out = &sum->out;

	wv_str_fmt(out, "%s%s, ",
		wv_is_text_type(content->media_type) ? "" : "binary data, ",
		content->media_type);
	wv_add_count(out, content->size, "byte");
	if (content->pixels[0] > 0)
		wv_str_fmt(out, ", %u×%u pixels", content->pixels[0],
			content->pixels[1]);
}

static void
tell_text(struct wv_summary *sum)
{
	const char *s = sum->s;

	while (s < sum->end && wv_is_blank(*s))
		s++;
	if (s < sum->end) {
		wv_content_text_kind(sum->content)->tell(sum);
	} else if (sum->content->seen > 0) {
		wv_sum_head(sum, "text");
		wv_str_cat(&sum->out, ", without a whole line");
	} else {
		wv_str_cat(&sum->out, "no output but white space, ");
		wv_add_count(&sum->out, sum->content->size, "byte");
	}
}

void
wv_summarize(struct wv_str *out, const struct wv_content *content)
{
	struct wv_summary sum = { .content = content, .separator = "; " };

	sum.s = content->text.s ? content->text.s : "";
	sum.end = sum.s + content->text.n;
	switch (content->kind) {
	case WV_CONTENT_EMPTY:
		wv_str_cat(&sum.out, "no output");
		break;
	case WV_CONTENT_BINARY:
		tell_binary(&sum);
		break;
	case WV_CONTENT_JSON_LINES:
	case WV_CONTENT_JSON:
		wv_sum_json(&sum);
		break;
	case WV_CONTENT_TEXT:
		tell_text(&sum);
		break;
	}
	if (sum.left_out > 0)
		add_left_out(&sum);
	wv_summary_limit(&sum.out);
	wv_str_add(out, sum.out.s, sum.out.n);
	wv_str_free(&sum.out);
	wv_str_free(&sum.part);
	wv_arena_free(&sum.arena);
}
