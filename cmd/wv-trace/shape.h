/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of a log look alike: what is between their values is the same
 * text.  A line that the strict reader took, and that is a TraceEvent, leaves
 * its shape here: that text, and where the values are.  A line of the same
 * shape, whose strings are plain and whose numbers are short, is one that the
 * reader would take too: its names, its nesting and the kinds of its values
 * are those of the first.  So it can be judged, and its values be had, at
 * some gigabytes a second; every other line goes to the reader.
 *
 * Plain is what needs no second look: no escapes, no controls, UTF-8.  The
 * values of event_type and outcome, true, false and null belong to the text.
 */
#ifndef WV_TRACE_SHAPE_H
#define WV_TRACE_SHAPE_H

#include "base/clock.h"
#include "json/json.h"

enum {
	SHAPE_VALUES = 128, /* of a line; one with more has no shape here */
	PLACE_TIME = 0,     /* the first places, always asked for */
	PLACE_ID,
	PLACE_TYPE,
	PLACE_OUTCOME,
	PLACES_FIXED,
	PLACES_ASKED = 64, /* most by filters; the rest is for columns */
	PLACES_MAX = 96,
};

/* What is asked for of each line, by RFC 6901 pointers. */
struct places {
	const char *pointers[PLACES_MAX];
	size_t count;
};
void places_init(struct places *places);
/* The number of one, which is kept; -1: there are too many. */
int places_add(struct places *places, const char *pointer);

/* A string without escapes, or a number's text. */
struct span {
	const char *s;
	size_t n;
};

/* By place: where its value is, in a line of that shape. */
struct place {
	enum { VALUE_NONE = -1, VALUE_NODE = -2 } value; /* or which it is */
	bool is_number;
	const cJSON *node; /* of VALUE_NODE */
};

struct shape {
	size_t count;
	struct place places[];
};

struct shapes;
/* places is kept, and complete.  limits: those of the reader. */
struct shapes *shapes_new(
	const struct places *places, const struct wv_json_limits *limits);
void shapes_free(struct shapes *shapes);

/*
 * The shape of the line that stands at p, its values and its length; NULL: of
 * none that is known.  It ends at LF, or at end if that is not NULL.
 * WV_JSON_SLACK bytes behind that LF, or behind zeros that end what is in
 * memory, must be readable.
 */
const struct shape *shapes_find(struct shapes *shapes, const char *p,
	const char *end, struct span values[SHAPE_VALUES], size_t *len);
/* Learns that of a line which is a TraceEvent, or of which nothing but that it
 * is JSON will be concluded. */
void shapes_learn(struct shapes *shapes, const char *line, size_t len,
	const cJSON *event);
/* Nothing more is learned: too often it was in vain. */
bool shapes_are_full(const struct shapes *shapes);

/* What a line of the shape has at a place. */
struct found {
	enum {
		FOUND_NONE,
		FOUND_STRING, /* text */
		FOUND_NUMBER, /* text */
		FOUND_NODE,   /* of another kind, in node */
	} kind;
	struct span text;
	const cJSON *node; /* the tree's, if there is one */
};
static inline struct found
shape_at(const struct shape *shape, const struct span *values, size_t place)
{
	const struct place *at = &shape->places[place];

	if (at->value >= 0)
		return (struct found){ .kind = at->is_number ? FOUND_NUMBER
							     : FOUND_STRING,
			.text = values[at->value] };
	if (at->value == VALUE_NONE)
		return (struct found){ .kind = FOUND_NONE };
	if (wv_is_string(at->node))
		return (struct found){ .kind = FOUND_STRING,
			.text = { at->node->valuestring,
				(size_t)at->node->valueint } };
	return (struct found){ .kind = FOUND_NODE, .node = at->node };
}

#endif
