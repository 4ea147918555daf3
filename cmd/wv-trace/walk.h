/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A walk along a whole log, in constant memory, that tells every fault with
 * line and offset and goes on.  The log may be in several files.
 */
#ifndef WV_TRACE_WALK_H
#define WV_TRACE_WALK_H

#include "base/id.h"
#include "trace.h"

enum { WALK_LINE_MAX = 256 << 20 }; /* append writes less, even redacted */

struct verdict {
	uint64_t lines, faults;
	uint64_t notes;  /* what dying writers left, and losses; all told of */
	uint64_t losses; /* that wv-trace recover took note of */
	uint64_t files;
	uint64_t first;           /* seq of the first line; 0: there is none */
	uint64_t seq;             /* of the last; 0: there is none */
	char last[WV_SHA256_HEX]; /* of the last line; "" if there is none */
	char log[WV_ID_MAX];      /* the log's id; "" if it is not named */
	bool is_own;
	uint64_t head_lines;     /* up to the store's head */
	struct wv_summit summit; /* of our own */
};

/* Who looks at the lines that have a chain, as they pass; any may be NULL. */
struct watch {
	/* The chain has come to this line; also to the one before the first. */
	void (*link)(struct watch *watch, uint64_t seq, const char *hash);
	/* Lines up to this are lost, and that was taken note of. */
	void (*lost)(struct watch *watch, uint64_t seq);
	void (*line)(struct watch *watch, const char *text, size_t len);
	struct watch *next;
};

struct walk;
struct walk *walk_new(struct watch *watches);
/* A file of the log.  -1: it could not be read to its end; that is told. */
int walk_file(struct walk *walk, struct source *source);
/* The end of the log.  Frees it. */
void walk_end(struct walk *walk, struct verdict *verdict);

/* For a watch: a fault of the line that it sees, or of the log as a whole
 * (walk_end() only); is counted. */
__attribute__((format(printf, 2, 3))) void walk_fault(
	struct walk *walk, const char *fmt, ...);
__attribute__((format(printf, 2, 3))) void walk_note(
	struct walk *walk, const char *fmt, ...);

#endif
