/* SPDX-License-Identifier: Apache-2.0 */
/* Lines with others indented below them: each head, and how what is below it
 * begins. */
#include "firewall/summarize.h"

enum {
	ROOM = 350, /* characters for all heads */
	LEAST = 60, /* for one, with what is below it */
	MOST = 200,
	BELOW = 3,     /* lines below one that are told */
	SHORTEST = 16, /* bytes of each */
};

static bool
is_code(const struct wv_line *line)
{
	struct wv_line bare = wv_trim(line->s, line->n);

	return bare.n > 0 && memchr(";{}", bare.s[bare.n - 1], 3) != NULL;
}

bool
wv_is_outline(const struct wv_sample *sample)
{
	size_t heads = 0, blocks = 0, below = 0, code = 0;
	bool was_indented = true;

	for (size_t i = 0; i < sample->count; i++) {
		bool indented = wv_is_blank(*sample->lines[i].s);
		if (i == 0 && indented)
			return false;
		heads += !indented;
		blocks += indented && !was_indented;
		was_indented = indented;
		below += indented;
		code += is_code(&sample->lines[i]);
	}
	return blocks >= 2 && below >= heads && code * 4 <= heads + below;
}

static size_t
indent(const struct wv_line *line)
{
	size_t n = 0;

	while (n < line->n && wv_is_blank(line->s[n]))
		n++;
	return n;
}

/* No blank line, none of dashes and no comment. */
static bool
says_something(const struct wv_line *line)
{
	for (size_t i = 0; i < line->n && *line->s != '#'; i++)
		if (wv_is_letter(line->s[i]) || wv_is_digit(line->s[i]))
			return true;
	return false;
}

struct block {
	struct wv_line head, below[BELOW];
	size_t depth, count; /* of the lines below that are not deeper */
};

/* From *s to the next head; a remark in parentheses is no content. */
static bool
next_block(const char **s, const char *end, struct block *b)
{
	struct wv_line line;
	const char *next;

	*b = (struct block){ 0 };
	do {
		if (!wv_next_line(s, end, &b->head))
			return false;
	} while (!says_something(&b->head));
	for (next = *s; wv_next_line(&next, end, &line); *s = next) {
		size_t depth = indent(&line);
		if (depth == line.n || line.s[depth] == '(')
			continue;
		if (depth == 0)
			break;
		b->depth = b->count == 0 ? depth : b->depth;
		if (depth > b->depth)
			continue;
		if (b->count < BELOW)
			b->below[b->count] = wv_trim(line.s, line.n);
		b->count++;
	}
	return true;
}

static void
tell_block(struct wv_summary *sum, const struct block *b, size_t room)
{
	struct wv_str *part = wv_sum_begin(sum);
	size_t told = b->count < BELOW ? b->count : BELOW;

	wv_add_inline(part, b->head.s, b->head.n, told == 0 ? room : room / 2);
	room -= part->n < room ? part->n : room;
	for (size_t i = 0; i < told; i++) {
		bool colon = part->s[part->n - 1] == ':';
		wv_str_cat(part, i > 0 ? ", " : colon ? " " : ": ");
		wv_add_inline(part, b->below[i].s, b->below[i].n,
			room / told > SHORTEST ? room / told : SHORTEST);
	}
	if (b->count > told)
		wv_str_fmt(part, " and %zu more", b->count - told);
	wv_sum_end(sum, b->head.s, b->head.n);
}

void
wv_tell_outline(struct wv_summary *sum)
{
	const char *s = sum->s;
	struct block block;
	size_t heads = 0;

	while (next_block(&s, sum->end, &block))
		heads++;
	wv_sum_head(sum, "text");
	wv_sum_trouble(sum);
	sum->unit = "block";
	size_t room = heads > 0 ? ROOM / heads : ROOM;
	room = room < LEAST ? LEAST : room > MOST ? MOST : room;
	for (s = sum->s; next_block(&s, sum->end, &block);)
		tell_block(sum, &block, room);
}
