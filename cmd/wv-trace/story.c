/* SPDX-License-Identifier: Apache-2.0 */
#include "story.h"

#include "kernel/token.h"

#include <stdlib.h>
#include <string.h>

#define PRESENTED "/metadata/x_wv_presented"

/* A token has a line of ancestors, each told by an earlier event. */
enum { READINGS_MAX = WV_LINEAGE_MAX + 8 };

/*
 * Keys: a letter and an id.  d: a decision, h: a Handle, t: a token of which
 * only its own life belongs, p: its principal, k: its key, s: a step of a run,
 * o: a capability that a step of the run is at, r: a request, m: a Handle
 * whose making was seen.
 */
static bool
has(struct story *story, char letter, const char *id)
{
	const size_t *value;

	if (id == NULL)
		return false;
	story->word.n = 0;
	wv_str_chr(&story->word, letter);
	wv_str_cat(&story->word, id);
	value = wv_map_find(&story->keys, story->word.s);
	return value != NULL && *value > 0;
}

static size_t *
key(struct story *story, char letter, const char *id)
{
	const char *text = wv_printf(&story->arena, "%c%s", letter, id);

	return wv_map_add(&story->keys, text, 0);
}

/* leads_back: events before this one may belong, too. */
static void
open_key(struct story *story, char letter, const char *id, bool leads_back)
{
	if (id == NULL || has(story, letter, id))
		return;
	*key(story, letter, id) = 1;
	if (leads_back)
		story->opened++;
}

static bool
is_type(const cJSON *event, const char *type)
{
	return strcmp(wv_get_string(event, "event_type"), type) == 0;
}

static bool
equals(const char *a, const char *b)
{
	return a != NULL && strcmp(a, b) == 0;
}

/* The first way in which the event names the id itself. */
static enum story_kind
names(const cJSON *event, const char *id)
{
	enum story_kind kind = 0;

	while (kind < STORY_KINDS &&
		!equals(story_text(event, story_places[kind]), id))
		kind++;
	if (kind == STORY_KINDS && equals(story_text(event, PRESENTED), id))
		return STORY_DECISION;
	return kind;
}

static char *
step_of(struct wv_arena *arena, const cJSON *event)
{
	const cJSON *run = wv_pointer(event, "/metadata/x_wv_run");
	struct wv_str text = { 0 };
	char *copy = NULL;

	if (wv_get(run, "step_id") != NULL) {
		wv_json_write(&text, run);
		copy = wv_dupn(arena, text.s, text.n);
		wv_str_free(&text);
	}
	return copy;
}

/* Where a step is at: the same trace and capability. */
static char *
place_of(struct wv_arena *arena, const cJSON *event)
{
	const char *trace = story_text(event, story_places[STORY_TRACE]);
	const char *capability = wv_get_string(event, "capability_id");

	return trace != NULL && capability != NULL
		? wv_printf(arena, "%s %s", trace, capability)
		: NULL;
}

/* A token was revoked by its own id, by whose it is or by who signed it. */
static bool
ends_token(struct story *story, const cJSON *event)
{
	const char *code = story_text(event, "/metadata/x_wv_code");

	if (!equals(code, "token_revoked") ||
		story_text(event, story_places[STORY_TOKEN]) != NULL)
		return false;
	return has(story, 'p', wv_get_string(event, "principal")) ||
		has(story, 'k', story_text(event, "/metadata/x_wv_kid"));
}

static bool
is_token_event(const cJSON *event)
{
	return is_type(event, "token_issued") ||
		is_type(event, "token_invalidated");
}

/* Its use is the story of another decision. */
static bool
is_of_token(struct story *story, const cJSON *event)
{
	if (!is_token_event(event))
		return false;
	return (has(story, 't', story_text(event, story_places[STORY_TOKEN])) &&
		       wv_get_string(event, "decision_id") == NULL) ||
		(story->kind == STORY_TOKEN &&
			equals(story_text(event, "/metadata/x_wv_parent"),
				story->id)) ||
		ends_token(story, event);
}

/* Of another decision: that it was read, or that it could not be. */
static bool
is_of_handle(struct story *story, const cJSON *event)
{
	if (!has(story, 'h', wv_get_string(event, "handle_id")))
		return false;
	return is_type(event, "handle_resolved") ||
		(is_type(event, "capability_executed") &&
			!equals(wv_get_string(event, "outcome"), "success"));
}

static bool
is_of_run(struct story *story, const cJSON *event)
{
	char *step = step_of(&story->scratch, event);
	char *place;

	if (is_type(event, "flow_step_started") && has(story, 's', step))
		return true;
	if (story->kind != STORY_RUN ||
		(!is_type(event, "capability_authorized") &&
			!is_type(event, "capability_denied")))
		return false;
	place = place_of(&story->scratch, event);
	return has(story, 'o', place);
}

static bool
belongs(struct story *story, const cJSON *event)
{
	return has(story, 'd', wv_get_string(event, "decision_id")) ||
		has(story, 'd', story_text(event, PRESENTED)) ||
		has(story, 'r',
			story_text(event, story_places[STORY_REQUEST])) ||
		(!story->only_request &&
			(is_of_token(story, event) ||
				is_of_handle(story, event) ||
				is_of_run(story, event)));
}

static void
follow_decision(struct story *story, const cJSON *event, bool is_named)
{
	bool begins = is_type(event, "capability_authorized") ||
		is_type(event, "capability_denied");

	if (is_named || begins)
		open_key(story, 'd', wv_get_string(event, "decision_id"),
			!begins);
}

/* Runs forward: a step is at its capability until it ends. */
static void
follow_run(struct story *story, const cJSON *event)
{
	char *place = place_of(&story->scratch, event);
	size_t *open;

	if (place == NULL)
		return;
	open = key(story, 'o', place);
	if (is_type(event, "flow_step_started"))
		++*open;
	else if (is_type(event, "flow_step_completed") && *open > 0)
		--*open;
}

static void
follow_token(struct story *story, const cJSON *event)
{
	const char *token = story_text(event, story_places[STORY_TOKEN]);

	if (is_type(event, "token_issued")) {
		if (!has(story, 't', token) && !equals(token, story->id))
			return; /* it is one that was made from it */
		open_key(story, 'p', wv_get_string(event, "principal"), false);
		open_key(story, 'k', story_text(event, "/metadata/x_wv_kid"),
			false);
		open_key(story, 't', story_text(event, "/metadata/x_wv_parent"),
			true);
	} else if (!is_token_event(event)) {
		open_key(story, 't', token, true);
	}
}

/* What an event of the story leads to. */
static void
follow(struct story *story, const cJSON *event, enum story_kind named)
{
	if (story->kind == STORY_RUN && named == STORY_RUN)
		follow_run(story, event);
	follow_decision(story, event,
		named < STORY_KINDS && named != STORY_TRACE &&
			named != STORY_TOKEN);
	if (story->only_request) {
		if (named < STORY_KINDS)
			open_key(story, 'r',
				story_text(event, story_places[STORY_REQUEST]),
				true);
		open_key(story, 'h', wv_get_string(event, "handle_id"), true);
		return;
	}
	if (story->kind != STORY_TOKEN || is_token_event(event))
		follow_token(story, event);
	if (is_type(event, "handle_created"))
		open_key(story, 'h', wv_get_string(event, "handle_id"), false);
	if (is_type(event, "flow_step_completed") && story->kind != STORY_RUN)
		open_key(story, 's', step_of(&story->scratch, event), true);
}

static void
keep(struct story *story, const cJSON *event)
{
	const char *time = wv_get_string(event, "timestamp");
	struct story_event *kept;

	if (story->count == story->limit) {
		story->is_cut = true;
		return;
	}
	story->events = wv_list_room(
		story->events, story->count, sizeof *story->events);
	kept = &story->events[story->count];
	kept->at = story->count++;
	kept->event = wv_json_copy(&story->held, event);
	wv_time_parse(&kept->time, time, strlen(time), NULL);
}

/* Of a Handle that the request reads, another made it. */
static void
note_made(struct story *story, const cJSON *event)
{
	const char *id = wv_get_string(event, "handle_id");

	if (!is_type(event, "handle_created") || !has(story, 'h', id) ||
		has(story, 'm', id) || story_foreign(event) != NULL)
		return;
	story->made = wv_list_room(
		story->made, story->made_count, sizeof *story->made);
	story->made[story->made_count++] =
		wv_dup(&story->arena, wv_get_string(event, "timestamp"));
	*key(story, 'm', id) = story->made_count;
}

const char *
story_made(struct story *story, const char *handle_id)
{
	return has(story, 'm', handle_id)
		? story->made[*key(story, 'm', handle_id) - 1]
		: NULL;
}

/* Somebody else's reading of a Handle is told by one event. */
static bool
is_elsewhere(struct story *story, const cJSON *event, enum story_kind named)
{
	return (named == STORY_HANDLE || named == STORY_KINDS) &&
		equals(wv_get_string(event, "capability_id"),
			"wv.handle.resolve") &&
		!has(story, 'd', wv_get_string(event, "decision_id"));
}

static bool
hear(void *arg, cJSON *event)
{
	struct story *story = arg;
	enum story_kind named = names(event, story->id);
	bool is_elses = is_elsewhere(story, event, named);

	wv_arena_reset(&story->scratch);
	if (is_elses && !is_of_handle(story, event))
		named = STORY_KINDS;
	if (story->only_request)
		note_made(story, event);
	if (named == STORY_KINDS && !belongs(story, event))
		return true;
	if (named < STORY_KINDS && story->kind == STORY_KINDS)
		story->kind = named;
	if (story->only_request && (is_elses || story_foreign(event) != NULL))
		return true;
	if (!is_elses && story_foreign(event) == NULL)
		follow(story, event, named);
	keep(story, event);
	return true;
}

/* In the order of the log where the time is the same. */
static int
compare(const void *a, const void *b)
{
	const struct story_event *one = a, *other = b;
	int order = wv_time_cmp(one->time, other->time);

	if (order != 0)
		return order;
	return one->at < other->at ? -1 : one->at > other->at;
}

/* What held from a moment on does so anew. */
static void
forget(struct story *story)
{
	for (size_t i = 0; i < story->keys.room; i++) {
		struct wv_map_slot *slot = &story->keys.slots[i];
		if (slot->key != NULL && strchr("pko", slot->key[0]) != NULL)
			slot->value = 0;
	}
	story->count = 0;
	story->is_cut = false;
	story->opened = 0;
	wv_arena_reset(&story->held);
}

void
story_collect(struct story *story)
{
	int readings = 0;

	story->kind = STORY_KINDS;
	open_key(story, 'h', story->id, false);
	events_keep(story->in);
	do {
		forget(story);
		events_read(story->in, hear, story);
	} while (story->opened > 0 && ++readings < READINGS_MAX);
	story->is_deep = story->opened > 0;
	if (story->count == 0)
		story_look_near(story);
	else
		qsort(story->events, story->count, sizeof *story->events,
			compare);
}

void
story_free(struct story *story)
{
	wv_map_free(&story->keys);
	wv_arena_free(&story->arena);
	wv_arena_free(&story->held);
	wv_arena_free(&story->scratch);
	wv_str_free(&story->word);
	free(story->made);
	free(story->events);
}
