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
#include "signals.h"

/*
 * What may be offered: within a list any entry will do; a capability must
 * satisfy each list of allow that is there, and none of deny.  A namespace is
 * a prefix of the id that ends at a dot or is the whole of it; a safety that
 * is not known is called unknown.
 */
struct filter {
	struct filter_lists {
		struct filter_list {
			struct wv_map entries;
			bool is_there; /* an empty one lets nothing through */
		} namespaces, tags, capabilities, safety;
	} allow, deny;
	bool is_there; /* any list is: {0} allows everything */
};

struct request {
	const char *query; /* not blank */
	const char *id;    /* or NULL */
	struct filter filter;
	/* Of called, then of the calls of history, then of frames.  Texts of
	 * history are not looked at: they may be raw output (I-01). */
	struct signals signals;
};

/* Fills the request from a record whose tree must outlive it, like the arena.
 * An error has its place in the record. */
int request_read(struct request *request, struct wv_arena *arena,
	const struct wv_record *rec, struct wv_err *err);
void request_free(struct request *request);
/* The query of a record, whatever else that has. */
int request_query(
	const struct wv_doc *doc, const char **query, struct wv_err *err);

bool filter_check(const struct filter *filter, const struct wv_capability *c);
/* Asked for each capability that a query touches. */
static inline bool
filter_allows(const struct filter *filter, const struct wv_capability *c)
{
	return !filter->is_there || filter_check(filter, c);
}

#endif
