/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schemas of the user's own, from files.  A relative reference in one that
 * has no $id of its own is to a file beside it, or further down.
 */
#ifndef WV_VALIDATE_SCHEMAS_H
#define WV_VALIDATE_SCHEMAS_H

#include "resolve.h"
#include "schema/schema.h"

struct schemas {
	struct wv_schema_set *set;
	struct resolve resolve;
};

void schemas_init(
	struct schemas *schemas, const struct wv_schema_options *options);
/* "PREFIX=DIR"; -1 and an error. */
int schemas_map(struct schemas *schemas, const char *spec, struct wv_err *err);

/*
 * Reads a schema, judges it and all it refers to by their meta-schemas, and
 * compiles it.  NULL if that cannot be; then every fault has been told, with
 * its place.
 */
const struct wv_schema *schemas_load(
	struct schemas *schemas, const char *path, const cJSON **root);

/* The same, and tells what is probably not meant either.  The exit status: 0
 * if there was nothing to tell, 2 if a file cannot be read. */
int schemas_lint(struct schemas *schemas, const char *path);
void schemas_free(struct schemas *schemas);

#endif
