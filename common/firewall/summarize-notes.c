/* SPDX-License-Identifier: Apache-2.0 */
/* Markdown, YAML and lines of names and values. */
#include "firewall/summarize.h"

enum {
	HEADINGS = 5,
	NAME_WIDTH = 40,
	KEYS = 16,  /* of a document that are told */
	NESTED = 5, /* and below one of them */
};

/* How deep a heading is, 0 if a line is none. */
static size_t
heading_level(const struct wv_line *line)
{
	size_t level = 0;

	while (level < line->n && level < 7 && line->s[level] == '#')
		level++;
	return level > 0 && level < 7 && level + 1 < line->n &&
			line->s[level] == ' '
		? level
		: 0;
}

static bool
is_list_item(const struct wv_line *line)
{
	struct wv_line bare = wv_trim(line->s, line->n);

	return wv_begins(&bare, "- ") || wv_begins(&bare, "* ");
}

bool
wv_is_markdown(const struct wv_sample *sample)
{
	size_t headings = 0, deeper = 0, signs = 0, other = 0;

	for (size_t i = 0; i < sample->count; i++) {
		const struct wv_line *line = &sample->lines[i];
		size_t level = heading_level(line);
		headings += level > 0;
		deeper += level > 1;
		signs += wv_begins(line, "```") || wv_find(line, "](") ||
			wv_find(line, "**") || wv_begins(line, "|--") ||
			wv_begins(line, "| --");
		other += is_list_item(line);
	}
	/* A script or a configuration file has comments that look so too. */
	return headings > 0 && heading_level(&sample->lines[0]) > 0
		? deeper + signs > 0 || other > 1
		: headings > 1 && signs > 0;
}

void
wv_tell_markdown(struct wv_summary *sum)
{
	size_t headings = 0, fences = 0, items = 0, links = 0, told = 0;
	struct wv_line line, shown[HEADINGS], lead = { 0 };
	const char *s = sum->s, *body = NULL;
	struct wv_str *part;
	bool in_code = false;

	while (wv_next_line(&s, sum->end, &line)) {
		if (wv_begins(&line, "```") || wv_begins(&line, "~~~")) {
			fences += !in_code;
			in_code = !in_code;
		}
		if (in_code)
			continue;
		size_t level = heading_level(&line);
		if (level > 0) {
			headings++;
			body = body ? body : s;
			if (told < HEADINGS)
				shown[told++] =
					wv_trim(line.s + level, line.n - level);
		}
		items += is_list_item(&line);
		links += wv_find(&line, "](") != NULL;
	}
	wv_sum_head(sum, "Markdown");
	for (size_t i = 0; i < told; i++) {
		if (i < 2)
			part = wv_sum_begin(sum);
		wv_str_cat(part,
			i == 0           ? "title: "
				: i == 1 ? "headings: "
					 : " · ");
		wv_add_inline(part, shown[i].s, shown[i].n, i == 0 ? 100 : 50);
		if (i + 1 == told && headings > told)
			wv_str_fmt(part, " and %zu more", headings - told);
		if (i == 0 || i + 1 == told)
			wv_sum_end(sum, NULL, 0);
	}
	lead = wv_lead(body ? body : sum->s, sum->end, 180);
	if (lead.n > 0)
		wv_sum_text(sum, "text: ", lead.s, lead.n, 180);
	part = wv_sum_begin(sum);
	if (fences > 0)
		wv_add_count(part, fences, "code block");
	if (items > 0)
		wv_str_fmt(
			part, "%s%zu list items", part->n ? ", " : "", items);
	if (links > 0)
		wv_str_fmt(part, "%s%zu line%s with links", part->n ? ", " : "",
			links, links == 1 ? "" : "s");
	wv_sum_end(sum, NULL, 0);
}

/* name: value, or name: alone; how long the name is. */
static size_t
key_length(const struct wv_line *line)
{
	size_t n = 0;

	while (n < line->n && n < NAME_WIDTH &&
		(wv_is_name_byte(line->s[n]) || line->s[n] == '/') &&
		!(line->s[n] == ':' &&
			(n + 1 == line->n || line->s[n + 1] == ' ')))
		n++;
	return n > 0 && n < line->n && line->s[n] == ':' &&
			!wv_is_digit(*line->s)
		? n
		: 0;
}

bool
wv_is_yaml(const struct wv_sample *sample)
{
	size_t keys = 0, nested = 0, shaped = 0;

	for (size_t i = 0; i < sample->count; i++) {
		const struct wv_line *line = &sample->lines[i];
		struct wv_line bare = wv_trim(line->s, line->n);
		bool indented = wv_is_blank(*line->s);
		if (wv_begins(&bare, "#") || wv_begins(line, "---"))
			continue;
		bool fits = key_length(&bare) > 0 || wv_begins(&bare, "- ");
		nested += indented;
		shaped += indented && fits;
		if (!indented && !fits)
			return false;
		keys += !indented && key_length(line) > 0;
	}
	return keys >= 2 && keys + nested >= 3 && shaped * 2 >= nested;
}

/* What is below a name: names, or how many items. */
static void
add_nested(struct wv_str *out, const char *s, const char *end)
{
	size_t names = 0, items = 0, depth = 0;
	struct wv_line line;
	bool begun = false;

	while (wv_next_line(&s, end, &line)) {
		struct wv_line bare = wv_trim(line.s, line.n);
		if (bare.n == 0 || *bare.s == '#')
			continue;
		bool is_item = wv_begins(&bare, "- ");
		size_t at = (size_t)(bare.s - line.s);
		if (at == 0 && !is_item)
			break;
		depth = begun ? depth : at;
		begun = true;
		if (at != depth)
			continue;
		items += is_item;
		size_t n = is_item ? 0 : key_length(&bare);
		if (n == 0 || names++ >= NESTED)
			continue;
		wv_str_cat(out, names == 1 ? ": " : ", ");
		wv_add_inline(out, bare.s, n, NAME_WIDTH);
	}
	if (names > NESTED)
		wv_str_fmt(out, " and %zu more", names - NESTED);
	if (names == 0 && items > 0) {
		wv_str_cat(out, ": ");
		wv_add_count(out, items, "item");
	}
}

void
wv_tell_yaml(struct wv_summary *sum)
{
	size_t documents = 1, keys = 0;
	bool nested = false, begun = false;
	const char *s = sum->s;
	struct wv_line line;
	struct wv_str *part;

	while (wv_next_line(&s, sum->end, &line)) {
		nested = nested || (line.n > 0 && wv_is_blank(*line.s)) ||
			wv_begins(&line, "- ") || wv_begins(&line, "---");
		documents += begun && wv_begins(&line, "---");
		begun = begun || key_length(&line) > 0;
	}
	wv_sum_head(sum, nested ? "YAML" : "names and values");
	part = wv_sum_begin(sum);
	if (documents > 1)
		wv_str_fmt(part, "%zu documents", documents);
	wv_sum_end(sum, NULL, 0);
	sum->unit = "name";
	for (s = sum->s; wv_next_line(&s, sum->end, &line);) {
		size_t n = key_length(&line);
		if (n == 0)
			continue;
		struct wv_line value = wv_trim(line.s + n + 1, line.n - n - 1);
		if (keys++ >= KEYS) {
			sum->left_out++;
			continue;
		}
		part = wv_sum_begin(sum);
		wv_add_inline(part, line.s, n, NAME_WIDTH);
		if (value.n > 0) {
			wv_str_cat(part, ": ");
			wv_add_inline(part, value.s, value.n, 50);
		} else {
			add_nested(part, s, sum->end);
		}
		wv_sum_end(sum, line.s, n);
	}
}
