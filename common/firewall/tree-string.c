/* SPDX-License-Identifier: Apache-2.0 */
/* Strings of a tree, and the JSON that is in them. */
#include "firewall/find.h"
#include "firewall/tree-internal.h"

#include <string.h>

enum { MAX_NESTING = 3 }; /* of JSON in strings of JSON */

void
wv_walk_note_path(struct wv_tree_walk *w, const struct wv_place *place)
{
	if (!w->findings->pathless && w->findings->path_count < WV_MAX_PATHS)
		wv_findings_path(w->findings, w->arena,
			wv_place_pointer(
				w->arena, w->holder ? w->holder : place));
}

void
wv_walk_note_kind(
	struct wv_tree_walk *w, const struct wv_place *place, const char *kind)
{
	if (w->holder == NULL)
		w->here = place;
	wv_findings_kind(w->findings, w->arena, kind);
	wv_findings_spot(w->findings, &(struct wv_spot){ .kind = kind });
}

void
wv_walk_set(struct wv_tree_walk *w, cJSON *node, const char *s, size_t n)
{
	node->type = cJSON_String;
	node->child = NULL;
	node->valuestring = wv_dupn(w->arena, s, n);
	node->valueint = (int)n;
	wv_glance_note(w->glance, &node->valuestring);
}

/* What was decoded is not shown: what it has is all that counts. */
static bool
is_decoded_secret(struct wv_tree_walk *w, const char *s, size_t n)
{
	struct wv_hits hits = { 0 };

	wv_find_decoded(w->rules, s, n, w->depth, &hits);
	bool is_secret = hits.count > 0;
	if (is_secret)
		wv_findings_kind(w->findings, w->arena, hits.at[0].kind);
	wv_hits_free(&hits);
	return is_secret;
}

bool
wv_walk_purify(struct wv_tree_walk *w, const char *s, size_t n, bool *redacted)
{
	bool cleaned = w->clean && wv_plain_length(s, n) < n;
	struct wv_hit first;

	if (cleaned) {
		w->bytes.n = 0;
		wv_clean(&w->bytes, s, n, w->findings);
		cleaned = w->bytes.n != n || memcmp(w->bytes.s, s, n) != 0;
	}
	if (cleaned) {
		s = w->bytes.s;
		n = w->bytes.n;
	}
	if (w->disown && wv_has_mark(s, n)) {
		if (!cleaned) {
			w->bytes.n = 0;
			wv_str_add(&w->bytes, s, n);
			s = w->bytes.s;
			cleaned = true;
		}
		w->findings->forged += wv_disown_marks(w->bytes.s, n);
	}
	w->text.n = 0;
	if (w->depth > 0)
		*redacted = is_decoded_secret(w, s, n);
	else
		*redacted = wv_redact_from(&w->text, s, n,
			wv_glance_hit(w->glance, s, n, &first) ? &first : NULL,
			w->rules, w->arena, w->findings);
	if (cleaned && !*redacted)
		wv_str_add(&w->text, s, n);
	return cleaned || *redacted;
}

bool
wv_may_be_tree(const char *s, size_t n)
{
	while (n > 0 && (*s == ' ' || *s == '\t' || *s == '\n')) {
		s++;
		n--;
	}
	if (n < 2 || (*s != '{' && *s != '['))
		return false;
	while (s[n - 1] == ' ' || s[n - 1] == '\t' || s[n - 1] == '\n' ||
		s[n - 1] == '\r')
		n--;
	return s[n - 1] == *s + ('}' - '{');
}

/* The object or array that a string is, or NULL. */
static cJSON *
json_in(struct wv_tree_walk *w, const cJSON *string,
	struct wv_json_strings *strings)
{
	const char *s = string->valuestring;
	size_t n = (size_t)string->valueint;
	const struct wv_inner *inner = NULL;

	if (w->nesting == MAX_NESTING || wv_walk_passes(w, WV_SEEN_JSON, s) ||
		!wv_may_be_tree(s, n))
		return NULL;
	if (w->glance != NULL)
		inner = wv_glance_inner(w->glance, s);
	if (inner != NULL) {
		*strings = inner->strings;
		return inner->tree;
	}
	return wv_json_read_strings(
		w->arena, s, n, &wv_json_defaults, strings, NULL);
}

/* A tree in a string is redacted by its own names; the string is written
 * anew only if that changed it. */
static void
walk_tree_in_string(struct wv_tree_walk *w, cJSON *string, cJSON *tree,
	const struct wv_json_strings *strings, const struct wv_place *place)
{
	struct wv_tree_walk inner = { .arena = w->arena,
		.rules = w->rules,
		.options = w->options,
		.glance = w->options != NULL
			? wv_glance(w->arena, tree, strings, w->options,
				  w->nesting + 1 < MAX_NESTING ? WV_SEEN_TREE
							       : 0)
			: NULL,
		.depth = w->depth,
		.findings = w->findings,
		.clean = w->clean,
		.disown = w->disown,
		.nesting = w->nesting + 1,
		.holder = w->holder ? w->holder : place };
	struct wv_place root = { 0 };
	size_t before = wv_findings_changes(w->findings);

	if (!wv_walk_is_idle(inner.glance))
		wv_walk_value(&inner, tree, &root, 0);
	if (wv_findings_changes(w->findings) != before) {
		inner.text.n = 0;
		wv_json_write(&inner.text, tree);
		wv_walk_set(w, string, inner.text.s, inner.text.n);
	}
	wv_str_free(&inner.bytes);
	wv_str_free(&inner.text);
}

void
wv_walk_string(
	struct wv_tree_walk *w, cJSON *node, const struct wv_place *place)
{
	const char *s = node->valuestring;
	size_t n = (size_t)node->valueint;
	struct wv_str real = { 0 };
	struct wv_json_strings strings = { 0 };
	bool redacted;
	cJSON *tree = json_in(w, node, &strings);

	w->here = place;
	if (tree != NULL) {
		walk_tree_in_string(w, node, tree, &strings, place);
		return;
	}
	if (wv_walk_passes(w, WV_SEEN_CHANGE, s))
		return;
	if (w->clean && memchr(s, 0xC0, n) != NULL) {
		wv_json_bytes(node, &real);
		s = real.s;
		n = real.n;
	}
	if (wv_walk_purify(w, s, n, &redacted))
		wv_walk_set(w, node, w->text.s, w->text.n);
	if (redacted)
		wv_walk_note_path(w, place);
	wv_str_free(&real);
}

void
wv_walk_secret(struct wv_tree_walk *w, cJSON *node,
	const struct wv_place *place, const char *kind)
{
	if (wv_is_null(node) || wv_is_true(node) || wv_is_false(node) ||
		(node->child == NULL &&
			(wv_is_object(node) || wv_is_array(node))))
		return;
	if (wv_is_string(node)) {
		kind = wv_told_kind(w->rules, kind, node->valuestring,
			(size_t)node->valueint, !w->disown);
		if (kind == NULL) {
			wv_walk_string(w, node, place);
			return;
		}
	}
	w->text.n = 0;
	wv_add_mark(&w->text, kind);
	wv_walk_set(w, node, w->text.s, w->text.n);
	wv_walk_note_kind(w, place, kind);
	wv_walk_note_path(w, place);
}
