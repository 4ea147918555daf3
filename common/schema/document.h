/* SPDX-License-Identifier: Apache-2.0 */
/* Documents, the resources in them, and the schemas in those.  Private to
 * this folder. */
#ifndef WV_SCHEMA_DOCUMENT_H
#define WV_SCHEMA_DOCUMENT_H

#include "schema/program.h"

static inline bool
wv_is_schema(const cJSON *value)
{
	return wv_is_object(value) || wv_is_true(value) || wv_is_false(value);
}

/* document.c */
/* The document of this root, made known if it is not; uri as for
 * wv_schema_set_add(). */
struct document *wv_document_of(
	struct wv_schema_set *set, const cJSON *root, const char *uri);
struct resource *wv_resource_new(struct wv_schema_set *set, const cJSON *root,
	struct document *document, const char *pointer);
/* Gives a resource its URI: id as seen from base, without a fragment.  The
 * first in a set keeps a URI; false if that is of the same document. */
bool wv_resource_name(struct wv_schema_set *set, struct resource *resource,
	const char *base, const char *id);
/* By absolute URI without fragment: of what is known, built in, or loaded, in
 * this order.  NULL: there is none, or an error. */
struct resource *wv_resource_find(
	struct wv_schema_set *set, const char *uri, struct wv_err *err);
/* The root of such a resource, but documents are not searched for it. */
const cJSON *wv_resource_root(
	struct wv_schema_set *set, const char *uri, struct wv_err *err);
/* place.c */
/* Makes nodes of all the schemas of a document, once. */
void wv_document_scan(struct wv_schema_set *set, struct document *document);
/* The node of a schema; NULL if it is not known to be one. */
struct wv_schema *wv_place_find(
	const struct wv_schema_set *set, const cJSON *source);
/* The node of what is taken for a schema though no keyword says so: it and
 * the schemas in it become nodes. */
struct wv_schema *wv_place_add(struct wv_schema_set *set,
	struct resource *resource, const cJSON *source, const char *pointer);
/* The node of a plain name in a resource; NULL if there is none. */
struct wv_schema *wv_place_anchor(const struct wv_schema_set *set,
	const struct resource *resource, const char *name);

/* meta.c: the text of a built-in meta-schema; NULL if uri is none. */
const char *wv_meta_text(const char *uri);

#endif
