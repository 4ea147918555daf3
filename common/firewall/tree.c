/* SPDX-License-Identifier: Apache-2.0 */
/* Cleaning and redacting of trees. */
#include "firewall/scan.h"
#include "firewall/tree-internal.h"

#include <string.h>

/* Of which some are others now. */
static void
note_names(struct wv_tree_walk *w, cJSON *object)
{
	wv_separate_names(w->arena, object);
	wv_json_each(member, object)
		if (wv_glance_marks(w->glance, member->string) == WV_SEEN_NOT)
			wv_glance_note(w->glance, &member->string);
}

static void
walk_names(struct wv_tree_walk *w, cJSON *object, const struct wv_place *place)
{
	bool changed = false, any_redacted = false, redacted;

	w->here = place; /* the name is not shown yet */
	wv_json_each(member, object) {
		if (wv_walk_passes(w, WV_SEEN_CHANGE, member->string) ||
			!wv_walk_purify(w, member->string,
				strlen(member->string), &redacted))
			continue;
		member->string = wv_dupn(w->arena, w->text.s, w->text.n);
		changed = true;
		any_redacted = any_redacted || redacted;
	}
	if (changed)
		note_names(w, object);
	if (!any_redacted)
		return;
	wv_json_each(member, object) {
		struct wv_place here = { place, member->string, 0 };
		if (strstr(member->string, "[REDACTED:") != NULL)
			wv_walk_note_path(w, &here);
	}
}

/* The kind of a string or number that its name gives away together with
 * itself. */
static const char *
member_kind(struct wv_tree_walk *w, const cJSON *member)
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
walk_row(struct wv_tree_walk *w, cJSON *row, const struct wv_place *place,
	size_t depth, const cJSON *header)
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
			wv_walk_secret(w, cell, &here, kind);
		else
			wv_walk_value(w, cell, &here, depth + 1);
		here.index++;
	}
}

/* What may be rows below names, which stand beside them or are the first. */
static void
walk_rows(struct wv_tree_walk *w, cJSON *rows, const struct wv_place *place,
	size_t depth, const cJSON *header)
{
	struct wv_place here = { place, NULL, 0 };

	wv_json_each(row, rows) {
		if (row != header && wv_is_array(row) &&
			depth + 1 < WV_TREE_DEPTH)
			walk_row(w, row, &here, depth + 1, header);
		else
			wv_walk_value(w, row, &here, depth + 1);
		here.index++;
	}
}

/* Each a name and a value. */
static void
walk_pairs(struct wv_tree_walk *w, cJSON *rows, const struct wv_place *place,
	size_t depth)
{
	struct wv_place row_place = { place, NULL, 0 };

	wv_json_each(row, rows) {
		struct wv_place here = { &row_place, NULL, 0 };
		const char *kind = wv_pair_row_kind(w->rules, row);
		wv_walk_value(w, row->child, &here, depth + 2);
		here.index++;
		if (kind != NULL)
			wv_walk_secret(w, row->child->next, &here, kind);
		else
			wv_walk_value(w, row->child->next, &here, depth + 2);
		row_place.index++;
	}
}

/* The kind of a member by its name and what is beside it. */
static const char *
kind_of(struct wv_tree_walk *w, const cJSON *member, const char *paired)
{
	const char *name = member->string, *kind = NULL;

	if (!wv_walk_passes(w, WV_SEEN_NAME, name))
		kind = wv_telling_kind(w->rules, name, strlen(name));
	if (kind == NULL && !wv_walk_passes(w, WV_SEEN_NAME, name))
		kind = member_kind(w, member);
	if (kind == NULL && paired != NULL && wv_is_pair_value(name))
		kind = paired;
	return kind != NULL && !wv_is_description(member) ? kind : NULL;
}

/* Of an object in which a name tells what something is. */
static void
walk_told(struct wv_tree_walk *w, cJSON *object, const struct wv_place *place,
	size_t depth)
{
	struct wv_place here = { place, NULL, 0 };
	const char *paired = wv_pair_kind(w->rules, object);
	const cJSON *columns = wv_columns_beside(w->rules, object);

	wv_json_each(child, object) {
		here.name = child->string;
		const char *kind = kind_of(w, child, paired);
		if (kind != NULL)
			wv_walk_secret(w, child, &here, kind);
		else if (columns != NULL && child != columns &&
			wv_is_array(child) && depth + 1 < WV_TREE_DEPTH)
			walk_rows(w, child, &here, depth + 1, columns);
		else
			wv_walk_value(w, child, &here, depth + 1);
	}
}

static void
walk_children(struct wv_tree_walk *w, cJSON *node, const struct wv_place *place,
	size_t depth)
{
	struct wv_place here = { place, NULL, 0 };

	wv_json_each(child, node) {
		here.name = child->string;
		if (child->child != NULL || wv_is_string(child))
			wv_walk_value(w, child, &here, depth + 1);
		here.index++;
	}
}

static void
walk_array(struct wv_tree_walk *w, cJSON *rows, const struct wv_place *place,
	size_t depth)
{
	const cJSON *header = NULL;
	bool may_tell = (wv_glance_any(w->glance) & WV_SEEN_NAME) != 0;

	if (may_tell)
		header = wv_header_row(w->rules, rows);
	if (header != NULL)
		walk_rows(w, rows, place, depth, header);
	else if (may_tell && depth + 1 < WV_TREE_DEPTH &&
		wv_are_pairs(w->rules, rows))
		walk_pairs(w, rows, place, depth);
	else
		walk_children(w, rows, place, depth);
}

/* What is marked of members says what has to be done at all. */
static void
walk_object(struct wv_tree_walk *w, cJSON *object, const struct wv_place *place,
	size_t depth)
{
	unsigned names = 0, values = 0;

	wv_json_each(member, object) {
		names |= wv_glance_marks(w->glance, member->string);
		if (wv_is_string(member))
			values |=
				wv_glance_marks(w->glance, member->valuestring);
		else if (member->child != NULL)
			values |= WV_SEEN_JSON;
	}
	if (names & WV_SEEN_CHANGE)
		walk_names(w, object, place);
	/* A name that is another now was not looked at; a string may name the
	 * value beside it. */
	if ((names & (WV_SEEN_CHANGE | WV_SEEN_NAME)) ||
		(values & WV_SEEN_NAME))
		walk_told(w, object, place, depth);
	else if (values & (WV_SEEN_CHANGE | WV_SEEN_JSON))
		walk_children(w, object, place, depth);
}

void
wv_walk_value(struct wv_tree_walk *w, cJSON *node, const struct wv_place *place,
	size_t depth)
{
	static const char withheld[] = "[WITHHELD:depth]";

	if (wv_is_string(node)) {
		if (!wv_walk_passes(w, WV_SEEN_CHANGE | WV_SEEN_JSON,
			    node->valuestring))
			wv_walk_string(w, node, place);
	} else if (node->child == NULL) {
		return;
	} else if (depth == WV_TREE_DEPTH) {
		wv_walk_set(w, node, withheld, strlen(withheld));
		wv_walk_note_kind(w, place, "depth");
	} else if (wv_is_array(node)) {
		walk_array(w, node, place, depth);
	} else {
		walk_object(w, node, place, depth);
	}
}

bool
wv_walk_is_idle(const struct wv_glance *glance)
{
	const unsigned what = WV_SEEN_CHANGE | WV_SEEN_NAME | WV_SEEN_JSON;

	return (wv_glance_any(glance) & what) == 0 && !glance->is_deep;
}

/* What was found in a string of the tree stands where that string does. */
static void
tell_spot(void *arg, const struct wv_spot *spot)
{
	const struct wv_tree_walk *w = arg;
	struct wv_spot here = { .kind = spot->kind,
		.pointer = wv_place_pointer(w->arena, w->here) };

	w->spot(w->spot_arg, &here);
}

static void
walk_root(struct wv_tree_walk *w, cJSON *root)
{
	struct wv_place place = { 0 };

	if (wv_walk_is_idle(w->glance))
		return;
	w->spot = w->findings->spot;
	w->spot_arg = w->findings->spot_arg;
	if (w->spot != NULL) {
		w->findings->spot = tell_spot;
		w->findings->spot_arg = w;
	}
	wv_walk_value(w, root, &place, 0);
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
	struct wv_tree_walk w = { .arena = arena,
		.findings = findings ? findings : &unwanted };

	walk_root(&w, root);
}

void
wv_clean_redact_tree(struct wv_arena *arena, cJSON *root,
	const struct wv_firewall_options *options, struct wv_glance *glance,
	struct wv_findings *findings)
{
	struct wv_tree_walk w = { .arena = arena,
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
	struct wv_tree_walk w = { .arena = arena,
		.rules = rules,
		.findings = &findings,
		.clean = true,
		.disown = true,
		.depth = depth };

	walk_root(&w, root);
	return findings.kind_count > 0 ? findings.kinds[0] : NULL;
}
