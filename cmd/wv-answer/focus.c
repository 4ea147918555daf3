/* SPDX-License-Identifier: Apache-2.0 */
#include "focus.h"

#include "words.h"

#include <string.h>

enum {
	LINES_LOOKED_AT = 512,
	LINES_SHOWN = 4,
	WIDTH = 240, /* bytes that are shown of one */
};

struct line {
	const char *s;
	size_t n, shared, worth;
};

static size_t
split(const struct wv_str *data, struct line *lines)
{
	const char *s = data->s, *end = data->s + data->n;
	size_t count = 0;

	while (s < end && count < LINES_LOOKED_AT) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		lines[count++] = (struct line){ .s = s,
			.n = (size_t)((lf ? lf : end) - s) };
		s = lf ? lf + 1 : end;
	}
	return count;
}

static void
count_shared(struct build *b, struct wv_arena *arena, struct line *line)
{
	size_t n;
	const uint32_t *words = words_of(b->words, arena, line->s, line->n, &n);

	words_mark(b->words, b->query_words, b->query_count);
	line->shared = words_marked(b->words, words, n);
}

/* A line counts twice what it shares, and once what a neighbour does. */
static void
weigh(struct line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t before = i > 0 ? lines[i - 1].shared : 0;
		size_t after = i + 1 < count ? lines[i + 1].shared : 0;
		lines[i].worth =
			2 * lines[i].shared + (before > after ? before : after);
	}
}

/* What a line has to be worth to be among the best. */
static size_t
least_worth(const struct line *lines, size_t count)
{
	size_t best[LINES_SHOWN] = { 0 };

	for (size_t i = 0; i < count; i++) {
		size_t worth = lines[i].worth;
		for (size_t j = 0; j < LINES_SHOWN; j++)
			if (worth > best[j]) {
				size_t smaller = best[j];
				best[j] = worth;
				worth = smaller;
			}
	}
	return best[LINES_SHOWN - 1] > 0 ? best[LINES_SHOWN - 1] : 1;
}

static void
add_line(struct wv_str *out, const struct line *line)
{
	size_t n = wv_text_cut(line->s, line->n, WIDTH);

	wv_str_add(out, line->s, n);
	wv_str_cat(out, n < line->n ? "…\n" : "\n");
}

/* Those that are worth more than the least first claim their places. */
static void
add_best(struct wv_str *out, const struct line *lines, size_t count)
{
	size_t least = least_worth(lines, count), more = 0;

	for (size_t i = 0; i < count; i++)
		more += lines[i].worth > least;
	size_t ties = LINES_SHOWN > more ? LINES_SHOWN - more : 0;
	for (size_t i = 0; i < count; i++) {
		if (lines[i].worth < least ||
			(lines[i].worth == least && ties == 0))
			continue;
		ties -= lines[i].worth == least;
		add_line(out, &lines[i]);
	}
}

void
focus_find(struct build *b, struct item *item)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct line *lines;
	size_t count;

	if (item->focus.n > 0 || item->match == 0 || item->data.n == 0)
		return;
	lines = wv_alloc(&arena, LINES_LOOKED_AT * sizeof(*lines));
	count = split(&item->data, lines);
	for (size_t i = 0; i < count; i++)
		count_shared(b, &arena, &lines[i]);
	weigh(lines, count);
	if (count > 1)
		add_best(&item->focus, lines, count);
	wv_arena_free(&arena);
}
