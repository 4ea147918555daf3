/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_TRACE_FILTER_INTERNAL_H
#define WV_TRACE_FILTER_INTERNAL_H

#include "filter.h"

struct wv_regex;

enum kind {
	EXACT,
	GLOB,
	EVENT,   /* a short unique part of an event type will do */
	OUTCOME, /* one of three */
	WHERE,   /* becomes one of the following */
	EQUAL,   /* a text, or JSON */
	MATCHES, /* a pattern */
	BELOW,   /* a bound; see or_equal */
	ABOVE,
	GREP,
	SINCE,
	UNTIL,
	NOT,
};

struct condition {
	enum kind kind;
	bool negated, or_equal;
	size_t place; /* where it looks; PLACES_MAX: at the line */
	const char *value;
	size_t n;          /* of value */
	const cJSON *json; /* of value, if it is JSON */
	struct wv_regex *regex;
	struct wv_time time;
	size_t group; /* of alternatives */
};

struct filter {
	struct places *places;
	struct wv_arena arena;
	struct condition *conditions;
	size_t count, groups;
	bool negate; /* --not was the last option */
	bool has_patterns, has_alternatives;
	bool *met;          /* by group */
	struct wv_str text; /* for a value that has to end with NUL */
};

/* --where, into c; its pointer is returned, in the arena. */
const char *where_read(
	struct filter *filter, struct condition *c, const struct wv_opts *opts);
/* 1, 0, or -1: a pattern could not tell. */
int where_holds(struct filter *filter, const struct condition *c,
	const struct found *found);

#endif
