/* SPDX-License-Identifier: Apache-2.0 */
#include "story.h"

#include <string.h>

const char *const story_kinds[] = { "decision", "frame", "handle", "token",
	"run", "trace", "request", "event", NULL };

const char *const story_places[STORY_KINDS] = {
	[STORY_DECISION] = "/decision_id",
	[STORY_FRAME] = "/frame_id",
	[STORY_HANDLE] = "/handle_id",
	[STORY_TOKEN] = "/metadata/x_wv_token_id",
	[STORY_RUN] = "/metadata/x_wv_run/run_id",
	[STORY_TRACE] = "/metadata/telemetry/trace_id",
	[STORY_REQUEST] = "/metadata/x_wv_routing_decision_id",
	[STORY_EVENT] = "/event_id",
};

const char *
story_text(const cJSON *event, const char *pointer)
{
	const cJSON *node = wv_pointer(event, pointer);

	return wv_is_string(node) ? node->valuestring : NULL;
}

const char *
story_foreign(const cJSON *event)
{
	return story_text(event, "/metadata/x_wv_source");
}

/* The same up to a typing error, for what it costs to look at every id. */
static bool
resembles(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), first = 0, last = 0;

	while (first < n && first < m && a[first] == b[first])
		first++;
	while (last < n - first && last < m - first &&
		a[n - last - 1] == b[m - last - 1])
		last++;
	return first + last >= n / 2;
}

/* Ids of one prefix are of one kind. */
static void
look_near(struct story *story, const char *id)
{
	size_t prefix = strcspn(story->id, "-");
	bool is_bare = story->id[prefix] == '\0';
	const char *list[] = { story->near != NULL ? story->near : id, id,
		NULL };
	const char *near;

	if (id == NULL ||
		(is_bare ? strchr(id, '-') != NULL
			 : strncmp(id, story->id, prefix + 1) != 0) ||
		!resembles(story->id, id))
		return;
	near = wv_nearest(story->id, list);
	if (near != NULL &&
		(story->near == NULL || strcmp(near, story->near) != 0))
		story->near = wv_dup(&story->arena, near);
}

static bool
hear_near(void *arg, cJSON *event)
{
	for (size_t i = 0; i < STORY_KINDS; i++)
		look_near(arg, story_text(event, story_places[i]));
	return true;
}

void
story_look_near(struct story *story)
{
	events_read(story->in, hear_near, story);
}
