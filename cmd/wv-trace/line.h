/* SPDX-License-Identifier: Apache-2.0 */
/* A line of a log that is a TraceEvent, read by its shape or as a tree. */
#ifndef WV_TRACE_LINE_H
#define WV_TRACE_LINE_H

#include "shape.h"

struct line {
	const char *s;
	size_t n;
	struct wv_time time; /* its timestamp */
	const cJSON *tree;   /* NULL: it is read by its shape */
	const struct places *places;
	const struct shape *shape;
	struct span values[SHAPE_VALUES];
};

/* The last timestamp that was read: the next one is mostly of its minute. */
struct minute {
	char text[16]; /* "2026-01-02T03:04" */
	int64_t sec;
};

/* Of a line whose shape is known: its time.  False if it is no TraceEvent for
 * all that, which is for the reader to tell. */
bool line_is_event(struct line *line, struct minute *minute);

struct found line_at_tree(const struct line *line, size_t place);
/* What stands at a place; node is set for what a tree has. */
static inline struct found
line_at(const struct line *line, size_t place)
{
	return line->tree == NULL ? shape_at(line->shape, line->values, place)
				  : line_at_tree(line, place);
}

/* The node of a number without a tree; text has room for n + 1. */
enum { LINE_NUMBER = 64 };
const cJSON *line_number(
	const struct found *found, cJSON *node, char text[LINE_NUMBER]);

#endif
