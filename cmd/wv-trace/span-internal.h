/* SPDX-License-Identifier: Apache-2.0 */
/* Between a span and what led to it. */
#ifndef WV_TRACE_SPAN_INTERNAL_H
#define WV_TRACE_SPAN_INTERNAL_H

#include "base/clock.h"
#include "span.h"

#include <stdbool.h>

enum { SPAN_TRACE_ID = 32, SPAN_ID = 16 /* hex digits */ };

/* What others may have as their parent. */
struct origin {
	char trace_id[SPAN_TRACE_ID + 1], span_id[SPAN_ID + 1];
	struct wv_time time;
	bool over;
};

/* A span that is made. */
struct maker {
	struct spans *spans;
	struct wv_arena *arena;
	const cJSON *event;
	const char *type, *source;
	struct origin self;
	struct wv_time end;
	struct origin parent;
	bool has_parent, wants_parent;
	cJSON *attributes;
};

/* Finds its parent, may stretch it to that one's time, and remembers it for
 * those that come. */
void span_relate(struct maker *m);

#endif
