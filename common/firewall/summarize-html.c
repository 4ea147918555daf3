/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTML: title, headings, what its text says.  Not a parser: what matters is
 * that scripts, styles, navigation and what is hidden are no text, and that
 * each byte is looked at once whatever it is.  A tag separates words, and no
 * entity becomes a letter: no secret can come together that was not one when
 * the source was redacted.
 */
#include "firewall/summarize.h"

#include <strings.h>

enum {
	TEXT_MAX = 16 << 10, /* bytes of text that are kept */
	NAME_MAX = 12,       /* bytes of a name that matters */
	TITLE_MAX = 120,
	HEADINGS = 5,
	HEADING_MAX = 50,
};

struct tag {
	char name[NAME_MAX + 1]; /* lower case, cut */
	bool closes;
	const char *s, *end; /* behind the name, behind the tag */
};

struct page {
	struct wv_str title, text, other; /* other: of navigation too */
	struct wv_str headings[HEADINGS];
	struct wv_str *heading; /* that is open */
	size_t heading_count, links, images, tables, forms;
	size_t aside;              /* elements around that hold no content */
	char hidden[NAME_MAX + 1]; /* the element that is */
	size_t hidden_depth;
	bool was_tag;
};

/* The tag that begins at s, "<" and a letter or "</". */
static void
read_tag(struct tag *tag, const char *s, const char *end)
{
	size_t n = 0;

	tag->end = wv_tag_end(s, end);
	WV_STEP(tag->end - s);
	tag->closes = s + 1 < end && s[1] == '/';
	s += 1 + tag->closes;
	for (; s < tag->end && (wv_is_letter(*s) || wv_is_digit(*s)); s++)
		if (n < NAME_MAX)
			tag->name[n++] = wv_is_letter(*s) ? *s | 0x20 : *s;
	tag->name[n] = '\0';
	tag->s = s;
}

static bool
is_one_of(const char *name, const char *const *list)
{
	for (; *list != NULL; list++)
		if (**list == *name && strcmp(name, *list) == 0)
			return true;
	return false;
}

static bool
tag_has(const struct tag *tag, const char *what)
{
	size_t n = strlen(what);

	for (const char *s = tag->s; s + n <= tag->end; s++)
		if (strncasecmp(s, what, n) == 0)
			return true;
	return false;
}

static bool
is_hidden(const struct tag *tag)
{
	size_t n = (size_t)(tag->end - tag->s);

	return n > 7 &&
		(memmem(tag->s, n, "idden", 5) ||
			memmem(tag->s, n, "none", 4)) &&
		(tag_has(tag, " hidden>") || tag_has(tag, " hidden ") ||
			tag_has(tag, "display:none") ||
			tag_has(tag, "display: none") ||
			tag_has(tag, "visibility:hidden") ||
			tag_has(tag, "aria-hidden=\"true\""));
}

/* Behind the end tag of an element whose content is no markup. */
static const char *
skip_raw(const char *s, const char *end, const char *name)
{
	size_t n = strlen(name);

	for (const char *from = s; s < end; s++) {
		s = memchr(s, '<', (size_t)(end - s));
		if (s == NULL || (size_t)(end - s) < n + 2)
			break;
		if (s[1] == '/' && strncasecmp(s + 2, name, n) == 0) {
			WV_STEP(s - from);
			return s;
		}
	}
	WV_STEP(1);
	return end;
}

/* What a character reference stands for, if that is no letter. */
static size_t
entity(const char *s, const char *end, const char **is)
{
	static const struct {
		const char *name, *is;
	} entities[] = { { "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" },
		{ "&quot;", "\"" }, { "&#39;", "'" }, { "&#x27;", "'" },
		{ "&apos;", "'" }, { "&nbsp;", " " }, { "&mdash;", "—" },
		{ "&ndash;", "–" }, { "&hellip;", "…" }, { "&rsquo;", "’" },
		{ "&lsquo;", "‘" }, { "&rdquo;", "”" }, { "&ldquo;", "“" },
		{ "&copy;", "©" }, { "&middot;", "·" }, { "&bull;", "•" } };

	for (size_t i = 0; i < sizeof(entities) / sizeof(*entities); i++) {
		size_t n = strlen(entities[i].name);
		if ((size_t)(end - s) < n || memcmp(s, entities[i].name, n))
			continue;
		*is = entities[i].is;
		return n;
	}
	return 0;
}

static void
add_text(struct wv_str *out, const char *s, const char *end, size_t max)
{
	const char *is;

	while (s < end && out->n < max) {
		size_t n = *s == '&' ? entity(s, end, &is) : 0;
		if (n > 0) {
			wv_str_cat(out, is);
			s += n;
			continue;
		}
		char c = wv_is_blank(*s) ? ' ' : *s;
		if (c != ' ' ||
			(out->n > 0 && !wv_is_blank(out->s[out->n - 1])))
			wv_str_chr(out, c);
		s++;
	}
	/* A character that was cut in two is none. */
	while (s < end && out->n > 0 && (*s & 0xC0) == 0x80) {
		bool first = (out->s[out->n - 1] & 0xC0) != 0x80;
		out->n--;
		if (first)
			break;
	}
}

/* A tag ends a word, unless a sentence goes on behind it. */
static void
separate(struct wv_str *out, const char *s, const char *end)
{
	bool goes_on = s < end && strchr(".,;:!?)", *s) != NULL &&
		(s + 1 == end || wv_is_blank(s[1]) || s[1] == '<');

	if (!goes_on && out->n > 0 && !wv_is_blank(out->s[out->n - 1]))
		wv_str_chr(out, ' ');
}

static void
read_text(struct page *p, const char *s, const char *end)
{
	struct wv_str *into = p->aside > 0 ? &p->other : &p->text;

	WV_STEP(end - s);
	if (p->hidden_depth > 0 || wv_trim(s, (size_t)(end - s)).n == 0)
		return;
	if (p->heading != NULL) {
		separate(p->heading, s, end);
		add_text(p->heading, s, end, 4 * HEADING_MAX);
		return;
	}
	if (into->n >= TEXT_MAX)
		return;
	if (p->was_tag)
		separate(into, s, end);
	add_text(into, s, end, TEXT_MAX);
}

static void
end_block(struct page *p)
{
	struct wv_str *into = p->aside > 0 ? &p->other : &p->text;

	if (into->n > 0 && into->s[into->n - 1] != '\n')
		wv_str_chr(into, '\n');
}

static void
read_heading(struct page *p, const struct tag *tag)
{
	p->heading = NULL;
	if (tag->closes || p->aside > 0)
		return;
	if (p->heading_count++ < HEADINGS)
		p->heading = &p->headings[p->heading_count - 1];
}

/* Inside a hidden element only the tags of its name count. */
static bool
follow_hidden(struct page *p, const struct tag *tag)
{
	static const char *const empty[] = { "br", "img", "input", "meta",
		"link", "hr", "html", "body", NULL };

	if (p->hidden_depth > 0) {
		if (strcmp(p->hidden, tag->name) == 0)
			p->hidden_depth += tag->closes ? (size_t)-1 : 1;
		return true;
	}
	if (tag->closes || is_one_of(tag->name, empty) || !is_hidden(tag))
		return false;
	memcpy(p->hidden, tag->name, sizeof(p->hidden));
	p->hidden_depth = 1;
	return true;
}

static void
follow_tag(struct page *p, const struct tag *tag)
{
	static const char *const asides[] = { "nav", "header", "footer",
		"aside", "form", "button", "select", "noscript", NULL };
	static const char *const inlines[] = { "a", "b", "i", "em", "strong",
		"span", "code", "small", "sup", "sub", "u", "mark", "abbr",
		"img", "q", "cite", "time", "kbd", "font", NULL };
	const char *name = tag->name;

	if (follow_hidden(p, tag))
		return;
	p->links += !tag->closes && strcmp(name, "a") == 0;
	p->images += strcmp(name, "img") == 0;
	p->tables += !tag->closes && strcmp(name, "table") == 0;
	p->forms += !tag->closes && strcmp(name, "form") == 0;
	if (name[0] == 'h' && wv_is_digit(name[1]) && name[2] == '\0')
		read_heading(p, tag);
	if (!is_one_of(name, inlines))
		end_block(p);
	if (is_one_of(name, asides)) {
		if (!tag->closes)
			p->aside++;
		else if (p->aside > 0)
			p->aside--;
	}
	/* Whatever was left open, this is the content. */
	if (!tag->closes &&
		(strcmp(name, "main") == 0 || strcmp(name, "article") == 0)) {
		p->aside = 0;
		p->text.n = 0;
	}
}

static const char *
read_markup(struct page *p, const char *s, const char *end)
{
	static const char *const raw[] = { "script", "style", "template", "svg",
		"textarea", "iframe", "math", NULL };
	struct tag tag;

	if (end - s >= 4 && memcmp(s, "<!--", 4) == 0) {
		const char *close =
			memmem(s + 4, (size_t)(end - s - 4), "-->", 3);
		WV_STEP((close ? close : end) - s);
		return close != NULL ? close + 3 : end;
	}
	read_tag(&tag, s, end);
	if (strcmp(tag.name, "title") == 0 && !tag.closes) {
		const char *close = skip_raw(tag.end, end, tag.name);
		if (p->title.n == 0)
			add_text(&p->title, tag.end, close, 4 * TITLE_MAX);
		return close;
	}
	if (!tag.closes && is_one_of(tag.name, raw) &&
		!(tag.end - s > 1 && tag.end[-2] == '/'))
		return skip_raw(tag.end, end, tag.name);
	follow_tag(p, &tag);
	return tag.end;
}

static void
read_page(struct page *p, const char *s, const char *end)
{
	while (s < end) {
		const char *open = memchr(s, '<', (size_t)(end - s));
		while (open != NULL && open + 1 < end &&
			!wv_is_letter(open[1]) && open[1] != '/' &&
			open[1] != '!' && open[1] != '?')
			open = memchr(open + 1, '<', (size_t)(end - open - 1));
		if (open == NULL)
			open = end;
		read_text(p, s, open);
		p->was_tag = open < end;
		s = open < end ? read_markup(p, open, end) : end;
	}
}

/* Text that tags have left may be a secret now that it was not before. */
static void
tell_redacted(struct wv_summary *sum, const char *label,
	const struct wv_line *text, size_t max)
{
	struct wv_str safe = { 0 };

	wv_redact(&safe, text->s, text->n, &sum->arena, NULL);
	if (safe.n > 0)
		wv_sum_text(sum, label, safe.s, safe.n, max);
	wv_str_free(&safe);
}

static void
tell_headings(struct wv_summary *sum, const struct page *p)
{
	struct wv_str all = { 0 };
	size_t told = p->heading_count < HEADINGS ? p->heading_count : HEADINGS;

	for (size_t i = 0; i < told; i++) {
		if (i > 0)
			wv_str_cat(&all, " · ");
		if (p->headings[i].n > 0)
			wv_add_inline(&all, p->headings[i].s, p->headings[i].n,
				HEADING_MAX);
	}
	if (p->heading_count > told)
		wv_str_fmt(&all, " and %zu more", p->heading_count - told);
	if (all.n > 0) {
		struct wv_line line = { all.s, all.n };
		tell_redacted(sum, "headings: ", &line, 240);
	}
	wv_str_free(&all);
}

static void
tell_counts(struct wv_summary *sum, const struct page *p)
{
	const struct {
		size_t n;
		const char *what;
	} counts[] = { { p->links, "link" }, { p->images, "image" },
		{ p->tables, "table" }, { p->forms, "form" } };
	struct wv_str *part = wv_sum_begin(sum);

	for (size_t i = 0; i < 4; i++) {
		if (counts[i].n == 0)
			continue;
		if (part->n > 0)
			wv_str_cat(part, ", ");
		wv_add_count(part, counts[i].n, counts[i].what);
	}
	wv_sum_end(sum, NULL, 0);
}

void
wv_tell_html(struct wv_summary *sum)
{
	struct page p = { 0 };
	struct wv_str *text = &p.text;
	struct wv_line line;

	read_page(&p, sum->s, sum->end);
	wv_sum_head(sum, "HTML");
	line = wv_trim(p.title.s, p.title.n);
	if (line.n > 0)
		tell_redacted(sum, "title: ", &line, TITLE_MAX);
	tell_headings(sum, &p);
	if (text->n == 0)
		text = &p.other;
	line = text->n > 0 ? wv_lead(text->s, text->s + text->n, 200)
			   : (struct wv_line){ 0 };
	if (line.n == 0)
		line = wv_trim(text->s, text->n);
	if (line.n > 0)
		tell_redacted(sum, "text: ", &line, 200);
	tell_counts(sum, &p);
	wv_str_free(&p.title);
	wv_str_free(&p.text);
	wv_str_free(&p.other);
	for (size_t i = 0; i < HEADINGS; i++)
		wv_str_free(&p.headings[i]);
}
