/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON Schema, draft 2020-12: a schema is compiled once into a program that
 * runs over a tree without allocating; only when it fails a second, slower
 * run collects the errors.  References are resolved among the documents of a
 * set, never from a network.
 *
 * So far the keywords that the contracts and our configuration files use:
 * see keyword.c.  A schema that says anything else is refused, never
 * half-checked; annotations (title, description, default, examples,
 * $comment, x_…) are skipped.
 */
#ifndef WV_SCHEMA_SCHEMA_H
#define WV_SCHEMA_SCHEMA_H

#include "json/doc.h"

struct wv_schema;     /* one compiled schema; lives as long as its set */
struct wv_schema_set; /* documents by $id, and everything compiled of them */

struct wv_schema_set *wv_schema_set_new(void);
void wv_schema_set_free(struct wv_schema_set *set);
/* Makes a document known under its $id; the tree must outlive the set. */
int wv_schema_set_add(
	struct wv_schema_set *set, const cJSON *root, struct wv_err *err);

/* The schema at root (of any document, known or not).  format is asserted if
 * assert_format.  err->text names the pointer of what is wrong. */
const struct wv_schema *wv_schema_compile(struct wv_schema_set *set,
	const cJSON *root, bool assert_format, struct wv_err *err);

/* 1 valid, 0 invalid, -1 could not tell (a pattern that hit its limit, a value
 * that is nested too deeply, too many alternatives to try).  One thread at a
 * time for a set. */
int wv_schema_valid(const struct wv_schema *schema, const cJSON *instance);

struct wv_schema_error {
	struct wv_schema_error *next;
	const char *instance; /* RFC 6901 pointer of the value */
	const char *keyword;  /* pointer of the keyword within its schema */
	const char *message;  /* in the user's words, foreign text cleaned */
};

/* Same verdict, and why: of an anyOf the branch that came nearest; in the
 * order of the instance, a value before what is in it; at most max errors.
 * There is at least one unless the verdict is 1. */
int wv_schema_errors(const struct wv_schema *schema, const cJSON *instance,
	struct wv_arena *arena, size_t max, struct wv_schema_error **errors);

#endif
