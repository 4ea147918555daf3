/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digest.h"
#include "span-internal.h"
#include "story.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KIND_INTERNAL = 1, STATUS_OK = 1, STATUS_ERROR = 2 };

void
span_attribute(
	struct wv_arena *arena, cJSON *list, const char *name, const char *text)
{
	cJSON *attribute = wv_json_object(arena), *value;

	if (text == NULL)
		return;
	wv_put_string(arena, attribute, "key", name);
	value = wv_put_object(arena, attribute, "value");
	wv_put_string(arena, value, "stringValue", text);
	wv_push(list, attribute);
}

static void
attribute(struct maker *m, const char *name, const char *text)
{
	span_attribute(m->arena, m->attributes, name, text);
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

/* n hex digits, not all 0, in lower case; else of the text's hash. */
static bool
take_hex(char *id, size_t n, const char *text)
{
	char hash[WV_SHA256_HEX];
	bool is_hex = strlen(text) == n &&
		strspn(text, "0123456789abcdefABCDEF") == n &&
		strspn(text, "0") < n;

	if (is_hex) {
		for (size_t i = 0; i < n; i++)
			id[i] = text[i] >= 'A' && text[i] <= 'F'
				? (char)(text[i] - 'A' + 'a')
				: text[i];
	} else {
		wv_sha256_hex(hash, text, strlen(text));
		memcpy(id, hash, n);
	}
	id[n] = '\0';
	return is_hex;
}

/* What belongs together is one trace, if the event names none. */
static const char *
group_of(const struct maker *m)
{
	static const char *const ids[] = { "/metadata/x_wv_run/run_id",
		"/metadata/x_wv_routing_decision_id", "/decision_id",
		"/event_id" };
	const char *id = NULL;

	for (size_t i = 0; id == NULL && i < sizeof ids / sizeof ids[0]; i++)
		id = get(m, ids[i]);
	return id;
}

static void
take_ids(struct maker *m)
{
	const char *trace = get(m, "/metadata/telemetry/trace_id");
	const char *span = get(m, "/metadata/telemetry/span_id");

	if (!take_hex(m->self.trace_id, SPAN_TRACE_ID,
		    trace != NULL ? trace : group_of(m)))
		attribute(m, "gen_ai.weaver.trace_id", trace);
	if (!take_hex(m->self.span_id, SPAN_ID,
		    span != NULL ? span : get(m, "/event_id")))
		attribute(m, "gen_ai.weaver.span_id", span);
}

static int
take_time(struct wv_time *time, const char *text, struct wv_err *err)
{
	if (wv_time_parse(time, text, strlen(text), err) < 0)
		return -1;
	if (time->sec < 0 || (uint64_t)time->sec > UINT64_MAX / 1000000000 - 1)
		return wv_err_set(err,
			"%s: before 1970 or after 2554, which OTLP cannot "
			"write",
			text);
	return 0;
}

static int
take_times(struct maker *m, struct wv_err *err)
{
	const char *begun = get(m, "/metadata/x_wv_trace/started_at");
	const char *ended = get(m, "/metadata/x_wv_trace/ended_at");

	if (take_time(&m->end, get(m, "/timestamp"), err) < 0)
		return -1;
	m->self.time = m->end;
	if (!is_type(m, "capability_executed") || begun == NULL ||
		ended == NULL)
		return 0;
	if (take_time(&m->self.time, begun, err) < 0 ||
		take_time(&m->end, ended, err) < 0)
		return -1;
	if (wv_time_cmp(m->end, m->self.time) < 0)
		m->end = m->self.time;
	return 0;
}

static const char *
error_type(const struct maker *m)
{
	const char *code = get(m, "/metadata/x_wv_code");
	const char *outcome = get(m, "/outcome");

	if (is_type(m, "capability_denied"))
		return "policy_denied";
	if (!is_type(m, "flow_failed") &&
		(outcome == NULL || strcmp(outcome, "failure") != 0))
		return NULL;
	return code != NULL && strcmp(code, "allowed") != 0 ? code : "_OTHER";
}

static void
add_attributes(struct maker *m)
{
	static const struct {
		const char *name, *pointer;
	} members[] = {
		{ "gen_ai.tool.name", "/capability_id" },
		{ "gen_ai.agent.id", "/principal" },
		{ "gen_ai.weaver.event_id", "/event_id" },
		{ "gen_ai.weaver.event_type", "/event_type" },
		{ "gen_ai.weaver.frame_id", "/frame_id" },
		{ "gen_ai.weaver.handle_id", "/handle_id" },
		{ "gen_ai.weaver.policy_decision_id", "/decision_id" },
		{ "gen_ai.weaver.routing_decision_id",
			"/metadata/x_wv_routing_decision_id" },
		{ "gen_ai.weaver.outcome", "/outcome" },
		{ "gen_ai.weaver.code", "/metadata/x_wv_code" },
		{ "gen_ai.weaver.run_id", "/metadata/x_wv_run/run_id" },
		{ "gen_ai.weaver.step_id", "/metadata/x_wv_run/step_id" },
	};
	bool is_tool = is_type(m, "capability_executed") ||
		is_type(m, "flow_step_started") ||
		is_type(m, "flow_step_completed");

	attribute(m, "gen_ai.operation.name",
		is_tool ? "execute_tool" : "agent.invoke_agent");
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
		attribute(m, members[i].name, get(m, members[i].pointer));
	attribute(m, "error.type", error_type(m));
}

static void
put_time(struct maker *m, cJSON *object, const char *name, struct wv_time t)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRIu64,
		(uint64_t)t.sec * 1000000000 + (uint64_t)t.nsec);
	wv_put_string(m->arena, object, name, text);
}

static void
add_exception(struct maker *m, cJSON *span)
{
	const char *message = get(m, "/error_message");
	cJSON *events = wv_json_array(m->arena), *attributes;
	cJSON *event = wv_json_object(m->arena);

	if (message == NULL)
		return;
	put_time(m, event, "timeUnixNano", m->end);
	wv_put_string(m->arena, event, "name", "exception");
	attributes = wv_json_array(m->arena);
	span_attribute(m->arena, attributes, "exception.type", error_type(m));
	span_attribute(m->arena, attributes, "exception.message", message);
	wv_put(m->arena, event, "attributes", attributes);
	wv_push(events, event);
	wv_put(m->arena, span, "events", events);
}

static void
add_status(struct maker *m, cJSON *span)
{
	const char *outcome = get(m, "/outcome");
	cJSON *status = wv_json_object(m->arena);
	int code = 0;

	if (error_type(m) != NULL)
		code = STATUS_ERROR;
	else if (outcome != NULL && strcmp(outcome, "success") == 0)
		code = STATUS_OK;
	if (code != 0)
		wv_put(m->arena, status, "code", wv_json_int(m->arena, code));
	wv_put(m->arena, span, "status", status);
}

static void
add_link(struct maker *m, cJSON *span)
{
	cJSON *links = wv_json_array(m->arena);
	cJSON *link = wv_json_object(m->arena);

	wv_put_string(m->arena, link, "traceId", m->parent.trace_id);
	wv_put_string(m->arena, link, "spanId", m->parent.span_id);
	wv_push(links, link);
	wv_put(m->arena, span, "links", links);
}

static cJSON *
write_span(struct maker *m)
{
	struct wv_arena *arena = m->arena;
	const char *capability = get(m, "/capability_id");
	cJSON *span = wv_json_object(arena);
	bool is_child = m->has_parent &&
		strcmp(m->parent.trace_id, m->self.trace_id) == 0;

	wv_put_string(arena, span, "traceId", m->self.trace_id);
	wv_put_string(arena, span, "spanId", m->self.span_id);
	if (is_child && strcmp(m->parent.span_id, m->self.span_id) != 0)
		wv_put_string(arena, span, "parentSpanId", m->parent.span_id);
	wv_put_string(arena, span, "name",
		capability != NULL
			? wv_printf(arena, "%s %s", m->type, capability)
			: m->type);
	wv_put(arena, span, "kind", wv_json_int(arena, KIND_INTERNAL));
	put_time(m, span, "startTimeUnixNano", m->self.time);
	put_time(m, span, "endTimeUnixNano", m->end);
	wv_put(arena, span, "attributes", m->attributes);
	add_exception(m, span);
	if (m->has_parent && !is_child)
		add_link(m, span);
	add_status(m, span);
	return span;
}

cJSON *
span_make(struct spans *spans, struct wv_arena *arena, const cJSON *event,
	bool *orphan, struct wv_err *err)
{
	struct maker m = {
		.spans = spans,
		.arena = arena,
		.event = event,
		.type = wv_get_string(event, "event_type"),
		.source = story_foreign(event),
		.attributes = wv_json_array(arena),
	};

	add_attributes(&m);
	take_ids(&m);
	if (take_times(&m, err) < 0)
		return NULL;
	span_relate(&m);
	*orphan = m.wants_parent && !m.has_parent;
	return write_span(&m);
}
