/* SPDX-License-Identifier: Apache-2.0 */
/* Cleaning and redacting of trees. */
#include "firewall/find.h"
#include "firewall/glance.h"
#include "firewall/internal.h"
#include "text/count.h"

#include <stdio.h>
#include <string.h>

enum {
	MAX_PATH = 256,  /* bytes of one */
	MAX_DEPTH = 512, /* of a tree; deeper values are withheld */
	MAX_NESTING = 3, /* of JSON in strings of JSON */
};

struct walk {
	struct wv_arena *arena;
	const struct wv_rules *rules;
	const struct wv_firewall_options *options; /* NULL: no glance */
	const struct wv_glance *glance;            /* at the tree; or NULL */
	struct wv_findings *findings;
	bool clean, disown; /* what is raw; marks that are not ours */
	int nesting;        /* of JSON in strings */
	int depth;          /* how often it was decoded */
	const struct wv_place *holder; /* the string that holds this tree */
	const struct wv_place *here;   /* what is looked at */
	void (*spot)(void *arg, const struct wv_spot *spot); /* the caller's */
	void *spot_arg;
	struct wv_str bytes, text; /* scratch */
};

static void
add_place(struct wv_str *path, const struct wv_place *place)
{
	char index[24];

	if (place->up == NULL)
		return;
	add_place(path, place->up);
	if (place->name == NULL)
		snprintf(index, sizeof(index), "%zu", place->index);
	wv_pointer_add(path, place->name ? place->name : index);
}

char *
wv_place_pointer(struct wv_arena *arena, const struct wv_place *place)
{
	struct wv_str path = { 0 };

	add_place(&path, place);
	if (path.n > MAX_PATH) {
		path.n = wv_text_cut(path.s, path.n, MAX_PATH);
		wv_str_cat(&path, "…");
	}
	char *pointer = wv_dupn(arena, path.n > 0 ? path.s : "", path.n);
	wv_str_free(&path);
	return pointer;
}

static void
note_path(struct walk *w, const struct wv_place *place)
{
	if (w->findings->path_count < WV_MAX_PATHS)
		wv_findings_path(w->findings, w->arena,
			wv_place_pointer(
				w->arena, w->holder ? w->holder : place));
}

/* What was found in a string of the tree stands where that string does. */
static void
tell_spot(void *arg, const struct wv_spot *spot)
{
	const struct walk *w = arg;
	struct wv_spot here = { .kind = spot->kind,
		.pointer = wv_place_pointer(w->arena, w->here) };

	w->spot(w->spot_arg, &here);
}

static void
note_kind(struct walk *w, const struct wv_place *place, const char *kind)
{
	if (w->holder == NULL)
		w->here = place;
	wv_findings_kind(w->findings, w->arena, kind);
	wv_findings_spot(w->findings, &(struct wv_spot){ .kind = kind });
}

static void
set_text(struct walk *w, cJSON *node, const char *s, size_t n)
{
	node->type = cJSON_String;
	node->child = NULL;
	node->valuestring = wv_dupn(w->arena, s, n);
	node->valueint = (int)n;
}

/* What was decoded is not shown: what it has is all that counts. */
static bool
is_decoded_secret(struct walk *w, const char *s, size_t n)
{
	struct wv_hits hits = { 0 };

	wv_find_decoded(w->rules, s, n, w->depth, &hits);
	bool is_secret = hits.count > 0;
	if (is_secret)
		wv_findings_kind(w->findings, w->arena, hits.at[0].kind);
	wv_hits_free(&hits);
	return is_secret;
}

/*
 * A string or name as it may be seen, in w->text; false if it may be seen as
 * it is.  *redacted says whether something was redacted.
 */
static bool
purify(struct walk *w, const char *s, size_t n, bool *redacted)
{
	bool cleaned = w->clean && wv_plain_length(s, n) < n;

	if (cleaned) {
		w->bytes.n = 0;
		wv_clean(&w->bytes, s, n, w->findings);
		cleaned = w->bytes.n != n || memcmp(w->bytes.s, s, n) != 0;
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
	*redacted = w->depth > 0 ? is_decoded_secret(w, s, n)
				 : wv_redact_changes(&w->text, s, n, w->rules,
					   w->arena, w->findings);
	if (cleaned && !*redacted)
		wv_str_add(&w->text, s, n);
	return cleaned || *redacted;
}

/* purify() would leave it as it is. */
static bool
is_passed(const struct walk *w, const char *s)
{
	return w->glance != NULL &&
		wv_glance_passes(w->glance, w->glance->loud, s);
}

static void walk_value(struct walk *w, cJSON *node,
	const struct wv_place *place, size_t depth);

/* The object or array that a string is, or NULL. */
static cJSON *
json_in(struct walk *w, const cJSON *string, struct wv_json_strings *strings)
{
	const char *s = string->valuestring;
	size_t n = (size_t)string->valueint, i = 0;

	while (i < n && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n'))
		i++;
	if (i == n || (s[i] != '{' && s[i] != '[') || w->nesting == MAX_NESTING)
		return NULL;
	return wv_json_read_strings(
		w->arena, s, n, &wv_json_defaults, strings, NULL);
}

/* A tree in a string is redacted by its own names; the string is written
 * anew only if that changed it. */
static void
walk_tree_in_string(struct walk *w, cJSON *string, cJSON *tree,
	const struct wv_json_strings *strings, const struct wv_place *place)
{
	struct walk inner = { .arena = w->arena,
		.rules = w->rules,
		.options = w->options,
		.glance = w->options != NULL
			? wv_glance(w->arena, strings, w->options, false)
			: NULL,
		.depth = w->depth,
		.findings = w->findings,
		.clean = w->clean,
		.disown = w->disown,
		.nesting = w->nesting + 1,
		.holder = w->holder ? w->holder : place };
	struct wv_place root = { 0 };
	size_t before = wv_findings_changes(w->findings);

	walk_value(&inner, tree, &root, 0);
	if (wv_findings_changes(w->findings) != before) {
		inner.text.n = 0;
		wv_json_write(&inner.text, tree);
		set_text(w, string, inner.text.s, inner.text.n);
	}
	wv_str_free(&inner.bytes);
	wv_str_free(&inner.text);
}

static void
walk_string(struct walk *w, cJSON *node, const struct wv_place *place)
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
	if (is_passed(w, s))
		return;
	if (w->clean && memchr(s, 0xC0, n) != NULL) {
		wv_json_bytes(node, &real);
		s = real.s;
		n = real.n;
	}
	if (purify(w, s, n, &redacted))
		set_text(w, node, w->text.s, w->text.n);
	if (redacted)
		note_path(w, place);
	wv_str_free(&real);
}

/* The value of a member whose name is that of a secret. */
static void
walk_secret(struct walk *w, cJSON *node, const struct wv_place *place,
	const char *kind)
{
	if (wv_is_null(node) || wv_is_true(node) || wv_is_false(node) ||
		(node->child == NULL &&
			(wv_is_object(node) || wv_is_array(node))))
		return;
	if (wv_is_string(node)) {
		kind = wv_told_kind(w->rules, kind, node->valuestring,
			(size_t)node->valueint, !w->disown);
		if (kind == NULL)
			return;
	}
	w->text.n = 0;
	wv_add_mark(&w->text, kind);
	set_text(w, node, w->text.s, w->text.n);
	note_kind(w, place, kind);
	note_path(w, place);
}

static void
walk_names(struct walk *w, cJSON *object, const struct wv_place *place)
{
	bool changed = false, any_redacted = false, redacted;

	wv_json_each(member, object) {
		/* The name is not shown yet. */
		w->here = place;
		if (is_passed(w, member->string) ||
			!purify(w, member->string, strlen(member->string),
				&redacted))
			continue;
		member->string = wv_dupn(w->arena, w->text.s, w->text.n);
		changed = true;
		any_redacted = any_redacted || redacted;
	}
	if (changed)
		wv_separate_names(w->arena, object);
	if (!any_redacted)
		return;
	wv_json_each(member, object) {
		struct wv_place here = { place, member->string, 0 };
		if (strstr(member->string, "[REDACTED:") != NULL)
			note_path(w, &here);
	}
}

/* The kind of a string or number that its name gives away together with
 * itself. */
static const char *
member_kind(struct walk *w, const cJSON *member)
{
	const char *name = member->string, *kind;

	if (wv_is_string(member))
		return wv_member_kind(w->rules, name, strlen(name),
			member->valuestring, (size_t)member->valueint);
	if (!wv_is_number(member))
		return NULL;
	w->bytes.n = 0;
	wv_json_write(&w->bytes, member);
	kind = wv_member_kind(
		w->rules, name, strlen(name), w->bytes.s, w->bytes.n);
	return kind != NULL && strcmp(kind, "card") == 0 ? kind : NULL;
}

/* A row below names. */
static void
walk_row(struct walk *w, cJSON *row, const struct wv_place *place, size_t depth,
	const cJSON *header)
{
	struct wv_place here = { place, NULL, 0 };
	const cJSON *name = header->child;

	wv_json_each(cell, row) {
		const char *kind = NULL;
		if (name != NULL) {
			kind = wv_column_kind(w->rules, name);
			name = name->next;
		}
		if (kind != NULL)
			walk_secret(w, cell, &here, kind);
		else
			walk_value(w, cell, &here, depth + 1);
		here.index++;
	}
}

/* What may be rows below names that stand beside them. */
static void
walk_rows(struct walk *w, cJSON *rows, const struct wv_place *place,
	size_t depth, const cJSON *columns)
{
	struct wv_place here = { place, NULL, 0 };

	wv_json_each(row, rows) {
		if (wv_is_array(row) && depth + 1 < MAX_DEPTH)
			walk_row(w, row, &here, depth + 1, columns);
		else
			walk_value(w, row, &here, depth + 1);
		here.index++;
	}
}

static void
walk_value(
	struct walk *w, cJSON *node, const struct wv_place *place, size_t depth)
{
	struct wv_place here = { place, NULL, 0 };
	const char *paired = NULL;
	const cJSON *header, *columns = NULL;

	if (wv_is_string(node)) {
		walk_string(w, node, place);
		return;
	}
	if (node->child == NULL)
		return;
	if (depth == MAX_DEPTH) {
		static const char withheld[] = "[WITHHELD:depth]";
		set_text(w, node, withheld, strlen(withheld));
		note_kind(w, place, "depth");
		return;
	}
	if (wv_is_object(node)) {
		walk_names(w, node, place);
		paired = wv_pair_kind(w->rules, node);
		columns = wv_columns_beside(w->rules, node);
	}
	header = wv_header_row(w->rules, node);
	wv_json_each(child, node) {
		const char *kind = NULL;
		if (wv_is_object(node)) {
			here.name = child->string;
			kind = wv_telling_kind(
				w->rules, child->string, strlen(child->string));
			if (kind == NULL)
				kind = member_kind(w, child);
			if (kind == NULL && wv_is_pair_value(child->string))
				kind = paired;
		}
		if (kind != NULL && !wv_is_description(child))
			walk_secret(w, child, &here, kind);
		else if (header != NULL && child != header &&
			wv_is_array(child) && depth + 1 < MAX_DEPTH)
			walk_row(w, child, &here, depth + 1, header);
		else if (columns != NULL && child != columns &&
			wv_is_array(child) && depth + 1 < MAX_DEPTH)
			walk_rows(w, child, &here, depth + 1, columns);
		else
			walk_value(w, child, &here, depth + 1);
		here.index++;
	}
}

static void
walk_root(struct walk *w, cJSON *root)
{
	struct wv_place place = { 0 };

	w->spot = w->findings->spot;
	w->spot_arg = w->findings->spot_arg;
	if (w->spot != NULL) {
		w->findings->spot = tell_spot;
		w->findings->spot_arg = w;
	}
	walk_value(w, root, &place, 0);
	w->findings->spot = w->spot;
	w->findings->spot_arg = w->spot_arg;
	wv_str_free(&w->bytes);
	wv_str_free(&w->text);
}

void
wv_redact_tree(
	struct wv_arena *arena, cJSON *root, struct wv_findings *findings)
{
	struct wv_findings unwanted = { 0 };
	struct walk w = { .arena = arena,
		.findings = findings ? findings : &unwanted };

	walk_root(&w, root);
}

void
wv_clean_redact_tree(struct wv_arena *arena, cJSON *root,
	const struct wv_firewall_options *options,
	const struct wv_glance *glance, struct wv_findings *findings)
{
	struct walk w = { .arena = arena,
		.rules = options->rules,
		.options = options,
		.glance = glance,
		.findings = findings,
		.clean = true,
		.disown = !options->is_marked };

	walk_root(&w, root);
}

const char *
wv_tree_kind(struct wv_arena *arena, cJSON *root, const struct wv_rules *rules,
	int depth)
{
	struct wv_findings findings = { 0 };
	struct walk w = { .arena = arena,
		.rules = rules,
		.findings = &findings,
		.clean = true,
		.disown = true,
		.depth = depth };

	walk_root(&w, root);
	return findings.kind_count > 0 ? findings.kinds[0] : NULL;
}
