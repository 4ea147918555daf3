/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the translator share. */
#ifndef WV_SCHEMA_ECMA_INTERNAL_H
#define WV_SCHEMA_ECMA_INTERNAL_H

#include "schema/ecma.h"

#include <stdint.h>

/* A class that no character is in. */
#define WV_ECMA_NOTHING "[^\\x{0}-\\x{10ffff}]"

/* A pair of parentheses; the first of all is the whole pattern. */
struct ecma_group {
	uint32_t parent;
	size_t close_at; /* offset of its end in the pattern */
	bool is_lookbehind;
	bool has_choice;      /* more than one alternative */
	bool optional;        /* may be left out */
	bool repeated;        /* more than once */
	bool consumes;        /* never matches the empty string */
	bool branch_consumes; /* so for the alternative so far */
	bool is_assertion;
};

/* A capturing group, in the order of their numbers. */
struct ecma_capture {
	const char *name; /* in the pattern; NULL */
	size_t name_len;
	uint32_t number, group;
};

struct ecma_reference {
	uint32_t number, group; /* to what, standing in which group */
	size_t at;
};

struct ecma {
	const char *s, *end, *start; /* of the pattern */
	struct wv_str *out;          /* NULL: it is judged only */
	struct wv_err *err;
	bool quantifiable;  /* something stands here that may be repeated */
	bool consumes;      /* and it is never empty */
	uint32_t last;      /* the group that it is; 0: none */
	uint32_t open;      /* the innermost group here */
	uint32_t depth;     /* groups that are open, the pattern too */
	const char *beyond; /* the first thing that PCRE2 cannot do */
	size_t beyond_at;
	struct ecma_group *groups;
	struct ecma_capture *captures; /* found before the translation */
	struct ecma_capture *by_name;  /* those that have one, sorted */
	struct ecma_reference *references;
	size_t group_count, capture_count, name_count, reference_count;
	size_t captures_open; /* whose parenthesis has been passed */
};

/* The byte so far ahead, or -1 past the end. */
static inline int
wv_ecma_peek(const struct ecma *r, size_t ahead)
{
	return (size_t)(r->end - r->s) > ahead ? (unsigned char)r->s[ahead]
					       : -1;
}

/* ecma.c: says what is wrong here; returns -1. */
int wv_ecma_bad(const struct ecma *r, const char *what);
/* Notes what is right but cannot be done. */
void wv_ecma_beyond(struct ecma *r, const char *what);
void wv_ecma_emit(struct ecma *r, const char *s, size_t n);
void wv_ecma_emit_text(struct ecma *r, const char *s);
/* A code point, or in a class a range of them; half of a surrogate pair is
 * in no text: false if nothing is left. */
bool wv_ecma_emit_range(struct ecma *r, uint32_t first, uint32_t last);

/* ecma-class.c: after "[". */
int wv_ecma_class(struct ecma *r);

/* ecma-escape.c: after a backslash, what may stand in a class too: 0 and a
 * code point; 1 if it is a set, which has been emitted; -1. */
int wv_ecma_character(struct ecma *r, bool in_class, uint32_t *cp);

/* ecma-property.c: after "\p" or "\P". */
int wv_ecma_property(struct ecma *r, bool negated);

/* ecma-group.c */
int wv_ecma_find_captures(struct ecma *r);
/* After "(", and at ")"; the whole pattern is opened by its own. */
void wv_ecma_enter(struct ecma *r);
int wv_ecma_open(struct ecma *r);
int wv_ecma_close(struct ecma *r);
void wv_ecma_choice(struct ecma *r);
/* The term before this one is complete. */
void wv_ecma_settle(struct ecma *r);
/* After "\k", or at the first digit. */
int wv_ecma_reference(struct ecma *r, bool named);
void wv_ecma_check_references(struct ecma *r);

#endif
