/* SPDX-License-Identifier: Apache-2.0 */
/* What read.c and read-name.c share: the state of the strict reader. */
#ifndef WV_JSON_READ_INTERNAL_H
#define WV_JSON_READ_INTERNAL_H

#include "json/internal.h"
#include "json/mask.h"

enum {
	WV_READ_FEW_LEVELS = 16, /* nesting that needs no allocation */
	WV_READ_HINT_BITS = 8,   /* of names */
};

struct wv_read_level {
	cJSON *node;       /* the open object or array */
	cJSON *last;       /* its newest child */
	char closer;       /* the bracket that ends it */
	bool is_like;      /* all names so far are those of the object before */
	const cJSON *twin; /* of that, the member that comes next */
	size_t children;
	uint64_t filter[(1 << WV_READ_HINT_BITS) /
		64];           /* a bit for each name's hint */
	struct wv_names names; /* all of them, once they are many */
};

struct wv_read {
	const char *start, *end;
	char *text;        /* where the next string goes */
	char *name;        /* of the member whose value comes next */
	const cJSON *like; /* the member of the object before; or NULL */
	struct wv_read_level *level;
	size_t depth, room;
	size_t values_left;
	size_t int_digits; /* integers of more keep their text */
	const struct wv_json_limits *limits;
	struct wv_arena *arena;
	struct wv_err *err;
	cJSON top; /* stands for an array around the record's value */
	struct wv_read_level few[WV_READ_FEW_LEVELS];
};

static inline const char *
wv_read_space(const struct wv_read *r, const char *p)
{
	unsigned n;

	if ((unsigned char)*p > ' ')
		return p;
	do {
		n = wv_block_space(p);
		p += n;
	} while (n == WV_BLOCK && p < r->end);
	return p < r->end ? p : r->end;
}

/* The byte at p; NUL, which is never right, at the end. */
static inline char
wv_read_peek(const struct wv_read *r, const char *p)
{
	return p < r->end ? *p : '\0';
}

/* Fills the error: the byte at `at` is not the beginning of what. */
static inline const char *
wv_read_unexpected(const struct wv_read *r, const char *at, const char *what)
{
	wv_json_unexpected(r->err, r->start, at, r->end, what);
	return NULL;
}

static inline const char *
wv_read_ends(const struct wv_read *r, const char *what)
{
	wv_json_ends(r->err, r->start, r->end, what);
	return NULL;
}

/* p is the opening quote.  The copy at r->text is NUL-terminated, r->text is
 * moved behind it.  Most strings are plain and end within a block. */
static inline const char *
wv_read_string(struct wv_read *r, const char *p)
{
	char *to = r->text;
	unsigned plain = wv_block_copy_text(to, ++p);

	p += plain;
	to += plain;
	if (p >= r->end)
		return wv_read_ends(r, "a string");
	if (plain == WV_BLOCK || *p != '"') {
		r->text = to;
		return wv_json_string_rest(
			r->start, p, r->end, &r->text, r->err);
	}
	*to = '\0';
	r->text = to + 1;
	return p + 1;
}

/*
 * read-name.c: a name that must be new in its object.  p is the opening quote,
 * the place behind the closing one is returned.
 */
const char *wv_read_new_name(struct wv_read *r, const char *p);

#endif
