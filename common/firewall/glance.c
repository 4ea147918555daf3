/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/glance.h"

#include "firewall/find.h"
#include "firewall/inject-filter.h"
#include "firewall/internal.h"
#include "firewall/known.h"
#include "firewall/scan-internal.h"

#include <string.h>

bool wv_glance_never;

enum {
	LONG = 2048, /* bytes of a string that is no faster among others */
	SHORT = 32,  /* of one that may come again */
	SLOTS = 512,
	MANY = 4, /* a part of the strings that is seen twice for nothing */
};

/* A string of the tree, and the one that is looked at for it. */
struct place {
	size_t at, piece;
};

/* The strings that differ, each ended by a NUL, and what is found: a bit for
 * each byte. */
struct look {
	const struct wv_rules *rules;
	const struct wv_json_strings *all;
	struct wv_arena *arena;
	struct place *places;
	size_t count, room;
	char *s;
	size_t n;
	uint64_t *odd, *loud, *told;
	size_t changing;   /* bytes of strings that have secrets */
	size_t met[SLOTS]; /* short ones: places, from 1 on */
};

static void
mark(uint64_t *bits, size_t at)
{
	bits[at / 64] |= UINT64_C(1) << at % 64;
}

/* Behind a string there are more bytes than a word has. */
static size_t *
slot_of(struct look *look, const char *s, size_t n)
{
	uint64_t hash = n, word;

	for (size_t i = 0; i < n; i += sizeof(word)) {
		memcpy(&word, s + i, sizeof(word));
		if (n - i < sizeof(word))
			word &= ~(~UINT64_C(0) << 8 * (n - i));
		hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	return &look->met[hash % SLOTS];
}

static void
make_room(struct look *look)
{
	enum { FIRST = 256 };
	size_t size = look->room * sizeof(*look->places);
	struct place *more;

	look->room = look->room == 0 ? FIRST : 2 * look->room;
	more = wv_alloc(look->arena, look->room * sizeof(*more));
	if (size > 0)
		memcpy(more, look->places, size);
	look->places = more;
}

static void
add_string(struct look *look, size_t at, size_t n)
{
	const char *s = look->all->s + at;
	size_t *slot = n <= SHORT ? slot_of(look, s, n) : NULL;

	if (look->count == look->room)
		make_room(look);
	struct place *place = &look->places[look->count++];
	*place = (struct place){ at, look->n };
	if (slot != NULL && *slot != 0) {
		const struct place *met = &look->places[*slot - 1];
		if (memcmp(look->all->s + met->at, s, n + 1) == 0) {
			place->piece = met->piece;
			return;
		}
	}
	if (slot != NULL)
		*slot = look->count;
	memcpy(look->s + look->n, s, n + 1);
	look->n += n + 1;
}

/* Those that are long are looked at later, one by one. */
static void
add_strings(struct look *look, struct wv_glance *g)
{
	for (size_t at = 0, n; at < g->n; at += n + 1) {
		n = strlen(g->s + at);
		if (n < LONG) {
			add_string(look, at, n);
			continue;
		}
		mark(g->odd, at);
		mark(g->loud, at);
		mark(g->told, at);
		g->any_odd = true;
	}
}

static void
mark_loud(struct look *look,
	bool (*next)(const struct wv_rules *, const char *, size_t,
		struct wv_piece *))
{
	struct wv_piece piece = { 0, 0 };

	while (next(look->rules, look->s, look->n, &piece)) {
		mark(look->loud, piece.start);
		look->changing += piece.end - piece.start;
	}
}

static void
mark_encoded(struct look *look, bool tell)
{
	struct wv_piece piece = { 0, 0 };
	struct wv_injection found[1];
	struct wv_hits hits = { 0 };

	while (wv_decode_next(look->s, look->n, &piece)) {
		const char *s = look->s + piece.start;
		size_t n = piece.end - piece.start;
		wv_decode_find(look->rules, s, n, 0, 0, &hits, NULL, NULL);
		if (hits.count > 0)
			mark(look->loud, piece.start);
		if (tell && wv_inject_encoded(s, n, found, 1) > 0)
			mark(look->told, piece.start);
		hits.count = 0;
	}
	wv_hits_free(&hits);
}

/* Tables: a string of one line has none. */
static bool
next_table(const struct wv_rules *rules, const char *s, size_t n,
	struct wv_piece *piece)
{
	struct wv_hits hits = { 0 };
	const char *lf;

	while (hits.count == 0 &&
		(lf = memchr(s + piece->end, '\n', n - piece->end)) != NULL) {
		wv_piece_at(piece, s, n, (size_t)(lf - s));
		wv_columns_find(rules, s + piece->start,
			piece->end - piece->start, &hits);
	}
	bool found = hits.count > 0;
	wv_hits_free(&hits);
	return found;
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

static void
mark_odd(struct look *look)
{
	struct wv_piece piece = { 0, 0 };
	struct wv_str scratch = { 0 };

	for (size_t at;
		(at = odd_byte(look->s, look->n, piece.end)) < look->n;) {
		wv_piece_at(&piece, look->s, look->n, at);
		mark(look->odd, piece.start);
		if (!is_clean(look->s + piece.start, piece.end - piece.start,
			    &scratch))
			mark(look->loud, piece.start);
	}
	wv_str_free(&scratch);
}

/* All strings that are in the places of the filter, in part or as a whole. */
static void
mark_told(struct look *look)
{
	struct wv_filter filter;
	size_t from, to;

	wv_filter_start(&filter, look->s, look->n);
	while (wv_filter_next(&filter, &from, &to)) {
		const char *end = memrchr(look->s, '\0', from);
		struct wv_piece piece = { 0, 0 };
		to = to < look->n ? to : look->n;
		if (end != NULL)
			piece.end = (size_t)(end - look->s);
		for (size_t at = from; at < to; at++) {
			if (look->s[at] == '\0')
				continue;
			wv_piece_at(&piece, look->s, look->n, at);
			mark(look->told, piece.start);
			at = piece.end;
		}
	}
}

/* What was found of a string holds of all that are equal. */
static void
take_marks(struct wv_glance *g, const struct look *look)
{
	for (size_t i = 0; i < look->count; i++) {
		const struct place *place = &look->places[i];
		size_t word = place->piece / 64;
		uint64_t bit = UINT64_C(1) << place->piece % 64;
		if (((look->odd[word] | look->loud[word] | look->told[word]) &
			    bit) == 0)
			continue;
		if (look->odd[word] & bit)
			mark(g->odd, place->at);
		if (look->loud[word] & bit)
			mark(g->loud, place->at);
		if (look->told[word] & bit)
			mark(g->told, place->at);
		g->any_odd |= (look->odd[word] & bit) != 0;
	}
}

const struct wv_glance *
wv_glance(struct wv_arena *arena, const struct wv_json_strings *strings,
	const struct wv_firewall_options *options, bool tell)
{
	const struct wv_rules *rules = wv_rules_or_built_in(options->rules);
	size_t words = strings->n / 64 + 1;

	if (strings->n == 0 || wv_glance_never ||
		wv_rules_known(rules) != NULL ||
		wv_has_mark(strings->s, strings->n))
		return NULL;
	struct wv_glance *g = wv_alloc(arena, sizeof(*g));
	uint64_t *bits = wv_alloc_zero(arena, 6 * words * sizeof(*bits));
	*g = (struct wv_glance){ .s = strings->s,
		.n = strings->n,
		.odd = bits,
		.loud = bits + words,
		.told = bits + 2 * words };
	struct look look = { .rules = rules,
		.all = strings,
		.arena = arena,
		.s = wv_alloc(arena, strings->n),
		.odd = bits + 3 * words,
		.loud = bits + 4 * words,
		.told = bits + 5 * words };
	add_strings(&look, g);
	mark_odd(&look);
	mark_loud(&look, wv_scan_pieces);
	if (look.changing > look.n / MANY)
		return NULL;
	mark_loud(&look, next_table);
	mark_encoded(&look, tell);
	if (tell)
		mark_told(&look);
	take_marks(g, &look);
	return g;
}
