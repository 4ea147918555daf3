/* SPDX-License-Identifier: Apache-2.0 */
/* Structured data within budgets: what is too much is left out and said. */
#include "firewall/bound-internal.h"

#include "text/count.h"

#include <string.h>

enum {
	MAX_NOTED = 100,
	MAX_POINTERS = 2048, /* bytes of all that are noted */
};

/* No more than what is written takes. */
static void
spend(struct wv_attempt *a, size_t bytes)
{
	a->full = a->full || bytes > a->left;
	a->left -= a->full ? 0 : bytes;
}

/* True for the first of its kind, which is told in full. */
static bool
note(struct wv_attempt *a, enum wv_cut_kind kind, const struct wv_place *place)
{
	struct wv_cut_note *cut = &a->cuts[kind];

	if (cut->count++ > 0 && a->noted_count == MAX_NOTED)
		return false;
	const char *pointer = wv_place_pointer(a->arena, place);
	a->noted_bytes += strlen(pointer);
	if (a->noted_bytes > MAX_POINTERS)
		a->noted_count = MAX_NOTED;
	if (a->noted_count < MAX_NOTED) {
		wv_push(a->noted, wv_json_string(a->arena, pointer));
		a->noted_count++;
	}
	if (cut->count > 1)
		return false;
	cut->where = pointer;
	return true;
}

void
wv_bound_note(struct wv_attempt *a, enum wv_cut_kind kind,
	const struct wv_place *place, size_t kept, size_t total)
{
	if (note(a, kind, place)) {
		a->cuts[kind].kept = kept;
		a->cuts[kind].total = total;
	}
}

/* The same for a container, counted only when that is told. */
static void
note_members(struct wv_attempt *a, enum wv_cut_kind kind,
	const struct wv_place *place, size_t kept, const cJSON *of)
{
	if (note(a, kind, place)) {
		a->cuts[kind].kept = kept;
		a->cuts[kind].total = wv_count(of);
	}
}

/* What of a text is left if it has more than the bytes allowed; else NULL. */
static const char *
bound_text(struct wv_attempt *a, const char *s, size_t n, size_t *kept)
{
	static const char mark[] = "…";
	char *text;

	*kept = n <= a->most.bytes ? n : wv_text_cut(s, n, a->most.bytes);
	spend(a, *kept + 2);
	wv_bound_meet(&a->met.bytes, n < a->most.bytes ? n : a->most.bytes);
	if (*kept == n)
		return NULL;
	text = wv_alloc(a->arena, *kept + sizeof(mark));
	memcpy(text, s, *kept);
	memcpy(text + *kept, mark, sizeof(mark));
	return text;
}

/* A longer string cut, else NULL. */
cJSON *
wv_bound_string(struct wv_attempt *a, const char *s, size_t n,
	const struct wv_place *place)
{
	size_t kept;
	const char *text = bound_text(a, s, n, &kept);

	if (text == NULL)
		return NULL;
	wv_bound_note(a, WV_CUT_STRING, place, kept, n);
	return wv_json_string(a->arena, text);
}

/* Of a value that is neither text nor holds others. */
static size_t
size_of(const cJSON *node)
{
	if (wv_is_number(node))
		return node->valuestring ? (size_t)node->valueint : 1;
	return wv_is_false(node) ? 5 : 4;
}

/* The same without its place; what it says is not copied. */
static cJSON *
share(struct wv_attempt *a, const cJSON *from)
{
	cJSON *to = wv_alloc(a->arena, sizeof(*to));

	*to = *from;
	to->next = to->prev = NULL;
	to->string = NULL;
	return to;
}

static cJSON *bound_value(struct wv_attempt *a, const cJSON *from,
	const struct wv_place *place, size_t depth);

static cJSON *
bound_array(struct wv_attempt *a, const cJSON *from,
	const struct wv_place *place, size_t depth)
{
	cJSON *to = wv_json_array(a->arena);
	struct wv_place here = { place, NULL, 0 };

	wv_json_each(item, from) {
		if (here.index == a->most.rows) {
			note_members(a, WV_CUT_ITEMS, place, here.index, from);
			break;
		}
		wv_bound_meet(&a->met.rows, here.index + 1);
		spend(a, here.index > 0); /* a comma */
		wv_push(to, bound_value(a, item, &here, depth + 1));
		if (a->full)
			break;
		here.index++;
	}
	return to;
}

static cJSON *
bound_object(struct wv_attempt *a, const cJSON *from,
	const struct wv_place *place, size_t depth)
{
	cJSON *to = wv_json_object(a->arena);
	bool names_cut = false;
	size_t members = 0, kept;

	wv_json_each(member, from) {
		struct wv_place here = { place, member->string, 0 };
		size_t n = strlen(member->string);
		if (members++ == a->most.fields) {
			note_members(
				a, WV_CUT_MEMBERS, place, members - 1, from);
			break;
		}
		wv_bound_meet(&a->met.fields, members);
		spend(a, members > 1 ? 2 : 1); /* a comma and a colon */
		cJSON *value = bound_value(a, member, &here, depth + 1);
		const char *name = bound_text(a, member->string, n, &kept);
		value->string = name ? (char *)name : member->string;
		if (name != NULL) {
			wv_bound_note(a, WV_CUT_STRING, &here, kept, n);
			names_cut = true;
		}
		wv_push(to, value);
		if (a->full)
			break;
	}
	if (names_cut)
		wv_separate_names(a->arena, to);
	return to;
}

static cJSON *
bound_value(struct wv_attempt *a, const cJSON *from,
	const struct wv_place *place, size_t depth)
{
	bool is_object = wv_is_object(from);
	cJSON *cut = NULL;

	if (wv_is_string(from))
		cut = wv_bound_string(
			a, from->valuestring, (size_t)from->valueint, place);
	if (!is_object && !wv_is_array(from)) {
		spend(a, wv_is_string(from) ? 0 : size_of(from));
		return cut != NULL ? cut : share(a, from);
	}
	spend(a, 2);
	if (depth < a->most.depth)
		wv_bound_meet(&a->met.depth, depth + 1);
	if (depth < a->most.depth)
		return is_object ? bound_object(a, from, place, depth)
				 : bound_array(a, from, place, depth);
	note_members(a, WV_CUT_DEEP, place, 0, from);
	return wv_json_string(a->arena,
		wv_printf(a->arena, "[CUT:%s of %zu]",
			is_object ? "object" : "array", wv_count(from)));
}

/* Tightens what costs most and tells least; false when nothing is left. */
static bool
tighten(struct wv_bounds *b)
{
	if (b->bytes > 1024)
		b->bytes = 1024;
	else if (b->rows > 8)
		b->rows = b->rows * 3 / 4;
	else if (b->bytes > 128)
		b->bytes /= 2;
	else if (b->fields > 8)
		b->fields = b->fields * 3 / 4;
	else if (b->rows > 1)
		b->rows--;
	else if (b->bytes > 8)
		b->bytes /= 2;
	else if (b->depth > 2)
		b->depth--;
	else if (b->fields > 1)
		b->fields--;
	else
		return false;
	return true;
}

/* What would become the same again is not tried. */
static bool
tighten_until(struct wv_bounds *b, const struct wv_bounds *met)
{
	while (tighten(b))
		if (b->rows < met->rows || b->fields < met->fields ||
			b->depth < met->depth || b->bytes < met->bytes)
			return true;
	return false;
}

void
wv_bound_add_cut(
	struct wv_arena *arena, struct wv_findings *f, const char *text)
{
	/* One more: that the output was only a beginning. */
	if (f->cut == NULL)
		f->cut = wv_alloc(arena, (WV_CUT_KINDS + 1) * sizeof(*f->cut));
	f->cut[f->cut_count++] = text;
}

static void
report(const struct wv_attempt *a, struct wv_findings *f)
{
	static const char *const units[WV_CUT_KINDS] = {
		[WV_CUT_ITEMS] = "items",
		[WV_CUT_MEMBERS] = "members",
		[WV_CUT_DEEP] = "values at the deepest level",
		[WV_CUT_STRING] = "bytes",
	};

	for (int kind = 0; kind < WV_CUT_KINDS; kind++) {
		const struct wv_cut_note *cut = &a->cuts[kind];
		struct wv_str text = { 0 };
		if (cut->count == 0)
			continue;
		wv_str_fmt(&text, "%s: %zu of %zu %s kept",
			*cut->where ? cut->where : "(top)", cut->kept,
			cut->total, units[kind]);
		if (cut->count > 1)
			wv_str_fmt(&text, " (and %zu more)", cut->count - 1);
		wv_bound_add_cut(
			a->arena, f, wv_dupn(a->arena, text.s, text.n));
		wv_str_free(&text);
	}
}

cJSON *
wv_bound(struct wv_arena *arena, wv_bound_maker *make, const void *from,
	const struct wv_firewall_options *options, struct wv_findings *findings,
	cJSON **cut_pointers)
{
	struct wv_bounds most = { options->max_rows, options->max_fields,
		options->max_depth, options->max_bytes };
	struct wv_str json = { 0 };
	struct wv_attempt a;

	do {
		a = (struct wv_attempt){ .arena = arena,
			.most = most,
			.left = options->max_bytes,
			.noted = wv_json_array(arena) };
		cJSON *made = make(&a, from);
		json.n = 0;
		if (!a.full)
			wv_json_write(&json, made);
		if (a.full || json.n > options->max_bytes)
			continue;
		wv_str_free(&json);
		report(&a, findings);
		*cut_pointers = a.noted;
		return made;
	} while (tighten_until(&most, &a.met));
	wv_str_free(&json);
	wv_bound_add_cut(arena, findings, "(top): nothing fits the budget");
	*cut_pointers = wv_json_array(arena);
	wv_push(*cut_pointers, wv_json_string(arena, ""));
	return wv_json_object(arena);
}

static cJSON *
make_tree(struct wv_attempt *a, const void *from)
{
	struct wv_place root = { 0 };

	return bound_value(a, from, &root, 0);
}

cJSON *
wv_bound_tree(struct wv_arena *arena, const cJSON *object,
	const struct wv_firewall_options *options, struct wv_findings *findings,
	cJSON **cut_pointers)
{
	return wv_bound(
		arena, make_tree, object, options, findings, cut_pointers);
}
