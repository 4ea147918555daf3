/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the walk share: walk.c goes along, walk-tell.c tells. */
#ifndef WV_TRACE_WALK_INTERNAL_H
#define WV_TRACE_WALK_INTERNAL_H

#include "json/skim.h"
#include "kernel/audit.h"
#include "shape.h"
#include "walk.h"

enum { PENDING_MAX = 4096 };

/* A fault, unless a gap turns out to account for the line. */
struct pending {
	const char *name; /* of the file */
	uint64_t line, offset;
	size_t column;
	char what[120];
};

/*
 * `strict` is the chain as it ought to be.  From the first line on that does
 * not follow it, `loose` goes on from that line, so that one fault is not
 * told again by every line after it; to the strict chain these lines are
 * torn bytes, for which a gap may still account.  That hope is given up when
 * they are more than a dying writer can leave.
 */
struct walk {
	struct source *source; /* NULL: behind the last */
	struct watch *watches;
	struct verdict verdict;
	struct wv_arena arena; /* of a line */
	struct wv_arena names; /* of files */
	const char *name;
	struct wv_skim *skim;
	struct places places; /* of which nothing is asked */
	struct shapes *shapes;
	struct wv_chain strict, loose;
	bool is_loose;
	/* The last line of any file, and the last chained one. */
	struct pending at, before;
	uint64_t segment; /* how many are before the file */
	bool is_first;    /* no chained line of the file was there yet */
	struct pending *pending;
	size_t count, mark; /* of pending; as the last loose line left it */
	bool head_seen;     /* what follows is unknown to the store */
	uint64_t after_head;
};

/* All that is pending is a fault. */
void walk_flush(struct walk *walk);
/* No gap accounts for it any more. */
void walk_give_up(struct walk *walk);
/* Of the line that is read, and of the last chained one before it. */
__attribute__((format(printf, 3, 4))) void walk_pend(
	struct walk *walk, size_t column, const char *fmt, ...);
__attribute__((format(printf, 2, 3))) void walk_pend_before(
	struct walk *walk, const char *fmt, ...);

#endif
