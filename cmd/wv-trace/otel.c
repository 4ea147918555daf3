/* SPDX-License-Identifier: Apache-2.0 */
#include "base/msg.h"
#include "events.h"
#include "span.h"
#include "story.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 512 /* spans of a line */ };

#define SCHEMA_URL "https://opentelemetry.io/schemas/1.30.0"

static const char *const synopsis[] = { "otel [option...] [FILE...]", NULL };

static const struct wv_opt table[] = {
	EVENTS_OPTS,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-trace",
	.synopsis = synopsis,
	.about = "Writes the events of the log as spans of OpenTelemetry, in "
		 "the JSON of its protocol, one request for a collector a "
		 "line.",
	.opts = table,
	.examples = "  wv-trace --since 1h | wv-trace otel -\n",
};

struct otel {
	struct events in;
	struct spans *spans;
	struct wv_arena arena; /* of an event */
	struct wv_str text;    /* of the spans of this batch */
	size_t count;
	char *source; /* whose they are; NULL: ours */
	struct wv_out out;
	uint64_t written, orphans;
};

static cJSON *
resource(struct otel *o)
{
	cJSON *resource = wv_json_object(&o->arena);
	cJSON *attributes = wv_json_array(&o->arena);

	span_attribute(&o->arena, attributes, "service.name",
		o->source != NULL ? o->source : "wv");
	wv_put(&o->arena, resource, "attributes", attributes);
	return resource;
}

static void
write_batch(struct otel *o)
{
	struct wv_str line = { 0 };

	if (o->count == 0)
		return;
	wv_str_cat(&line, "{\"resourceSpans\":[{\"resource\":");
	wv_json_write(&line, resource(o));
	wv_str_cat(&line,
		",\"scopeSpans\":[{\"scope\":{\"name\":\"wv-trace\","
		"\"version\":\"" WV_VERSION "\"},\"spans\":[");
	wv_str_add(&line, o->text.s, o->text.n);
	wv_str_cat(&line,
		"],\"schemaUrl\":\"" SCHEMA_URL "\"}],"
		"\"schemaUrl\":\"" SCHEMA_URL "\"}]}");
	wv_out_line(&o->out, line.s, line.n);
	wv_str_free(&line);
	o->written += o->count;
	o->count = 0;
	o->text.n = 0;
}

/* Nobody waits for what is here already. */
static void
idle(void *arg)
{
	struct otel *o = arg;
	struct wv_err err = WV_ERR_INIT;

	write_batch(o);
	if (wv_out_flush(&o->out, &err) < 0)
		wv_die_err(&err);
}

static bool
is_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void
add(struct otel *o, const cJSON *event, const cJSON *span)
{
	const char *source = story_foreign(event);

	if (!is_same(source, o->source) || o->count == BATCH) {
		write_batch(o);
		free(o->source);
		o->source = source != NULL ? wv_xstrdup(source) : NULL;
	}
	if (o->count++ > 0)
		wv_str_chr(&o->text, ',');
	wv_json_write(&o->text, span);
}

static bool
hear(void *arg, cJSON *event)
{
	struct otel *o = arg;
	struct wv_err err = WV_ERR_INIT;
	const cJSON *span;
	bool orphan = false;

	wv_arena_reset(&o->arena);
	if (o->in.files[0] != NULL)
		events_redact(&o->arena, event);
	span = span_make(o->spans, &o->arena, event, &orphan, &err);
	if (span == NULL) {
		events_bad(&o->in, &err);
		return true;
	}
	o->orphans += orphan;
	add(o, event, span);
	return true;
}

int
otel_main(int argc, char **argv)
{
	static struct otel o = { .in = { .lines = WV_LINES_OPTIONS_INIT } };
	struct wv_opts opts;
	int id;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		events_option(&o.in, id, &opts);
	for (char *const *f = opts.operands; *f != NULL; f++)
		if (strcmp(*f, "-") == 0 && isatty(STDIN_FILENO))
			wv_usage_terminal(&opts);
	o.in.files = opts.operands;
	o.in.idle = idle;
	o.in.idle_arg = &o;
	o.spans = spans_new();
	wv_out_init(&o.out, STDOUT_FILENO, "standard output");
	events_read(&o.in, hear, &o);
	write_batch(&o);
	wv_out_end(&o.out);
	wv_note("%" PRIu64 " spans, %" PRIu64 " of them lack their parent",
		o.written, o.orphans);
	int status = events_end(&o.in);
	spans_free(o.spans);
	free(o.source);
	wv_str_free(&o.text);
	wv_arena_free(&o.arena);
	wv_opt_end(&opts);
	return status;
}
