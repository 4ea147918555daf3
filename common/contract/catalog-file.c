/* SPDX-License-Identifier: Apache-2.0 */
/* Files of a catalogue: which form each value in them has. */
#include "contract/catalog-internal.h"

#include "base/file.h"
#include "contract/record.h"
#include "json/form.h"

#include <string.h>

/* The elements of a list that begins at an offset of JSON. */
static int
add_elements(struct wv_loader *l, const cJSON *list, size_t at,
	wv_catalog_adder *add_one)
{
	wv_json_each(item, list) {
		struct wv_capability c;
		at = wv_catalog_element(l, at);
		c = wv_catalog_place(l, item, at);
		if (add_one(l, &c) != 0)
			return -1;
		at = wv_catalog_behind(l, at);
	}
	return 0;
}

/* The same of one that a pointer leads to. */
static int
add_list(struct wv_loader *l, const struct wv_capability *in,
	const char *pointer, wv_catalog_adder *add_one)
{
	const cJSON *list = wv_pointer(in->node, pointer);

	if (!wv_is_array(list))
		return wv_catalog_fault(l, in, pointer,
			"%s is no list of tools", strrchr(pointer, '/') + 1);
	return add_elements(
		l, list, wv_catalog_offset(l, in, pointer), add_one);
}

static int
add_entry(struct wv_loader *l, struct wv_capability *c)
{
	return wv_catalog_is_function(c->node)
		? wv_catalog_add_function(l, c)
		: wv_catalog_add_capability(l, c);
}

/* In a list of tools, what is nothing else is one that lacks something. */
static int
add_listed(struct wv_loader *l, struct wv_capability *c)
{
	return wv_get(c->node, "id") != NULL ? add_entry(l, c)
					     : wv_catalog_add_function(l, c);
}

static bool
is_tools_file(const cJSON *node)
{
	const cJSON *tools = wv_get(node, "tools");

	if (tools == NULL)
		return false;
	return wv_is_number(wv_get(node, "version")) ||
		wv_get(tools->child, "capability") != NULL ||
		wv_get(tools->child, "source") != NULL;
}

static int
load_tools(struct wv_loader *l, const struct wv_capability *c)
{
	struct wv_doc doc = { .source = l->source,
		.text = l->text,
		.len = l->len,
		.yaml = l->yaml,
		.root = (cJSON *)c->node };

	if (wv_tools_finish(&doc, l->arena, l->err) != 0)
		return -1;
	return add_list(l, c, "/tools", wv_catalog_add_tool);
}

/* What JSON-RPC wraps around a list of tools. */
static int
add_answer(struct wv_loader *l, const struct wv_capability *c)
{
	if (wv_pointer(c->node, "/result/tools") != NULL)
		return add_list(l, c, "/result/tools", add_listed);
	return wv_catalog_fault(l, c,
		wv_get(c->node, "error") != NULL ? "/error" : "",
		"a message of JSON-RPC that has no list of tools");
}

/* A value of its own, or an element of a list that is. */
static int
add_value(struct wv_loader *l, struct wv_capability *c)
{
	const cJSON *node = c->node;

	if (wv_get(node, "openapi") != NULL || wv_get(node, "swagger") != NULL)
		return wv_catalog_add_openapi(l, c);
	if (wv_get(node, "jsonrpc") != NULL || wv_get(node, "result") != NULL)
		return add_answer(l, c);
	if (is_tools_file(node))
		return wv_catalog_fault(l, c, "",
			"tools for wv-call stand in a file by themselves");
	if (wv_get(node, "tools") != NULL)
		return add_list(l, c, "/tools", add_listed);
	return add_entry(l, c);
}

static int
add_root(struct wv_loader *l, const cJSON *node, size_t at)
{
	struct wv_capability c;

	if (wv_is_array(node))
		return add_elements(l, node, at, add_value);
	c = wv_catalog_place(l, node, at);
	return add_value(l, &c);
}

/* Fills the error with one of a value that begins at an offset. */
static int
bad_value(struct wv_loader *l, size_t at, const struct wv_err *e)
{
	struct wv_capability c = wv_catalog_place(l, NULL, at);

	return wv_err_at(l->err, l->source, c.line + e->line - 1,
		e->line == 1 ? c.column + e->column - 1 : e->column, "%s",
		e->text);
}

/* The value at an offset, which takes up the text to *end: the line, or more
 * if it does not end there; or less, and then so do those behind it. */
static cJSON *
read_value(struct wv_loader *l, size_t at, size_t *end)
{
	static const struct wv_json_limits limits = { 512, (size_t)1 << 26,
		4096 };
	const char *text = l->text + at, *lf;
	struct wv_err e = WV_ERR_INIT;
	cJSON *node = NULL;

	if (at >= l->tried) {
		lf = memchr(text, '\n', l->len - at);
		*end = lf ? (size_t)(lf - l->text) : l->len;
		node = wv_json_read(l->arena, text, *end - at, &limits, &e);
		l->tried = *end;
	}
	if (node == NULL) {
		*end = wv_catalog_value_end(l, at);
		if (*end == at)
			*end = l->len;
		wv_err_clear(&e);
		node = wv_json_read(l->arena, text, *end - at, &limits, &e);
	}
	if (node == NULL)
		bad_value(l, at, &e);
	return node;
}

static int
load_json(struct wv_loader *l)
{
	size_t first = wv_catalog_space(l, 0), at = first, end;

	for (; at < l->len; at = wv_catalog_space(l, end)) {
		const cJSON *node = read_value(l, at, &end);
		struct wv_capability c;
		if (node == NULL)
			return -1;
		if (at == first && is_tools_file(node) &&
			wv_catalog_space(l, end) == l->len) {
			c = wv_catalog_place(l, node, at);
			return load_tools(l, &c);
		}
		if (add_root(l, node, at) != 0)
			return -1;
	}
	return 0;
}

static int
load_yaml(struct wv_loader *l)
{
	const cJSON *root = wv_yaml_read(
		l->arena, l->text, l->len, wv_doc_yaml_limits(), l->err);
	struct wv_capability c;

	if (root == NULL) {
		if (l->err != NULL && l->err->source == NULL)
			l->err->source = l->source;
		return -1;
	}
	if (!is_tools_file(root))
		return add_root(l, root, 0);
	c = wv_catalog_place(l, root, 0);
	return load_tools(l, &c);
}

static int
check_prefix(struct wv_loader *l)
{
	const char *prefix = l->catalog->prefix, *id;

	if (prefix == NULL)
		return 0;
	id = wv_printf(l->arena, "%sx", prefix);
	if (wv_id_is_kernel(id))
		return 0;
	return wv_err_set(l->err, "--prefix \"%s\" cannot begin an id: %s",
		prefix, wv_id_fault(l->arena, id));
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
	if (check_prefix(&l) != 0)
		return -1;
	l.text = wv_file_read(arena, path, WV_CATALOG_MAX, &l.len, err);
	if (l.text == NULL)
		return -1;
	catalog->bytes += l.len;
	if (catalog->bytes > WV_CATALOG_MAX)
		return wv_err_at(err, l.source, 0, 0,
			"makes the catalogue longer than %d bytes",
			WV_CATALOG_MAX);
	bom = wv_bom_len(l.text, l.len);
	l.text += bom;
	l.len -= bom;
	l.yaml = wv_form_is_yaml(path, l.text, l.len);
	return l.yaml ? load_yaml(&l) : load_json(&l);
}
