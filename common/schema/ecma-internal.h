/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the translator share. */
#ifndef WV_SCHEMA_ECMA_INTERNAL_H
#define WV_SCHEMA_ECMA_INTERNAL_H

#include "schema/ecma.h"

#include <stdint.h>

struct ecma {
	const char *s, *end, *start; /* of the pattern */
	struct wv_str *out;
	struct wv_err *err;
	bool quantifiable; /* something stands here that may be repeated */
};

/* The byte so far ahead, or -1 past the end. */
static inline int
wv_ecma_peek(const struct ecma *r, size_t ahead)
{
	return (size_t)(r->end - r->s) > ahead ? (unsigned char)r->s[ahead]
					       : -1;
}

/* Says what is wrong here; returns -1. */
int wv_ecma_bad(const struct ecma *r, const char *what);
void wv_ecma_put(struct ecma *r, uint32_t cp);

/* ecma-escape.c: after the backslash, outside and within a class. */
int wv_ecma_escape(struct ecma *r);
int wv_ecma_class_escape(struct ecma *r);

#endif
