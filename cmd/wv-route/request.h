/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A route request: {"query", "id"?, "allow"?, "deny"?, "called"?, "history"?,
 * "frames"?, "metadata"?}, as schemas/config/route-request has it.  Other
 * members are refused, x_… excepted: a filter with a typing error would let
 * through what it should not.
 */
#ifndef WV_ROUTE_REQUEST_H
#define WV_ROUTE_REQUEST_H

#include "contract/catalog.h"
#include "json/lines.h"

/*
 * What may be offered: within a list any entry will do; a capability must
 * satisfy each list of allow that is there, and none of deny.  A namespace is
 * a prefix of the id that ends at a dot or is the whole of it.
 */
struct filter {
	struct filter_lists {
		struct wv_map namespaces, tags, capabilities;
		bool has_namespaces, has_tags, has_capabilities;
	} allow, deny;
};

struct request {
	const char *query; /* not blank */
	const char *id;    /* or NULL */
	struct filter filter;
};

/* Fills the request from a record whose tree must outlive it.  An error has
 * its place in the record. */
int request_read(struct request *request, const struct wv_record *rec,
	struct wv_err *err);
void request_free(struct request *request);

bool filter_allows(const struct filter *filter, const struct wv_capability *c);

#endif
