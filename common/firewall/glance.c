/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/glance-internal.h"

#include "firewall/distinct.h"
#include "firewall/find.h"
#include "firewall/inject.h"
#include "firewall/internal.h"
#include "firewall/known.h"
#include "firewall/names.h"

#include <stdlib.h>
#include <string.h>

bool wv_glance_never;

/* The strings that differ, and what is found of them. */
struct look {
	const struct wv_rules *rules;
	const struct wv_distinct *strings;
	const char *s; /* theirs */
	size_t n;
	uint8_t *marks;      /* as those of a glance */
	struct wv_hits hits; /* the first that the scanner has of a string */
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
		if (wv_glance_may_be_tree(s, n))
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
		if (starts[i + 1] - starts[i] <= WV_GLANCE_LONG ||
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
mark_secret(void *arg, const struct wv_piece *piece, const struct wv_hit *hit)
{
	struct look *look = arg;

	mark(look, piece->start, WV_SEEN_CHANGE);
	if (hit != NULL)
		wv_hits_add(&look->hits, hit->start, hit->end, hit->kind);
}

static void
mark_secrets(struct look *look, size_t from, size_t to)
{
	wv_scan_pieces(look->rules, look->s, from, to, mark_secret, look);
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

/* Whether a string has runs, in which there may be an injection; it is marked
 * if anything encoded is a secret. */
static bool
mark_decoded(struct look *look, const struct wv_piece *piece, size_t first)
{
	struct wv_hits hits = { 0 };
	bool has_run = wv_decode_string(look->rules, look->s + piece->start,
		piece->end - piece->start, first, &hits);

	if (hits.count > 0)
		mark(look, piece->start, WV_SEEN_CHANGE);
	wv_hits_free(&hits);
	return has_run;
}

/* What is going to change is looked into then. */
static void
mark_encoded(struct look *look, bool is_redacted, bool tell)
{
	struct wv_piece piece = { 0, 0 };
	struct wv_injection found[1];
	size_t first;

	while (wv_decode_next(look->s, look->n, &piece, &first)) {
		const char *s = look->s + piece.start;
		size_t n = piece.end - piece.start;
		bool changes = is_marked(look, piece.start, WV_SEEN_CHANGE);
		bool is_tree = is_marked(look, piece.start, WV_SEEN_TREE);
		bool has_run = true;
		if (!is_redacted && !changes && !is_tree)
			has_run = mark_decoded(look, &piece, first);
		if (tell &&
			(changes ||
				(has_run &&
					wv_inject_encoded(s, n, found, 1) > 0)))
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

/* The hit of the string at `from`, for one that is equal. */
static void
copy_hit(const struct look *look, size_t from, struct wv_hits *hits, size_t to)
{
	const struct wv_hit *hit = wv_hits_behind(&look->hits, from);
	size_t end = from + strlen(look->s + from);

	if (hit != NULL && hit->start < end)
		wv_hits_add(hits, hit->start - from + to, hit->end - from + to,
			hit->kind);
}

static struct wv_glance *
end_look(struct look *look, struct wv_arena *arena, const char *s, size_t n)
{
	struct wv_glance *g = wv_alloc(arena, sizeof(*g));
	struct wv_hits hits = { 0 };

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
		if (marks & WV_SEEN_CHANGE)
			copy_hit(look, place->start, &hits, place->at);
	}
	g->hits = wv_hits_keep(&hits, arena);
	wv_hits_free(&look->hits);
	return g;
}

bool
wv_glance_hit(const struct wv_glance *glance, const char *s, size_t n,
	struct wv_hit *first)
{
	if (glance == NULL)
		return false;
	size_t at = (size_t)((uintptr_t)s - (uintptr_t)glance->s);
	const struct wv_hit *hit =
		at < glance->n ? wv_hits_behind(&glance->hits, at) : NULL;
	if (hit == NULL || hit->start >= at + n)
		return false;
	*first = (struct wv_hit){ hit->start - at, hit->end - at, hit->kind };
	return true;
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
	struct wv_glance_nodes nodes = { .arena = arena,
		.strings = strings,
		.read = (what & WV_SEEN_TREE) != 0,
		.last = &inner };

	if (n == 0 || wv_glance_never || wv_rules_known(rules) != NULL)
		return NULL;
	nodes.numbers =
		wv_alloc_zero(arena, (n / 64 + 1) * sizeof(*nodes.numbers));
	wv_glance_nodes(&nodes, tree, 0);
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
