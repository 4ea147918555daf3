/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line of a log as a TraceEvent.  What is none is told and counted; what a
 * dying writer left is told, and counted only if the next line does not
 * account for it (kernel/audit.h).
 */
#ifndef WV_TRACE_SCAN_H
#define WV_TRACE_SCAN_H

#include "kernel/audit.h"
#include "shape.h"
#include "trace.h"

struct scan {
	/* The caller's. */
	const struct wv_lines_options *lines;
	uint64_t *malformed;
	void (*tell)(void *arg, struct wv_err *err); /* has its place */
	void *arg;

	struct wv_arena arena; /* of a line */
	struct wv_chain torn;  /* what may be accounted for yet */
};
void scan_start(struct scan *scan);
void scan_free(struct scan *scan);

/* What the source's reader handed out: its tree, and its text without a byte
 * order mark; NULL: it has none, or there is nothing. */
cJSON *scan_read(
	struct scan *scan, const struct source *source, struct span *text);
/* A tree that has been read: whether it is a TraceEvent. */
bool scan_event(
	struct scan *scan, const struct source *source, const cJSON *tree);
/* What of torn lines this one, or NULL at the end of all, accounts for. */
void scan_settle(struct scan *scan, const cJSON *tree);
/* The line cannot be used. */
void scan_bad(
	struct scan *scan, const struct source *source, struct wv_err *err);
static inline bool
scan_is_over(const struct scan *scan)
{
	return *scan->malformed > 0 && scan->lines->fail_fast;
}

/* What a line says of a tear before it; or NULL. */
static inline const cJSON *
scan_gap(const cJSON *tree)
{
	return wv_get(wv_get(tree, "x_wv_chain"), "gap");
}

#endif
