/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/rules-internal.h"

#include "contract/contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
wv_rules_bad(const struct wv_rules_reader *r, const char *list, size_t i,
	const char *member, const char *fmt, ...)
{
	struct wv_str pointer = { 0 }, text = { 0 };
	va_list ap;

	wv_str_fmt(&pointer, "/%s/%zu%s", list, i, member);
	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	wv_doc_err(
		&r->file->doc, r->err, pointer.s, "%s: %s", pointer.s, text.s);
	wv_str_free(&pointer);
	wv_str_free(&text);
	return -1;
}

int
wv_bytes_order(const struct wv_bytes *a, const struct wv_bytes *b)
{
	int order = memcmp(a->s, b->s, a->n < b->n ? a->n : b->n);

	return order != 0 ? order : (a->n > b->n) - (a->n < b->n);
}

static struct wv_bytes
bytes_of(struct wv_rules_reader *r, const cJSON *string)
{
	r->bytes.n = 0;
	wv_str_cat(&r->bytes, "");
	wv_json_bytes(string, &r->bytes);
	return (struct wv_bytes){
		wv_dupn(&r->file->arena, r->bytes.s, r->bytes.n), r->bytes.n
	};
}

/* What is let through. */

static struct wv_regex *
compile(struct wv_rules_reader *r, const char *list, size_t i,
	struct wv_bytes pattern)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_regex *regex = wv_regex_compile(pattern.s, pattern.n, &err);

	if (regex == NULL)
		wv_rules_bad(r, list, i, "/pattern", "%s", err.text);
	return regex;
}

/* By itself first: a)|(b would be one in the group. */
static struct wv_regex *
compile_whole(struct wv_rules_reader *r, size_t i, const cJSON *string)
{
	struct wv_bytes pattern = bytes_of(r, string);
	struct wv_regex *regex = compile(r, "allow", i, pattern);
	struct wv_str whole = { 0 };

	if (regex == NULL)
		return NULL;
	wv_regex_free(regex);
	wv_str_cat(&whole, "^(?:");
	wv_str_add(&whole, pattern.s, pattern.n);
	wv_str_cat(&whole, ")$");
	regex = compile(r, "allow", i, (struct wv_bytes){ whole.s, whole.n });
	wv_str_free(&whole);
	return regex;
}

static int
by_value(const void *a, const void *b)
{
	const struct wv_allowed *x = a, *y = b;
	int order = wv_bytes_order(&x->value, &y->value);

	return order != 0 ? order : strcmp(x->kind, y->kind);
}

static int
read_allowed(struct wv_rules_reader *r, const cJSON *row, size_t i)
{
	struct wv_rules_file *file = r->file;
	const cJSON *pattern = wv_get(row, "pattern");
	const char *kind = wv_get_string(row, "kind");

	if (kind != NULL && wv_kind(kind) == NULL &&
		wv_rules_own(file, kind) == NULL)
		return wv_rules_unknown(r, "allow", i, "/kind", kind);
	struct wv_allowed allowed = { .kind = kind != NULL ? kind : "",
		.index = i };
	if (pattern == NULL) {
		allowed.value = bytes_of(r, wv_get(row, "value"));
		file->values[file->value_count++] = allowed;
		return 0;
	}
	if (file->pattern_count == WV_ALLOW_PATTERNS)
		return wv_rules_bad(r, "allow", i, "/pattern",
			"more than %d patterns: give values instead",
			WV_ALLOW_PATTERNS);
	allowed.regex = compile_whole(r, i, pattern);
	if (allowed.regex == NULL)
		return -1;
	file->patterns[file->pattern_count++] = allowed;
	return 0;
}

static int
read_allow(struct wv_rules_reader *r)
{
	struct wv_rules_file *file = r->file;
	const cJSON *list = wv_get(file->doc.root, "allow");
	size_t i = 0;

	file->values = wv_alloc(
		&file->arena, (wv_count(list) + 1) * sizeof *file->values);
	file->patterns = wv_alloc(
		&file->arena, WV_ALLOW_PATTERNS * sizeof *file->patterns);
	wv_json_each(row, list) {
		if (read_allowed(r, row, i++) < 0)
			return -1;
	}
	qsort(file->values, file->value_count, sizeof *file->values, by_value);
	if (list != NULL)
		wv_rules_allow(file->rules, wv_rules_let, file);
	return 0;
}

/* What is added. */

static int
by_anchor(const void *a, const void *b)
{
	const struct wv_added *x = a, *y = b;
	int order = wv_bytes_order(&x->anchor, &y->anchor);

	return order != 0 ? order
			  : (x->index > y->index) - (x->index < y->index);
}

static int
read_added(struct wv_rules_reader *r, const cJSON *row, size_t i)
{
	struct wv_rules_file *file = r->file;
	struct wv_added *added = &file->added[file->added_count];

	added->index = i;
	added->kind = wv_get_string(row, "kind");
	added->off = wv_rules_is_off(file, added->kind);
	added->anchor = bytes_of(r, wv_get(row, "anchor"));
	if (added->anchor.n < WV_ANCHOR_LEAST ||
		added->anchor.n > WV_ANCHOR_MOST)
		return wv_rules_bad(r, "add", i, "/anchor",
			"has %zu byte%s: must have "
			"%d to %d",
			added->anchor.n, added->anchor.n == 1 ? "" : "s",
			WV_ANCHOR_LEAST, WV_ANCHOR_MOST);
	added->regex =
		compile(r, "add", i, bytes_of(r, wv_get(row, "pattern")));
	if (added->regex == NULL)
		return -1;
	file->added_count++;
	return 0;
}

static bool
begin_alike(const struct wv_added *a, const struct wv_added *b, size_t n)
{
	return memcmp(a->anchor.s, b->anchor.s, n) == 0;
}

static int
check_same(struct wv_rules_reader *r)
{
	const struct wv_added *added = r->file->added;
	size_t same = 0;

	for (size_t i = 1; i < r->file->added_count; i++) {
		bool equal = wv_bytes_order(&added[i].anchor,
				     &added[i - 1].anchor) == 0;
		same = equal ? same + 1 : 0;
		if (same == WV_SAME_ANCHOR)
			return wv_rules_bad(r, "add", added[i].index, "/anchor",
				"more than %d rules have this anchor: make one "
				"of several, or choose longer ones",
				WV_SAME_ANCHOR);
	}
	return 0;
}

/* Rows of the scanner, one for all that begin alike. */
static void
add_heads(struct wv_rules_file *file)
{
	size_t count = file->added_count, n = 0, length = WV_HEAD_MOST;
	const struct wv_added *added = file->added;

	for (size_t i = 0; i < count; i++)
		if (added[i].anchor.n < length)
			length = added[i].anchor.n;
	for (size_t i = 0; i < count; i += n) {
		for (n = 1; i + n < count &&
			begin_alike(&added[i], &added[i + n], length);
			n++)
			;
		struct wv_head *head = wv_alloc(&file->arena, sizeof *head);
		*head = (struct wv_head){ &added[i], n, &file->purse };
		wv_rules_add(file->rules,
			&(struct wv_rule){ .anchor = added[i].anchor.s,
				.length = length,
				.recognize = wv_rules_find,
				.kind = "",
				.data = head });
	}
}

static int
read_add(struct wv_rules_reader *r)
{
	struct wv_rules_file *file = r->file;
	const cJSON *list = wv_get(file->doc.root, "add");
	size_t i = 0;

	file->added = wv_alloc(
		&file->arena, (wv_count(list) + 1) * sizeof *file->added);
	wv_json_each(row, list) {
		if (read_added(r, row, i++) < 0)
			return -1;
	}
	qsort(file->added, file->added_count, sizeof *file->added, by_anchor);
	if (check_same(r) < 0)
		return -1;
	add_heads(file);
	return 0;
}

/* The words of a name as they are put together: deploy_key, deploy-key,
 * deploy.key, deploy key, deploykey. */
static void
add_name(struct wv_rules_file *file, const char *name, const char *kind)
{
	static const char between[] = "_-. ";
	char *spelled;

	if (strchr(name, ' ') == NULL) {
		wv_rules_name(file->rules, name, kind);
		return;
	}
	for (const char *c = between; *c != '\0'; c++) {
		spelled = wv_dup(&file->arena, name);
		for (char *s = spelled; *s != '\0'; s++)
			if (*s == ' ')
				*s = *c;
		wv_rules_name(file->rules, spelled, kind);
	}
	char *to = spelled = wv_dup(&file->arena, name);
	for (const char *s = name; *s != '\0'; s++)
		if (*s != ' ')
			*to++ = *s;
	*to = '\0';
	wv_rules_name(file->rules, spelled, kind);
}

static void
read_names(struct wv_rules_reader *r)
{
	wv_json_each(row, wv_get(r->file->doc.root, "names")) {
		const char *kind = wv_get_string(row, "kind");
		if (!wv_rules_is_off(r->file, kind))
			add_name(r->file, wv_get_string(row, "name"), kind);
	}
}

static void
free_file(struct wv_rules_file *file)
{
	for (size_t i = 0; i < file->added_count; i++)
		wv_regex_free(file->added[i].regex);
	for (size_t i = 0; i < file->pattern_count; i++)
		wv_regex_free(file->patterns[i].regex);
	wv_arena_free(&file->arena);
	free(file);
}

static int
read_file(struct wv_rules_reader *r, const char *path)
{
	struct wv_rules_file *file = r->file;

	if (wv_doc_load(&file->doc, &file->arena, path, r->err) < 0 ||
		wv_config_check(&file->doc, "firewall-rules", r->err) < 0)
		return -1;
	file->rules = wv_rules_new(&file->arena);
	wv_rules_own_kinds(file);
	if (wv_rules_switches(r) < 0 || read_allow(r) < 0 || read_add(r) < 0)
		return -1;
	read_names(r);
	return 0;
}

struct wv_rules *
wv_rules_load(const char *path, struct wv_err *err)
{
	struct wv_rules_file *file = wv_xcalloc(1, sizeof *file);
	struct wv_rules_reader reader = { .file = file, .err = err };
	int status = read_file(&reader, path);

	wv_str_free(&reader.bytes);
	if (status == 0)
		return file->rules;
	/* The name that the document has goes with it. */
	if (err != NULL)
		err->source = path;
	free_file(file);
	return NULL;
}

/* The arena of the rules is the first member of their file. */
struct wv_rules_file *
wv_rules_file(const struct wv_rules *rules)
{
	return (struct wv_rules_file *)rules->arena;
}

void
wv_rules_free(struct wv_rules *rules)
{
	if (rules != NULL)
		free_file(wv_rules_file(rules));
}
