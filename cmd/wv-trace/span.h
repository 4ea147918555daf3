/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events as spans of OpenTelemetry, in its JSON form: names and values of
 * contracts.md's mapping (semantic conventions 1.30.0).
 *
 * An event is a span of its own.  Its parent is what led to it: the flow of a
 * step, the step of a decision, the decision of a call, the call of what came
 * of it; a parent in another trace is a link.  These are found among the
 * latest SPANS_KNOWN of them, so that memory does not depend on the log.
 */
#ifndef WV_TRACE_SPAN_H
#define WV_TRACE_SPAN_H

#include "json/json.h"

enum { SPANS_KNOWN = 32768 };

struct spans;
struct spans *spans_new(void);
void spans_free(struct spans *spans);

/* The span of an event, in the arena; NULL: its time cannot be written.
 * *orphan: what led to it is not known. */
cJSON *span_make(struct spans *spans, struct wv_arena *arena,
	const cJSON *event, bool *orphan, struct wv_err *err);
/* {"key":NAME,"value":{"stringValue":TEXT}}, added to a list. */
void span_attribute(struct wv_arena *arena, cJSON *list, const char *name,
	const char *text);

#endif
