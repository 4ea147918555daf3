/* SPDX-License-Identifier: Apache-2.0 */
/* The records of one request, held against what the log and the store say of
 * them. */
#ifndef WV_TRACE_BUNDLE_H
#define WV_TRACE_BUNDLE_H

#include "story.h"

struct bundle {
	struct events in;
	struct story story;
	struct wv_state *state;
	struct wv_arena arena;
	struct wv_lines_options lines; /* of the FILEs */
	const char *request;           /* its id */
	const char *kid;               /* --sign, or NULL */
	bool with_arguments;

	/* Records of the FILEs by "r", "d" or "f" and their id. */
	struct wv_map index;
	cJSON **records;
	size_t record_count;

	cJSON *missing; /* names of what is */
	bool is_false;  /* a record is not the one that was logged */
	bool has_bad;   /* a FILE, or a record in it */
};

/* Finds the records of the request among the FILEs. */
void bundle_gather(struct bundle *b, char *const *files);
/* By kind and id; NULL: the FILEs lack it. */
cJSON *bundle_record(const struct bundle *b, char kind, const char *id);
/* Notes that something is missing. */
void bundle_miss(struct bundle *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Each record that an event names, checked; what is missing is noted. */
cJSON *bundle_routing(struct bundle *b);
cJSON *bundle_decisions(struct bundle *b);
cJSON *bundle_frames(struct bundle *b);
/* Whether all records are such as events name. */
void bundle_check_rest(struct bundle *b);

#endif
