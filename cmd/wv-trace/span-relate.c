/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "span-internal.h"
#include "story.h"

#include <stdlib.h>
#include <string.h>

/* Half of what is known; the older half goes when this one is full. */
struct generation {
	struct wv_map index; /* to origins, from 1 */
	struct origin *origins;
	size_t count;
	struct wv_arena arena; /* of the keys */
};

struct spans {
	struct generation young, old;
};

struct spans *
spans_new(void)
{
	return wv_xcalloc(1, sizeof(struct spans));
}

static void
forget(struct generation *generation)
{
	wv_map_free(&generation->index);
	free(generation->origins);
	wv_arena_free(&generation->arena);
	*generation = (struct generation){ 0 };
}

void
spans_free(struct spans *spans)
{
	forget(&spans->young);
	forget(&spans->old);
	free(spans);
}

/* What another system says is an origin for its own events only. */
static char *
key_of(struct wv_arena *arena, const struct maker *m, const char *kind,
	const char *id)
{
	return wv_printf(arena, "%s\x1f%s\x1f%s", kind,
		m->source != NULL ? m->source : "", id);
}

static const struct origin *
find_in(const struct generation *generation, const char *key)
{
	const size_t *at = wv_map_find(&generation->index, key);

	return at != NULL ? &generation->origins[*at] : NULL;
}

static const struct origin *
look(const struct maker *m, const char *kind, const char *id)
{
	const struct origin *origin;
	const char *key;

	if (id == NULL)
		return NULL;
	key = key_of(m->arena, m, kind, id);
	origin = find_in(&m->spans->young, key);
	if (origin == NULL)
		origin = find_in(&m->spans->old, key);
	return origin != NULL && !origin->over ? origin : NULL;
}

/* Unless it has a parent: that one. */
static void
find(struct maker *m, const char *kind, const char *id)
{
	const struct origin *origin = m->has_parent ? NULL : look(m, kind, id);

	if (origin == NULL)
		return;
	m->parent = *origin;
	m->has_parent = true;
}

static void
remember(struct maker *m, const char *kind, const char *id, bool over)
{
	struct generation *young = &m->spans->young;
	size_t *at;

	if (id == NULL)
		return;
	if (young->count == SPANS_KNOWN / 2) {
		forget(&m->spans->old);
		m->spans->old = *young;
		*young = (struct generation){ 0 };
	}
	at = wv_map_add(&young->index, key_of(&young->arena, m, kind, id),
		young->count);
	if (*at == young->count) {
		young->origins = wv_list_room(
			young->origins, young->count, sizeof *young->origins);
		young->count++;
	}
	young->origins[*at] = m->self;
	young->origins[*at].over = over;
}

static const char *
get(const struct maker *m, const char *pointer)
{
	return story_text(m->event, pointer);
}

static bool
is_type(const struct maker *m, const char *type)
{
	return strcmp(m->type, type) == 0;
}

/* The latest step of a trace that is at this capability. */
static char *
place_of(const struct maker *m)
{
	const char *capability = get(m, "/capability_id");

	return wv_printf(m->arena, "%s %s", m->self.trace_id,
		capability != NULL ? capability : "");
}

static char *
step_of(const struct maker *m)
{
	const cJSON *run = wv_pointer(m->event, "/metadata/x_wv_run");
	struct wv_str text = { 0 };

	wv_json_write(&text, run);
	char *step = wv_dupn(m->arena, text.s, text.n);
	wv_str_free(&text);
	return step;
}

/* One that lasted began with its parent. */
static void
stretch(struct maker *m)
{
	if (m->has_parent && wv_time_cmp(m->parent.time, m->self.time) < 0)
		m->self.time = m->parent.time;
}

static void
relate_flow(struct maker *m)
{
	const char *run = get(m, "/metadata/x_wv_run/run_id");
	const struct origin *flow;

	m->wants_parent = true;
	if (is_type(m, "flow_started")) {
		m->wants_parent = false;
		find(m, "at", place_of(m)); /* a flow within a flow */
		remember(m, "run", run, false);
		if (!m->has_parent)
			remember(m, "flow", m->self.trace_id, false);
	} else if (is_type(m, "flow_step_started")) {
		find(m, "run", run);
		remember(m, "step", step_of(m), false);
		remember(m, "at", place_of(m), false);
	} else if (is_type(m, "flow_step_completed")) {
		find(m, "step", step_of(m));
		stretch(m);
		remember(m, "at", place_of(m), true);
	} else {
		find(m, "run", run);
		stretch(m);
		flow = look(m, "flow", m->self.trace_id);
		if (flow != NULL &&
			strcmp(flow->span_id, m->parent.span_id) == 0)
			remember(m, "flow", m->self.trace_id, true);
	}
}

static void
relate_verdict(struct maker *m)
{
	const char *presented = get(m, "/metadata/x_wv_presented");

	m->wants_parent = presented != NULL;
	find(m, "decision", presented);
	find(m, "at", place_of(m));
	find(m, "flow", m->self.trace_id);
	remember(m, "decision", get(m, "/decision_id"), false);
}

void
span_relate(struct maker *m)
{
	const char *decision = get(m, "/decision_id");

	if (strncmp(m->type, "flow_", 5) == 0) {
		relate_flow(m);
	} else if (is_type(m, "capability_authorized") ||
		is_type(m, "capability_denied")) {
		relate_verdict(m);
	} else if (is_type(m, "capability_executed")) {
		m->wants_parent = true;
		find(m, "decision", decision);
		remember(m, "call", decision, false);
	} else {
		m->wants_parent = decision != NULL;
		find(m, "call", decision);
		find(m, "decision", decision);
	}
}
