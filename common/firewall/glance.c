/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/glance.h"

#include "firewall/distinct.h"
#include "firewall/find.h"
#include "firewall/inject.h"
#include "firewall/internal.h"
#include "firewall/known.h"
#include "firewall/names.h"

#include <stdlib.h>
#include <string.h>

bool wv_glance_never;

enum { LONG = 256 }; /* bytes of a string that is worth passing over */

/* The strings that differ, and what is found of them. */
struct look {
	const struct wv_rules *rules;
	const struct wv_distinct *strings;
	const char *s; /* theirs */
	size_t n;
	uint8_t *marks; /* as those of a glance */
};

static void
mark(struct look *look, size_t at, unsigned what)
{
	look->marks[at / WV_GLANCE_GRAIN] |= (uint8_t)what;
}

static bool
is_marked(const struct look *look, size_t at, unsigned what)
{
	return (look->marks[at / WV_GLANCE_GRAIN] & what) != 0;
}

static inline bool
may_be_tree(const char *s, size_t n)
{
	bool may = *s <= ' ' || *s == '{' || *s == '[';

	return may && wv_may_be_tree(s, n);
}

/* By how they begin and end. */
static void
mark_shapes(struct look *look)
{
	const uint32_t *starts = look->strings->starts;
	const struct wv_name_ends *ends = wv_name_ends();
	bool has_own = look->rules->names > 0;

	for (size_t i = 0; i < look->strings->count; i++) {
		const char *s = look->s + starts[i];
		size_t n = starts[i + 1] - starts[i] - 1;
		if (may_be_tree(s, n))
			mark(look, starts[i], WV_SEEN_JSON);
		if ((has_own || wv_ends_as_name(ends, s, n)) &&
			wv_is_telling(look->rules, s, n))
			mark(look, starts[i], WV_SEEN_NAME);
	}
}

/* Strings that are JSON, and were read; in the order in which they stand. */
static void
mark_trees(struct look *look, const char *s, const struct wv_inner *inner)
{
	const struct wv_distinct *strings = look->strings;

	for (size_t i = 0; inner != NULL && i < strings->place_count; i++) {
		if (s + strings->places[i].at != inner->s)
			continue;
		mark(look, strings->places[i].start, WV_SEEN_TREE);
		inner = inner->next;
	}
}

/* Has what stands between long strings that are marked looked at; they get
 * another mark. */
static void
mark_between(struct look *look, unsigned what, unsigned then,
	void (*mark_part)(struct look *look, size_t from, size_t to))
{
	const uint32_t *starts = look->strings->starts;
	size_t from = 0;

	for (size_t i = 0; i < look->strings->count; i++) {
		if (starts[i + 1] - starts[i] <= LONG ||
			!is_marked(look, starts[i], what))
			continue;
		mark(look, starts[i], then);
		mark_part(look, from, starts[i]);
		from = starts[i + 1];
	}
	mark_part(look, from, look->n);
}

/* Where the next byte is that is neither plain nor a NUL, or n. */
static size_t
odd_byte(const char *s, size_t n, size_t at)
{
	while (at < n && (at += wv_plain_length(s + at, n - at)) < n &&
		s[at] == '\0')
		at++;
	return at;
}

static bool
is_clean(const char *s, size_t n, struct wv_str *scratch)
{
	struct wv_findings findings = { 0 };

	scratch->n = 0;
	wv_clean(scratch, s, n, &findings);
	return wv_findings_changes(&findings) == 0 && scratch->n == n &&
		memcmp(scratch->s, s, n) == 0;
}

/* What is clean hides nothing (wv_inject_hidden()). */
static void
mark_unclean(struct look *look)
{
	struct wv_piece piece = { 0, 0 };
	struct wv_str scratch = { 0 };

	for (size_t at;
		(at = odd_byte(look->s, look->n, piece.end)) < look->n;) {
		wv_piece_at(&piece, look->s, look->n, at);
		if (!is_clean(look->s + piece.start, piece.end - piece.start,
			    &scratch))
			mark(look, piece.start,
				WV_SEEN_UNCLEAN | WV_SEEN_CHANGE);
	}
	wv_str_free(&scratch);
}

/* Marks that may not be ours; a name is judged by what stands behind. */
static void
mark_marks(struct look *look)
{
	struct wv_piece piece = { 0, 0 };
	const char *at;

	while ((at = wv_next_mark(look->s + piece.end, look->n - piece.end)) !=
		NULL) {
		wv_piece_at(&piece, look->s, look->n, (size_t)(at - look->s));
		mark(look, piece.start, WV_SEEN_CHANGE | WV_SEEN_NAME);
	}
}

static void
mark_secrets(struct look *look, size_t from, size_t to)
{
	struct wv_piece piece = { from, from };

	while (wv_scan_pieces(look->rules, look->s, to, &piece))
		mark(look, piece.start, WV_SEEN_CHANGE);
}

/* Tables: a string of one line has none. */
static void
mark_tables(struct look *look)
{
	struct wv_piece piece = { 0, 0 };
	struct wv_hits hits = { 0 };
	const char *lf;

	while ((lf = memchr(look->s + piece.end, '\n', look->n - piece.end)) !=
		NULL) {
		wv_piece_at(&piece, look->s, look->n, (size_t)(lf - look->s));
		if (is_marked(look, piece.start, WV_SEEN_CHANGE | WV_SEEN_TREE))
			continue;
		wv_columns_find(look->rules, look->s + piece.start,
			piece.end - piece.start, &hits);
		if (hits.count > 0)
			mark(look, piece.start, WV_SEEN_CHANGE);
		hits.count = 0;
	}
	wv_hits_free(&hits);
}

static bool
has_encoded(struct look *look, const char *s, size_t n)
{
	struct wv_hits hits = { 0 };

	wv_decode_find(look->rules, s, n, 0, 0, &hits, NULL, NULL);
	bool found = hits.count > 0;
	wv_hits_free(&hits);
	return found;
}

/* What is going to change is looked into then. */
static void
mark_encoded(struct look *look, bool is_redacted, bool tell)
{
	struct wv_piece piece = { 0, 0 };
	struct wv_injection found[1];

	while (wv_decode_next(look->s, look->n, &piece)) {
		const char *s = look->s + piece.start;
		size_t n = piece.end - piece.start;
		bool changes = is_marked(look, piece.start, WV_SEEN_CHANGE);
		bool is_tree = is_marked(look, piece.start, WV_SEEN_TREE);
		if (!is_redacted && !changes && !is_tree &&
			has_encoded(look, s, n))
			mark(look, piece.start, WV_SEEN_CHANGE);
		if (tell && (changes || wv_inject_encoded(s, n, found, 1) > 0))
			mark(look, piece.start, WV_SEEN_ORDER);
	}
}

static void
mark_told(struct look *look, size_t from, size_t to)
{
	struct wv_piece piece = { from, from };

	while (wv_inject_pieces(look->s, to, &piece))
		mark(look, piece.start, WV_SEEN_ORDER);
}

/* What is known of strings by the nodes that hold them. */
struct nodes {
	struct wv_arena *arena;
	const struct wv_json_strings *strings;
	bool read;         /* JSON in strings is */
	uint64_t *numbers; /* bits of those that are none but numbers */
	struct wv_inner **last;
	bool is_deep;
};

/* Short ones are hardly looked at twice. */
static void
read_inner(struct nodes *nodes, const cJSON *string)
{
	struct wv_inner one = { .s = string->valuestring };
	size_t n = (size_t)string->valueint;

	if (n < LONG || !may_be_tree(one.s, n))
		return;
	one.tree = wv_json_read_strings(
		nodes->arena, one.s, n, &wv_json_defaults, &one.strings, NULL);
	if (one.tree == NULL)
		return;
	*nodes->last = wv_alloc(nodes->arena, sizeof(one));
	**nodes->last = one;
	nodes->last = &(*nodes->last)->next;
}

static void
see_nodes(struct nodes *nodes, const cJSON *node, size_t depth)
{
	nodes->is_deep |= depth >= WV_TREE_DEPTH;
	wv_json_each(child, node) {
		size_t at = (size_t)((uintptr_t)child->valuestring -
			(uintptr_t)nodes->strings->s);
		if (child->child != NULL)
			see_nodes(nodes, child, depth + 1);
		else if (at >= nodes->strings->n)
			continue;
		else if (wv_is_number(child))
			nodes->numbers[at / 64] |= UINT64_C(1) << at % 64;
		else if (nodes->read)
			read_inner(nodes, child);
	}
}

static struct look
new_look(struct wv_arena *arena, const struct wv_rules *rules, const char *s,
	size_t n, const uint64_t *numbers)
{
	const struct wv_distinct *strings = wv_distinct(arena, s, n, numbers);

	return (struct look){ .rules = rules,
		.strings = strings,
		.s = strings->s,
		.n = strings->n,
		.marks = wv_alloc_zero(
			arena, strings->n / WV_GLANCE_GRAIN + 1) };
}

static struct wv_glance *
end_look(const struct look *look, struct wv_arena *arena, const char *s,
	size_t n)
{
	struct wv_glance *g = wv_alloc(arena, sizeof(*g));

	*g = (struct wv_glance){ .s = s,
		.n = n,
		.marks = wv_alloc_zero(arena, n / WV_GLANCE_GRAIN + 1) };
	for (size_t i = 0; i < look->strings->place_count; i++) {
		const struct wv_distinct_place *place =
			&look->strings->places[i];
		uint8_t marks = look->marks[place->start / WV_GLANCE_GRAIN];
		if (marks == 0)
			continue;
		g->marks[place->at / WV_GLANCE_GRAIN] |= marks;
		g->any |= marks;
	}
	return g;
}

struct wv_glance *
wv_glance(struct wv_arena *arena, const cJSON *tree,
	const struct wv_json_strings *strings,
	const struct wv_firewall_options *options, unsigned what)
{
	const struct wv_rules *rules = wv_rules_or_built_in(options->rules);
	const char *s = strings->s;
	size_t n = strings->n;
	bool tell = (what & WV_SEEN_ORDER) != 0;
	struct wv_inner *inner = NULL;
	struct nodes nodes = { .arena = arena,
		.strings = strings,
		.read = (what & WV_SEEN_TREE) != 0,
		.last = &inner };

	if (n == 0 || wv_glance_never || wv_rules_known(rules) != NULL)
		return NULL;
	nodes.numbers =
		wv_alloc_zero(arena, (n / 64 + 1) * sizeof(*nodes.numbers));
	see_nodes(&nodes, tree, 0);
	struct look look = new_look(arena, rules, s, n, nodes.numbers);
	mark_shapes(&look);
	mark_trees(&look, s, inner);
	mark_unclean(&look);
	mark_marks(&look);
	mark_between(&look, WV_SEEN_TREE, 0, mark_secrets);
	mark_tables(&look);
	mark_encoded(&look, false, tell);
	/* What is going to change is looked through when it has. */
	if (tell)
		mark_between(&look, WV_SEEN_CHANGE, WV_SEEN_ORDER, mark_told);
	struct wv_glance *g = end_look(&look, arena, s, n);
	g->is_deep = nodes.is_deep;
	g->inner = inner;
	g->tell = tell;
	return g;
}

const struct wv_inner *
wv_glance_inner(struct wv_glance *glance, const char *s)
{
	while (glance->inner != NULL && glance->inner->s < s)
		glance->inner = glance->inner->next;
	return glance->inner != NULL && glance->inner->s == s ? glance->inner
							      : NULL;
}

void
wv_glance_note(struct wv_glance *glance, char **at)
{
	if (glance == NULL || !glance->tell)
		return;
	struct wv_changed *changed = &glance->changed;
	changed->at =
		wv_list_room(changed->at, changed->count, sizeof(*changed->at));
	changed->at[changed->count++] = at;
}

/* One behind another. */
static char *
gather(struct wv_arena *arena, const struct wv_changed *changed, size_t *n)
{
	char *s, *to;

	*n = 0;
	for (size_t i = 0; i < changed->count; i++)
		*n += strlen(*changed->at[i]) + 1;
	to = s = wv_alloc(arena, *n);
	for (size_t i = 0; i < changed->count; i++) {
		char **at = changed->at[i];
		size_t length = strlen(*at) + 1;
		memcpy(to, *at, length);
		*at = to;
		to += length;
	}
	return s;
}

void
wv_glance_changed(struct wv_arena *arena, struct wv_glance *glance)
{
	size_t n;

	if (glance == NULL || glance->changed.count == 0)
		return;
	const char *s = gather(arena, &glance->changed, &n);
	struct look look = new_look(arena, NULL, s, n, NULL);
	mark_encoded(&look, true, true);
	mark_told(&look, 0, look.n);
	glance->next = end_look(&look, arena, s, n);
	free(glance->changed.at);
	glance->changed = (struct wv_changed){ 0 };
}
