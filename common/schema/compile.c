/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documents, references, and the work list that turns a schema and all it
 * refers to into nodes.
 */
#include "schema/program.h"

#include "base/id.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct wv_schema_set *
wv_schema_set_new(void)
{
	struct wv_schema_set *set = wv_xcalloc(1, sizeof *set);

	wv_random(&set->key, sizeof set->key);
	return set;
}

void
wv_schema_set_free(struct wv_schema_set *set)
{
	if (set == NULL)
		return;
	for (size_t i = 0; i < set->regex_count; i++)
		wv_regex_free(set->regexes[i]);
	free(set->regexes);
	free(set->documents);
	free(set->nodes);
	free(set->node_slots);
	wv_arena_free(&set->arena);
	free(set);
}

int
wv_schema_bad(struct wv_err *err, const struct wv_schema *node,
	const char *keyword, const char *fmt, ...)
{
	struct wv_str raw = { 0 }, text = { 0 };
	va_list ap;

	wv_str_cat(&raw, node->pointer);
	wv_pointer_add(&raw, keyword);
	wv_str_cat(&raw, ": ");
	va_start(ap, fmt);
	wv_str_vfmt(&raw, fmt, ap);
	va_end(ap);
	wv_str_foreign(&text, raw.s, raw.n, WV_ERR_TEXT - 1);
	wv_err_set(err, "%s", text.s);
	wv_str_free(&raw);
	wv_str_free(&text);
	return -1;
}

static const struct document *
find_document(const struct wv_schema_set *set, const char *uri, size_t n)
{
	for (size_t i = 0; i < set->document_count; i++) {
		const struct document *document = set->documents[i];
		if (strncmp(document->uri, uri, n) == 0 &&
			document->uri[n] == '\0')
			return document;
	}
	return NULL;
}

static struct document *
new_document(struct wv_schema_set *set, const cJSON *root)
{
	struct document *document = wv_alloc(&set->arena, sizeof *document);
	const char *id = wv_get_string(root, "$id");

	document->root = root;
	document->uri = NULL;
	if (id != NULL) {
		size_t n = strlen(id);
		/* An empty fragment says nothing. */
		if (n > 0 && id[n - 1] == '#')
			n--;
		document->uri = wv_dupn(&set->arena, id, n);
	}
	return document;
}

int
wv_schema_set_add(
	struct wv_schema_set *set, const cJSON *root, struct wv_err *err)
{
	struct document *document = new_document(set, root);

	if (document->uri == NULL)
		return wv_err_set(err, "the schema has no $id");
	if (find_document(set, document->uri, strlen(document->uri)) != NULL)
		return wv_err_set(
			err, "two schemas have the $id \"%s\"", document->uri);
	set->documents = wv_xrealloc(set->documents,
		(set->document_count + 1) * sizeof *set->documents);
	set->documents[set->document_count++] = document;
	return 0;
}

static const struct document *
document_of(struct wv_schema_set *set, const cJSON *root)
{
	for (size_t i = 0; i < set->document_count; i++) {
		if (set->documents[i]->root == root)
			return set->documents[i];
	}
	return new_document(set, root);
}

/* Fibonacci hashing; nodes are 16 bytes apart at least. */
static size_t
slot_of(const struct wv_schema_set *set, const cJSON *source)
{
	uint64_t h = ((uintptr_t)source >> 4) * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(h >> 32) & (set->slot_count - 1);
}

static void
index_node(struct wv_schema_set *set, size_t i)
{
	size_t at = slot_of(set, set->nodes[i]->source);

	while (set->node_slots[at] != 0)
		at = (at + 1) & (set->slot_count - 1);
	set->node_slots[at] = (uint32_t)i + 1;
}

static void
index_all(struct wv_schema_set *set, size_t slot_count)
{
	free(set->node_slots);
	set->node_slots = wv_xcalloc(slot_count, sizeof *set->node_slots);
	set->slot_count = slot_count;
	for (size_t i = 0; i < set->node_count; i++)
		index_node(set, i);
}

static struct wv_schema *
find_node(const struct wv_schema_set *set, const cJSON *source,
	const struct document *document, bool assert_format)
{
	size_t at;
	uint32_t slot;

	if (set->slot_count == 0)
		return NULL;
	at = slot_of(set, source);
	while ((slot = set->node_slots[at]) != 0) {
		struct wv_schema *node = set->nodes[slot - 1];
		if (node->source == source && node->document == document &&
			node->assert_format == assert_format)
			return node;
		at = (at + 1) & (set->slot_count - 1);
	}
	return NULL;
}

static struct wv_schema *
get_node(struct wv_schema_set *set, const cJSON *source,
	const struct document *document, bool assert_format,
	const char *pointer)
{
	struct wv_schema *node =
		find_node(set, source, document, assert_format);

	if (node != NULL)
		return node;
	if (set->node_count * 2 >= set->slot_count) {
		size_t cap = set->slot_count ? set->slot_count * 2 : 64;
		set->nodes =
			wv_xrealloc(set->nodes, cap / 2 * sizeof *set->nodes);
		index_all(set, cap);
	}
	node = wv_alloc_zero(&set->arena, sizeof *node);
	node->source = source;
	node->document = document;
	node->assert_format = assert_format;
	node->pointer = wv_dup(&set->arena, pointer);
	set->nodes[set->node_count] = node;
	index_node(set, set->node_count++);
	return node;
}

static bool
is_schema(const cJSON *source)
{
	return wv_is_object(source) || wv_is_true(source) ||
		wv_is_false(source);
}

struct wv_schema *
wv_schema_sub(struct wv_schema_set *set, const struct wv_schema *node,
	const cJSON *source, const char *keyword, const char *name,
	struct wv_err *err)
{
	struct wv_str pointer = { 0 };
	struct wv_schema *sub;

	if (!is_schema(source)) {
		wv_schema_bad(err, node, keyword,
			"must be a schema: an object, true or false");
		return NULL;
	}
	wv_str_cat(&pointer, node->pointer);
	wv_pointer_add(&pointer, keyword);
	if (name != NULL)
		wv_pointer_add(&pointer, name);
	sub = get_node(
		set, source, node->document, node->assert_format, pointer.s);
	wv_str_free(&pointer);
	return sub;
}

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A fragment with its percent escapes undone; false if one is broken. */
static bool
decode(struct wv_str *out, const char *s)
{
	wv_str_cat(out, "");
	for (; *s != '\0'; s++) {
		if (*s != '%') {
			wv_str_chr(out, *s);
			continue;
		}
		int high = hex(s[1]), low = high < 0 ? -1 : hex(s[2]);
		if (low < 0 || high * 16 + low == 0)
			return false;
		wv_str_chr(out, (char)(high * 16 + low));
		s += 2;
	}
	return true;
}

static const struct document *
referred_document(const struct wv_schema_set *set, const struct wv_schema *node,
	const char *uri, size_t n)
{
	const char *own = node->document->uri;

	if (n == 0 || (own && strlen(own) == n && memcmp(own, uri, n) == 0))
		return node->document;
	return find_document(set, uri, n);
}

struct wv_schema *
wv_schema_ref(struct wv_schema_set *set, const struct wv_schema *node,
	const char *uri, struct wv_err *err)
{
	size_t n = strcspn(uri, "#");
	const struct document *document = referred_document(set, node, uri, n);
	const cJSON *source = NULL;
	struct wv_schema *target = NULL;
	struct wv_str pointer = { 0 };

	if (document == NULL) {
		wv_schema_bad(
			err, node, "$ref", "\"%s\" is not known here", uri);
		return NULL;
	}
	if (decode(&pointer, uri[n] == '#' ? uri + n + 1 : "") &&
		(pointer.n == 0 || pointer.s[0] == '/'))
		source = wv_pointer(document->root, pointer.s);
	if (is_schema(source))
		target = get_node(
			set, source, document, node->assert_format, pointer.s);
	else
		wv_schema_bad(
			err, node, "$ref", "\"%s\" leads to no schema", uri);
	wv_str_free(&pointer);
	return target;
}

/* Nodes from the first on: new ones join the list as they are found. */
static int
compile_from(struct wv_schema_set *set, size_t first, struct wv_err *err)
{
	for (size_t i = first; i < set->node_count; i++) {
		if (wv_keywords_compile(set, set->nodes[i], err) != 0)
			return -1;
	}
	return wv_schema_link(set, first, err);
}

const struct wv_schema *
wv_schema_compile(struct wv_schema_set *set, const cJSON *root,
	bool assert_format, struct wv_err *err)
{
	const struct document *document = document_of(set, root);
	size_t first = set->node_count;
	struct wv_schema *node;

	if (!is_schema(root)) {
		wv_err_set(err, "a schema must be an object, true or false");
		return NULL;
	}
	node = get_node(set, root, document, assert_format, "");
	if (compile_from(set, first, err) != 0) {
		/* What is half made must never be found again. */
		set->node_count = first;
		index_all(set, set->slot_count);
		return NULL;
	}
	return wv_schema_end_of_refs(node);
}
