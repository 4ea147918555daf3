/* SPDX-License-Identifier: Apache-2.0 */
#include "similar.h"

#include <stdlib.h>
#include <string.h>

enum {
	WORDS_MIN = 4,   /* fewer say nothing about likeness */
	WORDS_MAX = 256, /* of more no duplicates are looked for */
	RAREST_MAX = 8,  /* that are looked up */
	LEADERS_MAX = 16 /* a word is remembered for */
};

/* Leaders that have a word among their rarest, the newest first. */
struct shelf {
	uint32_t leaders[LEADERS_MAX];
	uint32_t count;
};

struct grouping {
	struct similar *similar;
	const struct wv_catalog *catalog;
	const struct similar_words *words;
	uint32_t *shelf_of; /* by word: 1 + its shelf; 0: it has none */
	struct shelf *shelves;
	size_t shelf_count;
	uint32_t *seen; /* by word: 1 + the last tool that had it */
	uint32_t *last; /* by leader: the last of its group */
};

static int
compare_ids(const void *a, const void *b, void *catalog)
{
	const struct wv_capability *items =
		((const struct wv_catalog *)catalog)->items;

	return strcmp(
		items[*(const uint32_t *)a].id, items[*(const uint32_t *)b].id);
}

static uint32_t *
by_id(const struct wv_catalog *catalog)
{
	uint32_t *order = wv_xcalloc(catalog->count + 1, sizeof(*order));

	for (size_t i = 0; i < catalog->count; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, catalog->count, sizeof(*order), compare_ids,
		(void *)catalog);
	return order;
}

/* The length of the part of an id that stands before its last segment, a
 * version (.v2, .3) aside. */
static size_t
namespace_length(const char *id)
{
	const char *dot = strrchr(id, '.'), *digits;
	size_t n = strlen(id);

	if (dot == NULL)
		return 0;
	digits = dot + 1 + (dot[1] == 'v');
	if (*digits != '\0' && digits[strspn(digits, "0123456789")] == '\0') {
		n = (size_t)(dot - id);
		dot = memrchr(id, '.', n);
	}
	return dot != NULL ? (size_t)(dot - id) : 0;
}

static bool
same_place(const struct wv_capability *a, const struct wv_capability *b)
{
	size_t n = namespace_length(a->id);
	const char *x = a->safety ? a->safety : "";
	const char *y = b->safety ? b->safety : "";

	return n == namespace_length(b->id) && memcmp(a->id, b->id, n) == 0 &&
		strcmp(x, y) == 0;
}

static size_t
word_count(const struct grouping *g, uint32_t tool)
{
	return g->words->first[tool + 1] - g->words->first[tool];
}

/* g->seen has the words of the tool. */
static bool
is_alike(const struct grouping *g, uint32_t tool, uint32_t leader)
{
	const uint32_t *word = g->words->words + g->words->first[leader];
	size_t n = word_count(g, tool), m = word_count(g, leader);
	size_t shared = 0;

	if (n * 10 < m * 9 || m * 10 < n * 9 ||
		!same_place(
			&g->catalog->items[tool], &g->catalog->items[leader]))
		return false;
	for (size_t i = 0; i < m; i++)
		shared += g->seen[word[i]] == tool + 1;
	return shared * 10 >= (n + m - shared) * 9;
}

static void
join(struct grouping *g, uint32_t tool, uint32_t leader)
{
	struct similar *similar = g->similar;

	similar->leader[tool] = leader;
	similar->next[g->last[leader]] = tool;
	similar->next[tool] = leader;
	g->last[leader] = tool;
}

static void
shelve(struct grouping *g, uint32_t word, uint32_t leader)
{
	struct shelf *shelf;

	if (g->shelf_of[word] == 0) {
		g->shelves = wv_list_room(
			g->shelves, g->shelf_count, sizeof(*g->shelves));
		g->shelves[g->shelf_count++].count = 0;
		g->shelf_of[word] = (uint32_t)g->shelf_count;
	}
	shelf = &g->shelves[g->shelf_of[word] - 1];
	shelf->leaders[shelf->count++ % LEADERS_MAX] = leader;
}

static bool
join_one_of(struct grouping *g, uint32_t tool, uint32_t word)
{
	const struct shelf *shelf;
	size_t n;

	if (g->shelf_of[word] == 0)
		return false;
	shelf = &g->shelves[g->shelf_of[word] - 1];
	n = shelf->count < LEADERS_MAX ? shelf->count : LEADERS_MAX;
	for (size_t i = 0; i < n; i++)
		if (is_alike(g, tool, shelf->leaders[i])) {
			join(g, tool, shelf->leaders[i]);
			return true;
		}
	return false;
}

/* Two of n words with nine in ten in common share one of these, unless they
 * are so many that not all are looked up. */
static size_t
rarest_count(size_t n)
{
	size_t rarest = n - (n * 9 + 9) / 10 + 1;

	return rarest < RAREST_MAX ? rarest : RAREST_MAX;
}

static void
group_tool(struct grouping *g, uint32_t tool)
{
	const struct similar_words *w = g->words;
	uint32_t *words = w->words + w->first[tool];
	size_t n = word_count(g, tool), rarest = rarest_count(n);

	g->similar->leader[tool] = g->similar->next[tool] = tool;
	g->last[tool] = tool;
	if (n < WORDS_MIN || n > WORDS_MAX)
		return;
	for (size_t i = 0; i < n; i++)
		g->seen[words[i]] = tool + 1;
	for (size_t i = 0; i < rarest; i++) {
		for (size_t j = i + 1; j < n; j++)
			if (w->rarer(w->arg, words[j], words[i])) {
				uint32_t word = words[i];
				words[i] = words[j];
				words[j] = word;
			}
		if (join_one_of(g, tool, words[i]))
			return;
	}
	for (size_t i = 0; i < rarest; i++)
		shelve(g, words[i], tool);
}

void
similar_build(struct similar *similar, const struct wv_catalog *catalog,
	const struct similar_words *words)
{
	struct grouping g = {
		.similar = similar, .catalog = catalog, .words = words
	};
	uint32_t *order = by_id(catalog);

	similar->leader = wv_xcalloc(catalog->count + 1, sizeof(uint32_t));
	similar->next = wv_xcalloc(catalog->count + 1, sizeof(uint32_t));
	g.last = wv_xcalloc(catalog->count + 1, sizeof(uint32_t));
	g.shelf_of = wv_xcalloc(words->count + 1, sizeof(uint32_t));
	g.seen = wv_xcalloc(words->count + 1, sizeof(uint32_t));
	for (size_t i = 0; i < catalog->count; i++)
		group_tool(&g, order[i]);
	free(order);
	free(g.last);
	free(g.shelf_of);
	free(g.shelves);
	free(g.seen);
}

void
similar_free(struct similar *similar)
{
	free(similar->leader);
	free(similar->next);
}
