/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the documents are that a schema refers to: URIs that begin with a
 * prefix are files beneath a folder, the $ids of the contracts are what is
 * built in, and nothing else is anywhere.  Never a network.
 */
#ifndef WV_VALIDATE_RESOLVE_H
#define WV_VALIDATE_RESOLVE_H

#include "json/doc.h"

struct resolve_rule {
	char *prefix;
	char *folder; /* its real path */
};

/* A document that was asked for and found. */
struct resolved {
	struct resolved *next;
	struct wv_doc doc;
};

struct resolve {
	struct resolve_rule *rules; /* the longest prefix first */
	size_t count;
	struct wv_arena arena; /* of all documents */
	struct resolved *first, **tail;
};

void resolve_init(struct resolve *resolve);
/* -1 and an error if folder is none. */
int resolve_add(struct resolve *resolve, const char *prefix, const char *folder,
	struct wv_err *err);

/*
 * A wv_schema_load; arg is the struct resolve.  Of the rules that fit the
 * longest prefix counts.  What follows it, %XX decoded, names a file below
 * the folder, perhaps without its ending .json, .yaml or .yml; one that leads
 * out of the folder, by ".." or by a link, is an error.
 */
int resolve_load(
	void *arg, const char *uri, const cJSON **root, struct wv_err *err);
void resolve_free(struct resolve *resolve);

#endif
