/* SPDX-License-Identifier: Apache-2.0 */
/* What bound.c and bound-text.c share: attempts to stay within a budget. */
#ifndef WV_FIREWALL_BOUND_INTERNAL_H
#define WV_FIREWALL_BOUND_INTERNAL_H

#include "firewall/internal.h"

enum wv_cut_kind {
	WV_CUT_ITEMS,
	WV_CUT_MEMBERS,
	WV_CUT_DEEP,
	WV_CUT_STRING,
	WV_CUT_KINDS,
};

struct wv_cut_note {
	size_t count;
	const char *where; /* of the first */
	size_t kept, total;
};

struct wv_bounds {
	size_t rows, fields, depth, bytes; /* bytes of a string */
};

/* One attempt to stay within the bounds.  It ends early once it is clear that
 * the budget does not suffice, so none costs much more than the budget. */
struct wv_attempt {
	struct wv_arena *arena;
	struct wv_bounds most;
	struct wv_bounds met; /* as many as there were, until it was full */
	size_t left;          /* bytes of the budget */
	bool full;
	struct wv_cut_note cuts[WV_CUT_KINDS];
	cJSON *noted; /* pointers to what was cut */
	size_t noted_count, noted_bytes;
};

static inline void
wv_bound_meet(size_t *met, size_t n)
{
	*met = n > *met ? n : *met;
}

/* Something is cut: so many of a total are kept. */
void wv_bound_note(struct wv_attempt *a, enum wv_cut_kind kind,
	const struct wv_place *place, size_t kept, size_t total);
/* A longer string cut, else NULL. */
cJSON *wv_bound_string(struct wv_attempt *a, const char *s, size_t n,
	const struct wv_place *place);
/* Says of what was cut; at most WV_CUT_KINDS + 1 are. */
void wv_bound_add_cut(
	struct wv_arena *arena, struct wv_findings *f, const char *text);

/* Makes data of `from` (a cJSON or a content) within a->most and a->left. */
typedef cJSON *wv_bound_maker(struct wv_attempt *a, const void *from);
cJSON *wv_bound(struct wv_arena *arena, wv_bound_maker *make, const void *from,
	const struct wv_firewall_options *options, struct wv_findings *findings,
	cJSON **cut_pointers);

#endif
