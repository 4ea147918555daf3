/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions aimed at the model: told of, or withheld with what stands
 * around them. */
#include "firewall/glance.h"
#include "firewall/inject.h"
#include "firewall/internal.h"
#include "firewall/scan-internal.h"

#include <stdlib.h>
#include <string.h>

enum {
	FOUND = 64,    /* told at once */
	AROUND = 1024, /* bytes of a paragraph before or after one */
};

static const char withheld[] = "[WITHHELD:injection]";

struct guard {
	struct wv_arena *arena;
	struct wv_findings *findings;
	bool withhold;
	bool is_raw; /* what is hidden is looked for, else what is said */
	bool disown; /* marks that are not ours */
	struct wv_guarded *guarded;     /* of a raw tree */
	const struct wv_glance *glance; /* at a tree; or NULL */
	const struct wv_rules *rules;   /* which kinds there are */
	size_t seen; /* bytes that scan() has looked through */
	struct wv_injection found[FOUND];
};

static void
count_injection(struct wv_findings *f, struct wv_arena *arena, const char *kind)
{
	enum { KINDS = 16 }; /* of injections, and a few more */
	size_t i = 0;

	if (f->injections == NULL) {
		f->injections =
			wv_alloc_zero(arena, KINDS * sizeof(*f->injections));
		f->injection_counts = wv_alloc_zero(
			arena, KINDS * sizeof(*f->injection_counts));
	}
	while (i < f->injection_count && strcmp(f->injections[i], kind) != 0)
		i++;
	if (i == f->injection_count && i < KINDS - 1)
		f->injections[f->injection_count++] = kind;
	f->injection_counts[i]++;
}

void
wv_findings_add(struct wv_findings *f, struct wv_arena *arena, const char *kind)
{
	if (strncmp(kind, "injection-", strlen("injection-")) == 0)
		count_injection(f, arena, kind);
	else
		wv_findings_kind(f, arena, kind);
}

static void
tell(struct guard *g, const struct wv_injection *one, const char *pointer)
{
	struct wv_findings *f = g->findings;

	count_injection(f, g->arena, one->kind);
	wv_findings_spot(f,
		&(struct wv_spot){ .kind = one->kind,
			.pointer = pointer,
			.is_raw = g->is_raw,
			.offset = one->start,
			.length = one->end - one->start });
}

/* Those of the kinds that are looked for, in as much as is seen at once. */
static size_t
scan(struct guard *g, const char *s, size_t n)
{
	size_t kept = 0;
	size_t count = g->is_raw ? wv_inject_hidden(s, n, g->found, FOUND)
				 : wv_inject_said(s, n, g->found, FOUND);

	g->seen = count == FOUND ? g->found[count - 1].end : n;
	for (size_t i = 0; i < count; i++)
		if (wv_rules_has(g->rules, g->found[i].kind))
			g->found[kept++] = g->found[i];
	return kept;
}

static bool
is_blank_line(const char *s, size_t at, size_t n)
{
	return at < n &&
		(s[at] == '\n' ||
			(s[at] == '\r' && at + 1 < n && s[at + 1] == '\n'));
}

/* From where the paragraph of `at` goes, but not before from. */
static size_t
paragraph_start(const char *s, size_t n, size_t from, size_t at)
{
	size_t start = at;

	for (size_t i = at; i > from; i--) {
		if (s[i - 1] != '\n')
			continue;
		start = i;
		if (i < at && is_blank_line(s, i, n))
			return at - i > 1 ? start + 1 + (s[i] == '\r') : at;
		if (at - i > AROUND)
			return start;
	}
	return from;
}

/* The line feed that ends it stays. */
static size_t
paragraph_end(const char *s, size_t n, size_t at)
{
	for (size_t i = at; i < n; i++)
		if (s[i] == '\n' &&
			(is_blank_line(s, i + 1, n) || i - at > AROUND))
			return i;
	return n;
}

static void
add_shown(struct guard *g, struct wv_str *out, const char *s, size_t n)
{
	struct wv_findings ignored = { 0 };
	size_t from = out->n;

	if (!g->is_raw) {
		wv_inject_inert(out, s, n);
		return;
	}
	wv_clean(out, s, n, &ignored);
	if (g->disown && out->n > from)
		g->findings->forged +=
			wv_disown_marks(out->s + from, out->n - from);
}

/* The paragraphs of what was found in s[*at…) are left out. */
static void
leave_out(struct guard *g, struct wv_str *out, const char *s, size_t n,
	size_t *at, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct wv_injection *one = &g->found[i];
		if (one->end <= *at)
			continue;
		size_t from = one->start > *at
			? paragraph_start(s, n, *at, one->start)
			: *at;
		add_shown(g, out, s + *at, from - *at);
		wv_str_cat(out, withheld);
		g->findings->withheld++;
		*at = paragraph_end(s, n, one->end);
	}
}

static bool
guard_text(struct guard *g, struct wv_str *out, const char *s, size_t n)
{
	size_t from = 0, at = 0, count;

	do {
		count = scan(g, s + from, n - from);
		for (size_t i = 0; i < count; i++) {
			g->found[i].start += from;
			g->found[i].end += from;
			tell(g, &g->found[i], NULL);
		}
		if (g->withhold)
			leave_out(g, out, s, n, &at, count);
		from += g->seen;
		from = from > at ? from : at;
	} while (from < n);
	if (!g->withhold || (g->is_raw && at == 0))
		return false;
	add_shown(g, out, s + at, n - at);
	if (at > 0)
		return true;
	bool changed = out->n != n || memcmp(out->s, s, n) != 0;
	g->findings->inert += changed;
	return changed;
}

static struct guard
new_guard(struct wv_arena *arena, const struct wv_firewall_options *options,
	struct wv_findings *findings, bool is_raw)
{
	return (struct guard){ .arena = arena,
		.findings = findings,
		.withhold = options->injection == WV_INJECTION_WITHHOLD,
		.rules = wv_rules_or_built_in(options->rules),
		.is_raw = is_raw,
		.disown = !options->is_marked };
}

bool
wv_guard_text(struct wv_str *out, struct wv_arena *arena, const char *s,
	size_t n, const struct wv_firewall_options *options,
	struct wv_findings *findings)
{
	struct guard g = new_guard(arena, options, findings, false);

	return guard_text(&g, out, s, n);
}

bool
wv_guard_raw(struct wv_str *out, struct wv_arena *arena, const char *raw,
	size_t n, const struct wv_firewall_options *options,
	struct wv_findings *findings)
{
	struct guard g = new_guard(arena, options, findings, true);

	return guard_text(&g, out, raw, n);
}

/* A name may be a secret until it is redacted. */
static const char *
shown_pointer(struct guard *g, const struct wv_place *place)
{
	const char *pointer = wv_place_pointer(g->arena, place);
	struct wv_findings ignored = { 0 };
	struct wv_str clean = { 0 }, shown = { 0 };

	if (!g->is_raw)
		return pointer;
	wv_clean(&clean, pointer, strlen(pointer), &ignored);
	if (clean.n > 0)
		wv_redact(&shown, clean.s, clean.n, g->arena, NULL);
	pointer = wv_dupn(g->arena, shown.n > 0 ? shown.s : "", shown.n);
	wv_str_free(&clean);
	wv_str_free(&shown);
	return pointer;
}

/* There is nothing in it that is looked for. */
static bool
is_passed(const struct guard *g, const char *s)
{
	unsigned what = g->is_raw ? WV_SEEN_UNCLEAN : WV_SEEN_ORDER;

	return (wv_glance_marks(g->glance, s) & what) == 0;
}

/* What stands for a string or name, or NULL: it stays. */
static const char *
guard_string(
	struct guard *g, const char *s, size_t n, const struct wv_place *place)
{
	size_t count = scan(g, s, n);
	struct wv_str inert = { 0 };
	const char *shown = NULL, *pointer = NULL;

	if (count > 0 && g->findings->spot != NULL)
		pointer = shown_pointer(g, place);
	for (size_t i = 0; i < count; i++)
		tell(g, &g->found[i], pointer);
	if (!g->withhold)
		return NULL;
	g->findings->withheld += count > 0;
	if (count > 0)
		return withheld;
	if (g->is_raw)
		return NULL;
	wv_inject_inert(&inert, s, n);
	if (inert.n != n || memcmp(inert.s ? inert.s : "", s, n) != 0)
		shown = wv_dupn(g->arena, inert.s, inert.n);
	g->findings->inert += shown != NULL;
	wv_str_free(&inert);
	return shown;
}

/* Now, or when the tree is no longer raw. */
static void
replace(struct guard *g, cJSON *node, const char *shown)
{
	struct wv_guarded *guarded = g->guarded;

	if (guarded == NULL) {
		node->valuestring = wv_dup(g->arena, shown);
		node->valueint = (int)strlen(shown);
		return;
	}
	guarded->nodes = wv_list_room(
		guarded->nodes, guarded->count, sizeof(*guarded->nodes));
	guarded->nodes[guarded->count++] =
		(struct wv_guarded_node){ node, NULL };
}

static void
guard_names(struct guard *g, cJSON *object, const struct wv_place *place)
{
	bool changed = false;

	wv_json_each(member, object) {
		if (is_passed(g, member->string))
			continue;
		const char *shown = guard_string(
			g, member->string, strlen(member->string), place);
		if (shown == NULL)
			continue;
		if (g->guarded != NULL) {
			replace(g, member, shown);
			g->guarded->nodes[g->guarded->count - 1].object =
				object;
			continue;
		}
		member->string = wv_dup(g->arena, shown);
		changed = true;
	}
	if (changed)
		wv_separate_names(g->arena, object);
}

static void
guard_value(struct guard *g, cJSON *node, const struct wv_place *place,
	size_t depth)
{
	struct wv_place here = { place, NULL, 0 };

	if (wv_is_string(node)) {
		if (is_passed(g, node->valuestring))
			return;
		const char *shown = guard_string(
			g, node->valuestring, (size_t)node->valueint, place);
		if (shown != NULL)
			replace(g, node, shown);
		return;
	}
	if (node->child == NULL || depth == WV_TREE_DEPTH)
		return;
	if (wv_is_object(node))
		guard_names(g, node, place);
	wv_json_each(child, node) {
		if (wv_is_object(node))
			here.name = child->string;
		guard_value(g, child, &here, depth + 1);
		here.index++;
	}
}

void
wv_guard_tree(struct wv_arena *arena, cJSON *root,
	const struct wv_firewall_options *options,
	const struct wv_glance *glance, struct wv_findings *findings)
{
	struct guard g = new_guard(arena, options, findings, false);
	struct wv_place place = { 0 };

	/* Every text may have links. */
	if (!g.withhold)
		g.glance = glance;
	if (wv_glance_any(g.glance) & WV_SEEN_ORDER)
		guard_value(&g, root, &place, 0);
}

void
wv_guard_raw_tree(struct wv_guarded *guarded, struct wv_arena *arena,
	cJSON *root, const struct wv_firewall_options *options,
	const struct wv_glance *glance, struct wv_findings *findings)
{
	struct guard g = new_guard(arena, options, findings, true);
	struct wv_place place = { 0 };

	*guarded = (struct wv_guarded){ 0 };
	if ((wv_glance_any(glance) & WV_SEEN_UNCLEAN) == 0)
		return;
	g.glance = glance;
	g.guarded = guarded;
	guard_value(&g, root, &place, 0);
}

void
wv_guarded_withhold(struct wv_guarded *guarded, struct wv_arena *arena)
{
	cJSON *object = NULL; /* whose names are not apart yet */

	for (size_t i = 0; i < guarded->count; i++) {
		const struct wv_guarded_node *one = &guarded->nodes[i];
		if (object != NULL && object != one->object)
			wv_separate_names(arena, object);
		object = one->object;
		if (object != NULL) {
			one->node->string = wv_dup(arena, withheld);
		} else {
			one->node->type = cJSON_String;
			one->node->child = NULL;
			one->node->valuestring = wv_dup(arena, withheld);
			one->node->valueint = (int)strlen(withheld);
		}
	}
	if (object != NULL)
		wv_separate_names(arena, object);
	free(guarded->nodes);
}
