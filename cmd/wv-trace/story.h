/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events that belong to one id.
 *
 * A decision brings what was asked, allowed or denied, what ran and what came
 * of it; the issue, use and revocation of its token and of those it was made
 * from; who read its Handles since; and the step of a flow that it was for.
 * A Frame or Handle is the story of the decision that made it, a request that
 * of its decisions, a run that of its steps and their decisions.  A token or
 * trace is all that names it, and the tokens of a trace.
 *
 * Events of other systems (metadata.x_wv_source) belong where they say, but
 * what they name leads nowhere else.
 *
 * The log is read until a reading finds nothing new, mostly twice; what is in
 * memory is the story.
 */
#ifndef WV_TRACE_STORY_H
#define WV_TRACE_STORY_H

#include "base/clock.h"
#include "base/hash.h"
#include "events.h"

enum story_kind {
	STORY_DECISION,
	STORY_FRAME,
	STORY_HANDLE,
	STORY_TOKEN,
	STORY_RUN,
	STORY_TRACE,
	STORY_REQUEST,
	STORY_EVENT,
	STORY_KINDS, /* nothing names the id */
};
extern const char *const story_kinds[]; /* their names */
/* Where an event names one: pointers. */
extern const char *const story_places[STORY_KINDS];

struct story_event {
	cJSON *event;
	struct wv_time time;
	size_t at; /* its place in the log among them */
};

struct story {
	/* The caller's. */
	struct events *in;
	const char *id;
	size_t limit;      /* most events */
	bool only_request; /* what one request brought, and nothing else */

	/* What was found. */
	enum story_kind kind;
	struct story_event *events; /* the oldest first */
	size_t count;
	bool is_cut;  /* there are more */
	bool is_deep; /* tokens that its tokens were made from are not told */
	const char *near; /* an id that was perhaps meant */

	struct wv_map keys;
	struct wv_arena arena; /* of the keys */
	struct wv_arena held;  /* of the events of this reading */
	struct wv_arena scratch;
	struct wv_str word;
	size_t opened;     /* keys that make another reading needed */
	const char **made; /* when Handles were */
	size_t made_count;
};

/* Reads; free it. */
void story_collect(struct story *story);
void story_free(struct story *story);
/* only_request: when a Handle that it names was made, or NULL. */
const char *story_made(struct story *story, const char *handle_id);
/* Looks for an id that was meant in place of one that nothing names. */
void story_look_near(struct story *story);

/* The system that an event is of; NULL: the kernel, or a flow. */
const char *story_foreign(const cJSON *event);
/* What an event says at a pointer, as text, or NULL. */
const char *story_text(const cJSON *event, const char *pointer);

#endif
