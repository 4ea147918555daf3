/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include "base/glob.h"

#include <stdlib.h>
#include <string.h>

enum kind {
	EXACT,
	GLOB,
	EVENT,   /* a short unique part of an event type will do */
	OUTCOME, /* one of three */
	WHERE,   /* POINTER=VALUE */
	GREP,
	SINCE,
	UNTIL,
	NOT,
};

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
		"whose member has a value" },
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
	{ GREP, "" },
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

struct condition {
	enum kind kind;
	bool negated;
	const char *pointer; /* where it looks; equal ones are alternatives */
	const char *value;
	const cJSON *json; /* of WHERE, if its value is JSON */
	struct wv_time time;
	size_t group;
};

struct filter {
	struct wv_arena arena;
	struct condition *conditions;
	size_t count, groups;
	bool negate; /* --not was the last option */
	bool needs_time;
	bool *met; /* by group */
};

struct filter *
filter_new(void)
{
	struct filter *filter = wv_xcalloc(1, sizeof(*filter));

	filter->met = wv_xcalloc(1, sizeof(*filter->met));
	return filter;
}

void
filter_free(struct filter *filter)
{
	wv_arena_free(&filter->arena);
	free(filter->conditions);
	free(filter->met);
	free(filter);
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
		second = found != NULL ? event_types[i] : NULL;
		if (found != NULL)
			break;
		found = event_types[i];
	}
	if (second != NULL)
		wv_usage(opts, "--event: %s can be %s or %s", word, found,
			second);
	if (found == NULL) /* names the nearest */
		wv_opt_choice(opts, "--event", word, event_types);
	return found;
}

static void
read_where(
	struct filter *filter, struct condition *c, const struct wv_opts *opts)
{
	const char *equals = strchr(opts->value, '=');

	if (*opts->value != '/' || equals == NULL)
		wv_usage(opts, "--where: give /POINTER=VALUE");
	c->pointer = wv_dupn(
		&filter->arena, opts->value, (size_t)(equals - opts->value));
	/* A copy, since the reader looks a little past the end. */
	size_t len = strlen(equals + 1);
	char *value = wv_alloc_zero(&filter->arena, len + WV_JSON_SLACK);
	memcpy(value, equals + 1, len);
	c->value = value;
	c->json = wv_json_read(
		&filter->arena, value, len, &wv_json_defaults, NULL);
}

static void
read_value(
	struct filter *filter, struct condition *c, const struct wv_opts *opts)
{
	static const char *const outcomes[] = { "success", "failure", "partial",
		NULL };

	c->value = opts->value;
	switch (c->kind) {
	case EVENT:
		c->value = find_event(opts);
		break;
	case OUTCOME:
		wv_opt_choice(opts, "--outcome", opts->value, outcomes);
		break;
	case WHERE:
		read_where(filter, c, opts);
		break;
	default:
		break;
	}
}

/* The group of the earlier condition that looks at the same place. */
static size_t
group_of(struct filter *filter, const struct condition *c)
{
	for (size_t i = 0; i < filter->count && c->pointer != NULL; i++) {
		const struct condition *other = &filter->conditions[i];
		if (!other->negated && other->pointer != NULL &&
			strcmp(other->pointer, c->pointer) == 0)
			return other->group;
	}
	return filter->groups++;
}

void
filter_add(struct filter *filter, const struct wv_opts *opts, int id)
{
	struct condition c = { .kind = meaning[id - OPT_FILTER].kind,
		.pointer = meaning[id - OPT_FILTER].pointer,
		.negated = filter->negate };

	if (c.kind == NOT) {
		filter->negate = true;
		return;
	}
	filter->negate = false;
	read_value(filter, &c, opts);
	if (!c.negated)
		c.group = group_of(filter, &c);
	filter->conditions = wv_xrealloc(filter->conditions,
		(filter->count + 1) * sizeof(*filter->conditions));
	filter->conditions[filter->count++] = c;
	filter->met =
		wv_xrealloc(filter->met, filter->count * sizeof(*filter->met));
}

void
filter_ready(struct filter *filter, const struct wv_opts *opts)
{
	if (filter->negate)
		wv_usage(opts, "--not: no filter follows it");
	for (size_t i = 0; i < filter->count; i++) {
		struct condition *c = &filter->conditions[i];
		if (c->kind != SINCE && c->kind != UNTIL)
			continue;
		c->time = when_read(opts,
			c->kind == SINCE ? "--since" : "--until", c->value);
		filter->needs_time = true;
	}
}

/* A text as it is written, or as it is meant if that differs. */
static bool
holds_text(const cJSON *node, const char *text)
{
	if (node->string != NULL && strstr(node->string, text) != NULL)
		return true;
	if (wv_is_string(node))
		return strstr(node->valuestring, text) != NULL;
	wv_json_each(item, node)
		if (holds_text(item, text))
			return true;
	return false;
}

static bool
grep(const cJSON *event, const char *text, const char *line, size_t len)
{
	if (memmem(line, len, text, strlen(text)) != NULL)
		return true;
	return memchr(line, '\\', len) != NULL && holds_text(event, text);
}

static bool
where(const struct condition *c, const cJSON *node)
{
	if (node == NULL)
		return false;
	if (wv_is_string(node) && strcmp(node->valuestring, c->value) == 0)
		return true;
	return c->json != NULL && wv_json_equal(node, c->json);
}

static bool
meets(const struct condition *c, const cJSON *event, struct wv_time time,
	const char *line, size_t len)
{
	const cJSON *node;

	switch (c->kind) {
	case GREP:
		return grep(event, c->value, line, len);
	case SINCE:
		return wv_time_cmp(time, c->time) >= 0;
	case UNTIL:
		return wv_time_cmp(time, c->time) < 0;
	case WHERE:
		return where(c, wv_pointer(event, c->pointer));
	default:
		break;
	}
	node = wv_pointer(event, c->pointer);
	if (!wv_is_string(node))
		return false;
	return c->kind == GLOB ? wv_glob_match(c->value, node->valuestring, '.')
			       : strcmp(c->value, node->valuestring) == 0;
}

int
filter_match(const struct filter *filter, const cJSON *event, const char *line,
	size_t len, struct wv_err *err)
{
	const char *text = wv_get_string(event, "timestamp");
	struct wv_time time = { 0, 0 };

	if (filter->needs_time && text == NULL)
		return wv_err_set(err, "no timestamp");
	if (filter->needs_time &&
		wv_time_parse(&time, text, strlen(text), err) < 0)
		return -1;
	memset(filter->met, 0, filter->groups);
	for (size_t i = 0; i < filter->count; i++) {
		const struct condition *c = &filter->conditions[i];
		bool met = meets(c, event, time, line, len);
		if (c->negated && met)
			return 0;
		if (!c->negated && met)
			filter->met[c->group] = true;
	}
	return memchr(filter->met, 0, filter->groups) == NULL;
}
