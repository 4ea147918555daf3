/* SPDX-License-Identifier: Apache-2.0 */
/* What output is about, in a line: deterministic, bounded, never the output
 * itself. */
#include "firewall/internal.h"

#include "json/utf8.h"
#include "text/count.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_CHARS = 500,  /* of a summary */
	MAX_VALUE = 60,   /* bytes of a string in it */
	MAX_LINE = 120,   /* bytes of a line of text in it */
	MAX_MEMBERS = 20, /* told of an object */
	MAX_NESTED = 10,  /* told of one within it */
	MAX_KEYS = 20,    /* told of the objects of an array */
	ROWS_READ = 100,  /* for the keys of an array */
};

/* Text on one line, cut if need be. */
static void
add_inline(struct wv_str *out, const char *s, size_t n, size_t max)
{
	size_t kept = wv_text_cut(s, n, max), from = out->n;

	wv_str_add(out, s, kept);
	for (size_t i = from; i < out->n; i++)
		if (out->s[i] == '\n' || out->s[i] == '\t')
			out->s[i] = ' ';
	if (kept < n)
		wv_str_cat(out, "…");
}

static void
add_count(struct wv_str *out, size_t n, const char *what)
{
	wv_str_fmt(out, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

static const char *
type_name(const cJSON *node)
{
	if (wv_is_object(node))
		return "object";
	if (wv_is_array(node))
		return "array";
	if (wv_is_string(node))
		return "string";
	if (wv_is_number(node))
		return "number";
	return wv_is_null(node) ? "null" : "boolean";
}

struct key {
	const char *name;
	size_t rows, order;
};

static int
by_rows(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->rows != y->rows)
		return x->rows < y->rows ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

/* The keys of the first objects of an array, the most frequent first. */
static void
add_keys(struct wv_str *out, const cJSON *array)
{
	struct key keys[MAX_KEYS];
	size_t count = 0, rows = 0, k;
	bool more = false;

	wv_json_each(row, array) {
		if (rows++ == ROWS_READ)
			break;
		size_t seen = 0;
		wv_json_each(member, wv_is_object(row) ? row : NULL) {
			if (seen++ == MAX_KEYS)
				break;
			for (k = 0; k < count &&
				strcmp(keys[k].name, member->string) != 0;)
				k++;
			if (k == MAX_KEYS) {
				more = true;
				continue;
			}
			if (k == count)
				keys[count++] =
					(struct key){ member->string, 0, k };
			keys[k].rows++;
		}
	}
	qsort(keys, count, sizeof(*keys), by_rows);
	for (k = 0; k < count; k++) {
		wv_str_cat(out, k == 0 ? " (" : ", ");
		add_inline(out, keys[k].name, strlen(keys[k].name), MAX_VALUE);
	}
	if (count > 0)
		wv_str_cat(out, more ? ", …)" : ")");
}

/* "array of 12 objects (id, name)" or "array of 3 items: 2 numbers, 1 null" */
static void
add_array(struct wv_str *out, const cJSON *array)
{
	static const char *const names[] = { "object", "array", "string",
		"number", "boolean", "null", NULL };
	size_t counts[6] = { 0 }, total = 0, types = 0, last = 0;

	wv_json_each(item, array) {
		size_t i = 0;
		while (strcmp(names[i], type_name(item)) != 0)
			i++;
		counts[i]++;
		total++;
	}
	for (size_t i = 0; names[i] != NULL; i++) {
		types += counts[i] > 0;
		last = counts[i] > 0 ? i : last;
	}
	wv_str_cat(out, "array of ");
	if (types <= 1) {
		add_count(out, total, total == 0 ? "item" : names[last]);
	} else {
		add_count(out, total, "item");
		for (size_t i = 0, told = 0; names[i] != NULL; i++) {
			if (counts[i] == 0)
				continue;
			wv_str_cat(out, told++ == 0 ? ": " : ", ");
			add_count(out, counts[i], names[i]);
			if (i == 0)
				add_keys(out, array);
		}
		return;
	}
	add_keys(out, array);
}

static void
add_members(struct wv_str *out, const cJSON *object)
{
	size_t told = 0;

	wv_str_cat(out, "object of ");
	add_count(out, wv_count(object), "member");
	wv_json_each(member, object) {
		wv_str_cat(out, told == 0 ? " (" : ", ");
		if (told++ == MAX_NESTED) {
			wv_str_cat(out, "…");
			break;
		}
		add_inline(
			out, member->string, strlen(member->string), MAX_VALUE);
	}
	if (told > 0)
		wv_str_chr(out, ')');
}

static void
add_value(struct wv_str *out, const cJSON *node)
{
	struct wv_str json = { 0 };

	if (wv_is_array(node)) {
		add_array(out, node);
	} else if (wv_is_object(node)) {
		add_members(out, node);
	} else if (wv_is_string(node)) {
		wv_str_chr(out, '"');
		add_inline(out, node->valuestring, (size_t)node->valueint,
			MAX_VALUE);
		wv_str_chr(out, '"');
	} else {
		wv_json_write(&json, node);
		add_inline(out, json.s, json.n, MAX_VALUE);
		wv_str_free(&json);
	}
}

static void
add_object(struct wv_str *out, const cJSON *object)
{
	size_t told = 0;

	wv_str_cat(out, "object of ");
	add_count(out, wv_count(object), "member");
	wv_json_each(member, object) {
		wv_str_cat(out, told == 0 ? ": " : "; ");
		if (told++ == MAX_MEMBERS) {
			wv_str_cat(out, "…");
			break;
		}
		add_inline(
			out, member->string, strlen(member->string), MAX_VALUE);
		wv_str_cat(out, " = ");
		add_value(out, member);
	}
}

static const char *
first_line(const char *s, const char *end, size_t *n)
{
	while (s < end && (*s == '\n' || *s == ' ' || *s == '\t'))
		s++;
	const char *lf = memchr(s, '\n', (size_t)(end - s));
	*n = (size_t)((lf ? lf : end) - s);
	return s;
}

static const char *
last_line(const char *s, const char *end, size_t *n)
{
	while (end > s &&
		(end[-1] == '\n' || end[-1] == ' ' || end[-1] == '\t'))
		end--;
	const char *lf = memrchr(s, '\n', (size_t)(end - s));
	if (lf != NULL)
		s = lf + 1;
	*n = (size_t)(end - s);
	return s;
}

static void
add_beginning(struct wv_str *out, const struct wv_content *content,
	const char *first, size_t n)
{
	wv_str_fmt(out,
		"text, %zu bytes, of which the first %zu were looked at",
		content->size, content->seen);
	wv_str_cat(out, n > 0 ? "; first line: " : ", without a whole line");
	add_inline(out, first, n, MAX_LINE);
}

static void
add_text(struct wv_str *out, const struct wv_content *content)
{
	const char *s = content->text.s ? content->text.s : "";
	const char *end = s + content->text.n;
	size_t first_n, last_n;
	const char *first = first_line(s, end, &first_n);
	const char *last = last_line(s, end, &last_n);

	if (content->seen > 0) {
		add_beginning(out, content, first, first_n);
		return;
	}
	if (first_n == 0) {
		wv_str_cat(out, "no output but white space, ");
		add_count(out, content->size, "byte");
		return;
	}
	wv_str_cat(out, "text, ");
	add_count(out, wv_line_count(s, content->text.n), "line");
	wv_str_cat(out, ", ");
	add_count(out, content->size, "byte");
	wv_str_cat(out, last > first ? "; first line: " : ": ");
	add_inline(out, first, first_n, MAX_LINE);
	if (last > first) {
		wv_str_cat(out, "; last line: ");
		add_inline(out, last, last_n, MAX_LINE);
	}
}

static void
limit(struct wv_str *out, size_t from)
{
	const unsigned char *s = (const unsigned char *)out->s;
	size_t i = from, chars = 0;

	while (i < out->n && chars < MAX_CHARS - 1) {
		int len = wv_utf8_len(s + i, out->n - i);
		i += len > 0 ? (size_t)len : 1;
		chars++;
	}
	if (i < out->n && wv_utf8_count(out->s + i) > 1) {
		out->n = i;
		wv_str_cat(out, "…");
	}
}

void
wv_summarize(struct wv_str *out, const struct wv_content *content)
{
	size_t from = out->n;

	switch (content->kind) {
	case WV_CONTENT_EMPTY:
		wv_str_cat(out, "no output");
		break;
	case WV_CONTENT_BINARY:
		wv_str_fmt(out, "%s%s, ",
			wv_is_text_type(content->media_type) ? ""
							     : "binary data, ",
			content->media_type);
		add_count(out, content->size, "byte");
		break;
	case WV_CONTENT_JSON_LINES:
		wv_str_cat(out, "JSON lines, ");
		add_array(out, content->tree);
		break;
	case WV_CONTENT_JSON:
		wv_str_cat(out, "JSON ");
		if (wv_is_object(content->tree))
			add_object(out, content->tree);
		else
			add_value(out, content->tree);
		break;
	case WV_CONTENT_TEXT:
		add_text(out, content);
		break;
	}
	limit(out, from);
}
