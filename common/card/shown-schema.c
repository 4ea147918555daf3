/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON, and schemas in YAML: what is in braces with members, members named by
 * keywords of JSON Schema outside of any, and blocks of lines below one.
 */
#include "card/shown-internal.h"

#include <string.h>

static const char *const keywords[] = { "type", "properties", "required",
	"items", "enum", "const", "format", "default", "title", "description",
	"examples", "$schema", "$id", "$ref", "$defs", "definitions", "anyof",
	"oneof", "allof", "not", "additionalproperties", "patternproperties",
	"minlength", "maxlength", "pattern", "minimum", "maximum",
	"inputschema", "input_schema", "parameters", "arguments", NULL };

static size_t
skip(const char *s, size_t i)
{
	while (wv_view_is_space(s[i]))
		i++;
	return i;
}

static size_t
word_end(const char *s, size_t i)
{
	while (wv_view_is_name(s[i]) || s[i] == '_' || s[i] == '$' ||
		s[i] == '-')
		i++;
	return i;
}

static bool
is_quote(char c)
{
	return c == '"' || c == '\'';
}

static bool
is_keyword(const char *s, size_t n)
{
	for (size_t i = 0; keywords[i] != NULL; i++)
		if (strlen(keywords[i]) == n && memcmp(keywords[i], s, n) == 0)
			return true;
	return false;
}

/* A name and a colon stand in s[from, to): it is JSON or looks like it. */
static bool
has_member(const char *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		size_t next;
		if (is_quote(s[i])) {
			next = skip(s, i + 1);
		} else if (s[i] == '{' || s[i] == ',') {
			size_t word = skip(s, i + 1);
			next = word_end(s, word);
			if (next == word)
				continue;
			next = skip(s, next);
		} else {
			continue;
		}
		if (next < to && s[next] == ':' && s[next + 1] != '/')
			return true;
	}
	return false;
}

/* The end of the brackets at i, that of the text if they do not close. */
static size_t
brackets_end(const char *s, size_t i)
{
	size_t depth = 0;

	for (; s[i] != '\0'; i++) {
		depth += s[i] == '{' || s[i] == '[';
		if ((s[i] == '}' || s[i] == ']') && --depth == 0)
			return i + 1;
	}
	return i;
}

/* The end of the value at i. */
static size_t
value_end(const char *s, size_t i)
{
	char quote = s[i];

	if (s[i] == '{' || s[i] == '[')
		return brackets_end(s, i);
	if (!is_quote(quote))
		return word_end(s, i);
	while (s[++i] != '\0')
		if (s[i] == quote)
			return i + 1;
	return i;
}

/* The end of `"keyword": value,` at the quote at i, or 0. */
static size_t
loose_member(const char *s, size_t i)
{
	size_t end = word_end(s, i + 1);

	if (s[end] != s[i] || !is_keyword(s + i + 1, end - i - 1))
		return 0;
	end = skip(s, end + 1);
	if (s[end] != ':')
		return 0;
	end = value_end(s, skip(s, end + 1));
	if (s[skip(s, end)] == ',')
		end = skip(s, end) + 1;
	return end;
}

static void
hide_json(struct wv_view *view)
{
	const char *s = view->s;
	size_t no_json = 0; /* none begins before */

	for (size_t i = 0; i < view->n; i++) {
		size_t end = 0;
		bool opens = s[i] == '{' ||
			(s[i] == '[' && s[skip(s, i + 1)] == '{');
		if (opens && i >= no_json) {
			end = brackets_end(s, i);
			if (!has_member(s, i, end)) {
				no_json = end;
				end = 0;
			}
		} else if (is_quote(s[i])) {
			end = loose_member(s, i);
		}
		if (end == 0)
			continue;
		wv_view_hide(view, i, end);
		i = end - 1;
	}
}

/* A line of a view, without its end. */
struct line {
	size_t start, text, end; /* text: the first that is no space or dash */
};

static struct line
line_at(const char *s, size_t start)
{
	struct line line = { .start = start, .text = start };

	while (s[line.text] == ' ' || s[line.text] == '\t' ||
		s[line.text] == '-')
		line.text++;
	line.end = start + strcspn(s + start, "\n");
	return line;
}

/* Whether a line begins a schema in YAML; "Items:" is a heading. */
static bool
begins_schema(const struct wv_view *view, const struct line *line)
{
	static const char *const whole[] = { "properties:", "required:",
		"items:", "$defs:", "definitions:", "inputschema:",
		"input_schema:", "type: object", "type: array" };
	static const char *const first[] = { "$schema:", "$ref:", "$id:",
		"additionalproperties:", "required: [", "enum: [" };
	const char *s = view->s;
	size_t n = line->end - line->text;
	char begin = view->text[view->at[line->text]];

	if (begin >= 'A' && begin <= 'Z')
		return false;
	while (n > 0 && wv_view_is_space(s[line->text + n - 1]))
		n--;
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		if (strlen(whole[i]) == n &&
			memcmp(whole[i], s + line->text, n) == 0)
			return true;
	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++)
		if (strncmp(first[i], s + line->text, strlen(first[i])) == 0)
			return true;
	return false;
}

/* A schema goes on with the lines that are deeper than its first, items of a
 * list among them. */
static void
hide_yaml(struct wv_view *view)
{
	const char *s = view->s;
	size_t depth = SIZE_MAX; /* of the block's first line */

	for (size_t at = 0; at < view->n;) {
		struct line line = line_at(s, at);
		size_t indent = line.text - line.start;
		if (begins_schema(view, &line)) {
			if (indent < depth)
				depth = indent;
		} else if (indent <= depth && line.text < line.end) {
			depth = SIZE_MAX;
		}
		if (depth != SIZE_MAX)
			wv_view_hide(view, line.start, line.end);
		at = line.end + 1;
	}
}

void
wv_view_hide_schemas(struct wv_view *view)
{
	hide_json(view);
	hide_yaml(view);
}
