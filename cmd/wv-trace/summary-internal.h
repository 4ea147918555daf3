/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_TRACE_SUMMARY_INTERNAL_H
#define WV_TRACE_SUMMARY_INTERNAL_H

#include "summary.h"

enum tally_kind {
	BY_EVENT,
	BY_OUTCOME,
	BY_CODE,
	BY_CAPABILITY,
	BY_PRINCIPAL,
	BY_HOUR,
	TALLIES,
};

/* A value, and how often it was there. */
struct entry {
	uint64_t count;
	/* Of a capability: what is known of its runs, in milliseconds. */
	uint64_t runs;
	double total, longest;
	uint64_t hash;
	size_t n;
	char text[];
};

/* Found lately; end: its last bytes. */
struct memo {
	uint64_t end;
	struct entry *entry;
};
enum { MEMO = 256 };

struct tally {
	size_t place;
	struct entry **slots; /* open addressing; NULL: free */
	size_t count, room;
	struct memo memo[MEMO];
	uint64_t none;   /* lines without a value */
	uint64_t others; /* with one beyond the bound */
};

struct summary {
	struct tally tallies[TALLIES];
	size_t duration; /* place */
	uint64_t count;
	struct wv_time first, last;
	int64_t hour; /* of the entry: since 1970 */
	struct entry *hour_entry;
	size_t bytes; /* of all entries */
};

extern const char *const summary_names[TALLIES];

#endif
