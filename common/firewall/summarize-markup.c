/* SPDX-License-Identifier: Apache-2.0 */
/* Markup: what tells HTML and XML; XML by its elements. */
#include "firewall/summarize.h"

#include <strings.h>

enum {
	TAG_MAX = 4096, /* bytes, of which a tag ends or is none */
	NAMES = 256,    /* of elements that are told apart */
	TOLD = 6,
	NAME_WIDTH = 40,
	TEXT_MAX = 1024, /* bytes of an element's text that is told */
};

const char *
wv_tag_end(const char *s, const char *end)
{
	const char *stop = end - s > TAG_MAX ? s + TAG_MAX : end;
	char quote = 0;

	while (stop < end && ((unsigned char)*stop & 0xC0) == 0x80)
		stop++;
	for (; s < stop; s++) {
		if (quote != 0)
			quote = *s == quote ? 0 : quote;
		else if (*s == '"' || *s == '\'')
			quote = *s;
		else if (*s == '>')
			return s + 1;
	}
	return stop;
}

bool
wv_is_html(const struct wv_sample *sample)
{
	static const char *const pages[] = { "<!doctype html", "<html",
		"<head>", "<body" };
	static const char *const parts[] = { "<p>", "</p>", "<div", "</div>",
		"<a href", "<span", "<table", "<ul", "<li>", "<h1", "<h2",
		"<br" };
	size_t found = 0;

	for (size_t i = 0; i < sample->count && i < 20; i++) {
		struct wv_line line =
			wv_trim(sample->lines[i].s, sample->lines[i].n);
		for (size_t k = 0; i < 5 && k < 4; k++)
			if (line.n >= strlen(pages[k]) &&
				strncasecmp(line.s, pages[k],
					strlen(pages[k])) == 0)
				return true;
		if (i == 0 && *line.s != '<')
			return false;
		for (size_t k = 0; k < sizeof(parts) / sizeof(*parts); k++)
			found += wv_find(&line, parts[k]) != NULL;
	}
	return found >= 3;
}

static struct wv_line
element_name(const char *s, const char *end)
{
	const char *from = s;

	while (s < end && wv_is_name_byte(*s))
		s++;
	return (struct wv_line){ from, (size_t)(s - from) };
}

/* <?xml, or one element from the first byte to the last */
bool
wv_is_xml(const struct wv_sample *sample)
{
	struct wv_line all =
		wv_trim(sample->s, (size_t)(sample->end - sample->s));
	struct wv_line name;
	const char *end = all.s + all.n;

	if (wv_begins(&all, "<?xml "))
		return true;
	if (all.n < 4 || *all.s != '<' || end[-1] != '>')
		return false;
	name = element_name(all.s + 1, end);
	return name.n > 0 && name.n + 3 < all.n &&
		memcmp(end - 1 - name.n, name.s, name.n) == 0 &&
		memcmp(end - 3 - name.n, "</", 2) == 0;
}

/* Behind a comment, CDATA or an instruction; NULL if it is none of them. */
static const char *
skip_special(const char *s, const char *end)
{
	static const char *const kinds[][2] = { { "<!--", "-->" },
		{ "<![CDATA[", "]]>" }, { "<?", "?>" } };

	for (size_t i = 0; i < 3; i++) {
		size_t n = strlen(kinds[i][0]);
		if ((size_t)(end - s) < n || memcmp(s, kinds[i][0], n) != 0)
			continue;
		const char *close = memmem(s + n, (size_t)(end - s) - n,
			kinds[i][1], strlen(kinds[i][1]));
		WV_STEP((close ? close : end) - s);
		return close != NULL ? close + strlen(kinds[i][1]) : end;
	}
	return NULL;
}

/* The text behind a tag, if an element of its name ends with it. */
static struct wv_line
text_of(const struct wv_line *name, const char *s, const char *end)
{
	const char *stop = end - s > TEXT_MAX ? s + TEXT_MAX : end;
	const char *lt = s < stop ? memchr(s, '<', (size_t)(stop - s)) : NULL;

	WV_STEP(stop - s);
	if (lt == NULL || (size_t)(end - lt) < name->n + 2 || lt[1] != '/' ||
		memcmp(lt + 2, name->s, name->n) != 0)
		return (struct wv_line){ s, 0 };
	return wv_trim(s, (size_t)(lt - s));
}

void
wv_tell_xml(struct wv_summary *sum)
{
	struct wv_tally names = { .max = NAMES };
	struct wv_line name, root = { 0 }, shown[TOLD], texts[TOLD];
	size_t told = 0;
	const char *s = sum->s, *next;
	size_t elements = 0;
	struct wv_str *part;

	while (s < sum->end &&
		(s = memchr(s, '<', (size_t)(sum->end - s))) != NULL) {
		if ((next = skip_special(s, sum->end)) != NULL) {
			s = next;
			continue;
		}
		name = element_name(s + 1, sum->end);
		next = wv_tag_end(s, sum->end);
		WV_STEP(next - s);
		s = next;
		if (name.n == 0)
			continue;
		root = elements++ == 0 ? name : root;
		const struct wv_tallied *item =
			wv_tally_add(&names, &sum->arena, name.s, name.n);
		if (told == TOLD || item == NULL || item->count > 1)
			continue;
		shown[told] = name;
		texts[told] = text_of(&name, s, sum->end);
		told += texts[told].n > 0;
	}
	wv_sum_head(sum, "XML");
	if (root.n == 0)
		return;
	wv_sum_text(sum, "root ", root.s, root.n, NAME_WIDTH);
	part = wv_sum_begin(sum);
	wv_add_count(part, elements, "element");
	wv_str_cat(part, ", ");
	wv_tally_sort(&names);
	wv_tally_add_count(part, &names);
	wv_str_cat(part, ": ");
	wv_tally_add_top(part, &names, TOLD, NAME_WIDTH, false);
	wv_sum_end(sum, NULL, 0);
	for (size_t i = 0; i < told; i++) {
		part = wv_sum_begin(sum);
		wv_add_inline(part, shown[i].s, shown[i].n, NAME_WIDTH);
		wv_str_cat(part, ": ");
		wv_add_inline(part, texts[i].s, texts[i].n, WV_VALUE_MAX);
		wv_sum_end(sum, shown[i].s, shown[i].n);
	}
}
