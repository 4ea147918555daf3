/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/catalog-internal.h"

#include "base/file.h"
#include "json/form.h"

#include <string.h>

/* The line of an offset that is not before the last one asked for. */
static size_t
line_at(struct wv_loader *l, size_t at)
{
	const char *p = l->text + l->at, *end = l->text + at;

	while ((p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		l->line++;
		p++;
	}
	l->at = at;
	return l->line;
}

static size_t
skip_space(const char *text, size_t len, size_t at)
{
	while (at < len && strchr(" \t\r\n", text[at]) != NULL &&
		text[at] != '\0')
		at++;
	return at;
}

/* Where the value that begins at `at` ends: an object or array at its own
 * bracket; anything else at a comma, a bracket or the line's end. */
static size_t
value_end(const char *text, size_t len, size_t at)
{
	size_t depth = 0;
	bool quoted = false;

	for (; at < len; at++) {
		char c = text[at];
		if (quoted && c == '\\')
			at++;
		else if (c == '"')
			quoted = !quoted;
		else if (quoted)
			continue;
		else if (c == '{' || c == '[')
			depth++;
		else if (depth == 0 && (c == ',' || c == ']' || c == '\n'))
			return at;
		else if ((c == '}' || c == ']') && --depth == 0)
			return at + 1;
	}
	return len;
}

/* The elements of an array that begins at an offset of the text. */
static int
add_elements(struct wv_loader *l, const cJSON *array, size_t at,
	wv_catalog_adder *add_one)
{
	wv_json_each(item, array) {
		at = skip_space(l->text, l->len, at + 1);
		if (add_one(l, item, line_at(l, at)) != 0)
			return -1;
		at = value_end(l->text, l->len, at);
		at = skip_space(l->text, l->len, at); /* the comma */
	}
	return 0;
}

static int
load_tools(struct wv_loader *l, const struct wv_doc *doc)
{
	const cJSON *list = wv_get(doc->root, "tools");
	size_t at;

	if (wv_tools_finish(doc, l->arena, l->err) != 0)
		return -1;
	if (!doc->yaml) {
		l->text = doc->text;
		l->len = doc->len;
		l->at = 0;
		l->line = 1;
		at = wv_json_locate(doc->text, doc->len, "/tools");
		return add_elements(l, list, at, wv_catalog_add_tool);
	}
	wv_json_each(entry, list) {
		size_t line, column;
		wv_yaml_position(entry, &line, &column);
		if (wv_catalog_add_tool(l, entry, line) != 0)
			return -1;
	}
	return 0;
}

static int
load_document(struct wv_loader *l)
{
	struct wv_doc doc;
	size_t line, column;

	if (wv_doc_parse(&doc, l->arena, l->source, l->text, l->len, l->err) !=
		0)
		return -1;
	if (wv_get(doc.root, "tools") != NULL)
		return load_tools(l, &doc);
	if (!wv_is_array(doc.root))
		return wv_catalog_add_capability(l, doc.root, 1);
	wv_json_each(node, doc.root) {
		wv_yaml_position(node, &line, &column);
		if (wv_catalog_add_capability(l, node, line) != 0)
			return -1;
	}
	return 0;
}

/* The value at an offset, which takes up the text to *end: the line, or more
 * if it does not end there. */
static cJSON *
read_value(struct wv_loader *l, size_t at, size_t *end)
{
	static const struct wv_json_limits limits = { 512, (size_t)1 << 26,
		4096 };
	const char *text = l->text + at, *lf;
	struct wv_err e = WV_ERR_INIT;
	size_t line = line_at(l, at), start = at;
	cJSON *node;

	lf = memchr(text, '\n', l->len - at);
	*end = lf ? (size_t)(lf - l->text) : l->len;
	node = wv_json_read(l->arena, text, *end - at, &limits, &e);
	if (node == NULL) {
		*end = value_end(l->text, l->len, at);
		if (*end == at)
			*end = l->len;
		wv_err_clear(&e);
		node = wv_json_read(l->arena, text, *end - at, &limits, &e);
	}
	if (node != NULL)
		return node;
	while (start > 0 && l->text[start - 1] != '\n')
		start--;
	if (e.line == 1)
		e.column += at - start;
	wv_err_at(l->err, l->source, e.line + line - 1, e.column, "%s", e.text);
	return NULL;
}

static int
load_json(struct wv_loader *l)
{
	size_t at = 0, end;

	while ((at = skip_space(l->text, l->len, at)) < l->len) {
		const cJSON *node = read_value(l, at, &end);
		int result;
		if (node == NULL)
			return -1;
		if (wv_get(node, "tools") != NULL)
			return load_document(l);
		if (wv_is_array(node))
			result = add_elements(
				l, node, at, wv_catalog_add_capability);
		else
			result = wv_catalog_add_capability(l, node, l->line);
		if (result != 0)
			return -1;
		at = end;
	}
	return 0;
}

int
wv_catalog_load(struct wv_catalog *catalog, struct wv_arena *arena,
	const char *path, struct wv_err *err)
{
	struct wv_loader l = { .catalog = catalog,
		.arena = arena,
		.source = wv_dup(arena, path),
		.line = 1,
		.err = err };
	size_t bom;

	catalog->arena = arena;
	l.text = wv_file_read(arena, path, WV_CATALOG_FILE_MAX, &l.len, err);
	if (l.text == NULL)
		return -1;
	bom = wv_bom_len(l.text, l.len);
	l.text += bom;
	l.len -= bom;
	return wv_form_is_yaml(path, l.text, l.len) ? load_document(&l)
						    : load_json(&l);
}
