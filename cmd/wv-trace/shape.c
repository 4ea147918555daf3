/* SPDX-License-Identifier: Apache-2.0 */
#include "shape-internal.h"

#include "json/block.h"
#include "json/utf8.h"

#include <string.h>

/* Whether the text of the edge stands at p.  No more is read than a block
 * behind the first byte that differs. */
static inline bool
stands(const struct edge *edge, const char *p)
{
#ifdef WV_JSON_SSE2
	uint32_t at = 0;

	for (;; at += WV_BLOCK) {
		__m128i a = _mm_loadu_si128((const __m128i *)(p + at));
		__m128i b = _mm_loadu_si128((const __m128i *)(edge->text + at));
		unsigned differ =
			~(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(a, b));
		if (edge->n - at <= WV_BLOCK)
			return (differ & ((1u << (edge->n - at)) - 1)) == 0;
		if ((differ & 0xffff) != 0)
			return false;
	}
#else
	return strncmp(p, edge->text, edge->n) == 0;
#endif
}

/* How many of the bytes of a block at p may stand in a string as they are. */
static inline unsigned
plain(const char *p)
{
	char copy[WV_BLOCK];

	return wv_block_copy_text(copy, p);
}

static const char *
string_end(struct edge *edge, const char *p)
{
	const char *at = p;

	for (;;) {
		unsigned n = plain(at);
		at += n;
		if (n == WV_BLOCK)
			continue;
		if ((unsigned char)*at < 0x80)
			break;
		/* What is cut off by the end of memory is followed by zeros. */
		int wide = wv_utf8_len((const unsigned char *)at, 4);
		if (wide == 0)
			break;
		at += wide;
	}
	edge->guess = (uint32_t)(at - p);
	return at;
}

/*
 * Where the string ends, or what cannot stand in one.  Most are as long as
 * the last one in their place: then where the next text begins does not
 * depend on what was read here, and the processor looks at both at once.
 */
static inline const char *
string_guess(struct edge *edge, const char *p)
{
	const char *at = p;
	uint32_t left = edge->guess;

	for (; left >= WV_BLOCK; left -= WV_BLOCK, at += WV_BLOCK)
		if (plain(at) != WV_BLOCK)
			return string_end(edge, p);
	return plain(at) == left ? at + left : string_end(edge, p);
}

static inline bool
is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* NULL: there is none, or one that is left to the reader.  What follows it is
 * for the next text to say. */
static inline const char *
number_end(const struct shapes *shapes, const char *p)
{
	const char *begin = p + (*p == '-'), *at = begin;

	while (is_digit(*at))
		at++;
	if (at == begin || (*begin == '0' && at > begin + 1))
		return NULL;
	if (*at == '.') {
		const char *point = at++;
		while (is_digit(*at))
			at++;
		if (at == point + 1)
			return NULL;
	}
	return (size_t)(at - begin) <= shapes->max_digits ? at : NULL;
}

/* Where the value behind the edge's text ends; NULL: it is not one. */
static inline const char *
pass_value(const struct shapes *shapes, struct edge *edge, const char *p,
	const char *end, struct span *value)
{
	const char *to;

	switch (edge->ends) {
	case ENDS_STRING:
		to = string_guess(edge, p);
		break;
	case ENDS_NUMBER:
		to = number_end(shapes, p);
		break;
	case ENDS_LINE:
		return (end != NULL ? p == end : *p == '\n') ? p : NULL;
	default:
		return p;
	}
	*value = (struct span){ p, (size_t)(to - p) };
	return to;
}

const struct shape *
shapes_find(struct shapes *shapes, const char *p, const char *end,
	struct span values[SHAPE_VALUES], size_t *len)
{
	struct edge *edge = shapes->first;
	const char *begin = p, *to;

	while (edge != NULL) {
		to = stands(edge, p)
			? pass_value(shapes, edge, p + edge->n, end, values)
			: NULL;
		if (to == NULL) {
			edge = edge->next;
			continue;
		}
		if (edge->ends == ENDS_LINE) {
			*len = (size_t)(to - begin);
			return edge->shape;
		}
		values += edge->ends != ENDS_WORD;
		p = to;
		edge = edge->after;
	}
	return NULL;
}
