/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes as a tree of texts: what lines have in common is there once. */
#ifndef WV_TRACE_SHAPE_INTERNAL_H
#define WV_TRACE_SHAPE_INTERNAL_H

#include "shape.h"

enum ends {
	ENDS_STRING, /* before the first byte of a string */
	ENDS_NUMBER, /* before a number */
	ENDS_WORD,   /* before what one of several texts begins with */
	ENDS_LINE,
};

/* A text, and what is behind it. */
struct edge {
	struct edge *next;  /* another text that may stand there instead */
	struct edge *after; /* the first that may stand behind the value */
	const struct shape *shape; /* of ENDS_LINE */
	uint32_t n;
	uint32_t guess; /* how long the string was, last time */
	enum ends ends;
	char text[]; /* and WV_JSON_SLACK */
};

struct shapes {
	const struct places *places;
	size_t max_digits;
	struct wv_arena arena;
	struct edge *first, *last; /* the last that was made */
	size_t edge_count;
	size_t vain; /* lessons */
};

#endif
