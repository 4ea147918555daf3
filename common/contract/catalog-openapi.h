/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the reader of OpenAPI share. */
#ifndef WV_CONTRACT_CATALOG_OPENAPI_H
#define WV_CONTRACT_CATALOG_OPENAPI_H

#include "contract/catalog-internal.h"

/* A document of OpenAPI and its references. */
struct wv_openapi {
	const cJSON *root;
	struct wv_arena *arena;
	struct wv_arena scratch; /* of the document */
	struct wv_map known;     /* containers whose members have been listed */
	struct wv_map members;   /* container and name to a place in nodes */
	struct wv_map targets;   /* references to the same */
	const cJSON **nodes;
	size_t node_count;
	bool is_3_0;
	size_t left; /* how much of schemas may be copied yet */
};

/* Of what is referred to, and of lists of parameters and forms of a body. */
enum { WV_OPENAPI_MEMBERS_MAX = 256 };

bool wv_openapi_is_long(const cJSON *node);
/* What a node is that may be {"$ref": …}, within the document.  NULL: it leads
 * out of it, nowhere, around, or to what is too long. */
const cJSON *wv_openapi_follow(struct wv_openapi *api, const cJSON *node);
/*
 * A copy of a schema that stands for itself: what it refers to is in it, to a
 * depth and a size; a schema beyond that is {}, which anything satisfies.
 */
cJSON *wv_openapi_schema(struct wv_openapi *api, const cJSON *schema);
void wv_openapi_free(struct wv_openapi *api);

/* The schema of the arguments of an operation in a path item; NULL: *why says
 * what is wrong. */
cJSON *wv_openapi_input(struct wv_openapi *api, const cJSON *item,
	const cJSON *operation, const char **why);

#endif
