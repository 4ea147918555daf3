/* SPDX-License-Identifier: Apache-2.0 */
#include "filter-internal.h"

#include "schema/regex.h"

#include <stdlib.h>
#include <string.h>

enum { FILTER_COUNT = 16 };

const struct wv_opt filter_opts[] = {
	{ OPT_FILTER, "event", "TYPE",
		"events of a type, or a part of its name that no other has" },
	{ OPT_FILTER + 1, "principal", "P", "who; may be a glob" },
	{ OPT_FILTER + 2, "capability", "ID", "what; may be a glob" },
	{ OPT_FILTER + 3, "outcome", "WORD", "success, failure or partial" },
	{ OPT_FILTER + 4, "code", "CODE", "why: token_expired, ..." },
	{ OPT_FILTER + 5, "decision", "ID", "of a decision" },
	{ OPT_FILTER + 6, "frame", "ID", "of a Frame" },
	{ OPT_FILTER + 7, "handle", "ID", "of a Handle" },
	{ OPT_FILTER + 8, "token", "ID", "of a token" },
	{ OPT_FILTER + 9, "run", "ID", "of a run of a flow" },
	{ OPT_FILTER + 10, "trace", "ID", "of a trace" },
	{ OPT_FILTER + 11, "where", "POINTER=VALUE",
		"whose member has a value; also ~REGEX, >N, >=N, <N, <=N" },
	{ OPT_FILTER + 12, "grep", "TEXT", "that hold a text" },
	{ OPT_FILTER + 13, "since", "TIME", "from then on" },
	{ OPT_FILTER + 14, "until", "TIME", "before then" },
	{ OPT_FILTER + 15, "not", NULL, "but not what the next filter says" },
	{ 0 },
};

static const struct {
	enum kind kind;
	const char *pointer;
} meaning[FILTER_COUNT] = {
	{ EVENT, "/event_type" },
	{ GLOB, "/principal" },
	{ GLOB, "/capability_id" },
	{ OUTCOME, "/outcome" },
	{ EXACT, "/metadata/x_wv_code" },
	{ EXACT, "/decision_id" },
	{ EXACT, "/frame_id" },
	{ EXACT, "/handle_id" },
	{ EXACT, "/metadata/x_wv_token_id" },
	{ EXACT, "/metadata/x_wv_run/run_id" },
	{ EXACT, "/metadata/telemetry/trace_id" },
	{ WHERE, NULL },
	{ GREP, NULL },
	{ SINCE, NULL },
	{ UNTIL, NULL },
	{ NOT, NULL },
};

static const char *const event_types[] = {
	"capability_authorized",
	"capability_denied",
	"capability_executed",
	"firewall_applied",
	"handle_created",
	"handle_resolved",
	"token_issued",
	"token_invalidated",
	"flow_started",
	"flow_step_started",
	"flow_step_completed",
	"flow_completed",
	"flow_failed",
	NULL,
};

struct filter *
filter_new(struct places *places)
{
	struct filter *filter = wv_xcalloc(1, sizeof(*filter));

	filter->places = places;
	filter->met = wv_xcalloc(1, sizeof(*filter->met));
	return filter;
}

void
filter_free(struct filter *filter)
{
	for (size_t i = 0; i < filter->count; i++)
		wv_regex_free(filter->conditions[i].regex);
	wv_arena_free(&filter->arena);
	wv_str_free(&filter->text);
	free(filter->conditions);
	free(filter->met);
	free(filter);
}

/* Nothing has this in its name: dies, with what was meant. */
static void
no_event(const struct wv_opts *opts, const char *word)
{
	const char *ends[sizeof(event_types) / sizeof(event_types[0])];
	size_t i = 0;

	for (; event_types[i] != NULL; i++)
		ends[i] = strrchr(event_types[i], '_') + 1;
	ends[i] = NULL;
	const char *near = wv_nearest(word, ends);
	if (near != NULL)
		wv_usage(opts, "--event: no event is '%s'; did you mean '%s'?",
			word, near);
	wv_opt_choice(opts, "--event", word, event_types);
}

static const char *
find_event(const struct wv_opts *opts)
{
	const char *word = opts->value, *found = NULL, *second = NULL;

	for (size_t i = 0; event_types[i] != NULL; i++) {
		if (strcmp(event_types[i], word) == 0)
			return event_types[i];
		if (*word == '\0' || strstr(event_types[i], word) == NULL)
			continue;
		if (found == NULL)
			found = event_types[i];
		else if (second == NULL)
			second = event_types[i];
	}
	if (second != NULL)
		wv_usage(opts, "--event: %s can be %s or %s", word, found,
			second);
	if (found == NULL)
		no_event(opts, word);
	return found;
}

/* Reads the value; the pointer of where it is looked for, or NULL. */
static const char *
read_value(
	struct filter *filter, struct condition *c, const struct wv_opts *opts)
{
	static const char *const outcomes[] = { "success", "failure", "partial",
		NULL };

	c->value = opts->value;
	if (c->kind == WHERE)
		return where_read(filter, c, opts);
	if (c->kind == EVENT)
		c->value = find_event(opts);
	if (c->kind == OUTCOME)
		wv_opt_choice(opts, "--outcome", opts->value, outcomes);
	if (c->kind == EVENT || c->kind == OUTCOME ||
		(c->kind == GLOB && strchr(c->value, '*') == NULL))
		c->kind = EXACT;
	c->n = strlen(c->value);
	return NULL;
}

/* A bound is no alternative to a value, nor to one from the other side. */
static bool
are_alike(const struct condition *a, const struct condition *b)
{
	bool is_bound = a->kind == BELOW || a->kind == ABOVE;

	if (a->negated || b->negated || a->place != b->place)
		return false;
	return a->kind == b->kind ||
		(a->place != PLACES_MAX && !is_bound && b->kind != BELOW &&
			b->kind != ABOVE);
}

static size_t
group_of(struct filter *filter, const struct condition *c)
{
	for (size_t i = 0; i < filter->count; i++)
		if (are_alike(&filter->conditions[i], c)) {
			filter->has_alternatives = true;
			return filter->conditions[i].group;
		}
	return filter->groups++;
}

void
filter_add(struct filter *filter, const struct wv_opts *opts, int id)
{
	struct condition c = { .kind = meaning[id - OPT_FILTER].kind,
		.place = PLACES_MAX,
		.negated = filter->negate };
	const char *pointer = meaning[id - OPT_FILTER].pointer, *where;

	if (c.kind == NOT) {
		filter->negate = true;
		return;
	}
	filter->negate = false;
	where = read_value(filter, &c, opts);
	if (where != NULL)
		pointer = where;
	if (pointer != NULL) {
		int place = places_add(filter->places, pointer);
		if (place < 0 || place >= PLACES_ASKED)
			wv_usage(opts, "more than %d places to look at",
				PLACES_ASKED);
		c.place = (size_t)place;
	}
	filter->has_patterns |= c.kind == MATCHES;
	if (!c.negated)
		c.group = group_of(filter, &c);
	filter->conditions =
		wv_list_room(filter->conditions, filter->count, sizeof(c));
	filter->conditions[filter->count++] = c;
	filter->met =
		wv_xrealloc(filter->met, filter->count * sizeof(*filter->met));
}

/* Alternatives make the window wider. */
static void
widen(struct wv_time *bound, struct wv_time time, bool is_since)
{
	if ((wv_time_cmp(time, *bound) < 0) == is_since)
		*bound = time;
}

void
filter_ready(struct filter *filter, const struct wv_opts *opts)
{
	struct wv_time since = { INT64_MAX, 0 }, until = { INT64_MIN, 0 };

	if (filter->negate)
		wv_usage(opts, "--not: no filter follows it");
	for (size_t i = 0; i < filter->count; i++) {
		struct condition *c = &filter->conditions[i];
		bool is_since = c->kind == SINCE;
		if (!is_since && c->kind != UNTIL)
			continue;
		c->time = when_read(
			opts, is_since ? "--since" : "--until", c->value);
		if (!c->negated)
			widen(is_since ? &since : &until, c->time, is_since);
	}
	if (since.sec != INT64_MAX && until.sec != INT64_MIN &&
		wv_time_cmp(since, until) > 0)
		wv_usage(opts, "--since is after --until: nothing is");
}
